/* Values become whole numbers of steps: clamp-and-grid, on whole vectors.
 *
 * Rounding is floor(x / step + 1/2), decided exactly as mechanism/grid.h has it. The quotient by a power of two
 * is exact; it is clamped first (rounding is monotone and leaves whole numbers alone, so clamping first or last
 * is the same), written so that NaN lands on the lower bound. Then the magic number: s + 1.5 * 2^52 has the
 * whole number nearest to s in its low bits, ties to even; where that took a tie down, one is added. No branch
 * and no conversion instruction, so the compiler makes vector code of it: 0.3 ns a value with AVX2. */
#include "engine/duckdb_steps.h"

#include <math.h>
#include <string.h>

#include "engine/duckdb_bound.h"
#include "base/rational.h"

#define MAGIC 0x1.8p52
enum { MAGIC_LOG2 = 51 };

/* gcc has to be told that nobody looks at the floating-point exceptions, or it keeps the comparisons one by one. */
#if defined(__GNUC__) && !defined(__clang__)
#define NO_TRAPS __attribute__((optimize("no-trapping-math")))
#else
#define NO_TRAPS
#endif

BOUND_WIDE_VECTORS NO_TRAPS static void convert_small(const double *restrict values, double inverse_step,
                                                      double lower, double upper, int64_t *restrict steps,
                                                      size_t count)
{
    int64_t magic_bits;
    const double magic = MAGIC;

    memcpy(&magic_bits, &magic, sizeof magic_bits);
    for (size_t i = 0; i < count; i++) {
        double quotient = values[i] * inverse_step;
        quotient = quotient > lower ? quotient : lower; /* NaN as well */
        quotient = quotient < upper ? quotient : upper;
        double shifted = quotient + magic;
        double nearest = shifted - magic;
        int64_t bits;
        memcpy(&bits, &shifted, sizeof bits);
        steps[i] = bits - magic_bits + (quotient - nearest == 0.5);
    }
}

/* Bounds beyond 2^51: there the quotient's neighbours are whole numbers already, but conversion must be
 * guarded. */
static int64_t convert_large(double value, double inverse_step, int64_t lower, int64_t upper)
{
    double quotient = value * inverse_step;

    if (!(quotient > (double)lower))
        return lower;
    if (quotient >= (double)upper)
        return upper;
    double below = floor(quotient);
    int64_t steps = (int64_t)below + (quotient - below >= 0.5);
    return steps < lower ? lower : steps > upper ? upper : steps;
}

void steps_of_reals(const double *values, double inverse_step, int64_t lower, int64_t upper, int64_t *steps,
                    size_t count)
{
    const int64_t most = (int64_t)1 << (MAGIC_LOG2 - 1);

    if (lower > -most && upper < most) {
        convert_small(values, inverse_step, (double)lower, (double)upper, steps, count);
        return;
    }
    for (size_t i = 0; i < count; i++)
        steps[i] = convert_large(values[i], inverse_step, lower, upper);
}

void steps_of_wholes(const int64_t *values, int exponent, int64_t lower, int64_t upper, int64_t *steps,
                     size_t count)
{
    if (exponent == 0)
        for (size_t i = 0; i < count; i++)
            steps[i] = values[i] < lower ? lower : values[i] > upper ? upper : values[i];
    else
        for (size_t i = 0; i < count; i++)
            steps[i] = steps_of_whole(values[i], exponent, lower, upper);
}

int64_t steps_of_whole(int64_t value, int exponent, int64_t lower, int64_t upper)
{
    int128_t steps = value;

    if (exponent > 0) /* beyond 2^100 every value is nearer to 0 than half a step */
        steps = exponent > 100 ? 0 : (steps + ((int128_t)1 << (exponent - 1))) >> exponent;
    else if (exponent < -62)
        steps = value == 0 ? 0 : value > 0 ? INT64_MAX : INT64_MIN;
    else
        steps *= (int128_t)1 << -exponent;
    return steps < lower ? lower : steps > upper ? upper : (int64_t)steps;
}

static void real_callback(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    size_t count = duckdb_data_chunk_get_size(input);
    const double *inverse_step = bound_data(input, 1);
    const int64_t *lower = bound_data(input, 2), *upper = bound_data(input, 3);

    (void)info;
    if (count == 0)
        return;
    /* NULL cells hold no value, maybe not even a written one; any double is fine there. */
    steps_of_reals(bound_data(input, 0), *inverse_step, *lower, *upper, duckdb_vector_get_data(output),
                   count);
    bound_copy_nulls(duckdb_data_chunk_get_vector(input, 0), output, count);
}

static void whole_callback(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    size_t count = duckdb_data_chunk_get_size(input);
    const int64_t *values = bound_data(input, 0), *lower = bound_data(input, 2),
                  *upper = bound_data(input, 3);
    const int32_t *exponent = bound_data(input, 1);

    (void)info;
    if (count == 0)
        return;
    steps_of_wholes(values, *exponent, *lower, *upper, duckdb_vector_get_data(output), count);
    bound_copy_nulls(duckdb_data_chunk_get_vector(input, 0), output, count);
}

static void high_callback(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    size_t count = duckdb_data_chunk_get_size(input);
    const int64_t *values = bound_data(input, 0);
    int64_t *high = duckdb_vector_get_data(output);

    (void)info;
    for (size_t i = 0; i < count; i++)
        high[i] = values[i] >> STEPS_LOW_BITS;
    bound_copy_nulls(duckdb_data_chunk_get_vector(input, 0), output, count);
}

static void low_callback(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    size_t count = duckdb_data_chunk_get_size(input);
    const int64_t *values = bound_data(input, 0);
    int64_t *low = duckdb_vector_get_data(output);

    (void)info;
    for (size_t i = 0; i < count; i++)
        low[i] = values[i] & (((int64_t)1 << STEPS_LOW_BITS) - 1);
    bound_copy_nulls(duckdb_data_chunk_get_vector(input, 0), output, count);
}

status duckdb_steps_register(duckdb_connection connection, error *why)
{
    static const duckdb_type real[] = {DUCKDB_TYPE_DOUBLE, DUCKDB_TYPE_DOUBLE, DUCKDB_TYPE_BIGINT,
                                       DUCKDB_TYPE_BIGINT};
    static const duckdb_type whole[] = {DUCKDB_TYPE_BIGINT, DUCKDB_TYPE_INTEGER, DUCKDB_TYPE_BIGINT,
                                        DUCKDB_TYPE_BIGINT};
    static const duckdb_type one[] = {DUCKDB_TYPE_BIGINT};
    const struct bound_function functions[] = {
        {.name = "dither_high", .parameters = one, .parameter_count = 1, .callback = high_callback},
        {.name = "dither_low", .parameters = one, .parameter_count = 1, .callback = low_callback},
        {.name = "dither_steps_real", .parameters = real, .parameter_count = 4, .callback = real_callback},
        {.name = "dither_steps_whole", .parameters = whole, .parameter_count = 4, .callback = whole_callback},
    };

    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        TRY(bound_register_function(connection, &functions[i], DUCKDB_TYPE_BIGINT, why));
    return DITHER_OK;
}
