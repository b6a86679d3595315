/* Rows on three servers: a coordinator and two shards, tables partitioned by the hash of the unit.
 *
 * The first step of a release, the aggregate of each unit in each group, must run where the rows are: the plan that the
 * coordinator makes for the very statement of the engine (EXPLAIN VERBOSE, in the engine's own session) has to send an
 * aggregate grouped by the unit to each shard. What the answers are, tests/curator/test_noiseless.c shows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/postgres_engine.h"
#include "engine/postgres_release.h"
#include "engine/scratch.h"
#include "sql/plan.h"
#include "tests/support/hospital_servers.h"
#include "tests/support/test.h"

static struct hospital_servers servers;
static struct small_hospital hospital;
static struct arena arena;
static struct engine *engine;

static int start(void **state)
{
    const struct policy *policy = NULL;
    error why = {.message = ""};
    (void)state;
    hospital_servers_start(&servers, HOSPITAL_CLUSTER);
    hospital_servers_make(&servers, "hospital", &hospital, NULL);
    arena_init(&arena, 1 << 28);
    if (policy_read(hospital.policy, &arena, &policy, &why) != DITHER_OK ||
        engine_open(policy, NULL, &engine, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    engine_close(engine);
    arena_free(&arena);
    small_hospital_remove(&hospital);
    hospital_servers_stop(&servers);
    return 0;
}

/* The rows of the domain, as the curator has them. */
static struct sql_rows domain_of(const struct sql_release *release)
{
    struct scratch_column columns[SQL_MOST_KEYS];
    struct sql_rows rows = {.row_count = 0};
    struct scratch *scratch = NULL;
    struct buffer sql;
    struct sql_printer printer = {.dialect = &sql_duckdb, .buffer = &sql, .scratch = true};
    if (release->domain == NULL)
        return rows;
    buffer_init(&sql, 1 << 20);
    sql_print_relation(&printer, release->domain);
    for (size_t i = 0; i < release->key_count; i++)
        columns[i] = (struct scratch_column){release->keys[i]->type, release->keys[i]->scale};
    assert_int_equal(scratch_open(&(struct scratch_options){.threads = 1}, &scratch, NULL), DITHER_OK);
    assert_int_equal(scratch_query(scratch, sql.data, columns, release->key_count, 1000, &arena, &rows, NULL),
                     DITHER_OK);
    scratch_close(scratch);
    buffer_free(&sql);
    return rows;
}

/* The server's plan of the first statement of the question's only release. */
static void explain(const char *question, struct buffer *out)
{
    const struct sql_plan *plan = NULL;
    struct postgres_release release;
    struct buffer sql;
    PGresult *result = NULL;
    error why = {.message = ""};
    if (sql_plan(question, strlen(question), engine_catalogue(engine), &(struct sql_options){0}, &arena,
                 &plan, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    assert_int_equal(plan->release_count, 1);
    struct engine_request request = {
        .release = plan->releases[0], .domain = domain_of(plan->releases[0]), .hash_key = {7}};
    assert_int_equal(
        postgres_release_init(&release, engine_dialect(engine), request.release, &request, NULL, &why),
        DITHER_OK);
    buffer_init(&sql, 1 << 20);
    buffer_text(&sql, "EXPLAIN (VERBOSE, COSTS OFF) ");
    postgres_print_statement(&release, 0, &sql);
    assert_false(sql.failed);
    struct postgres_engine *own = (struct postgres_engine *)engine;
    if (postgres_session_ask(&own->session, sql.data, NULL, 0, "explaining", &result, &why) != DITHER_OK)
        fail_msg("%s\n%s", engine_complaint(engine), sql.data);
    buffer_init(out, 1 << 20);
    for (int row = 0; row < PQntuples(result); row++)
        buffer_format(out, "%s\n", PQgetvalue(result, row, 0));
    PQclear(result);
    buffer_free(&sql);
    postgres_release_free(&release);
}

/* How many statements go to shards, and how many of them are grouped. */
static void expect_groups_on_shards(const char *question)
{
    struct buffer plan;
    size_t sent = 0, grouped = 0;
    explain(question, &plan);
    for (const char *line = plan.data; (line = strstr(line, "Remote SQL: ")) != NULL; line++) {
        const char *end = strchr(line, '\n'), *group = strstr(line, " GROUP BY ");
        sent++;
        grouped += group != NULL && group < end;
    }
    bool there = sent == 2 && grouped == 2 && strstr(plan.data, "Async Foreign Scan") != NULL;
    if (!there)
        fputs(plan.data, stderr); /* cmocka cuts long texts */
    buffer_free(&plan);
    if (!there)
        fail_msg("%s: %zu statements for shards, %zu of them grouped", question, sent, grouped);
}

static void each_unit_is_summed_up_where_its_rows_are(void **state)
{
    (void)state;
    expect_groups_on_shards("SELECT count(*), sum(cost) FROM visits");
    expect_groups_on_shards("SELECT kind, count(*), avg(cost) FROM visits GROUP BY kind");
    expect_groups_on_shards("SELECT clinic_id, sum(cost) FROM visits GROUP BY clinic_id");
    expect_groups_on_shards(
        "SELECT kind, sum(cost) FROM visits WHERE cost > 100 AND clinic_id <> 3 GROUP BY kind");
    expect_groups_on_shards("SELECT channel, count(*) FROM orders GROUP BY channel");
}

static void tables_that_lie_together_are_joined_there(void **state)
{
    (void)state;
    expect_groups_on_shards(
        "SELECT region, sum(cost) FROM patients JOIN visits USING (patient_id) GROUP BY region");
    expect_groups_on_shards(
        "SELECT count(*) FROM visits v JOIN patients p ON p.patient_id = v.patient_id WHERE p.age > 40");
}

/* A coordinator believes what is said of a foreign table, and does not look. */
static void units_on_shards_may_be_null_whatever_the_coordinator_says(void **state)
{
    char connection[200];
    const struct policy *policy = NULL;
    struct engine *again = NULL;
    error why = {.message = ""};
    (void)state;
    hospital_servers_connection(&servers, 0, "postgres", "hospital", connection);
    PGconn *owner = PQconnectdb(connection);
    PGresult *changed = PQexec(owner, "ALTER TABLE patients ALTER patient_id SET NOT NULL");
    assert_int_equal(PQresultStatus(changed), PGRES_COMMAND_OK);
    PQclear(changed);
    PQfinish(owner);
    assert_int_equal(policy_read(hospital.policy, &arena, &policy, &why), DITHER_OK);
    assert_int_equal(engine_open(policy, NULL, &again, &why), DITHER_OK);
    const struct sql_catalogue *catalogue = engine_catalogue(again);
    for (size_t i = 0; i < catalogue->table_count; i++)
        if (strcmp(catalogue->tables[i].declared->name, "patients") == 0)
            assert_false(catalogue->tables[i].has_all_units);
    engine_close(again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_unit_is_summed_up_where_its_rows_are),
        cmocka_unit_test(tables_that_lie_together_are_joined_there),
        cmocka_unit_test(units_on_shards_may_be_null_whatever_the_coordinator_says),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
