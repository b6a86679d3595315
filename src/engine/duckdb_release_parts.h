/* duckdb_release_parts.h - what the files duckdb_release*.c share. */
#ifndef ENGINE_DUCKDB_RELEASE_PARTS_H
#define ENGINE_DUCKDB_RELEASE_PARTS_H

#include "engine/duckdb_bound_gather.h"
#include "engine/duckdb_bound_table.h"
#include "engine/duckdb_release.h"
#include "engine/duckdb_slots.h"
#include "engine/release_shape.h"

/* How a group is named in the statements' results. */
enum release_keys {
    RELEASE_RAW,   /* the keys themselves, a column each: one row of each unit is proved */
    RELEASE_CODES, /* one number: the keys have a domain, or there are none */
    RELEASE_BYTES, /* one BLOB of packed keys: they are hidden */
};

/* The domain's rows, and the number of the group that each has. */
struct release_domain {
    bool known; /* else: for explain, which has no rows */
    size_t group_count, row_count;
    uint32_t *group_of_row;
    struct buffer code;      /* SQL over the columns k0, k1, ...: the group's number (RELEASE_CODES) */
    struct bound_table keys; /* packed keys -> group (RELEASE_RAW) */
};

enum statement_kind {
    STATEMENT_SUMS, /* units, and additive measures */
    STATEMENT_DISTINCT,
    STATEMENT_CELLS,
};

struct release_statement {
    enum statement_kind kind;
    size_t measures[GATHER_MEASURES]; /* indices into release->measures */
    size_t measure_count;
};

struct release_plan {
    const struct sql_dialect *dialect;
    const struct sql_release *release;
    const struct engine_request *request; /* NULL: for explain */
    char key[33];                         /* "KEY", or digits */
    struct duckdb_slots *slots;           /* where literals and the key go; NULL: into the text */
    enum release_keys keys;
    struct release_domain domain;
    struct release_statement *statements;
    size_t statement_count;
};

/* Sorts the measures into statements. `request` may be NULL. */
status release_plan_init(struct release_plan *plan, const struct sql_dialect *dialect,
                         const struct sql_release *release, const struct engine_request *request,
                         error *why) MUST_CHECK;
void release_plan_free(struct release_plan *plan);

status release_domain_init(struct release_domain *domain, enum release_keys keys,
                           const struct sql_release *release, const struct engine_request *request,
                           error *why) MUST_CHECK;
void release_domain_free(struct release_domain *domain);
/* A table for dither_code, in hexadecimal digits; `packed` in the order of the codes. */
void release_print_table(struct buffer *out, const struct bound_table *packed);

/* ---- Printing ---- */

void release_print_statement(const struct release_plan *plan, const struct release_statement *statement,
                             struct buffer *out);
/* "SELECT unit AS u, key AS k (or k0, k1, ...), ... FROM (input)": `print_values` adds what follows. */
typedef void release_print_values(struct sql_printer *printer, const struct release_plan *plan,
                                  const struct release_statement *statement);
void release_print_rows(const struct release_plan *plan, const struct release_statement *statement,
                        release_print_values *print_values, struct buffer *out);
void release_print_sums(const struct release_plan *plan, const struct release_statement *statement,
                        struct buffer *out);
void release_print_chosen(const struct release_plan *plan, const struct release_statement *statement,
                          struct buffer *out);

/* The hash key, as an argument. */
void release_print_key(const struct release_plan *plan, struct buffer *out);

/* How many columns of values a measure has in STATEMENT_SUMS: 0 when the number of rows says all. */
size_t release_value_count(const struct sql_measure *measure);
/* Whether it is a sum that dither_sum_* adds up, with the number of rows, when keys are RELEASE_RAW. */
bool release_is_fused(const struct release_plan *plan, const struct sql_measure *measure);
/* Whether a column count(*) has to say how many rows there are. */
bool release_counts_rows(const struct release_plan *plan, const struct release_statement *statement);
/* How many groups of a unit are kept. */
size_t release_groups_kept(const struct release_plan *plan);

/* ---- Reading ---- */

struct release_sums {
    const struct release_plan *plan;
    struct bound_table keys; /* hidden keys, packed */
    size_t group_count, group_room, words;
    int64_t *numbers; /* for each group: units, then the measures' */
    size_t *offsets;  /* of each measure in them */
};

status release_sums_init(struct release_sums *sums, const struct release_plan *plan, error *why) MUST_CHECK;
void release_sums_free(struct release_sums *sums);
/* Adds the statement's result. `first`: hidden groups are made, else those that are not there are left out. */
status release_sums_add(struct release_sums *sums, const struct release_statement *statement, bool first,
                        duckdb_result *result, error *why) MUST_CHECK;
/* What the caller gets, in order. */
status release_sums_finish(const struct release_sums *sums, struct arena *arena, struct engine_groups *out,
                           error *why) MUST_CHECK;

#endif
