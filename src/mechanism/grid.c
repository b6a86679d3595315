#include "mechanism/grid.h"

#include <math.h>

#include "mechanism/mechanism.h"

enum { STEPS_LOG2 = 16 };

status grid_check(double grid, error *why)
{
    int exponent = 0;
    if (!isfinite(grid) || grid <= 0 || frexp(grid, &exponent) != 0.5)
        return fail(why, DITHER_INVALID, "the grid must be a power of two, such as 0.25 or 1; %g is not",
                    grid);
    return DITHER_OK;
}

double grid_for(double size)
{
    int exponent = 0;
    frexp(size, &exponent);
    double grid = ldexp(1, exponent - 1 - STEPS_LOG2);
    return grid > 0 ? grid : ldexp(1, -1074);
}

static int64_t saturate(double steps)
{
    if (!(steps > -(double)MECHANISM_LIMIT)) /* NaN as well */
        return -MECHANISM_LIMIT;
    if (steps >= (double)MECHANISM_LIMIT)
        return MECHANISM_LIMIT;
    return (int64_t)steps;
}

int64_t grid_round(double value, double grid)
{
    double steps = value / grid;
    double below = floor(steps);
    /* steps - below is exact: both are close, or below is 0 or -1. Adding 1/2 first would round: 0.5 - 2^-54.
     */
    return saturate(steps - below >= 0.5 ? below + 1 : below);
}

/* A quotient too small for a double is 0, and still not a whole step. */
int64_t grid_floor(double value, double grid)
{
    double steps = value / grid;
    return steps == 0 && value < 0 ? -1 : saturate(floor(steps));
}

int64_t grid_ceil(double value, double grid)
{
    double steps = value / grid;
    return steps == 0 && value > 0 ? 1 : saturate(ceil(steps));
}

int64_t grid_clamp(double value, dither_range range, double grid)
{
    if (!(value > range.lower)) /* NaN as well */
        value = range.lower;
    if (value > range.upper)
        value = range.upper;
    return grid_round(value, grid);
}
