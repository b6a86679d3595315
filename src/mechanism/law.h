/* law.h - the random step of a mechanism: whole numbers in, whole numbers out.
 *
 * A mechanism turns data into a statistic (a vector of integers, exactly), a law turns the statistic into an
 * outcome at random, and the mechanism turns the outcome into an answer. Only the law draws noise, so only
 * the law can give anything away; the rest is arithmetic before it (whose sensitivity the mechanism proves)
 * and post-processing after it.
 *
 * There are few laws and many mechanisms. Each law knows how to draw, and - for `verify`, tests and error
 * bars - how probable each outcome is, as intervals that surely hold the truth. What is checked is what runs:
 * `sample` and `cells` read the same parameters.
 *
 * Laws of a law_family:
 *  - `sample` writes outcome_count(n) numbers, allocates nothing, and on failure leaves `outcome`
 * unspecified.
 *  - The outcome consists of blocks(n) independent blocks. Block b's cells cover its whole outcome space: the
 *    probabilities under `left` add up to 1 (their intervals contain such a choice), and so under `right`.
 *  - Outcomes may share a cell only where their ratio of probabilities is the same or where joining them is
 * accounted for by widening: the largest ratio and the hockey-stick divergence computed from the cells must
 * not be smaller than the true ones (upper ends).
 *  - None of them reads anything but the law, the statistic and, in `sample`, the random stream. */
#ifndef MECHANISM_LAW_H
#define MECHANISM_LAW_H

#include "base/interval.h"
#include "random/discrete_gaussian.h"
#include "random/geometric.h"

/* An outcome that shows nothing: a key that stays hidden, a search that found nothing. */
#define LAW_HIDDEN INT64_MIN

struct law;

/* Receives the probabilities of one cell under the left and the right statistic. */
typedef void (*law_visit)(void *context, struct interval left, struct interval right);

struct law_family {
    const char *name;
    size_t (*outcome_count)(const struct law *law, size_t n);
    size_t (*blocks)(const struct law *law, size_t n);
    status (*sample)(const struct law *law, struct random *random, const int64_t *statistic, size_t n,
                     int64_t *outcome, error *why);
    void (*cells)(const struct law *law, const int64_t *left, const int64_t *right, size_t n, size_t block,
                  law_visit visit, void *context);
    /* The hockey-stick divergence at epsilon of number `block` alone, where its outcomes are too many for
     * cells; false (and `out` untouched) where they are not. May be NULL. */
    bool (*delta)(const struct law *law, const int64_t *left, const int64_t *right, size_t block,
                  double epsilon, struct interval *out);
    /* P(outcome[index] = value) given the statistic. */
    struct interval (*probability)(const struct law *law, const int64_t *statistic, size_t n, size_t index,
                                   int64_t value);
};

/* The parameters of any law; each family reads its own. Plain value. */
struct law {
    const struct law_family *family;
    struct geometric noise;            /* laplace family, noisy max, thresholds */
    struct geometric query_noise;      /* above-threshold: the noise of each query */
    struct discrete_gaussian gaussian; /* gaussian */
    int64_t lower, upper;              /* clamped, bounded: the interval, on the grid */
    int64_t threshold;                 /* above-threshold, thresholded counts */
    struct rational rate;  /* choices: epsilon / (2 sensitivity), or twice that where scores move one way */
    double epsilon, delta; /* select */
};

/* Adds two-sided geometric noise to each number. law_laplace.c */
extern const struct law_family law_laplace;
/* The same, and each sum is then clamped to [lower, upper]. law_laplace.c */
extern const struct law_family law_clamped;
/* Noise redrawn until the sum lies in [lower, upper]; the statistic must lie there. law_bounded.c */
extern const struct law_family law_bounded;
/* Adds discrete Gaussian noise to each number. law_gaussian.c */
extern const struct law_family law_gaussian;
/* Picks index i with probability proportional to exp(rate * score_i). law_exponential.c */
extern const struct law_family law_exponential;
/* Permute-and-flip: random order, index i is taken with probability exp(rate * (score_i - best)).
 * law_permute_and_flip.c */
extern const struct law_family law_permute_and_flip;
/* Index of the largest score + noise; ties go to the lowest index. law_noisy_max.c */
extern const struct law_family law_noisy_max;
/* Index of the first number whose noisy value reaches the noisy threshold, or LAW_HIDDEN.
 * law_above_threshold.c
 */
extern const struct law_family law_above_threshold;
/* Each count: 1 (shown) with the optimal probability for (epsilon, delta), else LAW_HIDDEN. law_select.c */
extern const struct law_family law_select;
/* Each count: count + noise where that reaches the threshold and the count is not 0, else LAW_HIDDEN.
 * law_threshold.c */
extern const struct law_family law_threshold;

#endif
