/* duckdb_slots.h - constants that stand beside a statement instead of in it.
 *
 * A small question takes DuckDB longer to plan than to answer, and it plans anew whenever a parameter is bound. So
 * literals are printed as dither_slot_whole(0), dither_slot_text(1), ...: functions that give what is in these slots
 * when the statement runs, whatever was there when it was prepared. Questions that differ in nothing but constants then
 * have one text, and one plan (duckdb_statements.h).
 *
 * DuckDB takes these functions for volatile, so that it folds nothing into the plan; the value is the same for all rows
 * and threads of a run nevertheless. What it cannot do with them (skip row groups, filter below a join) costs large tables
 * more than a plan: they keep their literals. */
#ifndef ENGINE_DUCKDB_SLOTS_H
#define ENGINE_DUCKDB_SLOTS_H

#include <duckdb.h>

#include "base/buffer.h"
#include "sql/value.h"

enum { DUCKDB_SLOTS = 64 };

/* Those of one statement at a time. Texts are the caller's. */
struct duckdb_slots {
    struct sql_value values[DUCKDB_SLOTS];
    size_t count;
};

/* Once in each database. */
status duckdb_slots_register(duckdb_connection connection, error *why) MUST_CHECK;

/* Before a statement is printed: the first slot has the release's hash key, or its stand-in; the others are free. */
void duckdb_slots_begin(struct duckdb_slots *slots, const char *key);
#define DUCKDB_SLOT_OF_KEY "dither_slot_text(0)"
/* Prints a slot for a literal and puts its value there: struct sql_printer's stand_in. False: there is none for its type, or
 * none left. */
bool duckdb_slots_print(void *slots, struct buffer *out, const struct sql_value *value);
/* Forgets the values. What has been prepared stays good. */
void duckdb_slots_wipe(struct duckdb_slots *slots);

/* These are duckdb_prepare and duckdb_execute_prepared, for statements with slots, which must outlive the statement: DuckDB
 * asks where they are while it binds names, in the thread that called it. */
duckdb_state duckdb_slots_prepare(duckdb_connection connection, struct duckdb_slots *slots, const char *sql,
                                  duckdb_prepared_statement *out);
duckdb_state duckdb_slots_execute(duckdb_prepared_statement statement, struct duckdb_slots *slots,
                                  duckdb_result *out);

#endif
