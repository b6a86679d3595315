/* pair_set.h - which pairs of statistics were looked at already.
 *
 * Many data sets have the same statistic; what it gives away need be computed once. Pairs are compared whole,
 * not by their hash, so that none is left out by accident. */
#ifndef MECHANISM_PAIR_SET_H
#define MECHANISM_PAIR_SET_H

#include <stdbool.h>

#include "mechanism/divergence.h"

struct pair_set {
    int64_t *numbers; /* pair after pair: left and right, `width` each */
    size_t *slots;    /* 1 + index of a pair, or 0 */
    size_t width, count, capacity, slot_count;
};

/* Starts empty; all pairs will have `width` numbers on each side. Free with pair_set_free. */
void pair_set_init(struct pair_set *set, size_t width);
void pair_set_free(struct pair_set *set);

/* Says through `added` whether the pair is new, and remembers it. pair.n must be the set's width. */
status pair_set_add(struct pair_set *set, struct statistic_pair pair, bool *added, error *why) MUST_CHECK;

#endif
