/* Steps that look at one row at a time. They keep every row's tag and see nothing but the row (expressions are
 * deterministic and total, and a scalar in one is public or released), so what was tagged stays tagged. */
#include "sql/relation_make.h"

#include <string.h>

/* ---- Filter: what its condition says of the rows that are left ---- */

struct filter_context {
    struct sql_column *columns;
    size_t column_count;
};

static void forbid_null(void *context, size_t column)
{
    struct filter_context *filter = context;
    if (column < filter->column_count)
        filter->columns[column].nullable = false;
}

/* column <= bound, for all values of the bound. A contradiction with what was declared leaves the declared
 * end alone: an empty range would say nothing. */
static void limit_above(struct sql_column *column, const struct sql_range *bound)
{
    if (column->type == SQL_REAL) {
        if (bound->real_upper >= column->range.real_lower && bound->real_upper < column->range.real_upper)
            column->range.real_upper = bound->real_upper;
    } else if (bound->upper >= column->range.lower && bound->upper < column->range.upper) {
        column->range.upper = bound->upper;
    }
}

static void limit_below(struct sql_column *column, const struct sql_range *bound)
{
    if (column->type == SQL_REAL) {
        if (bound->real_lower <= column->range.real_upper && bound->real_lower > column->range.real_lower)
            column->range.real_lower = bound->real_lower;
    } else if (bound->lower <= column->range.upper && bound->lower > column->range.lower) {
        column->range.lower = bound->lower;
    }
}

/* The whole type, to be narrowed by the condition. Both ends must follow before it counts as known. */
static struct sql_column *narrowed(struct filter_context *filter, const struct sql_expression *expression,
                                   const struct sql_expression *bound)
{
    if (expression->kind != SQL_COLUMN || expression->column >= filter->column_count)
        return NULL;
    struct sql_column *column = &filter->columns[expression->column];
    bool comparable = bound->range.known && bound->type == column->type && bound->scale == column->scale;
    return comparable && column->range.known ? column : NULL;
}

static void narrow_pair(struct filter_context *filter, const struct sql_expression *smaller,
                        const struct sql_expression *larger)
{
    struct sql_column *column = narrowed(filter, smaller, larger);
    if (column != NULL)
        limit_above(column, &larger->range);
    column = narrowed(filter, larger, smaller);
    if (column != NULL)
        limit_below(column, &smaller->range);
}

/* x BETWEEN a AND b over a column of unknown range is the one way for an analyst to give it one. */
static void give_range(struct filter_context *filter, const struct sql_expression *value,
                       const struct sql_expression *from, const struct sql_expression *to)
{
    if (value->kind != SQL_COLUMN || value->column >= filter->column_count)
        return;
    struct sql_column *column = &filter->columns[value->column];
    bool ordered = column->type == SQL_REAL ? from->range.real_lower <= to->range.real_upper
                                            : from->range.lower <= to->range.upper;
    if (column->range.known || !from->range.known || !to->range.known || !ordered ||
        from->type != column->type || to->type != column->type || from->scale != column->scale ||
        to->scale != column->scale || column->type == SQL_TEXT || column->type == SQL_INTERVAL)
        return;
    column->range = (struct sql_range){true, from->range.lower, to->range.upper, from->range.real_lower,
                                       to->range.real_upper};
}

/* Ranges are claims, and say where an aggregate clamps. A row that the filter lets through has its value
 * within what the condition says, so clamping there changes nothing and costs less noise. */
static void narrow(struct filter_context *filter, const struct sql_expression *part)
{
    const struct sql_expression *const *arguments = part->arguments;
    if (sql_is_call(part, "between")) {
        give_range(filter, arguments[0], arguments[1], arguments[2]);
        narrow_pair(filter, arguments[1], arguments[0]);
        narrow_pair(filter, arguments[0], arguments[2]);
        return;
    }
    if (sql_is_call(part, "=") || sql_is_call(part, "<=") || sql_is_call(part, "<"))
        narrow_pair(filter, arguments[0], arguments[1]);
    if (sql_is_call(part, "=") || sql_is_call(part, ">=") || sql_is_call(part, ">"))
        narrow_pair(filter, arguments[1], arguments[0]);
}

static void learn_from(void *context, const struct sql_expression *part)
{
    struct filter_context *filter = context;
    const struct sql_expression *present = part;
    if (sql_is_call(part, "is not null"))
        present = part->arguments[0];
    if (sql_is_strict(present))
        sql_visit_columns(present, forbid_null, filter);
    if (part->kind == SQL_CALL)
        narrow(filter, part);
}

struct range_request {
    struct filter_context *filter;
    const struct sql_expression *from;
    const struct sql_expression *whole;
};

/* x >= a AND x <= b is what x BETWEEN a AND b may have become: the same right to give a range. */
static void find_upper(void *context, const struct sql_expression *part)
{
    struct range_request *request = context;
    const struct sql_expression *from = request->from;
    if ((sql_is_call(part, "<=") || sql_is_call(part, "<")) &&
        sql_same_expression(part->arguments[0], from->arguments[0]))
        give_range(request->filter, part->arguments[0], from->arguments[1], part->arguments[1]);
}

static void find_lower(void *context, const struct sql_expression *part)
{
    struct range_request *request = context;
    if (!sql_is_call(part, ">=") && !sql_is_call(part, ">"))
        return;
    request->from = part;
    relation_visit_conjuncts(request->whole, find_upper, request);
}

/* ---- Filter: the first row of each unit ---- */

/* Whether the column numbers the rows of each unit: 1, 2, 3, each number once. Row numbers within partitions whose
 * keys, with the unit among them (the window's rule), are the same on all rows of a unit. A projection or filter
 * on the way neither doubles a row nor changes its number; a join might. */
static bool numbers_rows(const struct sql_relation *relation, size_t column)
{
    while (relation->kind == SQL_FILTER || relation->kind == SQL_PROJECT || relation->kind == SQL_SEMI_JOIN) {
        if (relation->kind == SQL_PROJECT) {
            if (relation->expressions[column]->kind != SQL_COLUMN)
                return false;
            column = relation->expressions[column]->column;
        }
        relation = relation->input;
    }
    if (relation->kind != SQL_WINDOW || column < relation->input->column_count)
        return false;
    const struct sql_window *window = &relation->windows[column - relation->input->column_count];
    bool one_partition = window->kind == SQL_ROW_NUMBER;
    for (size_t i = 0; i < window->partition_count; i++)
        one_partition = one_partition && relation_is_fixed(relation->input, window->partition[i]);
    return one_partition;
}

struct first_context {
    const struct sql_relation *input;
    bool found;
};

static bool is_whole(const struct sql_expression *expression, int64_t number)
{
    return expression->kind == SQL_LITERAL && expression->type == SQL_INTEGER && !expression->value.null &&
           expression->value.whole == number;
}

/* row_number = 1, <= 1 or < 2 leaves at most one row of each unit. */
static void find_first(void *context, const struct sql_expression *part)
{
    struct first_context *first = context;
    bool one = ((sql_is_call(part, "=") || sql_is_call(part, "<=")) && is_whole(part->arguments[1], 1)) ||
               (sql_is_call(part, "<") && is_whole(part->arguments[1], 2));
    if (one && part->arguments[0]->kind == SQL_COLUMN)
        first->found = first->found || numbers_rows(first->input, part->arguments[0]->column);
}

static void prove_one_row(struct sql_relation *relation, struct sql_column *columns)
{
    struct first_context first = {relation->input, false};
    if (relation->place != SQL_TAGGED)
        return;
    relation_visit_conjuncts(relation->condition, find_first, &first);
    relation->one_row = relation->one_row || first.found;
    for (size_t i = 0; i < relation->column_count && relation->one_row; i++)
        columns[i].fixed = true;
}

/* ---- Filter ---- */

static bool is_boolean(const struct sql_expression *condition)
{
    return condition->type == SQL_BOOLEAN || condition->type == SQL_UNKNOWN;
}

status sql_filter(struct sql_builder *builder, const struct sql_relation *input,
                  const struct sql_expression *condition, const struct sql_relation **out, error *why)
{
    struct sql_relation *relation = NULL;
    struct sql_column *columns = NULL;
    if (!is_boolean(condition))
        return sql_refuse(why, condition->position, "argument of WHERE must be type boolean, not type %s",
                          sql_type_name(condition->type));
    TRY(relation_over(builder, SQL_FILTER, input, condition->position, &relation, &columns, why));
    relation->condition = condition;
    relation_mark_released(relation, condition);
    struct filter_context filter = {columns, relation->column_count};
    struct range_request request = {&filter, NULL, condition};
    relation_visit_conjuncts(condition, find_lower, &request);
    relation_visit_conjuncts(condition, learn_from, &filter);
    prove_one_row(relation, columns);
    *out = relation;
    return DITHER_OK;
}

/* ---- Project ---- */

/* Which of the expressions holds the unit: the tag itself, or a column that equals it on every row. */
static size_t find_tag(const struct sql_relation *input, const struct sql_expression *const *expressions,
                       size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (expressions[i]->kind == SQL_COLUMN && expressions[i]->column == input->tag)
            return i;
    for (size_t i = 0; i < count; i++)
        if (relation_is_unit(input, expressions[i]))
            return i;
    return count;
}

status sql_project(struct sql_builder *builder, const struct sql_relation *input,
                   const struct sql_expression *const *expressions, const char *const *names,
                   const bool *hidden, size_t count, int position, const struct sql_relation **out,
                   error *why)
{
    struct sql_relation *relation = NULL;
    struct sql_column *columns = NULL;
    const struct sql_expression **kept = NULL;
    bool tagged = input->place == SQL_TAGGED;
    size_t tag = tagged ? find_tag(input, expressions, count) : 0;
    size_t total = count + (tagged && tag == count);
    TRY(relation_new(builder, SQL_PROJECT, position, total, &relation, &columns, why));
    TRY(relation_take(builder, total, sizeof *kept, &kept, why));
    for (size_t i = 0; i < count; i++) {
        kept[i] = expressions[i];
        relation_describe(input, kept[i], &columns[i]);
        columns[i].name = names[i];
        columns[i].hidden = hidden != NULL && hidden[i];
    }
    if (total > count) {
        TRY(sql_column_of(builder, input, input->tag, position, &kept[count], why));
        relation_describe(input, kept[count], &columns[count]);
        columns[count].name = "tag";
        columns[count].hidden = true;
    }
    relation->input = input;
    relation->steps = input->steps + 1;
    relation->place = input->place;
    relation->unit = input->unit;
    relation->tag = tag;
    relation->one_row = input->one_row;
    relation->max_rows = input->max_rows;
    relation->max_groups = input->max_groups;
    relation->multiplied = input->multiplied;
    relation->expressions = kept;
    relation->expression_count = total;
    for (size_t i = 0; i < total; i++)
        relation_mark_released(relation, kept[i]);
    *out = relation;
    return DITHER_OK;
}
