/* duckdb_release.h - how a release is computed inside DuckDB.
 *
 * Everything that sql/release.h promises is done in the engine, on the final rows, in a few statements; what
 * comes out is one whole number for each group and measure.
 *
 *     one row of each unit is proved      SELECT keys, count(*), sum(steps) ... GROUP BY keys
 *     else, units, rows, sums, products   SELECT dither_gather('...', b) FROM (SELECT dither_bound('KEY', most,
 *                                         unit, key, values) AS b FROM (input) GROUP BY unit): one pass over
 *                                         the rows; each unit's state keeps the groups with the smallest hash
 *     distinct, quantiles, top            a statement each: the same groups are kept, for the hash is the
 *                                         same; then, in each of them, the values or rows with the smallest
 *                                         hash; then they are counted
 *
 * Keys of a public domain become numbers first (dither_code), and what is outside of the domain is left out
 * before bounding: it never makes a row, and so takes nobody's place. Hidden keys travel as canonical bytes. */
#ifndef ENGINE_DUCKDB_RELEASE_H
#define ENGINE_DUCKDB_RELEASE_H

#include <duckdb.h>

#include "engine/duckdb_bound.h"
#include "engine/duckdb_statements.h"
#include "engine/engine.h"

/* Runs it; `connection` has the functions of duckdb_bound_register, and its rows do not change meanwhile. `keeper` is the
 * connection's; NULL: its statements are not kept. Once DuckDB has been asked, the only failure is DITHER_IO with
 * ENGINE_FAILED; what DuckDB said is appended to `complaint` (may be NULL), for the owner. */
status duckdb_release_run(duckdb_connection connection, struct duckdb_keeper *keeper,
                          const struct sql_dialect *dialect, const struct engine_request *request,
                          struct arena *arena, struct engine_groups *out, struct buffer *complaint,
                          error *why) MUST_CHECK;

/* The statements, each ended by ";\n", with 'KEY' for the hash key and 'DOMAIN' for the tables of codes; the
 * domain itself is a WITH in front. The same release has the same text. */
status duckdb_release_text(const struct sql_dialect *dialect, const struct sql_release *release,
                           struct buffer *out, error *why) MUST_CHECK;

/* Prepares these statements on the shadow catalogue. A failure is a bug of ours: DITHER_REFUSED. With a keeper (the
 * shadow's own) it does so once for all constants: where they stand in slots DuckDB does not look at them before it runs. */
status duckdb_release_prepare(duckdb_connection shadow, struct duckdb_keeper *keeper,
                              const struct sql_dialect *dialect, const struct sql_release *release,
                              error *why) MUST_CHECK;

#endif
