/* point: all point functions, how many people are exactly so, for every way to be. docs/mechanisms/point.md
 */
#include "mechanism/additive.h"
#include "mechanism/contingency.h"
#include "mechanism/registry.h"

static const uint32_t example_categories[] = {2, 3};

/* The one marginal that joins all columns. */
static uint32_t all_columns(const struct mechanism *mechanism)
{
    return (uint32_t)mechanism->options.column_count;
}

static status point_init(struct mechanism *mechanism, error *why)
{
    uint64_t marginals = 0, steps = 0;
    TRY(contingency_init(&mechanism->options, all_columns(mechanism), &marginals, why));
    TRY(additive_for_group(mechanism, marginals, &steps, why));
    return additive_calibrate(mechanism, &law_laplace, steps, why);
}

static size_t point_count(const struct mechanism *mechanism, const dither_data *data)
{
    (void)data;
    return contingency_cells(&mechanism->options, all_columns(mechanism));
}

static status point_measure(const struct mechanism *mechanism, const dither_data *data, int64_t *statistic,
                            error *why)
{
    (void)why;
    contingency_measure(&mechanism->options, all_columns(mechanism), data, statistic);
    return DITHER_OK;
}

const struct mechanism_kind mechanism_point = {
    .name = "point",
    .summary = "point functions: how many people are exactly so, for every combination of categories",
    .shape = SHAPE_TABLE,
    .needs = OPTION_EPSILON | OPTION_CATEGORIES,
    .understands = OPTION_GROUP,
    .example = {.epsilon = 0.5, .categories = example_categories, .column_count = 2},
    .init = point_init,
    .statistic_count = point_count,
    .measure = point_measure,
    .answer_count = point_count,
    .finish = mechanism_finish_direct,
    .scale = additive_scale,
    .half_width = additive_half_width,
};
