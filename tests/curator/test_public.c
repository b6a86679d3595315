/* The C interface of questions: open, ask, walk, explain, retry, close; what a caller can get wrong; the policy's own
 * rules about opening and waiting. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dither.h"
#include "tests/support/asked.h"
#include "tests/support/test.h"

static struct asked asked;
static dither_curator *curator;
static dither_error why;

static dither_status open_it(void)
{
    return dither_open(asked.policy, &(dither_open_options){.state_directory = asked.state, .threads = 1},
                       &curator, &why);
}

/* The fixture's own curator makes way: both would have the ledger. */
static void begin_with(const char *more)
{
    asked_open(&asked, 400, ASKED_ORDINARY, more);
    curator_close(asked.curator);
    asked.curator = NULL;
    curator = NULL;
}

static int begin(void **state)
{
    (void)state;
    begin_with("analysts:\n  alice: {epsilon: 3}\n");
    if (open_it() != DITHER_OK)
        fail_msg("%s", why.message);
    return 0;
}

static int end(void **state)
{
    (void)state;
    dither_close(curator);
    asked_close(&asked);
    return 0;
}

static void an_answer_can_be_walked(void **state)
{
    (void)state;
    dither_answer *answer = NULL;
    dither_amount_text cost, left;
    dither_range interval = {0, 0};
    if (dither_ask(
            curator,
            "SELECT region, count(*) AS n, NULL::text AS nothing FROM people GROUP BY region ORDER BY 1",
            NULL, &answer, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    assert_int_equal(dither_answer_rows(answer), 4);
    assert_int_equal(dither_answer_columns(answer), 3);
    assert_string_equal(dither_column_name(answer, 1), "n");
    assert_string_equal(dither_column_type(answer, 1), "bigint");
    assert_true(dither_column_noisy(answer, 1) && !dither_column_noisy(answer, 0));
    assert_string_equal(dither_cell_text(answer, 0, 0), "east");
    assert_null(dither_cell_text(answer, 0, 2));
    assert_true(isnan(dither_cell_number(answer, 0, 0)) && isnan(dither_cell_number(answer, 0, 2)));
    double n = dither_cell_number(answer, 3, 1);
    assert_true(fabs(n - 100) < 60);
    assert_true(dither_cell_interval(answer, 3, 1, &interval));
    assert_true(interval.lower == n - 6 && interval.upper == n + 6); /* epsilon 0.5 */
    assert_false(dither_cell_interval(answer, 3, 0, &interval));
    dither_answer_cost(answer, &cost);
    dither_answer_left(answer, &left);
    assert_string_equal(cost.epsilon, "0.5");
    assert_string_equal(cost.delta, "0");
    assert_string_equal(left.epsilon, "9.5");
    assert_false(dither_answer_cached(answer));
    /* outside: nothing, and no crash */
    assert_null(dither_cell_text(answer, 4, 0));
    assert_null(dither_column_name(answer, 3));
    assert_null(dither_column_type(answer, 3));
    assert_true(isnan(dither_cell_number(answer, 0, 3)));
    assert_false(dither_cell_interval(answer, 4, 1, &interval));
    dither_answer_free(answer);
    dither_answer_free(NULL);
}

static void options_reach_the_question(void **state)
{
    (void)state;
    dither_answer *answer = NULL, *again = NULL;
    dither_amount_text cost;
    dither_ask_options options = {.analyst = "alice", .request = "r1", .epsilon = "0.25"};
    assert_int_equal(dither_ask(curator, "SELECT count(*) FROM people", &options, &answer, &why), DITHER_OK);
    dither_answer_cost(answer, &cost);
    assert_string_equal(cost.epsilon, "0.25");
    assert_int_equal(dither_ask(curator, "SELECT count(*) FROM people", &options, &again, &why), DITHER_OK);
    assert_string_equal(dither_cell_text(answer, 0, 0), dither_cell_text(again, 0, 0));
    dither_answer_left(again, &cost);
    assert_string_equal(cost.epsilon, "2.75");
    dither_answer_free(answer);
    dither_answer_free(again);
}

static void mistakes_have_words_and_positions(void **state)
{
    (void)state;
    dither_answer *answer = NULL;
    assert_int_equal(dither_ask(curator, NULL, NULL, &answer, &why), DITHER_INVALID);
    assert_int_equal(dither_ask(curator, "SELECT nobody FROM people", NULL, &answer, &why), DITHER_INVALID);
    assert_int_equal(why.position, 7);
    dither_ask_options bad = {.epsilon = "-1"};
    assert_int_equal(dither_ask(curator, "SELECT count(*) FROM people", &bad, &answer, &why), DITHER_INVALID);
    assert_non_null(strstr(why.message, "epsilon"));
    bad = (dither_ask_options){.epsilon = "0"};
    assert_int_equal(dither_ask(curator, "SELECT count(*) FROM people", &bad, &answer, &why), DITHER_INVALID);
    assert_null(answer);
    dither_curator *none = NULL;
    assert_int_equal(dither_open("/nowhere/policy.yaml", NULL, &none, &why), DITHER_IO);
    assert_int_equal(dither_open(NULL, NULL, &none, &why), DITHER_INVALID);
    assert_null(none);
}

static void explaining_is_a_text(void **state)
{
    (void)state;
    char *text = NULL;
    assert_int_equal(dither_explain(curator, "SELECT count(*) FROM people", NULL, false, &text, &why),
                     DITHER_OK);
    assert_non_null(strstr(text, "cost: epsilon 0.5"));
    dither_text_free(text);
    assert_int_equal(dither_explain(curator, "SELECT count(*) FROM people", NULL, true, &text, &why),
                     DITHER_OK);
    assert_int_equal(text[0], '{');
    dither_text_free(text);
    assert_int_equal(dither_explain(curator, "SELECT * FROM people", NULL, true, &text, &why),
                     DITHER_REFUSED);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void answers_are_held_back_to_the_step(void **state)
{
    (void)state;
    dither_answer *answer = NULL;
    begin_with("timing: {step: 400ms}\n");
    assert_int_equal(open_it(), DITHER_OK);
    double begun = seconds();
    assert_int_equal(dither_ask(curator, "SELECT 1 AS one", NULL, &answer, &why), DITHER_OK);
    assert_true(seconds() - begun >= 0.399);
    dither_answer_free(answer);
    begun = seconds();
    assert_int_equal(dither_ask(curator, "SELECT x", NULL, &answer, &why), DITHER_INVALID);
    assert_true(seconds() - begun >= 0.399);
}

/* The fixture's policy, with a mark at the range of age. */
static void mark_as_peeked(void)
{
    char command[400];
    snprintf(command, sizeof command, "sed -i 's/range: \\[0, 99\\]/range: [0, 99], peeked: true/' %s",
             asked.policy);
    assert_int_equal(system(command), 0);
}

static void peeked_ranges_are_not_served(void **state)
{
    (void)state;
    begin_with("");
    mark_as_peeked();
    assert_int_equal(open_it(), DITHER_REFUSED);
    assert_string_equal(why.message,
                        "range of people.age was proposed by looking at the data: review it and remove "
                        "`peeked: true`");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(an_answer_can_be_walked),
        TEST(options_reach_the_question),
        TEST(mistakes_have_words_and_positions),
        TEST(explaining_is_a_text),
        cmocka_unit_test_teardown(answers_are_held_back_to_the_step, end),
        cmocka_unit_test_teardown(peeked_ranges_are_not_served, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
