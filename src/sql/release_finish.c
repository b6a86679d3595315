/* Measures -> the numbers that the analyst asked for: ordinary expressions over released columns. */
#include <math.h>

#include "sql/release_room.h"

const struct sql_expression *release_number(struct formula *formula, const struct release_draft *draft,
                                            size_t first, size_t measure)
{
    return formula_cast(formula, formula_column(formula, first + draft->measures[measure].column), SQL_REAL,
                        0);
}

/* Whole steps in the argument's own type: integers stay integers, dates become dates. */
static const struct sql_expression *whole_steps(struct formula *formula, const struct sql_expression *steps,
                                                const struct sql_expression *argument, int exponent)
{
    if (argument->type == SQL_REAL)
        return formula_two(formula, "*", formula_cast(formula, steps, SQL_REAL, 0),
                           formula_real(formula, ldexp(1, exponent)));
    int64_t size = INT64_C(1) << exponent;
    if (argument->type == SQL_DECIMAL) {
        struct sql_value unit = {.type = SQL_DECIMAL, .scale = argument->scale, .whole = size};
        return formula_cast(formula, formula_two(formula, "*", steps, formula_literal(formula, &unit)),
                            SQL_DECIMAL, argument->scale);
    }
    if (size > 1)
        steps = formula_two(formula, "*", steps, formula_whole(formula, size));
    if (argument->type == SQL_DATE)
        return formula_two(formula, "+", formula_literal(formula, &(struct sql_value){.type = SQL_DATE}),
                           steps);
    return argument->type == SQL_TIMESTAMP ? formula_one(formula, "moment.of", steps) : steps;
}

static const struct sql_expression *count_value(struct formula *formula, const struct release_draft *draft,
                                                size_t first, size_t measure)
{
    const struct sql_expression *count = formula_column(formula, first + draft->measures[measure].column);
    if (draft->binder->options.non_negative)
        count = formula_two(formula, "greatest", count, formula_whole(formula, 0));
    return count;
}

/* A bound of the argument's range, as a literal of its type. */
static const struct sql_expression *
bound_literal(struct formula *formula, const struct sql_expression *argument, int64_t whole, double real)
{
    return formula_literal(
        formula,
        &(struct sql_value){.type = argument->type, .scale = argument->scale, .whole = whole, .real = real});
}

static size_t quantile_column(const struct sql_measure *measure, double share)
{
    size_t place = 0;
    while (measure->quantiles[place] != share)
        place++;
    return measure->column + place;
}

/* The cell's value. The outermost cells may stand a little outside of the range. */
static const struct sql_expression *quantile_value(struct formula *formula, const struct release_draft *draft,
                                                   size_t first, const struct release_part *part)
{
    const struct sql_measure *measure = &draft->measures[part->sum];
    const struct sql_expression *argument = part->argument;
    const struct sql_expression *cell =
        formula_column(formula, first + quantile_column(measure, part->share));
    const struct sql_expression *value = whole_steps(formula, cell, argument, measure->steps.exponent);
    if (argument->type == SQL_REAL || measure->steps.exponent > 0)
        value = formula_clamp(formula, value,
                              bound_literal(formula, argument, part->range.lower, part->range.real_lower),
                              bound_literal(formula, argument, part->range.upper, part->range.real_upper));
    bool always_real = part->statistic == RELEASE_PERCENTILE_CONT ||
                       (part->statistic == RELEASE_MEDIAN && release_is_number(argument));
    return always_real ? formula_cast(formula, value, SQL_REAL, 0) : value;
}

static const struct sql_expression *value_of(struct formula *formula, const struct release_draft *draft,
                                             size_t first, const struct release_part *part)
{
    switch (part->form) {
    case RELEASE_COUNT:
        return count_value(formula, draft, first, part->rows);
    case RELEASE_SUM: {
        const struct sql_measure *measure = &draft->measures[part->sum];
        return whole_steps(formula, formula_column(formula, first + measure->column), part->argument,
                           measure->steps.exponent);
    }
    case RELEASE_QUANTILE:
        return quantile_value(formula, draft, first, part);
    case RELEASE_TOP:
        return formula_column(formula, first + draft->measures[part->sum].column);
    default:
        if (part->statistic == RELEASE_REGR_COUNT)
            return count_value(formula, draft, first, part->rows);
        return release_statistic_value(formula, draft, first, part);
    }
}

static bool is_missing(const struct release_draft *draft, const struct release_part *part)
{
    const size_t used[] = {part->rows, part->sum, part->square, part->product, part->x_sum, part->x_square};
    for (size_t i = 0; draft->missing != NULL && i < sizeof used / sizeof used[0]; i++)
        if (used[i] != RELEASE_NONE && draft->missing[used[i]])
            return true;
    return false;
}

/* Where key number `key` stands in the set, or that it is left out. */
static bool find_key(const struct bind_grouping_set *set, size_t key, size_t *place)
{
    for (size_t i = 0; i < set->key_count; i++)
        if (set->keys[i] == key) {
            *place = i;
            return true;
        }
    return false;
}

static int64_t grouping_bits(const struct bind_release *request, const struct bind_grouping_set *set)
{
    int64_t bits = 0;
    size_t place = 0;
    for (size_t i = 0; i < request->key_count; i++)
        if (!find_key(set, i, &place))
            bits |= INT64_C(1) << i;
    return bits;
}

status release_finish(struct release_draft *draft, const struct sql_relation *base,
                      const struct bind_grouping_set *set, const struct sql_relation **out, error *why)
{
    const struct bind_release *request = draft->request;
    struct sql_builder *builder = &draft->binder->builder;
    struct formula formula = {.builder = builder, .base = base, .position = request->position, .why = why};
    size_t count = request->key_count + request->call_count + (request->set_count > 1), n = 0;
    const struct sql_expression **expressions = NULL;
    const char **names = NULL;
    TRY(relation_take(builder, count, sizeof *expressions, &expressions, why));
    TRY(relation_take(builder, count, sizeof *names, &names, why));
    for (size_t i = 0, place = 0; i < request->key_count; i++, n++) {
        names[n] = request->key_names[i];
        expressions[n] = find_key(set, i, &place)
                             ? formula_column(&formula, place)
                             : formula_null(&formula, request->keys[i]->type, request->keys[i]->scale);
    }
    for (size_t i = 0; i < request->call_count; i++, n++) {
        formula.position = request->calls[i].position;
        names[n] = request->calls[i].name;
        expressions[n] = value_of(&formula, draft, set->key_count, &draft->parts[i]);
        if (formula.status == DITHER_OK && is_missing(draft, &draft->parts[i]))
            expressions[n] = formula_null(&formula, expressions[n]->type, expressions[n]->scale);
    }
    if (request->set_count > 1) {
        names[n] = "grouping"; /* in sight until the sets are appended: that drops what is hidden */
        expressions[n] = formula_whole(&formula, grouping_bits(request, set));
    }
    TRY(formula.status);
    return sql_project(builder, base, expressions, names, NULL, count, request->position, out, why);
}
