/* law_common.h - what the laws that treat every number by itself have in common. */
#ifndef MECHANISM_LAW_COMMON_H
#define MECHANISM_LAW_COMMON_H

#include "mechanism/law.h"

/* One outcome, and one independent block, per number of the statistic. */
size_t law_one_each(const struct law *law, size_t n);

/* The number of [lower, upper] that is nearest to the value. */
int64_t law_clamp(int64_t value, int64_t lower, int64_t upper);

/* How long the runs are into which `count` outcomes are divided, so that there are few enough cells: 1 up to
 * LAW_MOST_RUNS outcomes. */
enum { LAW_MOST_RUNS = 256 };
int128_t law_run_length(int128_t count);

/* One cell for a run of outcomes along which the ratio right / left only rises or only falls, given the run's
 * probability on the left and the ratios at its ends. The right side is widened to what it would be if the
 * ratio were the smallest, or the largest, all along: so no loss and no divergence is underrated. */
void law_visit_run(struct interval left, struct interval first_ratio, struct interval last_ratio,
                   law_visit visit, void *context);

/* The single cell of two statistics that cannot be told apart. */
void law_visit_same(law_visit visit, void *context);

#endif
