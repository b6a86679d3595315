/* expression_make.h - what the files that make expressions share. Inside the room only. */
#ifndef SQL_EXPRESSION_MAKE_H
#define SQL_EXPRESSION_MAKE_H

#include "sql/expression.h"

/* A node from the builder's arena, counted; refuses beyond SQL_MOST_NODES. */
status expression_new(struct sql_builder *builder, int position, struct sql_expression **out,
                      error *why) MUST_CHECK;

/* A copy of the list of arguments in the arena. */
status expression_arguments(struct sql_builder *builder, struct sql_expression *node,
                            const struct sql_expression *const *arguments, size_t count,
                            error *why) MUST_CHECK;

/* After the arguments are set: the size of the tree, or a refusal when it is too large or too deep. */
status expression_measure(struct sql_expression *node, error *why) MUST_CHECK;

/* The type that all of them can be brought to without a word from the analyst, as PostgreSQL resolves CASE and
 * UNION. `what` is for the message: "CASE types bigint and text cannot be matched". */
status expression_common_type(const struct sql_expression *const *arguments, size_t count, size_t stride,
                              const char *what, int position, enum sql_type *type, int *scale,
                              error *why) MUST_CHECK;

/* Whether PostgreSQL puts in the cast by itself where a value of `from` meets a place for `to`. */
bool expression_converts(enum sql_type from, enum sql_type to);

#endif
