/* Relations for people: a line for each node, its inputs below it. Complete: two relations that would give different
 * rows have different words, so that the words can stand for the relation (see print_relation.c). */
#include <assert.h>

#include "sql/describe_parts.h"

void describe_indent(struct buffer *buffer, size_t indent)
{
    for (size_t i = 0; i < indent; i++)
        buffer_text(buffer, "  ");
}

static void describe_scan(struct buffer *buffer, const struct sql_relation *scan)
{
    const struct policy_table *table = scan->table->declared;
    buffer_text(buffer, "scan ");
    sql_print_identifier(buffer, table->name);
    if (scan->place != SQL_TAGGED) {
        buffer_text(buffer, ", public");
        return;
    }
    buffer_text(buffer, ", unit");
    for (size_t i = 0; i < scan->table->declared->joins; i++, table = table->parent) {
        buffer_text(buffer, " of ");
        sql_print_identifier(buffer, table->parent->name);
    }
    buffer_byte(buffer, ' ');
    if (scan->table->declared->tag != NULL)
        sql_print_identifier(buffer, scan->table->declared->tag->name);
    else
        buffer_text(buffer, "each row");
}

static void describe_values(struct buffer *buffer, const struct sql_relation *relation)
{
    const struct sql_rows *rows = relation->rows;
    buffer_text(buffer, "values");
    for (size_t row = 0; row < rows->row_count; row++) {
        buffer_text(buffer, row == 0 ? " (" : ", (");
        for (size_t i = 0; i < rows->column_count; i++) {
            buffer_text(buffer, i == 0 ? "" : ", ");
            describe_value(buffer, sql_rows_cell(rows, row, i));
        }
        buffer_byte(buffer, ')');
    }
}

static void describe_condition(struct buffer *buffer, const struct sql_relation *relation)
{
    const struct sql_relation *left = relation->input, *right = relation->right;
    struct describe_scope scope = {left, right};
    bool both = left->place == SQL_TAGGED && right->place == SQL_TAGGED;
    buffer_text(buffer, both ? " on the unit" : "");
    if (relation->condition != NULL) {
        buffer_text(buffer, both ? " and " : " on ");
        describe_in_scope(buffer, scope, relation->condition);
    }
}

static void describe_columns(struct buffer *buffer, const struct sql_relation *relation)
{
    struct describe_scope scope = {relation->input, NULL};
    size_t keys = relation->expression_count;
    for (size_t i = 0; i < relation->column_count; i++) {
        buffer_text(buffer, i == 0 ? " " : ", ");
        if (i < keys)
            describe_in_scope(buffer, scope, relation->expressions[i]);
        else
            describe_aggregate(buffer, scope, &relation->aggregates[i - keys]);
        buffer_text(buffer, " as ");
        describe_name(buffer, (struct describe_scope){relation, NULL}, i);
    }
}

static void describe_windows(struct buffer *buffer, const struct sql_relation *relation)
{
    struct describe_scope scope = {relation->input, NULL};
    for (size_t i = 0; i < relation->window_count; i++) {
        buffer_text(buffer, i == 0 ? "window " : ", ");
        describe_window(buffer, scope, &relation->windows[i]);
        buffer_text(buffer, " as ");
        describe_name(buffer, (struct describe_scope){relation, NULL}, relation->input->column_count + i);
    }
}

static void describe_limit(struct buffer *buffer, const struct sql_relation *relation)
{
    struct describe_scope scope = {relation->input, NULL};
    buffer_text(buffer, "limit ");
    if (relation->limit != NULL)
        describe_in_scope(buffer, scope, relation->limit);
    else
        buffer_text(buffer, "none");
    if (relation->offset != NULL) {
        buffer_text(buffer, " offset ");
        describe_in_scope(buffer, scope, relation->offset);
    }
}

static void describe_join(struct buffer *buffer, const struct sql_relation *relation)
{
    static const char *const kinds[] = {
        [SQL_INNER] = "join",
        [SQL_LEFT] = "left join",
        [SQL_RIGHT] = "right join",
        [SQL_FULL] = "full join",
    };
    buffer_text(buffer, kinds[relation->join]);
    describe_condition(buffer, relation);
}

static void describe_set(struct buffer *buffer, const struct sql_relation *relation)
{
    static const char *const kinds[] = {
        [SQL_UNION] = "union",   [SQL_INTERSECT] = "intersect",   [SQL_INTERSECT_ALL] = "intersect all",
        [SQL_EXCEPT] = "except", [SQL_EXCEPT_ALL] = "except all",
    };
    buffer_text(buffer, kinds[relation->set]);
}

static void describe_line(struct buffer *buffer, const struct sql_relation *relation)
{
    struct describe_scope scope = {relation->input, NULL};
    switch (relation->kind) {
    case SQL_SCAN:
        describe_scan(buffer, relation);
        return;
    case SQL_VALUES:
        describe_values(buffer, relation);
        return;
    case SQL_FILTER:
        buffer_text(buffer, "filter ");
        describe_in_scope(buffer, scope, relation->condition);
        return;
    case SQL_PROJECT:
        buffer_text(buffer, "project");
        describe_columns(buffer, relation);
        return;
    case SQL_JOIN:
        describe_join(buffer, relation);
        return;
    case SQL_SEMI_JOIN:
        buffer_text(buffer, relation->anti ? "rows without a partner" : "rows with a partner");
        describe_condition(buffer, relation);
        return;
    case SQL_AGGREGATE:
        buffer_format(buffer, "group by %zu:", relation->expression_count);
        describe_columns(buffer, relation);
        return;
    case SQL_WINDOW:
        describe_windows(buffer, relation);
        return;
    case SQL_APPEND:
        buffer_text(buffer, "append");
        return;
    case SQL_DISTINCT:
        buffer_text(buffer, "distinct");
        return;
    case SQL_SET:
        describe_set(buffer, relation);
        return;
    case SQL_SORT:
        buffer_text(buffer, "sort ");
        describe_order(buffer, scope, relation->order, relation->order_count);
        return;
    case SQL_LIMIT:
        describe_limit(buffer, relation);
        return;
    case SQL_RELEASE:
        break;
    }
    assert(!"a relation that cannot be described");
}

void describe_relation(struct buffer *buffer, const struct sql_relation *relation, size_t indent)
{
    if (buffer->failed)
        return; /* beyond the limit: what is named twice is described twice, and doubles with every level */
    describe_indent(buffer, indent);
    if (relation->kind == SQL_RELEASE) {
        describe_release(buffer, relation->release, indent);
        return;
    }
    describe_line(buffer, relation);
    buffer_byte(buffer, '\n');
    if (relation->input != NULL)
        describe_relation(buffer, relation->input, indent + 1);
    if (relation->right != NULL)
        describe_relation(buffer, relation->right, indent + 1);
}

void sql_describe_relation(struct buffer *buffer, const struct sql_relation *relation)
{
    describe_relation(buffer, relation, 0);
}
