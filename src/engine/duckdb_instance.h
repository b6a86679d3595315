/* duckdb_instance.h - one DuckDB database in memory, and a connection to it.
 *
 * Engine, shadow and scratch are three of these; they are never attached to each other. An instance is opened
 * with extensions and spilling off (rows never reach a disk that nobody thought of), is filled by its owner,
 * and is then locked: from that moment no statement reaches a file, attaches, installs, or changes a setting.
 *
 * A joined one is a further connection to the same database: settings, functions and tables are those of the first.
 *
 * DuckDB's own words are kept in `complaint`: they may hold private values, and are for the owner alone.
 * What goes to `why` is ours. */
#ifndef ENGINE_DUCKDB_INSTANCE_H
#define ENGINE_DUCKDB_INSTANCE_H

#include <duckdb.h>

#include "base/buffer.h"

struct duckdb_instance {
    duckdb_database database; /* NULL: another instance closes it */
    duckdb_connection connection;
    struct buffer complaint;
};

struct duckdb_limits {
    uint64_t memory_bytes; /* 0: DuckDB's default, four fifths of the machine's */
    unsigned threads;      /* 0: all cores */
};

/* Open, with the functions of duckdb_functions.h registered; not yet locked. */
status duckdb_instance_open(const struct duckdb_limits *limits, struct duckdb_instance *out,
                            error *why) MUST_CHECK;
/* A further connection to the database of `first`, which is closed after it. */
status duckdb_instance_join(const struct duckdb_instance *first, struct duckdb_instance *out,
                            error *why) MUST_CHECK;
/* An instance that was never opened (all zero) is fine. */
void duckdb_instance_close(struct duckdb_instance *instance);

/* For good: external access off, configuration frozen. */
status duckdb_instance_lock(struct duckdb_instance *instance, error *why) MUST_CHECK;

/* Runs one statement of ours. On failure: DITHER_IO, "DuckDB failed while DOING". */
status duckdb_instance_run(struct duckdb_instance *instance, const char *sql, const char *doing,
                           error *why) MUST_CHECK;
/* The same with a result, which the caller destroys on success. */
status duckdb_instance_query(struct duckdb_instance *instance, const char *sql, const char *doing,
                             duckdb_result *out, error *why) MUST_CHECK;

/* Remembers what DuckDB said; NULL is fine. */
void duckdb_instance_complain(struct duckdb_instance *instance, const char *text);
/* "" when there was nothing. */
const char *duckdb_instance_complaint(const struct duckdb_instance *instance);

/* 'text', with quotes inside it doubled. */
void duckdb_print_text(struct buffer *buffer, const char *text);

#endif
