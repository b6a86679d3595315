/* duckdb_functions.h - our own scalar functions, put into every DuckDB instance: engine, shadow and scratch.
 *
 * They are what sql/duckdb.c prints where DuckDB's own function would raise an error or mean something else than
 * PostgreSQL's: dither_divide_whole(7, 0) is NULL. All are total and pure: whatever the arguments hold, there is a
 * value or NULL, never an error. A NULL argument gives NULL, but for dither_nullif. */
#ifndef ENGINE_DUCKDB_FUNCTIONS_H
#define ENGINE_DUCKDB_FUNCTIONS_H

#include <duckdb.h>

#include "base/status.h"

/* Before the instance's configuration is locked or after: it needs no setting. */
status duckdb_functions_register(duckdb_connection connection, error *why) MUST_CHECK;

#endif
