/* describe_parts.h - what the describers share. Inside describe*.c only. */
#ifndef SQL_DESCRIBE_PARTS_H
#define SQL_DESCRIBE_PARTS_H

#include "sql/print.h"

/* The columns that an expression sees: those of `left`, then those of `right` (or NULL). */
struct describe_scope {
    const struct sql_relation *left, *right;
};

void describe_value(struct buffer *buffer, const struct sql_value *value);
void describe_in_scope(struct buffer *buffer, struct describe_scope scope,
                       const struct sql_expression *expression);

/* A column's name; two columns of one name are told apart by their numbers. */
void describe_name(struct buffer *buffer, struct describe_scope scope, size_t index);

void describe_aggregate(struct buffer *buffer, struct describe_scope scope,
                        const struct sql_aggregate *aggregate);
void describe_window(struct buffer *buffer, struct describe_scope scope, const struct sql_window *window);
void describe_order(struct buffer *buffer, struct describe_scope scope, const struct sql_order *order,
                    size_t count);

/* The release's own line and, indented, its keys, measures and input. */
void describe_release(struct buffer *buffer, const struct sql_release *release, size_t indent);

/* A relation from `indent` levels on: two blanks each. */
void describe_relation(struct buffer *buffer, const struct sql_relation *relation, size_t indent);
void describe_indent(struct buffer *buffer, size_t indent);

#endif
