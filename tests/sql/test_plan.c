/* Whole questions to plans, without an engine: what is released and how often, what is refused and where, that
 * settings and text only tighten, and that deep or odd questions end in an answer or a refusal. Expected numbers and
 * positions are counted by hand. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sql/plan.h"
#include "sql/print.h"
#include "tests/support/catalogue.h"
#include "tests/support/test.h"

struct bench {
    struct arena catalogue_arena, arena;
    const struct sql_catalogue *catalogue;
    struct sql_options options;
    error why;
};

static int set_up(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    arena_init(&bench->catalogue_arena, SQL_ARENA_BYTES);
    bench->catalogue = catalogue_of(catalogue_hospital, &bench->catalogue_arena);
    arena_init(&bench->arena, SQL_ARENA_BYTES);
    *state = bench;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *bench = *state;
    arena_free(&bench->arena);
    arena_free(&bench->catalogue_arena);
    free(bench);
    return 0;
}

static status try_plan(struct bench *bench, const char *text, const struct sql_plan **plan)
{
    arena_free(&bench->arena);
    arena_init(&bench->arena, SQL_ARENA_BYTES);
    bench->why = (error){.position = -7};
    return sql_plan(text, strlen(text), bench->catalogue, &bench->options, &bench->arena, plan, &bench->why);
}

static const struct sql_plan *plan_of(struct bench *bench, const char *text)
{
    const struct sql_plan *plan = NULL;
    if (try_plan(bench, text, &plan) != DITHER_OK)
        fail_msg("%s\n  %s (at %d)", text, bench->why.message, bench->why.position);
    return plan;
}

static void expect_refusal(struct bench *bench, const char *text, int position, const char *words)
{
    const struct sql_plan *plan = NULL;
    status result = try_plan(bench, text, &plan);
    if ((result != DITHER_REFUSED && result != DITHER_INVALID) || bench->why.position != position ||
        strstr(bench->why.message, words) == NULL)
        fail_msg("%s\n  wanted at %d: %s\n  got %d at %d: %s", text, position, words, (int)result,
                 bench->why.position, result == DITHER_OK ? "a plan" : bench->why.message);
}

/* ---- What is refused ---- */

static void rows_of_people_are_not_shown(void **state)
{
    struct bench *bench = *state;
    expect_refusal(bench, "SELECT * FROM patients", 7, "would show private rows");
    expect_refusal(bench, "SELECT age FROM patients", 7, "would show private rows");
    expect_refusal(bench, "SELECT 1 FROM patients WHERE age > 3", 7, "would show private rows");
    expect_refusal(bench, "TABLE patients", -1, "would show private rows");
    expect_refusal(bench, "SELECT patient_id, count(*) FROM visits GROUP BY patient_id", 7,
                   "would show private rows");
    expect_refusal(bench, "WITH a AS (SELECT * FROM visits) SELECT cost FROM a ORDER BY cost", 40,
                   "would show private rows");
    expect_refusal(bench, "SELECT age FROM patients UNION ALL SELECT age FROM patients", 7,
                   "would show private rows");
    expect_refusal(bench, "SELECT p.age FROM clinics c JOIN patients p ON p.age = c.clinic_id", 7,
                   "would show private rows");
}

static void public_rows_may_be_shown_and_cost_nothing(void **state)
{
    struct bench *bench = *state;
    static const char *const questions[] = {"SELECT * FROM clinics", "SELECT 1 + 1",
                                            "VALUES (1, 'a'), (2, 'b')",
                                            "SELECT city, count(*) FROM clinics GROUP BY city"};
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++) {
        const struct sql_plan *plan = plan_of(bench, questions[i]);
        assert_int_equal(plan->result->place, SQL_PUBLIC);
        assert_int_equal(plan->release_count, 0);
    }
}

/* ---- What is released ---- */

static void releases_are_counted_by_what_is_needed(void **state)
{
    struct bench *bench = *state;
    static const struct {
        const char *text;
        size_t releases;
    } cases[] = {
        {"SELECT count(*) FROM patients", 1},
        {"SELECT region, count(*), avg(age), sum(salary) FROM patients GROUP BY region", 1},
        {"SELECT (SELECT count(*) FROM patients), (SELECT count(*) FROM visits)", 2},
        {"WITH r AS (SELECT count(*) AS n FROM patients) SELECT a.n - b.n FROM r a, r b", 1},
        {"WITH r AS (SELECT count(*) AS n FROM patients) SELECT 1", 0},
        {"WITH r AS (SELECT count(*) AS n FROM patients), s AS (SELECT n FROM r) SELECT 2 AS two", 0},
        {"SELECT count(*) FROM patients WHERE age > (SELECT avg(age) FROM patients)", 2},
        {"SELECT count(*) FROM patients UNION ALL SELECT count(*) FROM visits", 2},
        /* word for word the same sub-select is one */
        {"SELECT (SELECT count(*) FROM patients) - (SELECT  count( * )  FROM patients)", 1},
        {"SELECT (SELECT count(*) FROM patients), (SELECT count(*) FROM patients WHERE age > 3)", 2},
        {"SELECT (SELECT count(*) FROM patients), EXISTS (SELECT count(*) FROM patients)", 2},
        {"SELECT age > (SELECT avg(age) FROM patients) AS old, count(*) FROM patients GROUP BY old", 2},
        {"SELECT age > (SELECT avg(age) FROM patients), count(*) FROM patients GROUP BY age > (SELECT "
         "avg(age) FROM "
         "patients) ORDER BY 1",
         2},
        /* the same words under another WITH are not */
        {"WITH t AS (SELECT * FROM patients) SELECT (SELECT count(*) FROM t), x.n FROM (WITH t AS (SELECT * "
         "FROM "
         "visits) SELECT (SELECT count(*) FROM t) AS n) x",
         2},
        /* one that was bound for a WITH that nobody reads is bound again */
        {"SELECT x.a, (SELECT count(*) FROM patients) FROM (WITH w AS (SELECT (SELECT count(*) FROM "
         "patients)) SELECT "
         "1 AS a) x",
         1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct sql_plan *plan = plan_of(bench, cases[i].text);
        if (plan->release_count != cases[i].releases)
            fail_msg("%s: %zu releases", cases[i].text, plan->release_count);
        for (size_t r = 1; r < plan->release_count; r++)
            assert_true(plan->releases[r - 1]->number < plan->releases[r]->number);
        assert_int_not_equal(plan->result->place, SQL_TAGGED);
    }
}

static void an_inner_release_runs_before_the_one_that_uses_it(void **state)
{
    struct bench *bench = *state;
    const struct sql_plan *plan =
        plan_of(bench, "SELECT count(*) FROM visits WHERE cost > (SELECT avg(age) FROM patients)");
    assert_int_equal(plan->release_count, 2);
    struct buffer words;
    buffer_init(&words, 1 << 20);
    sql_describe_relation(&words, plan->releases[0]->input);
    assert_non_null(strstr(words.data, "patients"));
    assert_null(strstr(words.data, "visits"));
    buffer_free(&words);
}

/* The engine's text of the second release has no private sub-select of the first: its rows come as values. */
static void a_release_inside_a_release_is_printed_as_values(void **state)
{
    struct bench *bench = *state;
    const struct sql_plan *plan = plan_of(
        bench, "SELECT count(*) FROM visits v JOIN (SELECT region, count(*) AS n FROM patients GROUP BY "
               "region) r ON r.n > v.cost");
    assert_int_equal(plan->release_count, 2);
    struct buffer text;
    buffer_init(&text, 1 << 20);
    struct sql_printer printer = {.dialect = &sql_duckdb, .buffer = &text};
    sql_print_relation(&printer, plan->releases[1]->input);
    assert_int_equal(buffer_check(&text, NULL), DITHER_OK);
    const char *comment = strstr(text.data, "/*");
    assert_non_null(comment);
    assert_null(strstr(strstr(comment, "*/"), "\"patients\""));
    buffer_free(&text);
}

static size_t visible_columns(const struct sql_relation *relation)
{
    size_t count = 0;
    for (size_t i = 0; i < relation->column_count; i++)
        count += !relation->columns[i].hidden;
    return count;
}

/* Keys, calls, then the bits of the keys that are left out, which nobody sees but GROUPING. */
static void grouping_can_be_asked_of_every_set(void **state)
{
    struct bench *bench = *state;
    const struct sql_plan *plan = plan_of(
        bench,
        "SELECT region, insured, avg(age), grouping(region, insured) AS bits FROM patients GROUP BY CUBE "
        "(region, insured) HAVING count(*) > 0");
    assert_int_equal(visible_columns(plan->result), 4);
    assert_string_equal(plan->result->columns[3].name, "bits");
    assert_int_equal(plan->result->columns[3].type, SQL_INTEGER);
    plan = plan_of(bench,
                   "SELECT * FROM (SELECT region, count(*) AS n FROM patients GROUP BY ROLLUP (region)) t");
    assert_int_equal(visible_columns(plan->result), 2);
}

/* ---- Options ---- */

static struct decimal decimal_of(const char *text)
{
    struct decimal value;
    assert_int_equal(decimal_parse(text, &value, NULL), DITHER_OK);
    return value;
}

static void of_settings_and_text_the_smaller_holds(void **state)
{
    struct bench *bench = *state;
    const char *text = "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=0.5, delta=1e-7, "
                       "max_groups_contributed=2, other=true) count(*) FROM patients";
    bench->options = (struct sql_options){.epsilon = decimal_of("0.2"),
                                          .delta = decimal_of("0.1"),
                                          .max_groups = 5,
                                          .max_rows = 7,
                                          .non_negative = true};
    const struct sql_options *made = &plan_of(bench, text)->options;
    assert_int_equal(decimal_compare(made->epsilon, decimal_of("0.2")), 0);
    assert_int_equal(decimal_compare(made->delta, decimal_of("0.0000001")), 0);
    assert_true(decimal_is_zero(made->rho));
    assert_int_equal(made->max_groups, 2);
    assert_int_equal(made->max_rows, 7);
    assert_true(made->other && made->non_negative);
    bench->options = (struct sql_options){.max_groups = 0};
    made = &plan_of(bench, text)->options;
    assert_int_equal(decimal_compare(made->epsilon, decimal_of("0.5")), 0);
    assert_int_equal(made->max_groups, 2);
    assert_int_equal(made->max_rows, 0);
    assert_false(made->non_negative);
}

static void options_cannot_loosen_what_the_policy_says(void **state)
{
    struct bench *bench = *state;
    const struct sql_plan *plan =
        plan_of(bench, "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(max_groups_contributed=1000, "
                       "max_rows_contributed=1000) clinic_id, count(*) FROM visits GROUP BY clinic_id");
    assert_int_equal(plan->releases[0]->max_groups, 3);
    assert_int_equal(plan->releases[0]->max_rows, 20);
    plan = plan_of(bench, "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(max_groups_contributed=2, "
                          "max_rows_contributed=4) clinic_id, count(*) FROM visits GROUP BY clinic_id");
    assert_int_equal(plan->releases[0]->max_groups, 2);
    assert_int_equal(plan->releases[0]->max_rows, 4);
}

/* ---- Deep and odd ---- */

static void grow(char *text, size_t room, const char *head, const char *link, size_t count,
                 const char *middle, const char *closing, const char *tail)
{
    struct buffer buffer;
    buffer_init(&buffer, room - 1);
    buffer_text(&buffer, head);
    for (size_t i = 0; i < count; i++)
        buffer_text(&buffer, link);
    buffer_text(&buffer, middle);
    for (size_t i = 0; i < count; i++)
        buffer_text(&buffer, closing);
    buffer_text(&buffer, tail);
    assert_false(buffer.failed);
    memcpy(text, buffer.data, buffer.length + 1);
    buffer_free(&buffer);
}

/* The printers go as deep as the binder did. */
static void print_all(const struct sql_plan *plan)
{
    struct buffer text;
    buffer_init(&text, 4 << 20);
    assert_int_not_equal(plan->result->place, SQL_TAGGED);
    struct sql_printer printer = {.dialect = &sql_duckdb, .buffer = &text, .scratch = true};
    sql_print_relation(&printer, plan->result);
    sql_describe_relation(&text, plan->result);
    for (size_t i = 0; i < plan->release_count; i++) {
        printer = (struct sql_printer){.dialect = &sql_duckdb, .buffer = &text};
        sql_print_relation(&printer, plan->releases[i]->input);
    }
    buffer_free(&text);
}

/* Each at the depths around what the parser lets through: the binder has to stand them on an ordinary stack. */
static void deep_questions_end_in_a_plan_or_a_refusal(void **state)
{
    struct bench *bench = *state;
    static const struct {
        const char *head, *link, *middle, *closing, *tail;
    } chains[] = {
        {"SELECT count(*) FROM patients WHERE age", "+1", "", "", " > 3"},
        {"SELECT count(*) FROM patients WHERE ", "(", "age", ")", " > 3"},
        {"SELECT sum(", "-", "age", "", ") FROM patients"},
        {"SELECT sum(", "- ", "age", "", ") FROM patients"},
        {"SELECT sum(", "abs(", "age", ")", ") FROM patients"},
        {"SELECT count(*) FROM patients WHERE ", "NOT ", "insured", "", ""},
        {"SELECT count(*) FROM patients WHERE ", "NOT (", "insured", ")", ""},
        {"SELECT count(*) FROM patients WHERE insured", " IS NOT NULL", "", "", ""},
        {"SELECT count(*) FROM patients WHERE region", "||'a'", "", "", " = 'x'"},
        {"SELECT count(*) FROM patients WHERE ", "lower(", "region", ")", " = 'x'"},
        {"SELECT count(*) FROM patients WHERE age", "::bigint", "", "", " > 3"},
        {"SELECT sum(", "CASE WHEN insured THEN ", "age", " ELSE 0 END", ") FROM patients"},
        {"SELECT sum(", "CASE WHEN age > 3 THEN 1 ELSE ", "age", " END", ") FROM patients"},
        {"SELECT sum(", "coalesce(age, ", "age", ")", ") FROM patients"},
        {"SELECT sum(", "least(age, ", "age", ")", ") FROM patients"},
        {"SELECT count(*) FROM patients WHERE insured", " AND (insured", "", ")", ""},
        {"SELECT count(*) FROM patients WHERE insured", " AND insured", "", "", ""},
        {"SELECT count(*) FROM patients WHERE insured", " OR insured AND age > 3", "", "", ""},
        {"SELECT count(*) FROM ", "(SELECT * FROM ", "patients", ") t", ""},
        {"SELECT count(*) FROM ", "(SELECT age + 1 AS age, patient_id FROM ", "patients", ") t", ""},
        {"SELECT count(*) FROM ", "(SELECT t.age + t.age AS age, patient_id FROM ", "patients t", ") t", ""},
        {"", "SELECT max(n) AS n FROM (", "SELECT count(*) AS n FROM patients", ") t", ""},
        {"", "SELECT (", "SELECT count(*) FROM patients", ")", ""},
        {"SELECT count(*) FROM patients p WHERE ",
         "EXISTS (SELECT 1 FROM visits p WHERE patient_id = p.patient_id AND ", "true", ")", ""},
        {"SELECT count(*) FROM patients p WHERE ", "patient_id IN (SELECT patient_id FROM visits p WHERE ",
         "true", ")", ""},
        {"SELECT count(*) FROM patients p WHERE ", "age > (SELECT count(*) FROM patients WHERE ", "true", ")",
         ""},
        {"SELECT count(*) FROM patients", " UNION ALL SELECT count(*) FROM patients", "", "", ""},
        {"SELECT count(*) FROM clinics", " UNION SELECT count(*) FROM clinics", "", "", ""},
        {"SELECT count(*) FROM (SELECT patient_id FROM patients",
         " UNION ALL SELECT patient_id FROM patients", "", "", ") t"},
        {"SELECT count(*) FROM patients", " NATURAL JOIN clinics", "", "", ""},
        {"SELECT count(*) FROM clinics", " CROSS JOIN (SELECT 1) t", "", "", ""},
        {"WITH ", "a AS (SELECT 1), ", "b AS (SELECT 1)", "", " SELECT * FROM b"},
        {"SELECT count(*) FROM patients GROUP BY ", "(", "age", ")", ""},
        {"SELECT count(*) FROM patients GROUP BY GROUPING SETS (", "(age), ", "()", "", ")"},
        {"SELECT count(*) FROM patients GROUP BY GROUPING SETS (", "GROUPING SETS (", "age", ")", ")"},
        {"SELECT count(*) FROM patients GROUP BY ", "age + 1, ", "age", "", ""},
        {"SELECT ", "count(*), ", "count(*)", "", " FROM patients"},
        {"SELECT ", "avg(age + 1) + ", "1", "", " FROM patients"},
        {"SELECT ", "sum(", "1", ")", " FROM patients"},
        {"SELECT count(*) FROM patients ORDER BY ", "1, ", "1", "", ""},
        {"SELECT count(*) FILTER (WHERE ", "age > 3 AND ", "true", "", ") FROM patients"},
        {"SELECT count(*) FROM patients WHERE age IN (", "1, ", "1", "", ")"},
        {"SELECT ", "row_number() OVER (ORDER BY ", "1", ")", ""},
        {"SELECT count(*) FROM patients WHERE age BETWEEN ", "1 AND age BETWEEN ", "1 AND 2", "", ""},
        {"SELECT ", "extract(year FROM ", "born", ")", " FROM patients"},
        {"VALUES ", "(1, 2), ", "(1, 2)", "", ""},
        {"SELECT (", "1, ", "1", "", ")"},
        {"SELECT ARRAY[", "1, ", "1", "", "]"},
    };
    static const size_t depths[] = {1, 2, 7, 60, 190, 255, 380, 395};
    char *text = malloc(SQL_TEXT_BYTES + 1);
    for (size_t i = 0; i < sizeof chains / sizeof chains[0]; i++) {
        for (size_t d = 0; d < sizeof depths / sizeof depths[0]; d++) {
            const struct sql_plan *plan = NULL;
            grow(text, SQL_TEXT_BYTES + 1, chains[i].head, chains[i].link, depths[d], chains[i].middle,
                 chains[i].closing, chains[i].tail);
            status result = try_plan(bench, text, &plan);
            if (result != DITHER_OK && result != DITHER_INVALID && result != DITHER_REFUSED)
                fail_msg("%.60s... of depth %zu: %d %s", text, depths[d], (int)result, bench->why.message);
            if (result == DITHER_OK)
                print_all(plan);
            else
                assert_true(bench->why.message[0] != '\0' && bench->why.position >= -1 &&
                            bench->why.position <= (int)strlen(text));
        }
    }
    free(text);
}

/* Each CTE names the one before it twice: 2^30 when written out. */
static void a_question_that_doubles_with_every_step_is_planned_quickly(void **state)
{
    struct bench *bench = *state;
    struct buffer text;
    const struct sql_plan *plan = NULL;
    buffer_init(&text, SQL_TEXT_BYTES);
    buffer_text(&text, "WITH c0 AS (SELECT count(*) AS n FROM patients)");
    for (int i = 1; i <= 30; i++)
        buffer_format(&text, ", c%d AS (SELECT a.n + b.n AS n FROM c%d a, c%d b)", i, i - 1, i - 1);
    buffer_text(&text, " SELECT n FROM c30");
    status result = try_plan(bench, text.data, &plan);
    if (result == DITHER_OK)
        assert_int_equal(plan->release_count, 1);
    buffer_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(rows_of_people_are_not_shown),
        TEST(public_rows_may_be_shown_and_cost_nothing),
        TEST(releases_are_counted_by_what_is_needed),
        TEST(an_inner_release_runs_before_the_one_that_uses_it),
        TEST(a_release_inside_a_release_is_printed_as_values),
        TEST(grouping_can_be_asked_of_every_set),
        TEST(of_settings_and_text_the_smaller_holds),
        TEST(options_cannot_loosen_what_the_policy_says),
        TEST(deep_questions_end_in_a_plan_or_a_refusal),
        TEST(a_question_that_doubles_with_every_step_is_planned_quickly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
