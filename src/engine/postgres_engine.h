/* postgres_engine.h - the PostgreSQL engine's parts, which its files share.
 *
 * The rows are on a server, in tables that other people may write to. So nothing is believed that the server does not
 * enforce, and what was found at opening is compared again, in the question's own snapshot, before the first row is
 * read: a constraint that is there in the snapshot holds for the rows in it. */
#ifndef ENGINE_POSTGRES_ENGINE_H
#define ENGINE_POSTGRES_ENGINE_H

#include "engine/engine_kind.h"
#include "engine/postgres_session.h"

struct postgres_column {
    const char *name;
    const char *type; /* "character varying(20)", for messages */
    const char
        *base; /* of a domain the type below it: "int8", "varchar" ... ; "enum"; "": not PostgreSQL's own */
    int modifier;       /* -1: none */
    bool deterministic; /* its collation, if it has one */
    const char *collation;
    bool not_null;
    bool readable; /* by this role */
};

struct postgres_table {
    const struct policy_table *declared;
    const char *schema; /* NULL: there is no such table */
    char kind;          /* 'r' table, 'p' partitioned, 'v' view, 'm' materialized view, 'f' foreign */
    bool has_foreign;   /* it is foreign, or has a foreign part: nothing can be enforced */
    bool has_children;  /* of the old kind of inheritance: constraints are each table's own */
    bool row_security;
    const struct postgres_column *found;
    size_t found_count;
    const struct policy_column *columns;
    size_t column_count;
    struct sql_unique *uniques;
    size_t unique_count;
};

struct postgres_engine {
    struct engine base;
    const struct policy *policy;
    struct engine_options options;
    struct arena arena; /* tables and catalogue */
    struct postgres_session session;
    bool is_open, in_transaction;
    struct postgres_table *tables;
    const char *seen; /* the catalogue's words about these tables, at opening */
};

/* Where what is wrong goes: to `report` if there is one; the first of it is kept. */
struct postgres_findings {
    engine_report report;
    void *context;
    size_t wrong;
    char first[512];
};
void postgres_wrong(struct postgres_findings *findings, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void postgres_costly(struct postgres_findings *findings, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- postgres_open.c ---- */

/* An engine that is connected, and whose tables have been found; what is wrong with them goes to `findings`. */
status postgres_engine_new(const struct policy *policy, const struct engine_options *options,
                           struct postgres_findings *findings, struct postgres_engine **out,
                           error *why) MUST_CHECK;
status postgres_engine_open(const struct policy *policy, const struct engine_options *options,
                            struct postgres_engine **out, error *why) MUST_CHECK;
void postgres_engine_free(struct postgres_engine *engine);
/* A further connection, for the same tables. */
status postgres_join(struct engine *first, struct engine **out, error *why) MUST_CHECK;

/* ---- postgres_catalogue.c, postgres_type.c, postgres_unique.c ---- */

/* In which schema each table is, by the owner's own search path. */
status postgres_find_schemas(struct postgres_engine *engine, error *why) MUST_CHECK;
/* What the server's catalogue says about the tables: columns, keys, kinds. The words are the same as long as nothing
 * that matters has changed. In the arena. */
status postgres_read_words(struct postgres_engine *engine, struct arena *arena, const char **out,
                           error *why) MUST_CHECK;
status postgres_resolve_tables(struct postgres_engine *engine, struct postgres_findings *findings,
                               error *why) MUST_CHECK;

/* Runs a query about one table; its parameters are schema and name. */
status postgres_ask_about(struct postgres_engine *engine, const struct postgres_table *table, const char *sql,
                          PGresult **out, error *why) MUST_CHECK;
extern const char postgres_unique_query[]; /* index, column; of those that hold */

/* Whether every value of the column found is one of the declared type, and no cast can fail. */
bool postgres_type_fits(const struct postgres_column *found, const struct policy_column *declared);
/* Whether, besides, no two different values become the same: then a unique key stays one. */
bool postgres_type_is_exact(const struct postgres_column *found, const struct policy_column *declared);
/* The declared type that fits; false when there is none. */
bool postgres_type_to_declare(const struct postgres_column *found, struct policy_column *out);
const struct postgres_column *postgres_find_column(const struct postgres_table *table, const char *name);

/* The keys that must be unique for the policy to mean anything. */
struct postgres_key {
    size_t columns[16]; /* ascending */
    size_t count;
    const struct policy_table *child; /* who points to it; NULL: rows_per_unit */
};
status postgres_needed_keys(const struct postgres_engine *engine, const struct postgres_table *table,
                            struct arena *arena, struct postgres_key **out, size_t *count,
                            error *why) MUST_CHECK;
bool postgres_is_unique(const struct postgres_table *table, const struct postgres_key *key);
void postgres_print_key(struct buffer *buffer, const struct postgres_table *table,
                        const struct postgres_key *key);
/* Constraints and unique indexes that hold; for tables with foreign parts also what the owner has proved. */
status postgres_find_uniques(struct postgres_engine *engine, error *why) MUST_CHECK;
/* Which data the owner's proofs are about. */
status postgres_identify(struct postgres_engine *engine, const char **out, error *why) MUST_CHECK;

/* ---- postgres_copy.c, postgres_compare.c, postgres_prove.c ---- */

void postgres_print_name(struct buffer *buffer, const struct postgres_table *table);
status postgres_copy_public(struct engine *engine, const struct sql_table *table, struct scratch *scratch,
                            error *why) MUST_CHECK;
status postgres_compare(const struct policy *policy, engine_report report, void *context,
                        error *why) MUST_CHECK;
status postgres_prove(const struct policy *policy, engine_report report, void *context,
                      error *why) MUST_CHECK;

#endif
