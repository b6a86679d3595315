/* linear: a linear query, the average over people of a value in [0, 1]. docs/mechanisms/linear.md */
#include "mechanism/additive.h"
#include "mechanism/average.h"
#include "mechanism/registry.h"

static const dither_range unit_range = {0, 1};

static status linear_init(struct mechanism *mechanism, error *why)
{
    TRY(average_init(mechanism, unit_range, 1 / (double)mechanism->options.min_size, why));
    return additive_calibrate(mechanism, &law_laplace, average_steps(mechanism), why);
}

static status linear_measure(const struct mechanism *mechanism, const dither_data *data, int64_t *statistic,
                             error *why)
{
    (void)why;
    statistic[0] = average_measure(mechanism, unit_range, data);
    return DITHER_OK;
}

const struct mechanism_kind mechanism_linear = {
    .name = "linear",
    .summary = "a linear query: the average over people of a value between 0 and 1",
    .shape = SHAPE_RECORDS,
    .replace = REPLACE_COSTS_SAME,
    .needs = OPTION_EPSILON | OPTION_MIN_SIZE,
    .understands = OPTION_GROUP | OPTION_GRID,
    .example = {.epsilon = 0.5, .min_size = 3, .grid = 0.125},
    .init = linear_init,
    .statistic_count = additive_one_number,
    .measure = linear_measure,
    .answer_count = additive_one_number,
    .finish = mechanism_finish_direct,
    .scale = additive_scale,
    .half_width = average_half_width,
};
