/* variance: of people's values, from three noisy sums. docs/mechanisms/variance.md
 *
 * With values on the grid in [lower, upper], L = upper - lower and w = 2x - lower - upper in [-L, L], each
 * person adds (L, w, round(w^2 / L)) to the statistic: how many, how far from the middle, how far squared,
 * each at most L.
 *  - One person more or less moves it by at most 3L in L1 norm.
 *  - One replaced: the first does not move; with a = w/L, b = w'/L the others move by L |a - b| (1 + |a +
 * b|), at most 9/4 L since |a + b| <= 2 - |a - b|, and by less than 1 through rounding. For L >= 2 that is
 * within 3L; for L = 1 every w^2 is 1 and w moves by 2. */
#include <math.h>

#include "mechanism/additive.h"
#include "mechanism/grid.h"
#include "mechanism/records.h"
#include "mechanism/registry.h"

enum { PEOPLE, OFFSETS, SQUARES, STATISTICS };

static status variance_init(struct mechanism *mechanism, error *why)
{
    dither_range range = mechanism->options.range;
    TRY(records_range(mechanism, range, records_length(range) / 2, why));
    uint64_t length = (uint64_t)(mechanism->upper - mechanism->lower), steps = 0;
    TRY(additive_for_group(mechanism, 3 * length, &steps, why));
    TRY(additive_calibrate(mechanism, &law_laplace, steps, why));
    /* One step of the squares: w^2 = L of them, and w counts half grid steps. */
    double value_grid = mechanism->grid;
    mechanism->options.grid = value_grid;
    mechanism->grid = value_grid / 4 * value_grid * (double)length;
    double largest = mechanism->grid * (double)length; /* the variance of values at both ends */
    if (!(mechanism->grid > 0 && isfinite(largest)))
        return fail(why, DITHER_INVALID, "the squares of values in this range are too large or too small");
    return DITHER_OK;
}

static size_t variance_statistic_count(const struct mechanism *mechanism, const dither_data *data)
{
    (void)mechanism;
    (void)data;
    return STATISTICS;
}

static status variance_measure(const struct mechanism *mechanism, const dither_data *data, int64_t *statistic,
                               error *why)
{
    (void)why;
    const dither_options *options = &mechanism->options;
    int64_t ends = mechanism->lower + mechanism->upper, length = mechanism->upper - mechanism->lower;
    int128_t offsets = 0, squares = 0;
    for (size_t i = 0; i < data->count; i++) {
        int128_t w = 2 * grid_clamp(data->values[i], options->range, options->grid) - ends;
        offsets += w;
        squares += (2 * w * w + length) / (2 * (int128_t)length);
    }
    statistic[PEOPLE] = additive_saturate((int128_t)data->count * length);
    statistic[OFFSETS] = additive_saturate(offsets);
    statistic[SQUARES] = additive_saturate(squares);
    return DITHER_OK;
}

/* Mean square minus squared mean, in units of half the range; fewer people than one are taken for one. */
static void variance_finish(const struct mechanism *mechanism, const int64_t *outcome, size_t count,
                            double *answer)
{
    (void)count;
    double length = (double)(mechanism->upper - mechanism->lower);
    double people = fmax((double)outcome[PEOPLE], length);
    double mean = (double)outcome[OFFSETS] / people;
    double variance = (double)outcome[SQUARES] / people - mean * mean;
    double half = mechanism->options.grid / 2 * length;
    answer[0] = fmin(fmax(variance, 0), 1) * half * half;
}

const struct mechanism_kind mechanism_variance = {
    .name = "variance",
    .summary = "the variance of people's values, each clamped to a range",
    .shape = SHAPE_RECORDS,
    .replace = REPLACE_COSTS_SAME,
    .needs = OPTION_EPSILON | OPTION_RANGE,
    .understands = OPTION_GROUP | OPTION_GRID,
    .example = {.epsilon = 0.5, .range = {-1, 2}, .grid = 1},
    .init = variance_init,
    .statistic_count = variance_statistic_count,
    .measure = variance_measure,
    .answer_count = additive_one_number,
    .finish = variance_finish,
    .scale = additive_scale,
    .half_width = additive_no_half_width, /* it would need the number of people */
};
