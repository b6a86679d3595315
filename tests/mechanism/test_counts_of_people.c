/* Counts of people: histogram, histogram-mean, cdf, cdf-tree, point, marginals.
 *
 * Counts are compared with the lectures' and with counting by the definition, over values that include NaN
 * and infinities. The tree's answers are compared with the plain counts, its rising with a direct search. */
#include <math.h>
#include <stdlib.h>

#include "mechanism/verify.h"
#include "tests/support/fixed_source.h"
#include "tests/support/mechanisms.h"
#include "tests/support/test.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void assert_counts(const struct mechanism *mechanism, const double *values, size_t count,
                          const int64_t *expected, size_t cells)
{
    int64_t statistic[256];
    dither_data data = {values, count};
    assert_int_equal(mechanism->kind->statistic_count(mechanism, &data), cells);
    measured(mechanism, values, count, statistic);
    for (size_t i = 0; i < cells; i++)
        assert_int_equal(statistic[i], expected[i]);
}

static const double incomes[] = {1234, 1300, 1233, 1250, 1284, 2000, 2300, 2044,
                                 2573, 2745, 2853, 2483, 3633, 3182, 3274, 3935};
static const double thousands[] = {1000, 2000, 3000, 4000};

/* ---- Histograms ---- */

static void the_histogram_of_the_lecture(void **state)
{
    (void)state;
    struct mechanism mechanism =
        made("histogram", (dither_options){.epsilon = 1, .edges = thousands, .edge_count = 4});
    assert_counts(&mechanism, incomes, COUNT(incomes), (const int64_t[]){5, 7, 4}, 3);
    assert_close(mechanism.kind->scale(&mechanism), 1, 1e-15);
    mechanism =
        made("histogram", (dither_options){.epsilon = 0.5, .edges = thousands, .edge_count = 4, .group = 3});
    assert_close(mechanism.kind->scale(&mechanism), 6, 1e-15);
}

static void buckets_have_their_lower_edge_and_the_last_one_both(void **state)
{
    (void)state;
    const double edges[] = {0, 1, 3};
    const double values[] = {0,       -0.0, 0.999,    1,         2,     3,     3.0000001,
                             -1e-300, NAN,  INFINITY, -INFINITY, 1e308, -1e308};
    struct mechanism mechanism =
        made("histogram", (dither_options){.epsilon = 1, .edges = edges, .edge_count = 3});
    assert_counts(&mechanism, values, COUNT(values), (const int64_t[]){3, 3}, 2);
    assert_counts(&mechanism, NULL, 0, (const int64_t[]){0, 0}, 2);
    refused("histogram", (dither_options){.epsilon = 1, .edges = edges, .edge_count = 1},
            "at least two edges");
    refused("histogram-mean", (dither_options){.epsilon = 1, .edges = edges, .edge_count = 1},
            "at least two edges");
}

static double mean_of(const struct mechanism *mechanism, const int64_t *outcome, size_t count)
{
    double answer = NAN;
    mechanism->kind->finish(mechanism, outcome, count, &answer);
    return answer;
}

static void the_histogram_mean_of_the_lecture(void **state)
{
    (void)state;
    struct mechanism mechanism =
        made("histogram-mean", (dither_options){.epsilon = 1, .edges = thousands, .edge_count = 4});
    assert_close(mean_of(&mechanism, (const int64_t[]){5, 7, 4}, 3), 2437.5, 1e-15);
    /* The lecture's noisy counts, (5.753484, 6.385643, 2.427484), in millionths: its 2271.67. */
    assert_close(mean_of(&mechanism, (const int64_t[]){5753484, 6385643, 2427484}, 3), 2271.67, 2e-6);
    assert_true(isnan(mechanism.kind->half_width(&mechanism, NULL, 0.95)));
}

static void histogram_means_stay_sensible_with_negative_counts(void **state)
{
    (void)state;
    struct mechanism mechanism =
        made("histogram-mean", (dither_options){.epsilon = 1, .edges = thousands, .edge_count = 4});
    assert_close(mean_of(&mechanism, (const int64_t[]){0, 0, 0}, 3), 2500, 1e-15);
    assert_close(mean_of(&mechanism, (const int64_t[]){-5, 2, 1}, 3), 2500, 1e-15);
    assert_close(mean_of(&mechanism, (const int64_t[]){-5, 0, 6}, 3), 3500, 1e-15);
    assert_close(mean_of(&mechanism, (const int64_t[]){6, 0, -5}, 3), 1500, 1e-15);
}

/* ---- Thresholds ---- */

static void the_cdf_counts_people_at_or_below_each_threshold(void **state)
{
    (void)state;
    const double edges[] = {-1, 0, 0.5, 2};
    const double values[] = {-1, -0.99, 0, -0.0, 0.4, 2, 2.1, NAN, INFINITY, -INFINITY, 1e308, -1e308};
    struct mechanism mechanism = made("cdf", (dither_options){.epsilon = 2, .edges = edges, .edge_count = 4});
    assert_counts(&mechanism, values, COUNT(values), (const int64_t[]){3, 6, 7, 8}, 4);
    assert_int_equal(mechanism.sensitivity, 4);
    assert_close(mechanism.kind->scale(&mechanism), 2, 1e-15);
    mechanism = made("cdf", (dither_options){.epsilon = 2, .edges = edges + 2, .edge_count = 1});
    assert_counts(&mechanism, values, COUNT(values), (const int64_t[]){7}, 1);
    refused("cdf", (dither_options){.epsilon = 2}, "needs edges");
}

/* Deck 002, with the rows of three bits read as numbers 0 to 7. */
static const double deck_numbers[] = {0, 5, 2, 5, 0, 1, 6, 0, 2, 5};
static const double deck_rows[] = {0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 0,
                                   0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1};

static void the_thresholds_of_the_lecture(void **state)
{
    (void)state;
    const double edges[] = {0, 1, 2, 3, 4, 5, 6, 7};
    struct mechanism mechanism = made("cdf", (dither_options){.epsilon = 1, .edges = edges, .edge_count = 8});
    assert_counts(&mechanism, deck_numbers, 10, (const int64_t[]){3, 4, 6, 6, 6, 9, 10, 10}, 8);
}

static void the_tree_gives_the_plain_counts_when_there_is_no_noise(void **state)
{
    (void)state;
    enum { MOST = 70 };
    double edges[MOST], values[200];
    srand48(5);
    for (size_t i = 0; i < 200; i++)
        values[i] = i % 29 == 0 ? NAN : floor(drand48() * 90) - 10;
    for (size_t count = 1; count <= MOST; count++) {
        for (size_t i = 0; i < count; i++)
            edges[i] = (double)i;
        dither_options options = {.epsilon = 1, .edges = edges, .edge_count = count};
        struct mechanism plain = made("cdf", options), tree = made("cdf-tree", options);
        assert_int_equal(tree.sensitivity, (uint64_t)floor(log2((double)count)) + 1);
        int64_t counts[MOST], nodes[MOST];
        double answer[MOST];
        measured(&plain, values, 200, counts);
        measured(&tree, values, 200, nodes);
        tree.kind->finish(&tree, nodes, count, answer);
        for (size_t i = 0; i < count; i++)
            assert_true(answer[i] == (double)counts[i]);
    }
}

static void one_person_is_in_as_many_nodes_as_was_calibrated_to(void **state)
{
    (void)state;
    enum { MOST = 40 };
    double edges[MOST];
    for (size_t i = 0; i < MOST; i++)
        edges[i] = (double)i;
    for (size_t count = 1; count <= MOST; count++) {
        struct mechanism tree =
            made("cdf-tree", (dither_options){.epsilon = 1, .edges = edges, .edge_count = count});
        uint64_t most = 0;
        for (double value = -1; value <= (double)count; value++) {
            int64_t nodes[MOST];
            uint64_t sum = 0;
            measured(&tree, &value, 1, nodes);
            for (size_t i = 0; i < count; i++)
                sum += (uint64_t)nodes[i];
            most = sum > most ? sum : most;
        }
        assert_int_equal(most, tree.sensitivity);
    }
}

/* The answers rise, and their largest error is no larger than the raw one's and within the half width. */
static void noisy_trees_rise_and_are_no_worse_than_their_sums(void **state)
{
    (void)state;
    enum { N = 100, TIMES = 300 };
    double edges[N], values[N];
    for (size_t i = 0; i < N; i++) {
        edges[i] = (double)i;
        values[i] = (double)(i * i / N);
    }
    dither_options options = {.epsilon = 0.5, .edges = edges, .edge_count = N};
    struct mechanism tree = made("cdf-tree", options), plain = made("cdf", options);
    int64_t truth[N], nodes[N], noisy[N];
    double answer[N];
    measured(&plain, values, N, truth);
    measured(&tree, values, N, nodes);
    struct random *random = fixed_source(11);
    double width = tree.kind->half_width(&tree, NULL, 0.9);
    int outside = 0;
    for (int time = 0; time < TIMES; time++) {
        assert_int_equal(mechanism_noise(&tree, random, nodes, N, noisy, NULL), DITHER_OK);
        tree.kind->finish(&tree, noisy, N, answer);
        double before = 0, worst = 0, raw_worst = 0;
        for (size_t i = 0; i < N; i++) {
            int64_t raw = 0;
            for (size_t node = i + 1; node > 0; node &= node - 1)
                raw += noisy[node - 1];
            assert_true(answer[i] >= before);
            before = answer[i];
            worst = fmax(worst, fabs(answer[i] - (double)truth[i]));
            raw_worst = fmax(raw_worst, fabs((double)(raw - truth[i])));
        }
        assert_true(worst <= raw_worst);
        outside += worst > width;
    }
    assert_true(outside <= TIMES / 10);
    random_close(random);
}

/* ---- Tables ---- */

static void the_point_functions_of_the_lecture(void **state)
{
    (void)state;
    const uint32_t bits[] = {2, 2, 2};
    struct mechanism mechanism =
        made("point", (dither_options){.epsilon = 1, .categories = bits, .column_count = 3});
    assert_counts(&mechanism, deck_rows, 30, (const int64_t[]){3, 1, 2, 0, 0, 3, 1, 0}, 8);
    assert_int_equal(mechanism.sensitivity, 1);
    const uint32_t eight[] = {8};
    mechanism = made("point", (dither_options){.epsilon = 1, .categories = eight, .column_count = 1});
    assert_counts(&mechanism, deck_numbers, 10, (const int64_t[]){3, 1, 2, 0, 0, 3, 1, 0}, 8);
}

/* The lecture's: q12 = .1, q1/2 = .3, q/12 = .2, q/1/2 = .4, q13 = .3, q1/3 = .1, q/1/3 = .5, and the one
 * that the slide prints twice, q/13 = .1; (2, 3) counted by hand. */
static void the_marginals_of_the_lecture(void **state)
{
    (void)state;
    const uint32_t bits[] = {2, 2, 2};
    struct mechanism mechanism =
        made("marginals", (dither_options){.epsilon = 1, .categories = bits, .column_count = 3, .ways = 2});
    assert_counts(&mechanism, deck_rows, 30, (const int64_t[]){4, 2, 3, 1, 5, 1, 1, 3, 3, 4, 3, 0}, 12);
    assert_int_equal(mechanism.sensitivity, 3);
    mechanism =
        made("marginals", (dither_options){.epsilon = 1, .categories = bits, .column_count = 3, .ways = 1});
    assert_counts(&mechanism, deck_rows, 30, (const int64_t[]){6, 4, 7, 3, 6, 4}, 6);
}

static void cells_run_through_the_last_column_first(void **state)
{
    (void)state;
    const uint32_t sizes[] = {2, 3, 1, 4};
    struct mechanism mechanism =
        made("marginals", (dither_options){.epsilon = 1, .categories = sizes, .column_count = 4, .ways = 2});
    /* 6 + 2 + 8 + 3 + 12 + 4 cells */
    int64_t expected[35] = {0};
    const double row[] = {1, 2, 0, 3};
    expected[0 + 1 * 3 + 2] = 1;
    expected[6 + 1 * 1 + 0] = 1;
    expected[8 + 1 * 4 + 3] = 1;
    expected[16 + 2 * 1 + 0] = 1;
    expected[19 + 2 * 4 + 3] = 1;
    expected[31 + 0 * 4 + 3] = 1;
    assert_counts(&mechanism, row, 4, expected, 35);
    assert_int_equal(mechanism.sensitivity, 6);
}

static void values_that_are_no_category_are_in_no_cell_of_that_column(void **state)
{
    (void)state;
    const uint32_t sizes[] = {2, 2};
    struct mechanism mechanism =
        made("marginals", (dither_options){.epsilon = 1, .categories = sizes, .column_count = 2, .ways = 1});
    const double rows[] = {0, 2, 1, -1, 0.5, 1, NAN, 0, INFINITY, 1, 1e308, 1, -0.0, -1e308};
    assert_counts(&mechanism, rows, COUNT(rows), (const int64_t[]){2, 1, 1, 3}, 4);
    measure_refused(&mechanism, rows, 3, "incomplete");
}

static void tables_that_are_too_large_are_refused(void **state)
{
    (void)state;
    uint32_t sizes[65];
    for (size_t i = 0; i < 65; i++)
        sizes[i] = 2;
    refused("marginals", (dither_options){.epsilon = 1, .categories = sizes, .column_count = 65, .ways = 1},
            "at most 64 columns");
    refused("marginals", (dither_options){.epsilon = 1, .categories = sizes, .column_count = 64, .ways = 32},
            "cells");
    refused("point", (dither_options){.epsilon = 1, .categories = sizes, .column_count = 64}, "cells");
    const uint32_t huge[] = {UINT32_MAX, UINT32_MAX};
    refused("point", (dither_options){.epsilon = 1, .categories = huge, .column_count = 2}, "cells");
    refused("point", (dither_options){.epsilon = 1, .categories = huge, .column_count = 1}, "cells");
    const uint32_t most[] = {1 << 26}, more[] = {(1 << 26) + 1};
    (void)made("point", (dither_options){.epsilon = 1, .categories = most, .column_count = 1});
    refused("point", (dither_options){.epsilon = 1, .categories = more, .column_count = 1}, "cells");
    struct mechanism fine =
        made("marginals", (dither_options){.epsilon = 1, .categories = sizes, .column_count = 64, .ways = 3});
    assert_int_equal(fine.sensitivity, 41664);
    assert_int_equal(fine.kind->statistic_count(&fine, NULL), 8 * 41664);
}

/* Three nodes share a failure of 2^-53. With q = exp(-1/2) each may fail with 2^-53/3, so w + 1 = 2 (ln(6
 * 2^53) - ln(1 + q)) = 2 (38.5286 - 0.4741) = 76.1, w = 76, and a count adds up two nodes at most. */
static void widths_of_the_tree_hold_for_all_but_certain_confidence(void **state)
{
    (void)state;
    const double edges[] = {1, 2, 3};
    struct mechanism tree = made("cdf-tree", (dither_options){.epsilon = 1, .edges = edges, .edge_count = 3});
    double width = tree.kind->half_width(&tree, &(dither_data){NULL, 0}, 1 - 0x1p-53);
    assert_true(width == 2 * 76);
}

/* ---- Promises ---- */

static void promises_are_kept_for_other_options_and_groups(void **state)
{
    (void)state;
    static const double edges[] = {-1, 0, 4};
    static const uint32_t sizes[] = {2, 2};
    static const struct {
        const char *name;
        dither_options options;
    } cases[] = {
        {"histogram", {.epsilon = 2, .edges = edges, .edge_count = 3, .group = 2}},
        {"histogram-mean", {.epsilon = 0.1, .edges = edges, .edge_count = 3, .group = 2}},
        {"cdf", {.epsilon = 3, .edges = edges, .edge_count = 3, .group = 2}},
        {"cdf-tree", {.epsilon = 0.3, .edges = edges, .edge_count = 3, .group = 2}},
        {"point", {.epsilon = 0.7, .categories = sizes, .column_count = 2, .group = 2}},
        {"marginals", {.epsilon = 0.7, .categories = sizes, .column_count = 2, .ways = 1, .group = 2}},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct mechanism mechanism = made(cases[i].name, cases[i].options);
        struct verdict verdicts[2];
        size_t count = 0;
        assert_int_equal(verify_mechanism(&mechanism, verdicts, &count, NULL), DITHER_OK);
        if (!verdicts[0].kept || verdicts[0].broken)
            fail_msg("%s loses %g", cases[i].name, verdicts[0].found.upper);
        assert_close(verdicts[0].found.upper, cases[i].options.epsilon, 1e-9); /* and is reached */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_histogram_of_the_lecture),
        cmocka_unit_test(buckets_have_their_lower_edge_and_the_last_one_both),
        cmocka_unit_test(the_histogram_mean_of_the_lecture),
        cmocka_unit_test(histogram_means_stay_sensible_with_negative_counts),
        cmocka_unit_test(the_cdf_counts_people_at_or_below_each_threshold),
        cmocka_unit_test(the_thresholds_of_the_lecture),
        cmocka_unit_test(the_tree_gives_the_plain_counts_when_there_is_no_noise),
        cmocka_unit_test(one_person_is_in_as_many_nodes_as_was_calibrated_to),
        cmocka_unit_test(noisy_trees_rise_and_are_no_worse_than_their_sums),
        cmocka_unit_test(the_point_functions_of_the_lecture),
        cmocka_unit_test(the_marginals_of_the_lecture),
        cmocka_unit_test(cells_run_through_the_last_column_first),
        cmocka_unit_test(values_that_are_no_category_are_in_no_cell_of_that_column),
        cmocka_unit_test(tables_that_are_too_large_are_refused),
        cmocka_unit_test(widths_of_the_tree_hold_for_all_but_certain_confidence),
        cmocka_unit_test(promises_are_kept_for_other_options_and_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
