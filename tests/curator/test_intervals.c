/* Intervals: that there is one for every kind of arithmetic after a release, that they hold the truth as often as they
 * say (fixed random source, a stated threshold), that a number that cancels has none of its noise, and that where a
 * denominator may be 0 nothing is claimed. On the made-up hospital of asked.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/asked.h"
#include "tests/support/test.h"

static struct asked asked;

static int begin(void **state)
{
    (void)state;
    asked_open(&asked, 4000,
               "  epsilon: 1000\n  delta: 1e-6\n  per_question: 2\n  delta_per_question: 1e-9\n", "");
    return 0;
}

static int end(void **state)
{
    (void)state;
    asked_close(&asked);
    return 0;
}

static struct curator_interval interval(size_t row, size_t column)
{
    return asked.answer->intervals[row * asked.answer->column_count + column];
}

static double number(size_t row, size_t column)
{
    const struct sql_value *value = sql_rows_cell(&asked.answer->rows, row, column);
    return value->type == SQL_REAL ? value->real : (double)value->whole;
}

/* Every noisy cell has an interval, which holds the number shown and has a width. */
static void expect_intervals(const char *text)
{
    asked_question(&asked, text);
    assert_true(asked.answer->rows.row_count > 0);
    for (size_t row = 0; row < asked.answer->rows.row_count; row++)
        for (size_t i = 0; i < asked.answer->column_count; i++) {
            struct curator_interval found = interval(row, i);
            if (found.known != asked.answer->columns[i].noisy)
                fail_msg("%s: row %zu, column %zu has %s interval", text, row, i, found.known ? "an" : "no");
            if (found.known && !(found.lower < found.upper && found.lower <= number(row, i) &&
                                 number(row, i) <= found.upper))
                fail_msg("%s: row %zu, column %zu: %g is not in %g to %g", text, row, i, number(row, i),
                         found.lower, found.upper);
        }
}

static void every_kind_of_arithmetic_has_intervals(void **state)
{
    (void)state;
    static const char *const questions[] = {
        "SELECT count(*) FROM people",
        "SELECT region, count(*), avg(age), sum(salary) * 2 + 1 AS s FROM people GROUP BY region",
        "SELECT region, stddev_samp(age) FROM people GROUP BY region",
        "SELECT region, count(*) AS n FROM people GROUP BY region HAVING count(*) > 10 ORDER BY n DESC LIMIT "
        "3",
        "WITH r AS (SELECT region, count(*) AS n FROM people GROUP BY region) "
        "SELECT region, n::float8 / (SELECT sum(n) FROM r) AS share FROM r ORDER BY share",
        "WITH r AS (SELECT region, count(*) AS n FROM people GROUP BY region) "
        "SELECT sum(n) AS total, max(n) - min(n) AS spread FROM r",
        "WITH r AS (SELECT region, count(*) AS n FROM people GROUP BY region) "
        "SELECT region, sum(n) OVER (ORDER BY region) AS running FROM r",
        "SELECT a.n - b.n AS difference FROM (SELECT count(*) AS n FROM people WHERE age < 50) a, "
        "(SELECT count(*) AS n FROM people WHERE age >= 50) b",
        "SELECT region, count(*) AS n FROM people GROUP BY ROLLUP (region)",
        "SELECT x.region, x.n + y.n AS both_ages FROM "
        "(SELECT region, count(*) AS n FROM people WHERE age < 50 GROUP BY region) x JOIN "
        "(SELECT region, count(*) AS n FROM people WHERE age >= 50 GROUP BY region) y ON x.region = y.region",
        "SELECT region, count(*) AS n, sqrt(count(*)) AS root, CASE WHEN count(*) > 100 THEN count(*) ELSE 0 "
        "END AS c "
        "FROM people GROUP BY region",
        "SELECT count(*) FILTER (WHERE age < 30)::float8 / count(*) AS young FROM people",
    };
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++)
        expect_intervals(questions[i]);
}

/* The key is not selected, so that only hidden columns tell the rows apart. Salary may be NULL, and region may be
 * left out by ROLLUP: rows of several sets with the same keys. */
static void rows_whose_keys_are_not_selected_have_intervals(void **state)
{
    (void)state;
    static const char *const questions[] = {
        "SELECT avg(age) AS a FROM people GROUP BY region",
        "SELECT count(*) / 2 AS n FROM people GROUP BY region, age / 50 ORDER BY 1 LIMIT 3",
        "SELECT avg(age) AS a, count(*) AS n FROM people GROUP BY ROLLUP (region, age / 50)",
        "SELECT count(*) AS n FROM people GROUP BY ROLLUP (CASE WHEN age > 50 THEN region END)",
        "SELECT CASE WHEN age > 50 THEN region END AS r, avg(age) AS n FROM people GROUP BY CUBE (1)",
        "SELECT a * 2 AS b FROM (SELECT avg(age) AS a FROM people GROUP BY region) AS t WHERE a > 0",
        "WITH r AS (SELECT avg(age) AS a FROM people GROUP BY region) SELECT r.a - 1 AS b FROM r, clinics",
        "SELECT clinic * (SELECT avg(age) FROM people) + clinic AS x FROM clinics WHERE clinic > 0",
        "SELECT n * 1.5 AS m FROM (SELECT * FROM (SELECT count(*) AS n FROM people GROUP BY age / 10) AS u) "
        "AS t",
    };
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++)
        expect_intervals(questions[i]);
    /* these compare or count rows, and so must not see hidden columns */
    asked_question(&asked, "SELECT DISTINCT 1 + 0 * count(*) AS one FROM people GROUP BY region");
    assert_int_equal(asked.answer->rows.row_count, 1);
    asked_question(&asked, "SELECT 0 * count(*) AS zero FROM people GROUP BY region UNION "
                           "SELECT 0 * count(*) FROM people GROUP BY age / 10");
    assert_int_equal(asked.answer->rows.row_count, 1);
    asked_question(&asked,
                   "SELECT DISTINCT zero FROM (SELECT 0 * count(*) AS zero FROM people GROUP BY region "
                   "UNION ALL SELECT 0 * count(*) FROM people GROUP BY age / 10) AS t");
    assert_int_equal(asked.answer->rows.row_count, 1);
    asked_question(&asked, "SELECT * FROM (SELECT avg(age) AS a FROM people GROUP BY region) AS t");
    assert_int_equal(asked.answer->column_count, 1);
}

/* 40 people of each age. Their salaries: person i has i % 1000, unless i % 10 is 0. Of 100 intervals 95 hold the
 * truth on average; 87 or fewer happen once in a thousand times. */
static void intervals_hold_the_truth_as_often_as_they_say(void **state)
{
    (void)state;
    size_t held[3] = {0};
    asked_question(&asked,
                   "SELECT age, count(*), sum(salary), avg(salary) FROM people GROUP BY age ORDER BY age");
    assert_int_equal(asked.answer->rows.row_count, 100);
    for (size_t age = 0; age < 100; age++) {
        double sum = 0, count = 0;
        for (size_t i = age; i < 4000; i += 100)
            if (i % 10 != 0) {
                sum += (double)(i % 1000);
                count++;
            }
        double truth[3] = {40, sum, count > 0 ? sum / count : 0};
        for (size_t i = 0; i < 3; i++) {
            struct curator_interval found = interval(age, i + 1);
            assert_true(found.known);
            held[i] +=
                (i == 2 && count == 0) || (found.lower - 1e-2 <= truth[i] && truth[i] <= found.upper + 1e-2);
        }
    }
    for (size_t i = 0; i < 3; i++)
        if (held[i] < 88)
            fail_msg("column %zu: %zu of 100", i, held[i]);
}

static const char *asked_text(const char *text)
{
    asked_question(&asked, text);
    return asked_rows(&asked);
}

static status ask_at(const char *text, double confidence)
{
    return asked_try(&asked, &(struct curator_question){.text = text, .confidence = confidence});
}

/* The least w with P(|X| > w) = 2 a^(w+1) / (1 + a) <= 1 - confidence, where a = e^-epsilon. */
static double geometric_width(double epsilon, double confidence)
{
    double a = exp(-epsilon), w = 0;
    while (2 * pow(a, w + 1) / (1 + a) > 1 - confidence)
        w++;
    return w;
}

static void a_confidence_chooses_intervals_and_nothing_else(void **state)
{
    (void)state;
    static const char *const text = "SELECT count(*) FROM people WHERE age > 77";
    static const double levels[] = {0.5, 0.8, 0.9, 0.95, 0.99};
    char first[40];
    snprintf(first, sizeof first, "%s", asked_text(text));
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        assert_int_equal(ask_at(text, levels[i]), DITHER_OK);
        assert_string_equal(asked_rows(&asked), first); /* the same release, which was paid for */
        assert_true(asked.answer->cached);
        assert_true(asked.answer->confidence == levels[i]);
        double width = geometric_width(2, levels[i]);
        assert_true(interval(0, 0).upper - interval(0, 0).lower == 2 * width);
    }
    assert_int_equal(ask_at(text, 0.995), DITHER_INVALID);
    assert_int_equal(ask_at(text, 0.4), DITHER_INVALID);
    assert_int_equal(ask_at(text, NAN), DITHER_INVALID);
}

/* Half of the intervals hold at 0.5: 33 to 67 of 100 but for two times in a thousand. */
static void drawn_intervals_follow_the_confidence(void **state)
{
    (void)state;
    size_t held = 0;
    assert_int_equal(
        ask_at("SELECT age, avg(salary) FROM people WHERE id % 10 <> 0 GROUP BY age ORDER BY age", 0.5),
        DITHER_OK);
    for (size_t age = 0; age < 100; age++) {
        double sum = 0;
        for (size_t i = age; i < 4000; i += 100)
            sum += (double)(i % 1000);
        if (age % 10 == 0)
            continue;
        assert_true(interval(age, 1).known);
        held += interval(age, 1).lower <= sum / 40 && sum / 40 <= interval(age, 1).upper;
    }
    if (held < 90 * 33 / 100 || held > 90 * 67 / 100)
        fail_msg("%zu of 90", held);
}

static void what_cancels_is_exact(void **state)
{
    (void)state;
    asked_question(&asked,
                   "WITH r AS (SELECT count(*) AS n FROM people) SELECT a.n - b.n AS zero FROM r a, r b");
    assert_true(number(0, 0) == 0);
    assert_true(interval(0, 0).known && interval(0, 0).lower == 0 && interval(0, 0).upper == 0);
}

/* Nobody is older than 99: the average of nobody's age may be anything that is declared. */
static void where_the_denominator_may_be_zero_nothing_is_claimed(void **state)
{
    (void)state;
    asked_question(&asked, "SELECT avg(age) AS a FROM people WHERE age > 100");
    assert_true(interval(0, 0).known && interval(0, 0).lower == 0 && interval(0, 0).upper == 99);
    /* one person of each age: most counts are not known to be above 0 */
    asked_question(&asked,
                   "SELECT age, count(*) AS n, avg(age) AS a FROM people WHERE id < 100 GROUP BY age");
    size_t unknown = 0;
    for (size_t row = 0; row < 100; row++)
        if (interval(row, 1).lower < -1) {
            unknown++;
            assert_true(interval(row, 2).known && interval(row, 2).lower == 0 &&
                        interval(row, 2).upper == 99);
        }
    assert_true(unknown > 20);
}

static void chosen_values_have_no_interval(void **state)
{
    (void)state;
    asked_question(&asked,
                   "SELECT median(age) AS m, median(age) + count(*) AS both, count(*) AS n FROM people");
    assert_true(!interval(0, 0).known && !interval(0, 1).known && interval(0, 2).known);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_arithmetic_has_intervals),
        cmocka_unit_test(rows_whose_keys_are_not_selected_have_intervals),
        cmocka_unit_test(intervals_hold_the_truth_as_often_as_they_say),
        cmocka_unit_test(a_confidence_chooses_intervals_and_nothing_else),
        cmocka_unit_test(drawn_intervals_follow_the_confidence),
        cmocka_unit_test(what_cancels_is_exact),
        cmocka_unit_test(where_the_denominator_may_be_zero_nothing_is_claimed),
        cmocka_unit_test(chosen_values_have_no_interval),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
