/* policy.h - what the owner declared: who is protected, what may be known of each column, how much may ever
 * be learnt, and by whom. docs/policy.md is the same for people.
 *
 *     TRY(policy_read("hospital.yaml", &arena, &policy, why));
 *     TRY(policy_ledger_config(policy, &arena, &config, why));
 *     TRY(ledger_open(policy->ledger, &config, NULL, &ledger, why));
 *
 * A policy is a tree of plain structs that never changes. It is read from the file alone: no data, no
 * engine, no clock. What it guarantees to the rooms below:
 *  - Every private table leads to exactly one kind of unit; the joins on the way have keys of one type on
 *    both sides, and do not run in a circle.
 *  - Every bound is there, the right way round and exact: a clamp on it needs no further check.
 *  - The block column has declared values and lies in a table that is declared to have one row per unit.
 *  - Costs are in the one currency of the budget.
 * What it does not: whether the data keep to it. Bounds are enforced whatever the data hold; uniqueness of
 * keys is believed only when the engine enforces it or the owner has verified it.
 *
 * An error names the file, the line and the key. What is allowed but costly is a warning. */
#ifndef POLICY_POLICY_H
#define POLICY_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "ledger/ledger.h"

enum {
    POLICY_ARENA_BYTES = 64 << 20, /* enough for any policy within the limits of base/yaml.h */
    POLICY_NAME_BYTES = 63,        /* of a table or column: PostgreSQL's limit */
    POLICY_MOST_TABLES = 1000,
    POLICY_MOST_COLUMNS = 2000, /* of one table */
    POLICY_MOST_GROUPS = 1000,
    POLICY_MOST_ANALYSTS = 10000,
    POLICY_MOST_ROWS = 1000000000, /* rows_per_unit, max_rows, max_groups */
    POLICY_MOST_SCALE = 18,
    POLICY_DEFAULT_SCALE = 6,
    POLICY_GRID_BITS = 52, /* a value is at most 2^52 steps of its grid: then doubles hold every step */
};

enum policy_type {
    POLICY_INTEGER, /* 64 bits, signed */
    POLICY_REAL,    /* a double */
    POLICY_DECIMAL, /* a whole number of units of 10^-scale, in 64 bits */
    POLICY_TEXT,
    POLICY_BOOLEAN,
    POLICY_DATE,      /* days since 1970-01-01, years 1 to 9999 */
    POLICY_TIMESTAMP, /* microseconds since 1970-01-01 00:00:00, without a time zone */
};

/* A value of a column, exact in its type. */
struct policy_value {
    int64_t whole;    /* integer, decimal, boolean (0 or 1), date, timestamp */
    double real;      /* real */
    const char *text; /* text: the value itself. Else as it was written */
    int line;
};

struct policy_column {
    const char *name;
    const char *description; /* or NULL */
    enum policy_type type;
    int scale;     /* of a decimal; else 0 */
    bool nullable; /* false after `null: false` */
    /* Values outside are clamped. A real bound that no double holds is rounded outwards. */
    bool has_range;
    struct policy_value lower, upper;
    bool peeked; /* the range came from looking at the data: serving refuses it until the mark is gone */
    /* A real column with a range lies on the grid 2^grid_exponent. */
    int grid_exponent;
    double grid;
    /* The public domain, in the owner's order, without duplicates; none: not public. */
    const struct policy_value *values;
    size_t value_count;
    int line;
};

enum policy_protection {
    POLICY_PUBLIC,      /* independent of private rows: the owner's word */
    POLICY_UNIT_COLUMN, /* the unit stands in a column */
    POLICY_UNIT_ROW,    /* each row is its own unit */
    POLICY_UNIT_JOIN,   /* the unit is that of the row that a key points to */
};

/* child.column = parent.parent_column */
struct policy_key {
    const struct policy_column *column, *parent_column;
};

struct policy_table {
    const char *name;
    const char *description; /* or NULL */
    const char *source; /* files for DuckDB, relative ones from the policy's folder; NULL: in the engine */
    enum policy_protection protection;
    bool view_per_unit;     /* a view; the owner asserts that each row depends on its unit alone */
    uint64_t rows_per_unit; /* declared, not proved; 0: not declared */
    uint64_t max_rows;      /* kept of one unit in one group; 0 for a public table */
    uint64_t max_groups;    /* kept of one unit; 0 for a public table */
    const struct policy_column *columns;
    size_t column_count; /* may be 0 for a public table: then the engine says */
    int line;
    /* POLICY_UNIT_COLUMN */
    const struct policy_column *unit_column;
    /* POLICY_UNIT_JOIN: one step up. The path to the unit is this table, its parent, the parent's parent ...
     * until a table that is not joined. */
    const struct policy_table *parent;
    const struct policy_key *keys; /* all of them together */
    size_t key_count;
    /* What follows, for private tables. Two tables have the same kind of unit when `unit` is the same table:
     * the first that declares it. Tables that name the same unit column share a kind; rows of different
     * tables never do. */
    const struct policy_table *unit;
    size_t path_length; /* joins from here to the table that has the unit */
    /* Where the unit is read: `joins` of these steps have to be made, and then it stands in `tag` of the
     * table reached. One join less where its single key points to the unit column: the child's own column
     * is the unit then, also when there is no parent row. NULL for row units. */
    size_t joins;
    const struct policy_column *tag;
};

enum policy_engine_kind {
    POLICY_ENGINE_MEMORY, /* DuckDB in memory; every table has a source */
    POLICY_ENGINE_DUCKDB,
    POLICY_ENGINE_POSTGRES,
};

struct policy_engine {
    enum policy_engine_kind kind;
    const char *place; /* a file, or a libpq connection string; NULL in memory */
    int line;
};

/* Amounts are epsilon or rho, as the currency has it. */
struct policy_budget {
    enum ledger_currency currency;
    struct ledger_cost total;
    struct decimal per_question;       /* zero: the analyst must say */
    struct decimal delta_per_question; /* zero: the analyst must say, where keys are not public */
    struct decimal max_per_question;
    enum ledger_renewal renewal;
    const struct policy_table *block_table; /* NULL: no blocks */
    const struct policy_column *block;
    bool block_immutable; /* nobody ever moves to another block */
    int line;
};

/* One cap for all members together; a component without a cap is unlimited. */
struct policy_group {
    const char *name;
    struct ledger_cost cap;
    int line;
};

struct policy_analyst {
    const char *name;
    struct ledger_cost cap;
    const size_t *groups; /* indices into the policy's groups */
    size_t group_count;
    int line;
};

struct policy_warning {
    int line;
    const char *text;
    const struct policy_warning *next;
};

struct policy {
    const char *file;
    const char *dataset;
    const char *description; /* or NULL */
    uint64_t version;        /* of the data; 1 unless declared */
    bool synthetic;          /* the owner's word: the rows are made up, and may be audited */
    struct policy_engine engine;
    const struct policy_table *tables;
    size_t table_count;
    struct policy_budget budget;
    const char *ledger; /* as ledger_open takes it */
    const struct policy_group *groups;
    size_t group_count;
    const struct policy_analyst *analysts;
    size_t analyst_count;
    uint64_t timing_step_milliseconds;     /* 0: answers are not held back */
    const struct policy_column *peeked;    /* the first column with the mark, or NULL */
    const struct policy_warning *warnings; /* in the order of the checks */
};

/* Reads the policy at `path`. Everything lives in the arena; on failure `out` is untouched. DITHER_INVALID
 * with one line that says what is wrong and where; DITHER_IO when the file cannot be read. */
status policy_read(const char *path, struct arena *arena, const struct policy **out, error *why) MUST_CHECK;

/* The same for a text; `path` is for messages and for what is relative to the policy. */
status policy_read_text(const char *text, size_t length, const char *path, struct arena *arena,
                        const struct policy **out, error *why) MUST_CHECK;

/* By name, exactly as declared; NULL when there is none. */
const struct policy_table *policy_find_table(const struct policy *policy, const char *name);
const struct policy_column *policy_find_column(const struct policy_table *table, const char *name);

/* "integer", "real" ... */
const char *policy_type_name(enum policy_type type);

/* What ledger_open wants. Lives in the arena and borrows from the policy. The description of the units
 * names every private table with its unit or key, in an order of its own: moving lines in the file changes
 * nothing, another unit, path or type does. */
status policy_ledger_config(const struct policy *policy, struct arena *arena, struct ledger_config *out,
                            error *why) MUST_CHECK;

#endif
