/* duckdb_bound_pack.h - values as canonical bytes: equal values, equal bytes.
 *
 *     dither_pack(a, b, ...) -> BLOB       never NULL
 *
 * So a key of any columns is one thing to group by, to hash and to carry through C states, and comes back
 * exactly. -0.0 is 0.0, every NaN is the same, intervals are the same when PostgreSQL calls them equal, and
 * text ends before its first NUL byte, which PostgreSQL's text cannot hold. */
#ifndef ENGINE_DUCKDB_BOUND_PACK_H
#define ENGINE_DUCKDB_BOUND_PACK_H

#include "base/arena.h"
#include "base/buffer.h"
#include "engine/duckdb_bound.h"
#include "sql/value.h"

/* A vector made ready to be read row by row. */
struct pack_column {
    duckdb_type type; /* of the cells in memory: a decimal's is its integer's, a date's is INTEGER ... */
    const void *data;
    const uint64_t *validity;
};
struct pack_column pack_column_of(duckdb_vector vector);

/* Appends the bytes of one cell. A type that is none of sql_type's is packed as NULL. */
void pack_cell(const struct pack_column *column, size_t row, struct buffer *out);
void pack_value(const struct sql_value *value, struct buffer *out);

/* Whole cells of integers, decimals, booleans, dates and timestamps: false for NULL. */
bool pack_whole(const struct pack_column *column, size_t row, int64_t *out);

/* Reads one value of the given type back and moves `*bytes` behind it; the text lives in the arena. */
status pack_read(const uint8_t **bytes, const uint8_t *end, enum sql_type type, int scale,
                 struct arena *arena, struct sql_value *out, error *why) MUST_CHECK;

#endif
