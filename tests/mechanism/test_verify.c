/* `verify` convicts wrong mechanisms. Each test takes a real mechanism, plants one bug that people really
 * make (a sensitivity halved, a clamp dropped, a threshold off by one, ...) and expects a verdict of
 * "broken", with a loss that was worked out by hand where that is easy; and every registered mechanism,
 * unharmed, is found to keep its promise. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mechanism/gaussian_calibration.h"
#include "mechanism/grid.h"
#include "mechanism/registry.h"
#include "mechanism/verify.h"
#include "tests/support/test.h"

/* The verdicts on a kind with its example options. */
static size_t verdicts_of(const struct mechanism_kind *kind, const dither_options *options,
                          struct verdict verdicts[2])
{
    struct mechanism mechanism;
    error why;
    size_t count = 0;
    if (mechanism_init(&mechanism, kind, options, &why) != DITHER_OK ||
        verify_mechanism(&mechanism, verdicts, &count, &why) != DITHER_OK)
        fail_msg("%s: %s", kind->name, why.message);
    return count;
}

static struct verdict first_verdict(const struct mechanism_kind *kind, const dither_options *options)
{
    struct verdict verdicts[2];
    verdicts_of(kind, options, verdicts);
    return verdicts[0];
}

static void assert_broken(const struct mechanism_kind *kind, const dither_options *options)
{
    struct verdict verdict = first_verdict(kind, options);
    if (!verdict.broken || verdict.kept)
        fail_msg("%s was not convicted: found %.17g, promised %.17g", kind->name, verdict.found.upper,
                 verdict.promised);
}

static void every_registered_mechanism_keeps_its_promise(void **state)
{
    (void)state;
    assert_true(mechanism_kind_count >= 25);
    for (size_t i = 0; i < mechanism_kind_count; i++) {
        struct verdict verdicts[2];
        size_t count = verdicts_of(mechanism_kinds[i], &mechanism_kinds[i]->example, verdicts);
        for (size_t j = 0; j < count; j++)
            if (!verdicts[j].kept || verdicts[j].broken || verdicts[j].pairs == 0)
                fail_msg("%s: found %.17g, promised %.17g, worst %s", mechanism_kinds[i]->name,
                         verdicts[j].found.upper, verdicts[j].promised, verdicts[j].worst);
    }
}

/* The promise is not merely kept but used up: noise is not wasted where the worst case is among the pairs. */
static void the_plain_mechanisms_spend_just_what_they_promise(void **state)
{
    (void)state;
    const struct mechanism_kind *tight[] = {&mechanism_geometric,       &mechanism_sum,
                                            &mechanism_histogram,       &mechanism_marginals,
                                            &mechanism_bounded_laplace, &mechanism_partition_selection};
    for (size_t i = 0; i < sizeof tight / sizeof tight[0]; i++) {
        struct verdict verdict = first_verdict(tight[i], &tight[i]->example);
        assert_true(verdict.found.lower > verdict.promised * (1 - 1e-6));
    }
}

/* ---- Calibration ---- */

static status with_scale(struct mechanism *mechanism, const struct mechanism_kind *right, double factor,
                         error *why)
{
    TRY(right->init(mechanism, why));
    double scale = rational_to_double(mechanism->law.noise.scale, MPFR_RNDN) * factor;
    return geometric_init(&mechanism->law.noise, rational_from_double(scale), why);
}

static status sum_with_half_the_sensitivity(struct mechanism *mechanism, error *why)
{
    return with_scale(mechanism, &mechanism_sum, 0.5, why);
}

static status geometric_with_scale_0_8(struct mechanism *mechanism, error *why)
{
    return with_scale(mechanism, &mechanism_geometric, 0.8, why);
}

static status marginals_as_if_one_table(struct mechanism *mechanism, error *why)
{
    return with_scale(mechanism, &mechanism_marginals, 1.0 / 3,
                      why); /* 2-way of three columns: three tables */
}

static status mean_with_scale_0_8(struct mechanism *mechanism, error *why)
{
    return with_scale(mechanism, &mechanism_mean, 0.8, why);
}

static void a_sensitivity_that_is_too_small_is_convicted(void **state)
{
    (void)state;
    struct mechanism_kind broken = mechanism_sum;
    broken.init = sum_with_half_the_sensitivity;
    struct verdict verdict = first_verdict(&broken, &broken.example);
    assert_true(verdict.broken);
    assert_true(fabs(verdict.found.lower - 2 * verdict.promised) < 1e-9); /* half the noise, twice the loss */
    broken = mechanism_geometric;
    broken.init = geometric_with_scale_0_8;
    verdict = first_verdict(&broken, &broken.example);
    assert_true(verdict.broken);
    assert_true(fabs(verdict.found.lower - verdict.promised / 0.8) < 1e-9);
    broken = mechanism_marginals;
    broken.init = marginals_as_if_one_table;
    assert_broken(&broken, &broken.example);
}

/* The mean's promise is for replacing too, and is used up there. */
static void a_loss_that_only_replacing_shows_is_convicted(void **state)
{
    (void)state;
    struct mechanism_kind broken = mechanism_mean;
    broken.init = mean_with_scale_0_8;
    struct verdict verdicts[2];
    assert_int_equal(verdicts_of(&broken, &broken.example, verdicts), 2);
    assert_false(verdicts[0].broken);
    assert_true(verdicts[1].broken);
}

/* deck 004: b = sensitivity / epsilon is not enough for the bounded Laplace distribution. */
static status bounded_with_plain_scale(struct mechanism *mechanism, error *why)
{
    TRY(mechanism_bounded_laplace.init(mechanism, why));
    double steps = ceil(mechanism->options.sensitivity / mechanism->grid);
    return geometric_init(&mechanism->law.noise, rational_from_double(steps / mechanism->options.epsilon),
                          why);
}

static void the_textbook_bounded_laplace_is_convicted(void **state)
{
    (void)state;
    struct mechanism_kind broken = mechanism_bounded_laplace;
    broken.init = bounded_with_plain_scale;
    assert_broken(&broken, &broken.example);
    /* interval 1, sensitivity 0.1, epsilon 1: the true epsilon is 1.4898 for continuous noise */
    dither_options fine = {.epsilon = 1, .sensitivity = 0.1, .output = {0, 1}, .grid = 0x1p-10};
    struct verdict verdict = first_verdict(&broken, &fine);
    assert_true(verdict.broken);
    assert_true(fabs(verdict.found.lower - 1.4898) < 4e-3);
}

/* SOUNDNESS 5: the analytic calibration is for continuous noise. */
static status gaussian_as_if_continuous(struct mechanism *mechanism, error *why)
{
    TRY(mechanism_discrete_gaussian.init(mechanism, why));
    double sigma =
        gaussian_sigma((struct gaussian_promise){mechanism->options.epsilon, mechanism->options.delta});
    return discrete_gaussian_init(&mechanism->law.gaussian, rational_from_double(sigma * sigma), why);
}

static void whole_numbers_with_the_continuous_calibration_are_convicted(void **state)
{
    (void)state;
    dither_options options = {.epsilon = 3, .delta = 1e-3};
    struct verdict right = first_verdict(&mechanism_discrete_gaussian, &options);
    assert_true(right.kept);
    struct mechanism_kind broken = mechanism_discrete_gaussian;
    broken.init = gaussian_as_if_continuous;
    assert_broken(&broken, &options);
}

/* ---- Measuring ---- */

static status sum_without_clamp(const struct mechanism *mechanism, const dither_data *data,
                                int64_t *statistic, error *why)
{
    (void)why;
    statistic[0] = 0;
    for (size_t i = 0; i < data->count; i++)
        if (isfinite(data->values[i]))
            statistic[0] += grid_round(data->values[i], mechanism->grid);
    return DITHER_OK;
}

static void a_clamp_that_is_missing_is_convicted(void **state)
{
    (void)state;
    struct mechanism_kind broken = mechanism_sum;
    broken.measure = sum_without_clamp;
    assert_broken(&broken, &broken.example);
}

/* The mean of those who are there, however few: one person can move it across the whole range. */
static status plain_mean(const struct mechanism *mechanism, const dither_data *data, int64_t *statistic,
                         error *why)
{
    (void)why;
    int64_t sum = 0;
    for (size_t i = 0; i < data->count; i++)
        sum += grid_clamp(data->values[i], mechanism->options.range, mechanism->grid);
    statistic[0] = data->count == 0 ? 0 : sum / (int64_t)data->count;
    return DITHER_OK;
}

static void a_mean_that_forgets_the_smallest_size_is_convicted(void **state)
{
    (void)state;
    struct mechanism_kind broken = mechanism_mean;
    broken.measure = plain_mean;
    assert_broken(&broken, &broken.example);
}

static status histogram_counting_twice(const struct mechanism *mechanism, const dither_data *data,
                                       int64_t *statistic, error *why)
{
    TRY(mechanism_histogram.measure(mechanism, data, statistic, why));
    for (size_t i = 0; i < mechanism_histogram.statistic_count(mechanism, data); i++)
        statistic[i] *= 2;
    return DITHER_OK;
}

static void rows_counted_instead_of_people_are_convicted(void **state)
{
    (void)state;
    struct mechanism_kind broken = mechanism_histogram;
    broken.measure = histogram_counting_twice;
    assert_broken(&broken, &broken.example);
}

static status sum_that_refuses_large_values(const struct mechanism *mechanism, const dither_data *data,
                                            int64_t *statistic, error *why)
{
    for (size_t i = 0; i < data->count; i++)
        if (data->values[i] > mechanism->options.range.upper)
            return fail(why, DITHER_INVALID, "a value is out of range");
    return mechanism_sum.measure(mechanism, data, statistic, why);
}

/* An answer on one side and none on the other tells for certain who is there. */
static void refusing_some_values_is_convicted(void **state)
{
    (void)state;
    struct mechanism_kind broken = mechanism_sum;
    broken.measure = sum_that_refuses_large_values;
    struct verdict verdict = first_verdict(&broken, &broken.example);
    assert_true(verdict.broken && !verdict.kept && isinf(verdict.found.lower));
}

/* ---- Neighbours ---- */

/* -1e16 + 5 is no double, and -1e16 + 6 no neighbour of -1e16; the ends of 0.5:7.5 are no whole numbers. */
static void intervals_far_from_0_or_between_whole_numbers_have_neighbours(void **state)
{
    (void)state;
    const dither_range outputs[] = {{-1e16 + 2, -1e16 + 40}, {1e6 + 0.3, 1e6 + 8.6}, {0.5, 7.5}};
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
        dither_options options = {.epsilon = 1.5, .sensitivity = 5, .output = outputs[i]};
        struct verdict verdict = first_verdict(&mechanism_truncated_geometric, &options);
        assert_true(verdict.kept && !verdict.broken && verdict.pairs >= 8);
    }
    dither_options scores = {.epsilon = 24, .sensitivity = 3, .grid = 1, .threshold = -1e16};
    assert_true(first_verdict(&mechanism_above_threshold, &scores).kept);
}

static void assert_too_much(const struct mechanism_kind *kind, const dither_options *options,
                            const char *words)
{
    struct mechanism mechanism;
    struct verdict verdicts[2];
    error why = {.message = ""};
    size_t count = 0;
    assert_int_equal(mechanism_init(&mechanism, kind, options, &why), DITHER_OK);
    assert_int_equal(verify_mechanism(&mechanism, verdicts, &count, &why), DITHER_INVALID);
    assert_non_null(strstr(why.message, words));
}

/* Without a grid of their own these have 2^16 steps and more to the sensitivity, or 1001 candidates. */
static void default_grids_can_be_verified_or_say_why_not(void **state)
{
    (void)state;
    dither_options bounded = {.epsilon = 0.5, .sensitivity = 0.25, .output = {0, 1}};
    assert_true(first_verdict(&mechanism_bounded_laplace, &bounded).kept);
    dither_options gaussian = {.epsilon = 0.5, .delta = 0.01};
    assert_true(first_verdict(&mechanism_gaussian, &gaussian).kept);
    dither_options plain = {.epsilon = 0.5}, quantile = {.epsilon = 0.5, .range = {0, 1}};
    assert_too_much(&mechanism_above_threshold, &plain, "choose a coarser grid");
    assert_too_much(&mechanism_noisy_max, &plain, "choose a coarser grid");
    assert_too_much(&mechanism_quantile, &quantile, "too many to look at");
}

/* ---- Choices and keys ---- */

static status noisy_max_with_half_the_noise(struct mechanism *mechanism, error *why)
{
    return with_scale(mechanism, &mechanism_noisy_max, 0.5, why);
}

static status above_threshold_with_quiet_queries(struct mechanism *mechanism, error *why)
{
    TRY(mechanism_above_threshold.init(mechanism, why));
    double scale = rational_to_double(mechanism->law.query_noise.scale, MPFR_RNDN) / 4;
    return geometric_init(&mechanism->law.query_noise, rational_from_double(scale), why);
}

static status choice_with_twice_the_rate(struct mechanism *mechanism, error *why)
{
    TRY(mechanism_exponential.init(mechanism, why));
    mechanism->law.rate.exponent += 1; /* exp(epsilon score / sensitivity): the 2 forgotten */
    return DITHER_OK;
}

static status quantile_with_twice_the_rate(struct mechanism *mechanism, error *why)
{
    TRY(mechanism_quantile.init(mechanism, why));
    mechanism->law.rate.exponent += 1;
    return DITHER_OK;
}

static void choices_with_too_little_noise_are_convicted(void **state)
{
    (void)state;
    struct mechanism_kind broken = mechanism_noisy_max;
    broken.init = noisy_max_with_half_the_noise;
    assert_broken(&broken, &broken.example);
    broken = mechanism_above_threshold;
    broken.init = above_threshold_with_quiet_queries;
    assert_broken(&broken, &broken.example);
    broken = mechanism_exponential;
    broken.init = choice_with_twice_the_rate;
    assert_broken(&broken, &broken.example);
    broken = mechanism_quantile;
    broken.init = quantile_with_twice_the_rate;
    assert_broken(&broken, &broken.example);
}

static status threshold_off_by_one(struct mechanism *mechanism, error *why)
{
    TRY(mechanism_threshold_histogram.init(mechanism, why));
    mechanism->law.threshold--;
    return DITHER_OK;
}

static status selection_with_whole_delta_for_each_key(struct mechanism *mechanism, error *why)
{
    TRY(mechanism_partition_selection.init(mechanism, why));
    mechanism->law.delta = mechanism->options.delta;
    return DITHER_OK;
}

static void a_threshold_off_by_one_is_convicted(void **state)
{
    (void)state;
    struct mechanism_kind broken = mechanism_threshold_histogram;
    broken.init = threshold_off_by_one;
    dither_options options = {.epsilon = 1, .delta = 1e-2};
    assert_true(first_verdict(&mechanism_threshold_histogram, &options).kept);
    assert_broken(&broken, &options);
}

static void a_delta_that_is_not_shared_among_keys_is_convicted(void **state)
{
    (void)state;
    struct mechanism_kind broken = mechanism_partition_selection;
    broken.init = selection_with_whole_delta_for_each_key;
    assert_broken(&broken, &broken.example);
}

/* ---- Groups ---- */

/* A promise to one person is k times as weak for k people: noise for one, looked at with two. */
static status sum_that_forgets_the_group(struct mechanism *mechanism, error *why)
{
    return with_scale(mechanism, &mechanism_sum, 0.5, why);
}

static void groups_are_hidden_together_or_convicted(void **state)
{
    (void)state;
    dither_options options = mechanism_sum.example;
    options.group = 2;
    struct verdict right = first_verdict(&mechanism_sum, &options);
    assert_true(right.kept && right.found.lower > right.promised * (1 - 1e-6));
    struct mechanism_kind broken = mechanism_sum;
    broken.init = sum_that_forgets_the_group;
    assert_broken(&broken, &options);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_registered_mechanism_keeps_its_promise),
        cmocka_unit_test(the_plain_mechanisms_spend_just_what_they_promise),
        cmocka_unit_test(a_sensitivity_that_is_too_small_is_convicted),
        cmocka_unit_test(a_loss_that_only_replacing_shows_is_convicted),
        cmocka_unit_test(the_textbook_bounded_laplace_is_convicted),
        cmocka_unit_test(whole_numbers_with_the_continuous_calibration_are_convicted),
        cmocka_unit_test(a_clamp_that_is_missing_is_convicted),
        cmocka_unit_test(a_mean_that_forgets_the_smallest_size_is_convicted),
        cmocka_unit_test(rows_counted_instead_of_people_are_convicted),
        cmocka_unit_test(refusing_some_values_is_convicted),
        cmocka_unit_test(intervals_far_from_0_or_between_whole_numbers_have_neighbours),
        cmocka_unit_test(default_grids_can_be_verified_or_say_why_not),
        cmocka_unit_test(choices_with_too_little_noise_are_convicted),
        cmocka_unit_test(a_threshold_off_by_one_is_convicted),
        cmocka_unit_test(a_delta_that_is_not_shared_among_keys_is_convicted),
        cmocka_unit_test(groups_are_hidden_together_or_convicted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
