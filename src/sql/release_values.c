/* The values that a column or an expression can have, where public facts say so. */
#include <math.h>
#include <string.h>

#include "sql/release_room.h"

static struct sql_value value_of(const struct policy_column *column, enum sql_type type,
                                 const struct policy_value *value)
{
    return (struct sql_value){.type = type,
                              .scale = column->scale,
                              .whole = value->whole,
                              .real = value->real,
                              .text = column->type == POLICY_TEXT ? value->text : NULL};
}

static enum sql_type type_of(enum policy_type type)
{
    switch (type) {
    case POLICY_INTEGER:
        return SQL_INTEGER;
    case POLICY_REAL:
        return SQL_REAL;
    case POLICY_DECIMAL:
        return SQL_DECIMAL;
    case POLICY_TEXT:
        return SQL_TEXT;
    case POLICY_BOOLEAN:
        return SQL_BOOLEAN;
    case POLICY_DATE:
        return SQL_DATE;
    case POLICY_TIMESTAMP:
        return SQL_TIMESTAMP;
    }
    return SQL_UNKNOWN;
}

status release_declared_values(struct sql_builder *builder, const struct policy_column *column,
                               bool with_null, struct sql_rows *out, error *why)
{
    size_t count = column->value_count + with_null;
    enum sql_type type = type_of(column->type);
    struct sql_value *cells = NULL;
    TRY(relation_take(builder, count, sizeof *cells, &cells, why));
    for (size_t i = 0; i < column->value_count; i++)
        cells[i] = value_of(column, type, &column->values[i]);
    if (with_null)
        cells[column->value_count] = (struct sql_value){.type = type, .scale = column->scale, .null = true};
    *out = (struct sql_rows){.column_count = 1, .row_count = count, .cells = cells};
    return DITHER_OK;
}

/* ---- Sets of values ---- */

bool release_range_is_small(enum sql_type type, const struct sql_range *range)
{
    if (type == SQL_BOOLEAN)
        return true;
    if ((type != SQL_INTEGER && type != SQL_DATE) || !range->known || range->lower > range->upper)
        return false;
    return (uint64_t)range->upper - (uint64_t)range->lower < RELEASE_MOST_KEY_VALUES;
}

status release_range_values(struct sql_builder *builder, enum sql_type type, const struct sql_range *range,
                            bool with_null, struct sql_rows *out, error *why)
{
    int64_t lower = type == SQL_BOOLEAN ? 0 : range->lower, upper = type == SQL_BOOLEAN ? 1 : range->upper;
    size_t count = (size_t)(upper - lower) + 1;
    struct sql_value *cells = NULL;
    TRY(relation_take(builder, count + 1, sizeof *cells, &cells, why));
    for (size_t i = 0; i < count; i++)
        cells[i] = (struct sql_value){.type = type, .whole = lower + (int64_t)i};
    cells[count] = (struct sql_value){.type = type, .null = true};
    *out = (struct sql_rows){.column_count = 1, .row_count = count + with_null, .cells = cells};
    return DITHER_OK;
}

/* Bounds of reals were rounded outwards; what is a hair from a whole number was meant to be it. */
static double snapped(double bound)
{
    return fabs(bound - rint(bound)) < 1e-9 ? rint(bound) : bound;
}

/* floor(x) and its like: reals that are whole numbers. False: not one of them, or not of a small range. */
static bool whole_bounds(const struct sql_expression *expression, double *lower, double *upper)
{
    bool down = sql_is_call(expression, "floor");
    bool up = sql_is_call(expression, "ceil") || sql_is_call(expression, "ceiling");
    if (!down && !up && !sql_is_call(expression, "round") && !sql_is_call(expression, "trunc"))
        return false;
    const struct sql_range *range = &expression->arguments[0]->range;
    if (expression->type != SQL_REAL || expression->argument_count != 1 || !range->known ||
        !(fmax(fabs(range->real_lower), fabs(range->real_upper)) < 1e15))
        return false;
    *lower = up ? ceil(snapped(range->real_lower)) : floor(snapped(range->real_lower));
    *upper = down ? floor(snapped(range->real_upper)) : ceil(snapped(range->real_upper));
    return *lower <= *upper && *upper - *lower < RELEASE_MOST_KEY_VALUES;
}

static status whole_values(struct sql_builder *builder, double lower, double upper, bool with_null,
                           struct sql_rows *out, error *why)
{
    size_t count = (size_t)(upper - lower) + 1;
    struct sql_value *cells = NULL;
    TRY(relation_take(builder, count + 1, sizeof *cells, &cells, why));
    for (size_t i = 0; i < count; i++)
        cells[i] = (struct sql_value){.type = SQL_REAL, .real = lower + (double)i};
    cells[count] = (struct sql_value){.type = SQL_REAL, .null = true};
    *out = (struct sql_rows){.column_count = 1, .row_count = count + with_null, .cells = cells};
    return DITHER_OK;
}

enum { MOST_BRANCHES = 200 };

struct branches {
    const struct sql_value *values[MOST_BRANCHES];
    size_t count;
};

/* The literals that a CASE or COALESCE can give, of the expression's own type; false: it can give others. */
static bool find_literals(const struct sql_expression *expression, enum sql_type type,
                          struct branches *branches)
{
    if (expression->kind == SQL_LITERAL) {
        if (expression->value.null)
            return true; /* the expression is nullable, and NULL is added once for all */
        if (expression->type != type || branches->count == MOST_BRANCHES)
            return false;
        branches->values[branches->count++] = &expression->value;
        return true;
    }
    bool is_case = expression->kind == SQL_CASE;
    if (!is_case && !sql_is_call(expression, "coalesce"))
        return false;
    for (size_t i = 0; i < expression->argument_count; i++) {
        bool condition = is_case && i % 2 == 0 && i + 1 < expression->argument_count;
        if (!condition && !find_literals(expression->arguments[i], type, branches))
            return false;
    }
    return true;
}

static status literal_values(struct sql_builder *builder, const struct sql_expression *expression,
                             const struct branches *branches, bool with_null, struct sql_rows *out,
                             error *why)
{
    struct sql_value *cells = NULL;
    size_t count = 0;
    TRY(relation_take(builder, branches->count + 1, sizeof *cells, &cells, why));
    for (size_t i = 0; i < branches->count; i++) {
        bool there = false;
        for (size_t j = 0; j < count && !there; j++)
            there = sql_value_compare(&cells[j], branches->values[i]) == 0;
        if (!there)
            cells[count++] = *branches->values[i];
    }
    if (with_null)
        cells[count++] =
            (struct sql_value){.type = expression->type, .scale = expression->scale, .null = true};
    *out = (struct sql_rows){.column_count = 1, .row_count = count, .cells = cells};
    return DITHER_OK;
}

status release_expression_values(struct sql_builder *builder, const struct sql_expression *expression,
                                 bool with_null, struct sql_rows *out, error *why)
{
    struct branches branches = {.count = 0};
    bool null = with_null || expression->nullable;
    *out = (struct sql_rows){.row_count = 0};
    if (find_literals(expression, expression->type, &branches) && branches.count > 0)
        return literal_values(builder, expression, &branches, null, out, why);
    if (release_range_is_small(expression->type, &expression->range))
        return release_range_values(builder, expression->type, &expression->range, null, out, why);
    double lower = 0, upper = 0;
    if (whole_bounds(expression, &lower, &upper))
        return whole_values(builder, lower, upper, null, out, why);
    return DITHER_OK;
}
