/* duckdb_bound.h - what the C functions that bound a unit's contribution have in common.
 *
 * They keep no state between queries and none per release: all that a release says comes in as constant
 * arguments, so each is registered once in a database, and the SQL text alone says what is computed. (DuckDB
 * has no way to take a C function out again, so one function per release would pile up.) Constants reach an
 * aggregate as full vectors; each row holds the same, and the first is read. */
#ifndef ENGINE_DUCKDB_BOUND_H
#define ENGINE_DUCKDB_BOUND_H

#include <duckdb.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Registers all of them. Once in each database: the catalogue of functions belongs to it, not to the
 * connection. Not inside a transaction that may be rolled back. */
status duckdb_bound_register(duckdb_connection connection, error *why) MUST_CHECK;

/* Each file's part of it. */
status duckdb_pack_register(duckdb_connection connection, error *why) MUST_CHECK;
status duckdb_code_register(duckdb_connection connection, error *why) MUST_CHECK;
status duckdb_choose_register(duckdb_connection connection, error *why) MUST_CHECK;
status duckdb_kept_register(duckdb_connection connection, error *why) MUST_CHECK;
status duckdb_gather_register(duckdb_connection connection, error *why) MUST_CHECK;

/* A scalar function for bound_register_function. */
struct bound_function {
    const char *name;
    const duckdb_type *parameters;
    size_t parameter_count;
    bool any; /* takes any further arguments, of any type */
    bool sees_nulls;
    duckdb_scalar_function_t callback;
    duckdb_scalar_function_bind_t bind; /* or NULL */
};
status bound_register_function(duckdb_connection connection, const struct bound_function *function,
                               duckdb_type result, error *why) MUST_CHECK;

/* A loop compiled for machines with AVX2 and for those without; which one runs is decided when the program is
 * loaded (not under ASan or TSan, which are not ready by then). */
#if defined(__x86_64__) && defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) &&                        \
    !defined(__SANITIZE_THREAD__)
#define BOUND_WIDE_VECTORS __attribute__((target_clones("avx2", "default")))
#else
#define BOUND_WIDE_VECTORS
#endif

/* The values of one argument, and its validity mask (NULL: all are valid). */
static inline void *bound_data(duckdb_data_chunk chunk, size_t column)
{
    return duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, column));
}

static inline const uint64_t *bound_validity(duckdb_data_chunk chunk, size_t column)
{
    return duckdb_vector_get_validity(duckdb_data_chunk_get_vector(chunk, column));
}

static inline bool bound_is_valid(const uint64_t *validity, size_t row)
{
    return !validity || (validity[row / 64] >> (row % 64) & 1);
}

/* DuckDB's string: short ones lie in the struct itself. */
static inline const char *bound_text(const duckdb_string_t *string, uint32_t *length)
{
    *length = string->value.inlined.length;
    return *length <= sizeof string->value.inlined.inlined ? string->value.inlined.inlined
                                                           : string->value.pointer.ptr;
}

/* NULL in, NULL out. */
void bound_copy_nulls(duckdb_vector input, duckdb_vector output, size_t count);
void bound_set_null(duckdb_vector vector, size_t row);

#endif
