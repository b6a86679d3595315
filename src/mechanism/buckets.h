/* buckets.h - counting people between public edges. */
#ifndef MECHANISM_BUCKETS_H
#define MECHANISM_BUCKETS_H

#include "mechanism/mechanism.h"

/* How many of the ascending edges are below the value (strictly), or not above it. NaN is above no edge and
 * below no edge: both give 0. */
size_t buckets_edges_below(const dither_options *options, double value);
size_t buckets_edges_not_above(const dither_options *options, double value);

/* For mechanism_kind: one number per edge. */
size_t buckets_edge_count(const struct mechanism *mechanism, const dither_data *data);

/* The histogram: bucket i is [edge i, edge i + 1), the last one closed on both sides; who lies in none is not
 * counted. Sets law, sensitivity and cost; there must be two edges. */
status buckets_init(struct mechanism *mechanism, error *why) MUST_CHECK;
size_t buckets_count(const struct mechanism *mechanism, const dither_data *data);
status buckets_measure(const struct mechanism *mechanism, const dither_data *data, int64_t *statistic,
                       error *why) MUST_CHECK;

#endif
