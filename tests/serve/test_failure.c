/* What is wrong with a question has PostgreSQL's SQLSTATE: each question is asked of a real PostgreSQL with the same tables, empty ones,
 * and of our planner, and the two states and places (where PostgreSQL says one) are compared. What PostgreSQL would answer is listed with our own state. */
#include "tests/support/test.h"

#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serve/failure.h"
#include "sql/plan.h"
#include "tests/support/catalogue.h"
#include "tests/support/scratch_postgres.h"

static const char tables[] =
    "CREATE TABLE patients (patient_id bigint, age bigint, region text, salary float8, disease text, born "
    "date, "
    "insured boolean); CREATE TABLE visits (visit_id bigint, patient_id bigint, clinic_id bigint, day date, "
    "cost float8); CREATE TABLE clinics (clinic_id bigint, city text)";

static struct scratch_postgres scratch;
static PGconn *theirs;
static struct arena arena;

static int open_both(void **state)
{
    (void)state;
    scratch_postgres_start(&scratch, "-c fsync=off");
    theirs = PQconnectdb(scratch.connection);
    PGresult *made = PQexec(theirs, tables);
    int failed = PQresultStatus(made) != PGRES_COMMAND_OK;
    PQclear(made);
    return failed;
}

static int close_both(void **state)
{
    (void)state;
    PQfinish(theirs);
    scratch_postgres_stop(&scratch);
    return 0;
}

/* The state and the place, from 1; 0: none. */
struct said {
    char state[6];
    int place;
};

static struct said said_by_us(const char *text)
{
    struct said said = {.state = "00000"};
    const struct sql_plan *plan = NULL;
    const struct sql_options options = {.max_groups = 0};
    error why = {.position = -1};
    arena_init(&arena, SQL_ARENA_BYTES);
    status result =
        sql_plan(text, strlen(text), catalogue_of(catalogue_hospital, &arena), &options, &arena, &plan, &why);
    if (result != DITHER_OK) {
        snprintf(said.state, sizeof said.state, "%s", failure_of(result, &why).state);
        said.place = why.position + 1;
    }
    arena_free(&arena);
    return said;
}

static struct said said_by_them(const char *text)
{
    struct said said = {.state = "00000"};
    PGresult *result = PQexec(theirs, text);
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE),
               *place = PQresultErrorField(result, PG_DIAG_STATEMENT_POSITION);
    snprintf(said.state, sizeof said.state, "%s", state != NULL ? state : "00000");
    said.place = place != NULL ? atoi(place) : 0;
    PQclear(result);
    return said;
}

static void what_is_wrong_is_called_as_postgresql_calls_it(void **state)
{
    (void)state;
    static const char *const questions[] = {
        "SELECT FROM WHERE",
        "SELECT avg(agee) FROM patients",
        "SELECT count(*) FROM patients p WHERE p.agee > 3",
        "SELECT count(*) FROM nobody",
        "SELECT count(*) FROM public.nobody",
        "SELECT count(*) FROM somewhere.patients",
        "SELECT count(*) FROM patients WHERE visits.cost > 3",
        "SELECT count(*) FROM patients p JOIN visits v ON p.patient_id = v.patient_id WHERE patient_id > 3",
        "SELECT count(*) FROM patients, patients",
        "SELECT region, count(*) FROM patients",
        "SELECT count(*) FROM patients WHERE age > 'old'",
        "SELECT count(*) FROM patients WHERE born > '2024-02-30x'",
        "SELECT count(*) FROM patients WHERE age",
        "SELECT CAST(insured AS date), count(*) FROM patients GROUP BY 1",
        "SELECT count(*) FROM patients WHERE nothing(age) > 3",
        "SELECT count(*) FROM patients WHERE age + insured > 3",
        "SELECT CASE WHEN insured THEN 1 ELSE born END, count(*) FROM patients GROUP BY 1", /* of the whole CASE */
        "SELECT count(*) FROM patients WHERE region = $1",
        "SELECT 99999999999999999999::bigint",
    };
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++) {
        struct said ours = said_by_us(questions[i]), other = said_by_them(questions[i]);
        bool elsewhere =
            other.place != 0 && ours.place != other.place && strstr(questions[i], "CASE") == NULL;
        if (strcmp(ours.state, other.state) != 0 || elsewhere)
            fail_msg("%s: %s at %d, and PostgreSQL %s at %d", questions[i], ours.state, ours.place,
                     other.state, other.place);
    }
}

static void what_postgresql_would_do_is_not_available(void **state)
{
    (void)state;
    static const char *const questions[] = {
        "SELECT * FROM patients",
        "SELECT now()",
        "SELECT random()",
        "SELECT count(*) FROM patients TABLESAMPLE SYSTEM (10)",
        "SELECT string_agg(region, ',') FROM patients",
    };
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++) {
        assert_string_equal(said_by_them(questions[i]).state, "00000");
        if (strcmp(said_by_us(questions[i]).state, "0A000") != 0)
            fail_msg("%s: %s", questions[i], said_by_us(questions[i]).state);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_wrong_is_called_as_postgresql_calls_it),
        cmocka_unit_test(what_postgresql_would_do_is_not_available),
    };
    return cmocka_run_group_tests(tests, open_both, close_both);
}
