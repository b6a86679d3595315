/* marginals: all k-way marginals of a table of categories. docs/mechanisms/marginals.md */
#include "mechanism/additive.h"
#include "mechanism/contingency.h"
#include "mechanism/registry.h"

static const uint32_t example_categories[] = {2, 3, 2};

/* Every person is in at most one cell of each marginal. */
static status marginals_init(struct mechanism *mechanism, error *why)
{
    uint64_t marginals = 0, steps = 0;
    TRY(contingency_init(&mechanism->options, mechanism->options.ways, &marginals, why));
    TRY(additive_for_group(mechanism, marginals, &steps, why));
    return additive_calibrate(mechanism, &law_laplace, steps, why);
}

static size_t marginals_count(const struct mechanism *mechanism, const dither_data *data)
{
    (void)data;
    return contingency_cells(&mechanism->options, mechanism->options.ways);
}

static status marginals_measure(const struct mechanism *mechanism, const dither_data *data,
                                int64_t *statistic, error *why)
{
    (void)why;
    contingency_measure(&mechanism->options, mechanism->options.ways, data, statistic);
    return DITHER_OK;
}

const struct mechanism_kind mechanism_marginals = {
    .name = "marginals",
    .summary = "all k-way marginals (conjunctions) of a table of categories",
    .shape = SHAPE_TABLE,
    .needs = OPTION_EPSILON | OPTION_CATEGORIES | OPTION_WAYS,
    .understands = OPTION_GROUP,
    .example = {.epsilon = 0.5, .categories = example_categories, .column_count = 3, .ways = 2},
    .init = marginals_init,
    .statistic_count = marginals_count,
    .measure = marginals_measure,
    .answer_count = marginals_count,
    .finish = mechanism_finish_direct,
    .scale = additive_scale,
    .half_width = additive_half_width,
};
