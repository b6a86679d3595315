#include "mechanism/buckets.h"

#include <string.h>

#include "mechanism/additive.h"

/* How many edges hold `edge < value` (or `edge <= value`): they come first. */
static size_t search(const dither_options *options, double value, bool equal_too)
{
    size_t first = 0, last = options->edge_count;
    while (first < last) {
        size_t middle = first + (last - first) / 2;
        double edge = options->edges[middle];
        if (edge < value || (equal_too && edge == value))
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

size_t buckets_edges_below(const dither_options *options, double value)
{
    return search(options, value, false);
}

size_t buckets_edges_not_above(const dither_options *options, double value)
{
    return search(options, value, true);
}

size_t buckets_edge_count(const struct mechanism *mechanism, const dither_data *data)
{
    (void)data;
    return mechanism->options.edge_count;
}

status buckets_init(struct mechanism *mechanism, error *why)
{
    if (mechanism->options.edge_count < 2)
        return fail(why, DITHER_INVALID, "%s needs at least two edges, which make one bucket",
                    mechanism->kind->name);
    uint64_t steps = 0;
    TRY(additive_for_group(mechanism, 1, &steps, why));
    return additive_calibrate(mechanism, &law_laplace, steps, why);
}

size_t buckets_count(const struct mechanism *mechanism, const dither_data *data)
{
    (void)data;
    return mechanism->options.edge_count - 1;
}

status buckets_measure(const struct mechanism *mechanism, const dither_data *data, int64_t *statistic,
                       error *why)
{
    (void)why;
    const dither_options *options = &mechanism->options;
    size_t count = options->edge_count - 1;
    memset(statistic, 0, count * sizeof *statistic);
    for (size_t i = 0; i < data->count; i++) {
        size_t edges = buckets_edges_not_above(options, data->values[i]);
        if (edges > count && data->values[i] == options->edges[count])
            edges = count; /* the last bucket has its upper edge too */
        if (edges > 0 && edges <= count)
            statistic[edges - 1]++;
    }
    return DITHER_OK;
}
