/* bind.h - how the files that bind PostgreSQL's tree work together. Inside the room only.
 *
 *     bind_select.c      a SELECT, in PostgreSQL's order; set operations
 *     bind_from.c        tables, sub-selects; bind_join.c, bind_comma.c joins; bind_cte.c WITH; bind_values.c
 *     bind_where.c       conjuncts; bind_semi.c IN and EXISTS; bind_sublink.c other sub-selects
 *     bind_group.c       release, group of each unit, or post-processing; bind_keys.c GROUP BY; bind_aggregate.c
 *     bind_target.c      the select list; bind_order.c DISTINCT, ORDER BY, LIMIT
 *     bind_names.c       what a name means; bind_level.c what it means at which stage; bind_walk.c finds calls
 *     bind_expression.c  expressions; asks the scope for what only it knows
 *     bind_window.c      window calls
 *     release_*.c        a grouped SELECT of a tagged relation -> a release and what is made of it
 *
 * A scope is what names mean at one place. */
#ifndef SQL_BIND_H
#define SQL_BIND_H

#include "sql/parse.h"
#include "sql/plan.h"

struct bind_cte;
struct bind_names;
struct bind_value;

/* The names of a query around a sub-select: only to say so when one is used where it must not be. */
struct bind_outer {
    const struct bind_names *names;
    const struct bind_outer *next;
};

struct binder {
    struct sql_builder builder; /* first */
    const struct sql_parsed *parsed;
    struct sql_options options;
    struct buffer *notes;
    size_t depth;                    /* of nested nodes; beyond SQL_MOST_DEPTH the question is refused */
    const struct bind_cte *ctes;     /* those in sight, innermost first */
    const struct bind_outer *outer;  /* innermost first */
    const struct bind_value *values; /* sub-selects that were bound before (bind_sublink.c) */
    bool operand; /* the query that is bound next is one side of UNION, INTERSECT or EXCEPT */
};

/* What an expression's surroundings decide. A hook that is NULL refuses, in words that `where` completes:
 * "aggregate functions are not allowed in WHERE". */
struct bind_scope {
    const char *where; /* "WHERE", "GROUP BY", "the select list" ... */
    status (*column)(struct binder *binder, struct bind_scope *scope, const PgQuery__ColumnRef *reference,
                     const struct sql_expression **out, error *why);
    status (*aggregate)(struct binder *binder, struct bind_scope *scope, const PgQuery__FuncCall *call,
                        const struct sql_expression **out, error *why);
    status (*window)(struct binder *binder, struct bind_scope *scope, const PgQuery__FuncCall *call,
                     const struct sql_expression **out, error *why);
    /* GROUPING(...) and sub-selects */
    status (*grouping)(struct binder *binder, struct bind_scope *scope, const PgQuery__GroupingFunc *call,
                       const struct sql_expression **out, error *why);
    status (*sublink)(struct binder *binder, struct bind_scope *scope, const PgQuery__SubLink *link,
                      const struct sql_expression **out, error *why);
    /* Called first for every node: whoever recognises it (a grouping expression) sets `out`, or leaves it NULL. */
    status (*known)(struct binder *binder, struct bind_scope *scope, const PgQuery__Node *node,
                    const struct sql_expression **out, error *why);
    void *own; /* the surroundings' data */
};

/* A node of an expression. Everything that has no case of its own is refused by name, with its position. */
status bind_expression(struct binder *binder, struct bind_scope *scope, const PgQuery__Node *node,
                       const struct sql_expression **out, error *why) MUST_CHECK;

/* The location of a node in the analyst's text; -1 where the tree has none. */
int bind_position(const struct binder *binder, const PgQuery__Node *node);

/* Whether a call names an aggregate; the ordinary name in lower case. */
bool bind_is_aggregate(const PgQuery__FuncCall *call);

/* A type name: bigint, int, numeric(10,2), double precision, text, varchar, date, timestamp ... */
status bind_type(struct binder *binder, const PgQuery__TypeName *name, enum sql_type *type, int *scale,
                 error *why) MUST_CHECK;

/* A SELECT with all that hangs on it; the relation's visible columns are its select list. */
status bind_query(struct binder *binder, const PgQuery__SelectStmt *select, const struct sql_relation **out,
                  error *why) MUST_CHECK;

/* ---- Releases ---- */

/* An aggregate call as the binder found it, bound to the input. */
struct bind_call {
    const char *name; /* "count", "sum", "percentile_cont" ... */
    const struct sql_expression *arguments[4];
    size_t argument_count;
    bool star, distinct;
    const struct sql_expression *filter;
    const struct sql_expression *within; /* WITHIN GROUP (ORDER BY this) */
    bool descending;
    /* contribution_bounds_per_group => (lower, upper), epsilon => E */
    bool has_bounds;
    double bound_lower, bound_upper;
    struct decimal epsilon;
    int position;
};

/* The release of `calls` over a tagged `input`, grouped by `keys`. Gives a released relation with the columns:
 * the keys, in order, then one for each call (its value, as the analyst expects it: avg is a real). `sets` are
 * the grouping sets: each lists the keys that it groups by; set_count 1 with all keys is the plain GROUP BY.
 * With several sets the key columns that a set leaves out are NULL, and behind the calls' columns follows one
 * hidden integer column "grouping": bit i says that key i is left out. */
struct bind_grouping_set {
    const size_t *keys; /* indices, ascending */
    size_t key_count;
};
struct bind_release {
    const struct sql_relation *input;
    const struct sql_expression *const *keys;
    const char *const *key_names;
    size_t key_count;
    const struct bind_grouping_set *sets;
    size_t set_count;
    const struct bind_call *calls;
    size_t call_count;
    int position;
};
status release_build(struct binder *binder, const struct bind_release *request,
                     const struct sql_relation **out, error *why) MUST_CHECK;

/* The blocks to which a tagged relation is confined (release.h); out_count 0: all. */
status release_confine(struct sql_builder *builder, const struct sql_relation *relation, const size_t **out,
                       size_t *out_count, error *why) MUST_CHECK;

#endif
