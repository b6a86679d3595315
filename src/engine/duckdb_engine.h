/* duckdb_engine.h - the DuckDB engine's parts, which its files share.
 *
 * The engine's database is in memory. Files are imported into it; a DuckDB file is attached to it, read-only,
 * and each table of the policy becomes a view with the declared columns, in the declared types. So the plain
 * name of a table means the same everywhere, and what is not in the policy is not to be found. Then everything
 * is locked. */
#ifndef ENGINE_DUCKDB_ENGINE_H
#define ENGINE_DUCKDB_ENGINE_H

#include "engine/duckdb_read.h"
#include "engine/duckdb_schema.h"
#include "engine/duckdb_statements.h"
#include "engine/duckdb_write.h"
#include "engine/engine_kind.h"
#include "engine/source.h"

#define DUCKDB_SOURCE "dither_source" /* the attached file */

/* A table of the policy and what was found of it. */
struct duckdb_table {
    const struct policy_table *declared;
    bool has_source;
    struct source source;
    bool is_view;
    struct duckdb_found found; /* in a DuckDB file, in Parquet */
    const struct policy_column *columns;
    size_t column_count;
    struct scratch_column *types; /* of these columns */
    struct sql_unique *uniques;
    size_t unique_count;
};

struct duckdb_engine {
    struct engine base;
    const struct policy *policy;
    struct engine_options options;
    struct arena arena; /* tables and catalogue */
    struct duckdb_instance instance, shadow;
    bool shadow_is_open;
    struct duckdb_keeper keeper, shadow_keeper; /* of these two, if the tables are small */
    bool is_small;
    struct duckdb_table *tables;
};

/* Where what is wrong goes: to `report` if there is one; the first of it is kept. */
struct duckdb_findings {
    engine_report report;
    void *context;
    size_t wrong;
    char first[512];
};
void duckdb_wrong(struct duckdb_findings *findings, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void duckdb_costly(struct duckdb_findings *findings, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- duckdb_open.c: the stages of opening ---- */

/* An engine that has its instance, its arena and, attached, its file; nothing else. */
status duckdb_engine_new(const struct policy *policy, const struct engine_options *options,
                         struct duckdb_engine **out, error *why) MUST_CHECK;
void duckdb_engine_free(struct duckdb_engine *engine);
/* On the same databases, the engine's and the shadow's. */
status duckdb_join(struct engine *first, struct engine **out, error *why) MUST_CHECK;
/* All stages. */
status duckdb_engine_open(const struct policy *policy, const struct engine_options *options,
                          struct duckdb_engine **out, error *why) MUST_CHECK;

/* ---- duckdb_resolve.c, duckdb_tables.c ---- */

/* Finds every table; says what is missing or of another type. Schema alone, but for public CSV files without
 * declared columns. */
status duckdb_resolve_tables(struct duckdb_engine *engine, struct duckdb_findings *findings,
                             error *why) MUST_CHECK;
/* Creates it in the instance: an empty table, or the view of the attached one. */
status duckdb_create_table(struct duckdb_instance *instance, const struct duckdb_table *table, bool empty,
                           error *why) MUST_CHECK;
/* Asks for a few texts: `column_count` columns of VARCHAR. */
status duckdb_ask_texts(struct duckdb_instance *instance, const char *sql, size_t column_count,
                        struct arena *arena, struct sql_rows *out, error *why) MUST_CHECK;
/* One whole number. */
status duckdb_ask_whole(struct duckdb_instance *instance, const char *sql, const char *doing, int64_t *out,
                        error *why) MUST_CHECK;

/* ---- duckdb_import.c, duckdb_import_csv.c ---- */

void duckdb_tell(const struct duckdb_engine *engine, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Fills the created table from its source. */
status duckdb_import_table(struct duckdb_engine *engine, const struct duckdb_table *table,
                           error *why) MUST_CHECK;

/* What an import counts, for each column. */
struct duckdb_tally {
    uint64_t rows;
    uint64_t *unfit;  /* cells that are no value of the type, and became NULL */
    uint64_t *filled; /* cells that are not NULL */
};
status duckdb_import_csv(struct duckdb_engine *engine, const struct duckdb_table *table,
                         struct duckdb_tally *tally, error *why) MUST_CHECK;

/* ---- duckdb_unique.c ---- */

/* The keys that must be unique for the policy to mean anything: where rows_per_unit is 1 and the unit stands in
 * the table, the unit; and the keys that joins point to. */
struct duckdb_key {
    size_t *columns; /* ascending */
    size_t count;
    const struct policy_table *child; /* who points to it; NULL: rows_per_unit */
};
status duckdb_needed_keys(const struct duckdb_engine *engine, const struct duckdb_table *table,
                          struct arena *arena, struct duckdb_key **out, size_t *count, error *why) MUST_CHECK;
/* How many keys (without NULLs) have several rows. Looks at the rows: the owner's act. */
status duckdb_count_repeats(struct duckdb_instance *instance, const struct duckdb_table *table,
                            const struct duckdb_key *key, int64_t *out, error *why) MUST_CHECK;
/* Believes it from now on. */
status duckdb_add_unique(struct duckdb_table *table, const size_t *columns, size_t count, struct arena *arena,
                         error *why) MUST_CHECK;
bool duckdb_is_unique(const struct duckdb_table *table, const struct duckdb_key *key);
/* PRIMARY KEY and UNIQUE of the attached file; recorded proofs; for imports the needed keys, which are refused
 * when they are not unique; columns of small public tables. */
status duckdb_find_uniques(struct duckdb_engine *engine, error *why) MUST_CHECK;
/* "(shop, number)" */
void duckdb_print_key(struct buffer *buffer, const struct duckdb_table *table, const struct duckdb_key *key);

/* ---- duckdb_units.c ---- */

/* Deletes the rows of an imported table whose unit, in its own column, is NULL. */
status duckdb_drop_nobody(struct duckdb_engine *engine, const struct duckdb_table *table,
                          error *why) MUST_CHECK;
/* Whether the database sees to it that every row of a private table has a unit. Schema alone. */
status duckdb_has_all_units(struct duckdb_engine *engine, const struct duckdb_table *table, bool *out,
                            error *why) MUST_CHECK;

/* ---- duckdb_shadow.c, duckdb_compare.c, duckdb_prove.c ---- */

/* Once; engine_check does it when it is first needed. */
status duckdb_open_shadow(struct duckdb_engine *engine, error *why) MUST_CHECK;
status duckdb_check(struct engine *engine, const struct sql_release *release, error *why) MUST_CHECK;
status duckdb_compare(const struct policy *policy, engine_report report, void *context,
                      error *why) MUST_CHECK;
status duckdb_prove(const struct policy *policy, engine_report report, void *context, error *why) MUST_CHECK;

#endif
