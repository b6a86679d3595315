/* duckdb_steps.h - a value's whole number of steps (sql/release.h), as functions in DuckDB.
 *
 *     dither_steps_real(x DOUBLE, inverse_step DOUBLE, lower BIGINT, upper BIGINT) -> BIGINT
 *     dither_steps_whole(x BIGINT, exponent INTEGER, lower BIGINT, upper BIGINT) -> BIGINT
 *
 * clamp(floor(x / 2^exponent + 1/2), lower, upper), exactly; NaN and -infinity give lower, infinity gives
 * upper, NULL gives NULL. All arguments but the first are constants; inverse_step is 2^-exponent.
 *
 *     dither_high(x BIGINT), dither_low(x BIGINT) -> BIGINT
 *
 * x = high * 2^31 + low, 0 <= low < 2^31: a product of steps in two parts, whose sums over 2^32 rows fit. */
#ifndef ENGINE_DUCKDB_STEPS_H
#define ENGINE_DUCKDB_STEPS_H

#include <duckdb.h>

#include "base/status.h"

enum { STEPS_LOW_BITS = 31 };

status duckdb_steps_register(duckdb_connection connection, error *why) MUST_CHECK;

/* The same on arrays and single values. */
void steps_of_reals(const double *values, double inverse_step, int64_t lower, int64_t upper, int64_t *steps,
                    size_t count);
void steps_of_wholes(const int64_t *values, int exponent, int64_t lower, int64_t upper, int64_t *steps,
                     size_t count);
int64_t steps_of_whole(int64_t value, int exponent, int64_t lower, int64_t upper);

#endif
