/* Statistics of people's values: sum, mean, truncated-mean, variance, linear.
 *
 * Statistics are compared with values worked out by hand, among them the lectures'; sensitivities by going
 * through all small data sets over values that include NaN, infinities and 1e308: what was calibrated to is
 * never exceeded, and (for the sharp ones) is reached. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "mechanism/verify.h"
#include "tests/support/fixed_source.h"
#include "tests/support/mechanisms.h"
#include "tests/support/test.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static int64_t one_statistic(const struct mechanism *mechanism, const double *values, size_t count)
{
    int64_t statistic = 0;
    measured(mechanism, values, count, &statistic);
    return statistic;
}

/* The answer without noise: the statistic finished as if it were an outcome. */
static double noiseless(const struct mechanism *mechanism, const double *values, size_t count)
{
    int64_t statistic[8];
    double answer = 0;
    measured(mechanism, values, count, statistic);
    dither_data data = {values, count};
    mechanism->kind->finish(mechanism, statistic, mechanism->kind->statistic_count(mechanism, &data),
                            &answer);
    return answer;
}

static const double salaries[] = {1000, 2000, 3000, 2000, 1000, 6000, 2000, 10000, 2000, 4000, 100000};

/* ---- Known answers ---- */

static void sums_are_exact_and_clamped(void **state)
{
    (void)state;
    struct mechanism mechanism = made("sum", (dither_options){.epsilon = 1, .range = {-1, 3}, .grid = 0.5});
    assert_int_equal(mechanism.sensitivity, 6);
    const double values[] = {0.2, 0.25, -0.25, 3, 1e308, -1e308, INFINITY, -INFINITY, NAN, -0.0};
    /*                       0    1     0      6  6      -2      6         -2         -2   0   half steps */
    assert_int_equal(one_statistic(&mechanism, values, COUNT(values)), 13);
    assert_int_equal(one_statistic(&mechanism, NULL, 0), 0);
    mechanism = made("sum", (dither_options){.epsilon = 1, .range = {-5, 3}, .grid = 1, .group = 2});
    assert_int_equal(mechanism.sensitivity, 10);
    mechanism = made("sum", (dither_options){.epsilon = 1, .range = {0.1, 0.2}, .grid = 1});
    assert_int_equal(mechanism.sensitivity, 1); /* the range is rounded outward to 0..1 */
}

static void sums_saturate_at_the_public_limit(void **state)
{
    (void)state;
    enum { N = 2000 };
    static double values[N];
    struct mechanism mechanism =
        made("sum", (dither_options){.epsilon = 100, .range = {0, 0x1p53}, .grid = 1});
    for (size_t i = 0; i < N; i++)
        values[i] = 1e300;
    assert_true(one_statistic(&mechanism, values, 500) == 500 * (INT64_C(1) << 53));
    assert_true(one_statistic(&mechanism, values, N) == MECHANISM_LIMIT);
    refused("sum", (dither_options){.epsilon = 1, .range = {0, 0x1p54}, .grid = 1},
            "too fine for values this large");
}

static void the_mean_of_the_lecture(void **state)
{
    (void)state;
    dither_options options = {.epsilon = 1, .range = {1000, 100000}, .min_size = 5};
    struct mechanism mechanism = made("mean", options);
    assert_close(noiseless(&mechanism, salaries, 10), 3300, 1e-4);
    assert_close(noiseless(&mechanism, salaries, 11), 12090.90909, 1e-4);
    assert_just_above(mechanism.kind->scale(&mechanism), 19800, 0x1p-15);
    options.min_size = 1000000;
    mechanism = made("mean", options);
    assert_just_above(mechanism.kind->scale(&mechanism), 0.099 * (1 - 1e-15), 0x1p-15);
    /* Ages in [0, 150], at least 100 people: sensitivity 1.5 (deck 003). */
    mechanism = made("mean", (dither_options){.epsilon = 1, .range = {0, 150}, .min_size = 100});
    assert_just_above(mechanism.kind->scale(&mechanism), 1.5, 0x1p-15);
}

static void means_lean_to_the_middle_when_people_are_few(void **state)
{
    (void)state;
    struct mechanism mechanism =
        made("mean", (dither_options){.epsilon = 1, .range = {0, 4}, .min_size = 4, .grid = 0.25});
    assert_int_equal(mechanism.sensitivity, 4);
    const double values[] = {4, 4, 4, 4, 4, NAN, -INFINITY, 1e308};
    const double expected[] = {2, 2.5, 3, 3.5, 4, 4, 3.25 /* 20/6 */, 2.75 /* 20/7 */, 3 /* 24/8 */};
    for (size_t n = 0; n <= COUNT(values); n++)
        assert_int_equal(one_statistic(&mechanism, values, n), (int64_t)(expected[n] / 0.25));
}

/* Against long division in MPFR of sums that do not fit in 64 bits. */
static void means_of_large_numbers_are_rounded_exactly(void **state)
{
    (void)state;
    enum { N = 3001 };
    static double values[N];
    struct mechanism mechanism =
        made("mean", (dither_options){.epsilon = 100, .range = {-0x1p52, 0x1p53}, .min_size = 7, .grid = 1});
    srand48(1);
    mpfr_t sum;
    mpfr_init2(sum, 200);
    for (size_t n = 7; n <= N; n += 499) {
        mpfr_set_zero(sum, 1);
        for (size_t i = 0; i < n; i++) {
            values[i] = rint(drand48() * 1.5 * 0x1p53 - 0x1p52);
            mpfr_add_d(sum, sum, values[i], MPFR_RNDN);
        }
        mpfr_div_ui(sum, sum, n, MPFR_RNDN);
        mpfr_add_d(sum, sum, 0.5, MPFR_RNDN);
        mpfr_floor(sum, sum);
        assert_true(one_statistic(&mechanism, values, n) == mpfr_get_sj(sum, MPFR_RNDN));
    }
    mpfr_clear(sum);
}

static void the_truncated_mean_of_the_lecture(void **state)
{
    (void)state;
    dither_options options = {.epsilon = 1, .range = {1000, 100000}, .output = {2000, 4000}, .min_size = 5};
    const double epsilons[] = {1, 0.4, 2}, scales[] = {2000, 5000, 1000};
    for (size_t i = 0; i < 3; i++) {
        options.epsilon = epsilons[i];
        struct mechanism mechanism = made("truncated-mean", options);
        assert_close(mechanism.kind->scale(&mechanism), scales[i], 1e-15);
        assert_close(noiseless(&mechanism, salaries, 10), 3300, 1e-4);
        assert_close(noiseless(&mechanism, salaries, 11), 4000, 1e-15);
        assert_close(noiseless(&mechanism, salaries, 1), 4000, 1e-15); /* leans to 50500, clamped */
    }
    options.range.upper = 1000000; /* as the other slide has it */
    struct mechanism mechanism = made("truncated-mean", options);
    assert_close(mechanism.kind->scale(&mechanism), 1000, 1e-15);
    refused("truncated-mean",
            (dither_options){.epsilon = 1, .range = {0, 9}, .output = {0.1, 0.9}, .min_size = 5, .grid = 0.5},
            "only one multiple of the grid");
}

static void linear_queries_average_values_between_0_and_1(void **state)
{
    (void)state;
    struct mechanism mechanism = made("linear", (dither_options){.epsilon = 1, .min_size = 10});
    assert_just_above(mechanism.kind->scale(&mechanism), 0.1 * (1 - 1e-15), 0x1p-15);
    const double values[] = {0, 1, 0, 1, 0, 0, 1, 0, 0, 1}; /* D1 of deck 002 */
    assert_close(noiseless(&mechanism, values, 10), 0.4, 1e-4);
    const double odd[] = {7, -3, NAN, INFINITY, 0.5, 0.5, 1, 0, 0.25, 0.75};
    assert_close(noiseless(&mechanism, odd, 10), 0.5, 1e-4);
}

static void variances_come_back_without_noise(void **state)
{
    (void)state;
    struct mechanism mechanism = made("variance", (dither_options){.epsilon = 1, .range = {0, 10}});
    const double values[] = {2, 4, 4, 4, 5, 5, 7, 9};
    assert_close(noiseless(&mechanism, values, 8), 4, 1e-4);
    assert_close(noiseless(&mechanism, (const double[]){0, 10}, 2), 25, 1e-4);
    assert_close(noiseless(&mechanism, (const double[]){-1e308, INFINITY}, 2), 25, 1e-4);
    assert_true(noiseless(&mechanism, (const double[]){3, 3, 3}, 3) < 1e-3);
    assert_true(noiseless(&mechanism, NULL, 0) == 0);
    /* A range far from 0 loses nothing: offsets are from its middle. */
    mechanism = made("variance", (dither_options){.epsilon = 1, .range = {1e6, 1e6 + 10}});
    const double far[] = {1e6 + 2, 1e6 + 4, 1e6 + 4, 1e6 + 4, 1e6 + 5, 1e6 + 5, 1e6 + 7, 1e6 + 9};
    assert_close(noiseless(&mechanism, far, 8), 4, 1e-4);
}

static void variances_stay_between_0_and_the_largest_possible(void **state)
{
    (void)state;
    struct mechanism mechanism = made("variance", (dither_options){.epsilon = 0.1, .range = {-3, 5}});
    struct random *random = fixed_source(3);
    const double values[] = {-3, 5, 1};
    int64_t statistic[3], outcome[3];
    measured(&mechanism, values, 3, statistic);
    bool low = false, high = false;
    for (int i = 0; i < 1000; i++) {
        double answer = NAN;
        assert_int_equal(mechanism_noise(&mechanism, random, statistic, 3, outcome, NULL), DITHER_OK);
        mechanism.kind->finish(&mechanism, outcome, 3, &answer);
        assert_true(answer >= 0 && answer <= 16);
        low |= answer == 0;
        high |= answer == 16;
    }
    assert_true(low && high); /* the clamp had something to do */
    random_close(random);
    assert_true(isnan(mechanism.kind->half_width(&mechanism, NULL, 0.95)));
}

/* ---- Sensitivity, exhaustively ---- */

struct people {
    double values[6];
    size_t count;
};

static uint64_t moved(const struct mechanism *mechanism, const struct people *a, const struct people *b)
{
    int64_t left[4], right[4];
    measured(mechanism, a->values, a->count, left);
    measured(mechanism, b->values, b->count, right);
    uint64_t sum = 0;
    for (size_t i = 0; i < mechanism->kind->statistic_count(mechanism, NULL); i++)
        sum += (uint64_t)llabs(left[i] - right[i]);
    return sum;
}

static const double universe[] = {-2, -0.75, 0, 0.3, 1, 2.4, 5, NAN, INFINITY, -INFINITY, 1e308};

struct extremes {
    uint64_t added, replaced;
};

/* The most that one person more, or another person, moves the statistic of up to three people. */
static void explore(const struct mechanism *mechanism, struct people people, size_t least,
                    struct extremes *worst)
{
    for (size_t one = 0; one < COUNT(universe); one++) {
        struct people more = people;
        more.values[more.count++] = universe[one];
        uint64_t distance = moved(mechanism, &people, &more);
        worst->added = distance > worst->added ? distance : worst->added;
        for (size_t other = 0; other < one; other++) {
            struct people instead = people;
            instead.values[instead.count++] = universe[other];
            distance = moved(mechanism, &more, &instead);
            worst->replaced = distance > worst->replaced ? distance : worst->replaced;
        }
        if (one >= least && people.count < 3)
            explore(mechanism, more, one, worst);
    }
}

static void nobody_moves_a_statistic_further_than_it_was_calibrated_to(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        dither_options options;
        bool sharp; /* adding one person reaches the sensitivity */
    } cases[] = {
        {"sum", {.epsilon = 1, .range = {-2, 5}, .grid = 0.5}, true},
        {"sum", {.epsilon = 1, .range = {-2, 1}, .grid = 0.25}, true},
        {"sum", {.epsilon = 1, .range = {0.3, 2.4}, .grid = 1}, false},
        {"variance", {.epsilon = 1, .range = {-2, 5}, .grid = 0.5}, true},
        {"variance", {.epsilon = 1, .range = {0.3, 0.4}, .grid = 1}, true},
        {"variance", {.epsilon = 1, .range = {-2, 1}, .grid = 0.125}, true},
        {"mean", {.epsilon = 1, .range = {-2, 5}, .min_size = 1, .grid = 0.5}, false},
        {"mean", {.epsilon = 1, .range = {-2, 5}, .min_size = 2, .grid = 0.25}, false},
        {"mean", {.epsilon = 1, .range = {-2.1, 5}, .min_size = 3, .grid = 0.125}, false},
        {"truncated-mean",
         {.epsilon = 1, .range = {-2, 5}, .output = {0, 1}, .min_size = 1, .grid = 0.25},
         true},
        {"truncated-mean",
         {.epsilon = 1, .range = {-2, 5}, .output = {-2, 4}, .min_size = 2, .grid = 0.25},
         false},
        {"linear", {.epsilon = 1, .min_size = 2, .grid = 0x1p-6}, false},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct mechanism mechanism = made(cases[i].name, cases[i].options);
        struct extremes worst = {0, 0};
        explore(&mechanism, (struct people){.count = 0}, 0, &worst);
        assert_true(worst.added <= mechanism.sensitivity);
        if (cases[i].sharp)
            assert_int_equal(worst.added, mechanism.sensitivity);
        if (mechanism.kind->replace == REPLACE_COSTS_SAME)
            assert_true(worst.replaced <= mechanism.sensitivity);
        else
            assert_true(worst.replaced <= 2 * mechanism.sensitivity);
        if (mechanism.kind == mechanism_find("mean")) /* replacing reaches it */
            assert_int_equal(worst.replaced, mechanism.sensitivity);
    }
}

static void groups_are_paid_for(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        dither_options options;
    } cases[] = {
        {"sum", {.epsilon = 1, .range = {-1, 2}, .grid = 1, .group = 3}},
        {"mean", {.epsilon = 1, .range = {0, 3}, .min_size = 3, .grid = 0.5, .group = 2}},
        {"truncated-mean",
         {.epsilon = 1, .range = {0, 3}, .output = {1, 2}, .min_size = 2, .grid = 0.5, .group = 2}},
        {"variance", {.epsilon = 1, .range = {0, 3}, .grid = 1, .group = 2}},
        {"linear", {.epsilon = 1, .min_size = 4, .grid = 0.125, .group = 2}},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct mechanism mechanism = made(cases[i].name, cases[i].options);
        struct verdict verdicts[2];
        size_t count = 0;
        assert_int_equal(verify_mechanism(&mechanism, verdicts, &count, NULL), DITHER_OK);
        assert_true(verdicts[0].kept && !verdicts[0].broken);
    }
}

/* ---- Extreme options ---- */

static void extreme_ranges_still_work(void **state)
{
    (void)state;
    const dither_range ranges[] = {{-DBL_MAX, DBL_MAX}, {0, 1e308}, {1e9, 1e9 + 1}, {-1e-300, 1e-300}};
    for (size_t i = 0; i < COUNT(ranges); i++) {
        dither_options options = {.epsilon = 1, .range = ranges[i], .min_size = 1000000};
        struct mechanism mechanism = made("mean", options);
        double top = mechanism.grid * (double)one_statistic(&mechanism, (const double[]){INFINITY}, 1);
        assert_true(isfinite(top) && top >= ranges[i].lower && top <= ranges[i].upper);
        options.min_size = 0;
        mechanism = made("sum", options);
        assert_true(mechanism.sensitivity >= 1 << 16);
    }
    refused("variance", (dither_options){.epsilon = 1, .range = {-1e300, 1e300}}, "too large or too small");
    refused("variance", (dither_options){.epsilon = 1, .range = {-1e155, 1e155}}, "too large or too small");
    refused("variance", (dither_options){.epsilon = 1, .range = {0, 1e-300}}, "too large or too small");
    refused("mean", (dither_options){.epsilon = 1, .range = {0, 1}, .min_size = UINT64_MAX},
            "min-size is larger");
    dither_options wide = {
        .epsilon = 1, .range = {0, 4}, .output = {-1e300, 1e300}, .min_size = 2, .grid = 1};
    assert_int_equal(made("truncated-mean", wide).sensitivity, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_exact_and_clamped),
        cmocka_unit_test(sums_saturate_at_the_public_limit),
        cmocka_unit_test(the_mean_of_the_lecture),
        cmocka_unit_test(means_lean_to_the_middle_when_people_are_few),
        cmocka_unit_test(means_of_large_numbers_are_rounded_exactly),
        cmocka_unit_test(the_truncated_mean_of_the_lecture),
        cmocka_unit_test(linear_queries_average_values_between_0_and_1),
        cmocka_unit_test(variances_come_back_without_noise),
        cmocka_unit_test(variances_stay_between_0_and_the_largest_possible),
        cmocka_unit_test(nobody_moves_a_statistic_further_than_it_was_calibrated_to),
        cmocka_unit_test(groups_are_paid_for),
        cmocka_unit_test(extreme_ranges_still_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
