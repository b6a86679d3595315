#include "tests/support/law_check.h"

#include <math.h>
#include <stdlib.h>

#include "tests/support/fit.h"
#include "tests/support/fixed_source.h"
#include "tests/support/test.h"

struct totals {
    struct interval left, right;
};

static void add_cell(void *context, struct interval left, struct interval right)
{
    struct totals *totals = context;
    assert_true(left.lower >= 0 && left.lower <= left.upper && left.upper <= 1);
    assert_true(right.lower >= 0 && right.lower <= right.upper && right.upper <= 1);
    totals->left = interval_add(totals->left, left);
    totals->right = interval_add(totals->right, right);
}

static void check_one(struct interval total, double width)
{
    if (!(total.lower <= 1 && total.upper >= 1 && total.upper - total.lower <= width))
        fail_msg("the probabilities add up to [%.17g, %.17g]", total.lower, total.upper);
}

void law_check_total(const struct law *law, const int64_t *left, const int64_t *right, size_t n, double width)
{
    for (size_t block = 0; block < law->family->blocks(law, n); block++) {
        struct totals totals = {{0, 0}, {0, 0}};
        law->family->cells(law, left, right, n, block, add_cell, &totals);
        check_one(totals.left, width);
        check_one(totals.right, width);
    }
}

static void take_ratio(void *context, struct interval left, struct interval right)
{
    double *worst = context;
    if (left.upper > 0)
        *worst = fmax(*worst, left.upper / right.lower);
}

double law_check_ratio(const struct law *law, const int64_t *left, const int64_t *right, size_t n,
                       size_t block)
{
    double worst = 0;
    law->family->cells(law, left, right, n, block, take_ratio, &worst);
    return worst;
}

void law_check_fit(const struct law *law, const int64_t *statistic, size_t n, size_t index, size_t values,
                   uint64_t draws, uint64_t seed)
{
    uint64_t *seen = calloc(values + 1, sizeof *seen);
    double *probability = calloc(values + 1, sizeof *probability);
    int64_t *outcome = calloc(law->family->outcome_count(law, n), sizeof *outcome);
    assert_true(seen != NULL && probability != NULL && outcome != NULL);
    struct random *random = fixed_source(seed);
    for (uint64_t i = 0; i < draws; i++) {
        assert_int_equal(law->family->sample(law, random, statistic, n, outcome, NULL), DITHER_OK);
        bool among = outcome[index] >= 0 && (uint64_t)outcome[index] < values;
        seen[among ? (size_t)outcome[index] : values]++;
    }
    probability[values] = 1;
    for (size_t value = 0; value < values; value++) {
        probability[value] =
            interval_middle(law->family->probability(law, statistic, n, index, (int64_t)value));
        probability[values] -= probability[value];
        if (probability[value] == 0)
            assert_true(seen[value] == 0);
    }
    size_t freedom = 0;
    double chi = fit_chi_square(seen, probability, values + 1, draws, &freedom);
    if (!(chi < fit_threshold(freedom)))
        fail_msg("%s: chi-square %g with %zu degrees of freedom", law->family->name, chi, freedom);
    random_close(random);
    free(outcome);
    free(probability);
    free(seen);
}

void law_check_probability(const struct law *law, const int64_t *statistic, size_t n, size_t index,
                           int64_t value, double expected, double width)
{
    struct interval found = law->family->probability(law, statistic, n, index, value);
    double slack = 1e-14 * expected; /* the expected value is a rounded one */
    if (!(found.lower - slack <= expected && expected <= found.upper + slack &&
          found.upper - found.lower <= width))
        fail_msg("%s: P(%lld) is [%.17g, %.17g], not %.17g", law->family->name, (long long)value, found.lower,
                 found.upper, expected);
}
