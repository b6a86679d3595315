/* CSV: base/csv.h refuses what is not strictly well-formed; here cells become values of the declared types. An
 * empty cell is NULL, an empty one in quotes an empty text. Columns that the policy does not have are not read. */
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "base/csv.h"
#include "base/memory.h"
#include "engine/cell.h"
#include "engine/duckdb_engine.h"

struct csv_import {
    const char *file;
    const struct duckdb_table *table;
    struct duckdb_writer writer;
    struct duckdb_tally *tally;
    size_t *place; /* of each column of the table, in the file's records */
};

/* source_read_header has refused names that are there twice, duckdb_resolve_tables those that are missing; but
 * files can change meanwhile. */
static status take_header(struct csv_import *import, const struct csv_record *record, error *why)
{
    for (size_t i = 0; i < import->table->column_count; i++) {
        size_t found = 0;
        while (found < record->count &&
               strcasecmp(record->fields[found].text, import->table->columns[i].name) != 0)
            found++;
        if (found == record->count)
            return fail(why, DITHER_INVALID, "%s has no column %s", import->file,
                        import->table->columns[i].name);
        import->place[i] = found;
    }
    return DITHER_OK;
}

static status take_record(void *context, const struct csv_record *record, error *why)
{
    struct csv_import *import = context;
    struct duckdb_writer *writer = &import->writer;
    if (record->number == 1)
        return take_header(import, record, why);
    for (size_t i = 0; i < writer->column_count; i++) {
        const struct csv_field *field = &record->fields[import->place[i]];
        struct sql_value value;
        if (field->length == 0 && !field->quoted)
            continue;
        if (writer->columns[i].type == SQL_TEXT)
            duckdb_writer_set_text(writer, i, field->text, field->length);
        else if (cell_read(field->text, field->length, writer->columns[i].type, writer->columns[i].scale,
                           &value))
            duckdb_writer_set(writer, i, &value);
        else {
            import->tally->unfit[i]++;
            continue;
        }
        import->tally->filled[i]++;
    }
    import->tally->rows++;
    return duckdb_writer_next(writer, why);
}

static status import_file(struct csv_import *import, error *why)
{
    FILE *stream = fopen(import->file, "rb");
    if (stream == NULL)
        return fail(why, DITHER_IO, "%s: %s", import->file, strerror(errno));
    status result = csv_read(stream, &(struct csv_options){.name = import->file}, take_record, import, why);
    fclose(stream);
    return result;
}

status duckdb_import_csv(struct duckdb_engine *engine, const struct duckdb_table *table,
                         struct duckdb_tally *tally, error *why)
{
    struct csv_import import = {.table = table, .tally = tally};
    TRY(arena_take(&engine->arena, table->column_count * sizeof *import.place, (void **)&import.place, why));
    TRY(duckdb_writer_open(&engine->instance, table->declared->name, table->types, table->column_count,
                           &import.writer, why));
    status result = DITHER_OK;
    for (size_t i = 0; result == DITHER_OK && i < table->source.count; i++) {
        import.file = table->source.files[i];
        result = import_file(&import, why);
    }
    if (result == DITHER_OK)
        result = duckdb_writer_finish(&import.writer, why);
    duckdb_writer_close(&import.writer);
    return result;
}
