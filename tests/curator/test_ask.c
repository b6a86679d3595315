/* Whole questions: text in, answer out, on a made-up hospital in DuckDB. With a budget so large that there is
 * hardly any noise, answers are compared with what the data are made of (asked.h), reckoned by hand. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/asked.h"
#include "tests/support/test.h"

static struct asked asked;

static int begin(void **state)
{
    (void)state;
    asked_open(&asked, 400, ASKED_NOISELESS, "");
    return 0;
}

static int end(void **state)
{
    (void)state;
    asked_close(&asked);
    return 0;
}

static void expect_rows(const char *text, const char *rows)
{
    asked_question(&asked, text);
    assert_string_equal(asked_rows(&asked), rows);
}

static void counts_are_right_without_noise(void **state)
{
    (void)state;
    expect_rows("SELECT count(*) FROM people", "400");
    expect_rows("SELECT count(salary) FROM people", "360");
    expect_rows("SELECT count(*) FROM people WHERE age < 10", "40");
    expect_rows("SELECT region, count(*) FROM people GROUP BY region ORDER BY region",
                "east,100;north,100;south,100;west,100");
    expect_rows(
        "SELECT region, count(*) AS n FROM people WHERE age < 2 GROUP BY region ORDER BY n DESC, region",
        "north,4;south,4;east,0;west,0");
}

/* 0 + 100 + 200 for the 100 people with three visits, 0 + 100 for those with two. */
static void visits_follow_their_people(void **state)
{
    (void)state;
    expect_rows("SELECT count(*) FROM visits", "600");
    expect_rows("SELECT sum(cost) FROM visits", "40000");
    expect_rows("SELECT count(DISTINCT person) FROM visits", "300");
    expect_rows("SELECT p.region, count(*) FROM people p JOIN visits v ON v.person = p.id GROUP BY p.region "
                "ORDER BY 1",
                "east,200;north,0;south,100;west,300");
    expect_rows("SELECT c.name, count(*) AS n FROM visits v JOIN clinics c ON c.clinic = v.clinic "
                "GROUP BY c.name ORDER BY c.name",
                "abbey,200;bridge,200;castle,200");
}

static void averages_come_with_intervals(void **state)
{
    (void)state;
    asked_question(&asked, "SELECT avg(age) AS a, min(age), max(age) FROM people");
    assert_true(fabs(atof(asked_cell(&asked, 0, 0)) - 49.5) < 1e-6);
    assert_string_equal(asked_cell(&asked, 0, 1), "0");
    assert_string_equal(asked_cell(&asked, 0, 2), "99");
    const struct curator_interval *interval = asked.answer->intervals;
    assert_true(interval[0].known && interval[0].lower <= 49.5 && interval[0].upper >= 49.5);
    assert_true(!interval[1].known && !interval[2].known);
}

static void what_follows_a_release_is_free_sql(void **state)
{
    (void)state;
    expect_rows("WITH r AS (SELECT region, count(*) AS n FROM people WHERE age < 50 GROUP BY region) "
                "SELECT region, n, rank() OVER (ORDER BY region) AS k, n * 2 AS twice, "
                "sum(n) OVER () AS total FROM r WHERE n > 10 ORDER BY region LIMIT 2",
                "east,48,1,96,200;north,52,2,104,200");
    expect_rows(
        "SELECT (SELECT count(*) FROM people) - (SELECT count(*) FROM people WHERE age >= 50) AS young",
        "200");
}

static void public_questions_cost_nothing(void **state)
{
    (void)state;
    expect_rows("SELECT name FROM clinics ORDER BY clinic DESC", "castle;bridge;abbey");
    assert_true(ledger_cost_is_zero(asked.answer->cost));
    expect_rows("SELECT 1 + 1 AS two", "2");
    assert_true(!asked.answer->columns[0].noisy && !asked.answer->intervals[0].known);
}

static void hidden_keys_need_people_behind_them(void **state)
{
    (void)state;
    expect_rows("SELECT disease, count(*) FROM people WHERE id < 399 GROUP BY disease ORDER BY 1",
                "cold,266;flu,133");
}

static void a_release_named_twice_is_drawn_once(void **state)
{
    (void)state;
    expect_rows("WITH r AS (SELECT count(*) AS n FROM people) SELECT a.n - b.n AS zero FROM r a, r b", "0");
}

/* 300 people have been to one clinic or more, and each is counted in one: in which is decided for each release anew. The
 * conditions leave nobody out. */
static void every_release_chooses_groups_anew(void **state)
{
    (void)state;
    char rows[3][256];
    for (size_t i = 0; i < 3; i++) {
        char text[200];
        snprintf(text, sizeof text,
                 "SELECT c.name, count(*) FROM visits v JOIN clinics c ON c.clinic = v.clinic WHERE v.cost < "
                 "%zu GROUP BY c.name ORDER BY c.name",
                 1000 + i);
        struct curator_question question = {.text = text, .settings = {.max_groups = 1}};
        assert_int_equal(asked_try(&asked, &question), DITHER_OK);
        assert_int_equal(asked.answer->rows.row_count, 3);
        assert_int_equal(atoi(asked_cell(&asked, 0, 1)) + atoi(asked_cell(&asked, 1, 1)) +
                             atoi(asked_cell(&asked, 2, 1)),
                         300);
        snprintf(rows[i], sizeof rows[i], "%s", asked_rows(&asked));
    }
    assert_true(strcmp(rows[0], rows[1]) != 0 && strcmp(rows[1], rows[2]) != 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_right_without_noise),
        cmocka_unit_test(visits_follow_their_people),
        cmocka_unit_test(averages_come_with_intervals),
        cmocka_unit_test(what_follows_a_release_is_free_sql),
        cmocka_unit_test(public_questions_cost_nothing),
        cmocka_unit_test(hidden_keys_need_people_behind_them),
        cmocka_unit_test(a_release_named_twice_is_drawn_once),
        cmocka_unit_test(every_release_chooses_groups_anew),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
