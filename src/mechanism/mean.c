/* mean: of people's values, their number known to be at least min-size. docs/mechanisms/mean.md */
#include "mechanism/additive.h"
#include "mechanism/average.h"
#include "mechanism/records.h"
#include "mechanism/registry.h"

static status mean_init(struct mechanism *mechanism, error *why)
{
    const dither_options *options = &mechanism->options;
    double moved = records_length(options->range) / (double)options->min_size;
    TRY(average_init(mechanism, options->range, moved, why));
    return additive_calibrate(mechanism, &law_laplace, average_steps(mechanism), why);
}

static status mean_measure(const struct mechanism *mechanism, const dither_data *data, int64_t *statistic,
                           error *why)
{
    (void)why;
    statistic[0] = average_measure(mechanism, mechanism->options.range, data);
    return DITHER_OK;
}

const struct mechanism_kind mechanism_mean = {
    .name = "mean",
    .summary = "the mean of people's values, when they are known to be at least so many",
    .shape = SHAPE_RECORDS,
    .replace = REPLACE_COSTS_SAME,
    .needs = OPTION_EPSILON | OPTION_RANGE | OPTION_MIN_SIZE,
    .understands = OPTION_GROUP | OPTION_GRID,
    .example = {.epsilon = 0.5, .range = {0, 3}, .min_size = 2, .grid = 0.25},
    .init = mean_init,
    .statistic_count = additive_one_number,
    .measure = mean_measure,
    .answer_count = additive_one_number,
    .finish = mechanism_finish_direct,
    .scale = additive_scale,
    .half_width = average_half_width,
};
