/* duckdb_schema.h - what columns are really there, and whether they are what was declared. Schema alone: a
 * statement is prepared, never run. */
#ifndef ENGINE_DUCKDB_SCHEMA_H
#define ENGINE_DUCKDB_SCHEMA_H

#include "engine/duckdb_instance.h"
#include "policy/policy.h"

struct duckdb_found_column {
    const char *name;
    duckdb_type type;
    int width, scale; /* of a decimal */
};

struct duckdb_found {
    const struct duckdb_found_column *columns;
    size_t count;
};

/* The columns that "SELECT * FROM `from`" has. DITHER_IO when there is no such thing. */
status duckdb_describe(struct duckdb_instance *instance, const char *from, struct arena *arena,
                       struct duckdb_found *out, error *why) MUST_CHECK;

/* By name; as everywhere in DuckDB and in policies, case does not tell names apart. */
const struct duckdb_found_column *duckdb_found_find(const struct duckdb_found *found, const char *name);

/* "INTEGER", "DECIMAL(10,2)"; for messages. */
const char *duckdb_found_type(const struct duckdb_found_column *column, char room[32]);

/* Whether values of the column found are values of the declared type: the same kind of thing, of any width. */
bool duckdb_type_fits(const struct duckdb_found_column *found, const struct policy_column *declared);
/* Whether, besides, no two different values become the same: then a unique key stays one. */
bool duckdb_type_is_exact(const struct duckdb_found_column *found, const struct policy_column *declared);

/* The declared type that fits the column; false when there is none (lists, structs, blobs, time zones ...). */
bool duckdb_type_to_declare(const struct duckdb_found_column *found, struct policy_column *out);

/* The column as an expression of exactly the declared type; what does not fit is NULL, and so are days and
 * moments outside the years 1 to 9999, infinite ones among them: their arithmetic raises errors. */
void duckdb_print_cast(struct buffer *buffer, const struct duckdb_found_column *found,
                       const struct policy_column *declared);

#endif
