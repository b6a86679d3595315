/* Sums, products and quotients with PostgreSQL's errors as NULL: overflow, division by zero, and for doubles a
 * result of zero from what is not zero (float8_mul, float8_div of PostgreSQL's float.h). Plain loops over the vectors,
 * since nearly every question has one. */
#include <math.h>
#include <string.h>

#include "engine/duckdb_functions_parts.h"

/* True: the row's value is in *out. */
static inline bool add_whole(int64_t a, int64_t b, int64_t *out)
{
    return !__builtin_add_overflow(a, b, out);
}

static inline bool subtract_whole(int64_t a, int64_t b, int64_t *out)
{
    return !__builtin_sub_overflow(a, b, out);
}

static inline bool multiply_whole(int64_t a, int64_t b, int64_t *out)
{
    return !__builtin_mul_overflow(a, b, out);
}

static inline bool divide_whole(int64_t a, int64_t b, int64_t *out)
{
    if (b == 0 || (b == -1 && a == INT64_MIN))
        return false;
    *out = a / b;
    return true;
}

static inline bool modulo(int64_t a, int64_t b, int64_t *out)
{
    if (b == 0)
        return false;
    *out = b == -1 ? 0 : a % b;
    return true;
}

static inline bool add_real(double a, double b, double *out)
{
    *out = a + b;
    return !isinf(*out) || isinf(a) || isinf(b);
}

static inline bool subtract_real(double a, double b, double *out)
{
    *out = a - b;
    return !isinf(*out) || isinf(a) || isinf(b);
}

static inline bool multiply_real(double a, double b, double *out)
{
    *out = a * b;
    return (!isinf(*out) || isinf(a) || isinf(b)) && (*out != 0 || a == 0 || b == 0);
}

static inline bool divide_real(double a, double b, double *out)
{
    if (b == 0 && !isnan(a))
        return false;
    *out = a / b;
    return (!isinf(*out) || isinf(a)) && (*out != 0 || a == 0 || isinf(b));
}

static inline bool is_valid(const uint64_t *validity, idx_t row)
{
    return validity == NULL || (validity[row / 64] >> (row % 64) & 1) != 0;
}

/* The loop of one operation. A row without NULLs that has a value never touches the result's validity. */
#define BINARY_LOOP(operation, type)                                                                         \
    static void run_##operation(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)    \
    {                                                                                                        \
        (void)info;                                                                                          \
        duckdb_vector left = duckdb_data_chunk_get_vector(input, 0);                                         \
        duckdb_vector right = duckdb_data_chunk_get_vector(input, 1);                                        \
        const type *a = duckdb_vector_get_data(left), *b = duckdb_vector_get_data(right);                    \
        const uint64_t *a_validity = duckdb_vector_get_validity(left);                                       \
        const uint64_t *b_validity = duckdb_vector_get_validity(right);                                      \
        type *out = duckdb_vector_get_data(output);                                                          \
        uint64_t *validity = NULL;                                                                           \
        idx_t rows = duckdb_data_chunk_get_size(input);                                                      \
        for (idx_t row = 0; row < rows; row++) {                                                             \
            if (is_valid(a_validity, row) && is_valid(b_validity, row) &&                                    \
                operation(a[row], b[row], &out[row]))                                                        \
                continue;                                                                                    \
            if (validity == NULL) {                                                                          \
                duckdb_vector_ensure_validity_writable(output);                                              \
                validity = duckdb_vector_get_validity(output);                                               \
            }                                                                                                \
            validity[row / 64] &= ~((uint64_t)1 << (row % 64));                                              \
        }                                                                                                    \
    }
BINARY_LOOP(add_whole, int64_t)
BINARY_LOOP(subtract_whole, int64_t)
BINARY_LOOP(multiply_whole, int64_t)
BINARY_LOOP(divide_whole, int64_t)
BINARY_LOOP(modulo, int64_t)
BINARY_LOOP(add_real, double)
BINARY_LOOP(subtract_real, double)
BINARY_LOOP(multiply_real, double)
BINARY_LOOP(divide_real, double)

static bool negate(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    return !__builtin_sub_overflow(0, arguments[0].whole, &out->whole);
}

static bool absolute(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    out->whole = arguments[0].whole;
    return out->whole >= 0 || negate(arguments, room, out);
}

/* The first argument unless the second equals it. NULL equals nothing. */
static bool nullif_whole(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    *out = arguments[0];
    return !arguments[0].null && (arguments[1].null || arguments[0].whole != arguments[1].whole);
}

static bool nullif_real(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    *out = arguments[0];
    double a = arguments[0].real, b = arguments[1].real;
    return !arguments[0].null && (arguments[1].null || !(a == b || (isnan(a) && isnan(b))));
}

static bool nullif_text(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    *out = arguments[0];
    return !arguments[0].null && (arguments[1].null || arguments[0].length != arguments[1].length ||
                                  memcmp(arguments[0].text, arguments[1].text, arguments[0].length) != 0);
}

const struct function_entry functions_arithmetic[] = {
    {"dither_add_whole", "ii", 'i', NULL, false, run_add_whole},
    {"dither_subtract_whole", "ii", 'i', NULL, false, run_subtract_whole},
    {"dither_multiply_whole", "ii", 'i', NULL, false, run_multiply_whole},
    {"dither_divide_whole", "ii", 'i', NULL, false, run_divide_whole},
    {"dither_modulo", "ii", 'i', NULL, false, run_modulo},
    {"dither_add_real", "rr", 'r', NULL, false, run_add_real},
    {"dither_subtract_real", "rr", 'r', NULL, false, run_subtract_real},
    {"dither_multiply_real", "rr", 'r', NULL, false, run_multiply_real},
    {"dither_divide_real", "rr", 'r', NULL, false, run_divide_real},
    {"dither_negate", "i", 'i', negate, false, NULL},
    {"dither_absolute", "i", 'i', absolute, false, NULL},
    {"dither_nullif", "bb", 'b', nullif_whole, true, NULL},
    {"dither_nullif", "ii", 'i', nullif_whole, true, NULL},
    {"dither_nullif", "rr", 'r', nullif_real, true, NULL},
    {"dither_nullif", "tt", 't', nullif_text, true, NULL},
    {"dither_nullif", "dd", 'd', nullif_whole, true, NULL},
    {"dither_nullif", "ss", 's', nullif_whole, true, NULL},
    {"dither_nullif", "nn", 'n', nullif_whole, true, NULL},
    {0},
};
