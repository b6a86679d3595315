/* What is remembered of a calibration is what it would be anew: for every kind with its own example, and with each single
 * option of it changed, twice around so that the second time is remembered. The two draw the same from the same words. */
#include <string.h>

#include "mechanism/known.h"
#include "mechanism/registry.h"
#include "tests/support/fixed_source.h"
#include "tests/support/test.h"

enum { NUMBERS = 8, VARIANTS = 14 };

/* The example with one option changed; false where the example does not have that option. */
static bool change(dither_options *options, int variant)
{
    double *const doubles[] = {&options->epsilon,      &options->delta,        &options->rho,
                               &options->sensitivity,  &options->range.lower,  &options->range.upper,
                               &options->output.lower, &options->output.upper, &options->threshold,
                               &options->quantile};
    uint64_t *const wholes[] = {&options->group, &options->max_groups, &options->min_size};
    if (variant < 10) {
        double before = *doubles[variant];
        *doubles[variant] *= 0.5;
        return before != 0;
    }
    if (variant < 13) {
        *wholes[variant - 10] += 1;
        return true;
    }
    options->grid = options->grid == 0 ? 0.5 : options->grid / 2;
    return true;
}

static void expect_equal(const struct mechanism *left, const struct mechanism *right)
{
    int64_t statistic[NUMBERS] = {3, 1, 4, 1, 5, 9, 2, 6}, outcomes[2][NUMBERS] = {{0}, {0}};
    const struct mechanism *both[2] = {left, right};
    assert_ptr_equal(left->kind, right->kind);
    assert_memory_equal(&left->options.epsilon, &right->options.epsilon, sizeof(double));
    assert_memory_equal(&left->options.range, &right->options.range, sizeof left->options.range);
    assert_memory_equal(&left->options.output, &right->options.output, sizeof left->options.output);
    assert_int_equal(left->options.group, right->options.group);
    assert_int_equal(left->options.max_groups, right->options.max_groups);
    assert_int_equal(left->options.min_size, right->options.min_size);
    assert_memory_equal(&left->options.quantile, &right->options.quantile, sizeof(double));
    assert_memory_equal(&left->grid, &right->grid, sizeof left->grid);
    assert_int_equal(left->sensitivity, right->sensitivity);
    assert_memory_equal(&left->cost, &right->cost, sizeof left->cost);
    assert_int_equal(left->lower, right->lower);
    assert_int_equal(left->upper, right->upper);
    assert_int_equal(left->center, right->center);
    assert_int_equal(left->law.threshold, right->law.threshold);
    if (left->law.family->outcome_count(&left->law, NUMBERS) > NUMBERS)
        return;
    for (int i = 0; i < 2; i++) {
        struct random *random = fixed_source(20261116);
        error why;
        assert_int_equal(mechanism_noise(both[i], random, statistic, NUMBERS, outcomes[i], &why), DITHER_OK);
        random_close(random);
    }
    assert_memory_equal(outcomes[0], outcomes[1], sizeof outcomes[0]);
}

static void try_options(struct mechanism_known *known, const struct mechanism_kind *kind,
                        const dither_options *options)
{
    struct mechanism anew, remembered;
    error why_anew, why;
    status expected = mechanism_init(&anew, kind, options, &why_anew);
    assert_int_equal(mechanism_init_known(known, &remembered, kind, options, &why), expected);
    if (expected == DITHER_OK)
        expect_equal(&anew, &remembered);
    else
        assert_string_equal(why.message, why_anew.message);
}

static void a_remembered_mechanism_is_the_one_that_would_be_made(void **state)
{
    (void)state;
    static struct mechanism_known known;
    for (size_t i = 0; i < mechanism_kind_count; i++) {
        const struct mechanism_kind *kind = mechanism_kinds[i];
        for (int round = 0; round < 2; round++) {
            try_options(&known, kind, &kind->example);
            for (int variant = 0; variant < VARIANTS; variant++) {
                dither_options options = kind->example;
                if (change(&options, variant))
                    try_options(&known, kind, &options);
            }
        }
    }
}

static void the_same_options_are_calibrated_once(void **state)
{
    (void)state;
    static struct mechanism_known known;
    struct mechanism mechanism;
    error why;
    dither_options options = {.epsilon = 0.1};
    for (int i = 0; i < 3; i++)
        assert_int_equal(mechanism_init_known(&known, &mechanism, &mechanism_geometric, &options, &why),
                         DITHER_OK);
    assert_int_equal(known.count, 1);
    for (int i = 0; i < 2 * MECHANISM_MOST_KNOWN; i++) { /* more than there is room for */
        options.epsilon = 1 + i;
        assert_int_equal(mechanism_init_known(&known, &mechanism, &mechanism_geometric, &options, &why),
                         DITHER_OK);
        assert_true(mechanism.options.epsilon == options.epsilon);
    }
    assert_int_equal(known.count, 1 + 2 * MECHANISM_MOST_KNOWN);
    assert_int_equal(mechanism_init_known(NULL, &mechanism, &mechanism_geometric, &options, &why), DITHER_OK);
}

static void borrowed_arrays_are_read_every_time(void **state)
{
    (void)state;
    static struct mechanism_known known;
    struct mechanism mechanism;
    error why;
    double edges[] = {0, 1, 2};
    dither_options options = {.epsilon = 1, .edges = edges, .edge_count = 3};
    assert_int_equal(mechanism_init_known(&known, &mechanism, &mechanism_histogram, &options, &why),
                     DITHER_OK);
    edges[2] = 0.5; /* no longer ascending */
    assert_int_equal(mechanism_init_known(&known, &mechanism, &mechanism_histogram, &options, &why),
                     DITHER_INVALID);
    assert_int_equal(known.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_remembered_mechanism_is_the_one_that_would_be_made),
        cmocka_unit_test(the_same_options_are_calibrated_once),
        cmocka_unit_test(borrowed_arrays_are_read_every_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
