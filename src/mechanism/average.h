/* average.h - the mean of people's values when they are known to be at least S.
 *
 *     mid + sum of (x - mid) / max(n, S),   mid the middle of the range
 *
 * No assumption is left to be wrong: with fewer than S people the answer leans towards the middle instead of
 * failing. With values in [lower, upper] of length L, adding or removing one person, or replacing one, moves
 * it by at most L/S:
 *  - n <= S people after one is added: only the sum moves, by at most L/2, over S;
 *  - n > S after one is added: the mean of n - 1 >= S numbers takes in one more, moving by |x - mean| / n <=
 * L/n;
 *  - one is replaced: the sum moves by at most L, over max(n, S).
 * It is computed exactly (128-bit integers) and rounded once, which makes of L/S at most ceil(L/S) steps. */
#ifndef MECHANISM_AVERAGE_H
#define MECHANISM_AVERAGE_H

#include "mechanism/mechanism.h"

/* Sets grid and range in steps. `size`: as for records_range. */
status average_init(struct mechanism *mechanism, dither_range range, double size, error *why) MUST_CHECK;

/* How far the group moves the average, in steps: at least 1, at most the length of the range. */
uint64_t average_steps(const struct mechanism *mechanism);

/* The average in steps, rounded to nearest (halves up). `range` is the one given to average_init. */
int64_t average_measure(const struct mechanism *mechanism, dither_range range, const dither_data *data);

/* For mechanism_kind: noise, rounding of the values and rounding of their mean. */
double average_half_width(const struct mechanism *mechanism, const dither_data *data, double confidence);

#endif
