/* bind_room.h - what the files that bind a SELECT share. Inside bind_*.c only.
 *
 * A SELECT is bound in PostgreSQL's order: FROM and WHERE make a relation; GROUP BY makes another one of it, in
 * which keys and aggregates are columns; window calls add columns; the select list projects; DISTINCT, ORDER BY
 * and LIMIT follow. At each of these stages a *level* says what names and calls mean. Calls are found by
 * walking the tree before anything is bound, since the relation that has them as columns must exist first. */
#ifndef SQL_BIND_ROOM_H
#define SQL_BIND_ROOM_H

#include "sql/bind.h"
#include "sql/relation_make.h"

/* ---- Names (bind_names.c) ---- */

struct bind_name {
    const char *name;
    size_t column; /* of the relation that the names are for */
};

struct bind_name_list {
    const struct bind_name *names;
    size_t count;
};

/* A table, sub-select or join that can be named: alias.column. */
struct bind_source {
    const char *alias;
    bool in_public; /* a table of the policy under its own name: public.NAME names it too */
    struct bind_name_list list;
};

struct bind_names {
    struct bind_name_list visible; /* without a table name, in the order of * */
    const struct bind_source *sources;
    size_t source_count;
};

/* The names of a relation's visible columns, under an alias (NULL: none), renamed by the alias's columns. */
status bind_names_of(struct binder *binder, const struct sql_relation *relation, const char *name,
                     const PgQuery__Alias *alias, int position, struct bind_names *out,
                     error *why) MUST_CHECK;

/* Both, the right's columns moved behind `shift` columns. Refuses a table name that is there twice. */
status bind_names_both(struct binder *binder, const struct bind_names *left, const struct bind_names *right,
                       size_t shift, int position, struct bind_names *out, error *why) MUST_CHECK;

/* The same names where column i became map[i]. */
status bind_names_moved(struct binder *binder, const struct bind_names *names, const size_t *map,
                        struct bind_names *out, error *why) MUST_CHECK;

enum bind_found { BIND_FOUND, BIND_MISSING, BIND_AMBIGUOUS, BIND_NO_TABLE };

/* What stands before a column's name: nothing (table is NULL), t or public.t. */
struct bind_qualifier {
    const char *table;
    bool in_public;
};

enum bind_found bind_names_find(const struct bind_names *names, struct bind_qualifier qualifier,
                                const char *column, size_t *out);
/* The source that it names; NULL: there is none. */
const struct bind_source *bind_names_source(const struct bind_names *names, struct bind_qualifier qualifier);

/* The texts of a column reference: x, t.x or public.t.x. Refuses longer ones and stars. */
status bind_reference(struct binder *binder, const PgQuery__ColumnRef *reference,
                      struct bind_qualifier *qualifier, const char **column, error *why) MUST_CHECK;

/* PostgreSQL's words for a name that was not found. */
status bind_not_found(struct binder *binder, const struct bind_names *names, enum bind_found found,
                      struct bind_qualifier qualifier, const char *column, int location,
                      error *why) MUST_CHECK;

/* The one schema, in which the policy's tables are for tools that name one. */
#define BIND_SCHEMA "public"

bool bind_same_name(const char *declared, const char *said);

/* ---- Levels (bind_level.c) ---- */

struct bind_grouped;
struct bind_windows;

struct bind_level {
    struct bind_scope scope;             /* first: scope.own is the level */
    const struct sql_relation *relation; /* whose columns are meant */
    const struct bind_names *names;      /* of the FROM clause */
    size_t shift;                        /* the names' columns begin here in `relation` */
    const struct bind_names *outer;      /* correlated: the outer FROM's names, from column 0; or NULL */
    const struct bind_grouped *grouped;  /* or NULL */
    const struct bind_windows *windows;  /* or NULL */
    bool operand;                        /* of a set operation: what is selected is all that there is */
    bool untyped; /* literals of the select list wait for the other side of UNION to give them a type */
};

/* A level for expressions of the FROM clause's rows: columns and scalar sub-selects alone. */
void bind_level_init(struct bind_level *level, const char *where, const struct sql_relation *relation,
                     const struct bind_names *names);
/* The same surroundings, said to be elsewhere. */
void bind_level_copy(struct bind_level *level, const char *where, const struct bind_level *from);

/* Column `index` of the level's relation. */
status bind_column(struct binder *binder, const struct bind_level *level, size_t index, int position,
                   const struct sql_expression **out, error *why) MUST_CHECK;

/* A stand-in with the columns of both: for binding conditions over two sides. Never part of a plan. */
status bind_pair(struct binder *binder, const struct sql_relation *left, const struct sql_relation *right,
                 const struct sql_relation **out, error *why) MUST_CHECK;

/* One row without visible columns. */
status bind_dummy(struct binder *binder, int position, const struct sql_relation **out,
                  error *why) MUST_CHECK;

int bind_at(const struct binder *binder, int location);
status bind_text_of(struct binder *binder, const char *text, const char **out, error *why) MUST_CHECK;

/* ---- Walking (bind_walk.c) ---- */

/* What stands in the expressions of one SELECT, sub-selects left aside. */
struct bind_calls_found {
    const PgQuery__FuncCall **aggregates; /* without OVER, in order */
    size_t aggregate_count;
    const PgQuery__FuncCall **windows;
    size_t window_count;
    bool sublink; /* one that was not bound before */
    bool grouping;
};
status bind_find_calls(struct binder *binder, const PgQuery__Node *node, struct bind_calls_found *found,
                       error *why) MUST_CHECK;

/* ---- FROM and WHERE (bind_from.c, bind_join.c, bind_comma.c, bind_where.c, bind_semi.c) ---- */

/* a AND b; either may be NULL. */
status bind_and(struct binder *binder, const struct sql_expression *a, const struct sql_expression *b,
                const struct sql_expression **out, error *why) MUST_CHECK;

struct bind_from {
    const struct sql_relation *relation;
    struct bind_names names;
};

status bind_from_item(struct binder *binder, const PgQuery__Node *node, struct bind_from *out,
                      error *why) MUST_CHECK;
status bind_from_join(struct binder *binder, const PgQuery__JoinExpr *join, struct bind_from *out,
                      error *why) MUST_CHECK;

/* The parts of an AND. */
struct bind_conjuncts {
    const PgQuery__Node **nodes;
    size_t count, room;
};
status bind_split(struct binder *binder, const PgQuery__Node *node, struct bind_conjuncts *out,
                  error *why) MUST_CHECK;

/* A sub-select of IN or EXISTS: its WHERE may name columns of the query around it. What does becomes the
 * condition, over the columns of that query, then those of the sub-select's own relation. */
struct bind_correlation {
    const struct bind_level *outer;
    const struct sql_expression *condition; /* or NULL */
};

/* The tables of a FROM list, and the parts of WHERE that were bound over their columns one after the other,
 * behind `shift` columns of the query around. */
struct bind_comma {
    struct bind_from *items;
    size_t *starts; /* of each item's columns */
    size_t count, column_count, shift;
    const struct sql_expression **parts; /* NULL: made part of a join's condition */
    size_t part_count;
    size_t *map; /* from those columns to the columns of the joined relation */
};
/* Joins the items, in an order in which units are equated if there is one. */
status bind_comma_join(struct binder *binder, struct bind_comma *comma, const struct sql_relation **out,
                       error *why) MUST_CHECK;

/* FROM with all that WHERE says of it. `correlation` may be NULL. */
status bind_from_where(struct binder *binder, const PgQuery__SelectStmt *select,
                       struct bind_correlation *correlation, struct bind_from *out, error *why) MUST_CHECK;

/* Whether a conjunct is IN, EXISTS or the negation of one: to become a semi join. */
bool bind_is_semi_join(const PgQuery__Node *node);
/* The level's relation, chosen by such a conjunct. The level then has the new relation. */
status bind_semi_join(struct binder *binder, struct bind_level *level, const PgQuery__Node *node,
                      error *why) MUST_CHECK;
/* All conjuncts of a condition, onto the level's relation. */
status bind_condition(struct binder *binder, struct bind_level *level, const PgQuery__Node *node,
                      error *why) MUST_CHECK;

/* A sub-select within an expression. */
status bind_scalar_sublink(struct binder *binder, struct bind_scope *scope, const PgQuery__SubLink *link,
                           const struct sql_expression **out, error *why) MUST_CHECK;

/* Whether the same sub-select was bound before: binding it again makes nothing new. */
bool bind_is_bound_value(const struct binder *binder, const PgQuery__SubLink *link);

/* Whether two trees are the same, wherever they stand in the text (bind_same.c). */
bool bind_same_tree(const ProtobufCMessage *a, const ProtobufCMessage *b);

/* ---- CTEs and VALUES ---- */

struct bind_cte {
    const char *name;
    const PgQuery__CommonTableExpr *expression;
    const struct sql_relation *relation; /* NULL until it is first named */
    const struct bind_cte *next;         /* those in sight of it */
};
/* Puts the CTEs in sight; the caller restores binder->ctes. */
status bind_with(struct binder *binder, const PgQuery__WithClause *with, error *why) MUST_CHECK;
/* What nobody named: checked, and its releases forgotten. */
status bind_with_rest(struct binder *binder, const struct bind_cte *until, error *why) MUST_CHECK;
/* The CTE of that name, bound; NULL: there is none. */
status bind_find_cte(struct binder *binder, const char *name, const struct bind_cte **out,
                     error *why) MUST_CHECK;
status bind_values(struct binder *binder, const PgQuery__SelectStmt *select, const struct sql_relation **out,
                   error *why) MUST_CHECK;

/* ---- The select list (bind_target.c) ---- */

struct bind_target {
    const PgQuery__Node *node; /* NULL: column `column` of the FROM clause, of a star */
    size_t column;
    const char *name;
    bool named; /* by AS */
};
struct bind_targets {
    struct bind_target *list;
    size_t count;
};
status bind_targets(struct binder *binder, const PgQuery__SelectStmt *select, const struct bind_names *names,
                    struct bind_targets *out, error *why) MUST_CHECK;
status bind_target_expression(struct binder *binder, struct bind_level *level,
                              const struct bind_target *target, const struct sql_expression **out,
                              error *why) MUST_CHECK;

/* ---- GROUP BY and aggregates (bind_group.c, bind_group_sets.c, bind_aggregate.c) ---- */

struct bind_grouped {
    const struct bind_level *input; /* what keys and arguments are bound in */
    const struct sql_expression *const *keys;
    size_t key_count;
    const PgQuery__FuncCall *const *calls;
    const size_t *columns; /* call i is column columns[i]: equal calls are one */
    size_t call_count;
    size_t grouping; /* the column that says which keys are left out; 0 when there is one set */
};

struct bind_keys {
    const struct sql_expression **keys;
    const char **names;
    size_t count, room;
    const struct bind_grouping_set *sets;
    size_t set_count;
};
status bind_group_keys(struct binder *binder, struct bind_level *input, const PgQuery__SelectStmt *select,
                       const struct bind_targets *targets, struct bind_keys *out, error *why) MUST_CHECK;

/* One aggregate call over the input. */
status bind_aggregate_call(struct binder *binder, struct bind_level *input, const PgQuery__FuncCall *call,
                           struct bind_call *out, error *why) MUST_CHECK;
/* As the aggregate node has it: for relations that are not released anew. */
status bind_plain_aggregate(struct binder *binder, const struct bind_call *call, struct sql_aggregate *out,
                            error *why) MUST_CHECK;

/* Groups the level's relation: a release, an aggregate per unit, or post-processing. The level afterwards is
 * that of HAVING, the select list and ORDER BY. */
status bind_group(struct binder *binder, struct bind_level *level, const PgQuery__SelectStmt *select,
                  const struct bind_targets *targets, const struct bind_calls_found *calls,
                  error *why) MUST_CHECK;

/* ---- Windows (bind_window.c) ---- */

struct bind_windows {
    const PgQuery__FuncCall *const *calls; /* call i is column first + i */
    size_t count, first;
};
status bind_window_calls(struct binder *binder, struct bind_level *level, const PgQuery__SelectStmt *select,
                         const struct bind_calls_found *calls, error *why) MUST_CHECK;

/* ASC or DESC, and where NULLs go, with PostgreSQL's defaults. */
status bind_direction(struct binder *binder, const PgQuery__SortBy *sort, struct sql_order *out,
                      error *why) MUST_CHECK;

/* ---- ORDER BY, LIMIT (bind_order.c) ---- */

/* Projects the select list, then DISTINCT, ORDER BY and LIMIT. */
status bind_finish(struct binder *binder, struct bind_level *level, const PgQuery__SelectStmt *select,
                   const struct bind_targets *targets, const struct sql_relation **out,
                   error *why) MUST_CHECK;
/* ORDER BY (output columns alone) and LIMIT of a set operation or VALUES. */
status bind_finish_set(struct binder *binder, const PgQuery__SelectStmt *select,
                       const struct sql_relation **relation, error *why) MUST_CHECK;
status bind_limit(struct binder *binder, const PgQuery__SelectStmt *select,
                  const struct sql_relation **relation, error *why) MUST_CHECK;

#endif
