/* What the PostgreSQL dialect prints is SQL that the server takes, with the meaning that the plan has.
 *
 * The inputs of all releases of the accepted questions (tests/sql) are printed and planned by a scratch server that has
 * the tables and no rows: every kind of relation, aggregate and window is among them. Then some meanings on a few rows, reckoned
 * by hand: sums that leave 64 bits, texts by their bytes in a database that has another order, values on the grid, literals. */
#include <libpq-fe.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sql/plan.h"
#include "sql/print.h"
#include "tests/support/edge_values.h"
#include "tests/support/scratch_postgres.h"
#include "tests/support/test.h"
#include "tests/support/town.h"

static struct scratch_postgres server;
static PGconn *postgres;
static struct arena lasting;
static const struct sql_catalogue *catalogue;

static PGresult *run(const char *sql, ExecStatusType wanted)
{
    PGresult *result = PQexec(postgres, sql);
    if (PQresultStatus(result) != wanted)
        fail_msg("%s\n%.4000s", PQerrorMessage(postgres), sql);
    return result;
}

/* A database whose texts are ordered as in a dictionary: _ a b B. */
static void open_database(void)
{
    char connection[200];
    postgres = PQconnectdb(server.connection);
    assert_int_equal(PQstatus(postgres), CONNECTION_OK);
    PQclear(
        run("CREATE DATABASE words TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'en' "
            "LOCALE 'C'",
            PGRES_COMMAND_OK));
    PQfinish(postgres);
    snprintf(connection, sizeof connection, "%s dbname=words", server.connection);
    postgres = PQconnectdb(connection);
    assert_int_equal(PQstatus(postgres), CONNECTION_OK);
    PGresult *order = run("SELECT 'b' < 'B' AND '_' < 'a'", PGRES_TUPLES_OK);
    assert_string_equal(PQgetvalue(order, 0, 0), "t");
    PQclear(order);
}

static void make_table(const struct sql_table *table)
{
    static const char *const types[] = {
        [POLICY_INTEGER] = "integer", [POLICY_REAL] = "double precision",
        [POLICY_TEXT] = "text",       [POLICY_BOOLEAN] = "boolean",
        [POLICY_DATE] = "date",       [POLICY_TIMESTAMP] = "timestamp",
        [POLICY_DECIMAL] = "numeric",
    };
    struct buffer sql;
    buffer_init(&sql, 1 << 16);
    buffer_text(&sql, "CREATE TABLE ");
    sql_print_identifier(&sql, table->declared->name);
    for (size_t i = 0; i < table->column_count; i++) {
        buffer_text(&sql, i == 0 ? " (" : ", ");
        sql_print_identifier(&sql, table->columns[i].name);
        buffer_format(&sql, " %s", types[table->columns[i].type]);
    }
    buffer_text(&sql, ")");
    PQclear(run(sql.data, PGRES_COMMAND_OK));
    buffer_free(&sql);
}

static int start(void **state)
{
    (void)state;
    arena_init(&lasting, POLICY_ARENA_BYTES);
    catalogue = town_catalogue(&lasting);
    if (!scratch_postgres_available())
        return 0;
    scratch_postgres_start(&server, "-c fsync=off -c jit=off");
    open_database();
    for (size_t i = 0; i < catalogue->table_count; i++)
        make_table(&catalogue->tables[i]);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    arena_free(&lasting);
    if (postgres == NULL)
        return 0;
    PQfinish(postgres);
    scratch_postgres_stop(&server);
    return 0;
}

/* ---- Every accepted question ---- */

static const struct sql_rows *give_nothing(void *context, const struct sql_relation *relation)
{
    (void)context;
    (void)relation;
    return NULL;
}

/* How many releases the question has whose input the server plans. */
static size_t plan_on_server(const char *question)
{
    struct arena arena;
    const struct sql_plan *plan = NULL;
    struct sql_options options = {.other = false};
    error why;
    arena_init(&arena, SQL_ARENA_BYTES);
    size_t count = 0;
    if (sql_plan(question, strlen(question), catalogue, &options, &arena, &plan, &why) == DITHER_OK) {
        for (; count < plan->release_count; count++) {
            struct buffer sql;
            buffer_init(&sql, 16 << 20);
            struct sql_printer printer = {.dialect = &sql_postgres, .buffer = &sql, .given = give_nothing};
            buffer_text(&sql, "EXPLAIN ");
            sql_print_relation(&printer, plan->releases[count]->input);
            assert_false(sql.failed);
            PQclear(run(sql.data, PGRES_TUPLES_OK));
            buffer_free(&sql);
        }
    }
    arena_free(&arena);
    return count;
}

static void the_server_takes_what_every_accepted_question_asks(void **state)
{
    (void)state;
    if (postgres == NULL)
        skip();
    char *text = town_read("accepted.sql"), *at = text;
    struct town_block block;
    int line = 0;
    size_t planned = 0;
    while (town_next_block(&at, &line, &block))
        planned += plan_on_server(block.question);
    free(text);
    assert_true(planned >= 80);
}

/* ---- Meanings, reckoned by hand ---- */

/* The first column of a release's input, in order, with commas; NULL is "-". */
static void check_input(const char *question, size_t column, const char *expected)
{
    struct arena arena;
    const struct sql_plan *plan = NULL;
    struct sql_options options = {.other = false};
    error why;
    struct buffer sql, got;
    arena_init(&arena, SQL_ARENA_BYTES);
    buffer_init(&sql, 1 << 20);
    buffer_init(&got, 1 << 16);
    if (sql_plan(question, strlen(question), catalogue, &options, &arena, &plan, &why) != DITHER_OK)
        fail_msg("%s: %s", question, why.message);
    struct sql_printer printer = {.dialect = &sql_postgres, .buffer = &sql};
    buffer_format(&sql, "SELECT c%zu FROM (", column);
    sql_print_relation(&printer, plan->releases[0]->input);
    buffer_text(&sql, ") AS r ORDER BY 1");
    PGresult *result = run(sql.data, PGRES_TUPLES_OK);
    for (int i = 0; i < PQntuples(result); i++)
        buffer_format(&got, "%s%s", i == 0 ? "" : ",",
                      PQgetisnull(result, i, 0) ? "-" : PQgetvalue(result, i, 0));
    assert_string_equal(got.data == NULL ? "" : got.data, expected);
    PQclear(result);
    buffer_free(&got);
    buffer_free(&sql);
    arena_free(&arena);
}

static void sums_that_leave_the_type_are_null_and_texts_are_ordered_by_bytes(void **state)
{
    (void)state;
    if (postgres == NULL)
        skip();
    PQclear(run("BEGIN", PGRES_COMMAND_OK));
    PQclear(run("INSERT INTO patients (patient_id) VALUES (1), (2), (3)", PGRES_COMMAND_OK));
    PQclear(run(
        "INSERT INTO visits (patient_id, reason, clinic_id) VALUES (1, 'b', 1), (1, 'B', 2), (2, 'a', 3), "
        "(2, '_', 2), (3, NULL, NULL)",
        PGRES_COMMAND_OK));
    /* In bytes capital letters come before the small ones, and _ between them. */
    check_input(
        "SELECT count(*) FROM (SELECT patient_id, min(reason) AS m FROM visits GROUP BY patient_id) t "
        "WHERE m IS NOT NULL",
        1, "B,_");
    check_input("SELECT count(*) FROM (SELECT patient_id, reason FROM visits WHERE reason < 'a') t", 1,
                "_,B");
    check_input(
        "SELECT count(*) FROM (SELECT patient_id, sum(clinic_id * 3000000000000000000) AS s FROM visits "
        "GROUP BY patient_id) t",
        1, "9000000000000000000,-,-");
    check_input(
        "SELECT count(*) FROM (SELECT patient_id, lag(clinic_id, 1) OVER (PARTITION BY patient_id ORDER BY "
        "clinic_id) AS l FROM visits) t",
        1, "1,2,-,-,-");
    PQclear(run("ROLLBACK", PGRES_COMMAND_OK));
}

/* ---- Steps ---- */

static int64_t clamp(double value, const struct sql_steps *steps)
{
    return !(value > (double)steps->lower) ? steps->lower
           : value >= (double)steps->upper ? steps->upper
                                           : (int64_t)value;
}

/* floor(q + 1/2), without a sum that would be rounded. */
static double nearest(double quotient)
{
    double below = floor(quotient);
    return quotient - below >= 0.5 ? below + 1 : below;
}

static void check_steps(enum sql_type type, int scale, const struct sql_steps *steps, const char *value,
                        int64_t expected)
{
    struct arena arena;
    arena_init(&arena, 1 << 20);
    struct sql_builder builder = {.arena = &arena};
    struct sql_column columns[] = {{.type = type, .scale = scale, .nullable = true}};
    struct sql_relation relation = {.columns = columns, .column_count = 1};
    const struct sql_expression *column = NULL;
    error why;
    struct buffer sql;
    buffer_init(&sql, 1 << 16);
    char room[40], number[32];
    assert_int_equal(sql_column_of(&builder, &relation, 0, -1, &column, &why), DITHER_OK);
    struct sql_printer printer = {.dialect = &sql_postgres, .buffer = &sql, .alias = "v"};
    buffer_text(&sql, "SELECT ");
    sql_postgres.steps(&printer, column, steps);
    buffer_format(&sql, ", pg_typeof(c0) FROM (VALUES (CAST('%s' AS %s)), (NULL)) AS v(c0)", value,
                  sql_postgres.type(type, scale, room, sizeof room));
    PGresult *result = run(sql.data, PGRES_TUPLES_OK);
    snprintf(number, sizeof number, "%lld", (long long)expected);
    if (strcmp(PQgetvalue(result, 0, 0), number) != 0)
        fail_msg("%s: %s instead of %s\n%s", value, PQgetvalue(result, 0, 0), number, sql.data);
    assert_true(PQgetisnull(result, 1, 0));
    PQclear(result);
    buffer_free(&sql);
    arena_free(&arena);
}

static void reals_are_put_on_the_grid_exactly(void **state)
{
    (void)state;
    if (postgres == NULL)
        skip();
    static const struct sql_steps grids[] = {
        {.exponent = 0, .lower = -100, .upper = 100},
        {.exponent = -10, .lower = 0, .upper = 1 << 20},
        {.exponent = 5, .lower = -7, .upper = 4000},
        {.exponent = 40, .lower = 3, .upper = 1 << 20},
        {.exponent = -60, .lower = -(1 << 29), .upper = 1 << 29},
        {.exponent = 1, .lower = -2, .upper = -1},
        {.exponent = 0, .lower = 0, .upper = 100000},
        {.exponent = 0, .lower = 1, .upper = 2},
        {.exponent = 0, .lower = 0, .upper = 2},
        {.exponent = 3, .lower = 0, .upper = 1 << 30},
        {.exponent = -900, .lower = 0, .upper = 1000},
        {.exponent = 0, .lower = INT64_C(1) << 49, .upper = (INT64_C(1) << 49) + 1000},
    };
    static const char *const ties[] = {"0.49999999999999994",
                                       "-0.5",
                                       "-1.5",
                                       "0.50000000000000011",
                                       "-0.49999999999999994",
                                       "16",
                                       "48",
                                       "-16",
                                       "100.5",
                                       "-100.5",
                                       "8796093022208e3",
                                       "1.5",
                                       "1.4999999999999998",
                                       "99999.5",
                                       "99999.499999999985",
                                       "4",
                                       "11.999999999999998",
                                       "562949953421312.5",
                                       "562949953422311.9",
                                       "2",
                                       "-3"};
    for (size_t i = 0; i < COUNT(grids); i++) {
        for (size_t j = 1; j < COUNT(edge_reals) + COUNT(ties); j++) {
            const char *text = j < COUNT(edge_reals) ? edge_reals[j] : ties[j - COUNT(edge_reals)];
            double value = strtod(text, NULL);
            check_steps(SQL_REAL, 0, &grids[i], text,
                        clamp(nearest(ldexp(value, -grids[i].exponent)), &grids[i]));
        }
    }
}

static void whole_numbers_days_and_decimals_are_put_on_the_grid_exactly(void **state)
{
    (void)state;
    if (postgres == NULL)
        skip();
    const struct sql_steps plain = {.exponent = 0, .lower = -5, .upper = 100};
    const struct sql_steps four = {.exponent = 2, .lower = -2, .upper = 25};
    const struct sql_steps huge = {.exponent = 40, .lower = -(1 << 23), .upper = 1 << 23};
    check_steps(SQL_INTEGER, 0, &plain, "-6", -5);
    check_steps(SQL_INTEGER, 0, &plain, "7", 7);
    check_steps(SQL_INTEGER, 0, &plain, "9223372036854775807", 100);
    check_steps(SQL_INTEGER, 0, &four, "-9223372036854775808", -2);
    check_steps(SQL_INTEGER, 0, &four, "-6", -1); /* -1.5 + 0.5 */
    check_steps(SQL_INTEGER, 0, &four, "-7", -2);
    check_steps(SQL_INTEGER, 0, &four, "5", 1);
    check_steps(SQL_INTEGER, 0, &four, "6", 2);
    check_steps(SQL_INTEGER, 0, &huge, "9223372036854775807", 1 << 23);
    check_steps(SQL_INTEGER, 0, &huge, "-9223372036854775808", -(1 << 23));
    check_steps(SQL_DECIMAL, 2, &plain, "0.07", 7);
    check_steps(SQL_DECIMAL, 2, &plain, "-0.99", -5);
    check_steps(SQL_DECIMAL, 2, &plain, "NaN", -5);
    check_steps(SQL_DECIMAL, 2, &four, "0.06", 2);
    check_steps(SQL_DECIMAL, 2, &four, "9999999999999999.99", 25);
    check_steps(SQL_BOOLEAN, 0, &plain, "true", 1);
    check_steps(SQL_BOOLEAN, 0, &plain, "false", 0);
    check_steps(SQL_DATE, 0, &plain, "1970-01-08", 7);
    check_steps(SQL_DATE, 0, &plain, "1969-12-01", -5);
    check_steps(SQL_DATE, 0, &plain, "infinity", 100);
    check_steps(SQL_DATE, 0, &plain, "-infinity", -5);
    check_steps(SQL_DATE, 0, &four, "1970-01-07", 2);
    /* Three microseconds before 1970 in fours: -0.75 + 0.5. */
    check_steps(SQL_TIMESTAMP, 0, &four, "1969-12-31 23:59:59.999997", -1);
    check_steps(SQL_TIMESTAMP, 0, &four, "1970-01-01 00:00:00.000006", 2);
    check_steps(SQL_TIMESTAMP, 0, &huge, "9999-12-31 23:59:59.999999", 230468);
    check_steps(SQL_TIMESTAMP, 0, &four, "infinity", 25);
}

/* ---- Literals ---- */

static void check_literals(enum sql_type type, int scale, const char *name, const char *const *values,
                           size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct arena arena;
        arena_init(&arena, 1 << 20);
        struct sql_builder builder = {.arena = &arena};
        struct sql_value text = {.type = SQL_UNKNOWN, .text = values[i], .null = values[i] == NULL};
        const struct sql_expression *unknown = NULL, *literal = NULL;
        error why;
        assert_int_equal(sql_literal(&builder, &text, -1, &unknown, &why), DITHER_OK);
        assert_int_equal(sql_cast(&builder, unknown, type, scale, -1, &literal, &why), DITHER_OK);
        struct buffer sql;
        buffer_init(&sql, 1 << 16);
        struct sql_printer printer = {.dialect = &sql_postgres, .buffer = &sql};
        buffer_text(&sql, "SELECT (");
        sql_print_expression(&printer, literal);
        buffer_format(&sql, ") IS NOT DISTINCT FROM CAST($1 AS %s)", name);
        assert_false(sql.failed);
        const char *parameters[] = {values[i]};
        PGresult *result = PQexecParams(postgres, sql.data, 1, NULL, parameters, NULL, NULL, 0);
        if (PQresultStatus(result) != PGRES_TUPLES_OK || strcmp(PQgetvalue(result, 0, 0), "t") != 0)
            fail_msg("%s is not %s: %s", sql.data, values[i], PQerrorMessage(postgres));
        PQclear(result);
        buffer_free(&sql);
        arena_free(&arena);
    }
}

/* The server reads the same values by itself, whatever its session is set to. */
static void literals_are_what_they_stand_for_in_any_session(void **state)
{
    (void)state;
    if (postgres == NULL)
        skip();
    static const char *const settings[] = {
        "SET standard_conforming_strings = on",
        "SET standard_conforming_strings = off; SET escape_string_warning = off; SET datestyle = 'SQL, DMY'; "
        "SET intervalstyle = 'sql_standard'; SET timezone = 'Asia/Kathmandu'",
    };
    for (size_t i = 0; i < COUNT(settings); i++) {
        PQclear(run(settings[i], PGRES_COMMAND_OK));
        check_literals(SQL_BOOLEAN, 0, "boolean", edge_booleans, COUNT(edge_booleans));
        check_literals(SQL_INTEGER, 0, "bigint", edge_wholes, COUNT(edge_wholes));
        check_literals(SQL_DECIMAL, 2, "numeric", edge_decimals, COUNT(edge_decimals));
        check_literals(SQL_REAL, 0, "double precision", edge_reals, COUNT(edge_reals));
        check_literals(SQL_TEXT, 0, "text", edge_texts, COUNT(edge_texts));
        check_literals(SQL_TEXT, 0, "text", edge_forms, COUNT(edge_forms));
        check_literals(SQL_DATE, 0, "date", edge_dates, COUNT(edge_dates));
        check_literals(SQL_TIMESTAMP, 0, "timestamp", edge_timestamps, COUNT(edge_timestamps));
        if (i == 0) /* in the other style -1 month means something else */
            check_literals(SQL_INTERVAL, 0, "interval", edge_intervals, COUNT(edge_intervals));
    }
    PQclear(run("RESET ALL", PGRES_COMMAND_OK));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_server_takes_what_every_accepted_question_asks),
        cmocka_unit_test(sums_that_leave_the_type_are_null_and_texts_are_ordered_by_bytes),
        cmocka_unit_test(reals_are_put_on_the_grid_exactly),
        cmocka_unit_test(whole_numbers_days_and_decimals_are_put_on_the_grid_exactly),
        cmocka_unit_test(literals_are_what_they_stand_for_in_any_session),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
