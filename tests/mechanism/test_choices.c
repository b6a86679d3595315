/* The mechanisms that choose by scores - exponential, permute-and-flip, noisy-max, above-threshold: what they
 * make of their options, the lecture's example, the exact promise, the honesty of their half-widths, and
 * every refusal. */
#include <math.h>
#include <string.h>

#include "mechanism/registry.h"
#include "mechanism/verify.h"
#include "tests/support/fixed_source.h"
#include "tests/support/test.h"

static const struct mechanism_kind *const choosers[] = {&mechanism_exponential, &mechanism_permute_and_flip,
                                                        &mechanism_noisy_max, &mechanism_above_threshold};

enum { CHOOSERS = 4 };

static struct mechanism made(const struct mechanism_kind *kind, dither_options options)
{
    struct mechanism mechanism;
    error why;
    if (mechanism_init(&mechanism, kind, &options, &why) != DITHER_OK)
        fail_msg("%s: %s", kind->name, why.message);
    return mechanism;
}

static double probability(const struct mechanism *mechanism, const double *scores, size_t n, int64_t outcome)
{
    int64_t statistic[64];
    assert_true(n <= 64);
    assert_int_equal(mechanism_measure(mechanism, &(dither_data){scores, n}, statistic, NULL), DITHER_OK);
    return interval_middle(mechanism->law.family->probability(&mechanism->law, statistic, n, 0, outcome));
}

static void refused(const struct mechanism_kind *kind, dither_options options, const char *words)
{
    struct mechanism mechanism;
    error why = {.message = ""};
    assert_int_equal(mechanism_init(&mechanism, kind, &options, &why), DITHER_INVALID);
    if (strstr(why.message, words) == NULL)
        fail_msg("%s: \"%s\" does not say \"%s\"", kind->name, why.message, words);
}

/* ---- Options ---- */

static void the_sensitivity_is_rounded_up_to_steps(void **state)
{
    (void)state;
    const struct {
        double sensitivity, grid;
        uint64_t group, steps;
    } cases[] = {
        {1, 1, 0, 1},         {1, 0.25, 0, 4},
        {0.3, 0.25, 0, 2},    {0.3, 0.25, 5, 10},
        {1e-9, 1, 0, 1},      {1, 0, 0, 65536},
        {0, 0, 0, 65536},     {1e-320, 0x1p1000, 0, 1},
        {1.5, 0, 0, 3 << 15}, {0.001, 0, 0, 67109 /* 0.001 * 2^26 = 67108.9 */},
    };
    for (size_t k = 0; k < CHOOSERS; k++)
        for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
            struct mechanism mechanism =
                made(choosers[k], (dither_options){.epsilon = 1,
                                                   .sensitivity = cases[c].sensitivity,
                                                   .grid = cases[c].grid,
                                                   .group = cases[c].group});
            assert_true(mechanism.sensitivity == cases[c].steps);
            assert_true(mechanism.cost.epsilon == 1 && mechanism.cost.delta == 0 && mechanism.cost.rho == 0);
        }
}

static void the_rate_and_the_scales_follow_from_the_sensitivity(void **state)
{
    (void)state;
    dither_options options = {.epsilon = 0.5, .sensitivity = 3, .grid = 0.5, .group = 2};
    struct rational rate = rational_from_ratio(1, 48); /* 0.5 / (2 * 6 steps * 2 people) */
    for (size_t k = 0; k < 2; k++)
        assert_int_equal(rational_compare(made(choosers[k], options).law.rate, rate), 0);
    options.threshold = -2.3;
    struct mechanism above = made(&mechanism_above_threshold, options);
    assert_int_equal(rational_compare(above.law.noise.scale, rational_from_ratio(48, 1)), 0);
    assert_int_equal(rational_compare(above.law.query_noise.scale, rational_from_ratio(96, 1)), 0);
    assert_int_equal(above.law.threshold, -5); /* -4.6 steps */
    assert_true(mechanism_above_threshold.scale(&above) ==
                48); /* of a number, in its unit: 96 steps of a half */
}

static void scores_are_rounded_and_saturated(void **state)
{
    (void)state;
    struct mechanism mechanism = made(&mechanism_exponential, (dither_options){.epsilon = 1, .grid = 0.5});
    const double scores[] = {0.24, 0.25, -0.25, -0.26, 1e300, -1e300, 7};
    const int64_t expected[] = {0, 1, 0, -1, MECHANISM_LIMIT, -MECHANISM_LIMIT, 14};
    int64_t statistic[7];
    assert_int_equal(mechanism_measure(&mechanism, &(dither_data){scores, 7}, statistic, NULL), DITHER_OK);
    assert_memory_equal(statistic, expected, sizeof expected);
}

static void the_answer_is_an_index(void **state)
{
    (void)state;
    const double scores[] = {-1000, 0, 5000, 100};
    for (size_t k = 0; k < CHOOSERS; k++) {
        dither_options options = {.epsilon = 4, .threshold = k == 3 ? 1000 : 0};
        struct mechanism mechanism = made(choosers[k], options);
        dither_data data = {scores, 4};
        int64_t statistic[4], outcome = -1;
        struct random *random = fixed_source(9);
        assert_int_equal(mechanism_measure(&mechanism, &data, statistic, NULL), DITHER_OK);
        assert_int_equal(mechanism_noise(&mechanism, random, statistic, 4, &outcome, NULL), DITHER_OK);
        random_close(random);
        double answer = -1;
        assert_int_equal(choosers[k]->answer_count(&mechanism, &data), 1);
        choosers[k]->finish(&mechanism, &outcome, 1, &answer);
        assert_true(answer == 2);
    }
}

static void a_search_that_finds_nothing_answers_nan(void **state)
{
    (void)state;
    struct mechanism mechanism =
        made(&mechanism_above_threshold, (dither_options){.epsilon = 4, .threshold = 1e6});
    const int64_t hidden = LAW_HIDDEN;
    double answer = 0;
    mechanism_above_threshold.finish(&mechanism, &hidden, 1, &answer);
    assert_true(isnan(answer));
    const double numbers[] = {0, 0, 0};
    assert_true(probability(&mechanism, numbers, 3, LAW_HIDDEN) > 0.999);
}

/* ---- The lecture's example: choosing among classifiers by accuracy on n validation records ---- */

static void classifiers_are_chosen_as_in_the_lecture(void **state)
{
    (void)state;
    enum { K = 4 };
    const struct {
        double records, tolerance;
    } cases[] = {{1024, 1e-13}, {1000, 1e-5}}; /* 1/1024 is on the grid, 1/1000 is rounded up */
    const double right[K] = {900, 930, 935, 610}, epsilon = 0.1;
    for (size_t c = 0; c < 2; c++) {
        double accuracy[K], weight[K], total = 0;
        for (int i = 0; i < K; i++) {
            accuracy[i] = right[i] / cases[c].records;
            weight[i] = exp(epsilon * cases[c].records * (accuracy[i] - 0.9) / 2);
            total += weight[i];
        }
        struct mechanism mechanism =
            made(&mechanism_exponential,
                 (dither_options){.epsilon = epsilon, .sensitivity = 1 / cases[c].records});
        for (int i = 0; i < K; i++)
            assert_true(fabs(probability(&mechanism, accuracy, K, i) - weight[i] / total) <
                        cases[c].tolerance);
    }
}

/* ---- The promise ---- */

static void kept(const struct mechanism_kind *kind, dither_options options)
{
    struct mechanism mechanism = made(kind, options);
    struct verdict verdicts[2];
    size_t count = 0;
    error why;
    if (verify_mechanism(&mechanism, verdicts, &count, &why) != DITHER_OK)
        fail_msg("%s: %s", kind->name, why.message);
    for (size_t i = 0; i < count; i++)
        if (!verdicts[i].kept)
            fail_msg("%s: promised %g, found [%.12g, %.12g] for %s", kind->name, verdicts[i].promised,
                     verdicts[i].found.lower, verdicts[i].found.upper, verdicts[i].worst);
}

/* Narrow noise, so that the exact laws are short sums; `dither verify` looks at the examples. */
static dither_options quick(size_t k)
{
    return (dither_options){.epsilon = 6, .grid = 1, .threshold = k == 3 ? 2 : 0};
}

static void the_promise_is_kept(void **state)
{
    (void)state;
    for (size_t k = 0; k < CHOOSERS; k++)
        kept(choosers[k], quick(k));
    /* on the default grid, off the grid, and for a group */
    kept(&mechanism_permute_and_flip, (dither_options){.epsilon = 0.3});
    kept(&mechanism_exponential, (dither_options){.epsilon = 1, .sensitivity = 0.7, .grid = 0.5});
    kept(&mechanism_permute_and_flip, (dither_options){.epsilon = 1, .grid = 1, .group = 3});
}

/* The check of the check: a rate twice too large is convicted. */
static void a_sensitivity_halved_is_convicted(void **state)
{
    (void)state;
    for (size_t k = 0; k < CHOOSERS; k++) {
        struct mechanism mechanism = made(choosers[k], quick(k));
        mechanism.law.rate.exponent++;
        if (k >= 2) {
            struct rational half = mechanism.law.noise.scale;
            half.exponent--;
            assert_int_equal(geometric_init(&mechanism.law.noise, half, NULL), DITHER_OK);
            assert_int_equal(geometric_init(&mechanism.law.query_noise, half, NULL), DITHER_OK);
        }
        struct verdict verdicts[2];
        size_t count = 0;
        assert_int_equal(verify_mechanism(&mechanism, verdicts, &count, NULL), DITHER_OK);
        assert_true(verdicts[0].broken);
    }
}

/* ---- How far from the best ---- */

/* The worst data: one best choice and all others just beyond the half-width. */
static void the_chosen_score_is_within_the_half_width(void **state)
{
    (void)state;
    enum { K = 5 };
    const double confidences[] = {0.5, 0.9, 0.99};
    for (size_t k = 0; k < 3; k++)
        for (size_t c = 0; c < 3; c++) {
            struct mechanism mechanism = made(choosers[k], (dither_options){.epsilon = 1, .grid = 1});
            double scores[K] = {0};
            dither_data data = {scores, K};
            double width = choosers[k]->half_width(&mechanism, &data, confidences[c]);
            scores[2] = width + 1;
            double beyond = 1 - probability(&mechanism, scores, K, 2);
            assert_true(beyond <= 1 - confidences[c]);
            assert_true(width <=
                        2 * log(K / (1 - confidences[c])) * 2 + 3); /* and not much wider than it must be */
            assert_true(choosers[k]->half_width(&mechanism, &(dither_data){scores, 1}, confidences[c]) == 0);
        }
}

/* Two choices of equal noise: the width is where the difference of the noises says, up to the step of
 * rounding. */
static void the_half_width_of_noisy_max_is_tight_for_two(void **state)
{
    (void)state;
    struct mechanism mechanism = made(&mechanism_noisy_max, (dither_options){.epsilon = 0.1, .grid = 1});
    double scores[2] = {0};
    double width = mechanism_noisy_max.half_width(&mechanism, &(dither_data){scores, 2}, 0.95);
    scores[0] =
        width; /* the second must be strictly larger to win: gap - 1 with the added step of rounding */
    assert_true(probability(&mechanism, scores, 2, 1) <= 0.05);
    scores[0] = width - 2;
    assert_true(probability(&mechanism, scores, 2, 1) > 0.05 * 0.9);
}

static void the_first_above_is_honest_about_the_threshold(void **state)
{
    (void)state;
    struct mechanism mechanism =
        made(&mechanism_above_threshold, (dither_options){.epsilon = 1, .grid = 1, .threshold = 50});
    double number = 0;
    dither_data data = {&number, 1};
    double width = mechanism_above_threshold.half_width(&mechanism, &data, 0.9);
    number = 50 - width - 1;
    assert_true(probability(&mechanism, &number, 1, 0) <= 0.1);
    number = 50 + width + 1;
    assert_true(probability(&mechanism, &number, 1, LAW_HIDDEN) <= 0.1);
    double many =
        mechanism_above_threshold.half_width(&mechanism, &(dither_data){&number, 1000000}, 1 - 1e-12);
    assert_true(isfinite(many) && many > width);
}

/* ---- Refusals ---- */

static void wrong_options_are_refused(void **state)
{
    (void)state;
    for (size_t k = 0; k < CHOOSERS; k++) {
        const struct mechanism_kind *kind = choosers[k];
        refused(kind, (dither_options){.sensitivity = 1}, "needs an epsilon");
        refused(kind, (dither_options){.epsilon = -1}, "epsilon must be above 0");
        refused(kind, (dither_options){.epsilon = NAN}, "epsilon is not a number");
        refused(kind, (dither_options){.epsilon = INFINITY}, "epsilon must be finite");
        refused(kind, (dither_options){.epsilon = 1, .delta = 0.1}, "does not use delta");
        refused(kind, (dither_options){.epsilon = 1, .max_groups = 2}, "does not use max-groups");
        refused(kind, (dither_options){.epsilon = 1, .range = {0, 1}}, "does not use range");
        refused(kind, (dither_options){.epsilon = 1, .sensitivity = -2}, "the sensitivity must be above 0");
        refused(kind, (dither_options){.epsilon = 1, .grid = 0.3}, "power of two");
        refused(kind, (dither_options){.epsilon = 1, .sensitivity = 1e30, .grid = 1}, "larger grid");
        refused(kind, (dither_options){.epsilon = 1, .sensitivity = 1e18, .grid = 1, .group = 1000},
                "larger grid");
        refused(kind, (dither_options){.epsilon = 1, .group = UINT64_MAX}, "group");
    }
    for (size_t k = 0; k < 3; k++)
        refused(choosers[k], (dither_options){.epsilon = 1, .threshold = 3}, "does not use threshold");
    for (size_t k = 2; k < CHOOSERS; k++) {
        refused(choosers[k], (dither_options){.epsilon = 1e9, .grid = 1}, "noise scale");
        refused(choosers[k], (dither_options){.epsilon = 1e-15, .grid = 1}, "noise scale");
    }
    refused(&mechanism_above_threshold, (dither_options){.epsilon = 1, .threshold = NAN}, "finite");
}

static void wrong_data_are_refused(void **state)
{
    (void)state;
    const double scores[] = {0, NAN};
    for (size_t k = 0; k < CHOOSERS; k++) {
        struct mechanism mechanism = made(choosers[k], (dither_options){.epsilon = 1});
        int64_t statistic[2];
        error why;
        assert_int_equal(mechanism_measure(&mechanism, &(dither_data){scores, 0}, statistic, &why),
                         DITHER_INVALID);
        assert_int_equal(mechanism_measure(&mechanism, &(dither_data){scores, 2}, statistic, &why),
                         DITHER_INVALID);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sensitivity_is_rounded_up_to_steps),
        cmocka_unit_test(the_rate_and_the_scales_follow_from_the_sensitivity),
        cmocka_unit_test(scores_are_rounded_and_saturated),
        cmocka_unit_test(the_answer_is_an_index),
        cmocka_unit_test(a_search_that_finds_nothing_answers_nan),
        cmocka_unit_test(classifiers_are_chosen_as_in_the_lecture),
        cmocka_unit_test(the_promise_is_kept),
        cmocka_unit_test(a_sensitivity_halved_is_convicted),
        cmocka_unit_test(the_chosen_score_is_within_the_half_width),
        cmocka_unit_test(the_half_width_of_noisy_max_is_tight_for_two),
        cmocka_unit_test(the_first_above_is_honest_about_the_threshold),
        cmocka_unit_test(wrong_options_are_refused),
        cmocka_unit_test(wrong_data_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
