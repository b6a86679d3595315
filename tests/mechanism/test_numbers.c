/* Numbers with noise: scales, statistics, promises of laplace, geometric, their truncated, bounded and
 * approximate forms, gaussian and discrete-gaussian.
 *
 * Known answers are the lectures' and Balle and Wang's figures, and MPFR. Bounded Laplace's true loss is
 * recomputed here with plain sums over all pairs of statistics and outcomes. Half widths are checked against
 * sums of masses. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "mechanism/grid.h"
#include "mechanism/verify.h"
#include "tests/support/mechanisms.h"
#include "tests/support/test.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static double scale_of(const char *name, dither_options options)
{
    struct mechanism mechanism = made(name, options);
    return mechanism.kind->scale(&mechanism);
}

static double half_width_of(const struct mechanism *mechanism, double confidence)
{
    return mechanism->kind->half_width(mechanism, NULL, confidence);
}

/* ---- Laplace ---- */

static void the_scale_is_sensitivity_over_epsilon_and_never_less(void **state)
{
    (void)state;
    for (double sensitivity = 1e-6; sensitivity < 1e7; sensitivity *= 7.3)
        for (double epsilon = 0.01; epsilon < 20; epsilon *= 3) {
            dither_options options = {.epsilon = epsilon, .sensitivity = sensitivity};
            assert_just_above(scale_of("laplace", options), sensitivity / epsilon * (1 - 1e-15), 0x1p-15);
        }
    assert_close(scale_of("geometric", (dither_options){.epsilon = 0.1, .sensitivity = 3}), 30, 1e-15);
    assert_close(scale_of("geometric", (dither_options){.epsilon = 0.5, .sensitivity = 3, .group = 4}), 24,
                 1e-15);
    assert_close(
        scale_of("laplace", (dither_options){.epsilon = 1, .sensitivity = 1.5, .grid = 0.5, .group = 4}), 6,
        1e-15);
}

static void sensitivities_that_are_no_multiple_of_the_grid_are_rounded_up(void **state)
{
    (void)state;
    struct mechanism mechanism =
        made("laplace", (dither_options){.epsilon = 1, .sensitivity = 1.1, .grid = 0.5});
    assert_int_equal(mechanism.sensitivity, 3);
    mechanism = made("laplace", (dither_options){.epsilon = 1, .sensitivity = 1.1, .grid = 0.5, .group = 10});
    assert_int_equal(mechanism.sensitivity, 23); /* 10 * the double above 1.1 is above 22 half steps */
    mechanism = made("laplace", (dither_options){.epsilon = 1, .sensitivity = 1e-300, .grid = 0x1p100});
    assert_int_equal(mechanism.sensitivity, 1);
}

static void numbers_are_rounded_to_the_grid_and_saturated(void **state)
{
    (void)state;
    struct mechanism mechanism =
        made("laplace", (dither_options){.epsilon = 1, .sensitivity = 65536 * 8, .grid = 1});
    const double values[] = {0, -0.0, 0.5, -0.5, 2.4999, 1e308, -1e308, 0x1p62, 4e-324};
    int64_t statistic[COUNT(values)];
    measured(&mechanism, values, COUNT(values), statistic);
    const int64_t expected[] = {0, 0, 1, 0, 2, MECHANISM_LIMIT, -MECHANISM_LIMIT, MECHANISM_LIMIT, 0};
    for (size_t i = 0; i < COUNT(values); i++)
        assert_int_equal(statistic[i], expected[i]);
    const double bad[] = {1, NAN}, worse[] = {INFINITY};
    measure_refused(&mechanism, bad, 2, "not finite");
    measure_refused(&mechanism, worse, 1, "not finite");
    measure_refused(&mechanism, NULL, 0, "at least one number");
}

/* Many numbers that each move a hair across a rounding point: the L1 distance in steps must be paid for. */
static void rounding_many_numbers_never_costs_more_than_was_calibrated(void **state)
{
    (void)state;
    enum { N = 4096 };
    static double left[N], right[N];
    static int64_t a[N], b[N];
    struct mechanism mechanism = made("laplace", (dither_options){.epsilon = 1});
    size_t most = 1 + (size_t)(1 / mechanism.grid) / 65536;
    assert_true(most > 1000 && most < N);
    const size_t counts[] = {1, 2, 3, 7, 100, 999, 1000, most};
    uint64_t worst = 0;
    for (size_t c = 0; c < COUNT(counts); c++) {
        size_t n = counts[c];
        double steps =
            floor(1 / mechanism.grid / (double)n - 0.02); /* each: whole steps and 0.02, in all at most 1 */
        for (size_t i = 0; i < n; i++) {
            left[i] = mechanism.grid * 0.49;
            right[i] = mechanism.grid * (0.51 + steps);
        }
        measured(&mechanism, left, n, a);
        measured(&mechanism, right, n, b);
        uint64_t moved = 0;
        for (size_t i = 0; i < n; i++)
            moved += (uint64_t)(b[i] - a[i]);
        assert_true(moved <= mechanism.sensitivity);
        worst = moved > worst ? moved : worst;
    }
    assert_true((double)worst >
                1 / mechanism.grid); /* rounding did move them further than the numbers moved */
    measure_refused(&mechanism, left, most + 1, "choose a finer grid");
    struct mechanism coarse = made("laplace", (dither_options){.epsilon = 1, .grid = 0.25});
    measure_refused(&coarse, left, 2, "at most 1 numbers");
}

static void rounding_many_numbers_is_paid_for_in_l2_norm_too(void **state)
{
    (void)state;
    enum { N = 4096 };
    static double left[N], right[N];
    static int64_t a[N], b[N];
    struct mechanism mechanism = made("gaussian", (dither_options){.rho = 0.5});
    double hair = 0.9999 / 64; /* 64 is the root of N */
    for (size_t i = 0; i < N; i++) {
        left[i] = mechanism.grid * 0.49;
        right[i] = left[i] + hair;
    }
    measured(&mechanism, left, N, a);
    measured(&mechanism, right, N, b);
    double squares = 0;
    for (size_t i = 0; i < N; i++)
        squares += (double)(b[i] - a[i]) * (double)(b[i] - a[i]);
    assert_true(sqrt(squares) <= (double)mechanism.sensitivity);
    struct mechanism coarse = made("gaussian", (dither_options){.rho = 0.5, .grid = 0.25});
    measure_refused(&coarse, left, 2, "choose a finer grid");
}

static void whole_number_mechanisms_refuse_fractions(void **state)
{
    (void)state;
    static const char *const names[] = {"geometric", "truncated-geometric", "discrete-gaussian"};
    const double fraction[] = {3, 2.5};
    for (size_t i = 0; i < COUNT(names); i++) {
        dither_options options = mechanism_find(names[i])->example;
        struct mechanism mechanism = made(names[i], options);
        measure_refused(&mechanism, fraction, 2, "number 2 is not one");
        options.sensitivity = 1.5;
        refused(names[i], options, "the sensitivity must be 1, 2, 3");
        options.sensitivity = 0.5;
        refused(names[i], options, "the sensitivity must be 1, 2, 3");
    }
    struct mechanism mechanism = made("geometric", (dither_options){.epsilon = 1});
    const double values[] = {-7, -0.0, 0x1p62, 1e300, -1e300};
    int64_t statistic[COUNT(values)];
    measured(&mechanism, values, COUNT(values), statistic);
    const int64_t expected[] = {-7, 0, MECHANISM_LIMIT, MECHANISM_LIMIT, -MECHANISM_LIMIT};
    for (size_t i = 0; i < COUNT(values); i++)
        assert_int_equal(statistic[i], expected[i]);
}

/* ---- Truncated ---- */

static void the_output_interval_is_rounded_inward(void **state)
{
    (void)state;
    struct mechanism mechanism =
        made("truncated-laplace",
             (dither_options){.epsilon = 1, .sensitivity = 1, .output = {0.3, 2.3}, .grid = 0.5});
    assert_int_equal(mechanism.law.lower, 1);
    assert_int_equal(mechanism.law.upper, 4);
    mechanism = made("truncated-geometric", (dither_options){.epsilon = 1, .output = {-1.5, 2.5}});
    assert_int_equal(mechanism.law.lower, -1);
    assert_int_equal(mechanism.law.upper, 2);
    refused("truncated-geometric", (dither_options){.epsilon = 1, .output = {1.1, 1.9}},
            "no multiple of the grid, 1, lies in the output interval");
    refused("bounded-laplace", (dither_options){.epsilon = 1, .output = {0.1, 0.9}, .grid = 0.5},
            "only one multiple of the grid");
}

/* 1e-300 / 2^900 is 0 in doubles; yet [1e-300, 1] holds no multiple of 2^900. */
static void tiny_ends_are_rounded_inward_too(void **state)
{
    (void)state;
    assert_int_equal(grid_ceil(1e-300, 0x1p900), 1);
    assert_int_equal(grid_floor(-1e-300, 0x1p900), -1);
    assert_int_equal(grid_ceil(-1e-300, 0x1p900), 0);
    assert_int_equal(grid_floor(1e-300, 0x1p900), 0);
    assert_int_equal(grid_ceil(-0.0, 1), 0);
    refused("truncated-laplace",
            (dither_options){.epsilon = 1, .sensitivity = 0x1p916, .output = {1e-300, 1}},
            "no multiple of the grid");
    dither_options options = {.epsilon = 1, .range = {-2e-300, -1e-300}, .grid = 0x1p900};
    assert_int_equal(made("sum", options).sensitivity, 1);
}

/* 2^62 steps are as far as a number can be: what lies beyond is refused where no answer could lie in it. */
static void output_intervals_out_of_reach_are_refused(void **state)
{
    (void)state;
    const dither_range outputs[] = {{1e300, 2e300}, {-2e300, -1e300}};
    for (size_t i = 0; i < 2; i++)
        refused("truncated-geometric", (dither_options){.epsilon = 1, .output = outputs[i]}, "too fine");
    refused("truncated-laplace", (dither_options){.epsilon = 1, .output = {1e15, 2e15}}, "too fine");
    refused("bounded-laplace", (dither_options){.epsilon = 1, .output = {-1e300, 1e300}}, "too fine");
    struct mechanism all = made("truncated-geometric", (dither_options){.epsilon = 1, .output = {0, 1e300}});
    assert_true(all.law.lower == 0 && all.law.upper == MECHANISM_LIMIT);
}

/* ---- Bounded ---- */

/* The true loss on the grid 0..length: all pairs at most `steps` apart, all outcomes. */
static double bounded_loss(double scale, int length, int steps)
{
    double *total = test_calloc((size_t)length + 1, sizeof *total), worst = 0;
    for (int x = 0; x <= length; x++)
        for (int y = 0; y <= length; y++)
            total[x] += exp(-fabs((double)(y - x)) / scale);
    for (int x = 0; x <= length; x++)
        for (int other = 0; other <= length; other++) {
            if (abs(x - other) > steps)
                continue;
            for (int y = 0; y <= length; y++) {
                double loss = (fabs((double)(y - other)) - fabs((double)(y - x))) / scale +
                              log(total[other] / total[x]);
                worst = fmax(worst, loss);
            }
        }
    test_free(total);
    return worst;
}

static void bounded_laplace_has_the_scale_of_the_errata(void **state)
{
    (void)state;
    static const struct {
        double sensitivity, scale, naive_loss;
    } known[] = {{0.1, 0.16116, 1.4898}, {0.5, 0.70667, 1.3799}};
    for (size_t i = 0; i < COUNT(known); i++) {
        dither_options options = {.epsilon = 1, .sensitivity = known[i].sensitivity, .output = {0, 1}};
        assert_close(scale_of("bounded-laplace", options), known[i].scale, 4e-5);
        /* What the naive scale, sensitivity / epsilon, would really have lost: in the continuum, and on a
         * grid of 1/400, where the sums are somewhat larger than the integrals. */
        double b = known[i].sensitivity;
        double total_at_end = 1 - exp(-1 / b), total_inside = 2 - exp(-1) - exp(-(1 - b) / b);
        assert_close(1 + log(total_inside / total_at_end), known[i].naive_loss, 1e-4);
        assert_close(bounded_loss(b * 400, 400, (int)(b * 400)), known[i].naive_loss, 1e-2);
    }
    /* When one person can move the number from end to end, nothing has to be added. */
    assert_close(scale_of("bounded-laplace", (dither_options){.epsilon = 1, .output = {0, 1}}), 1, 1e-9);
    assert_close(
        scale_of("bounded-laplace", (dither_options){.epsilon = 1, .sensitivity = 7, .output = {0, 1}}), 1,
        1e-9);
}

static void bounded_laplace_keeps_epsilon_and_wastes_nothing(void **state)
{
    (void)state;
    for (double epsilon = 0.01; epsilon < 30; epsilon *= 3)
        for (int length = 1; length <= 32; length = 2 * length + 1)
            for (int steps = 1; steps <= length; steps = 2 * steps + 1) {
                struct mechanism mechanism =
                    made("bounded-laplace", (dither_options){.epsilon = epsilon,
                                                             .sensitivity = steps,
                                                             .output = {-3, (double)length - 3},
                                                             .grid = 1});
                double scale = rational_to_double(mechanism.law.noise.scale, MPFR_RNDN);
                assert_close(bounded_loss(scale, length, steps), epsilon, 1e-9);
            }
}

static void bounded_laplace_takes_one_number_and_clamps_it(void **state)
{
    (void)state;
    struct mechanism mechanism =
        made("bounded-laplace", (dither_options){.epsilon = 1, .output = {-1, 1}, .grid = 0.25});
    const double values[] = {7, 1};
    measure_refused(&mechanism, values, 2, "one number at a time");
    int64_t statistic = 0;
    measured(&mechanism, values, 1, &statistic);
    assert_int_equal(statistic, 4);
    measured(&mechanism, (const double[]){-1e308}, 1, &statistic);
    assert_int_equal(statistic, -4);
    measured(&mechanism, (const double[]){-0.0}, 1, &statistic);
    assert_int_equal(statistic, 0);
}

/* ---- Approximate ---- */

static void approximate_laplace_has_the_scale_of_the_lecture(void **state)
{
    (void)state;
    assert_close(scale_of("approximate-laplace", (dither_options){.epsilon = 0.5, .delta = 0.1}), 1.651908,
                 2e-5);
    struct mechanism mechanism =
        made("approximate-laplace", (dither_options){.epsilon = 0.5, .delta = 0.1, .grid = 1});
    assert_just_above(mechanism.kind->scale(&mechanism), 1 / (0.5 - log1p(-0.1)) * (1 - 1e-15), 1e-14);
    assert_true(mechanism.cost.epsilon == 0.5 && mechanism.cost.delta == 0.1 && mechanism.cost.rho == 0);
    refused("approximate-laplace", (dither_options){.epsilon = 0.5}, "needs a delta");
}

/* ---- Gaussian ---- */

static void gaussian_noise_has_the_analytic_scale(void **state)
{
    (void)state;
    static const struct {
        double epsilon, delta, sigma;
    } known[] = {{1, 1e-5, 3.730631634815941832249823},
                 {0.1, 1e-8, 45.93736018498825234420151},
                 {5, 1e-12, 1.409837723610734658229584}};
    for (size_t i = 0; i < COUNT(known); i++) {
        dither_options options = {.epsilon = known[i].epsilon, .delta = known[i].delta, .sensitivity = 2.5};
        assert_just_above(scale_of("gaussian", options), 2.5 * known[i].sigma * (1 - 1e-12), 0x1p-15);
    }
}

static void rho_sets_the_variance_exactly(void **state)
{
    (void)state;
    struct mechanism mechanism = made("discrete-gaussian", (dither_options){.rho = 0.1, .sensitivity = 3});
    assert_int_equal(rational_compare(mechanism.law.gaussian.variance,
                                      rational_divide_integer(9, rational_from_double(0.2))),
                     0);
    assert_true(mechanism.cost.rho == 0.1 && mechanism.cost.epsilon == 0 && mechanism.cost.delta == 0);
    assert_close(scale_of("discrete-gaussian", (dither_options){.rho = 0.5}), 1, 1e-15);
    assert_close(scale_of("discrete-gaussian", (dither_options){.rho = 0.5, .group = 5}), 5, 1e-15);
    assert_just_above(scale_of("gaussian", (dither_options){.rho = 0.02, .sensitivity = 3.3}),
                      16.5 * (1 - 1e-15), 0x1p-15);
}

static void gaussian_mechanisms_need_delta_or_rho(void **state)
{
    (void)state;
    static const char *const names[] = {"gaussian", "discrete-gaussian"};
    for (size_t i = 0; i < 2; i++) {
        refused(names[i], (dither_options){.epsilon = 1}, "needs a delta above 0");
        refused(names[i], (dither_options){.delta = 1e-5}, "needs an epsilon (with delta) or a rho");
        refused(names[i], (dither_options){.rho = 1, .delta = 1e-5}, "a rho needs no delta");
        refused(names[i], (dither_options){.rho = 1, .epsilon = 1}, "not both");
    }
    refused("gaussian", (dither_options){.rho = 1, .grid = 0x1p-40}, "choose a coarser grid");
    /* Beyond what is proved; refused before a number is looked at. */
    struct mechanism mechanism = made("discrete-gaussian", (dither_options){.rho = 1});
    dither_data vast = {NULL, (size_t)1 << 41};
    int64_t statistic = 0;
    assert_int_equal(mechanism.kind->measure(&mechanism, &vast, &statistic, NULL), DITHER_INVALID);
}

/* ---- Promises and half widths ---- */

static void promises_are_kept_for_other_options_too(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        dither_options options;
    } cases[] = {
        {"laplace", {.epsilon = 2, .sensitivity = 0.7, .grid = 0.25}},
        {"laplace", {.epsilon = 0.1, .sensitivity = 0.3, .grid = 0.25, .group = 3}},
        {"geometric", {.epsilon = 3, .sensitivity = 5}},
        {"geometric", {.epsilon = 1, .sensitivity = 2, .group = 3}},
        {"truncated-geometric", {.epsilon = 0.2, .sensitivity = 3, .output = {-4, 1}}},
        {"truncated-laplace",
         {.epsilon = 1.5, .sensitivity = 1.1, .output = {-0.3, 0.9}, .grid = 0.25, .group = 2}},
        {"bounded-laplace", {.epsilon = 0.3, .sensitivity = 0.6, .output = {-1, 1}, .grid = 0.125}},
        {"bounded-laplace", {.epsilon = 5, .sensitivity = 0.6, .output = {-1, 1}, .grid = 0.125, .group = 2}},
        {"approximate-laplace", {.epsilon = 1, .delta = 0.3, .sensitivity = 1.3, .grid = 0.25}},
        {"approximate-laplace", {.epsilon = 0.1, .delta = 1e-6, .sensitivity = 1, .grid = 0.5, .group = 2}},
        {"gaussian", {.epsilon = 2, .delta = 1e-3, .sensitivity = 1, .grid = 0.5}},
        {"gaussian", {.rho = 2, .sensitivity = 1, .grid = 0.25, .group = 2}},
        {"discrete-gaussian", {.epsilon = 0.5, .delta = 0.1}},
        {"discrete-gaussian", {.epsilon = 2, .delta = 1e-4, .sensitivity = 2}},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct mechanism mechanism = made(cases[i].name, cases[i].options);
        struct verdict verdicts[2];
        size_t count = 0;
        error why = {0};
        if (verify_mechanism(&mechanism, verdicts, &count, &why) != DITHER_OK)
            fail_msg("%s: %s", cases[i].name, why.message);
        if (!verdicts[0].kept || verdicts[0].broken)
            fail_msg("%s loses %g", cases[i].name, verdicts[0].found.upper);
    }
}

static void half_widths_hold_with_the_stated_confidence(void **state)
{
    (void)state;
    const double confidences[] = {0.5, 0.9, 0.95, 0.999};
    struct mechanism geometric = made("geometric", (dither_options){.epsilon = 0.3});
    struct mechanism gaussian = made("discrete-gaussian", (dither_options){.rho = 0.02});
    struct mechanism bounded = made(
        "bounded-laplace", (dither_options){.epsilon = 1, .sensitivity = 3, .output = {0, 20}, .grid = 1});
    for (size_t i = 0; i < COUNT(confidences); i++) {
        const struct mechanism *both[] = {&geometric, &gaussian};
        for (size_t which = 0; which < 2; which++) {
            const int64_t zero = 0;
            const struct law *law = &both[which]->law;
            double width = half_width_of(both[which], confidences[i]), inside = 0, tighter = 0;
            for (int64_t k = -500; k <= 500; k++) {
                double mass = interval_middle(law->family->probability(law, &zero, 1, 0, k));
                inside += fabs((double)k) <= width ? mass : 0;
                tighter += fabs((double)k) <= width - 1 ? mass : 0;
            }
            assert_true(inside >= confidences[i] - 1e-12 && tighter < confidences[i]);
        }
        double width = half_width_of(&bounded, confidences[i]);
        for (int64_t x = 0; x <= 20; x++) {
            double inside = 0;
            for (int64_t y = 0; y <= 20; y++)
                if (fabs((double)(y - x)) <= width)
                    inside += interval_middle(bounded.law.family->probability(&bounded.law, &x, 1, 0, y));
            assert_true(inside >= confidences[i] - 1e-12);
        }
    }
    /* Continuous Laplace noise of scale 10: half width 10 ln(1/0.05). The default grid is close to it. */
    struct mechanism laplace = made("laplace", (dither_options){.epsilon = 0.1});
    assert_close(half_width_of(&laplace, 0.95), 29.95732273553990993435224, 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_scale_is_sensitivity_over_epsilon_and_never_less),
        cmocka_unit_test(sensitivities_that_are_no_multiple_of_the_grid_are_rounded_up),
        cmocka_unit_test(numbers_are_rounded_to_the_grid_and_saturated),
        cmocka_unit_test(rounding_many_numbers_never_costs_more_than_was_calibrated),
        cmocka_unit_test(rounding_many_numbers_is_paid_for_in_l2_norm_too),
        cmocka_unit_test(whole_number_mechanisms_refuse_fractions),
        cmocka_unit_test(the_output_interval_is_rounded_inward),
        cmocka_unit_test(tiny_ends_are_rounded_inward_too),
        cmocka_unit_test(output_intervals_out_of_reach_are_refused),
        cmocka_unit_test(bounded_laplace_has_the_scale_of_the_errata),
        cmocka_unit_test(bounded_laplace_keeps_epsilon_and_wastes_nothing),
        cmocka_unit_test(bounded_laplace_takes_one_number_and_clamps_it),
        cmocka_unit_test(approximate_laplace_has_the_scale_of_the_lecture),
        cmocka_unit_test(gaussian_noise_has_the_analytic_scale),
        cmocka_unit_test(rho_sets_the_variance_exactly),
        cmocka_unit_test(gaussian_mechanisms_need_delta_or_rho),
        cmocka_unit_test(promises_are_kept_for_other_options_too),
        cmocka_unit_test(half_widths_hold_with_the_stated_confidence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
