#include <libpq-fe.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sql/function.h"
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
    buffer_text(&sql, ") FROM (VALUES ");
    size_t step, all = trial_combinations(trial, &step);
    for (size_t row = 0; row < all; row += step) {
        buffer_text(&sql, row > 0 ? ", (1" : "(1");
        for (size_t i = 0; i < trial->edge_count; i++) {
            buffer_text(&sql, ", ");
            print_quoted(&sql, trial_value(trial, row, i), trial->edges[i].postgres);
        }
        buffer_byte(&sql, ')');
    }
    buffer_text(&sql, ") AS v(n");
    for (size_t i = 0; i < trial->edge_count; i++)
        buffer_format(&sql, ", c%zu", i);
    buffer_byte(&sql, ')');
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

size_t trial_compare(struct trial *trial, const char *name, double tolerance)
{
    PGresult *theirs = ask_postgres(trial);
    struct sql_rows ours = trial_ask(trial);
    size_t step;
    trial_combinations(trial, &step);
    assert_int_equal(ours.row_count, PQntuples(theirs));
    size_t shown = 0;
    for (size_t row = 0; row < ours.row_count; row++) {
        const char *text = PQgetisnull(theirs, (int)row, 0) ? NULL : PQgetvalue(theirs, (int)row, 0);
        const struct sql_value *value = sql_rows_cell(&ours, row, 0);
        if (is_same(value, text, tolerance))
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
    PQclear(theirs);
    return shown;
}
