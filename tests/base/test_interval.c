/* An interval operation never loses the truth: for many operands (fixed pseudo-random, and the ends of the
 * doubles) the exact result, computed with MPFR at 400 bits, lies within the interval, and the interval is
 * narrow. */
#include <math.h>

#include "base/interval.h"
#include "tests/support/test.h"

static uint64_t counter;

/* A double of any size and sign; not random enough for anything but trying things out. */
static double any_double(void)
{
    counter = counter * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    double size = ldexp((double)(counter >> 11), -53);
    return ldexp(size + 1, (int)(counter % 200) - 100) * (counter >> 10 & 1 ? 1 : -1);
}

static void assert_holds(struct interval interval, mpfr_t truth)
{
    assert_true(mpfr_cmp_d(truth, interval.lower) >= 0);
    assert_true(mpfr_cmp_d(truth, interval.upper) <= 0);
}

static void assert_narrow(struct interval interval)
{
    double size = fmax(fabs(interval.lower), fabs(interval.upper));
    assert_true(interval.upper - interval.lower <= size * 2e-15); /* a few last digits */
}

static void sums_products_and_quotients_hold_the_truth(void **state)
{
    (void)state;
    mpfr_t a, b, truth;
    mpfr_inits2(400, a, b, truth, (mpfr_ptr)0);
    for (int i = 0; i < 20000; i++) {
        double x = any_double(), y = any_double();
        struct interval left = interval_exact(x), right = interval_exact(y);
        mpfr_set_d(a, x, MPFR_RNDN);
        mpfr_set_d(b, y, MPFR_RNDN);
        mpfr_add(truth, a, b, MPFR_RNDN);
        assert_holds(interval_add(left, right), truth);
        mpfr_sub(truth, a, b, MPFR_RNDN);
        assert_holds(interval_subtract(left, right), truth);
        mpfr_mul(truth, a, b, MPFR_RNDN);
        assert_holds(interval_multiply(left, right), truth);
        assert_narrow(interval_multiply(left, right));
        mpfr_abs(b, b, MPFR_RNDN);
        mpfr_div(truth, a, b, MPFR_RNDN);
        assert_holds(interval_divide(left, interval_exact(fabs(y))), truth);
        assert_narrow(interval_divide(left, interval_exact(fabs(y))));
    }
    mpfr_clears(a, b, truth, (mpfr_ptr)0);
}

static void wide_operands_give_all_that_is_possible(void **state)
{
    (void)state;
    struct interval around = {-2, 3}, above = {4, 5};
    struct interval product = interval_multiply(around, above);
    assert_true(product.lower <= -10 && product.upper >= 15 && product.lower > -10.1 && product.upper < 15.1);
    struct interval quotient = interval_divide(around, above);
    assert_true(quotient.lower <= -0.5 && quotient.upper >= 0.75 && quotient.lower > -0.51 &&
                quotient.upper < 0.76);
    struct interval difference = interval_subtract(above, around);
    assert_true(difference.lower <= 1 && difference.upper >= 7);
    struct interval larger = interval_max(around, (struct interval){0, 1});
    assert_true(larger.lower == 0 && larger.upper == 3);
    struct interval clipped = interval_clip(around, 0, 1);
    assert_true(clipped.lower == 0 && clipped.upper == 1);
}

static void exp_and_log_hold_the_truth(void **state)
{
    (void)state;
    mpfr_t truth;
    mpfr_init2(truth, 400);
    for (int i = 0; i < 5000; i++) {
        double x = remainder(any_double(), 700);
        mpfr_set_d(truth, x, MPFR_RNDN);
        mpfr_exp(truth, truth, MPFR_RNDN);
        assert_holds(interval_exp(interval_exact(x)), truth);
        assert_narrow(interval_exp(interval_exact(x)));
        double y = fabs(any_double());
        mpfr_set_d(truth, y, MPFR_RNDN);
        mpfr_log(truth, truth, MPFR_RNDN);
        assert_holds(interval_log(interval_exact(y)), truth);
    }
    mpfr_clear(truth);
}

static void the_ends_of_the_doubles_are_safe(void **state)
{
    (void)state;
    assert_true(interval_log(interval_exact(0)).upper == -INFINITY);
    assert_true(interval_log((struct interval){-1e-320, 1}).lower == -INFINITY);
    assert_true(interval_exp(interval_exact(-INFINITY)).upper == 0);
    assert_true(interval_exp(interval_exact(1e9)).upper == INFINITY);
    assert_true(interval_exp(interval_exact(1e9)).lower > 1e308);
    struct interval nothing = interval_multiply(interval_exact(0), interval_exact(INFINITY));
    assert_true(nothing.lower == 0 && nothing.upper >= 0 && nothing.upper < 1e-300);
    struct interval anything = interval_divide(interval_exact(0), interval_exact(0));
    assert_true(anything.lower == 0 && anything.upper == INFINITY);
    assert_true(interval_divide(interval_exact(1), interval_exact(0)).upper == INFINITY);
    struct interval third = interval_from_rational(rational_from_ratio(1, 3));
    assert_true(third.lower < third.upper && third.lower == 1.0 / 3);
    assert_true(interval_middle((struct interval){1, 3}) == 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_products_and_quotients_hold_the_truth),
        cmocka_unit_test(wide_operands_give_all_that_is_possible),
        cmocka_unit_test(exp_and_log_hold_the_truth),
        cmocka_unit_test(the_ends_of_the_doubles_are_safe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
