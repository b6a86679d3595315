/* truncated-mean: the mean, clamped to an interval before and after the noise.
 * docs/mechanisms/truncated-mean.md */
#include <math.h>

#include "mechanism/additive.h"
#include "mechanism/average.h"
#include "mechanism/law_common.h"
#include "mechanism/records.h"
#include "mechanism/registry.h"

static status truncated_mean_init(struct mechanism *mechanism, error *why)
{
    const dither_options *options = &mechanism->options;
    double moved =
        fmin(records_length(options->range) / (double)options->min_size, records_length(options->output));
    TRY(average_init(mechanism, options->range, moved, why));
    TRY(additive_output(mechanism, why));
    /* Clamped to the interval, the mean cannot move further than from end to end. */
    uint64_t steps = average_steps(mechanism);
    uint64_t length = additive_output_length(mechanism);
    if (length == 0)
        return fail(why, DITHER_INVALID, "the output interval holds only one multiple of the grid, %g",
                    mechanism->grid);
    return additive_calibrate(mechanism, &law_clamped, steps < length ? steps : length, why);
}

static status truncated_mean_measure(const struct mechanism *mechanism, const dither_data *data,
                                     int64_t *statistic, error *why)
{
    (void)why;
    int64_t mean = average_measure(mechanism, mechanism->options.range, data);
    statistic[0] = law_clamp(mean, mechanism->law.lower, mechanism->law.upper);
    return DITHER_OK;
}

const struct mechanism_kind mechanism_truncated_mean = {
    .name = "truncated-mean",
    .summary = "the mean of people's values, known to lie in an interval",
    .shape = SHAPE_RECORDS,
    .replace = REPLACE_COSTS_SAME,
    .needs = OPTION_EPSILON | OPTION_RANGE | OPTION_OUTPUT | OPTION_MIN_SIZE,
    .understands = OPTION_GROUP | OPTION_GRID,
    .example = {.epsilon = 0.5, .range = {0, 8}, .output = {1, 4}, .min_size = 2, .grid = 0.5},
    .init = truncated_mean_init,
    .statistic_count = additive_one_number,
    .measure = truncated_mean_measure,
    .answer_count = additive_one_number,
    .finish = mechanism_finish_direct,
    .scale = additive_scale,
    .half_width = average_half_width,
};
