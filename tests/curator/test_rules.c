/* What the curator promises around an answer: what is charged, to whom and when; what is stored and given again;
 * what is refused, and that it costs nothing; that the noise of a whole question has the scale that it says.
 * On the made-up hospital of asked.h, with an ordinary budget and a fixed random source. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "curator/room.h"
#include "tests/support/asked.h"
#include "tests/support/fit.h"
#include "tests/support/ledger.h"
#include "tests/support/test.h"

#define ANALYSTS "analysts:\n  alice: {epsilon: 3}\n  bob: {epsilon: 3}\n"
#define COUNT    "SELECT count(*) AS n FROM people"

static struct asked asked;

static int begin(void **state)
{
    (void)state;
    asked_open(&asked, 400, ASKED_ORDINARY, ANALYSTS);
    return 0;
}

static int end(void **state)
{
    (void)state;
    asked_close(&asked);
    return 0;
}

/* ---- Charges ---- */

static void a_question_costs_what_the_policy_says(void **state)
{
    (void)state;
    asked_as(&asked, "alice", COUNT);
    asked_expect_cost(&asked, "0.5");
    assert_false(asked.answer->cached);
    asked_expect_left(&asked, "alice", "epsilon 2.5, delta 0.000001");
    asked_expect_left(&asked, NULL, "epsilon 9.5, delta 0.000001");
}

static void the_same_question_again_is_the_same_answer_for_nothing(void **state)
{
    (void)state;
    char first[256];
    asked_as(&asked, "alice", COUNT);
    snprintf(first, sizeof first, "%s", asked_cell(&asked, 0, 0));
    asked_as(&asked, "alice", "SELECT count(*) AS number FROM people -- other words, the same release");
    assert_string_equal(asked_cell(&asked, 0, 0), first);
    assert_true(asked.answer->cached);
    asked_expect_cost(&asked, "0");
    asked_as(&asked, "alice", COUNT); /* the very same words, in the same process */
    assert_string_equal(asked_cell(&asked, 0, 0), first);
    assert_true(asked.answer->cached && asked.answer->intervals[0].known);
    asked_expect_cost(&asked, "0");
    asked_reopen(&asked);
    asked_as(&asked, "alice", COUNT);
    assert_string_equal(asked_cell(&asked, 0, 0), first);
    asked_expect_left(&asked, NULL, "epsilon 9.5, delta 0.000001");
}

static void who_sees_a_stored_release_first_pays_from_his_own_cap(void **state)
{
    (void)state;
    char first[256];
    asked_as(&asked, "alice", COUNT);
    snprintf(first, sizeof first, "%s", asked_cell(&asked, 0, 0));
    asked_as(&asked, "bob", COUNT);
    assert_string_equal(asked_cell(&asked, 0, 0), first);
    assert_false(asked.answer->cached); /* else it would tell what alice asked */
    asked_expect_cost(&asked, "0.5");
    asked_expect_left(&asked, "bob", "epsilon 2.5, delta 0.000001");
    asked_expect_left(&asked, NULL, "epsilon 9.5, delta 0.000001");
}

static void another_amount_is_another_draw(void **state)
{
    (void)state;
    struct curator_question question = {.text = COUNT, .settings = {.epsilon = decimal("0.25")}};
    asked_as(&asked, NULL, COUNT);
    assert_int_equal(asked_try(&asked, &question), DITHER_OK);
    asked_expect_cost(&asked, "0.25");
    assert_true(asked.answer->columns[0].noise.scale == 4);
}

static void a_question_about_one_region_costs_that_region(void **state)
{
    (void)state;
    asked_as(&asked, NULL, "SELECT count(*) FROM people WHERE region = 'north'");
    asked_as(&asked, NULL, "SELECT count(*) FROM people WHERE region = 'south'");
    asked_expect_left(&asked, NULL, "epsilon 9.5, delta 0.000001");
    asked_as(&asked, NULL, "SELECT count(*) FROM people WHERE region = 'north' OR age > 3");
    asked_expect_left(&asked, NULL, "epsilon 9, delta 0.000001");
    asked_as(&asked, NULL, "SELECT count(*) FROM people WHERE region = 'Atlantis'");
    asked_expect_cost(&asked, "0.5"); /* charged to rest */
}

static void hidden_keys_cost_delta_too(void **state)
{
    (void)state;
    asked_as(&asked, NULL, "SELECT disease, count(*) FROM people GROUP BY disease");
    asked_expect_cost(&asked, "0.5");
    asked_expect_left(&asked, NULL, "epsilon 9.5, delta 0.000000999");
}

static void several_releases_share_the_amount(void **state)
{
    (void)state;
    asked_as(&asked, NULL,
             "SELECT (SELECT count(*) FROM people WHERE age < 10) AS a, (SELECT sum(age) FROM people) AS b");
    asked_expect_cost(&asked, "0.5");
    assert_true(asked.answer->columns[0].noise.epsilon < 0.5 && asked.answer->columns[1].noise.epsilon < 0.5);
}

/* ---- Refusals are free ---- */

static void expect_refusal(const char *text, struct sql_options settings, const char *words)
{
    struct curator_question question = {.text = text, .settings = settings};
    if (asked_try(&asked, &question) == DITHER_OK)
        fail_msg("answered: %s", text);
    if (strstr(asked.why.message, words) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", words, asked.why.message);
}

static void what_is_refused_costs_nothing(void **state)
{
    (void)state;
    struct sql_options none = {0};
    expect_refusal("SELECT * FROM people", none, "");
    expect_refusal("SELECT count(*) FROM nobody", none, "nobody");
    expect_refusal("SELEKT 1", none, "syntax");
    expect_refusal(COUNT, (struct sql_options){.epsilon = decimal("3")}, "3");
    expect_refusal(COUNT, (struct sql_options){.rho = decimal("1")}, "epsilon");
    asked_expect_left(&asked, NULL, "epsilon 10, delta 0.000001");
    struct curator_question stranger = {.text = COUNT, .analyst = "mallory"};
    assert_int_equal(asked_try(&asked, &stranger), DITHER_REFUSED);
    asked_expect_left(&asked, NULL, "epsilon 10, delta 0.000001");
}

static status say_no(void *context, const struct ledger_cost *cost, double half_width, error *why)
{
    *(double *)context = half_width;
    assert_true(decimal_to_double(cost->epsilon) == 0.5);
    return fail(why, DITHER_REFUSED, "too dear");
}

/* The half width of epsilon 0.5: the least w with 2 q^(w+1) / (1 + q) <= 0.05, q = exp(-0.5), is 6. */
static void the_price_is_said_before_it_is_paid(void **state)
{
    (void)state;
    double half_width = 0;
    struct curator_question question = {.text = COUNT, .confirm = say_no, .context = &half_width};
    assert_int_equal(asked_try(&asked, &question), DITHER_REFUSED);
    assert_string_equal(asked.why.message, "too dear");
    assert_true(half_width == 6);
    asked_expect_left(&asked, NULL, "epsilon 10, delta 0.000001");
}

/* ---- Retries ---- */

static void a_retry_gets_the_stored_answer(void **state)
{
    (void)state;
    struct curator_question question = {.text = COUNT, .analyst = "alice", .request = "one"};
    char first[256];
    assert_int_equal(asked_try(&asked, &question), DITHER_OK);
    snprintf(first, sizeof first, "%s", asked_cell(&asked, 0, 0));
    double lower = asked.answer->intervals[0].lower;
    asked_reopen(&asked);
    assert_int_equal(asked_try(&asked, &question), DITHER_OK);
    assert_string_equal(asked_cell(&asked, 0, 0), first);
    assert_true(asked.answer->intervals[0].known && asked.answer->intervals[0].lower == lower);
    assert_string_equal(asked.answer->columns[0].name, "n");
    asked_expect_left(&asked, "alice", "epsilon 2.5, delta 0.000001");
    question.text = "SELECT sum(age) FROM people";
    assert_int_equal(asked_try(&asked, &question), DITHER_REFUSED);
    asked_expect_left(&asked, "alice", "epsilon 2.5, delta 0.000001");
}

/* ---- Noise ---- */

static double tail_of_scale_2(const void *law, int64_t k)
{
    (void)law;
    double q = exp(-0.5);
    return k > 0 ? pow(q, (double)k) / (1 + q) : 1 - pow(q, (double)(1 - k)) / (1 + q);
}

/* Four people of each age; those with id >= 100 t are left out. 15 questions of 100 groups; each person is in one
 * group, so epsilon 0.5 buys scale 2. */
static void the_noise_of_a_question_has_the_scale_that_it_says(void **state)
{
    (void)state;
    int64_t noise[1500];
    size_t count = 0;
    for (size_t t = 0; t < 15; t++) {
        char text[200];
        snprintf(text, sizeof text,
                 "SELECT age, count(*) FROM people WHERE id < %zu AND %zu = %zu GROUP BY age ORDER BY age",
                 100 * (t % 4), t, t);
        asked_as(&asked, NULL, text);
        assert_int_equal(asked.answer->rows.row_count, 100);
        assert_true(asked.answer->columns[1].noise.scale == 2);
        for (size_t row = 0; row < 100; row++)
            noise[count++] = sql_rows_cell(&asked.answer->rows, row, 1)->whole - (int64_t)(t % 4);
    }
    struct fit_noise fit = fit_noise(noise, count, 1, tail_of_scale_2, NULL);
    assert_true(fit.chi_square < fit_threshold(fit.freedom));
    assert_true(fabs(fit.mean) < 0.4);
}

/* ---- Wanted errors ---- */

/* P(|X| > 50) = 2 q^51 / (1 + q) <= 0.05 where epsilon >= 0.0586...: found by bisection here, too. */
static double least_epsilon(int width)
{
    double low = 0, high = 10;
    for (int i = 0; i < 200; i++) {
        double middle = (low + high) / 2, q = exp(-middle);
        if (2 * pow(q, width + 1) / (1 + q) <= 0.05)
            high = middle;
        else
            low = middle;
    }
    return high;
}

static void a_wanted_error_buys_the_least_amount(void **state)
{
    (void)state;
    struct curator_question question = {.text = COUNT, .error_wanted = "50"};
    assert_int_equal(asked_try(&asked, &question), DITHER_OK);
    double paid = decimal_to_double(asked.answer->cost.epsilon);
    assert_true(paid >= least_epsilon(50) && paid < 1.001 * least_epsilon(50)); /* to four digits */
    assert_true(asked.answer->intervals[0].upper - asked.answer->intervals[0].lower == 100);
    question = (struct curator_question){.text = COUNT, .error_wanted = "5%", .declared_size = 400};
    assert_int_equal(asked_try(&asked, &question), DITHER_OK);
    paid = decimal_to_double(asked.answer->cost.epsilon);
    assert_true(paid >= least_epsilon(20) && paid < 1.001 * least_epsilon(20));
}

static void errors_that_cannot_be_promised_are_refused(void **state)
{
    (void)state;
    struct curator_question question = {.text = "SELECT avg(age) FROM people", .error_wanted = "5"};
    assert_int_equal(asked_try(&asked, &question), DITHER_REFUSED);
    assert_non_null(strstr(asked.why.message, "declare a size"));
    question.text = "SELECT median(age) FROM people";
    assert_int_equal(asked_try(&asked, &question), DITHER_REFUSED);
    question = (struct curator_question){.text = COUNT, .error_wanted = "0.1"};
    assert_int_equal(asked_try(&asked, &question), DITHER_REFUSED);
    question = (struct curator_question){.text = COUNT, .error_wanted = "5%"};
    assert_int_equal(asked_try(&asked, &question), DITHER_INVALID);
    question = (struct curator_question){.text = COUNT, .error_wanted = "wide"};
    assert_int_equal(asked_try(&asked, &question), DITHER_INVALID);
    asked_expect_left(&asked, NULL, "epsilon 10, delta 0.000001");
    question = (struct curator_question){
        .text = "SELECT avg(age) FROM people", .error_wanted = "5", .declared_size = 400};
    assert_int_equal(asked_try(&asked, &question), DITHER_OK);
    assert_true(decimal_to_double(asked.answer->cost.epsilon) < 0.5);
    assert_true(asked.answer->intervals[0].upper - asked.answer->intervals[0].lower < 15);
}

/* ---- Explaining ---- */

static void explaining_spends_nothing_and_says_it_all(void **state)
{
    (void)state;
    static const char *const words[] = {"cost: epsilon 0.5",
                                        "geometric",
                                        "people.id",
                                        "public, all 4 are shown",
                                        "expected +-",
                                        "sensitivity 1",
                                        "a unit is in at most 1 group",
                                        "  sql: ",
                                        "charged to: all"};
    struct curator_question question = {.text = "SELECT region, count(*) AS n FROM people GROUP BY region"};
    struct buffer out;
    buffer_init(&out, 1 << 20);
    assert_int_equal(curator_explain(asked.curator, &question, false, &out, &asked.why), DITHER_OK);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strstr(out.data, words[i]) == NULL)
            fail_msg("\"%s\" is not in:\n%s", words[i], out.data);
    buffer_clear(&out);
    assert_int_equal(curator_explain(asked.curator, &question, true, &out, &asked.why), DITHER_OK);
    assert_non_null(strstr(out.data, "\"cost\""));
    buffer_free(&out);
    asked_expect_left(&asked, NULL, "epsilon 10, delta 0.000001");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(a_question_costs_what_the_policy_says),
        TEST(the_same_question_again_is_the_same_answer_for_nothing),
        TEST(who_sees_a_stored_release_first_pays_from_his_own_cap),
        TEST(another_amount_is_another_draw),
        TEST(a_question_about_one_region_costs_that_region),
        TEST(hidden_keys_cost_delta_too),
        TEST(several_releases_share_the_amount),
        TEST(what_is_refused_costs_nothing),
        TEST(the_price_is_said_before_it_is_paid),
        TEST(a_retry_gets_the_stored_answer),
        TEST(the_noise_of_a_question_has_the_scale_that_it_says),
        TEST(a_wanted_error_buys_the_least_amount),
        TEST(errors_that_cannot_be_promised_are_refused),
        TEST(explaining_spends_nothing_and_says_it_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
