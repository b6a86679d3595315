/* The grid: rounding is floor(x / grid + 1/2), decided exactly, monotone, and commutes with whole steps; what cannot be is
 * saturated at a public limit; NaN lands on the lower bound; a grid is a power of two. */
#include <math.h>
#include <string.h>

#include "mechanism/grid.h"
#include "mechanism/mechanism.h"
#include "tests/support/test.h"

static void rounding_is_exact_next_to_the_middle_of_a_step(void **state)
{
    (void)state;
    const double below_half = nextafter(0.5, 0); /* adding 1/2 to it gives 1, in doubles */
    assert_true(below_half + 0.5 == 1);
    assert_int_equal(grid_round(below_half, 1), 0);
    assert_int_equal(grid_round(0.5, 1), 1);
    assert_int_equal(grid_round(-0.5, 1), 0);
    assert_int_equal(grid_round(nextafter(-0.5, -1), 1), -1);
    assert_int_equal(grid_round(below_half / 8, 0.125), 0);
    assert_int_equal(grid_round(0x1p52 + 1, 1), (INT64_C(1) << 52) + 1);
    assert_int_equal(grid_round(-0.0, 1), 0);
}

/* If two values differ by at most d steps, whole d, so do their roundings: the sensitivity that mechanisms count on. */
static void values_that_are_whole_steps_apart_stay_so(void **state)
{
    (void)state;
    const double places[] = {0, 0.25, nextafter(0.5, 0), 0.5, nextafter(0.5, 1), 0.75, 3.499999999, 1023.5};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        for (int step = -3; step <= 3; step++) {
            double moved = places[i] + step;
            if (moved - step == places[i]) /* the sum was exact */
                assert_int_equal(grid_round(moved, 1), grid_round(places[i], 1) + step);
        }
}

static void floor_and_ceiling_enclose(void **state)
{
    (void)state;
    assert_int_equal(grid_floor(-1.25, 0.5), -3);
    assert_int_equal(grid_ceil(-1.25, 0.5), -2);
    assert_int_equal(grid_floor(2, 0.5), 4);
    assert_int_equal(grid_ceil(2, 0.5), 4);
    assert_int_equal(grid_ceil(5e-324, 1), 1);
    assert_int_equal(grid_floor(-5e-324, 1), -1);
}

static void what_is_too_large_is_saturated(void **state)
{
    (void)state;
    assert_int_equal(grid_round(1e308, 1), MECHANISM_LIMIT);
    assert_int_equal(grid_round(-1e308, 1), -MECHANISM_LIMIT);
    assert_int_equal(grid_round(INFINITY, 1), MECHANISM_LIMIT);
    assert_int_equal(grid_round(-INFINITY, 1), -MECHANISM_LIMIT);
    assert_int_equal(grid_round(NAN, 1), -MECHANISM_LIMIT);
    assert_int_equal(grid_round(1, 5e-324), MECHANISM_LIMIT);
}

static void a_clamped_value_lies_between_the_rounded_bounds(void **state)
{
    (void)state;
    const dither_range range = {-1.3, 2.7};
    const double values[] = {NAN, INFINITY, -INFINITY, 1e308, -1e308, -0.0, 0, 2.7, -1.3, 5, 2.6};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        int64_t step = grid_clamp(values[i], range, 0.5);
        assert_true(step >= grid_floor(range.lower, 0.5) && step <= grid_ceil(range.upper, 0.5));
    }
    assert_int_equal(grid_clamp(NAN, range, 0.5), grid_round(range.lower, 0.5));
    assert_int_equal(grid_clamp(INFINITY, range, 0.5), grid_round(range.upper, 0.5));
    assert_int_equal(grid_clamp(1, range, 0.5), 2);
}

/* The range is in the values' own measure, whatever a step is: by hand, for coarse steps and fine ones. */
static void values_are_clamped_before_they_are_counted_in_steps(void **state)
{
    (void)state;
    const dither_range range = {-10, 10};
    assert_int_equal(grid_clamp(9, range, 4), 2);
    assert_int_equal(grid_clamp(30, range, 4), 3);
    assert_int_equal(grid_clamp(-30, range, 4), -2);
    assert_int_equal(grid_clamp(9, range, 0.25), 36);
    assert_int_equal(grid_clamp(30, range, 0.25), 40);
    assert_int_equal(grid_clamp(-30, range, 0.25), -40);
}

static void a_grid_is_a_power_of_two(void **state)
{
    (void)state;
    const double good[] = {1, 0.5, 0.125, 1024, 0x1p-1074, 0x1p1023};
    const double bad[] = {0, -1, 3, 0.1, NAN, INFINITY, -0.5};
    error why;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        assert_int_equal(grid_check(good[i], &why), DITHER_OK);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(grid_check(bad[i], &why), DITHER_INVALID);
        assert_non_null(strstr(why.message, "power of two"));
    }
}

static void the_default_grid_has_65536_steps_or_more(void **state)
{
    (void)state;
    const double sizes[] = {1, 0.099, 19800, 1e-300, 1e300, 3};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        double grid = grid_for(sizes[i]);
        assert_int_equal(grid_check(grid, NULL), DITHER_OK);
        assert_true(sizes[i] / grid >= 65536 && sizes[i] / grid < 2 * 65536);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounding_is_exact_next_to_the_middle_of_a_step),
        cmocka_unit_test(values_that_are_whole_steps_apart_stay_so),
        cmocka_unit_test(floor_and_ceiling_enclose),
        cmocka_unit_test(what_is_too_large_is_saturated),
        cmocka_unit_test(a_clamped_value_lies_between_the_rounded_bounds),
        cmocka_unit_test(values_are_clamped_before_they_are_counted_in_steps),
        cmocka_unit_test(a_grid_is_a_power_of_two),
        cmocka_unit_test(the_default_grid_has_65536_steps_or_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
