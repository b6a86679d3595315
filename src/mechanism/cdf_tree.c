/* cdf-tree: the same counts as cdf from a tree of dyadic intervals, for many thresholds.
 * docs/mechanisms/cdf-tree.md
 *
 * Leaf i (from 1) holds the people above threshold i - 1 and not above threshold i. Node i holds the leaves
 * from i - lowest_bit(i) + 1 to i (Fenwick 1994): a person in leaf j is in the nodes j, j + lowest_bit(j),
 * ..., one for each size of interval at most, and the first i leaves are the nodes i, i - lowest_bit(i), ...
 * . */
#include "mechanism/cdf_tree.h"

#include <math.h>
#include <string.h>

#include "mechanism/additive.h"
#include "mechanism/buckets.h"
#include "mechanism/registry.h"

static const double example_edges[] = {0, 1, 2.5, 3, 4};

static size_t lowest_bit(size_t i)
{
    return i & (0 - i);
}

/* The sizes 1, 2, 4, ... of nodes: floor(log2(leaves)) + 1. Leaf 1 is in a node of each. */
uint64_t cdf_tree_levels(size_t leaves)
{
    uint64_t count = 0;
    for (; leaves > 0; leaves /= 2)
        count++;
    return count;
}

static uint64_t levels(const struct mechanism *mechanism)
{
    return cdf_tree_levels(mechanism->options.edge_count);
}

/* Node i is leaf i and the nodes i - 1, i - 2, i - 4, ... that end inside it: by descending size they lie side
 * by side before the leaf. */
void cdf_tree_nodes(const int64_t *counts, size_t leaves, int64_t *nodes)
{
    for (size_t i = 1; i <= leaves; i++) {
        int128_t sum = counts[i - 1];
        for (size_t part = 1; part < lowest_bit(i); part *= 2)
            sum += nodes[i - part - 1];
        nodes[i - 1] = additive_saturate(sum);
    }
}

static status cdf_tree_init(struct mechanism *mechanism, error *why)
{
    uint64_t steps = 0;
    TRY(additive_for_group(mechanism, levels(mechanism), &steps, why));
    return additive_calibrate(mechanism, &law_laplace, steps, why);
}

static status cdf_tree_measure(const struct mechanism *mechanism, const dither_data *data, int64_t *statistic,
                               error *why)
{
    (void)why;
    const dither_options *options = &mechanism->options;
    memset(statistic, 0, options->edge_count * sizeof *statistic);
    for (size_t i = 0; i < data->count; i++) {
        if (isnan(data->values[i]))
            continue; /* at or below nothing */
        size_t leaf = buckets_edges_below(options, data->values[i]) + 1;
        for (size_t node = leaf; node <= options->edge_count; node += lowest_bit(node))
            statistic[node - 1]++;
    }
    return DITHER_OK;
}

static double first_leaves(const int64_t *outcome, size_t leaves)
{
    int128_t sum = 0;
    for (size_t node = leaves; node > 0; node -= lowest_bit(node))
        sum += outcome[node - 1];
    return (double)sum;
}

/* The counts made to rise: at each threshold the middle between the largest so far and the smallest still to
 * come. That is the rising sequence with the least largest distance from the noisy one, and since the truth
 * rises too, its largest error is no larger than before. Then nothing below 0. */
static void cdf_tree_finish(const struct mechanism *mechanism, const int64_t *outcome, size_t count,
                            double *answer)
{
    (void)mechanism;
    double largest = -INFINITY, smallest = INFINITY;
    for (size_t i = 0; i < count; i++) {
        largest = fmax(largest, first_leaves(outcome, i + 1));
        answer[i] = largest;
    }
    for (size_t i = count; i-- > 0;) {
        smallest = fmin(smallest, first_leaves(outcome, i + 1));
        answer[i] = fmax(answer[i] / 2 + smallest / 2, 0);
    }
}

/* With the given confidence no node is off by more than w (union bound), then no count by more than levels *
 * w. */
static double cdf_tree_half_width(const struct mechanism *mechanism, const dither_data *data,
                                  double confidence)
{
    (void)data;
    double each = (1 - confidence) / (double)mechanism->options.edge_count;
    return (double)levels(mechanism) * geometric_width(&mechanism->law.noise, each);
}

const struct mechanism_kind mechanism_cdf_tree = {
    .name = "cdf-tree",
    .summary = "how many people are at or below each of many thresholds, rising",
    .shape = SHAPE_RECORDS,
    .needs = OPTION_EPSILON | OPTION_EDGES,
    .understands = OPTION_GROUP,
    .example = {.epsilon = 0.5, .edges = example_edges, .edge_count = 5},
    .init = cdf_tree_init,
    .statistic_count = buckets_edge_count,
    .measure = cdf_tree_measure,
    .answer_count = buckets_edge_count,
    .finish = cdf_tree_finish,
    .scale = additive_scale,
    .half_width = cdf_tree_half_width,
};
