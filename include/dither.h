/* dither.h - the public interface of libdither.
 *
 * Dither answers questions about sensitive data with just enough noise that nobody in the data can be told
 * apart from somebody who is not. This header is the specification of what the library offers; it is the only
 * one that is installed.
 *
 *     dither_random *random = dither_random_new(&why);
 *     dither_mechanism *count = dither_mechanism_new("geometric", &(dither_options){.epsilon = 0.5}, &why);
 *     double answer;
 *     dither_release(count, random, &(dither_data){&truth, 1}, &answer, 1, &why);
 *
 * Every call that can fail returns a dither_status and, through a dither_error that the caller owns, one line
 * of plain text. On failure nothing is written to the outputs and nothing is spent. No object may be used by
 * two threads at once; different objects may.
 *
 * The mechanisms work outside any ledger: whoever calls them keeps the account (see dither_cost). */
#ifndef DITHER_H
#define DITHER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define DITHER_API   __attribute__((visibility("default")))
#define DITHER_CHECK __attribute__((warn_unused_result))
#else
#define DITHER_API
#define DITHER_CHECK
#endif

/* ---- Failing --------------------------------------------------------------------------------------------
 */

typedef enum dither_status {
    DITHER_OK = 0,
    DITHER_INVALID,    /* an argument, option or file is wrong; the message says which and why */
    DITHER_REFUSED,    /* understood, and not allowed: privacy or budget */
    DITHER_NO_ENTROPY, /* the system gives no random bits; nothing is released without them */
    DITHER_NO_MEMORY,
    DITHER_IO, /* a file, a database or a connection failed */
} dither_status;

typedef struct dither_error {
    dither_status status;
    int position; /* offset into the analyst's text, or -1 */
    char message[500];
} dither_error;

/* The library's version, "0.1.0". */
DITHER_API const char *dither_version(void);

/* ---- Secret randomness -----------------------------------------------------------------------------------
 */

/* A stream of secret bits (AES-256-CTR keyed by the system). One per thread; safe across fork. */
typedef struct dither_random dither_random;

DITHER_API dither_random *dither_random_new(dither_error *why) DITHER_CHECK;
DITHER_API void dither_random_free(dither_random *random);

/* ---- Mechanisms ------------------------------------------------------------------------------------------
 */

typedef struct dither_range {
    double lower, upper;
} dither_range;

/* What a mechanism is asked to promise, and what is public about the data. Doubles are taken exactly as they
 * are. A field that is 0 (or an empty range) was not given; a mechanism names the fields that it needs and
 * refuses fields that it does not know.
 *
 * Numbers further from 0 than 2^62 grid steps are answered as if they were there. The grid that laplace,
 * gaussian and their kin choose by themselves reaches to 3e10 times the sensitivity: give a coarser one where
 * the truth may lie beyond. */
typedef struct dither_options {
    double epsilon; /* the largest privacy loss */
    double delta;   /* the probability with which epsilon may fail; 0 is pure differential privacy */
    double rho;     /* zero-concentrated privacy, in place of epsilon, for Gaussian noise */

    double sensitivity;  /* how far one person can move the given numbers or scores; default 1 */
    uint64_t group;      /* how many people are hidden at once; default 1 */
    uint64_t max_groups; /* under how many keys one person may be counted; default 1 */

    dither_range range;  /* declared range of a person's value; values outside are clamped */
    dither_range output; /* interval in which the answer must lie */
    uint64_t min_size;   /* the data hold at least this many people (public knowledge) */
    double grid;      /* answers are multiples of this power of two; default: chosen from the sensitivity */
    double threshold; /* the level for above-threshold */
    double quantile;  /* between 0 and 1 */

    const double *edges; /* bucket edges, thresholds or candidates, ascending; borrowed */
    size_t edge_count;
    const uint32_t *categories; /* per column of a table: how many categories, numbered from 0; borrowed */
    size_t column_count;
    uint32_t ways; /* how many columns each marginal joins */
} dither_options;

/* What a mechanism is applied to. What the values mean is the mechanism's shape: true answers, scores, one
 * count per key, one value per person, or a table of categories row by row. */
typedef struct dither_data {
    const double *values;
    size_t count;
} dither_data;

/* What one release spends, never less than the truth. A mechanism that promises rho leaves epsilon 0. */
typedef struct dither_cost {
    double epsilon, delta, rho;
} dither_cost;

typedef struct dither_mechanism dither_mechanism;

/* Names and one-line summaries, index 0, 1, 2 ... until NULL. */
DITHER_API const char *dither_mechanism_name(size_t index);
DITHER_API const char *dither_mechanism_summary(size_t index);

DITHER_API dither_mechanism *dither_mechanism_new(const char *name, const dither_options *options,
                                                  dither_error *why) DITHER_CHECK;
DITHER_API void dither_mechanism_free(dither_mechanism *mechanism);

/* How many numbers an answer about these data has: one per bucket, per marginal cell, ... */
DITHER_API size_t dither_answer_count(const dither_mechanism *mechanism, const dither_data *data);

/* Releases one private answer and writes dither_answer_count numbers. `capacity` is the room in `answer`.
 * A number that is hidden (a key with too few people) is NaN. */
DITHER_API dither_status dither_release(const dither_mechanism *mechanism, dither_random *random,
                                        const dither_data *data, double *answer, size_t capacity,
                                        dither_error *why) DITHER_CHECK;

DITHER_API dither_cost dither_mechanism_cost(const dither_mechanism *mechanism);

/* The noise's scale in the answer's unit: b of a Laplace distribution, sigma of a Gaussian. */
DITHER_API double dither_mechanism_scale(const dither_mechanism *mechanism);

/* The truth lies within this distance of a released number with at least this probability; NaN where public
 * knowledge gives no such bound. For a choice among scores: how far the chosen score is from the best one.
 * Confidence lies strictly between 0 and 1. */
DITHER_API double dither_half_width(const dither_mechanism *mechanism, const dither_data *data,
                                    double confidence);

/* The probability that number `index` of the answer about `data` is exactly `answer`, or NaN where the answer
 * is made from several noisy numbers. It needs the data: for tests and study, never for publication. */
DITHER_API double dither_probability(const dither_mechanism *mechanism, const dither_data *data, size_t index,
                                     double answer);

/* ---- What an epsilon means -------------------------------------------------------------------------------
 */

/* The same promise for k people at once. */
DITHER_API dither_cost dither_group_cost(dither_cost cost, uint64_t people);

/* Whoever believed something with probability `prior` believes it, after an epsilon-private answer, with a
 * probability in this range (the two-worlds view: the range of the belief that would have been formed had
 * the person not taken part, given the belief that was formed). */
DITHER_API dither_range dither_posterior(double prior, double epsilon);
DITHER_API dither_range dither_other_world(double posterior, double epsilon);

#ifdef __cplusplus
}
#endif
#endif
