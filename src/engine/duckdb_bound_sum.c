#include "engine/duckdb_bound_sum.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "engine/duckdb_steps.h"

enum { ARGUMENT_STEPS, ARGUMENT_VALUE };
enum { BLOCK_ROWS = 256, LONGEST = 128 };

struct step_bounds {
    int exponent;
    int64_t lower, upper;
};

/* ---- The constant ---- */

/* exponent + 512, lower + 2^25, upper + 2^25: 10, 26 and 26 bits. */
enum { BOUND_BITS = 26, EXPONENT_OFFSET = 512, BOUND_OFFSET = 1 << 25 };
#define BOUND_MASK (((int64_t)1 << BOUND_BITS) - 1)

void bound_sum_print_steps(struct buffer *out, int exponent, int64_t lower, int64_t upper)
{
    if (exponent < -EXPONENT_OFFSET || exponent >= EXPONENT_OFFSET || lower < -BOUND_OFFSET ||
        upper >= BOUND_OFFSET) {
        buffer_format(out, "'2^%d %lld %lld'", exponent, (long long)lower, (long long)upper);
        return;
    }
    int64_t packed = ((int64_t)(exponent + EXPONENT_OFFSET) << BOUND_BITS | (lower + BOUND_OFFSET))
                         << BOUND_BITS |
                     (upper + BOUND_OFFSET);
    buffer_format(out, "/* 2^%d %lld %lld */ CAST(%lld AS BIGINT)", exponent, (long long)lower,
                  (long long)upper, (long long)packed);
}

static bool read_packed(int64_t packed, struct step_bounds *out)
{
    out->upper = (packed & BOUND_MASK) - BOUND_OFFSET;
    out->lower = (packed >> BOUND_BITS & BOUND_MASK) - BOUND_OFFSET;
    out->exponent = (int)(packed >> 2 * BOUND_BITS) - EXPONENT_OFFSET;
    return out->lower <= out->upper;
}

static bool read_text(const duckdb_string_t *string, struct step_bounds *out)
{
    uint32_t length;
    const char *text = bound_text(string, &length);
    char copy[LONGEST], *next = copy;

    if (length >= sizeof copy || length < 2)
        return false;
    memcpy(copy, text, length);
    copy[length] = 0;
    if (strncmp(copy, "2^", 2) != 0)
        return false;
    out->exponent = (int)strtol(copy + 2, &next, 10);
    out->lower = strtoll(next, &next, 10);
    out->upper = strtoll(next, &next, 10);
    return *next == 0 && out->lower <= out->upper;
}

/* ---- The states ---- */

/* What a registered function is told of itself. */
struct kind {
    bool real, packed;
};
static const struct kind kinds[] = {{false, false}, {false, true}, {true, false}, {true, true}};

static idx_t state_size(duckdb_function_info info)
{
    (void)info;
    return sizeof(struct bound_sum);
}

static void state_init(duckdb_function_info info, duckdb_aggregate_state state)
{
    (void)info;
    memset(state, 0, sizeof(struct bound_sum));
}

/* The sum goes around the end of its word once in a blue moon; then the other word counts it. */
static inline void add_step(struct bound_sum *sum, int64_t step)
{
    if (__builtin_add_overflow(sum->low, step, &sum->low))
        sum->high += step < 0 ? -1 : 1;
}

static void add_rows(const int64_t *steps, size_t count, duckdb_aggregate_state *states)
{
    for (size_t i = 0; i < count; i++) {
        struct bound_sum *sum = (struct bound_sum *)states[i];
        sum->rows++;
        add_step(sum, steps[i]);
    }
}

/* `rows` and `low` side by side: one addition for both. */
typedef uint64_t rows_and_low __attribute__((vector_size(16), aligned(8), may_alias));
static_assert(offsetof(struct bound_sum, low) == offsetof(struct bound_sum, rows) + 8, "side by side");

/* Steps of at most 2^25, as a packed constant has them: one thread's sum stays within its word for 2^38 rows of
 * one group, more than a machine reads in an hour; so without looking. Threads are put together with care. */
static void add_small_rows(const int64_t *steps, size_t count, duckdb_aggregate_state *states)
{
    for (size_t i = 0; i < count; i++) {
        rows_and_low *sum = (rows_and_low *)&((struct bound_sum *)states[i])->rows;
        *sum += (rows_and_low){1, (uint64_t)steps[i]};
    }
}

/* Row i of the block is row from + i of the validity. */
static void add_rows_with_nulls(const int64_t *steps, const uint64_t *validity, size_t from, size_t count,
                                duckdb_aggregate_state *states)
{
    for (size_t i = 0; i < count; i++) {
        struct bound_sum *sum = (struct bound_sum *)states[i];
        sum->rows++;
        if (bound_is_valid(validity, from + i))
            add_step(sum, steps[i]);
        else
            sum->nulls++;
    }
}

/* Rows are taken in blocks that stay in the nearest cache, beside the values, the states and the constant. */
static void add_block(const struct kind *kind, const struct step_bounds *bounds, const void *values,
                      const uint64_t *validity, size_t from, size_t count, duckdb_aggregate_state *states)
{
    int64_t steps[BLOCK_ROWS];

    if (kind->real)
        steps_of_reals((const double *)values + from, ldexp(1, -bounds->exponent), bounds->lower,
                       bounds->upper, steps, count);
    else
        steps_of_wholes((const int64_t *)values + from, bounds->exponent, bounds->lower, bounds->upper, steps,
                        count);
    if (validity)
        add_rows_with_nulls(steps, validity, from, count, states);
    else if (kind->packed)
        add_small_rows(steps, count, states);
    else
        add_rows(steps, count, states);
}

static void update(duckdb_function_info info, duckdb_data_chunk input, duckdb_aggregate_state *states)
{
    const struct kind *kind = duckdb_aggregate_function_get_extra_info(info);
    size_t count = duckdb_data_chunk_get_size(input);
    const void *values = bound_data(input, ARGUMENT_VALUE), *constant = bound_data(input, ARGUMENT_STEPS);
    const uint64_t *validity = bound_validity(input, ARGUMENT_VALUE);
    struct step_bounds bounds;

    if (count == 0)
        return;
    if (!(kind->packed ? read_packed(*(const int64_t *)constant, &bounds) : read_text(constant, &bounds))) {
        duckdb_aggregate_function_set_error(info, "dither_sum: not the steps of a measure");
        return;
    }
    for (size_t from = 0; from < count; from += BLOCK_ROWS) {
        size_t rows = count - from < BLOCK_ROWS ? count - from : BLOCK_ROWS;
        add_block(kind, &bounds, values, validity, from, rows, states + from);
    }
}

static void combine(duckdb_function_info info, duckdb_aggregate_state *source, duckdb_aggregate_state *target,
                    idx_t count)
{
    (void)info;
    for (idx_t i = 0; i < count; i++) {
        const struct bound_sum *from = (const struct bound_sum *)source[i];
        struct bound_sum *to = (struct bound_sum *)target[i];
        to->rows += from->rows;
        to->nulls += from->nulls;
        to->high += from->high;
        add_step(to, from->low);
    }
}

static void finalize(duckdb_function_info info, duckdb_aggregate_state *states, duckdb_vector result,
                     idx_t count, idx_t offset)
{
    (void)info;
    for (idx_t i = 0; i < count; i++)
        duckdb_vector_assign_string_element_len(result, offset + i, (const char *)states[i],
                                                sizeof(struct bound_sum));
}

/* ---- Registering ---- */

static duckdb_aggregate_function make_function(const char *name, const struct kind *kind)
{
    duckdb_aggregate_function function = duckdb_create_aggregate_function();
    duckdb_logical_type blob = duckdb_create_logical_type(DUCKDB_TYPE_BLOB);
    duckdb_logical_type constant =
        duckdb_create_logical_type(kind->packed ? DUCKDB_TYPE_BIGINT : DUCKDB_TYPE_VARCHAR);
    duckdb_logical_type value =
        duckdb_create_logical_type(kind->real ? DUCKDB_TYPE_DOUBLE : DUCKDB_TYPE_BIGINT);

    duckdb_aggregate_function_set_name(function, name);
    duckdb_aggregate_function_add_parameter(function, constant);
    duckdb_aggregate_function_add_parameter(function, value);
    duckdb_aggregate_function_set_return_type(function, blob);
    duckdb_aggregate_function_set_special_handling(function);
    duckdb_aggregate_function_set_functions(function, state_size, state_init, update, combine, finalize);
    duckdb_aggregate_function_set_extra_info(function, (void *)(uintptr_t)kind, NULL);
    duckdb_destroy_logical_type(&blob);
    duckdb_destroy_logical_type(&constant);
    duckdb_destroy_logical_type(&value);
    return function;
}

status duckdb_sum_register(duckdb_connection connection, error *why)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i += 2) {
        const char *name = kinds[i].real ? "dither_sum_real" : "dither_sum_whole";
        duckdb_aggregate_function_set set = duckdb_create_aggregate_function_set(name);
        duckdb_state state = DuckDBSuccess;
        for (size_t j = i; j < i + 2 && state == DuckDBSuccess; j++) {
            duckdb_aggregate_function function = make_function(name, &kinds[j]);
            state = duckdb_add_aggregate_function_to_set(set, function);
            duckdb_destroy_aggregate_function(&function);
        }
        if (state == DuckDBSuccess)
            state = duckdb_register_aggregate_function_set(connection, set);
        duckdb_destroy_aggregate_function_set(&set);
        if (state != DuckDBSuccess)
            return fail(why, DITHER_IO, "DuckDB does not take %s", name);
    }
    return DITHER_OK;
}
