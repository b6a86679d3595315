/* The PostgreSQL engine: what it believes of a server, what it refuses, what it does when things go wrong; and the
 * promises of release.h on data that break every cap, worked out by hand.
 *
 * One scratch server; every test makes its tables anew in a schema of its own. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/postgres_engine.h"
#include "sql/plan.h"
#include "tests/support/scratch_postgres.h"
#include "tests/support/test.h"

static struct scratch_postgres server;
static PGconn *owner;
static char role[160], policy_path[80];
static struct arena arena;

static void run(const char *sql)
{
    PGresult *result = PQexec(owner, sql);
    if (PQresultStatus(result) != PGRES_COMMAND_OK && PQresultStatus(result) != PGRES_TUPLES_OK)
        fail_msg("%s: %s", sql, PQerrorMessage(owner));
    PQclear(result);
}

static int start(void **state)
{
    (void)state;
    scratch_postgres_start(&server, "-c fsync=off");
    owner = PQconnectdb(server.connection);
    run("SET client_min_messages = error; CREATE ROLE reader LOGIN; ALTER ROLE reader SET search_path = "
        "clinic");
    snprintf(role, sizeof role, "host=127.0.0.1 port=%d user=reader dbname=postgres", server.port);
    snprintf(policy_path, sizeof policy_path, "/tmp/dither-test-postgres-%d.yaml", (int)getpid());
    return 0;
}

static int stop(void **state)
{
    (void)state;
    PQfinish(owner);
    scratch_postgres_stop(&server);
    return 0;
}

static int fresh(void **state)
{
    (void)state;
    arena_init(&arena, 1 << 28);
    run("DROP SCHEMA IF EXISTS clinic CASCADE; CREATE SCHEMA clinic; GRANT USAGE ON SCHEMA clinic TO reader; "
        "SET search_path = clinic");
    return 0;
}

static int spent(void **state)
{
    (void)state;
    arena_free(&arena);
    unlink(policy_path);
    return 0;
}

/* ---- Policies ---- */

#define HEAD   "dataset: d\nengine: {postgres: \"%s\"}\nbudget: {epsilon: 1, per_question: 0.1}\ntables:\n"
#define PEOPLE "  people: {unit: id, rows_per_unit: 1, columns: {id: {type: integer}, name: {type: text}}}\n"
#define VISITS                                                                                               \
    "  visits: {unit: id, max_rows: 2, max_groups: 2, columns: {id: {type: integer}, kind: {type: text}, "   \
    "room: {type: integer, range: [1, 3], null: false}, cost: {type: integer, range: [0, 10], null: "        \
    "false}}}\n"

static const struct policy *policy_of(const char *tables)
{
    const struct policy *policy = NULL;
    error why = {.message = ""};
    char text[4000];
    int length = snprintf(text, sizeof text, HEAD "%s", role, tables);
    if (policy_read_text(text, (size_t)length, policy_path, &arena, &policy, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    return policy;
}

static struct engine *open_engine(const char *tables)
{
    struct engine *engine = NULL;
    error why = {.message = ""};
    if (engine_open(policy_of(tables), NULL, &engine, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    return engine;
}

static void expect_refusal(const char *tables, const char *words)
{
    struct engine *engine = NULL;
    error why = {.message = ""};
    assert_int_equal(engine_open(policy_of(tables), NULL, &engine, &why), DITHER_INVALID);
    if (strstr(why.message, words) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", why.message, words);
}

/* ---- What is there ---- */

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    expect_refusal(PEOPLE, "has no table of that name");
    run("CREATE TABLE people (id bigint PRIMARY KEY, name text)");
    expect_refusal(PEOPLE, "may not read it");
    run("GRANT SELECT ON people TO reader");
    engine_close(open_engine(PEOPLE));
    expect_refusal(
        "  people: {unit: id, rows_per_unit: 1, columns: {id: {type: integer}, age: {type: integer}}}\n",
        "no column age");
    expect_refusal("  people: {unit: id, rows_per_unit: 1, columns: {id: {type: integer}, name: {type: real, "
                   "range: [0, 1]}}}\n",
                   "is text in the database");
    /* A cast that could fail for one row would tell about it. */
    run("ALTER TABLE people ADD free numeric, ADD wide numeric(20, 2), ADD zoned timestamptz, ADD fixed "
        "char(3)");
    expect_refusal("  people: {unit: id, rows_per_unit: 1, columns: {id: {type: integer}, free: {type: real, "
                   "range: [0, 1]}}}\n",
                   "not every value");
    expect_refusal("  people: {unit: id, rows_per_unit: 1, columns: {id: {type: integer}, wide: {type: "
                   "decimal, scale: 2}}}\n",
                   "numeric(20,2)");
    expect_refusal(
        "  people: {unit: id, rows_per_unit: 1, columns: {id: {type: integer}, zoned: {type: timestamp}}}\n",
        "with time zone");
    expect_refusal(
        "  people: {unit: id, rows_per_unit: 1, columns: {id: {type: integer}, fixed: {type: text}}}\n",
        "character(3)");
}

static void texts_that_two_people_could_share_are_refused(void **state)
{
    (void)state;
    run("CREATE COLLATION blind (provider = icu, locale = 'und-u-ks-level2', deterministic = false);"
        "CREATE TABLE people (id text COLLATE blind, name text); GRANT SELECT ON people TO reader");
    expect_refusal("  people: {unit: id, rows_per_unit: 1, columns: {id: {type: text}}}\n",
                   "takes different texts for equal");
    run("DROP TABLE people; CREATE TABLE people (id text COLLATE \"C\" PRIMARY KEY, name text);"
        "CREATE TABLE visits (visitor text COLLATE \"POSIX\"); GRANT SELECT ON people, visits TO reader");
    expect_refusal(
        "  people: {unit: name, rows_per_unit: 1, columns: {id: {type: text}, name: {type: text}}}\n"
        "  visits: {join: {visitor: people.id}, max_rows: 1, max_groups: 1, columns: {visitor: {type: "
        "text}}}\n",
        "different collations");
}

static void views_and_foreign_rows_need_more(void **state)
{
    (void)state;
    run("CREATE TABLE base (id bigint, name text); CREATE VIEW people AS SELECT * FROM base;"
        "GRANT SELECT ON people TO reader");
    expect_refusal(PEOPLE, "is a view");
    engine_close(open_engine(
        "  people: {unit: id, rows_per_unit: 1, view: per_unit, columns: {id: {type: integer}}}\n"));
    run("CREATE TABLE parts (id bigint) PARTITION BY HASH (id);"
        "CREATE TABLE parent (id bigint); CREATE TABLE child () INHERITS (parent); GRANT SELECT ON parts, "
        "parent TO reader");
    expect_refusal("  parts: {unit: row, columns: {id: {type: integer}}}\n", "partitioned");
    expect_refusal("  parent: {unit: row, columns: {id: {type: integer}}}\n", "inherited from");
    run("CREATE TABLE hidden (id bigint); ALTER TABLE hidden ENABLE ROW LEVEL SECURITY; GRANT SELECT ON "
        "hidden TO reader");
    expect_refusal("  hidden: {unit: id, rows_per_unit: 1, columns: {id: {type: integer}}}\n",
                   "row-level security");
}

static bool is_proved(void)
{
    struct engine *engine = open_engine(PEOPLE);
    bool proved = sql_table_one_row_per_unit(&engine_catalogue(engine)->tables[0]);
    engine_close(engine);
    return proved;
}

static void keys_are_believed_only_when_they_are_enforced(void **state)
{
    (void)state;
    run("CREATE TABLE people (id bigint, name text); GRANT SELECT ON people TO reader");
    assert_false(is_proved());
    run("CREATE UNIQUE INDEX i ON people (id) WHERE name IS NOT NULL");
    assert_false(is_proved());
    run("DROP INDEX i; CREATE UNIQUE INDEX i ON people (abs(id))");
    assert_false(is_proved());
    run("DROP INDEX i; CREATE UNIQUE INDEX i ON people (id, name)");
    assert_false(is_proved());
    run("DROP INDEX i; CREATE UNIQUE INDEX i ON people (name) INCLUDE (id)");
    assert_false(is_proved());
    run("DROP INDEX i; ALTER TABLE people ADD CONSTRAINT c UNIQUE (id) DEFERRABLE");
    assert_false(is_proved());
    run("ALTER TABLE people DROP CONSTRAINT c; CREATE UNIQUE INDEX i ON people (id) INCLUDE (name)");
    assert_true(is_proved());
    run("CREATE TABLE child () INHERITS (people); GRANT SELECT ON child TO reader");
    assert_false(is_proved());
    run("DROP TABLE child; DROP TABLE people; CREATE TABLE people (id bigint PRIMARY KEY, name text) "
        "PARTITION BY "
        "HASH (id); CREATE TABLE part PARTITION OF people FOR VALUES WITH (MODULUS 1, REMAINDER 0); "
        "GRANT SELECT ON people TO reader");
    assert_true(is_proved());
}

/* ---- dither check ---- */

static void collect(void *context, enum engine_severity severity, const char *line)
{
    buffer_format(context, "%s: %s\n", severity == ENGINE_WRONG ? "wrong" : "costly", line);
}

static void check_says_what_the_role_may_do_beyond_reading(void **state)
{
    struct buffer words;
    error why = {.message = ""};
    (void)state;
    run("CREATE TABLE people (id bigint PRIMARY KEY, name text); GRANT SELECT ON people TO reader");
    buffer_init(&words, 1 << 16);
    assert_int_equal(engine_compare(policy_of(PEOPLE), collect, &words, &why), DITHER_OK);
    assert_int_equal(words.length, 0);
    run("CREATE TABLE others (id bigint); GRANT SELECT ON others TO reader; GRANT UPDATE ON people TO reader;"
        "ALTER TABLE people DROP CONSTRAINT people_pkey");
    assert_int_equal(engine_compare(policy_of(PEOPLE), collect, &words, &why), DITHER_OK);
    assert_non_null(strstr(words.data, "may read 1 tables beside"));
    assert_non_null(strstr(words.data, "may change rows of table people"));
    assert_non_null(strstr(words.data, "rows_per_unit: 1 is not proved"));
    buffer_clear(&words);
    run("INSERT INTO people VALUES (1, 'a'), (1, 'b')");
    assert_int_equal(engine_prove(policy_of(PEOPLE), collect, &words, &why), DITHER_OK);
    assert_non_null(
        strstr(words.data, "wrong: table people declares rows_per_unit: 1, but there are several rows"));
    assert_null(strstr(words.data, "'a'"));
    buffer_free(&words);
}

/* ---- Releases ---- */

static const struct sql_release *release_of(struct engine *engine, const char *question)
{
    const struct sql_plan *plan = NULL;
    error why = {.message = ""};
    if (sql_plan(question, strlen(question), engine_catalogue(engine), &(struct sql_options){0}, &arena,
                 &plan, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    return plan->releases[0];
}

static status ask(struct engine *engine, const char *question, uint8_t key, struct engine_groups *out,
                  error *why)
{
    static const struct sql_value rooms[] = {{.type = SQL_INTEGER, .whole = 1},
                                             {.type = SQL_INTEGER, .whole = 2},
                                             {.type = SQL_INTEGER, .whole = 3}};
    struct engine_request request = {.release = release_of(engine, question), .hash_key = {key, 77}};
    if (request.release->domain != NULL && request.release->key_count == 1)
        request.domain = (struct sql_rows){1, 3, rooms};
    status result = engine_begin(engine, why);
    if (result == DITHER_OK)
        result = engine_release(engine, &request, &arena, out, why);
    engine_end(engine);
    return result;
}

#define MAKE_VISITS                                                                                          \
    "CREATE TABLE visits (id bigint, kind text, room bigint, cost bigint); GRANT SELECT ON visits TO "       \
    "reader;"

static void a_unit_keeps_as_many_groups_as_it_may(void **state)
{
    struct engine_groups groups;
    error why = {.message = ""};
    (void)state;
    /* Ten people in all three rooms, and in a fourth that is nobody's key: each may be in two. */
    run(MAKE_VISITS "INSERT INTO visits SELECT i, 'k' || room, room, 5 FROM generate_series(1, 10) i, "
                    "generate_series(1, 4) room");
    struct engine *engine = open_engine(VISITS);
    bool differs = false;
    int64_t first[3] = {0};
    for (uint8_t key = 0; key < 8; key++) {
        assert_int_equal(ask(engine, "SELECT room, sum(cost) FROM visits GROUP BY room", key, &groups, &why),
                         DITHER_OK);
        assert_int_equal(groups.group_count, 3);
        int64_t units = 0, sum = 0;
        for (size_t i = 0; i < 3; i++) {
            units += groups.units[i];
            sum += groups.numbers[i * groups.numbers_per_group];
            differs |= key > 0 && groups.units[i] != first[i];
            first[i] = key == 0 ? groups.units[i] : first[i];
        }
        assert_int_equal(units, 20);
        assert_int_equal(sum, 100);
        assert_int_equal(ask(engine, "SELECT kind, count(*) FROM visits GROUP BY kind", key, &groups, &why),
                         DITHER_OK);
        units = 0;
        for (size_t i = 0; i < groups.group_count; i++)
            units += groups.units[i];
        assert_int_equal(units, 20);
    }
    assert_true(differs); /* a fresh key is a fresh choice */
    engine_close(engine);
}

static void a_unit_counts_within_its_bounds_whatever_its_rows(void **state)
{
    struct engine_groups groups;
    error why = {.message = ""};
    (void)state;
    /* Seven rows where two are allowed: 2/7 of the sum of clamped costs (10 + 0 + 3 * 5 = 25), towards zero: 7. */
    run(MAKE_VISITS
        "INSERT INTO visits VALUES (1, 'a', 1, 9223372036854775807), (1, 'a', 1, -5), (1, 'a', 1, 3), "
        "(1, 'a', 1, 3), (1, 'a', 1, 3), (1, 'a', 1, 3), (1, 'a', 1, 3), (NULL, 'a', 1, 9)");
    struct engine *engine = open_engine(VISITS);
    assert_int_equal(ask(engine, "SELECT sum(cost) FROM visits", 1, &groups, &why), DITHER_OK);
    assert_int_equal(groups.units[0], 1);
    assert_int_equal(groups.numbers[0], 7);
    assert_int_equal(ask(engine, "SELECT count(*) FROM visits", 1, &groups, &why), DITHER_OK);
    assert_int_equal(groups.numbers[0], 2);
    assert_int_equal(ask(engine, "SELECT count(DISTINCT cost) FROM visits", 1, &groups, &why), DITHER_OK);
    assert_int_equal(groups.numbers[0], 2); /* of three different values */
    assert_int_equal(ask(engine, "SELECT median(cost) FROM visits", 1, &groups, &why), DITHER_OK);
    int64_t rows = 0;
    for (size_t i = 0; i < groups.numbers_per_group; i++)
        rows += groups.numbers[i];
    assert_int_equal(rows, 2);
    engine_close(engine);
}

static void reals_are_rounded_to_the_nearest_step_and_halves_up(void **state)
{
    /* Sixteen steps of 1/16 a unit; what is one double below a half step is none. */
    static const struct {
        const char *value;
        int64_t steps;
    } cases[] = {{"0.03125", 1},
                 {"0.031249999999999997", 0},
                 {"0.09375", 2},
                 {"0.093749999999999986", 1},
                 {"0.15625", 3},
                 {"0.15624999999999997", 2},
                 {"4999.97", 80000},
                 {"4999.96", 79999},
                 {"5000", 80000},
                 {"5000.001", 80000},
                 {"7000", 80000},
                 {"1e308", 80000},
                 {"Infinity", 80000},
                 {"NaN", 0},
                 {"-Infinity", 0},
                 {"-1e308", 0},
                 {"-0.0", 0},
                 {"5e-324", 0},
                 {"0.0625", 1},
                 {"4095.96875", 65536},
                 {"4095.9687499999995", 65535}};
    struct engine_groups groups;
    error why = {.message = ""};
    (void)state;
    run("CREATE TABLE people (id bigint PRIMARY KEY, name text, pay double precision); GRANT SELECT ON "
        "people TO reader");
    struct engine *engine =
        open_engine("  people: {unit: id, rows_per_unit: 1, columns: {id: {type: integer}, pay: {type: "
                    "real, range: [0, 5000]}}}\n");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char sql[200];
        snprintf(sql, sizeof sql,
                 "DELETE FROM people; INSERT INTO people VALUES (1, 'a', '%s'), (2, 'b', NULL)",
                 cases[i].value);
        run(sql);
        assert_int_equal(ask(engine, "SELECT sum(pay) FROM people", 1, &groups, &why), DITHER_OK);
        assert_int_equal(groups.units[0], 2);
        if (groups.numbers[0] != cases[i].steps)
            fail_msg("%s is %lld steps", cases[i].value, (long long)groups.numbers[0]);
    }
    engine_close(engine);
}

static void keys_come_back_as_they_are_and_in_order(void **state)
{
    struct engine_groups groups;
    error why = {.message = ""};
    (void)state;
    run(MAKE_VISITS "INSERT INTO visits VALUES (1, NULL, 1, 1), (2, 'b''\\\"', 1, 2), (3, 'B', 1, 3), (4, "
                    "'\xc3\xa4', 1, 4), "
                    "(5, '', 1, 5), (6, 'b', 1, 6)");
    struct engine *engine = open_engine(VISITS);
    assert_int_equal(ask(engine, "SELECT kind, sum(cost) FROM visits GROUP BY kind", 1, &groups, &why),
                     DITHER_OK);
    static const char *const kinds[] = {NULL, "", "B", "b", "b'\\\"", "\xc3\xa4"};
    static const int64_t sums[] = {1, 5, 3, 6, 2, 4};
    assert_int_equal(groups.group_count, 6);
    for (size_t i = 0; i < 6; i++) {
        const struct sql_value *key = sql_rows_cell(&groups.keys, i, 0);
        assert_int_equal(key->null, kinds[i] == NULL);
        if (kinds[i] != NULL)
            assert_string_equal(key->text, kinds[i]);
        assert_int_equal(groups.numbers[i], sums[i]);
    }
    engine_close(engine);
}

/* ---- When things go wrong ---- */

static void expect_failure(struct engine *engine, const char *complaint)
{
    struct engine_groups groups;
    error why = {.message = ""};
    assert_int_equal(ask(engine, "SELECT count(*) FROM visits", 1, &groups, &why), DITHER_IO);
    assert_string_equal(why.message, ENGINE_FAILED);
    if (strstr(engine_complaint(engine), complaint) == NULL)
        fail_msg("the owner hears: %s", engine_complaint(engine));
}

static void a_lost_connection_is_made_anew_before_the_first_row_only(void **state)
{
    struct engine_groups groups;
    error why = {.message = ""};
    (void)state;
    run(MAKE_VISITS "INSERT INTO visits VALUES (1, 'a', 1, 1)");
    struct engine *engine = open_engine(VISITS);
    run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'reader'");
    assert_int_equal(ask(engine, "SELECT count(*) FROM visits", 1, &groups, &why), DITHER_OK);
    assert_int_equal(groups.numbers[0], 1);
    struct engine_request request = {.release = release_of(engine, "SELECT count(*) FROM visits")};
    assert_int_equal(engine_begin(engine, &why), DITHER_OK);
    run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'reader'");
    assert_int_equal(engine_release(engine, &request, &arena, &groups, &why), DITHER_IO);
    assert_string_equal(why.message, ENGINE_FAILED);
    assert_int_equal(engine_release(engine, &request, &arena, &groups, &why), DITHER_IO);
    engine_end(engine);
    assert_int_equal(ask(engine, "SELECT count(*) FROM visits", 1, &groups, &why), DITHER_OK);
    engine_close(engine);
}

static void what_the_server_says_is_the_owners(void **state)
{
    (void)state;
    run(MAKE_VISITS "INSERT INTO visits VALUES (1, 'a', 1, 1)");
    struct engine *engine = open_engine(VISITS);
    run("REVOKE SELECT ON visits FROM reader");
    expect_failure(engine, "changed since");
    run("GRANT SELECT ON visits TO reader; ALTER TABLE visits ALTER kind TYPE varchar(10)");
    expect_failure(engine, "changed since");
    engine_close(engine);
}

static void a_key_that_is_dropped_is_noticed_in_the_snapshot(void **state)
{
    struct engine_groups groups;
    error why = {.message = ""};
    (void)state;
    run("CREATE TABLE people (id bigint PRIMARY KEY, name text); INSERT INTO people VALUES (1, 'a'); "
        "GRANT SELECT ON people TO reader");
    struct engine *engine = open_engine(PEOPLE);
    assert_int_equal(ask(engine, "SELECT count(*) FROM people", 1, &groups, &why), DITHER_OK);
    run("ALTER TABLE people DROP CONSTRAINT people_pkey; INSERT INTO people VALUES (1, 'b')");
    assert_int_equal(ask(engine, "SELECT count(*) FROM people", 1, &groups, &why), DITHER_IO);
    engine_close(engine);
}

static void nothing_can_be_written_and_no_other_schema_is_seen(void **state)
{
    error why = {.message = ""};
    (void)state;
    run(MAKE_VISITS
        "GRANT INSERT ON visits TO reader; CREATE FUNCTION hashint8extended(bigint, integer) RETURNS bigint "
        "LANGUAGE sql AS 'SELECT 1'");
    struct engine *engine = open_engine(VISITS);
    struct postgres_session *session = &((struct postgres_engine *)engine)->session;
    assert_int_equal(
        postgres_session_ask(session, "INSERT INTO clinic.visits VALUES (1)", NULL, 0, "x", NULL, &why),
        DITHER_IO);
    assert_non_null(strstr(engine_complaint(engine), "read-only"));
    assert_int_equal(postgres_session_ask(session, "SELECT 1 FROM visits", NULL, 0, "x", NULL, &why),
                     DITHER_IO);
    engine_close(engine);
}

static void *interrupt_soon(void *engine)
{
    usleep(300000);
    engine_interrupt(engine);
    return NULL;
}

static void an_interrupt_stops_the_server(void **state)
{
    pthread_t thread;
    (void)state;
    /* 10^10 pairs of one person's rows: hours, if nobody stopped it. */
    run(MAKE_VISITS "INSERT INTO visits SELECT 1, 'a', 1, 1 FROM generate_series(1, 100000)");
    struct engine *engine = open_engine(VISITS);
    struct engine_groups groups;
    error why = {.message = ""};
    assert_int_equal(pthread_create(&thread, NULL, interrupt_soon, engine), 0);
    assert_int_equal(ask(engine, "SELECT count(*) FROM visits a JOIN visits b USING (id)", 1, &groups, &why),
                     DITHER_IO);
    pthread_join(thread, NULL);
    assert_string_equal(why.message, ENGINE_FAILED);
    assert_int_equal(ask(engine, "SELECT count(*) FROM visits", 1, &groups, &why), DITHER_OK);
    engine_close(engine);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fresh, spent)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_does_not_fit_is_refused),
        TEST(texts_that_two_people_could_share_are_refused),
        TEST(views_and_foreign_rows_need_more),
        TEST(keys_are_believed_only_when_they_are_enforced),
        TEST(check_says_what_the_role_may_do_beyond_reading),
        TEST(a_unit_keeps_as_many_groups_as_it_may),
        TEST(a_unit_counts_within_its_bounds_whatever_its_rows),
        TEST(reals_are_rounded_to_the_nearest_step_and_halves_up),
        TEST(keys_come_back_as_they_are_and_in_order),
        TEST(a_lost_connection_is_made_anew_before_the_first_row_only),
        TEST(what_the_server_says_is_the_owners),
        TEST(a_key_that_is_dropped_is_noticed_in_the_snapshot),
        TEST(nothing_can_be_written_and_no_other_schema_is_seen),
        TEST(an_interrupt_stops_the_server),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
