/* histogram-mean: a mean read from a private histogram. docs/mechanisms/histogram-mean.md */
#include <math.h>

#include "mechanism/additive.h"
#include "mechanism/buckets.h"
#include "mechanism/registry.h"

static const double example_edges[] = {0, 1, 2.5};

static double bucket_middle(const dither_options *options, size_t bucket)
{
    return options->edges[bucket] / 2 + options->edges[bucket + 1] / 2;
}

/* Noisy counts may be negative. The weighted mean of the buckets' middles is kept within the first and the
 * last of them, and where the counts do not add up to anything positive the middle between those two is the
 * answer. */
static void histogram_mean_finish(const struct mechanism *mechanism, const int64_t *outcome, size_t count,
                                  double *answer)
{
    const dither_options *options = &mechanism->options;
    double first = bucket_middle(options, 0), last = bucket_middle(options, count - 1);
    double people = 0, weighted = 0;
    for (size_t i = 0; i < count; i++) {
        people += (double)outcome[i];
        weighted += (double)outcome[i] * (bucket_middle(options, i) - first);
    }
    double mean = people > 0 ? first + weighted / people : first / 2 + last / 2;
    answer[0] = fmin(fmax(mean, first), last);
}

const struct mechanism_kind mechanism_histogram_mean = {
    .name = "histogram-mean",
    .summary = "a mean read from a private histogram",
    .shape = SHAPE_RECORDS,
    .needs = OPTION_EPSILON | OPTION_EDGES,
    .understands = OPTION_GROUP,
    .example = {.epsilon = 0.5, .edges = example_edges, .edge_count = 3},
    .init = buckets_init,
    .statistic_count = buckets_count,
    .measure = buckets_measure,
    .answer_count = additive_one_number,
    .finish = histogram_mean_finish,
    .scale = additive_scale,
    .half_width = additive_no_half_width, /* how far people are from the middles is not public */
};
