/* A public table from the server into the scratch database, row by row as the server sends them. */
#include "engine/cell.h"
#include "engine/postgres_engine.h"
#include "engine/scratch.h"
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

static status write_row(const struct scratch_table *table, const PGresult *row, struct sql_value *cells,
                        struct scratch *scratch, error *why)
{
    for (size_t i = 0; i < table->column_count; i++) {
        const struct scratch_column *column = &table->columns[i];
        const char *text = PQgetvalue(row, 0, (int)i);
        cells[i] = (struct sql_value){.type = column->type, .scale = column->scale, .null = true};
        if (PQgetisnull(row, 0, (int)i))
            continue;
        if (!cell_read(text, (size_t)PQgetlength(row, 0, (int)i), column->type, column->scale, &cells[i]))
            return fail(why, DITHER_IO, "a public table cannot be read");
    }
    return scratch_fill_row(scratch, cells, why);
}

static status copy_rows(struct postgres_engine *engine, const char *sql, const struct scratch_table *table,
                        struct sql_value *cells, struct scratch *scratch, error *why)
{
    PGconn *connection = engine->session.connection;
    status result = DITHER_OK;
    if (PQsendQuery(connection, sql) == 0 || PQsetSingleRowMode(connection) == 0)
        result = fail(why, DITHER_IO, "a public table cannot be read");
    for (PGresult *row = NULL; (row = PQgetResult(connection)) != NULL; PQclear(row)) {
        ExecStatusType code = PQresultStatus(row);
        if (code == PGRES_SINGLE_TUPLE && result == DITHER_OK)
            result = write_row(table, row, cells, scratch, why);
        else if (code != PGRES_SINGLE_TUPLE && code != PGRES_TUPLES_OK) {
            postgres_session_complain(&engine->session, PQresultErrorMessage(row));
            result = fail(why, DITHER_IO, "a public table cannot be read");
        }
    }
    return result == DITHER_OK ? scratch_fill_end(scratch, why) : result;
}

static status describe(const struct postgres_table *table, struct arena *arena, struct scratch_table *out,
                       struct sql_value **cells, error *why)
{
    struct scratch_column *columns = NULL;
    const char **names = NULL;
    TRY(arena_take(arena, (table->column_count + 1) * sizeof *columns, (void **)&columns, why));
    TRY(arena_take(arena, (table->column_count + 1) * sizeof *names, (void **)&names, why));
    TRY(arena_take(arena, (table->column_count + 1) * sizeof **cells, (void **)cells, why));
    for (size_t i = 0; i < table->column_count; i++) {
        columns[i] = (struct scratch_column){.type = cell_type(table->columns[i].type),
                                             .scale = table->columns[i].scale};
        names[i] = table->columns[i].name;
    }
    *out = (struct scratch_table){.name = table->declared->name,
                                  .columns = columns,
                                  .names = names,
                                  .column_count = table->column_count};
    return DITHER_OK;
}

static status copy_table(struct postgres_engine *engine, const struct postgres_table *table,
                         const struct scratch_table *described, struct sql_value *cells,
                         struct scratch *scratch, error *why)
{
    struct buffer sql;
    TRY(scratch_fill_begin(scratch, described, why));
    buffer_init(&sql, 1 << 20);
    status result = print_select(table, &sql, why);
    if (result == DITHER_OK)
        result = copy_rows(engine, sql.data, described, cells, scratch, why);
    buffer_free(&sql);
    return result;
}

status postgres_copy_public(struct engine *base, const struct sql_table *copied, struct scratch *scratch,
                            error *why)
{
    struct postgres_engine *engine = (struct postgres_engine *)base;
    const struct postgres_table *table = &engine->tables[copied - base->catalogue.tables];
    struct scratch_table described;
    struct sql_value *cells = NULL;
    struct arena arena;
    if (table->declared->protection != POLICY_PUBLIC)
        return fail(why, DITHER_REFUSED, "table %s is not public", table->declared->name);
    if (postgres_session_is_lost(&engine->session))
        TRY(postgres_session_reopen(&engine->session, why));
    arena_init(&arena, 1 << 20);
    status result = describe(table, &arena, &described, &cells, why);
    if (result == DITHER_OK)
        result = copy_table(engine, table, &described, cells, scratch, why);
    if (result != DITHER_OK)
        scratch_drop(scratch, table->declared->name);
    arena_free(&arena);
    return result;
}
