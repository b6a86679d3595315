/* Columns: their type, and what is public of their values. */
#include <stdlib.h>
#include <string.h>

#include "policy/grid.h"
#include "policy/value.h"

static const char *const type_names[] = {"integer", "real", "decimal",   "text",
                                         "boolean", "date", "timestamp", NULL};

static const char *type_name_at(size_t index, const void *context)
{
    (void)context;
    return type_names[index];
}

const char *policy_type_name(enum policy_type type)
{
    return type_names[type];
}

static status read_type(const struct policy_reader *reader, const struct yaml_node *map, const char *subject,
                        struct policy_column *column)
{
    const struct yaml_node *node = yaml_find(map, "type");
    if (node == NULL)
        return policy_refuse(reader, map->key_line,
                             "%s needs a type: integer, real, decimal, text, boolean, date or timestamp",
                             subject);
    const char *text = NULL;
    TRY(policy_text(reader, node, subject, &text));
    for (size_t i = 0; type_names[i] != NULL; i++)
        if (strcmp(type_names[i], text) == 0) {
            column->type = (enum policy_type)i;
            return DITHER_OK;
        }
    char hint[POLICY_HINT];
    policy_hint(text, type_name_at, NULL, hint);
    return policy_refuse(
        reader, node->line,
        "%s: \"%.60s\" is no type; there are integer, real, decimal, text, boolean, date and "
        "timestamp%s",
        subject, text, hint);
}

/* As declared, or enough for every number that the policy itself writes for the column. */
static status read_scale(const struct policy_reader *reader, const struct yaml_node *map, const char *subject,
                         struct policy_column *column)
{
    const struct yaml_node *node = yaml_find(map, "scale");
    if (column->type != POLICY_DECIMAL) {
        if (node != NULL)
            return policy_refuse(reader, node->key_line, "%s: scale is for decimal columns", subject);
        return DITHER_OK;
    }
    uint64_t scale = POLICY_DEFAULT_SCALE;
    if (node == NULL) {
        const char *const lists[] = {"range", "values"};
        for (size_t i = 0; i < 2; i++) {
            const struct yaml_node *list = yaml_find(map, lists[i]);
            for (const struct yaml_node *child = list == NULL ? NULL : list->first; child != NULL;
                 child = child->next)
                if ((uint64_t)policy_decimals_of(child) > scale)
                    scale = (uint64_t)policy_decimals_of(child);
        }
        scale = scale > POLICY_MOST_SCALE ? POLICY_MOST_SCALE : scale;
    } else if (node->kind != YAML_TEXT || node->quoted ||
               number_parse_whole(node->text, &scale, NULL) != DITHER_OK || scale > POLICY_MOST_SCALE)
        return policy_refuse(reader, node->line, "scale of %s must be a whole number from 0 to %d", subject,
                             POLICY_MOST_SCALE);
    column->scale = (int)scale;
    return DITHER_OK;
}

static status read_bounds(const struct policy_reader *reader, const struct yaml_node *node,
                          const char *subject, struct policy_column *column)
{
    if (column->type == POLICY_TEXT || column->type == POLICY_BOOLEAN)
        return policy_refuse(reader, node->key_line, "%s: a %s column has no range%s", subject,
                             policy_type_name(column->type),
                             column->type == POLICY_TEXT ? "; its values may be listed" : "");
    if (node->kind != YAML_LIST || node->count != 2 || policy_is_empty(node->first) ||
        policy_is_empty(node->first->next))
        return policy_refuse(reader, node->line, "range of %s needs both bounds: [least, most]", subject);
    TRY(policy_read_value(reader, node->first, subject, column, NUMBER_DOWN, &column->lower));
    TRY(policy_read_value(reader, node->first->next, subject, column, NUMBER_UP, &column->upper));
    int order = policy_compare_values(column->type, &column->lower, &column->upper);
    if (order > 0)
        return policy_refuse(reader, node->line, "range of %s is upside-down: %.60s is above %.60s", subject,
                             column->lower.text, column->upper.text);
    if (order == 0 && column->type == POLICY_REAL)
        return policy_refuse(reader, node->line, "range of %s holds a single number", subject);
    column->has_range = true;
    return DITHER_OK;
}

static status read_range(const struct policy_reader *reader, const struct yaml_node *map, const char *subject,
                         struct policy_column *column)
{
    const struct yaml_node *range = yaml_find(map, "range"), *grid = yaml_find(map, "grid");
    const struct yaml_node *peeked = yaml_find(map, "peeked");
    if (range != NULL)
        TRY(read_bounds(reader, range, subject, column));
    TRY(policy_flag(reader, peeked, subject, &column->peeked));
    if (column->peeked && !column->has_range)
        return policy_refuse(reader, peeked->key_line, "%s: peeked marks a range, and there is none",
                             subject);
    if (column->type == POLICY_REAL && column->has_range)
        return policy_read_grid(reader, grid, subject, column);
    if (grid != NULL)
        return policy_refuse(reader, grid->key_line, "%s: grid is for real columns with a range", subject);
    return DITHER_OK;
}

struct sorted_value {
    const struct policy_value *value;
    enum policy_type type;
};

static int compare_sorted(const void *left, const void *right)
{
    const struct sorted_value *a = left, *b = right;
    int order = policy_compare_values(a->type, a->value, b->value);
    return order != 0 ? order : (a->value > b->value) - (a->value < b->value);
}

static status check_distinct(const struct policy_reader *reader, const char *subject,
                             const struct policy_column *column)
{
    struct sorted_value *sorted = NULL;
    TRY(policy_take(reader, column->value_count, sizeof *sorted, &sorted));
    for (size_t i = 0; i < column->value_count; i++)
        sorted[i] = (struct sorted_value){&column->values[i], column->type};
    qsort(sorted, column->value_count, sizeof *sorted, compare_sorted);
    for (size_t i = 1; i < column->value_count; i++)
        if (policy_compare_values(column->type, sorted[i - 1].value, sorted[i].value) == 0)
            return policy_refuse(reader, sorted[i].value->line, "values of %s: %.60s is there twice", subject,
                                 sorted[i].value->text);
    return DITHER_OK;
}

static status read_values(const struct policy_reader *reader, const struct yaml_node *node,
                          const char *subject, struct policy_column *column)
{
    if (node == NULL)
        return DITHER_OK;
    if (column->type == POLICY_REAL)
        return policy_refuse(reader, node->key_line,
                             "%s: a real column has no list of values; use decimal, or a range", subject);
    if (node->kind != YAML_LIST || node->count == 0)
        return policy_refuse(reader, node->line, "values of %s must be a list, such as [north, south]",
                             subject);
    struct policy_value *values = NULL;
    TRY(policy_take(reader, node->count, sizeof *values, &values));
    for (const struct yaml_node *child = node->first; child != NULL; child = child->next) {
        struct policy_value *value = &values[column->value_count++];
        TRY(policy_read_value(reader, child, subject, column, NUMBER_NEAREST, value));
        if (column->has_range && (policy_compare_values(column->type, value, &column->lower) < 0 ||
                                  policy_compare_values(column->type, value, &column->upper) > 0))
            return policy_refuse(reader, child->line, "values of %s: %.60s is outside the range", subject,
                                 value->text);
    }
    column->values = values;
    return check_distinct(reader, subject, column);
}

static status read_column(struct policy_reader *reader, const struct yaml_node *node, const char *table,
                          struct policy_column *column)
{
    static const char *const known[] = {"type",  "range",  "values",      "null", "grid",
                                        "scale", "peeked", "description", NULL};
    const char *subject = NULL;
    bool nullable = true;
    TRY(policy_text_of(reader, &subject, "column %s.%s", table, node->key));
    TRY(policy_keys(reader, node, subject, known));
    TRY(read_type(reader, node, subject, column));
    TRY(read_scale(reader, node, subject, column));
    TRY(read_range(reader, node, subject, column));
    TRY(read_values(reader, yaml_find(node, "values"), subject, column));
    TRY(policy_flag(reader, yaml_find(node, "null"), subject, &nullable));
    TRY(policy_text(reader, yaml_find(node, "description"), subject, &column->description));
    column->nullable = nullable;
    column->name = node->key;
    column->line = node->key_line;
    if (column->peeked && reader->policy->peeked == NULL)
        reader->policy->peeked = column;
    return DITHER_OK;
}

status policy_read_columns(struct policy_reader *reader, const struct yaml_node *node,
                           struct policy_table *table)
{
    const char *subject = NULL;
    struct policy_column *columns = NULL;
    TRY(policy_text_of(reader, &subject, "columns of table %s", table->name));
    TRY(policy_members(reader, node, subject, POLICY_MOST_COLUMNS));
    TRY(policy_take(reader, node->count, sizeof *columns, &columns));
    for (const struct yaml_node *child = node->first; child != NULL; child = child->next) {
        TRY(policy_name(reader, node, child, "column", POLICY_NAME_BYTES));
        TRY(read_column(reader, child, table->name, &columns[table->column_count++]));
    }
    table->columns = columns;
    return DITHER_OK;
}
