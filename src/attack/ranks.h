/* ranks.h - how well one row of numbers orders another. */
#ifndef ATTACK_RANKS_H
#define ATTACK_RANKS_H

#include <stddef.h>

/* The area under the curve: the chance that one of `above` is larger than one of `below`, ties counting one half. 0.5 when they
 * cannot be told apart, 1 when all of `above` are larger. */
double ranks_area(const double *above, size_t above_count, const double *below, size_t below_count);

/* Spearman's rank correlation, with mean ranks for ties; 0 where one of the two never changes. The arrays have `count`
 * numbers; `room` has space for twice as many. */
double ranks_correlation(const double *one, const double *other, size_t count, double *room);

#endif
