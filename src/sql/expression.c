#include "sql/expression.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sql/expression_make.h"
#include "sql/function.h"
#include "sql/range.h"
#include "sql/relation.h"

status sql_refuse(error *why, int position, const char *format, ...)
{
    char message[sizeof why->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    status code = fail(why, DITHER_INVALID, "%s", message);
    if (why != NULL)
        why->position = position;
    return code;
}

status expression_new(struct sql_builder *builder, int position, struct sql_expression **out, error *why)
{
    if (builder->node_count >= SQL_MOST_NODES)
        return sql_refuse(why, position, "the question is too large; ask it in parts");
    void *memory = NULL;
    TRY(arena_take(builder->arena, sizeof **out, &memory, why));
    builder->node_count++;
    *out = memory;
    (*out)->position = position;
    (*out)->size = (*out)->depth = 1;
    return DITHER_OK;
}

status expression_measure(struct sql_expression *node, error *why)
{
    for (size_t i = 0; i < node->argument_count; i++) {
        const struct sql_expression *argument = node->arguments[i];
        node->size += argument->size;
        if (argument->depth >= node->depth)
            node->depth = argument->depth + 1;
        if (node->size > SQL_MOST_NODES || node->depth > SQL_MOST_DEPTH)
            return sql_refuse(why, node->position, "the expression is too large; ask it in parts");
    }
    return DITHER_OK;
}

status expression_arguments(struct sql_builder *builder, struct sql_expression *node,
                            const struct sql_expression *const *arguments, size_t count, error *why)
{
    void *memory = NULL;
    TRY(arena_take(builder->arena, (count + 1) * sizeof *arguments, &memory, why));
    memcpy(memory, arguments, count * sizeof *arguments);
    node->arguments = memory;
    node->argument_count = count;
    return DITHER_OK;
}

status sql_literal(struct sql_builder *builder, const struct sql_value *value, int position,
                   const struct sql_expression **out, error *why)
{
    struct sql_expression *node = NULL;
    TRY(expression_new(builder, position, &node, why));
    node->kind = SQL_LITERAL;
    node->type = value->type;
    node->scale = value->scale;
    node->nullable = value->null;
    node->value = *value;
    node->range = range_of_value(value);
    if (value->text != NULL && !value->null) {
        char *copy = NULL;
        TRY(arena_text(builder->arena, value->text, strlen(value->text), &copy, why));
        node->value.text = copy;
    }
    *out = node;
    return DITHER_OK;
}

status sql_column_of(struct sql_builder *builder, const struct sql_relation *relation, size_t index,
                     int position, const struct sql_expression **out, error *why)
{
    const struct sql_column *column = &relation->columns[index];
    struct sql_expression *node = NULL;
    TRY(expression_new(builder, position, &node, why));
    node->kind = SQL_COLUMN;
    node->type = column->type;
    node->scale = column->scale;
    node->nullable = column->nullable;
    node->range = column->range;
    node->column = index;
    *out = node;
    return DITHER_OK;
}

status sql_scalar(struct sql_builder *builder, const struct sql_relation *relation, int position,
                  const struct sql_expression **out, error *why)
{
    if (relation->place == SQL_TAGGED)
        return sql_refuse(why, position,
                          "a sub-select that stands for one value must be an aggregate of the private rows");
    struct sql_expression *node = NULL;
    TRY(expression_new(builder, position, &node, why));
    node->kind = SQL_SCALAR;
    node->type = relation->columns[0].type;
    node->scale = relation->columns[0].scale;
    node->nullable = true;
    node->range = relation->columns[0].range;
    node->relation = relation;
    *out = node;
    return DITHER_OK;
}

status sql_call2(struct sql_builder *builder, const char *name, const struct sql_expression *a,
                 const struct sql_expression *b, int position, const struct sql_expression **out, error *why)
{
    const struct sql_expression *arguments[] = {a, b};
    return sql_call(builder, name, arguments, 2, position, out, why);
}

/* Rebuilt from the arguments, so that ranges and nullability follow those of what was put in. */
static status rebuild(struct sql_builder *builder, const struct sql_expression *expression,
                      const struct sql_expression *const *arguments, const struct sql_expression **out,
                      error *why)
{
    int position = expression->position;
    switch (expression->kind) {
    case SQL_CALL:
        return sql_call(builder, expression->function->name, arguments, expression->argument_count, position,
                        out, why);
    case SQL_CASE:
        return sql_case(builder, arguments, expression->argument_count, position, out, why);
    case SQL_CAST:
        return sql_cast(builder, arguments[0], expression->type, expression->scale, position, out, why);
    default:
        *out = expression;
        return DITHER_OK;
    }
}

status sql_substitute(struct sql_builder *builder, const struct sql_expression *expression,
                      const struct sql_expression *const *columns, size_t column_count,
                      const struct sql_expression **out, error *why)
{
    if (expression->kind == SQL_COLUMN) {
        if (expression->column >= column_count)
            return sql_refuse(why, expression->position, "a column is out of reach");
        *out = columns[expression->column];
        return DITHER_OK;
    }
    if (expression->argument_count == 0) {
        *out = expression;
        return DITHER_OK;
    }
    void *memory = NULL;
    TRY(arena_take(builder->arena, expression->argument_count * sizeof *columns, &memory, why));
    const struct sql_expression **arguments = memory;
    bool changed = false;
    for (size_t i = 0; i < expression->argument_count; i++) {
        TRY(sql_substitute(builder, expression->arguments[i], columns, column_count, &arguments[i], why));
        changed |= arguments[i] != expression->arguments[i];
    }
    if (!changed) {
        *out = expression;
        return DITHER_OK;
    }
    return rebuild(builder, expression, arguments, out, why);
}

static bool same_value(const struct sql_value *a, const struct sql_value *b)
{
    if (a->null || b->null)
        return a->null == b->null;
    if (a->type == SQL_TEXT || a->type == SQL_UNKNOWN)
        return strcmp(a->text, b->text) == 0;
    if (a->type == SQL_REAL)
        return memcmp(&a->real, &b->real, sizeof a->real) == 0;
    return a->whole == b->whole && a->months == b->months && a->days == b->days;
}

bool sql_same_expression(const struct sql_expression *a, const struct sql_expression *b)
{
    if (a == b)
        return true;
    if (a->kind != b->kind || a->type != b->type || a->scale != b->scale || a->function != b->function ||
        a->relation != b->relation || a->argument_count != b->argument_count)
        return false;
    if (a->kind == SQL_LITERAL)
        return same_value(&a->value, &b->value);
    if (a->kind == SQL_COLUMN)
        return a->column == b->column;
    for (size_t i = 0; i < a->argument_count; i++)
        if (!sql_same_expression(a->arguments[i], b->arguments[i]))
            return false;
    return true;
}

bool sql_is_call(const struct sql_expression *expression, const char *name)
{
    return expression != NULL && expression->kind == SQL_CALL &&
           strcmp(expression->function->name, name) == 0;
}

void sql_visit_columns(const struct sql_expression *expression, void (*visit)(void *context, size_t column),
                       void *context)
{
    if (expression->kind == SQL_COLUMN)
        visit(context, expression->column);
    for (size_t i = 0; i < expression->argument_count; i++)
        sql_visit_columns(expression->arguments[i], visit, context);
}

static void note_any(void *context, size_t column)
{
    (void)column;
    *(bool *)context = true;
}

static bool has_columns(const struct sql_expression *expression)
{
    bool any = false;
    sql_visit_columns(expression, note_any, &any);
    return any;
}

bool sql_is_strict(const struct sql_expression *expression)
{
    if (expression->kind == SQL_COLUMN || !has_columns(expression))
        return true;
    bool passes_null = expression->kind == SQL_CAST ||
                       (expression->kind == SQL_CALL && expression->function->nulls == SQL_NULLS_STRICT);
    if (!passes_null)
        return false;
    for (size_t i = 0; i < expression->argument_count; i++)
        if (!sql_is_strict(expression->arguments[i]))
            return false;
    return true;
}
