#include "mechanism/records.h"

#include <float.h>
#include <math.h>

#include "mechanism/grid.h"

static const int64_t furthest = INT64_C(1) << 53; /* a double tells whole numbers apart up to here */

double records_length(dither_range range)
{
    return fmin(range.upper - range.lower, DBL_MAX);
}

static double default_grid(dither_range range, double size)
{
    double end = fmax(fabs(range.lower), fabs(range.upper));
    return fmax(grid_for(size), ldexp(grid_for(end), -35)); /* grid_for(end) is above end / 2^17 */
}

status records_range(struct mechanism *mechanism, dither_range range, double size, error *why)
{
    double grid = mechanism->options.grid != 0 ? mechanism->options.grid : default_grid(range, size);
    int64_t lower = grid_floor(range.lower, grid), upper = grid_ceil(range.upper, grid);
    if (lower < -furthest || upper > furthest)
        return fail(why, DITHER_INVALID,
                    "the grid %g is too fine for values this large: choose a coarser one", grid);
    mechanism->grid = grid;
    mechanism->lower = lower;
    mechanism->upper = upper;
    return DITHER_OK;
}
