/* Releases through the whole engine: the same rows give the same numbers whether they come from CSV, Parquet, JSON or
 * a DuckDB file, in whatever order and on however many threads; a failure has one fixed text and leaves the engine
 * usable; nothing happens without rows. Expected numbers are counted by hand from the generated rows. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/data.h"
#include "tests/support/test.h"

enum { PEOPLE = 400, VISITS = 3 }; /* person i has VISITS visits, in regions i, i+1, i+2 modulo 4 */

static struct data data;
static struct arena arena;

static int begin(void **state)
{
    (void)state;
    data_begin(&data);
    arena_init(&arena, SQL_ARENA_BYTES);
    return 0;
}

static int end(void **state)
{
    (void)state;
    data_end(&data);
    arena_free(&arena);
    return 0;
}

#define TABLES(people, visits, clinics)                                                                      \
    "budget: {epsilon: 1, delta: 1e-6}\ntables:\n  people:\n" people                                         \
    "    unit: id\n    rows_per_unit: 1\n    columns:\n      id: {type: integer}\n      age: {type: "        \
    "integer, "                                                                                              \
    "range: [0, 100]}\n  visits:\n" visits "    join: {id: people.id}\n    max_rows: 5\n    max_groups: "    \
    "2\n    columns:\n      id: {type: integer}\n"                                                           \
    "      region: {type: text}\n      cost: {type: real, range: [0, 8]}\n  clinics:\n" clinics              \
    "    public: true\n    columns:\n      clinic: {type: integer}\n"
#define FILES(ending)                                                                                        \
    "dataset: d\n" TABLES("    source: people." ending "\n", "    source: visits." ending "\n",              \
                          "    source: clinics." ending "\n")
#define FILE_OF_DUCKDB "dataset: d\nengine: {duckdb: d.duckdb}\n" TABLES("", "", "")

static const char *const copies[] = {"csv", "parquet", "json", "jsonl"};
static const char *const policies[] = {FILES("csv"), FILES("parquet"), FILES("json"), FILES("jsonl"),
                                       FILE_OF_DUCKDB};

/* Once for all: the tables in a DuckDB file, and from there, in another order, in files. */
static void make_data(void)
{
    char sql[4000];
    size_t length = (size_t)snprintf(sql, sizeof sql,
                                     "CREATE TABLE people AS SELECT i::INTEGER AS id, (i %% 100)::SMALLINT "
                                     "AS age FROM range(%d) r(i); ALTER TABLE "
                                     "people ADD PRIMARY KEY (id); CREATE TABLE visits AS SELECT i::INTEGER "
                                     "AS id, 'region ' || (i + j) %% 4 AS "
                                     "region, (j + 0.5)::FLOAT AS cost FROM range(%d) r(i), range(%d) s(j); "
                                     "ALTER TABLE visits ALTER COLUMN id SET NOT NULL; "
                                     "CREATE TABLE clinics AS SELECT range AS "
                                     "clinic FROM range(3000);",
                                     PEOPLE, PEOPLE, VISITS);
    static const char *const tables[] = {"people", "visits", "clinics"};
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 3; j++)
            length +=
                (size_t)snprintf(sql + length, sizeof sql - length,
                                 "COPY (SELECT * FROM %s ORDER BY hash(%s)) TO '%s/%s.%s' (FORMAT %s%s);",
                                 tables[j], tables[j], data.folder, tables[j], copies[i],
                                 i == 0   ? "csv, HEADER"
                                 : i == 1 ? "parquet"
                                          : "json",
                                 i == 2 ? ", ARRAY true" : "");
    data_duckdb(&data, "d.duckdb", sql);
}

static const struct sql_rows *none_given(void *context, const struct sql_relation *relation)
{
    (void)context, (void)relation;
    return NULL;
}

static const struct sql_release *plan_one(const char *question)
{
    const struct sql_plan *plan = NULL;
    if (sql_plan(question, strlen(question), engine_catalogue(data.engine),
                 &(struct sql_options){.max_rows = 0}, &arena, &plan, &data.why) != DITHER_OK)
        fail_msg("%s", data.why.message);
    assert_int_equal(plan->release_count, 1);
    if (engine_check(data.engine, plan->releases[0], &data.why) != DITHER_OK)
        fail_msg("%s: %s", data.why.message, engine_complaint(data.engine));
    return plan->releases[0];
}

static status run(const struct sql_release *release, struct engine_groups *out)
{
    struct engine_request request = {.release = release, .hash_key = {1, 2, 3}, .given = none_given};
    status result = engine_begin(data.engine, &data.why);
    if (result == DITHER_OK)
        result = engine_release(data.engine, &request, &arena, out, &data.why);
    engine_end(data.engine);
    return result;
}

static struct engine_groups ask(const char *question)
{
    struct engine_groups groups = {.group_count = 0};
    if (run(plan_one(question), &groups) != DITHER_OK)
        fail_msg("%s: %s", data.why.message, engine_complaint(data.engine));
    return groups;
}

static void open_policy(const char *policy)
{
    data_policy(&data, policy);
    if (data_open(&data) != DITHER_OK)
        fail_msg("%s", data.why.message);
}

static void every_kind_of_source_gives_the_same_numbers(void **state)
{
    (void)state;
    struct engine_groups first = {.group_count = 0};
    make_data();
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++) {
        open_policy(policies[i]);
        struct engine_groups count = ask("SELECT count(*) FROM people WHERE age < 30");
        assert_int_equal(count.group_count, 1);
        assert_int_equal(count.numbers[0], PEOPLE * 30 / 100);
        struct engine_groups regions = ask("SELECT region, count(*) FROM visits GROUP BY region");
        assert_int_equal(regions.group_count, 4);
        int64_t units = 0;
        for (size_t j = 0; j < 4; j++)
            units += regions.units[j];
        assert_int_equal(units, 2 * PEOPLE); /* each person keeps two of its three regions */
        if (i == 0)
            first = regions;
        for (size_t j = 0; j < 4; j++) {
            assert_string_equal(sql_rows_cell(&regions.keys, j, 0)->text,
                                sql_rows_cell(&first.keys, j, 0)->text);
            assert_int_equal(regions.units[j], first.units[j]); /* the same key chooses the same groups */
            for (size_t k = 0; k < regions.numbers_per_group; k++)
                assert_int_equal(regions.numbers[j * regions.numbers_per_group + k],
                                 first.numbers[j * first.numbers_per_group + k]);
        }
    }
}

struct stopper {
    volatile bool finished;
};

static void *stop(void *context)
{
    struct stopper *stopper = context;
    while (!stopper->finished) {
        usleep(100000);
        engine_interrupt(data.engine);
    }
    return NULL;
}

static void an_interrupted_release_fails_with_the_fixed_text_and_the_engine_lives_on(void **state)
{
    (void)state;
    open_policy(FILE_OF_DUCKDB);
    const struct sql_release *endless = plan_one(
        "SELECT count(*) FROM people CROSS JOIN clinics a CROSS JOIN clinics b CROSS JOIN clinics c");
    struct engine_groups groups = {.group_count = 7};
    struct stopper stopper = {.finished = false};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, stop, &stopper), 0);
    status result = run(endless, &groups);
    stopper.finished = true;
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(result, DITHER_IO);
    assert_string_equal(data.why.message, ENGINE_FAILED);
    assert_string_not_equal(engine_complaint(data.engine), "");
    assert_int_equal(groups.group_count, 7);
    assert_int_equal(ask("SELECT count(*) FROM people").numbers[0], PEOPLE);
    assert_string_equal(engine_complaint(data.engine), "");
}

/* Of all that keep rows without a unit out, as imports do and NOT NULL does. */
static void the_text_of_a_release_is_the_same_for_all_sources_and_says_no_key(void **state)
{
    (void)state;
    struct buffer texts[2];
    static const char *const sources[] = {FILES("csv"), FILE_OF_DUCKDB};
    for (size_t i = 0; i < 2; i++) {
        data_policy(&data, sources[i]);
        assert_int_equal(data_open_schema(&data), DITHER_OK);
        buffer_init(&texts[i], 1 << 20);
        const struct sql_release *release = plan_one("SELECT region, sum(cost) FROM visits GROUP BY region");
        assert_int_equal(engine_release_sql(data.engine, release, &texts[i], &data.why), DITHER_OK);
        struct engine_groups groups;
        assert_int_equal(run(release, &groups), DITHER_REFUSED);
    }
    assert_string_equal(texts[0].data, texts[1].data);
    assert_non_null(strstr(texts[0].data, "'KEY'"));
    buffer_free(&texts[0]);
    buffer_free(&texts[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_source_gives_the_same_numbers),
        cmocka_unit_test(an_interrupted_release_fails_with_the_fixed_text_and_the_engine_lives_on),
        cmocka_unit_test(the_text_of_a_release_is_the_same_for_all_sources_and_says_no_key),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
