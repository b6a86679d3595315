/* grid.h - real numbers on a public grid.
 *
 * Doubles betray through their low bits from what they were computed; so every real value is put on a grid,
 * whose step is a power of two, before noise is added, and noise is a whole number of steps. Dividing by a
 * power of two is exact. Rounding is floor(x / grid + 1/2), decided exactly: it is monotone and commutes with
 * whole steps, so two values that differ by at most d are at most ceil(d / grid) steps apart afterwards. */
#ifndef MECHANISM_GRID_H
#define MECHANISM_GRID_H

#include "base/status.h"

/* Checks a grid that was given: a power of two, positive and finite. */
status grid_check(double grid, error *why) MUST_CHECK;

/* The largest power of two not above `size` / 2^16 (size > 0, finite): fine enough that rounding up to whole
 * steps costs less than one part in 2^16. */
double grid_for(double size);

/* Nearest step, and the steps just not above and just not below; all saturated at +-MECHANISM_LIMIT; NaN
 * gives the lower limit. */
int64_t grid_round(double value, double grid);
int64_t grid_floor(double value, double grid);
int64_t grid_ceil(double value, double grid);

/* The nearest step to `value` clamped to the range: within [grid_floor(range.lower), grid_ceil(range.upper)],
 * and NaN on the lower bound. */
int64_t grid_clamp(double value, dither_range range, double grid);

#endif
