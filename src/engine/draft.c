#include "engine/draft.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "engine/draft_parts.h"
#include "engine/duckdb_engine.h"

/* DuckDB files carry their name at byte 8, whatever they are called. */
static status is_database(const char *file, bool *out, error *why)
{
    char start[12] = "";
    FILE *stream = fopen(file, "rb");
    if (stream == NULL)
        return fail(why, DITHER_IO, "%s: %s", file, strerror(errno));
    size_t count = fread(start, 1, sizeof start, stream);
    bool failed = ferror(stream) != 0;
    fclose(stream);
    if (failed)
        return fail(why, DITHER_IO, "%s cannot be read", file);
    *out = count == sizeof start && memcmp(start + 8, "DUCK", 4) == 0;
    return DITHER_OK;
}

/* ---- A DuckDB file ---- */

/* Constraints of one column: NOT NULL, and a PRIMARY KEY or UNIQUE of its own. */
static status mark_keys(struct duckdb_instance *instance, struct arena *arena,
                        const struct draft_table *table, error *why)
{
    struct buffer sql;
    struct sql_rows rows = {.row_count = 0};
    buffer_init(&sql, 1 << 16);
    buffer_text(
        &sql,
        "SELECT constraint_type, constraint_column_names[1] FROM duckdb_constraints() WHERE database_name "
        "= '" DUCKDB_SOURCE "' AND schema_name = 'main' AND len(constraint_column_names) = 1 AND "
        "constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'NOT NULL') AND table_name = ");
    duckdb_print_text(&sql, table->name);
    status result = buffer_check(&sql, why);
    if (result == DITHER_OK)
        result = duckdb_ask_texts(instance, sql.data, 2, arena, &rows, why);
    buffer_free(&sql);
    TRY(result);
    struct draft_column *columns = (struct draft_column *)(uintptr_t)table->columns; /* ours, just made */
    for (size_t i = 0; i < rows.row_count; i++)
        for (size_t j = 0; j < table->column_count; j++) {
            const char *type = sql_rows_cell(&rows, i, 0)->text, *name = sql_rows_cell(&rows, i, 1)->text;
            if (name == NULL || strcasecmp(columns[j].name, name) != 0)
                continue;
            columns[j].unique |= strcmp(type, "NOT NULL") != 0;
            columns[j].not_null |= strcmp(type, "UNIQUE") != 0;
        }
    return DITHER_OK;
}

static status read_table(struct duckdb_instance *instance, bool peek, struct arena *arena,
                         struct draft_table *table, error *why)
{
    struct buffer from;
    buffer_init(&from, 1 << 14);
    buffer_text(&from, DUCKDB_SOURCE ".main.");
    sql_print_identifier(&from, table->name);
    status result = buffer_check(&from, why);
    if (result == DITHER_OK)
        result = draft_read_relation(instance, from.data, peek, arena, table, why);
    buffer_free(&from);
    TRY(result);
    return mark_keys(instance, arena, table, why);
}

static status read_tables(struct duckdb_instance *instance, bool peek, struct arena *arena,
                          struct draft *draft, error *why)
{
    struct sql_rows rows = {.row_count = 0};
    struct draft_table *tables = NULL;
    TRY(duckdb_ask_texts(instance,
                         "SELECT table_name FROM duckdb_tables() WHERE database_name = '" DUCKDB_SOURCE
                         "' AND schema_name = 'main' AND NOT internal ORDER BY table_oid",
                         1, arena, &rows, why));
    if (rows.row_count == 0)
        return fail(why, DITHER_INVALID, "%s has no tables", draft->database);
    TRY(arena_take(arena, rows.row_count * sizeof *tables, (void **)&tables, why));
    for (size_t i = 0; i < rows.row_count; i++) {
        tables[i].name = rows.cells[i].text;
        TRY(read_table(instance, peek, arena, &tables[i], why));
    }
    draft->tables = tables;
    draft->table_count = rows.row_count;
    return DITHER_OK;
}

static status read_database(const char *file, bool peek, struct arena *arena, struct draft *draft, error *why)
{
    const struct policy policy = {.file = file, .engine = {.kind = POLICY_ENGINE_DUCKDB, .place = file}};
    const struct engine_options options = {.threads = 0};
    struct duckdb_engine *engine = NULL;
    draft->database = file;
    TRY(duckdb_engine_new(&policy, &options, &engine, why));
    status result = read_tables(&engine->instance, peek, arena, draft, why);
    duckdb_engine_free(engine);
    return result;
}

/* ---- Other files ---- */

static status name_of(const char *file, struct arena *arena, const char **out, error *why)
{
    const char *slash = strrchr(file, '/'), *begin = slash != NULL ? slash + 1 : file;
    const char *dot = strrchr(begin, '.');
    char *name = NULL;
    TRY(arena_text(arena, begin, dot != NULL && dot > begin ? (size_t)(dot - begin) : strlen(begin), &name,
                   why));
    *out = name;
    return DITHER_OK;
}

static status read_by_duckdb(struct duckdb_instance *instance, const struct source *source, bool peek,
                             struct arena *arena, struct draft_table *table, error *why)
{
    struct buffer from;
    if (source->format != SOURCE_PARQUET && !peek)
        return fail(
            why, DITHER_INVALID,
            "%s: JSON does not declare its columns; --peek lets them be looked for, or write them down",
            source->files[0]);
    buffer_init(&from, 1 << 16);
    buffer_text(&from, source->format == SOURCE_PARQUET ? "read_parquet(" : "read_json(");
    duckdb_print_text(&from, source->files[0]);
    if (source->format != SOURCE_PARQUET)
        buffer_format(&from, ", records = 'true', sample_size = -1, format = '%s'",
                      source->format == SOURCE_JSON ? "array" : "newline_delimited");
    buffer_text(&from, ", hive_partitioning = false)");
    status result = buffer_check(&from, why);
    if (result == DITHER_OK && draft_read_relation(instance, from.data, peek, arena, table, why) != DITHER_OK)
        result = fail(why, DITHER_INVALID, "%s cannot be read as %s", source->files[0],
                      source->format == SOURCE_PARQUET ? "Parquet" : "JSON");
    buffer_free(&from);
    return result;
}

static status read_file(struct duckdb_instance *instance, const char *file, bool peek, struct arena *arena,
                        struct draft_table *table, error *why)
{
    struct source source;
    TRY(source_find(file, arena, &source, why));
    TRY(name_of(file, arena, &table->name, why));
    table->file = file;
    TRY(source.format == SOURCE_CSV ? draft_read_csv(&source, peek, arena, table, why)
                                    : read_by_duckdb(instance, &source, peek, arena, table, why));
    if (table->column_count == 0)
        return fail(why, DITHER_INVALID, "%s has no column that Dither has a type for", file);
    return DITHER_OK;
}

static status read_files(const char *const *files, size_t count, bool peek, struct arena *arena,
                         struct draft *draft, error *why)
{
    struct duckdb_instance instance;
    struct draft_table *tables = NULL;
    TRY(arena_take(arena, count * sizeof *tables, (void **)&tables, why));
    TRY(duckdb_instance_open(&(struct duckdb_limits){.threads = 0}, &instance, why));
    status result = DITHER_OK;
    for (size_t i = 0; result == DITHER_OK && i < count; i++)
        result = read_file(&instance, files[i], peek, arena, &tables[i], why);
    duckdb_instance_close(&instance);
    draft->tables = tables;
    draft->table_count = count;
    return result;
}

status draft_read(const char *const *files, size_t count, bool peek, struct arena *arena,
                  const struct draft **out, error *why)
{
    struct draft *draft = NULL;
    TRY(arena_take(arena, sizeof *draft, (void **)&draft, why));
    bool database = false;
    for (size_t i = 0; i < count && !database; i++)
        TRY(is_database(files[i], &database, why));
    if (count == 0)
        return fail(why, DITHER_INVALID, "there is no file to draft a policy from");
    if (database && count > 1)
        return fail(why, DITHER_INVALID, "a DuckDB file stands alone: a policy has one database");
    TRY(database ? read_database(files[0], peek, arena, draft, why)
                 : read_files(files, count, peek, arena, draft, why));
    *out = draft;
    return DITHER_OK;
}
