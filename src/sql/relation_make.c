/* The parts of a node that every constructor fills in the same way. */
#include "sql/relation_make.h"

#include <string.h>

status relation_take(struct sql_builder *builder, size_t count, size_t size, void *out, error *why)
{
    void *taken = NULL;
    TRY(arena_take(builder->arena, (count == 0 ? 1 : count) * size, &taken, why));
    memcpy(out, &taken, sizeof taken);
    return DITHER_OK;
}

status relation_new(struct sql_builder *builder, enum sql_relation_kind kind, int position,
                    size_t column_count, struct sql_relation **out, struct sql_column **columns, error *why)
{
    struct sql_relation *relation = NULL;
    if (builder->node_count >= SQL_MOST_NODES)
        return sql_refuse(why, position, "the question is too large");
    TRY(relation_take(builder, 1, sizeof *relation, &relation, why));
    TRY(relation_take(builder, column_count, sizeof **columns, columns, why));
    relation->kind = kind;
    relation->number = builder->node_count++;
    relation->position = position;
    relation->columns = *columns;
    relation->column_count = column_count;
    *out = relation;
    return DITHER_OK;
}

status relation_over(struct sql_builder *builder, enum sql_relation_kind kind,
                     const struct sql_relation *input, int position, struct sql_relation **out,
                     struct sql_column **columns, error *why)
{
    struct sql_relation *relation = NULL;
    TRY(relation_new(builder, kind, position, input->column_count, &relation, columns, why));
    memcpy(*columns, input->columns, input->column_count * sizeof **columns);
    relation->input = input;
    relation->steps = input->steps + 1;
    relation->place = input->place;
    relation->unit = input->unit;
    relation->tag = input->tag;
    relation->one_row = input->one_row;
    relation->max_rows = input->max_rows;
    relation->max_groups = input->max_groups;
    relation->multiplied = input->multiplied;
    *out = relation;
    return DITHER_OK;
}

status relation_add_right(struct sql_relation *relation, const struct sql_relation *right, error *why)
{
    relation->right = right;
    relation->steps = relation->input->steps + right->steps + 1;
    if (relation->steps <= SQL_MOST_STEPS)
        return DITHER_OK;
    return sql_refuse(
        why, relation->position,
        "the question is too large: with each part counted as often as it is named, it has more than %d "
        "steps",
        SQL_MOST_STEPS);
}

struct question_about_columns {
    const struct sql_relation *input;
    bool all_fixed, any_noisy;
};

static void look_at_column(void *context, size_t column)
{
    struct question_about_columns *question = context;
    if (column >= question->input->column_count)
        return;
    question->all_fixed = question->all_fixed && question->input->columns[column].fixed;
    question->any_noisy = question->any_noisy || question->input->columns[column].noisy;
}

bool relation_is_fixed(const struct sql_relation *input, const struct sql_expression *expression)
{
    struct question_about_columns question = {input, true, false};
    sql_visit_columns(expression, look_at_column, &question);
    return question.all_fixed;
}

/* A scalar sub-select of something released is noisy wherever it stands. */
static bool has_noisy_scalar(const struct sql_expression *expression)
{
    if (expression->kind == SQL_SCALAR)
        return expression->relation->place == SQL_RELEASED;
    for (size_t i = 0; i < expression->argument_count; i++)
        if (has_noisy_scalar(expression->arguments[i]))
            return true;
    return false;
}

bool relation_is_noisy(const struct sql_relation *input, const struct sql_expression *expression)
{
    struct question_about_columns question = {input, true, false};
    sql_visit_columns(expression, look_at_column, &question);
    return question.any_noisy || has_noisy_scalar(expression);
}

void relation_mark_released(struct sql_relation *relation, const struct sql_expression *expression)
{
    if (relation->place == SQL_PUBLIC && expression != NULL && has_noisy_scalar(expression))
        relation->place = SQL_RELEASED;
}

bool relation_is_unit(const struct sql_relation *input, const struct sql_expression *expression)
{
    return input->place == SQL_TAGGED && expression->kind == SQL_COLUMN &&
           expression->column < input->column_count && input->columns[expression->column].unit;
}

void relation_describe(const struct sql_relation *input, const struct sql_expression *expression,
                       struct sql_column *out)
{
    *out = (struct sql_column){
        .type = expression->type,
        .scale = expression->scale,
        .nullable = expression->nullable,
        .range = expression->range,
        .unit = relation_is_unit(input, expression),
        .fixed = input->place == SQL_TAGGED && relation_is_fixed(input, expression),
        .noisy = input->place != SQL_TAGGED && relation_is_noisy(input, expression),
    };
}

void relation_visit_conjuncts(const struct sql_expression *condition,
                              void (*visit)(void *context, const struct sql_expression *part), void *context)
{
    if (condition == NULL)
        return;
    if (!sql_is_call(condition, "and")) {
        visit(context, condition);
        return;
    }
    for (size_t i = 0; i < condition->argument_count; i++)
        relation_visit_conjuncts(condition->arguments[i], visit, context);
}
