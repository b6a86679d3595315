/* Scratch in this process: one DuckDB instance. */
#include <stdio.h>

#include "base/memory.h"
#include "engine/duckdb_read.h"
#include "engine/duckdb_write.h"
#include "engine/scratch_kind.h"

struct local {
    struct scratch base;
    struct duckdb_instance instance;
    struct duckdb_writer writer; /* while a table is being filled */
    bool used;
};

static struct local *own(struct scratch *scratch)
{
    return (struct local *)scratch; /* its first member */
}

static void close_local(struct scratch *scratch)
{
    struct local *local = own(scratch);
    duckdb_writer_close(&local->writer);
    duckdb_instance_close(&local->instance);
    memory_release(local, sizeof *local);
}

static status ready(struct scratch *scratch, bool *emptied, const char **complaint, error *why)
{
    (void)why;
    *emptied = !own(scratch)->used;
    own(scratch)->used = true;
    *complaint = "";
    return DITHER_OK;
}

/* ---- Tables ---- */

static void print_table(const struct scratch_table *table, struct buffer *sql)
{
    char numbered[32];
    buffer_text(sql, "CREATE OR REPLACE TABLE ");
    sql_print_identifier(sql, table->name);
    for (size_t i = 0; i < table->column_count; i++) {
        buffer_text(sql, i == 0 ? " (" : ", ");
        snprintf(numbered, sizeof numbered, "c%zu", i);
        sql_print_identifier(sql, table->names != NULL ? table->names[i] : numbered);
        buffer_byte(sql, ' ');
        duckdb_print_type(sql, table->columns[i].type, table->columns[i].scale);
    }
    buffer_text(sql, ")");
}

static status create_table(struct local *local, const struct scratch_table *table, error *why)
{
    struct buffer sql;
    buffer_init(&sql, 1 << 20);
    print_table(table, &sql);
    status result = buffer_check(&sql, why);
    if (result == DITHER_OK)
        result = duckdb_instance_run(&local->instance, sql.data, "making a table", why);
    buffer_free(&sql);
    return result;
}

/* What stays behind after an interrupt is replaced by the next table of its name. */
static void drop(struct scratch *scratch, const char *name)
{
    struct local *local = own(scratch);
    struct buffer sql;
    duckdb_result result;
    duckdb_writer_close(&local->writer);
    buffer_init(&sql, 1 << 12);
    buffer_text(&sql, "DROP TABLE IF EXISTS ");
    sql_print_identifier(&sql, name);
    if (buffer_check(&sql, NULL) == DITHER_OK) {
        (void)duckdb_query(local->instance.connection, sql.data, &result);
        duckdb_destroy_result(&result);
    }
    buffer_free(&sql);
}

static status fill_begin(struct scratch *scratch, const struct scratch_table *table, error *why)
{
    struct local *local = own(scratch);
    duckdb_writer_close(&local->writer);
    TRY(create_table(local, table, why));
    status result = duckdb_writer_open(&local->instance, table->name, table->columns, table->column_count,
                                       &local->writer, why);
    if (result != DITHER_OK)
        drop(scratch, table->name);
    return result;
}

static status fill_row(struct scratch *scratch, const struct sql_value *cells, error *why)
{
    struct duckdb_writer *writer = &own(scratch)->writer;
    for (size_t column = 0; column < writer->column_count; column++)
        duckdb_writer_set(writer, column, &cells[column]);
    return duckdb_writer_next(writer, why);
}

static status fill_end(struct scratch *scratch, error *why)
{
    struct duckdb_writer *writer = &own(scratch)->writer;
    status result = duckdb_writer_finish(writer, why);
    duckdb_writer_close(writer);
    return result;
}

/* ---- Questions ---- */

static status prepare(struct local *local, const char *sql, duckdb_prepared_statement *out, error *why)
{
    if (duckdb_prepare(local->instance.connection, sql, out) != DuckDBSuccess) {
        duckdb_instance_complain(&local->instance, duckdb_prepare_error(*out));
        return fail(why, DITHER_IO, "the scratch database does not understand the rest of the question");
    }
    if (duckdb_prepared_statement_type(*out) != DUCKDB_STATEMENT_TYPE_SELECT)
        return fail(why, DITHER_IO, "the scratch database runs SELECTs alone");
    return DITHER_OK;
}

/* Streaming, so that a result that is too large is noticed when it is, not when it is complete. */
static status run(struct local *local, duckdb_prepared_statement statement,
                  const struct scratch_column *columns, size_t column_count, size_t most_rows,
                  struct arena *arena, struct sql_rows *out, error *why)
{
    duckdb_result result;
    if (duckdb_execute_prepared_streaming(statement, &result) != DuckDBSuccess) {
        duckdb_instance_complain(&local->instance, duckdb_result_error(&result));
        duckdb_destroy_result(&result);
        return fail(why, DITHER_IO, "the scratch database failed on the rest of the question");
    }
    status got = duckdb_read_rows(&result, columns, column_count, most_rows, arena, out, why);
    if (got != DITHER_OK)
        duckdb_instance_complain(&local->instance, duckdb_result_error(&result));
    duckdb_destroy_result(&result);
    return got;
}

static status query(struct scratch *scratch, const char *sql, const struct scratch_column *columns,
                    size_t column_count, size_t most_rows, struct arena *arena, struct sql_rows *out,
                    error *why)
{
    struct local *local = own(scratch);
    duckdb_instance_complain(&local->instance, NULL);
    duckdb_prepared_statement statement = NULL;
    status result = prepare(local, sql, &statement, why);
    if (result == DITHER_OK)
        result = run(local, statement, columns, column_count, most_rows, arena, out, why);
    duckdb_destroy_prepare(&statement);
    return result;
}

static const char *complaint(const struct scratch *scratch)
{
    return duckdb_instance_complaint(&((const struct local *)scratch)->instance);
}

static void interrupt(struct scratch *scratch)
{
    duckdb_interrupt(own(scratch)->instance.connection);
}

static const struct scratch_kind local_kind = {
    .close = close_local,
    .ready = ready,
    .fill_begin = fill_begin,
    .fill_row = fill_row,
    .fill_end = fill_end,
    .drop = drop,
    .query = query,
    .complaint = complaint,
    .interrupt = interrupt,
};

struct duckdb_instance *scratch_local_instance(struct scratch *scratch)
{
    return &own(scratch)->instance;
}

status scratch_local_open(const struct scratch_options *options, struct scratch **out, error *why)
{
    struct local *local = memory_allocate(sizeof *local);
    if (local == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    local->base.kind = &local_kind;
    const struct duckdb_limits limits = {.memory_bytes = options->memory_bytes, .threads = options->threads};
    status result = duckdb_instance_open(&limits, &local->instance, why);
    if (result == DITHER_OK)
        result = duckdb_instance_lock(&local->instance, why);
    if (result != DITHER_OK) {
        close_local(&local->base);
        return result;
    }
    *out = &local->base;
    return DITHER_OK;
}
