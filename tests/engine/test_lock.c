/* Neither the engine nor scratch nor the shadow can reach a file, attach a database, change a setting or install
 * anything once it is open; an instance that was not locked can, so the questions are fair. And the three are
 * separate: what is in one is not in the others. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/duckdb_engine.h"
#include "engine/scratch_kind.h"
#include "tests/support/data.h"
#include "tests/support/test.h"

static struct data data;
static struct scratch *scratch;

static int begin(void **state)
{
    (void)state;
    data_begin(&data);
    data_write(&data, "people.csv", "id\n1\n");
    data_write(&data, "bait.csv", "a,b\n1,2\n");
    data_write(&data, "bait.json", "[{\"a\": 1}]");
    data_duckdb(&data, "bait.duckdb", "CREATE TABLE bait (a INTEGER)");
    char sql[256];
    snprintf(sql, sizeof sql, "COPY (SELECT 1 AS a) TO '%s' (FORMAT parquet)",
             data_path(&data, "bait.parquet"));
    data_duckdb(&data, "bait.duckdb", sql);
    data_policy(&data, "dataset: d\nbudget: {epsilon: 1}\ntables:\n  people: {source: people.csv, unit: id, "
                       "rows_per_unit: 1, columns: {id: {type: integer}}}\n");
    if (data_open(&data) != DITHER_OK)
        fail_msg("%s", data.why.message);
    return scratch_open(NULL, &scratch, &data.why);
}

static int end(void **state)
{
    (void)state;
    scratch_close(scratch);
    data_end(&data);
    return 0;
}

/* $ stands for the folder. `fair`: an instance that is not locked runs it. (DuckDB never locks search_path; that
 * scratch runs SELECTs alone is shown by test_scratch.c, and the engine gets nothing but our releases.) */
static const struct {
    const char *sql;
    bool fair;
} attempts[] = {
    {"SELECT * FROM read_csv('/etc/passwd')", false},
    {"SELECT * FROM read_csv('$/bait.csv')", true},
    {"SELECT * FROM '$/bait.csv'", true},
    {"SELECT * FROM read_text('$/bait.csv')", true},
    {"SELECT * FROM read_blob('$/bait.csv')", true},
    {"SELECT * FROM read_json('$/bait.json')", true},
    {"SELECT * FROM read_parquet('$/bait.parquet')", true},
    {"SELECT * FROM parquet_metadata('$/bait.parquet')", true},
    {"SELECT * FROM sniff_csv('$/bait.csv')", true},
    {"COPY (SELECT 1) TO '$/out.csv'", true},
    {"COPY (SELECT 1) TO '$/out.parquet' (FORMAT parquet)", true},
    {"EXPORT DATABASE '$/exported'", true},
    {"ATTACH '$/bait.duckdb' AS bait (READ_ONLY)", true},
    {"ATTACH '$/new.duckdb' AS new", true},
    {"SET threads = 1", true},
    {"SET memory_limit = '100MB'", true},
    {"SET enable_external_access = true", false},
    {"SET lock_configuration = false", true},
    {"RESET threads", true},
    {"PRAGMA threads = 1", true},
    {"SET allowed_directories = ['/']", true},
    {"SET temp_directory = '$/temp'", true},
    {"SET log_query_path = '$/log'", true},
    {"INSTALL httpfs", false},
    {"LOAD httpfs", false},
    {"LOAD '$/bait.csv'", false},
    {"CREATE PERSISTENT SECRET s (TYPE s3, KEY_ID 'k', SECRET 's')", false},
};

static void fill_in(const char *sql, char out[512])
{
    size_t length = 0;
    for (; *sql != '\0'; sql++)
        length += (size_t)snprintf(out + length, 512 - length, *sql == '$' ? "%s" : "%.1s",
                                   *sql == '$' ? data.folder : sql);
}

static void expect_locked(struct duckdb_instance *instance)
{
    for (size_t i = 0; i < sizeof attempts / sizeof attempts[0]; i++) {
        char sql[512];
        fill_in(attempts[i].sql, sql);
        if (duckdb_instance_run(instance, sql, "testing", &data.why) == DITHER_OK)
            fail_msg("runs: %s", sql);
    }
    static const char *const left[] = {"out.csv", "out.parquet", "exported", "new.duckdb", "temp", "log"};
    for (size_t i = 0; i < sizeof left / sizeof left[0]; i++)
        assert_int_not_equal(access(data_path(&data, left[i]), F_OK), 0);
}

static void scratch_is_locked(void **state)
{
    (void)state;
    expect_locked(scratch_local_instance(scratch));
}

static void the_engine_is_locked(void **state)
{
    (void)state;
    expect_locked(&((struct duckdb_engine *)data.engine)->instance);
}

static void an_engine_over_a_file_is_locked_and_reads_its_file_alone(void **state)
{
    (void)state;
    struct data other;
    data_begin(&other);
    data_duckdb(&other, "d.duckdb", "CREATE TABLE people (id INTEGER); INSERT INTO people VALUES (1)");
    data_policy(&other,
                "dataset: d\nengine: {duckdb: d.duckdb}\nbudget: {epsilon: 1}\ntables:\n  people: {unit: id, "
                "rows_per_unit: 1, columns: {id: {type: integer}}}\n");
    assert_int_equal(data_open(&other), DITHER_OK);
    expect_locked(&((struct duckdb_engine *)other.engine)->instance);
    assert_int_equal(data_whole(&other, "SELECT count(*) FROM people"), 1);
    data_end(&other);
}

static void the_shadow_is_locked_and_empty(void **state)
{
    (void)state;
    struct duckdb_engine *engine = (struct duckdb_engine *)data.engine;
    if (duckdb_open_shadow(engine, &data.why) != DITHER_OK)
        fail_msg("%s", data.why.message);
    expect_locked(&engine->shadow);
    int64_t rows = 7;
    assert_int_equal(
        duckdb_ask_whole(&engine->shadow, "SELECT count(*) FROM people", "testing", &rows, &data.why),
        DITHER_OK);
    assert_int_equal(rows, 0);
    assert_int_equal(data_whole(&data, "SELECT count(*) FROM people"), 1);
}

static void the_three_do_not_see_each_other(void **state)
{
    (void)state;
    struct duckdb_instance *other = scratch_local_instance(scratch);
    assert_int_equal(duckdb_instance_run(other, "CREATE TABLE mine (a INTEGER)", "testing", &data.why),
                     DITHER_OK);
    assert_false(data_runs(&data, "SELECT * FROM mine"));
    assert_int_not_equal(duckdb_instance_run(other, "SELECT * FROM people", "testing", &data.why), DITHER_OK);
}

/* Last, for it leaves files. */
static void an_instance_that_is_not_locked_runs_what_is_fair(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof attempts / sizeof attempts[0]; i++) {
        struct duckdb_instance open;
        char sql[512];
        fill_in(attempts[i].sql, sql);
        assert_int_equal(duckdb_instance_open(&(struct duckdb_limits){.threads = 1}, &open, &data.why),
                         DITHER_OK);
        if (attempts[i].fair && duckdb_instance_run(&open, sql, "testing", &data.why) != DITHER_OK)
            fail_msg("%s: %s", sql, duckdb_instance_complaint(&open));
        duckdb_instance_close(&open);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scratch_is_locked),
        cmocka_unit_test(the_engine_is_locked),
        cmocka_unit_test(an_engine_over_a_file_is_locked_and_reads_its_file_alone),
        cmocka_unit_test(the_shadow_is_locked_and_empty),
        cmocka_unit_test(the_three_do_not_see_each_other),
        cmocka_unit_test(an_instance_that_is_not_locked_runs_what_is_fair),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
