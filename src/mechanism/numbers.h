/* numbers.h - true answers that the caller computed, as a statistic.
 *
 * Whole numbers are taken as they are. Real numbers are rounded to the grid one by one, and rounding n
 * numbers can move their L1 distance up by as much as n - 1 steps beyond ceil(distance / grid), their L2
 * distance by sqrt(n): with a thousand numbers, a thousand tiny changes can each cross a rounding point. So
 * the noise is made for steps + steps / 2^16 steps instead of steps, and no more numbers are taken at once
 * than that pays for: 1 + steps / 2^16 of them (L1), or (steps / 2^16)^2 (L2), one in any case. The default
 * grid has about 2^26 steps, which is room for a thousand numbers (L1) or a million (L2) at a price of one
 * part in 2^16. */
#ifndef MECHANISM_NUMBERS_H
#define MECHANISM_NUMBERS_H

#include "mechanism/mechanism.h"

/* Whole numbers: checks that the sensitivity is one too; grid 1. Writes how far the group moves them. */
status numbers_whole_init(struct mechanism *mechanism, uint64_t *steps, error *why) MUST_CHECK;
status numbers_whole_measure(const struct mechanism *mechanism, const dither_data *data, int64_t *statistic,
                             error *why) MUST_CHECK;

/* Real numbers: sets the grid. Writes how far the group moves them, rounding included, in the norm that the
 * kind's measure (below) says. */
status numbers_real_init(struct mechanism *mechanism, uint64_t *steps, error *why) MUST_CHECK;
status numbers_real_measure_l1(const struct mechanism *mechanism, const dither_data *data, int64_t *statistic,
                               error *why) MUST_CHECK;
status numbers_real_measure_l2(const struct mechanism *mechanism, const dither_data *data, int64_t *statistic,
                               error *why) MUST_CHECK;

/* For mechanism_kind: as many as were given. */
size_t numbers_count(const struct mechanism *mechanism, const dither_data *data);

#endif
