/* cdf: how many people are at or below each of some thresholds. docs/mechanisms/cdf.md */
#include <string.h>

#include "mechanism/additive.h"
#include "mechanism/buckets.h"
#include "mechanism/registry.h"

static const double example_edges[] = {0, 1, 2.5};

/* Whoever is at or below the first threshold is so for all of them. */
static status cdf_init(struct mechanism *mechanism, error *why)
{
    uint64_t steps = 0;
    TRY(additive_for_group(mechanism, mechanism->options.edge_count, &steps, why));
    return additive_calibrate(mechanism, &law_laplace, steps, why);
}

/* NaN is at or below nothing. */
static status cdf_measure(const struct mechanism *mechanism, const dither_data *data, int64_t *statistic,
                          error *why)
{
    (void)why;
    const dither_options *options = &mechanism->options;
    memset(statistic, 0, options->edge_count * sizeof *statistic);
    for (size_t i = 0; i < data->count; i++) {
        size_t below = buckets_edges_below(options, data->values[i]);
        if (below < options->edge_count && data->values[i] <= options->edges[below])
            statistic[below]++;
    }
    for (size_t i = 1; i < options->edge_count; i++)
        statistic[i] += statistic[i - 1];
    return DITHER_OK;
}

const struct mechanism_kind mechanism_cdf = {
    .name = "cdf",
    .summary = "how many people are at or below each threshold",
    .shape = SHAPE_RECORDS,
    .replace = REPLACE_COSTS_SAME,
    .needs = OPTION_EPSILON | OPTION_EDGES,
    .understands = OPTION_GROUP,
    .example = {.epsilon = 0.5, .edges = example_edges, .edge_count = 3},
    .init = cdf_init,
    .statistic_count = buckets_edge_count,
    .measure = cdf_measure,
    .answer_count = buckets_edge_count,
    .finish = mechanism_finish_direct,
    .scale = additive_scale,
    .half_width = additive_half_width,
};
