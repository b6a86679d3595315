/* Expressions over released columns, written like formulas: a failure is looked for once, at the end. */
#include "sql/release_room.h"

const struct sql_expression *formula_column(struct formula *formula, size_t index)
{
    const struct sql_expression *out = NULL;
    if (formula->status == DITHER_OK)
        formula->status =
            sql_column_of(formula->builder, formula->base, index, formula->position, &out, formula->why);
    return formula->status == DITHER_OK ? out : NULL;
}

const struct sql_expression *formula_literal(struct formula *formula, const struct sql_value *value)
{
    const struct sql_expression *out = NULL;
    if (formula->status == DITHER_OK)
        formula->status = sql_literal(formula->builder, value, formula->position, &out, formula->why);
    return formula->status == DITHER_OK ? out : NULL;
}

const struct sql_expression *formula_real(struct formula *formula, double value)
{
    return formula_literal(formula, &(struct sql_value){.type = SQL_REAL, .real = value});
}

const struct sql_expression *formula_whole(struct formula *formula, int64_t value)
{
    return formula_literal(formula, &(struct sql_value){.type = SQL_INTEGER, .whole = value});
}

const struct sql_expression *formula_null(struct formula *formula, enum sql_type type, int scale)
{
    return formula_literal(formula, &(struct sql_value){.type = type, .scale = scale, .null = true});
}

const struct sql_expression *formula_cast(struct formula *formula, const struct sql_expression *of,
                                          enum sql_type type, int scale)
{
    const struct sql_expression *out = NULL;
    if (formula->status == DITHER_OK)
        formula->status = sql_cast(formula->builder, of, type, scale, formula->position, &out, formula->why);
    return formula->status == DITHER_OK ? out : NULL;
}

const struct sql_expression *formula_one(struct formula *formula, const char *name,
                                         const struct sql_expression *of)
{
    const struct sql_expression *out = NULL;
    if (formula->status == DITHER_OK)
        formula->status = sql_call(formula->builder, name, &of, 1, formula->position, &out, formula->why);
    return formula->status == DITHER_OK ? out : NULL;
}

const struct sql_expression *formula_two(struct formula *formula, const char *name,
                                         const struct sql_expression *left,
                                         const struct sql_expression *right)
{
    const struct sql_expression *out = NULL;
    if (formula->status == DITHER_OK)
        formula->status =
            sql_call2(formula->builder, name, left, right, formula->position, &out, formula->why);
    return formula->status == DITHER_OK ? out : NULL;
}

const struct sql_expression *formula_clamp(struct formula *formula, const struct sql_expression *of,
                                           const struct sql_expression *lower,
                                           const struct sql_expression *upper)
{
    return formula_two(formula, "least", formula_two(formula, "greatest", of, lower), upper);
}
