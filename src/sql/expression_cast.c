#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sql/expression_make.h"
#include "sql/range.h"
#include "sql/text_form.h"

/* ---- Literals take another type at once ---- */

static bool read_text(const struct sql_value *from, struct sql_value *to)
{
    size_t length = strlen(from->text);
    bool truth = false;
    struct text_form_interval interval;
    switch (to->type) {
    case SQL_BOOLEAN:
        if (!text_form_read_boolean(from->text, length, &truth))
            return false;
        to->whole = truth;
        return true;
    case SQL_INTEGER:
        return text_form_read_whole(from->text, length, &to->whole);
    case SQL_DECIMAL:
        return text_form_read_decimal(from->text, length, to->scale, &to->whole);
    case SQL_REAL:
        return text_form_read_real(from->text, length, &to->real);
    case SQL_DATE:
        return text_form_read_date(from->text, text_form_before_zone(from->text, length), &to->whole);
    case SQL_TIMESTAMP:
        return text_form_read_timestamp(from->text, text_form_before_zone(from->text, length), &to->whole);
    case SQL_INTERVAL:
        if (!text_form_read_interval(from->text, length, &interval))
            return false;
        to->months = interval.months;
        to->days = interval.days;
        to->whole = interval.microseconds;
        return true;
    default:
        to->text = from->text;
        return true;
    }
}

/* A number to another kind of number, where it fits. */
static bool convert_number(const struct sql_value *from, struct sql_value *to)
{
    if (to->type == SQL_REAL) {
        to->real = text_form_decimal_real(from->whole, from->scale);
        return true;
    }
    if (from->type == SQL_REAL) {
        if (!isfinite(from->real))
            return false;
        if (to->type == SQL_DECIMAL)
            return text_form_to_units(text_form_fifteen(from->real), to->scale, &to->whole);
        double rounded = rint(from->real);
        if (!(rounded >= -0x1p63 && rounded < 0x1p63))
            return false;
        to->whole = (int64_t)rounded;
        return true;
    }
    char text[TEXT_FORM_BYTES];
    text_form_write_decimal(from->whole, from->scale, text);
    return to->type == SQL_DECIMAL ? text_form_read_decimal(text, strlen(text), to->scale, &to->whole)
                                   : text_form_read_decimal(text, strlen(text), 0, &to->whole);
}

static bool is_number(enum sql_type type)
{
    return type == SQL_INTEGER || type == SQL_DECIMAL || type == SQL_REAL;
}

/* Folds the cast of a literal. False: it stays a cast (a value that fails is NULL, on the engine's word). */
static status fold(struct sql_builder *builder, const struct sql_expression *from, enum sql_type type,
                   int scale, int position, const struct sql_expression **out, error *why)
{
    struct sql_value value = {.type = type, .scale = scale, .null = from->value.null};
    if (from->type == SQL_UNKNOWN && builder->inference != NULL)
        sql_infer(builder->inference, from->position, type);
    if (!value.null && (from->type == SQL_UNKNOWN || from->type == SQL_TEXT)) {
        if (!read_text(&from->value, &value))
            return sql_refuse(why, from->position, "invalid input for type %s: \"%.60s\"",
                              sql_type_name(type), from->value.text);
    } else if (!value.null && !convert_number(&from->value, &value)) {
        return sql_refuse(why, from->position, "the number is out of range for type %s", sql_type_name(type));
    }
    return sql_literal(builder, &value, position, out, why);
}

/* ---- Which casts there are ---- */

bool expression_converts(enum sql_type from, enum sql_type to)
{
    if (from == to || from == SQL_UNKNOWN)
        return true;
    switch (from) {
    case SQL_INTEGER:
        return to == SQL_DECIMAL || to == SQL_REAL;
    case SQL_DECIMAL:
        return to == SQL_REAL;
    case SQL_DATE:
        return to == SQL_TIMESTAMP;
    default:
        return false;
    }
}

/* The casts that an analyst may write. */
static bool casts(enum sql_type from, enum sql_type to)
{
    if (from == SQL_INTERVAL || to == SQL_INTERVAL || to == SQL_UNKNOWN)
        return false;
    if (from == SQL_TEXT || to == SQL_TEXT || (is_number(from) && is_number(to)))
        return true;
    return (from == SQL_BOOLEAN && to == SQL_INTEGER) || (from == SQL_INTEGER && to == SQL_BOOLEAN) ||
           (from == SQL_DATE && to == SQL_TIMESTAMP) || (from == SQL_TIMESTAMP && to == SQL_DATE);
}

status sql_cast(struct sql_builder *builder, const struct sql_expression *expression, enum sql_type type,
                int scale, int position, const struct sql_expression **out, error *why)
{
    if (type != SQL_DECIMAL)
        scale = 0;
    if (expression->type == type && expression->scale == scale) {
        *out = expression;
        return DITHER_OK;
    }
    bool literal = expression->kind == SQL_LITERAL;
    if (expression->type == SQL_UNKNOWN && !literal)
        return sql_refuse(why, position, "the type of this value is not known; cast it");
    if (literal &&
        (expression->type == SQL_UNKNOWN ||
         (type != SQL_TEXT && expression->type == SQL_TEXT && type != SQL_UNKNOWN) ||
         (is_number(expression->type) && is_number(type)) || (expression->value.null && type != SQL_UNKNOWN)))
        return fold(builder, expression, type, scale, position, out, why);
    if (!casts(expression->type, type))
        return sql_refuse(why, position, "cannot cast type %s to %s", sql_type_name(expression->type),
                          sql_type_name(type));
    struct sql_expression *node = NULL;
    TRY(expression_new(builder, position, &node, why));
    node->kind = SQL_CAST;
    node->type = type;
    node->scale = scale;
    bool fails = true;
    node->range = range_cast(expression, type, scale, &fails);
    node->nullable = expression->nullable || fails;
    TRY(expression_arguments(builder, node, &expression, 1, why));
    TRY(expression_measure(node, why));
    *out = node;
    return DITHER_OK;
}

/* ---- One type for several ---- */

status expression_common_type(const struct sql_expression *const *arguments, size_t count, size_t stride,
                              const char *what, int position, enum sql_type *type, int *scale, error *why)
{
    enum sql_type common = SQL_UNKNOWN;
    int most = 0;
    for (size_t i = 0; i < count; i += stride) {
        enum sql_type one = arguments[i]->type;
        if (one == SQL_DECIMAL && arguments[i]->scale > most)
            most = arguments[i]->scale;
        if (expression_converts(one, common) && common != SQL_UNKNOWN)
            continue;
        if (!expression_converts(common, one))
            return sql_refuse(why, position, "%s types %s and %s cannot be matched", what,
                              sql_type_name(common), sql_type_name(one));
        common = one;
    }
    *type = common == SQL_UNKNOWN ? SQL_TEXT : common;
    *scale = *type == SQL_DECIMAL ? most : 0;
    return DITHER_OK;
}

/* Values are at 1, 3, 5 ... and the last one. */
static bool is_value(size_t index, size_t count)
{
    return index % 2 == 1 || index == count - 1;
}

static status case_type(const struct sql_expression *const *arguments, size_t count, int position,
                        enum sql_type *type, int *scale, error *why)
{
    /* `else` follows the last value: two lists for the common type, by way of the arguments' order. */
    enum sql_type values = SQL_UNKNOWN;
    int values_scale = 0;
    TRY(expression_common_type(arguments + 1, count - 1, 2, "CASE", position, &values, &values_scale, why));
    bool all_unknown = true;
    for (size_t i = 1; i < count; i += 2)
        all_unknown &= arguments[i]->type == SQL_UNKNOWN;
    struct sql_expression stand_in = {.type = all_unknown ? SQL_UNKNOWN : values, .scale = values_scale};
    const struct sql_expression *both[] = {&stand_in, arguments[count - 1]};
    return expression_common_type(both, 2, 1, "CASE", position, type, scale, why);
}

status sql_case(struct sql_builder *builder, const struct sql_expression *const *arguments, size_t count,
                int position, const struct sql_expression **out, error *why)
{
    struct sql_expression *node = NULL;
    TRY(expression_new(builder, position, &node, why));
    TRY(case_type(arguments, count, position, &node->type, &node->scale, why));
    void *memory = NULL;
    TRY(arena_take(builder->arena, count * sizeof *arguments, &memory, why));
    const struct sql_expression **brought = memory;
    bool first = true;
    for (size_t i = 0; i < count; i++) {
        const struct sql_expression *one = arguments[i];
        if (!is_value(i, count)) {
            if (one->type != SQL_BOOLEAN && one->type != SQL_UNKNOWN)
                return sql_refuse(why, one->position,
                                  "argument of CASE/WHEN must be type boolean, not type %s",
                                  sql_type_name(one->type));
            TRY(sql_cast(builder, one, SQL_BOOLEAN, 0, one->position, &brought[i], why));
            continue;
        }
        TRY(sql_cast(builder, one, node->type, node->scale, one->position, &brought[i], why));
        node->nullable |= brought[i]->nullable;
        if (brought[i]->kind == SQL_LITERAL && brought[i]->value.null)
            continue; /* NULL has no place in the range of what is not NULL */
        node->range = first ? brought[i]->range : range_union(node->type, node->range, brought[i]->range);
        first = false;
    }
    node->kind = SQL_CASE;
    TRY(expression_arguments(builder, node, brought, count, why));
    TRY(expression_measure(node, why));
    *out = node;
    return DITHER_OK;
}
