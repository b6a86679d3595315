/* Which statements a text has and what the small ones mean; and that parameters are values: a question with parameters
 * has the plan of the same question with literals, whatever the values look like. */
#include <string.h>

#include "base/buffer.h"
#include "sql/parse.h"
#include "sql/plan.h"
#include "sql/print.h"
#include "sql/statement.h"
#include "tests/support/catalogue.h"
#include "tests/support/test.h"

static struct arena arena;

static const struct sql_statement *statements_of(const char *text, size_t wanted)
{
    const struct sql_statement *list = NULL;
    size_t count = 0;
    error why;
    arena_free(&arena);
    arena_init(&arena, SQL_ARENA_BYTES);
    if (sql_statements(text, strlen(text), &arena, &list, &count, &why) != DITHER_OK)
        fail_msg("%s: %s", text, why.message);
    if (count != wanted)
        fail_msg("%s: %zu statements, not %zu", text, count, wanted);
    return list;
}

static void expect_kind(const char *text, enum sql_statement_kind kind, const char *name, const char *value)
{
    const struct sql_statement *list = statements_of(text, 1);
    if (list->kind != kind)
        fail_msg("%s: kind %d", text, (int)list->kind);
    if ((name == NULL) != (list->name == NULL) || (name != NULL && strcmp(name, list->name) != 0))
        fail_msg("%s: name %s", text, list->name != NULL ? list->name : "none");
    if ((value == NULL) != (list->value == NULL) || (value != NULL && strcmp(value, list->value) != 0))
        fail_msg("%s: value %s", text, list->value != NULL ? list->value : "none");
}

static void small_statements_are_understood(void **state)
{
    (void)state;
    expect_kind("SELECT 1", SQL_SAYS_QUESTION, NULL, NULL);
    expect_kind("/* x */ with a as (select 1) table a;", SQL_SAYS_QUESTION, NULL, NULL);
    expect_kind("(SELECT 1)", SQL_SAYS_QUESTION, NULL, NULL);
    expect_kind("SET dither.Epsilon = 0.5", SQL_SAYS_SET, "dither.epsilon", "0.5");
    expect_kind("set dither.intervals to on", SQL_SAYS_SET, "dither.intervals", "on");
    expect_kind("SET SESSION extra_float_digits = -1;", SQL_SAYS_SET, "extra_float_digits", "-1");
    expect_kind("SET search_path = a, \"B\"", SQL_SAYS_SET, "search_path", "a, B");
    expect_kind("SET TIME ZONE 'UTC'", SQL_SAYS_SET, "timezone", "UTC");
    expect_kind("SET NAMES 'UTF8'", SQL_SAYS_SET, "client_encoding", "UTF8");
    expect_kind("SET x TO DEFAULT", SQL_SAYS_SET, "x", NULL);
    expect_kind("RESET dither.epsilon", SQL_SAYS_RESET, "dither.epsilon", NULL);
    expect_kind("RESET ALL", SQL_SAYS_RESET, NULL, NULL);
    expect_kind("SHOW dither.remaining", SQL_SAYS_SHOW, "dither.remaining", NULL);
    expect_kind("SHOW ALL", SQL_SAYS_SHOW, NULL, NULL);
    expect_kind("SHOW TRANSACTION ISOLATION LEVEL", SQL_SAYS_SHOW, "transaction_isolation", NULL);
    expect_kind("BEGIN READ ONLY", SQL_SAYS_BEGIN, NULL, NULL);
    expect_kind("START TRANSACTION", SQL_SAYS_BEGIN, NULL, NULL);
    expect_kind("END", SQL_SAYS_COMMIT, NULL, NULL);
    expect_kind("ABORT", SQL_SAYS_ROLLBACK, NULL, NULL);
    expect_kind("SAVEPOINT a", SQL_SAYS_SAVEPOINT, NULL, NULL);
    expect_kind("RELEASE a", SQL_SAYS_SAVEPOINT, NULL, NULL);
    expect_kind("ROLLBACK TO a", SQL_SAYS_ROLLBACK_TO, NULL, NULL);
    expect_kind("DEALLOCATE ALL", SQL_SAYS_DEALLOCATE, NULL, NULL);
    expect_kind("DEALLOCATE s1", SQL_SAYS_DEALLOCATE, "s1", NULL);
    expect_kind("DISCARD ALL", SQL_SAYS_DISCARD, NULL, NULL);
    expect_kind("DECLARE \"a FOR b\" CURSOR FOR SELECT 1", SQL_SAYS_DECLARE, "a FOR b", NULL);
    expect_kind("DECLARE a BINARY CURSOR FOR SELECT 1", SQL_SAYS_OTHER, NULL, NULL);
    expect_kind("FETCH ALL FROM a", SQL_SAYS_FETCH, "a", NULL);
    expect_kind("CLOSE a", SQL_SAYS_CLOSE, "a", NULL);
    expect_kind("CLOSE ALL", SQL_SAYS_CLOSE, NULL, NULL);
    expect_kind("UNLISTEN *", SQL_SAYS_UNLISTEN, NULL, NULL);
    expect_kind("LISTEN a", SQL_SAYS_OTHER, NULL, NULL);
    expect_kind("COPY patients TO STDOUT", SQL_SAYS_COPY, NULL, NULL);
    expect_kind("DROP TABLE patients", SQL_SAYS_OTHER, NULL, NULL);
    expect_kind("PREPARE TRANSACTION 'x'", SQL_SAYS_OTHER, NULL, NULL);
    assert_true(statements_of("SET LOCAL x = 1", 1)->local);
    assert_string_equal(statements_of("  drop table patients", 1)->word, "DROP");
}

static void cursors_are_read(void **state)
{
    (void)state;
    static const char *const text =
        "BEGIN; DECLARE c NO SCROLL CURSOR WITH HOLD FOR /* for */ SELECT 'for', 2";
    const struct sql_statement *declare = &statements_of(text, 2)[1];
    assert_true(declare->hold);
    assert_string_equal(text + sql_statement_question(declare), "SELECT 'for', 2");
    assert_false(statements_of("DECLARE c CURSOR FOR SELECT 1", 1)->hold);
    assert_true(statements_of("FETCH ALL c", 1)->rows == UINT64_MAX);
    assert_int_equal(statements_of("FETCH FORWARD 12 FROM c", 1)->rows, 12);
    assert_int_equal(statements_of("FETCH c", 1)->rows, 1);
    assert_int_equal(statements_of("FETCH NEXT FROM c", 1)->rows, 1);
    assert_int_equal(statements_of("FETCH 0 FROM c", 1)->rows, 0);
    assert_true(statements_of("MOVE 3 IN c", 1)->move);
    assert_true(statements_of("FETCH PRIOR FROM c", 1)->backward);
    assert_true(statements_of("FETCH ABSOLUTE 3 FROM c", 1)->backward);
    assert_true(statements_of("FETCH -3 FROM c", 1)->backward);
    assert_false(statements_of("FETCH 3 FROM c", 1)->backward);
}

static void a_text_is_cut_at_its_semicolons_alone(void **state)
{
    (void)state;
    const char *text = "SELECT ';' -- ; not here\n; ;BEGIN;\n SELECT $2, '$9', $1";
    const struct sql_statement *list = statements_of(text, 3);
    assert_int_equal(list[0].begin, 0);
    assert_int_equal(list[0].length, strlen("SELECT ';'"));
    assert_int_equal(list[1].kind, SQL_SAYS_BEGIN);
    assert_memory_equal(text + list[2].begin, "SELECT $2", 9);
    assert_int_equal(list[2].parameter_count, 2);
    (void)statements_of("", 0);
    (void)statements_of(" ; -- nothing\n", 0);
}

static void explain_knows_where_its_question_begins(void **state)
{
    (void)state;
    static const struct {
        const char *text, *question;
        bool json, analyze;
    } cases[] = {
        {"EXPLAIN SELECT 1", "SELECT 1", false, false},
        {"explain verbose select 1", "select 1", false, false},
        {"EXPLAIN ANALYZE VERBOSE SELECT 1", "SELECT 1", false, true},
        {"EXPLAIN (FORMAT JSON) SELECT 1", "SELECT 1", true, false},
        {"EXPLAIN (ANALYZE, FORMAT TEXT) SELECT 1", "SELECT 1", false, true},
        {"EXPLAIN (SELECT analyze FROM json)", "(SELECT analyze FROM json)", false, false},
        {"EXPLAIN ((SELECT 1))", "((SELECT 1))", false, false},
        {"EXPLAIN", "", false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct sql_statement *list = statements_of(cases[i].text, 1);
        assert_int_equal(list->kind, SQL_SAYS_EXPLAIN);
        assert_string_equal(cases[i].text + list->question, cases[i].question);
        assert_int_equal(list->json, cases[i].json);
        assert_int_equal(list->analyze, cases[i].analyze);
    }
}

static void errors_have_their_place_in_the_whole_text(void **state)
{
    (void)state;
    const struct sql_statement *list = NULL;
    size_t count = 0;
    error why;
    const char *text = "SELECT '\xc3\xa4'; SET = 5";
    arena_free(&arena);
    arena_init(&arena, SQL_ARENA_BYTES);
    assert_int_equal(sql_statements(text, strlen(text), &arena, &list, &count, &why), DITHER_INVALID);
    assert_int_equal(why.position, 16); /* the = */
    assert_int_equal(sql_statements("SELECT 'x", 9, &arena, &list, &count, &why), DITHER_INVALID);
    assert_int_equal(why.position, 7);
    assert_int_equal(sql_statements("a\0b", 3, &arena, &list, &count, &why), DITHER_INVALID);
}

/* ---- Parameters ---- */

static status describe(const char *text, const struct sql_parameters *parameters, struct buffer *out,
                       error *why)
{
    const struct sql_plan *plan = NULL;
    struct sql_options options = {.max_groups = 0};
    const struct sql_catalogue *catalogue = catalogue_of(catalogue_hospital, &arena);
    TRY(sql_plan_bound(text, strlen(text), parameters, catalogue, &options, &arena, &plan, why));
    sql_describe_relation(out, plan->result);
    return buffer_check(out, why);
}

static void expect_same(const char *bound, const struct sql_value *values, size_t count, const char *literal)
{
    struct sql_parameters parameters = {.values = values, .count = count};
    struct buffer one, other;
    error why;
    arena_free(&arena);
    arena_init(&arena, SQL_ARENA_BYTES);
    buffer_init(&one, 1 << 20);
    buffer_init(&other, 1 << 20);
    if (describe(bound, &parameters, &one, &why) != DITHER_OK)
        fail_msg("%s: %s", bound, why.message);
    if (describe(literal, NULL, &other, &why) != DITHER_OK)
        fail_msg("%s: %s", literal, why.message);
    assert_string_equal(one.data, other.data);
    buffer_free(&one);
    buffer_free(&other);
}

static void parameters_are_as_good_as_literals(void **state)
{
    (void)state;
    const struct sql_value age = {.type = SQL_INTEGER, .whole = 40},
                           large = {.type = SQL_INTEGER, .whole = -5000000000};
    const struct sql_value ten = {.type = SQL_REAL, .real = 10}, date = {.type = SQL_DATE, .whole = 19782};
    const struct sql_value nasty = {.type = SQL_UNKNOWN, .text = "x' OR '1'='1"},
                           number = {.type = SQL_UNKNOWN, .text = "40"};
    const struct sql_value truth = {.type = SQL_BOOLEAN, .whole = 1},
                           null = {.type = SQL_INTEGER, .null = true};
    expect_same("SELECT count(*) FROM patients WHERE age > $1", &age, 1,
                "SELECT count(*) FROM patients WHERE age > 40");
    expect_same("SELECT count(*) FROM patients WHERE age > $1", &number, 1,
                "SELECT count(*) FROM patients WHERE age > '40'");
    expect_same("SELECT count(*) FROM patients WHERE age-$1 > 0", &large, 1,
                "SELECT count(*) FROM patients WHERE age - (-5000000000) > 0");
    expect_same("SELECT age/$1 AS k, count(*) FROM patients GROUP BY age/$1",
                &(struct sql_value){.type = SQL_INTEGER, .whole = 10}, 1,
                "SELECT age/10 AS k, count(*) FROM patients GROUP BY age/10");
    expect_same("SELECT age/$1 FROM (SELECT 7 AS age) t", &ten, 1,
                "SELECT age/10.0 FROM (SELECT 7 AS age) t");
    expect_same("SELECT count(*) FROM patients WHERE region = $1", &nasty, 1,
                "SELECT count(*) FROM patients WHERE region = 'x'' OR ''1''=''1'");
    expect_same("SELECT $1", &date, 1, "SELECT date '2024-02-29'");
    expect_same("SELECT $1, $2", (const struct sql_value[]){truth, null}, 2,
                "SELECT true, CAST(NULL AS bigint)");
    expect_same("SELECT x FROM (VALUES (1), (2)) t(x) ORDER BY x LIMIT $1",
                &(struct sql_value){.type = SQL_INTEGER, .whole = 1}, 1,
                "SELECT x FROM (VALUES (1), (2)) t(x) ORDER BY x LIMIT 1");
    expect_same("SELECT $1",
                &(struct sql_value){.type = SQL_INTERVAL, .whole = -1500000, .days = 2, .months = -1}, 1,
                "SELECT interval '-1 months 2 days -1.5 seconds'");
}

/* What PostgreSQL's PREPARE says of the same question, but for float8 where it says numeric, and int8 where it says int4. */
static void parameters_get_their_types_from_where_they_stand(void **state)
{
    (void)state;
    static const char text[] =
        "SELECT '\xc3\xa4', $9, count(*) FROM patients WHERE age > $1 AND region = $2 AND born >= $3 AND "
        "salary BETWEEN $4 AND 5.5 AND insured = $5 AND age + $6 > 0 AND age IN (1, $7) AND "
        "$8::timestamp IS NOT NULL AND $1 < 100 AND coalesce(disease, $10) = 'flu'";
    static const enum sql_type wanted[] = {SQL_INTEGER, SQL_TEXT,    SQL_DATE,      SQL_REAL, SQL_BOOLEAN,
                                           SQL_INTEGER, SQL_INTEGER, SQL_TIMESTAMP, SQL_TEXT, SQL_TEXT};
    enum { COUNT = sizeof wanted / sizeof wanted[0] };
    struct sql_value values[COUNT];
    enum sql_type found[COUNT];
    struct sql_parameters parameters = {values, COUNT, found};
    struct buffer out;
    error why;
    for (size_t i = 0; i < COUNT; i++)
        values[i] = (struct sql_value){.type = SQL_UNKNOWN, .null = true};
    arena_free(&arena);
    arena_init(&arena, SQL_ARENA_BYTES);
    buffer_init(&out, 1 << 20);
    if (describe(text, &parameters, &out, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    for (size_t i = 0; i < COUNT; i++)
        if (found[i] != wanted[i])
            fail_msg("$%zu: %s", i + 1, sql_type_name(found[i]));
    buffer_free(&out);
}

static void a_parameter_without_a_value_is_refused(void **state)
{
    (void)state;
    const struct sql_value one = {.type = SQL_INTEGER, .whole = 1};
    struct sql_parameters parameters = {.values = &one, .count = 1};
    struct buffer out;
    error why;
    arena_free(&arena);
    arena_init(&arena, SQL_ARENA_BYTES);
    buffer_init(&out, 1 << 20);
    assert_int_equal(describe("SELECT $1 + $2", &parameters, &out, &why), DITHER_INVALID);
    assert_string_equal(why.message, "there is no parameter $2");
    assert_int_equal(why.position, 12);
    assert_int_equal(describe("SELECT $0", &parameters, &out, &why), DITHER_INVALID);
    assert_int_equal(describe("SELECT $1", NULL, &out, &why), DITHER_INVALID);
    buffer_free(&out);
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_statements_are_understood),
        cmocka_unit_test(cursors_are_read),
        cmocka_unit_test(a_text_is_cut_at_its_semicolons_alone),
        cmocka_unit_test(explain_knows_where_its_question_begins),
        cmocka_unit_test(errors_have_their_place_in_the_whole_text),
        cmocka_unit_test(parameters_are_as_good_as_literals),
        cmocka_unit_test(parameters_get_their_types_from_where_they_stand),
        cmocka_unit_test(a_parameter_without_a_value_is_refused),
    };
    arena_init(&arena, SQL_ARENA_BYTES);
    return cmocka_run_group_tests(tests, NULL, tear_down);
}
