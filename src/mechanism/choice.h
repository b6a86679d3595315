/* choice.h - what the laws that choose by exponential weights share.
 *
 * Choice i has weight exp(-rate * gap_i), gap_i = best - score_i. The *level* of a gap is a whole number L
 * with weight <= 2^-L, found by one integer multiplication; weight * 2^L is mostly between 1/2 and 1. Levels
 * need not be tight for the laws to be exact, they only have to be bounds, and the same each time they are
 * computed. */
#ifndef MECHANISM_CHOICE_H
#define MECHANISM_CHOICE_H

#include "mechanism/law.h"

enum {
    CHOICE_LEVELS = 63, /* levels 0 to 62 */
};

/* Plain value; borrows the scores. */
struct choice {
    const int64_t *scores;
    size_t count;
    int64_t best;
    struct rational rate;
    double rate_estimate;
    uint64_t factor; /* factor * 2^-shift is rate / ln 2, rounded down to 63 bits */
    long shift;
    int level_limit; /* the highest level in use; the caller may lower it */
};

/* count >= 1, rate > 0. */
void choice_init(struct choice *choice, const struct law *law, const int64_t *scores, size_t count);

uint64_t choice_gap(const struct choice *choice, size_t index);
int choice_level(const struct choice *choice, uint64_t gap);

/* True with probability exactly 2^level * exp(-rate * gap); level must not be above the gap's. */
status choice_coin(const struct choice *choice, struct random *random, uint64_t gap, int level, bool *out,
                   error *why) MUST_CHECK;

/* exp(-rate * gap). */
struct interval choice_weight(const struct choice *choice, uint64_t gap);

/* One outcome in one block: the index. */
size_t choice_outcome_count(const struct law *law, size_t n);
size_t choice_blocks(const struct law *law, size_t n);

#endif
