/* The tables of the policy in the engine's database, and small questions to it. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine/duckdb_engine.h"

static void find(struct duckdb_findings *findings, enum engine_severity severity, const char *format,
                 va_list arguments)
{
    char line[sizeof findings->first];
    vsnprintf(line, sizeof line, format, arguments);
    if (findings->report != NULL)
        findings->report(findings->context, severity, line);
    if (severity == ENGINE_WRONG && findings->wrong++ == 0)
        memcpy(findings->first, line, sizeof line);
}

void duckdb_wrong(struct duckdb_findings *findings, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    find(findings, ENGINE_WRONG, format, arguments);
    va_end(arguments);
}

void duckdb_costly(struct duckdb_findings *findings, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    find(findings, ENGINE_COSTLY, format, arguments);
    va_end(arguments);
}

status duckdb_ask_texts(struct duckdb_instance *instance, const char *sql, size_t column_count,
                        struct arena *arena, struct sql_rows *out, error *why)
{
    enum { MOST_COLUMNS = 8, MOST_ROWS = 1000000 };
    struct scratch_column columns[MOST_COLUMNS];
    for (size_t i = 0; i < column_count && i < MOST_COLUMNS; i++)
        columns[i] = (struct scratch_column){.type = SQL_TEXT};
    duckdb_result result;
    TRY(duckdb_instance_query(instance, sql, "looking at its catalogue", &result, why));
    status got = duckdb_read_rows(&result, columns, column_count, MOST_ROWS, arena, out, why);
    duckdb_destroy_result(&result);
    return got;
}

status duckdb_ask_whole(struct duckdb_instance *instance, const char *sql, const char *doing, int64_t *out,
                        error *why)
{
    static const struct scratch_column whole = {.type = SQL_INTEGER};
    struct arena arena;
    struct sql_rows rows = {.row_count = 0};
    duckdb_result result;
    TRY(duckdb_instance_query(instance, sql, doing, &result, why));
    arena_init(&arena, 1 << 20);
    status got = duckdb_read_rows(&result, &whole, 1, 1, &arena, &rows, why);
    duckdb_destroy_result(&result);
    if (got == DITHER_OK && rows.row_count != 1)
        got = fail(why, DITHER_IO, "DuckDB failed while %s", doing);
    if (got == DITHER_OK)
        *out = rows.cells[0].whole;
    arena_free(&arena);
    return got;
}

static void print_empty_table(struct buffer *sql, const struct duckdb_table *table)
{
    buffer_text(sql, "CREATE TABLE ");
    sql_print_identifier(sql, table->declared->name);
    for (size_t i = 0; i < table->column_count; i++) {
        buffer_text(sql, i == 0 ? " (" : ", ");
        sql_print_identifier(sql, table->columns[i].name);
        buffer_byte(sql, ' ');
        duckdb_print_type(sql, table->types[i].type, table->types[i].scale);
    }
    buffer_text(sql, ")");
}

static void print_view(struct buffer *sql, const struct duckdb_table *table)
{
    buffer_text(sql, "CREATE VIEW ");
    sql_print_identifier(sql, table->declared->name);
    buffer_text(sql, table->declared->protection == POLICY_UNIT_ROW ? " AS SELECT rowid AS rowid, "
                                                                    : " AS SELECT ");
    for (size_t i = 0; i < table->column_count; i++) {
        buffer_text(sql, i == 0 ? "" : ", ");
        duckdb_print_cast(sql, duckdb_found_find(&table->found, table->columns[i].name), &table->columns[i]);
        buffer_text(sql, " AS ");
        sql_print_identifier(sql, table->columns[i].name);
    }
    buffer_text(sql, " FROM " DUCKDB_SOURCE ".main.");
    sql_print_identifier(sql, table->declared->name);
}

status duckdb_create_table(struct duckdb_instance *instance, const struct duckdb_table *table, bool empty,
                           error *why)
{
    struct buffer sql;
    buffer_init(&sql, 1 << 20);
    if (empty)
        print_empty_table(&sql, table);
    else
        print_view(&sql, table);
    status result = buffer_check(&sql, why);
    if (result == DITHER_OK)
        result = duckdb_instance_run(instance, sql.data, "making its tables", why);
    buffer_free(&sql);
    return result;
}
