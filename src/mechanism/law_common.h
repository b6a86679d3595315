/* law_common.h - what the laws that treat every number by itself have in common. */
#ifndef MECHANISM_LAW_COMMON_H
#define MECHANISM_LAW_COMMON_H

#include "mechanism/law.h"

/* One outcome, and one independent block, per number of the statistic. */
size_t law_one_each(const struct law *law, size_t n);

/* The number of [lower, upper] that is nearest to the value. */
int64_t law_clamp(int64_t value, int64_t lower, int64_t upper);

/* The single cell of two statistics that cannot be told apart. */
void law_visit_same(law_visit visit, void *context);

/* Outcomes in a row, on which the ratio of their two probabilities only rises or only falls. */
struct law_stretch {
    int128_t first, last; /* both belong to it; empty when first > last */
    /* The probability of `count` outcomes from `start` on, under the left and under the right statistic. */
    struct interval (*left)(const void *context, int128_t start, int128_t count);
    struct interval (*right)(const void *context, int128_t start, int128_t count);
    const void *context;
};

/* A short stretch is visited outcome by outcome. A long one is cut into runs, each a cell: within a run the
 * ratio lies between those of its two ends, so that with the right probability widened to left / ratio
 * neither the largest ratio nor the hockey-stick divergence comes out too small. */
void law_visit_stretch(const struct law_stretch *stretch, law_visit visit, void *context);

#endif
