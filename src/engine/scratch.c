#include "engine/scratch.h"

#include <unistd.h>

#include "base/memory.h"
#include "engine/duckdb_read.h"
#include "engine/duckdb_write.h"
#include "engine/scratch_instance.h"

#define MOST_MEMORY (UINT64_C(1) << 30)

struct scratch {
    struct duckdb_instance instance;
};

static uint64_t quarter_of_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || bytes <= 0)
        return MOST_MEMORY;
    uint64_t quarter = (uint64_t)pages / 4 * (uint64_t)bytes;
    return quarter < MOST_MEMORY ? quarter : MOST_MEMORY;
}

status scratch_open(const struct scratch_options *options, struct scratch **out, error *why)
{
    struct scratch *scratch = memory_allocate(sizeof *scratch);
    if (scratch == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    struct duckdb_limits limits = {.memory_bytes = quarter_of_memory()};
    if (options != NULL && options->memory_bytes > 0)
        limits.memory_bytes = options->memory_bytes;
    if (options != NULL)
        limits.threads = options->threads;
    status result = duckdb_instance_open(&limits, &scratch->instance, why);
    if (result == DITHER_OK)
        result = duckdb_instance_lock(&scratch->instance, why);
    if (result != DITHER_OK) {
        scratch_close(scratch);
        return result;
    }
    *out = scratch;
    return DITHER_OK;
}

void scratch_close(struct scratch *scratch)
{
    if (scratch == NULL)
        return;
    duckdb_instance_close(&scratch->instance);
    memory_release(scratch, sizeof *scratch);
}

static status create_table(struct scratch *scratch, const char *name, const struct scratch_column *columns,
                           size_t column_count, error *why)
{
    struct buffer sql;
    buffer_init(&sql, 1 << 20);
    buffer_text(&sql, "CREATE OR REPLACE TABLE ");
    sql_print_identifier(&sql, name);
    for (size_t i = 0; i < column_count; i++) {
        buffer_format(&sql, "%s c%zu ", i == 0 ? " (" : ",", i);
        duckdb_print_type(&sql, columns[i].type, columns[i].scale);
    }
    buffer_text(&sql, ")");
    status result = buffer_check(&sql, why);
    if (result == DITHER_OK)
        result = duckdb_instance_run(&scratch->instance, sql.data, "making a table", why);
    buffer_free(&sql);
    return result;
}

static status fill_table(struct duckdb_writer *writer, const struct sql_rows *rows, error *why)
{
    for (size_t row = 0; row < rows->row_count; row++) {
        for (size_t column = 0; column < rows->column_count; column++)
            duckdb_writer_set(writer, column, sql_rows_cell(rows, row, column));
        TRY(duckdb_writer_next(writer, why));
    }
    return duckdb_writer_finish(writer, why);
}

/* A relation may have rows and no columns (a release without keys has one); a table may not. */
static const struct scratch_column no_column = {.type = SQL_BOOLEAN};

status scratch_put(struct scratch *scratch, const char *name, const struct scratch_column *columns,
                   const struct sql_rows *rows, error *why)
{
    size_t count = rows->column_count > 0 ? rows->column_count : 1;
    if (rows->column_count == 0)
        columns = &no_column;
    TRY(create_table(scratch, name, columns, count, why));
    struct duckdb_writer writer;
    TRY(duckdb_writer_open(&scratch->instance, name, columns, count, &writer, why));
    status result = fill_table(&writer, rows, why);
    duckdb_writer_close(&writer);
    if (result != DITHER_OK)
        scratch_drop(scratch, name);
    return result;
}

/* What stays behind after an interrupt is replaced by the next table of its name. */
void scratch_drop(struct scratch *scratch, const char *name)
{
    struct buffer sql;
    duckdb_result result;
    buffer_init(&sql, 1 << 12);
    buffer_text(&sql, "DROP TABLE IF EXISTS ");
    sql_print_identifier(&sql, name);
    if (buffer_check(&sql, NULL) == DITHER_OK) {
        (void)duckdb_query(scratch->instance.connection, sql.data, &result);
        duckdb_destroy_result(&result);
    }
    buffer_free(&sql);
}

static status prepare(struct scratch *scratch, const char *sql, duckdb_prepared_statement *out, error *why)
{
    if (duckdb_prepare(scratch->instance.connection, sql, out) != DuckDBSuccess) {
        duckdb_instance_complain(&scratch->instance, duckdb_prepare_error(*out));
        return fail(why, DITHER_IO, "the scratch database does not understand the rest of the question");
    }
    if (duckdb_prepared_statement_type(*out) != DUCKDB_STATEMENT_TYPE_SELECT)
        return fail(why, DITHER_IO, "the scratch database runs SELECTs alone");
    return DITHER_OK;
}

/* Streaming, so that a result that is too large is noticed when it is, not when it is complete. */
static status run(struct scratch *scratch, duckdb_prepared_statement statement,
                  const struct scratch_column *columns, size_t column_count, size_t most_rows,
                  struct arena *arena, struct sql_rows *out, error *why)
{
    duckdb_result result;
    if (duckdb_execute_prepared_streaming(statement, &result) != DuckDBSuccess) {
        duckdb_instance_complain(&scratch->instance, duckdb_result_error(&result));
        duckdb_destroy_result(&result);
        return fail(why, DITHER_IO, "the scratch database failed on the rest of the question");
    }
    status got = duckdb_read_rows(&result, columns, column_count, most_rows, arena, out, why);
    if (got != DITHER_OK)
        duckdb_instance_complain(&scratch->instance, duckdb_result_error(&result));
    duckdb_destroy_result(&result);
    return got;
}

status scratch_query(struct scratch *scratch, const char *sql, const struct scratch_column *columns,
                     size_t column_count, size_t most_rows, struct arena *arena, struct sql_rows *out,
                     error *why)
{
    duckdb_instance_complain(&scratch->instance, NULL);
    duckdb_prepared_statement statement = NULL;
    status result = prepare(scratch, sql, &statement, why);
    if (result == DITHER_OK)
        result = run(scratch, statement, columns, column_count, most_rows, arena, out, why);
    duckdb_destroy_prepare(&statement);
    return result;
}

const char *scratch_complaint(const struct scratch *scratch)
{
    return duckdb_instance_complaint(&scratch->instance);
}

void scratch_interrupt(struct scratch *scratch)
{
    duckdb_interrupt(scratch->instance.connection);
}

struct duckdb_instance *scratch_instance(struct scratch *scratch)
{
    return &scratch->instance;
}
