/* When memory runs out at any allocation, the accountant says so, gives back what it had, and answers the
 * next time. */
#include "tests/support/test.h"

#include <math.h>

#include "account/account_plan.h"
#include "account/calibrate.h"
#include "account/currency.h"
#include "base/memory.h"

static const double with[] = {0.5, 0.3, 0.2};
static const struct release plans[][2] = {
    {{.kind = RELEASE_LAPLACE, .scale = 10, .count = 3}, {.kind = RELEASE_GAUSSIAN, .scale = 5}},
    {{.kind = RELEASE_PURE, .epsilon = 0.5, .sampling = 0.5},
     {.kind = RELEASE_PAIR, .with = with, .without = with, .outcomes = 3}},
};

static status all_of(const struct release *releases, double *sum, error *why)
{
    struct account_plan *plan = NULL;
    TRY(account_plan_new(&plan, releases, 2, why));
    struct account_bounds bounds = {0, 0};
    double parts[3] = {0};
    status result = account_plan_epsilon(plan, 1e-3, &bounds, why);
    if (result == DITHER_OK)
        result = currency_advanced(plan, 1e-3, &parts[0], why);
    if (result == DITHER_OK)
        result = currency_zcdp(plan, 1e-3, &parts[1], why);
    if (result == DITHER_OK)
        result = currency_renyi(plan, 1e-3, &parts[2], why);
    account_plan_free(plan);
    if (result == DITHER_OK)
        *sum += bounds.upper + bounds.lower + parts[0] + parts[1] + parts[2];
    return result;
}

static status everything(double *sum, error *why)
{
    double found = 0;
    TRY(all_of(plans[0], &found, why));
    TRY(all_of(plans[1], &found, why));
    *sum = found;
    return DITHER_OK;
}

static void running_out_of_memory_is_an_answer_too(void **state)
{
    (void)state;
    double truth = 0, sum = 0;
    error why;
    assert_int_equal(everything(&truth, &why), DITHER_OK);
    uint64_t points = 0;
    for (uint64_t n = 1;; n++) {
        memory_fail_at(n);
        sum = -1;
        status result = everything(&sum, &why);
        bool failed = memory_has_failed();
        memory_fail_at(0);
        if (!failed) {
            assert_int_equal(result, DITHER_OK);
            break;
        }
        assert_int_equal(result, DITHER_NO_MEMORY);
        assert_true(sum == -1);
        points++;
    }
    assert_true(sum == truth);
    assert_true(points >= 50); /* fewer would mean that somebody allocates elsewhere */
}

static void calibration_survives_it_as_well(void **state)
{
    (void)state;
    const struct release release = {.kind = RELEASE_LAPLACE, .count = 3};
    dither_cost promise = {.epsilon = 1, .delta = 1e-6};
    error why;
    for (uint64_t n = 1; n < 60; n++) {
        double factor = -1;
        memory_fail_at(n);
        status result = calibrate_noise(&release, 1, promise, &factor, &why);
        memory_fail_at(0);
        /* Late in the search a failure only makes the answer less tight, never too small. */
        assert_true(result == DITHER_OK ? factor > 2.5 : factor == -1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(running_out_of_memory_is_an_answer_too),
        cmocka_unit_test(calibration_survives_it_as_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
