/* relation.h - a bound relation: public, tagged, or released.
 *
 * A *tagged* relation carries on every row the unit that the row came from (column `tag`), and the rows of
 * one unit depend on that unit's own rows and on public tables alone (DESIGN section 3, SOUNDNESS section 2).
 * Relations are built only by the constructors here; each of them upholds this, or refuses, with an argument
 * beside its code. A *released* relation depends on private rows through releases alone; it is public from
 * then on, and runs in the scratch database. A *public* one depends on no private row.
 *
 *     node        columns                             becomes
 *     scan        the table's, and the tag            tagged, or public for a public table
 *     release     its keys, then its measures         released (release.h)
 *     values      as given                            public
 *     filter      the input's                         the input's
 *     project     `expressions`                       the input's; a tagged one keeps its tag
 *     join        left's, then right's                tagged if a side is, else released if a side is
 *     semi join   left's (rows with, or without,      left's; right tagged: the units are equated
 *                 a partner on the right)
 *     aggregate   `expressions` (keys), `aggregates`  tagged: the tag is among the keys
 *     window      the input's, then `windows`         tagged: partitioned by the tag
 *     append      (UNION ALL) the first input's       tagged if both are, by one kind of unit
 *     distinct    the input's                         not of a tagged relation (that is an aggregate)
 *     set         UNION, INTERSECT, EXCEPT            never tagged
 *     sort        the input's, ordered                never tagged
 *     limit       the input's                         never tagged
 *
 * A tagged relation may have a released or public one beside it in a join, semi join or scalar: the engine
 * then gets that one's rows as literals. */
#ifndef SQL_RELATION_H
#define SQL_RELATION_H

#include "sql/catalogue.h"
#include "sql/expression.h"

enum sql_place {
    SQL_PUBLIC,
    SQL_TAGGED,
    SQL_RELEASED,
};

enum sql_relation_kind {
    SQL_SCAN,
    SQL_RELEASE,
    SQL_VALUES,
    SQL_FILTER,
    SQL_PROJECT,
    SQL_JOIN,
    SQL_SEMI_JOIN,
    SQL_AGGREGATE,
    SQL_WINDOW,
    SQL_APPEND,
    SQL_DISTINCT,
    SQL_SET,
    SQL_SORT,
    SQL_LIMIT,
};

struct sql_column {
    const char *name; /* as the analyst sees it; printers use positions */
    enum sql_type type;
    int scale;
    bool nullable;
    struct sql_range range;
    bool hidden; /* not to be found by name nor shown by * : a tag, a helper */
    bool unit;   /* tagged: equals the row's unit, on every row */
    bool fixed;  /* tagged: the same on all rows of one unit */
    bool noisy;  /* released: depends on noise (keys do not) */
};

enum sql_join_kind {
    SQL_INNER,
    SQL_LEFT,
    SQL_RIGHT,
    SQL_FULL,
};

enum sql_aggregate_kind { /* of the aggregate and window nodes; releases have measures */
                          SQL_COUNT_ROWS,
                          SQL_COUNT,
                          SQL_TOTAL, /* sum */
                          SQL_AVERAGE,
                          SQL_MIN,
                          SQL_MAX,
                          SQL_VAR_POP,
                          SQL_VAR_SAMP,
                          SQL_STDDEV_POP,
                          SQL_STDDEV_SAMP,
                          SQL_PERCENTILE_CONT, /* `second` is the share, a literal */
                          SQL_PERCENTILE_DISC,
                          SQL_COVAR_POP,
                          SQL_COVAR_SAMP,
                          SQL_CORR,
                          SQL_REGR_SLOPE,
                          SQL_REGR_INTERCEPT,
                          SQL_BOOL_AND,
                          SQL_BOOL_OR,
                          SQL_STRING_AGG, /* never in a tagged step */
};

struct sql_aggregate {
    enum sql_aggregate_kind kind;
    bool distinct;
    const struct sql_expression *argument, *second; /* or NULL */
    const struct sql_expression *filter;            /* or NULL */
};

enum sql_window_kind {
    SQL_ROW_NUMBER,
    SQL_RANK,
    SQL_DENSE_RANK,
    SQL_PERCENT_RANK,
    SQL_CUME_DIST,
    SQL_NTILE,
    SQL_LAG,
    SQL_LEAD,
    SQL_FIRST_VALUE,
    SQL_LAST_VALUE,
    SQL_NTH_VALUE,
    SQL_WINDOW_AGGREGATE,
};

struct sql_order {
    const struct sql_expression *expression;
    bool descending, nulls_first; /* both said always: PostgreSQL's default is put in by the binder */
};

enum sql_frame_bound {
    SQL_UNBOUNDED_PRECEDING,
    SQL_PRECEDING,
    SQL_CURRENT_ROW,
    SQL_FOLLOWING,
    SQL_UNBOUNDED_FOLLOWING
};

struct sql_frame {
    bool given; /* else PostgreSQL's default: RANGE UNBOUNDED PRECEDING .. CURRENT ROW */
    bool rows;  /* ROWS; else RANGE, with no offsets */
    enum sql_frame_bound from, to;
    int64_t from_offset, to_offset;
};

/* One window function. */
struct sql_window {
    enum sql_window_kind kind;
    struct sql_aggregate aggregate;            /* SQL_WINDOW_AGGREGATE */
    const struct sql_expression *arguments[3]; /* lag(x, 1, default) */
    size_t argument_count;
    const struct sql_expression *const *partition;
    size_t partition_count;
    const struct sql_order *order;
    size_t order_count;
    struct sql_frame frame;
    enum sql_type type; /* of the result */
    int scale;
};

enum sql_set_kind { SQL_UNION, SQL_INTERSECT, SQL_INTERSECT_ALL, SQL_EXCEPT, SQL_EXCEPT_ALL };

enum { SQL_MOST_STEPS = 2000 }; /* a CTE that names another one twice doubles them */

struct sql_relation {
    enum sql_relation_kind kind;
    enum sql_place place;
    size_t number; /* unique in the question: printers name sub-selects after it */
    size_t
        steps; /* nodes down to scans and releases, each as often as it is named: what an engine is asked to do */
    int position;
    const struct sql_column *columns;
    size_t column_count;

    /* ---- tagged ---- */
    const struct policy_table *unit; /* the kind of unit */
    size_t tag;                      /* index of the column that holds it; never NULL on any row */
    bool one_row;                    /* proved: at most one row of each unit */
    uint64_t max_rows; /* what the policy hopes for: rows of a unit in a group, groups of a unit. Bounding */
    uint64_t max_groups; /* enforces them whatever the data hold */
    size_t multiplied;   /* how many joins below can give a row several partners */

    /* ---- by kind ---- */
    const struct sql_table *table;            /* scan */
    const struct sql_release *release;        /* release */
    const struct sql_rows *rows;              /* values */
    const struct sql_relation *input, *right; /* `right` of joins, appends, sets */
    const struct sql_expression *condition;   /* filter, join, semi join: over both sides' columns; or NULL */
    enum sql_join_kind join;
    bool anti; /* semi join: NOT EXISTS */
    enum sql_set_kind set;
    const struct sql_expression *const *expressions; /* project, aggregate's keys */
    size_t expression_count;
    const struct sql_aggregate *aggregates;
    size_t aggregate_count;
    const struct sql_window *windows;
    size_t window_count;
    const struct sql_order *order; /* sort */
    size_t order_count;
    const struct sql_expression *limit, *offset; /* constants, or NULL */
};

/* ---- Constructors: each checks the rule of its step, with words that say what to ask instead ---- */

/* All columns of the table, and for a private one the hidden column "tag" behind them. Rows without a unit
 * are left out by the printer. Refuses a table whose path leads over a key that is not proved unique. */
status sql_scan(struct sql_builder *builder, const struct sql_table *table, int position,
                const struct sql_relation **out, error *why) MUST_CHECK;

status sql_values(struct sql_builder *builder, const struct sql_column *columns, const struct sql_rows *rows,
                  int position, const struct sql_relation **out, error *why) MUST_CHECK;

status sql_filter(struct sql_builder *builder, const struct sql_relation *input,
                  const struct sql_expression *condition, const struct sql_relation **out,
                  error *why) MUST_CHECK;

/* One output column for each expression, with the given name; `hidden` may be NULL. Where the input is tagged
 * and no expression is its tag, the tag is added as a hidden column. */
status sql_project(struct sql_builder *builder, const struct sql_relation *input,
                   const struct sql_expression *const *expressions, const char *const *names,
                   const bool *hidden, size_t count, int position, const struct sql_relation **out,
                   error *why) MUST_CHECK;

/* Both tagged: the condition must equate the units (by unit columns, or all columns of a declared key), and
 * tag = tag is added to it in any case. One tagged: it must be the preserved side. */
status sql_join(struct sql_builder *builder, enum sql_join_kind kind, const struct sql_relation *left,
                const struct sql_relation *right, const struct sql_expression *condition, int position,
                const struct sql_relation **out, error *why) MUST_CHECK;

status sql_semi_join(struct sql_builder *builder, bool anti, const struct sql_relation *left,
                     const struct sql_relation *right, const struct sql_expression *condition, int position,
                     const struct sql_relation **out, error *why) MUST_CHECK;

/* Not of a tagged input whose unit is not among the keys: that is a release (release.h). */
status sql_group(struct sql_builder *builder, const struct sql_relation *input,
                 const struct sql_expression *const *keys, size_t key_count,
                 const struct sql_aggregate *aggregates, size_t aggregate_count, int position,
                 const struct sql_relation **out, error *why) MUST_CHECK;

/* Tagged: refuses unless the unit is among the partition; completes the order to a total one. */
status sql_windows(struct sql_builder *builder, const struct sql_relation *input,
                   const struct sql_window *windows, size_t count, int position,
                   const struct sql_relation **out, error *why) MUST_CHECK;

status sql_append(struct sql_builder *builder, const struct sql_relation *left,
                  const struct sql_relation *right, int position, const struct sql_relation **out,
                  error *why) MUST_CHECK;
status sql_distinct(struct sql_builder *builder, const struct sql_relation *input, int position,
                    const struct sql_relation **out, error *why) MUST_CHECK;
status sql_set(struct sql_builder *builder, enum sql_set_kind kind, const struct sql_relation *left,
               const struct sql_relation *right, int position, const struct sql_relation **out,
               error *why) MUST_CHECK;
status sql_sort(struct sql_builder *builder, const struct sql_relation *input, const struct sql_order *order,
                size_t count, int position, const struct sql_relation **out, error *why) MUST_CHECK;
status sql_limit(struct sql_builder *builder, const struct sql_relation *input,
                 const struct sql_expression *limit, const struct sql_expression *offset, int position,
                 const struct sql_relation **out, error *why) MUST_CHECK;

/* ---- Looking through relations ---- */

/* Where a column comes from: the scan (or values) and the column there, through filters, projections of plain
 * columns, joins, windows and keys of aggregates. `null_extended`: an outer join on the way may have made it
 * NULL. False: it is computed. */
struct sql_origin {
    const struct sql_relation *scan;
    size_t column;
    bool null_extended;
};
bool sql_trace(const struct sql_relation *relation, size_t column, struct sql_origin *out);

/* The aggregate's or window's result type by PostgreSQL's rules (sum(bigint) stays bigint here). */
status sql_aggregate_type(const struct sql_aggregate *aggregate, int position, enum sql_type *type,
                          int *scale, error *why) MUST_CHECK;

#endif
