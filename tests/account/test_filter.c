/* Filters let releases pass while they fit, refuse the first that does not, and are not changed by a refusal.
 */
#include "tests/support/test.h"

#include <math.h>

#include "account/account_filter.h"
#include "account/currency.h"
#include "account/renyi.h"

/* How many times the release passes, up to `most`. */
static unsigned passes(struct account_filter *filter, struct release release, unsigned most)
{
    error why;
    unsigned count = 0;
    while (count < most && account_filter_spend(filter, &release, &why) == DITHER_OK)
        count++;
    return count;
}

static void a_pure_budget_is_spent_to_the_last_bit(void **state)
{
    (void)state;
    struct account_filter filter;
    error why;
    assert_int_equal(account_filter_pure(&filter, 1, &why), DITHER_OK);
    assert_int_equal(passes(&filter, (struct release){.kind = RELEASE_PURE, .epsilon = 0.125}, 100), 8);
    assert_true(account_filter_left(&filter) == 0);
}

/* The double 0.1 is a little more than a tenth: of a budget of exactly 100000 a million of them is a little
 * too much, and one less is not. A sum that drifted, in either direction, would err by hundreds. */
static void a_million_charges_do_not_drift(void **state)
{
    (void)state;
    struct account_filter filter;
    error why;
    assert_int_equal(account_filter_pure(&filter, 100000, &why), DITHER_OK);
    assert_int_equal(passes(&filter, (struct release){.kind = RELEASE_PURE, .epsilon = 0.1}, 2000000),
                     999999);
    assert_int_equal(account_filter_pure(&filter, nextafter(100000, 200000), &why), DITHER_OK);
    assert_int_equal(passes(&filter, (struct release){.kind = RELEASE_PURE, .epsilon = 0.1}, 2000000),
                     1000000);
}

static void a_refusal_changes_nothing(void **state)
{
    (void)state;
    struct account_filter filter;
    error why;
    assert_int_equal(account_filter_approximate(&filter, (dither_cost){.epsilon = 1, .delta = 1e-6}, &why),
                     DITHER_OK);
    const struct release fits = {.kind = RELEASE_APPROXIMATE, .epsilon = 0.4, .delta = 4e-7};
    const struct release epsilon_too_large = {.kind = RELEASE_PURE, .epsilon = 0.7};
    const struct release delta_too_large = {.kind = RELEASE_APPROXIMATE, .epsilon = 0.1, .delta = 7e-7};
    assert_int_equal(account_filter_spend(&filter, &fits, &why), DITHER_OK);
    double left = account_filter_left(&filter), delta_left = account_filter_delta_left(&filter);
    assert_int_equal(account_filter_spend(&filter, &epsilon_too_large, &why), DITHER_REFUSED);
    assert_int_equal(account_filter_spend(&filter, &delta_too_large, &why), DITHER_REFUSED);
    assert_true(account_filter_left(&filter) == left && account_filter_delta_left(&filter) == delta_left);
    assert_true(left <= 0.6 && left > 0.5999999 && delta_left <= 6e-7 && delta_left > 5.99e-7);
    assert_int_equal(account_filter_spend(&filter, &fits, &why), DITHER_OK);
    assert_int_equal(account_filter_spend(&filter, &fits, &why), DITHER_REFUSED);
}

static void what_a_currency_cannot_express_is_refused(void **state)
{
    (void)state;
    struct account_filter filter;
    error why;
    const struct release gaussian = {.kind = RELEASE_GAUSSIAN, .scale = 100};
    const struct release approximate = {.kind = RELEASE_APPROXIMATE, .epsilon = 0.1, .delta = 1e-9};
    assert_int_equal(account_filter_pure(&filter, 100, &why), DITHER_OK);
    assert_int_equal(account_filter_spend(&filter, &gaussian, &why), DITHER_REFUSED);
    assert_int_equal(account_filter_spend(&filter, &approximate, &why), DITHER_REFUSED);
    assert_int_equal(account_filter_spend_cost(&filter, (dither_cost){.rho = 0.1}, &why), DITHER_REFUSED);
    assert_int_equal(account_filter_spend_cost(&filter, (dither_cost){.epsilon = -1}, &why), DITHER_INVALID);
    assert_int_equal(account_filter_spend_cost(&filter, (dither_cost){.epsilon = NAN}, &why), DITHER_INVALID);
    assert_int_equal(account_filter_renyi(&filter, (dither_cost){.epsilon = 1, .delta = 1e-6}, 0, &why),
                     DITHER_OK);
    assert_int_equal(account_filter_spend(&filter, &approximate, &why), DITHER_REFUSED);
    assert_int_equal(account_filter_spend_cost(&filter, (dither_cost){.epsilon = 0.1}, &why), DITHER_REFUSED);
    assert_true(account_filter_left(&filter) > 0);
}

static void rho_adds_up(void **state)
{
    (void)state;
    struct account_filter filter;
    error why;
    assert_int_equal(account_filter_concentrated(&filter, (dither_cost){.rho = 1.0001}, &why), DITHER_OK);
    /* sigma 10: rho 1/200 */
    assert_int_equal(passes(&filter, (struct release){.kind = RELEASE_GAUSSIAN, .scale = 10}, 1000), 200);
    assert_int_equal(account_filter_concentrated(&filter, (dither_cost){.rho = 1, .delta = 1e-6}, &why),
                     DITHER_OK);
    assert_int_equal(account_filter_spend_cost(&filter, (dither_cost){.epsilon = 1, .delta = 1e-7}, &why),
                     DITHER_OK);
    assert_true(account_filter_left(&filter) <= 0.5 && account_filter_left(&filter) > 0.4999);
}

/* What a Renyi filter lets pass keeps the budget when converted at the filter's order. */
static void a_renyi_budget_is_worth_its_epsilon(void **state)
{
    (void)state;
    struct account_filter filter;
    error why;
    struct release release = {.kind = RELEASE_GAUSSIAN, .scale = 2, .sampling = 0.01};
    assert_int_equal(account_filter_renyi(&filter, (dither_cost){.epsilon = 1, .delta = 1e-6}, 16, &why),
                     DITHER_OK);
    unsigned count = passes(&filter, release, 100000);
    struct renyi renyi;
    assert_int_equal(release_check(&release, &why), DITHER_OK);
    assert_int_equal(renyi_init(&renyi, &release, &why), DITHER_OK);
    double divergence = renyi_divergence(&renyi, 16);
    renyi_clear(&renyi);
    assert_true(count > 50);
    assert_true(renyi_epsilon(16, count * divergence, 1e-6) <= 1);
    assert_true(renyi_epsilon(16, (count + 1) * divergence, 1e-6) > 1);
}

static void budgets_must_make_sense(void **state)
{
    (void)state;
    struct account_filter filter;
    error why;
    assert_int_equal(account_filter_pure(&filter, 0, &why), DITHER_INVALID);
    assert_int_equal(account_filter_pure(&filter, NAN, &why), DITHER_INVALID);
    assert_int_equal(account_filter_pure(&filter, INFINITY, &why), DITHER_INVALID);
    assert_int_equal(account_filter_approximate(&filter, (dither_cost){.epsilon = 1, .delta = 1}, &why),
                     DITHER_INVALID);
    assert_int_equal(account_filter_concentrated(&filter, (dither_cost){.epsilon = 1}, &why), DITHER_INVALID);
    assert_int_equal(account_filter_renyi(&filter, (dither_cost){.epsilon = 1}, 2, &why), DITHER_INVALID);
    assert_int_equal(account_filter_renyi(&filter, (dither_cost){.epsilon = 1, .delta = 1e-6}, 1, &why),
                     DITHER_INVALID);
    assert_int_equal(account_filter_renyi(&filter, (dither_cost){.epsilon = 1, .delta = 1e-6}, 1.1, &why),
                     DITHER_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pure_budget_is_spent_to_the_last_bit),
        cmocka_unit_test(a_million_charges_do_not_drift),
        cmocka_unit_test(a_refusal_changes_nothing),
        cmocka_unit_test(what_a_currency_cannot_express_is_refused),
        cmocka_unit_test(rho_adds_up),
        cmocka_unit_test(a_renyi_budget_is_worth_its_epsilon),
        cmocka_unit_test(budgets_must_make_sense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
