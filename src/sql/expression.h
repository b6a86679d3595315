/* expression.h - a bound expression: typed, deterministic and total.
 *
 * Expressions are built only by the functions here, which resolve overloads, put in the casts that PostgreSQL
 * would, and work out type, nullability and bounds. Printers find nothing implicit. What has no entry in the
 * list of functions (function.c) is refused: there is no other way in.
 *
 * Total: where PostgreSQL would raise an error (division by zero, overflow, a cast that fails, log(-1)) the
 * value is NULL, on every engine, for private rows as for released ones.
 *
 * Bounds are claims, not facts: they follow by interval arithmetic from what the policy declares. They say
 * where an aggregate clamps, and nothing else; no printer may rely on them to leave out a guard. That a value is never
 * NULL (`nullable` false) is a claim, too: it follows from `null: false` and from bounds. NaN lies outside all bounds;
 * a clamp puts it on the lower one. */
#ifndef SQL_EXPRESSION_H
#define SQL_EXPRESSION_H

#include "sql/value.h"

struct sql_relation;
struct sql_function;

/* Bounds of the values that are not NULL. `lower`, `upper`: boolean, integer, decimal (units), date,
 * timestamp; the reals for a real, rounded outwards. */
struct sql_range {
    bool known;
    int64_t lower, upper;
    double real_lower, real_upper;
};

enum sql_expression_kind {
    SQL_LITERAL,
    SQL_COLUMN, /* number `column` of the input; in a join's condition the left side's columns come first */
    SQL_CALL,   /* an operator or function: + = and coalesce in like substring ... */
    SQL_CASE,   /* arguments: condition, value, condition, value, ..., else (always there) */
    SQL_CAST,   /* of the one argument to `type`; NULL where that fails */
    SQL_SCALAR, /* the one cell of a public or released relation; NULL if it has no row, or several */
};

struct sql_expression {
    enum sql_expression_kind kind;
    enum sql_type type;
    int scale; /* of a decimal */
    bool nullable;
    struct sql_range range;
    int position;                        /* in the question, for messages; -1: none */
    struct sql_value value;              /* literal */
    size_t column;                       /* column */
    const struct sql_function *function; /* call */
    const struct sql_relation *relation; /* scalar */
    const struct sql_expression *const *arguments;
    size_t argument_count;
    /* As a tree, in which what is used twice counts twice: at most SQL_MOST_NODES, and SQL_MOST_DEPTH deep. So whoever
     * walks an expression is done soon. */
    size_t size, depth;
};

/* Where expressions and relations are made. One for each question. */
struct sql_builder {
    struct arena *arena;
    const struct sql_catalogue *catalogue;
    size_t node_count; /* expressions and relations so far; beyond SQL_MOST_NODES the question is refused */
    const struct sql_release **releases; /* see release.h */
    size_t release_count, release_room;
    const struct sql_inference *inference; /* of parameters' types; NULL: nobody asks */
};

/* Where the text has $1, $2 ..., to note what they are taken for (infer.c). */
struct sql_inference {
    const char *text;
    size_t length;
    const int *characters; /* before each byte of it */
    enum sql_type *types;
    size_t count;
};

/* A literal of no type that stands at `position` is taken for this type: if it is a parameter's, that is noted. */
void sql_infer(const struct sql_inference *inference, int position, enum sql_type type);

enum { SQL_MOST_NODES = 200000, SQL_MOST_RELEASES = 256, SQL_MOST_DEPTH = 400 };

/* Fails with the position set: "DITHER_INVALID ... at position". The message says what to ask instead. */
status sql_refuse(error *why, int position, const char *format, ...) __attribute__((format(printf, 3, 4)));

status sql_literal(struct sql_builder *builder, const struct sql_value *value, int position,
                   const struct sql_expression **out, error *why) MUST_CHECK;

/* Column `index` of the relation: its type, nullability and range. */
status sql_column_of(struct sql_builder *builder, const struct sql_relation *relation, size_t index,
                     int position, const struct sql_expression **out, error *why) MUST_CHECK;

/* Operator or function by its PostgreSQL name, lower case: "+", "=", "and", "is null", "coalesce", "like",
 * "in" (first argument among the others), "between", "extract.year", "lower" ... Refuses what is not on the
 * list, what is volatile, and arguments of wrong types, in PostgreSQL's manner: "operator does not exist: text
 * + integer". */
status sql_call(struct sql_builder *builder, const char *name, const struct sql_expression *const *arguments,
                size_t count, int position, const struct sql_expression **out, error *why) MUST_CHECK;

/* A two-argument sql_call. */
status sql_call2(struct sql_builder *builder, const char *name, const struct sql_expression *a,
                 const struct sql_expression *b, int position, const struct sql_expression **out,
                 error *why) MUST_CHECK;

/* An explicit cast; the same expression when the type is already right. */
status sql_cast(struct sql_builder *builder, const struct sql_expression *expression, enum sql_type type,
                int scale, int position, const struct sql_expression **out, error *why) MUST_CHECK;

/* Conditions boolean, values brought to one type. `arguments` as SQL_CASE has them. */
status sql_case(struct sql_builder *builder, const struct sql_expression *const *arguments, size_t count,
                int position, const struct sql_expression **out, error *why) MUST_CHECK;

/* The one cell of a relation with one column, public or released. */
status sql_scalar(struct sql_builder *builder, const struct sql_relation *relation, int position,
                  const struct sql_expression **out, error *why) MUST_CHECK;

/* The same expression with each SQL_COLUMN replaced by what `columns` holds at its index. */
status sql_substitute(struct sql_builder *builder, const struct sql_expression *expression,
                      const struct sql_expression *const *columns, size_t column_count,
                      const struct sql_expression **out, error *why) MUST_CHECK;

/* The same form, functions, columns and literals: positions do not count. */
bool sql_same_expression(const struct sql_expression *a, const struct sql_expression *b);

/* Whether it is a call of this operator or function, by the name that sql_call took ("and", "=", "is not null").
 * For whoever reads conditions. NULL expression: false. */
bool sql_is_call(const struct sql_expression *expression, const char *name);

/* Calls `visit` for each column that the expression uses. */
void sql_visit_columns(const struct sql_expression *expression, void (*visit)(void *context, size_t column),
                       void *context);

/* Whether it is NULL whenever any column it uses is NULL (so that a filter on it drops such rows). */
bool sql_is_strict(const struct sql_expression *expression);

#endif
