#include <libpq-fe.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sql/function.h"
#include "sql/print.h"
#include "sql/print_template.h"
#include "sql/text_form.h"
#include "tests/support/scratch_postgres.h"
#include "tests/support/test.h"
#include "tests/support/trial.h"
#include "tests/support/trial_parts.h"

static struct scratch_postgres server;
static PGconn *postgres;

bool trial_start(void)
{
    error why;
    assert_int_equal(scratch_open(NULL, &trial_duckdb, &why), DITHER_OK);
    if (!scratch_postgres_available())
        return false;
    scratch_postgres_start(&server, "-c fsync=off");
    postgres = PQconnectdb(server.connection);
    assert_int_equal(PQstatus(postgres), CONNECTION_OK);
    PQclear(PQexec(postgres, "SET datestyle = ISO; SET extra_float_digits = 1"));
    return true;
}

void trial_stop(void)
{
    scratch_close(trial_duckdb);
    trial_duckdb = NULL;
    if (postgres == NULL)
        return;
    PQfinish(postgres);
    postgres = NULL;
    scratch_postgres_stop(&server);
}

/* ---- PostgreSQL's side ---- */

static void print_quoted(struct buffer *buffer, const char *text, const char *type)
{
    if (text == NULL) {
        buffer_format(buffer, "CAST(NULL AS %s)", type);
        return;
    }
    buffer_text(buffer, "CAST('");
    for (; *text != '\0'; text++) {
        buffer_byte(buffer, *text);
        if (*text == '\'')
            buffer_byte(buffer, '\'');
    }
    buffer_format(buffer, "' AS %s)", type);
}

const char *trial_type(enum sql_type type, int scale, char room[40])
{
    switch (type) {
    case SQL_BOOLEAN:
        return "boolean";
    case SQL_INTEGER:
        return "bigint";
    case SQL_REAL:
        return "double precision";
    case SQL_DATE:
        return "date";
    case SQL_TIMESTAMP:
        return "timestamp";
    case SQL_DECIMAL:
        snprintf(room, 40, "numeric(18, %d)", scale);
        return room;
    default:
        return "text";
    }
}

static void print_postgres_argument(struct sql_printer *printer, const struct sql_expression *call,
                                    size_t index, int mixed_scale)
{
    const struct sql_expression *argument = call->arguments[index];
    char room[40], number[32];
    if (argument->kind == SQL_COLUMN) {
        buffer_format(printer->buffer, "c%zu", argument->column);
    } else if (argument->kind == SQL_LITERAL) {
        snprintf(number, sizeof number, "%lld", (long long)argument->value.whole);
        bool text = argument->type == SQL_TEXT;
        print_quoted(printer->buffer, text ? argument->value.text : number, text ? "text" : "bigint");
    } else {
        assert_int_equal(argument->kind, SQL_CAST);
        buffer_text(printer->buffer, "CAST(");
        print_postgres_argument(printer, argument, 0, mixed_scale);
        buffer_format(printer->buffer, " AS %s)", trial_type(argument->type, argument->scale, room));
    }
}

/* "(VALUES (1, ...), ...) AS v(n, c0, ...)": all combinations. */
static void print_values(struct buffer *sql, const struct trial *trial)
{
    size_t step, all = trial_combinations(trial, &step);
    buffer_text(sql, "(VALUES ");
    for (size_t row = 0; row < all; row += step) {
        buffer_format(sql, "%s(%zu", row > 0 ? ", " : "", row);
        for (size_t i = 0; i < trial->edge_count; i++) {
            buffer_text(sql, ", ");
            print_quoted(sql, trial_value(trial, row, i), trial->edges[i].postgres);
        }
        buffer_byte(sql, ')');
    }
    buffer_text(sql, ") AS v(n");
    for (size_t i = 0; i < trial->edge_count; i++)
        buffer_format(sql, ", c%zu", i);
    buffer_byte(sql, ')');
}

static PGresult *ask_postgres(const struct trial *trial)
{
    struct buffer sql;
    buffer_init(&sql, 8 << 20);
    buffer_text(&sql, "CREATE OR REPLACE FUNCTION pg_temp.f(");
    for (size_t i = 0; i < trial->edge_count; i++)
        buffer_format(&sql, "%sc%zu %s", i > 0 ? ", " : "", i, trial->edges[i].postgres);
    buffer_format(&sql,
                  ") RETURNS text LANGUAGE plpgsql AS $f$ BEGIN RETURN CAST((%s) AS text); "
                  "EXCEPTION WHEN OTHERS THEN RETURN '#'; END $f$",
                  trial->postgres_text.data);
    PGresult *made = PQexec(postgres, sql.data);
    if (PQresultStatus(made) != PGRES_COMMAND_OK)
        fail_msg("%s\n%s", PQerrorMessage(postgres), sql.data);
    PQclear(made);
    buffer_clear(&sql);
    buffer_text(&sql, "SELECT pg_temp.f(");
    for (size_t i = 0; i < trial->edge_count; i++)
        buffer_format(&sql, "%sv.c%zu", i > 0 ? ", " : "", i);
    buffer_text(&sql, ") FROM ");
    print_values(&sql, trial);
    buffer_text(&sql, " ORDER BY v.n");
    assert_false(sql.failed);
    PGresult *result = PQexec(postgres, sql.data);
    if (PQresultStatus(result) != PGRES_TUPLES_OK)
        fail_msg("%s\n%s", PQerrorMessage(postgres), trial->postgres_text.data);
    char drop[200] = "DROP FUNCTION pg_temp.f";
    PQclear(PQexec(postgres, drop));
    buffer_free(&sql);
    return result;
}

void trial_spell(struct trial *trial, const struct sql_expression *call)
{
    struct sql_printer printer = {.buffer = &trial->postgres_text};
    print_template(&printer, call, call->function->postgres, print_postgres_argument, -1);
}

/* ---- Comparing ---- */

static void describe_value(const struct sql_value *value, char *text, size_t size)
{
    char form[TEXT_FORM_BYTES] = "";
    if (value->null)
        snprintf(text, size, "NULL");
    else if (value->type == SQL_TEXT)
        snprintf(text, size, "%s", value->text);
    else {
        if (value->type == SQL_REAL)
            text_form_write_real(value->real, form);
        else if (value->type == SQL_DATE)
            text_form_write_date(value->whole, form);
        else if (value->type == SQL_TIMESTAMP)
            text_form_write_timestamp(value->whole, form);
        else if (value->type == SQL_BOOLEAN)
            snprintf(form, sizeof form, "%s", value->whole != 0 ? "true" : "false");
        else
            text_form_write_decimal(value->whole, value->scale, form);
        snprintf(text, size, "%s", form);
    }
}

/* What we do not have: a moment before year 1 or in a year of five digits, a decimal that is no number. */
static bool is_outside(enum sql_type type, const char *text)
{
    if (type == SQL_DECIMAL && strcmp(text, "NaN") == 0)
        return true;
    return (type == SQL_DATE || type == SQL_TIMESTAMP) &&
           (strstr(text, "BC") != NULL || strcspn(text, "-") != 4);
}

static bool same_real(double a, double b, double tolerance)
{
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b);
    if (tolerance > 0 && isfinite(a))
        return fabs(a - b) <= tolerance * fabs(b);
    return a == b && signbit(a) == signbit(b);
}

static bool is_same(const struct sql_value *ours, const char *theirs, double tolerance)
{
    if (theirs == NULL || strcmp(theirs, "#") == 0 || is_outside(ours->type, theirs))
        return ours->null;
    if (ours->null)
        return false;
    if (ours->type == SQL_REAL)
        return same_real(ours->real, strtod(theirs, NULL), tolerance);
    char text[SQL_GROWN_TEXT_BYTES + 1];
    describe_value(ours, text, sizeof text);
    if (ours->type == SQL_DECIMAL) {
        int64_t units;
        return text_form_read_decimal(theirs, strlen(theirs), ours->scale, &units) && units == ours->whole;
    }
    return strcmp(text, theirs) == 0;
}

/* ---- Our dialect of PostgreSQL ---- */

static const char *keep_text(struct trial *trial, const char *text)
{
    void *memory = NULL;
    error why;
    assert_int_equal(arena_take(&trial->arena, strlen(text) + 1, &memory, &why), DITHER_OK);
    return memcpy(memory, text, strlen(text) + 1);
}

/* The value that a text of the server stands for. */
static struct sql_value read_value(struct trial *trial, const char *text)
{
    const struct sql_expression *unknown = NULL, *value = NULL;
    struct sql_value literal = {.type = SQL_UNKNOWN, .text = text, .null = text == NULL};
    error why;
    assert_int_equal(sql_literal(&trial->builder, &literal, -1, &unknown, &why), DITHER_OK);
    if (sql_cast(&trial->builder, unknown, trial->expression->type, trial->expression->scale, -1, &value,
                 &why) != DITHER_OK)
        fail_msg("%s", why.message);
    return value->value;
}

/* The same expression, as sql_postgres prints it, over the same values: one statement, in which no row may fail. */
static struct sql_rows ask_dialect(struct trial *trial)
{
    struct buffer sql;
    buffer_init(&sql, 8 << 20);
    struct sql_printer printer = {.dialect = &sql_postgres, .buffer = &sql, .alias = "v"};
    buffer_text(&sql, "SELECT CAST(");
    sql_print_expression(&printer, trial->expression);
    buffer_text(&sql, " AS TEXT) FROM ");
    print_values(&sql, trial);
    buffer_text(&sql, " ORDER BY v.n");
    assert_false(sql.failed);
    PGresult *result = PQexec(postgres, sql.data);
    if (PQresultStatus(result) != PGRES_TUPLES_OK)
        fail_msg("%s\n%.3000s", PQerrorMessage(postgres), sql.data);
    size_t count = (size_t)PQntuples(result);
    void *memory = NULL;
    error why;
    assert_int_equal(arena_take(&trial->arena, count * sizeof(struct sql_value), &memory, &why), DITHER_OK);
    struct sql_value *cells = memory;
    for (size_t i = 0; i < count; i++)
        cells[i] = read_value(
            trial, PQgetisnull(result, (int)i, 0) ? NULL : keep_text(trial, PQgetvalue(result, (int)i, 0)));
    PQclear(result);
    buffer_free(&sql);
    return (struct sql_rows){.column_count = 1, .row_count = count, .cells = cells};
}

/* On PostgreSQL a power below the least double that has all its digits is NULL (postgres_numeric.c). */
static bool is_too_small(const struct sql_expression *call, const struct sql_value *ours, const char *theirs)
{
    return (sql_is_call(call, "^") || sql_is_call(call, "power") || sql_is_call(call, "pow")) && ours->null &&
           theirs != NULL && strcmp(theirs, "#") != 0 && fabs(strtod(theirs, NULL)) < 2.2250738585072014e-308;
}

/* How many of our rows differ from what PostgreSQL means; the first ones are printed. */
static size_t count_differences(const struct trial *trial, const char *name, double tolerance, bool small,
                                const struct sql_rows *ours, const PGresult *theirs)
{
    size_t step, shown = 0;
    trial_combinations(trial, &step);
    assert_int_equal(ours->row_count, PQntuples(theirs));
    for (size_t row = 0; row < ours->row_count; row++) {
        const char *text = PQgetisnull(theirs, (int)row, 0) ? NULL : PQgetvalue(theirs, (int)row, 0);
        const struct sql_value *value = sql_rows_cell(ours, row, 0);
        if (is_same(value, text, tolerance) || (small && is_too_small(trial->expression, value, text)))
            continue;
        char got[200];
        describe_value(value, got, sizeof got);
        if (shown++ < 4) {
            print_error("%s: %s gives %s, PostgreSQL %s, for", name, trial->postgres_text.data, got,
                        text == NULL ? "NULL" : text);
            for (size_t i = 0; i < trial->edge_count; i++) {
                const char *argument = trial_value(trial, row * step, i);
                print_error(" [%s]", argument == NULL ? "NULL" : argument);
            }
            print_error("\n");
        }
    }
    return shown;
}

size_t trial_compare(struct trial *trial, const char *name, double tolerance)
{
    char label[80];
    PGresult *theirs = ask_postgres(trial);
    struct sql_rows ours = trial_ask(trial), dialect = ask_dialect(trial);
    snprintf(label, sizeof label, "%s on DuckDB", name);
    size_t count = count_differences(trial, label, tolerance, false, &ours, theirs);
    snprintf(label, sizeof label, "%s on PostgreSQL", name);
    count += count_differences(trial, label, tolerance, true, &dialect, theirs);
    PQclear(theirs);
    return count;
}
