/* histogram: how many people lie in each bucket. docs/mechanisms/histogram.md */
#include "mechanism/additive.h"
#include "mechanism/buckets.h"
#include "mechanism/registry.h"

static const double example_edges[] = {0, 1, 2.5};

const struct mechanism_kind mechanism_histogram = {
    .name = "histogram",
    .summary = "how many people lie between each edge and the next",
    .shape = SHAPE_RECORDS,
    .needs = OPTION_EPSILON | OPTION_EDGES,
    .understands = OPTION_GROUP,
    .example = {.epsilon = 0.5, .edges = example_edges, .edge_count = 3},
    .init = buckets_init,
    .statistic_count = buckets_count,
    .measure = buckets_measure,
    .answer_count = buckets_count,
    .finish = mechanism_finish_direct,
    .scale = additive_scale,
    .half_width = additive_half_width,
};
