/* scratch.h - the database for what follows a release: in memory, empty, and locked.
 *
 * A DuckDB instance of its own: no files, no network, no settings that a statement could change. It holds only
 * released and public rows. In-process here; `serve` puts the same interface in front of a process of its own.
 * Opened once, used for many questions. */
#ifndef ENGINE_SCRATCH_H
#define ENGINE_SCRATCH_H

#include "sql/print.h"

struct scratch;

struct scratch_options {
    uint64_t memory_bytes; /* 0: a quarter of the machine's, at most 1 GiB */
    unsigned threads;      /* 0: all cores */
};

status scratch_open(const struct scratch_options *options, struct scratch **out, error *why) MUST_CHECK;
void scratch_close(struct scratch *scratch);

/* A table with columns c0, c1, ... of the given types, filled; replaces one of that name. Fast for a million
 * rows. */
struct scratch_column {
    enum sql_type type;
    int scale;
};
status scratch_put(struct scratch *scratch, const char *name, const struct scratch_column *columns,
                   const struct sql_rows *rows, error *why) MUST_CHECK;
void scratch_drop(struct scratch *scratch, const char *name);

/* Runs one SELECT of the sql_duckdb dialect; the rows live in the arena. DITHER_INVALID beyond `most_rows`.
 * The types of the cells are those given. Messages are our own; scratch_complaint has DuckDB's. */
status scratch_query(struct scratch *scratch, const char *sql, const struct scratch_column *columns,
                     size_t column_count, size_t most_rows, struct arena *arena, struct sql_rows *out,
                     error *why) MUST_CHECK;
const char *scratch_complaint(const struct scratch *scratch);
void scratch_interrupt(struct scratch *scratch);

#endif
