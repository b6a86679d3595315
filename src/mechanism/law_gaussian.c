/* Discrete Gaussian noise. The ratio of the two probabilities changes from outcome to outcome, so each
 * outcome is a cell, up to 37 sigma beyond the statistics. What lies further out (less than 10^-297) is one
 * cell a side, between its first term and a geometric series that bounds the rest. */
#include <math.h>
#include <string.h>

#include "mechanism/exact_gaussian.h"
#include "mechanism/gaussian_calibration.h"
#include "mechanism/law_common.h"

static const double window_sigmas = 37;

static status gaussian_sample(const struct law *law, struct random *random, const int64_t *statistic,
                              size_t n, int64_t *outcome, error *why)
{
    if (n > 0)
        memcpy(outcome, statistic, n * sizeof *outcome);
    return discrete_gaussian_add(&law->gaussian, random, outcome, n, why);
}

static struct interval mass(const struct law *law, struct interval normaliser, int128_t k)
{
    struct interval weight = exact_gaussian_weight(law->gaussian.variance, k);
    return interval_clip(interval_divide(weight, normaliser), 0, 1);
}

/* P(X >= k) for k >= 1, between its first term and first / (1 - ratio), where the ratio of the first two
 * terms bounds all later ones. */
static struct interval far_tail(const struct law *law, struct interval normaliser, int128_t k)
{
    struct interval first = mass(law, normaliser, k);
    struct interval ratio =
        interval_divide(interval_exact((double)(2 * k + 1)),
                        interval_from_rational(rational_multiply_integer(2, law->gaussian.variance)));
    ratio = interval_exp((struct interval){-ratio.upper, -ratio.lower});
    struct interval series = interval_divide(first, interval_subtract(interval_exact(1), ratio));
    return interval_clip((struct interval){first.lower, series.upper}, 0, 1);
}

static void gaussian_cells(const struct law *law, const int64_t *left, const int64_t *right, size_t n,
                           size_t block, law_visit visit, void *context)
{
    (void)n;
    int128_t x = left[block], y = right[block];
    if (x == y) {
        law_visit_same(visit, context);
        return;
    }
    struct interval normaliser = exact_gaussian_normaliser(law->gaussian.variance);
    double sigma = sqrt(rational_to_double(law->gaussian.variance, MPFR_RNDU));
    int128_t window = 1 + (int128_t)(window_sigmas * sigma);
    int128_t first = (x < y ? x : y) - window, last = (x < y ? y : x) + window;
    visit(context, far_tail(law, normaliser, x - first), far_tail(law, normaliser, y - first));
    for (int128_t k = first + 1; k < last; k++)
        visit(context, mass(law, normaliser, k - x), mass(law, normaliser, k - y));
    visit(context, far_tail(law, normaliser, last - x), far_tail(law, normaliser, last - y));
}

/* The ratio rises all the way, so the best event is a tail. The bound is off by 2^-99 of the tails at most;
 * where it is 1 it says nothing. Narrow noise is left to the cells, which check the calibration by another
 * way. */
static bool gaussian_tail_delta(const struct law *law, const int64_t *left, const int64_t *right,
                                size_t block, double epsilon, struct interval *out)
{
    const double widest = 1000;
    uint64_t steps = left[block] < right[block] ? (uint64_t)right[block] - (uint64_t)left[block]
                                                : (uint64_t)left[block] - (uint64_t)right[block];
    if (steps == 0 || rational_to_double(law->gaussian.variance, MPFR_RNDN) <= widest * widest)
        return false;
    double upper = gaussian_discrete_delta(law->gaussian.variance, steps, epsilon);
    double lower = upper < 1 ? fmax(0, upper * (1 - 0x1p-40) - 0x1p-90) : 0;
    *out = (struct interval){lower, upper};
    return true;
}

static struct interval gaussian_probability(const struct law *law, const int64_t *statistic, size_t n,
                                            size_t index, int64_t value)
{
    (void)n;
    return mass(law, exact_gaussian_normaliser(law->gaussian.variance), (int128_t)value - statistic[index]);
}

const struct law_family law_gaussian = {
    .name = "gaussian",
    .outcome_count = law_one_each,
    .blocks = law_one_each,
    .sample = gaussian_sample,
    .cells = gaussian_cells,
    .delta = gaussian_tail_delta,
    .probability = gaussian_probability,
};
