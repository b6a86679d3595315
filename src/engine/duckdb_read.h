/* duckdb_read.h - a DuckDB result as values.
 *
 * Whole numbers of any width become 64-bit ones; what does not fit is saturated. A NUL inside a text becomes
 * U+FFFD. Infinite dates become the ends of their type's range. */
#ifndef ENGINE_DUCKDB_READ_H
#define ENGINE_DUCKDB_READ_H

#include <duckdb.h>

#include "base/arena.h"
#include "engine/scratch.h"

/* One column of one chunk. */
struct duckdb_column_reader {
    duckdb_type type, physical; /* `physical`: how a decimal is stored; else the same */
    int scale;
    void *data;
    uint64_t *validity; /* NULL: no cell is NULL */
};
void duckdb_column_reader_init(duckdb_data_chunk chunk, size_t column, struct duckdb_column_reader *out);

static inline bool duckdb_column_is_null(const struct duckdb_column_reader *reader, idx_t row)
{
    return reader->validity != NULL && (reader->validity[row / 64] >> (row % 64) & 1) == 0;
}

/* The cell as a value of the wanted type; texts go to the arena. DITHER_IO when DuckDB's type cannot be it:
 * a bug of ours. */
status duckdb_read_cell(const struct duckdb_column_reader *reader, idx_t row,
                        const struct scratch_column *wanted, struct arena *arena, struct sql_value *out,
                        error *why) MUST_CHECK;

/* All rows of a result, also a streaming one. DITHER_INVALID beyond `most_rows`; DITHER_IO when DuckDB fails on
 * the way (then duckdb_result_error(result) has its words). */
status duckdb_read_rows(duckdb_result *result, const struct scratch_column *columns, size_t column_count,
                        size_t most_rows, struct arena *arena, struct sql_rows *out, error *why) MUST_CHECK;

#endif
