/* duckdb_bound_sum.h - rows and steps of a group added up in one go.
 *
 *     dither_sum_real(steps, x DOUBLE) -> BLOB       aggregates
 *     dither_sum_whole(steps, x BIGINT) -> BLOB
 *
 * For releases of one row per unit: clamp-and-grid, count(*), count(x) and sum of the steps at once, so that a
 * private sum costs hardly more than a plain one. The steps are one constant, because DuckDB spreads each over a
 * vector for every 2048 rows: text such as "2^-3 0 800000", the step, the least and the most (without the
 * centre); or, half as expensive, the same in one BIGINT where it fits. */
#ifndef ENGINE_DUCKDB_BOUND_SUM_H
#define ENGINE_DUCKDB_BOUND_SUM_H

#include "base/buffer.h"
#include "base/rational.h"
#include "engine/duckdb_bound.h"

/* The result: what the bytes of the BLOB hold. */
struct bound_sum {
    uint64_t rows; /* all of them */
    int64_t low;   /* the sum is high * 2^64 + low */
    int64_t high;
    uint64_t nulls; /* rows whose x is NULL */
};

static inline int128_t bound_sum_total(const struct bound_sum *sum)
{
    return (int128_t)sum->high * ((int128_t)1 << 64) + sum->low;
}

/* Prints the constant. */
void bound_sum_print_steps(struct buffer *out, int exponent, int64_t lower, int64_t upper);

status duckdb_sum_register(duckdb_connection connection, error *why) MUST_CHECK;

#endif
