/* partition-selection and threshold-histogram: how epsilon and delta are shared among a person's keys, the
 * threshold against reference values and from both sides, the exact promise, and every refusal. */
#include <math.h>
#include <string.h>

#include "mechanism/keys.h"
#include "mechanism/registry.h"
#include "mechanism/verify.h"
#include "tests/support/fixed_source.h"
#include "tests/support/test.h"

static const struct mechanism_kind *const kinds[] = {&mechanism_partition_selection,
                                                     &mechanism_threshold_histogram};

static struct mechanism made(const struct mechanism_kind *kind, dither_options options)
{
    struct mechanism mechanism;
    error why;
    if (mechanism_init(&mechanism, kind, &options, &why) != DITHER_OK)
        fail_msg("%s: %s", kind->name, why.message);
    return mechanism;
}

/* ---- Sharing ---- */

/* Multiplied back, the shares are within the whole, and so close to it that nothing is wasted. */
static void shares_never_add_up_to_more_than_the_whole(void **state)
{
    (void)state;
    const double deltas[] = {1e-280, 1e-10, 1e-5, 0.3, 0.999}, epsilons[] = {1e-3, 0.1, 1, 50};
    const uint64_t groups[] = {1, 2, 3, 7, 1000, 1 << 20};
    mpfr_t total, whole;
    mpfr_inits2(400, total, whole, (mpfr_ptr)0);
    for (size_t d = 0; d < 5; d++)
        for (size_t g = 0; g < sizeof groups / sizeof groups[0]; g++) {
            double epsilon = epsilons[d % 4];
            struct mechanism mechanism = made(
                kinds[0], (dither_options){.epsilon = epsilon, .delta = deltas[d], .max_groups = groups[g]});
            mpfr_set_d(total, mechanism.law.epsilon, MPFR_RNDN);
            mpfr_mul_ui(total, total, groups[g], MPFR_RNDN);
            assert_true(mpfr_cmp_d(total, epsilon) <= 0 && mpfr_cmp_d(total, epsilon * (1 - 1e-15)) > 0);
            mpfr_set_d(total, -mechanism.law.delta, MPFR_RNDN); /* 1 - (1 - share)^groups */
            mpfr_log1p(total, total, MPFR_RNDN);
            mpfr_mul_ui(total, total, groups[g], MPFR_RNDN);
            mpfr_expm1(total, total, MPFR_RNDN);
            mpfr_neg(total, total, MPFR_RNDN);
            assert_true(mpfr_cmp_d(total, deltas[d]) <= 0 && mpfr_cmp_d(total, deltas[d] * (1 - 1e-14)) > 0);
            assert_true(mechanism.cost.epsilon == epsilon && mechanism.cost.delta == deltas[d]);
        }
    mpfr_clears(total, whole, (mpfr_ptr)0);
}

static void a_huge_epsilon_is_used_only_in_part(void **state)
{
    (void)state;
    struct mechanism mechanism = made(kinds[0], (dither_options){.epsilon = 1e6, .delta = 1e-6});
    assert_true(mechanism.law.epsilon == 256);
    assert_true(mechanism.cost.epsilon == 1e6);
    const int64_t two = 2;
    assert_true(law_select.probability(&mechanism.law, &two, 1, 0, 1).lower > 1 - 1e-15);
}

/* ---- The threshold ---- */

/* The real thresholds of continuous Laplace noise, computed elsewhere with 50 digits. Discrete noise of the
 * same scale reaches a whole number m > 0 more often, by the factor 2 / (1 + q), which is worth at most half
 * a step: so our threshold is the real one rounded up, or, where half a step more passes a whole number, one
 * above. */
static const struct {
    double epsilon, delta;
    uint64_t max_groups;
    double tau;
} reference[] = {
    {0.1, 1e-10, 1, 224.3270374938051153076268},
    {0.1, 1e-10, 5, 1198.107083088730595268092},
    {0.1, 1e-6, 1, 132.2236337740432879469072},
    {0.1, 1e-6, 5, 737.5900444919134584599071},
    {0.1, 1e-5, 1, 109.1977828441028311067273},
    {0.1, 1e-5, 5, 622.4606098414191695969757},
    {0.5, 1e-10, 1, 45.66540749876102306152536},
    {0.5, 1e-10, 5, 240.4214166177461190536184},
    {0.5, 1e-6, 1, 27.24472675480865758938143},
    {0.5, 1e-6, 5, 148.3180088983826916919814},
    {0.5, 1e-5, 1, 22.63955656882056622134545},
    {0.5, 1e-5, 5, 125.2921219682838339193951},
    {1, 1e-10, 1, 23.33270374938051153076268},
    {1, 1e-10, 5, 120.7107083088730595268092},
    {1, 1e-6, 1, 14.12236337740432879469072},
    {1, 1e-6, 5, 74.65900444919134584599071},
    {1, 1e-5, 1, 11.81977828441028311067273},
    {1, 1e-5, 5, 63.14606098414191695969757},
    {1.0986122886681098, 1e-10, 1, 21.32810298932238659630494},
    {1.0986122886681098, 1e-10, 5, 109.9653825500195202480679},
    {1.0986122886681098, 1e-6, 1, 12.94448989216484900789171},
    {1.0986122886681098, 1e-6, 5, 68.04731524393469870585368},
    {1.0986122886681098, 1e-5, 1, 10.8485866178754646107884},
    {1.0986122886681098, 1e-5, 5, 57.5677824881096060661604},
    {5, 1e-10, 1, 5.466540749876102306152536},
    {5, 1e-10, 5, 24.94214166177461190536184},
    {5, 1e-6, 1, 3.624472675480865758938143},
    {5, 1e-6, 5, 15.73180088983826916919814},
    {5, 1e-5, 1, 3.163955656882056622134545},
    {5, 1e-5, 5, 13.42921219682838339193951},
};

static void thresholds_agree_with_continuous_noise(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof reference / sizeof reference[0]; i++) {
        struct mechanism mechanism = made(kinds[1], (dither_options){.epsilon = reference[i].epsilon,
                                                                     .delta = reference[i].delta,
                                                                     .max_groups = reference[i].max_groups});
        double threshold = (double)mechanism.law.threshold;
        assert_true(threshold >= ceil(reference[i].tau - 1e-6) && threshold <= ceil(reference[i].tau + 0.5));
        assert_true(fabs(mechanism.kind->scale(&mechanism) -
                         (double)reference[i].max_groups / reference[i].epsilon) < 1e-12);
    }
}

/* P(1 + Z >= t) <= share < P(1 + Z >= t - 1), with 300 bits. */
static void the_threshold_is_the_least_that_delta_allows(void **state)
{
    (void)state;
    const double epsilons[] = {0.01, 0.3, 1, 5, 1000}, deltas[] = {1e-280, 1e-9, 0.01, 0.4, 0.6, 0.99};
    mpfr_t q, tail;
    mpfr_inits2(300, q, tail, (mpfr_ptr)0);
    for (size_t e = 0; e < 5; e++)
        for (size_t d = 0; d < 6; d++) {
            struct mechanism mechanism =
                made(kinds[1], (dither_options){.epsilon = epsilons[e], .delta = deltas[d]});
            for (int64_t lower = 0; lower <= 1; lower++) {
                int64_t reach = mechanism.law.threshold - lower - 1;
                int64_t exponent = reach > 0 ? reach : 1 - reach;
                mpfr_set_d(q, -epsilons[e], MPFR_RNDN);
                mpfr_mul_si(tail, q, exponent, MPFR_RNDN);
                mpfr_exp(tail, tail, MPFR_RNDN);
                mpfr_exp(q, q, MPFR_RNDN);
                mpfr_add_ui(q, q, 1, MPFR_RNDN);
                mpfr_div(tail, tail, q, MPFR_RNDN);
                if (reach <= 0)
                    mpfr_ui_sub(tail, 1, tail, MPFR_RNDN);
                assert_true(lower ? mpfr_cmp_d(tail, deltas[d]) > 0 : mpfr_cmp_d(tail, deltas[d]) <= 0);
            }
        }
    mpfr_clears(q, tail, (mpfr_ptr)0);
}

/* ---- The promise ---- */

static struct verdict worst(const struct mechanism *mechanism)
{
    struct verdict verdicts[2];
    size_t count = 0;
    error why;
    if (verify_mechanism(mechanism, verdicts, &count, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    assert_int_equal(count, 2);
    assert_true(verdicts[1].kept);
    return verdicts[0];
}

static void the_promise_is_kept(void **state)
{
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        const dither_options cases[] = {kinds[k]->example,
                                        {.epsilon = 1, .delta = 0.01},
                                        {.epsilon = 0.5, .delta = 1e-6, .max_groups = 3},
                                        {.epsilon = 3, .delta = 0.5, .max_groups = 2}};
        for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
            struct mechanism mechanism = made(kinds[k], cases[c]);
            struct verdict verdict = worst(&mechanism);
            assert_true(verdict.kept && !verdict.broken);
        }
    }
}

/* Selection uses all of delta; a threshold one lower breaks the promise. */
static void nothing_is_left_over(void **state)
{
    (void)state;
    struct mechanism selection = made(kinds[0], kinds[0]->example);
    assert_true(worst(&selection).found.lower > selection.cost.delta * (1 - 1e-9));
    struct mechanism histogram = made(kinds[1], (dither_options){.epsilon = 1, .delta = 0.01});
    histogram.law.threshold--;
    struct verdict verdicts[2];
    size_t count = 0;
    assert_int_equal(verify_mechanism(&histogram, verdicts, &count, NULL), DITHER_OK);
    assert_true(verdicts[0].broken);
}

/* ---- Answers ---- */

static void released(const struct mechanism *mechanism, const double *counts, size_t n, double *answer)
{
    dither_data data = {counts, n};
    int64_t statistic[8], outcome[8];
    assert_true(n <= 8);
    struct random *random = fixed_source(4);
    assert_int_equal(mechanism_measure(mechanism, &data, statistic, NULL), DITHER_OK);
    assert_int_equal(mechanism_noise(mechanism, random, statistic, n, outcome, NULL), DITHER_OK);
    random_close(random);
    assert_int_equal(mechanism->kind->answer_count(mechanism, &data), n);
    mechanism->kind->finish(mechanism, outcome, n, answer);
}

static void few_are_hidden_and_many_are_shown(void **state)
{
    (void)state;
    const double counts[] = {0, 1, 100000, 3, 5000};
    for (size_t k = 0; k < 2; k++) {
        struct mechanism mechanism = made(kinds[k], (dither_options){.epsilon = 0.5, .delta = 1e-9});
        double answer[5];
        released(&mechanism, counts, 5, answer);
        assert_true(isnan(answer[0]) && isnan(answer[1]) && isnan(answer[3]));
        assert_true(k == 0 ? answer[2] == 1 && answer[4] == 1
                           : fabs(answer[2] - 100000) < 60 && fabs(answer[4] - 5000) < 60);
    }
}

static void a_noisy_count_has_the_width_of_its_noise(void **state)
{
    (void)state;
    struct mechanism histogram =
        made(kinds[1], (dither_options){.epsilon = 1, .delta = 1e-6, .max_groups = 4});
    double width = histogram.kind->half_width(&histogram, &(dither_data){NULL, 0}, 0.95);
    /* P(|Z| > w) = 2 q^(w+1) / (1 + q), q = exp(-1/4) */
    assert_true(2 * exp(-(width + 1) / 4) / (1 + exp(-0.25)) <= 0.05);
    assert_true(2 * exp(-width / 4) / (1 + exp(-0.25)) > 0.05);
    struct mechanism selection =
        made(kinds[0], (dither_options){.epsilon = 1, .delta = 1e-6, .max_groups = 4});
    assert_true(isnan(selection.kind->half_width(&selection, &(dither_data){NULL, 0}, 0.95)));
    assert_true(selection.kind->scale(&selection) == 4);
}

/* ---- Refusals ---- */

static void refused(const struct mechanism_kind *kind, dither_options options, const char *words)
{
    struct mechanism mechanism;
    error why = {.message = ""};
    assert_int_equal(mechanism_init(&mechanism, kind, &options, &why), DITHER_INVALID);
    if (strstr(why.message, words) == NULL)
        fail_msg("%s: \"%s\" does not say \"%s\"", kind->name, why.message, words);
}

static void wrong_options_are_refused(void **state)
{
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        refused(kinds[k], (dither_options){.delta = 0.1}, "needs an epsilon");
        refused(kinds[k], (dither_options){.epsilon = 1}, "needs a delta");
        refused(kinds[k], (dither_options){.epsilon = 1, .delta = 1}, "below 1");
        refused(kinds[k], (dither_options){.epsilon = 1, .delta = -0.1}, "at least 0");
        refused(kinds[k], (dither_options){.epsilon = 1, .delta = NAN}, "delta");
        refused(kinds[k], (dither_options){.epsilon = 1, .delta = 1e-300}, "too small");
        refused(kinds[k], (dither_options){.epsilon = 1, .delta = 1e-285, .max_groups = 1 << 20},
                "too small");
        refused(kinds[k], (dither_options){.epsilon = 5e-324, .delta = 0.1, .max_groups = 9}, "too small");
        refused(kinds[k], (dither_options){.epsilon = 1, .delta = 0.1, .group = 2}, "does not use group");
        refused(kinds[k], (dither_options){.epsilon = 1, .delta = 0.1, .sensitivity = 2},
                "does not use sensitivity");
        refused(kinds[k], (dither_options){.epsilon = 1, .delta = 0.1, .rho = 2}, "does not use rho");
        refused(kinds[k], (dither_options){.epsilon = 1, .delta = 0.1, .max_groups = UINT64_MAX},
                "max-groups");
    }
    refused(kinds[1], (dither_options){.epsilon = 1e-20, .delta = 0.1}, "noise scale");
    refused(kinds[1], (dither_options){.epsilon = 1e20, .delta = 0.1}, "noise scale");
}

static void what_is_no_count_is_refused(void **state)
{
    (void)state;
    const double wrong[] = {-1, 0.5, NAN, INFINITY};
    for (size_t k = 0; k < 2; k++)
        for (size_t w = 0; w < 4; w++) {
            struct mechanism mechanism = made(kinds[k], kinds[k]->example);
            int64_t statistic = 0;
            error why;
            assert_int_equal(mechanism_measure(&mechanism, &(dither_data){&wrong[w], 1}, &statistic, &why),
                             DITHER_INVALID);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_never_add_up_to_more_than_the_whole),
        cmocka_unit_test(a_huge_epsilon_is_used_only_in_part),
        cmocka_unit_test(thresholds_agree_with_continuous_noise),
        cmocka_unit_test(the_threshold_is_the_least_that_delta_allows),
        cmocka_unit_test(the_promise_is_kept),
        cmocka_unit_test(nothing_is_left_over),
        cmocka_unit_test(few_are_hidden_and_many_are_shown),
        cmocka_unit_test(a_noisy_count_has_the_width_of_its_noise),
        cmocka_unit_test(wrong_options_are_refused),
        cmocka_unit_test(what_is_no_count_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
