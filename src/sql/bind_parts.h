/* bind_parts.h - what the files that bind expressions share. Inside the room only. */
#ifndef SQL_BIND_PARTS_H
#define SQL_BIND_PARTS_H

#include "sql/bind.h"

/* Binds nodes one by one; the list has room for two more. */
status bind_list(struct binder *binder, struct bind_scope *scope, PgQuery__Node *const *nodes, size_t count,
                 const struct sql_expression ***out, error *why) MUST_CHECK;

/* bind_operator.c: a + b, IN, BETWEEN, LIKE, = ANY, IS DISTINCT FROM, NULLIF */
status bind_operator(struct binder *binder, struct bind_scope *scope, const PgQuery__AExpr *expression,
                     const struct sql_expression **out, error *why) MUST_CHECK;

/* bind_function.c: a call of an ordinary function */
status bind_function(struct binder *binder, struct bind_scope *scope, const PgQuery__FuncCall *call,
                     const struct sql_expression **out, error *why) MUST_CHECK;

/* "set to default": the node's kind in words, for refusals. */
const char *bind_node_name(const PgQuery__Node *node);

#endif
