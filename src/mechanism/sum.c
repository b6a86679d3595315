/* sum: people's values added up. docs/mechanisms/sum.md */
#include <math.h>

#include "mechanism/additive.h"
#include "mechanism/grid.h"
#include "mechanism/records.h"
#include "mechanism/registry.h"

/* One person more or less moves the sum by that person's value: at most the end further from 0. */
static uint64_t largest_value(const struct mechanism *mechanism)
{
    int64_t below = -mechanism->lower, above = mechanism->upper;
    return (uint64_t)(below > above ? below : above);
}

static status sum_init(struct mechanism *mechanism, error *why)
{
    dither_range range = mechanism->options.range;
    TRY(records_range(mechanism, range, fmax(fabs(range.lower), fabs(range.upper)), why));
    uint64_t steps = 0;
    TRY(additive_for_group(mechanism, largest_value(mechanism), &steps, why));
    return additive_calibrate(mechanism, &law_laplace, steps, why);
}

static status sum_measure(const struct mechanism *mechanism, const dither_data *data, int64_t *statistic,
                          error *why)
{
    (void)why;
    int128_t sum = 0;
    for (size_t i = 0; i < data->count; i++)
        sum += grid_clamp(data->values[i], mechanism->options.range, mechanism->grid);
    statistic[0] = additive_saturate(sum);
    return DITHER_OK;
}

const struct mechanism_kind mechanism_sum = {
    .name = "sum",
    .summary = "the sum of people's values, each clamped to a range",
    .shape = SHAPE_RECORDS,
    .needs = OPTION_EPSILON | OPTION_RANGE,
    .understands = OPTION_GROUP | OPTION_GRID,
    .example = {.epsilon = 0.5, .range = {-1, 2}, .grid = 0.5},
    .init = sum_init,
    .statistic_count = additive_one_number,
    .measure = sum_measure,
    .answer_count = additive_one_number,
    .finish = mechanism_finish_direct,
    .scale = additive_scale,
    .half_width = additive_half_width,
};
