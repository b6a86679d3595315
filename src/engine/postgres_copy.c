/* A public table from the server into the scratch database, row by row as the server sends them. */
#include "engine/cell.h"
#include "engine/duckdb_write.h"
#include "engine/postgres_engine.h"
#include "engine/scratch_instance.h"
#include "sql/postgres_scan.h"

void postgres_print_name(struct buffer *buffer, const struct postgres_table *table)
{
    sql_print_identifier(buffer, table->schema);
    buffer_byte(buffer, '.');
    sql_print_identifier(buffer, table->declared->name);
}

/* In the declared types, as a scan has them. */
static status print_select(const struct postgres_table *table, struct buffer *sql, error *why)
{
    struct sql_printer printer = {.buffer = sql};
    for (size_t i = 0; i < table->column_count; i++) {
        struct buffer name;
        buffer_init(&name, 1 << 10);
        sql_print_identifier(&name, table->columns[i].name);
        buffer_text(sql, i == 0 ? "SELECT " : ", ");
        status printed = buffer_check(&name, why);
        if (printed == DITHER_OK)
            postgres_print_scanned(&printer, name.data, &table->columns[i]);
        buffer_free(&name);
        TRY(printed);
    }
    buffer_text(sql, " FROM ");
    postgres_print_name(sql, table);
    return buffer_check(sql, why);
}

static status write_row(struct duckdb_writer *writer, const PGresult *row, error *why)
{
    for (size_t i = 0; i < writer->column_count; i++) {
        struct sql_value value = {.null = true};
        const char *text = PQgetvalue(row, 0, (int)i);
        size_t length = (size_t)PQgetlength(row, 0, (int)i);
        if (PQgetisnull(row, 0, (int)i))
            continue;
        if (writer->columns[i].type == SQL_TEXT)
            duckdb_writer_set_text(writer, i, text, length);
        else if (cell_read(text, length, writer->columns[i].type, writer->columns[i].scale, &value))
            duckdb_writer_set(writer, i, &value);
        else
            return fail(why, DITHER_IO, "a public table cannot be read");
    }
    return duckdb_writer_next(writer, why);
}

static status copy_rows(struct postgres_engine *engine, const char *sql, struct duckdb_writer *writer,
                        error *why)
{
    PGconn *connection = engine->session.connection;
    status result = DITHER_OK;
    if (PQsendQuery(connection, sql) == 0 || PQsetSingleRowMode(connection) == 0)
        result = fail(why, DITHER_IO, "a public table cannot be read");
    for (PGresult *row = NULL; (row = PQgetResult(connection)) != NULL; PQclear(row)) {
        ExecStatusType code = PQresultStatus(row);
        if (code == PGRES_SINGLE_TUPLE && result == DITHER_OK)
            result = write_row(writer, row, why);
        else if (code != PGRES_SINGLE_TUPLE && code != PGRES_TUPLES_OK) {
            postgres_session_complain(&engine->session, PQresultErrorMessage(row));
            result = fail(why, DITHER_IO, "a public table cannot be read");
        }
    }
    return result == DITHER_OK ? duckdb_writer_finish(writer, why) : result;
}

static status make_table(struct duckdb_instance *target, const struct postgres_table *table,
                         struct scratch_column *columns, error *why)
{
    struct buffer sql;
    buffer_init(&sql, 1 << 20);
    buffer_text(&sql, "CREATE TABLE ");
    sql_print_identifier(&sql, table->declared->name);
    for (size_t i = 0; i < table->column_count; i++) {
        columns[i] = (struct scratch_column){.type = cell_type(table->columns[i].type),
                                             .scale = table->columns[i].scale};
        buffer_text(&sql, i == 0 ? " (" : ", ");
        sql_print_identifier(&sql, table->columns[i].name);
        buffer_byte(&sql, ' ');
        duckdb_print_type(&sql, columns[i].type, columns[i].scale);
    }
    buffer_text(&sql, ")");
    status result = buffer_check(&sql, why);
    if (result == DITHER_OK)
        result = duckdb_instance_run(target, sql.data, "making its tables", why);
    buffer_free(&sql);
    return result;
}

static status copy_table(struct postgres_engine *engine, const struct postgres_table *table,
                         struct duckdb_instance *target, struct scratch_column *columns, error *why)
{
    struct duckdb_writer writer;
    struct buffer sql;
    TRY(make_table(target, table, columns, why));
    TRY(duckdb_writer_open(target, table->declared->name, columns, table->column_count, &writer, why));
    buffer_init(&sql, 1 << 20);
    status result = print_select(table, &sql, why);
    if (result == DITHER_OK)
        result = copy_rows(engine, sql.data, &writer, why);
    buffer_free(&sql);
    duckdb_writer_close(&writer);
    return result;
}

status postgres_copy_public(struct engine *base, const struct sql_table *copied, struct scratch *scratch,
                            error *why)
{
    struct postgres_engine *engine = (struct postgres_engine *)base;
    const struct postgres_table *table = &engine->tables[copied - base->catalogue.tables];
    struct scratch_column *columns = NULL;
    struct arena arena;
    if (table->declared->protection != POLICY_PUBLIC)
        return fail(why, DITHER_REFUSED, "table %s is not public", table->declared->name);
    if (postgres_session_is_lost(&engine->session))
        TRY(postgres_session_reopen(&engine->session, why));
    scratch_drop(scratch, table->declared->name);
    arena_init(&arena, 1 << 20);
    status result = arena_take(&arena, (table->column_count + 1) * sizeof *columns, (void **)&columns, why);
    if (result == DITHER_OK)
        result = copy_table(engine, table, scratch_instance(scratch), columns, why);
    arena_free(&arena);
    if (result != DITHER_OK)
        scratch_drop(scratch, table->declared->name);
    return result;
}
