/* Files into the engine's database: once for each time it is opened, before it is locked. Types come from the
 * policy. What is not well-formed is refused; a cell that is not of its type is NULL, and the owner is told how
 * many there are. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "engine/cell.h"
#include "engine/duckdb_engine.h"

void duckdb_tell(const struct duckdb_engine *engine, const char *format, ...)
{
    if (engine->options.tell == NULL)
        return;
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    engine->options.tell(engine->options.context, line);
}

static void print_files(struct buffer *sql, const struct source *source)
{
    for (size_t i = 0; i < source->count; i++) {
        buffer_byte(sql, i == 0 ? '[' : ',');
        duckdb_print_text(sql, source->files[i]);
    }
    buffer_byte(sql, ']');
}

/* PostgreSQL's texts hold no NUL, and neither do ours. */
static void print_parquet_column(struct buffer *sql, const struct duckdb_table *table, size_t column)
{
    const struct duckdb_found_column *found = duckdb_found_find(&table->found, table->columns[column].name);
    bool text = found->type == DUCKDB_TYPE_VARCHAR;
    if (text) {
        buffer_text(sql, "CASE WHEN NOT contains(");
        sql_print_identifier(sql, found->name);
        buffer_text(sql, ", chr(0)) THEN ");
    }
    duckdb_print_cast(sql, found, &table->columns[column]);
    buffer_text(sql, text ? " END" : "");
}

static void print_parquet_import(struct buffer *sql, const struct duckdb_table *table)
{
    buffer_text(sql, "INSERT INTO ");
    sql_print_identifier(sql, table->declared->name);
    for (size_t i = 0; i < table->column_count; i++) {
        buffer_text(sql, i == 0 ? " SELECT " : ", ");
        print_parquet_column(sql, table, i);
    }
    buffer_text(sql, " FROM read_parquet(");
    print_files(sql, &table->source);
    buffer_text(sql, ", hive_partitioning = false)");
}

/* One row: how many rows there are; and of each column how many cells are filled, before and after the cast. */
static void print_parquet_count(struct buffer *sql, const struct duckdb_table *table)
{
    buffer_text(sql, "SELECT count(*)");
    for (size_t i = 0; i < table->column_count; i++) {
        buffer_text(sql, ", count(");
        sql_print_identifier(sql, duckdb_found_find(&table->found, table->columns[i].name)->name);
        buffer_text(sql, "), count(");
        print_parquet_column(sql, table, i);
        buffer_text(sql, ")");
    }
    buffer_text(sql, " FROM read_parquet(");
    print_files(sql, &table->source);
    buffer_text(sql, ", hive_partitioning = false)");
}

static void take_counts(const struct duckdb_table *table, duckdb_result *result, struct duckdb_tally *tally)
{
    duckdb_data_chunk chunk = duckdb_fetch_chunk(*result);
    if (chunk == NULL)
        return;
    for (size_t i = 0; i < 2 * table->column_count + 1; i++) {
        struct duckdb_column_reader reader;
        duckdb_column_reader_init(chunk, i, &reader);
        uint64_t count = (uint64_t)((const int64_t *)reader.data)[0];
        if (i == 0)
            tally->rows = count;
        else if (i % 2 == 1)
            tally->unfit[i / 2] = count;
        else {
            tally->filled[i / 2 - 1] = count;
            tally->unfit[i / 2 - 1] -= count;
        }
    }
    duckdb_destroy_data_chunk(&chunk);
}

static status import_parquet(struct duckdb_engine *engine, const struct duckdb_table *table,
                             struct duckdb_tally *tally, error *why)
{
    struct buffer sql;
    duckdb_result counts;
    buffer_init(&sql, 1 << 22);
    print_parquet_import(&sql, table);
    status result = buffer_check(&sql, why);
    if (result == DITHER_OK)
        result = duckdb_instance_run(&engine->instance, sql.data, "reading Parquet files", why);
    buffer_clear(&sql);
    print_parquet_count(&sql, table);
    if (result == DITHER_OK)
        result = buffer_check(&sql, why);
    if (result == DITHER_OK)
        result = duckdb_instance_query(&engine->instance, sql.data, "reading Parquet files", &counts, why);
    if (result == DITHER_OK) {
        take_counts(table, &counts, tally);
        duckdb_destroy_result(&counts);
    } else
        (void)fail(why, result, "%s is not a well-formed Parquet file", table->source.files[0]);
    buffer_free(&sql);
    return result;
}

/* ---- JSON: DuckDB takes the objects apart, every value as text; then as for CSV ---- */

static void print_json_query(struct buffer *sql, const struct duckdb_table *table)
{
    for (size_t i = 0; i < table->column_count; i++) {
        buffer_text(sql, i == 0 ? "SELECT " : ", ");
        sql_print_identifier(sql, table->columns[i].name);
    }
    buffer_text(sql, " FROM read_json(");
    print_files(sql, &table->source);
    buffer_format(sql, ", format = '%s', records = 'true', hive_partitioning = false, columns = {",
                  table->source.format == SOURCE_JSON ? "array" : "newline_delimited");
    for (size_t i = 0; i < table->column_count; i++) {
        buffer_text(sql, i == 0 ? "" : ", ");
        duckdb_print_text(sql, table->columns[i].name);
        buffer_text(sql, ": 'VARCHAR'");
    }
    buffer_text(sql, "})");
}

static void take_json_cell(struct duckdb_writer *writer, size_t column, duckdb_string_t *string,
                           struct buffer *text, struct duckdb_tally *tally)
{
    size_t length = duckdb_string_t_length(*string);
    struct sql_value value;
    buffer_clear(text);
    buffer_append(text, duckdb_string_t_data(string), length);
    bool fits = !text->failed && cell_read(length > 0 ? text->data : "", length, writer->columns[column].type,
                                           writer->columns[column].scale, &value);
    *(fits ? &tally->filled[column] : &tally->unfit[column]) += 1;
    if (fits)
        duckdb_writer_set(writer, column, &value);
}

static status take_json_chunk(struct duckdb_writer *writer, duckdb_data_chunk chunk, struct buffer *text,
                              struct duckdb_tally *tally, error *why)
{
    idx_t rows = duckdb_data_chunk_get_size(chunk);
    for (idx_t row = 0; row < rows; row++) {
        for (size_t i = 0; i < writer->column_count; i++) {
            struct duckdb_column_reader reader;
            duckdb_column_reader_init(chunk, i, &reader);
            if (!duckdb_column_is_null(&reader, row))
                take_json_cell(writer, i, &((duckdb_string_t *)reader.data)[row], text, tally);
        }
        TRY(duckdb_writer_next(writer, why));
        tally->rows++;
    }
    return DITHER_OK;
}

static status take_json(struct duckdb_writer *writer, duckdb_result *result, struct duckdb_tally *tally,
                        error *why)
{
    struct buffer text;
    buffer_init(&text, (size_t)1 << 30);
    status got = DITHER_OK;
    for (duckdb_data_chunk chunk = NULL; got == DITHER_OK && (chunk = duckdb_fetch_chunk(*result)) != NULL;) {
        got = take_json_chunk(writer, chunk, &text, tally, why);
        duckdb_destroy_data_chunk(&chunk);
    }
    if (got == DITHER_OK)
        got = duckdb_writer_finish(writer, why);
    buffer_free(&text);
    return got;
}

static status import_json(struct duckdb_engine *engine, const struct duckdb_table *table,
                          struct duckdb_tally *tally, error *why)
{
    struct buffer sql;
    duckdb_result rows;
    struct duckdb_writer writer;
    buffer_init(&sql, 1 << 22);
    print_json_query(&sql, table);
    status result = buffer_check(&sql, why);
    if (result == DITHER_OK &&
        duckdb_instance_query(&engine->instance, sql.data, "reading JSON", &rows, why) != DITHER_OK)
        result = fail(why, DITHER_INVALID, "%s is not well-formed: %s", table->source.files[0],
                      table->source.format == SOURCE_JSON ? "a .json file is one array of objects"
                                                          : "each line is one object");
    buffer_free(&sql);
    TRY(result);
    result = duckdb_writer_open(&engine->instance, table->declared->name, table->types, table->column_count,
                                &writer, why);
    if (result == DITHER_OK) {
        result = take_json(&writer, &rows, tally, why);
        duckdb_writer_close(&writer);
    }
    duckdb_destroy_result(&rows);
    return result;
}

/* ---- All formats ---- */

/* A finding goes to who wants findings, else it is told. */
static void find(const struct duckdb_engine *engine, enum engine_severity severity, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void find(const struct duckdb_engine *engine, enum engine_severity severity, const char *format, ...)
{
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (engine->options.report != NULL)
        engine->options.report(engine->options.context, severity, line);
    else
        duckdb_tell(engine, "%s", line);
}

static void tell_tally(const struct duckdb_engine *engine, const struct duckdb_table *table,
                       const struct duckdb_tally *tally)
{
    for (size_t i = 0; i < table->column_count; i++) {
        const struct policy_column *column = &table->columns[i];
        uint64_t unfit = tally->unfit[i], nulls = tally->rows - tally->filled[i];
        if (unfit > 0)
            find(engine, ENGINE_COSTLY, "column %s.%s: %" PRIu64 " cell%s of the type %s and became NULL",
                 table->declared->name, column->name, unfit, unfit == 1 ? " is not" : "s are not",
                 policy_type_name(column->type));
        if (!column->nullable && nulls > 0)
            find(engine, ENGINE_WRONG,
                 "column %s.%s is declared `null: false` and is NULL in %" PRIu64 " row%s",
                 table->declared->name, column->name, nulls, nulls == 1 ? "" : "s");
        if (column->nullable && tally->rows > 0 && nulls == tally->rows)
            find(engine, unfit > 0 ? ENGINE_WRONG : ENGINE_COSTLY, "column %s.%s is NULL in every row",
                 table->declared->name, column->name);
    }
}

status duckdb_import_table(struct duckdb_engine *engine, const struct duckdb_table *table, error *why)
{
    size_t bytes = table->column_count * sizeof(uint64_t);
    struct duckdb_tally tally = {.unfit = memory_allocate(bytes), .filled = memory_allocate(bytes)};
    status result = DITHER_OK;
    if (tally.unfit == NULL || tally.filled == NULL)
        result = fail(why, DITHER_NO_MEMORY, "out of memory");
    duckdb_tell(engine, "importing %s", table->declared->source);
    if (result == DITHER_OK)
        result = table->source.format == SOURCE_CSV       ? duckdb_import_csv(engine, table, &tally, why)
                 : table->source.format == SOURCE_PARQUET ? import_parquet(engine, table, &tally, why)
                                                          : import_json(engine, table, &tally, why);
    if (result == DITHER_OK)
        tell_tally(engine, table, &tally);
    memory_release(tally.unfit, bytes);
    memory_release(tally.filled, bytes);
    return result;
}
