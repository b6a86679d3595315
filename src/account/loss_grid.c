/* loss_grid.c - the upper grid, and what both grids have in common. The lower one is in loss_grid_lower.c. */
#include "account/loss_grid.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "account/loss_grid_room.h"
#include "base/memory.h"

void loss_grid_clear(struct loss_grid *grid)
{
    memory_release(grid->mass, 0);
    *grid = (struct loss_grid){0};
}

status loss_grid_room(struct loss_grid *grid, struct loss_range range, double step, error *why)
{
    double first = floor(range.lower / step), last = floor(range.upper / step) + 2;
    if (!(first >= -PIECES_MOST_CELLS && last <= PIECES_MOST_CELLS))
        return fail(why, DITHER_REFUSED, "the losses range too widely for this grid");
    *grid = (struct loss_grid){.step = step, .first = (int64_t)first, .count = (size_t)(last - first) + 1};
    grid->mass = memory_allocate(grid->count * sizeof *grid->mass);
    if (!grid->mass)
        return fail(why, DITHER_NO_MEMORY, "no memory for a grid of losses");
    return DITHER_OK;
}

/* Below this a mass is as good as none; tilting would lose it to underflow. */
#define NEGLIGIBLE 1e-280

double loss_grid_trim(struct loss_grid *grid)
{
    double lost = 0;
    size_t first = grid->count, last = 0;
    for (size_t i = 0; i < grid->count; i++) {
        if (grid->mass[i] >= NEGLIGIBLE) {
            first = i < first ? i : first;
            last = i;
        } else {
            lost += grid->mass[i];
            grid->mass[i] = 0;
        }
    }
    if (first > last) /* nothing at all */
        first = last;
    memmove(grid->mass, grid->mass + first, (last - first + 1) * sizeof *grid->mass);
    grid->first += (int64_t)first;
    grid->count = last - first + 1;
    return lost;
}

static struct loss_range upper_range(const struct pieces *pieces)
{
    struct loss_range range = {INFINITY, -INFINITY};
    for (size_t i = 0; i < pieces->count; i++) {
        double loss = pieces->list[i].loss_upper;
        if (isinf(loss))
            continue;
        range.lower = fmin(range.lower, loss);
        range.upper = fmax(range.upper, loss);
    }
    return range.lower <= range.upper ? range : (struct loss_range){0, 0};
}

/* A piece with mass P and loss l in [a, a + step] goes to both ends so that P and Q are kept: the upper end
 * gets P (1 - e^(a - l)) / (1 - e^-step). */
status loss_grid_upper(struct loss_grid *grid, const struct pieces *pieces, double step, error *why)
{
    struct loss_grid made;
    TRY(loss_grid_room(&made, upper_range(pieces), step, why));
    double whole = -expm1(-step);
    for (size_t i = 0; i < pieces->count; i++) {
        const struct piece *piece = &pieces->list[i];
        double mass = piece->mass_upper * (1 + 4 * DBL_EPSILON);
        if (isinf(piece->loss_upper)) {
            made.infinity += mass;
            continue;
        }
        /* i * step is rounded: the loss is raised by as much as that can be. */
        double loss = piece->loss_upper + 2 * DBL_EPSILON * fabs(piece->loss_upper);
        double cell = floor(loss / step);
        double inside = fmax(0, loss - cell * step);
        double share = fmin(1, -expm1(-inside) / whole * (1 + 16 * DBL_EPSILON));
        size_t at = (size_t)((int64_t)cell - made.first);
        made.mass[at] += mass * (1 - share) + mass * 4 * DBL_EPSILON;
        made.mass[at + 1] += mass * share;
    }
    made.infinity += loss_grid_trim(&made);
    made.infinity *= 1 + 1e-12; /* sums of many */
    *grid = made;
    return DITHER_OK;
}

double loss_grid_delta(const struct loss_grid *grid, double epsilon)
{
    double delta = grid->infinity;
    for (size_t i = 0; i < grid->count; i++) {
        double above = (double)(grid->first + (int64_t)i) * grid->step - epsilon;
        if (above > 0)
            delta += grid->mass[i] * -expm1(-above);
    }
    return delta;
}

/* Powers of e^(order * step) are multiplied up from the end where they are largest, so that what underflows
 * is negligible, and set right by exp every 64 points. */
struct cumulant loss_grid_cumulant(const struct loss_grid *grid, double order)
{
    size_t count = grid->count;
    bool down = order > 0;
    double anchor = (double)(grid->first + (down ? (int64_t)count - 1 : 0)) * grid->step;
    double stride = down ? -grid->step : grid->step, ratio = exp(order * stride);
    double factor = 0, sum = 0, first = 0, second = 0;
    for (size_t i = 0; i < count; i++) {
        double distance = (double)i * stride;
        factor = i % 64 == 0 ? exp(order * distance) : factor * ratio;
        double weight = grid->mass[down ? count - 1 - i : i] * factor;
        sum += weight;
        first += weight * distance;
        second += weight * distance * distance;
    }
    if (!(sum > 0))
        return (struct cumulant){-INFINITY, anchor, 0};
    double mean = first / sum;
    return (struct cumulant){order * anchor + log(sum), anchor + mean, fmax(0, second / sum - mean * mean)};
}
