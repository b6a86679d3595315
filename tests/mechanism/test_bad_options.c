/* Every bad option of every additive mechanism is refused, in one sentence that names it.
 *
 * Each mechanism's own example is spoilt in one option at a time; the unspoilt one must work, so that it is
 * the spoilt option that was refused. */
#include <math.h>
#include <string.h>

#include "tests/support/mechanisms.h"
#include "tests/support/test.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *const names[] = {
    "laplace",
    "geometric",
    "truncated-geometric",
    "truncated-laplace",
    "bounded-laplace",
    "approximate-laplace",
    "gaussian",
    "discrete-gaussian",
    "sum",
    "mean",
    "truncated-mean",
    "histogram",
    "histogram-mean",
    "variance",
    "cdf",
    "cdf-tree",
    "marginals",
    "point",
    "linear",
};

static bool knows(const char *name, unsigned option)
{
    const struct mechanism_kind *kind = mechanism_find(name);
    return ((kind->needs | kind->understands) & option) != 0;
}

static dither_options example(const char *name)
{
    return mechanism_find(name)->example;
}

static void examples_work_and_promise_what_was_asked(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        dither_options options = example(names[i]);
        struct mechanism mechanism = made(names[i], options);
        assert_true(mechanism.cost.epsilon == options.epsilon && mechanism.cost.delta == options.delta &&
                    mechanism.cost.rho == options.rho);
        assert_true(mechanism.sensitivity >= 1 && mechanism.grid > 0);
        assert_true(mechanism.kind->scale(&mechanism) > 0);
        assert_true(strlen(mechanism.kind->summary) > 10);
    }
}

static void epsilon_must_be_a_positive_finite_number(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        dither_options options = example(names[i]);
        options.rho = 0;
        options.epsilon = 0;
        refused(names[i], options, "epsilon");
        options.epsilon = -1;
        refused(names[i], options, "epsilon must be above 0");
        options.epsilon = NAN;
        refused(names[i], options, "epsilon is not a number");
        options.epsilon = INFINITY;
        refused(names[i], options, "epsilon must be finite");
    }
}

static void delta_must_be_a_probability(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        dither_options options = example(names[i]);
        const double bad[] = {-1e-9, 1, 7, NAN, INFINITY};
        for (size_t j = 0; j < COUNT(bad); j++) {
            options.delta = bad[j];
            refused(names[i], options,
                    knows(names[i], OPTION_DELTA) ? "delta must be" : "does not use delta");
        }
    }
}

static void rho_must_be_a_positive_finite_number(void **state)
{
    (void)state;
    const double bad[] = {-1, NAN, INFINITY};
    for (size_t i = 0; i < COUNT(names); i++)
        for (size_t j = 0; j < COUNT(bad); j++) {
            dither_options options = example(names[i]);
            if (knows(names[i], OPTION_RHO))
                options.epsilon = options.delta = 0;
            options.rho = bad[j];
            refused(names[i], options, "rho");
        }
}

static void sensitivity_and_grid_must_be_positive(void **state)
{
    (void)state;
    const double bad[] = {-1, NAN, INFINITY};
    for (size_t i = 0; i < COUNT(names); i++)
        for (size_t j = 0; j < COUNT(bad); j++) {
            dither_options options = example(names[i]);
            options.sensitivity = bad[j];
            refused(names[i], options, "sensitivity");
            options = example(names[i]);
            options.grid = bad[j];
            refused(names[i], options, "grid");
            options.grid = 0.3;
            refused(names[i], options, knows(names[i], OPTION_GRID) ? "power of two" : "does not use grid");
        }
}

static void ranges_must_be_the_right_way_round(void **state)
{
    (void)state;
    const dither_range bad[] = {{2, 1}, {3, 3}, {NAN, 1}, {0, NAN}, {-INFINITY, 1}, {0, INFINITY}};
    for (size_t i = 0; i < COUNT(names); i++)
        for (size_t j = 0; j < COUNT(bad); j++) {
            dither_options options = example(names[i]);
            options.range = bad[j];
            refused(names[i], options, "range");
            options = example(names[i]);
            options.output = bad[j];
            refused(names[i], options, "output");
        }
}

static void what_is_needed_is_missed(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        dither_options options = example(names[i]);
        if (knows(names[i], OPTION_RANGE)) {
            options.range = (dither_range){0, 0};
            refused(names[i], options, "needs a range");
        }
        options = example(names[i]);
        if (knows(names[i], OPTION_OUTPUT)) {
            options.output = (dither_range){0, 0};
            refused(names[i], options, "needs an output interval");
        }
        options = example(names[i]);
        if (knows(names[i], OPTION_MIN_SIZE)) {
            options.min_size = 0;
            refused(names[i], options, "needs a min-size");
        }
        options = example(names[i]);
        if (knows(names[i], OPTION_EDGES)) {
            options.edge_count = 0;
            refused(names[i], options, "needs edges");
        }
        options = example(names[i]);
        if (knows(names[i], OPTION_CATEGORIES)) {
            options.column_count = 0;
            refused(names[i], options, "needs categories");
        }
        options = example(names[i]);
        if (knows(names[i], OPTION_WAYS)) {
            options.ways = 0;
            refused(names[i], options, "needs ways");
        }
    }
}

static void edges_and_tables_must_make_sense(void **state)
{
    (void)state;
    const double falling[] = {1, 0, 2}, twice[] = {0, 0, 1}, hole[] = {0, NAN, 1},
                 endless[] = {0, 1, INFINITY};
    const double *const bad[] = {falling, twice, hole, endless};
    for (size_t i = 0; i < COUNT(names); i++) {
        if (knows(names[i], OPTION_EDGES))
            for (size_t j = 0; j < COUNT(bad); j++) {
                dither_options options = example(names[i]);
                options.edges = bad[j];
                options.edge_count = 3;
                refused(names[i], options, "edge");
            }
        if (knows(names[i], OPTION_CATEGORIES)) {
            const uint32_t empty[] = {2, 0, 2};
            dither_options options = example(names[i]);
            options.categories = empty;
            refused(names[i], options, "column 2 has no categories");
        }
    }
    dither_options options = example("marginals");
    options.ways = 4;
    refused("marginals", options, "there are only 3 columns");
}

/* With a delta no epsilon is too small, and with Gaussian noise none too large: delta then does the work. */
static void noise_beyond_what_can_be_drawn_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        const struct mechanism_kind *kind = mechanism_find(names[i]);
        dither_options options = example(names[i]);
        if (options.delta != 0)
            continue;
        double *cost = options.rho != 0 ? &options.rho : &options.epsilon;
        const double extremes[] = {1e-40, 1e40};
        for (size_t j = 0; j < COUNT(extremes); j++) {
            struct mechanism mechanism;
            error why = {0};
            *cost = extremes[j];
            assert_int_equal(mechanism_init(&mechanism, kind, &options, &why), DITHER_INVALID);
            assert_true(strlen(why.message) > 20 && why.message[strlen(why.message) - 1] != '\n');
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_work_and_promise_what_was_asked),
        cmocka_unit_test(epsilon_must_be_a_positive_finite_number),
        cmocka_unit_test(delta_must_be_a_probability),
        cmocka_unit_test(rho_must_be_a_positive_finite_number),
        cmocka_unit_test(sensitivity_and_grid_must_be_positive),
        cmocka_unit_test(ranges_must_be_the_right_way_round),
        cmocka_unit_test(what_is_needed_is_missed),
        cmocka_unit_test(edges_and_tables_must_make_sense),
        cmocka_unit_test(noise_beyond_what_can_be_drawn_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
