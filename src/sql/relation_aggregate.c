/* Aggregates: their types, what is claimed of their values, and which of them a tagged step may have. */
#include "sql/relation_make.h"

#include <math.h>

const char *relation_aggregate_name(enum sql_aggregate_kind kind)
{
    static const char *const names[] = {
        [SQL_COUNT_ROWS] = "count",
        [SQL_COUNT] = "count",
        [SQL_TOTAL] = "sum",
        [SQL_AVERAGE] = "avg",
        [SQL_MIN] = "min",
        [SQL_MAX] = "max",
        [SQL_VAR_POP] = "var_pop",
        [SQL_VAR_SAMP] = "var_samp",
        [SQL_STDDEV_POP] = "stddev_pop",
        [SQL_STDDEV_SAMP] = "stddev_samp",
        [SQL_PERCENTILE_CONT] = "percentile_cont",
        [SQL_PERCENTILE_DISC] = "percentile_disc",
        [SQL_COVAR_POP] = "covar_pop",
        [SQL_COVAR_SAMP] = "covar_samp",
        [SQL_CORR] = "corr",
        [SQL_REGR_SLOPE] = "regr_slope",
        [SQL_REGR_INTERCEPT] = "regr_intercept",
        [SQL_BOOL_AND] = "bool_and",
        [SQL_BOOL_OR] = "bool_or",
        [SQL_STRING_AGG] = "string_agg",
    };
    return names[kind];
}

/* ---- Types ---- */

static bool is_number(const struct sql_expression *expression)
{
    return expression->type == SQL_INTEGER || expression->type == SQL_DECIMAL || expression->type == SQL_REAL;
}

static status no_such_function(const struct sql_aggregate *aggregate, int position, error *why)
{
    return sql_refuse(why, position, "function %s(%s) does not exist",
                      relation_aggregate_name(aggregate->kind),
                      aggregate->argument == NULL ? "" : sql_type_name(aggregate->argument->type));
}

static bool has_argument_types(const struct sql_aggregate *aggregate)
{
    const struct sql_expression *argument = aggregate->argument;
    switch (aggregate->kind) {
    case SQL_COUNT_ROWS:
        return true;
    case SQL_COUNT:
        return argument != NULL;
    case SQL_MIN:
    case SQL_MAX:
    case SQL_PERCENTILE_DISC:
        return argument != NULL && argument->type != SQL_BOOLEAN;
    case SQL_BOOL_AND:
    case SQL_BOOL_OR:
        return argument != NULL && (argument->type == SQL_BOOLEAN || argument->type == SQL_UNKNOWN);
    case SQL_STRING_AGG:
        return argument != NULL && (argument->type == SQL_TEXT || argument->type == SQL_UNKNOWN);
    case SQL_COVAR_POP:
    case SQL_COVAR_SAMP:
    case SQL_CORR:
    case SQL_REGR_SLOPE:
    case SQL_REGR_INTERCEPT:
        return argument != NULL && aggregate->second != NULL && is_number(argument) &&
               is_number(aggregate->second);
    case SQL_TOTAL:
    case SQL_AVERAGE:
    case SQL_VAR_POP:
    case SQL_VAR_SAMP:
    case SQL_STDDEV_POP:
    case SQL_STDDEV_SAMP:
    case SQL_PERCENTILE_CONT:
        return argument != NULL && is_number(argument);
    }
    return false;
}

status sql_aggregate_type(const struct sql_aggregate *aggregate, int position, enum sql_type *type,
                          int *scale, error *why)
{
    const struct sql_expression *argument = aggregate->argument;
    if (!has_argument_types(aggregate))
        return no_such_function(aggregate, position, why);
    *scale = 0;
    switch (aggregate->kind) {
    case SQL_COUNT_ROWS:
    case SQL_COUNT:
        *type = SQL_INTEGER;
        return DITHER_OK;
    case SQL_TOTAL:
        *type = argument->type;
        *scale = argument->scale;
        return DITHER_OK;
    case SQL_MIN:
    case SQL_MAX:
    case SQL_PERCENTILE_DISC:
        *type = argument->type == SQL_UNKNOWN ? SQL_TEXT : argument->type;
        *scale = argument->scale;
        return DITHER_OK;
    case SQL_BOOL_AND:
    case SQL_BOOL_OR:
        *type = SQL_BOOLEAN;
        return DITHER_OK;
    case SQL_STRING_AGG:
        *type = SQL_TEXT;
        return DITHER_OK;
    case SQL_AVERAGE:
    case SQL_VAR_POP:
    case SQL_VAR_SAMP:
    case SQL_STDDEV_POP:
    case SQL_STDDEV_SAMP:
    case SQL_PERCENTILE_CONT:
    case SQL_COVAR_POP:
    case SQL_COVAR_SAMP:
    case SQL_CORR:
    case SQL_REGR_SLOPE:
    case SQL_REGR_INTERCEPT:
        *type = SQL_REAL;
        return DITHER_OK;
    }
    return no_such_function(aggregate, position, why);
}

/* ---- Bounds ---- */

/* The sum of 1 to `rows` values: a bound on the far side of zero is reached by one value, the other by all.
 * Unknown where 64 bits do not hold it. */
static struct sql_range times(const struct sql_range *range, uint64_t rows)
{
    struct sql_range sum = *range;
    if (!range->known)
        return sum;
    if (range->lower < 0)
        sum.known = !__builtin_mul_overflow(range->lower, rows, &sum.lower) && sum.known;
    if (range->upper > 0)
        sum.known = !__builtin_mul_overflow(range->upper, rows, &sum.upper) && sum.known;
    if (range->real_lower < 0)
        sum.real_lower = nextafter(range->real_lower * (double)rows, -INFINITY);
    if (range->real_upper > 0)
        sum.real_upper = nextafter(range->real_upper * (double)rows, INFINITY);
    if (!isfinite(sum.real_lower) || !isfinite(sum.real_upper))
        sum.known = false;
    return sum;
}

/* As reals: of what avg and percentile_cont give, which lies between the smallest and the largest value. */
static struct sql_range as_real(const struct sql_expression *argument)
{
    struct sql_range range = argument->range;
    if (argument->type == SQL_REAL || !range.known)
        return range;
    double unit = argument->type == SQL_DECIMAL ? pow(10, argument->scale) : 1;
    return (struct sql_range){.known = true,
                              .real_lower = nextafter((double)range.lower / unit, -INFINITY),
                              .real_upper = nextafter((double)range.upper / unit, INFINITY)};
}

static struct sql_range range_of(const struct sql_relation *input, const struct sql_aggregate *aggregate)
{
    uint64_t rows = input->place != SQL_TAGGED ? 0 : input->one_row ? 1 : input->max_rows;
    struct sql_range none = {.known = false};
    switch (aggregate->kind) {
    case SQL_COUNT_ROWS:
    case SQL_COUNT:
        return rows == 0 ? none : (struct sql_range){.known = true, .lower = 0, .upper = (int64_t)rows};
    case SQL_TOTAL:
        return rows == 0 ? none : times(&aggregate->argument->range, rows);
    case SQL_MIN:
    case SQL_MAX:
    case SQL_PERCENTILE_DISC:
        return aggregate->argument->range;
    case SQL_AVERAGE:
    case SQL_PERCENTILE_CONT:
        return as_real(aggregate->argument);
    case SQL_BOOL_AND:
    case SQL_BOOL_OR:
        return (struct sql_range){.known = true, .lower = 0, .upper = 1};
    case SQL_VAR_POP:
    case SQL_VAR_SAMP:
    case SQL_STDDEV_POP:
    case SQL_STDDEV_SAMP:
    case SQL_COVAR_POP:
    case SQL_COVAR_SAMP:
    case SQL_CORR:
    case SQL_REGR_SLOPE:
    case SQL_REGR_INTERCEPT:
    case SQL_STRING_AGG:
        return none;
    }
    return none;
}

status relation_describe_aggregate(const struct sql_relation *input, const struct sql_aggregate *aggregate,
                                   int position, struct sql_column *out, error *why)
{
    enum sql_type type = SQL_UNKNOWN;
    int scale = 0;
    TRY(sql_aggregate_type(aggregate, position, &type, &scale, why));
    if (aggregate->filter != NULL && aggregate->filter->type != SQL_BOOLEAN &&
        aggregate->filter->type != SQL_UNKNOWN)
        return sql_refuse(why, position, "argument of FILTER must be type boolean, not type %s",
                          sql_type_name(aggregate->filter->type));
    *out = (struct sql_column){
        .name = relation_aggregate_name(aggregate->kind),
        .type = type,
        .scale = scale,
        .nullable = aggregate->kind != SQL_COUNT && aggregate->kind != SQL_COUNT_ROWS,
        .range = range_of(input, aggregate),
        .noisy = input->place == SQL_RELEASED,
    };
    return DITHER_OK;
}

/* ---- Exact inside a tagged step ---- */

enum { STEPS_BITS = 16, MOST_STEPS_BITS = 46 };

static status real_literal(struct sql_builder *builder, double number, const struct sql_expression **out,
                           error *why)
{
    struct sql_value value = {.type = SQL_REAL, .real = number};
    return sql_literal(builder, &value, -1, out, why);
}

/* floor(greatest(lower, least(upper, x)) / 2^exponent + 0.5) as a whole number. NaN is above all numbers in
 * PostgreSQL, so it lands on the upper bound; the division is by multiplying with a power of two, and exact. */
static status to_steps(struct sql_builder *builder, const struct sql_expression *value, int exponent,
                       const struct sql_expression **out, error *why)
{
    const struct sql_expression *lower = NULL, *upper = NULL, *factor = NULL, *half = NULL, *made = NULL;
    TRY(real_literal(builder, value->range.real_lower, &lower, why));
    TRY(real_literal(builder, value->range.real_upper, &upper, why));
    TRY(real_literal(builder, ldexp(1, -exponent), &factor, why));
    TRY(real_literal(builder, 0.5, &half, why));
    /* greatest and least pass over NULL, which must stay NULL */
    const struct sql_expression *is_null = NULL, *null = NULL, *whole = NULL;
    struct sql_value nothing = {.type = SQL_INTEGER, .null = true};
    TRY(sql_call(builder, "is null", &value, 1, -1, &is_null, why));
    TRY(sql_literal(builder, &nothing, -1, &null, why));
    TRY(sql_call2(builder, "least", upper, value, -1, &made, why));
    TRY(sql_call2(builder, "greatest", lower, made, -1, &made, why));
    TRY(sql_call2(builder, "*", made, factor, -1, &made, why));
    TRY(sql_call2(builder, "+", made, half, -1, &made, why));
    TRY(sql_call(builder, "floor", &made, 1, -1, &made, why));
    TRY(sql_cast(builder, made, SQL_INTEGER, 0, -1, &whole, why));
    const struct sql_expression *parts[] = {is_null, null, whole};
    return sql_case(builder, parts, 3, -1, out, why);
}

/* The grid: the largest power of two that is not above (upper - lower)/2^16, as for the policy's columns. */
static status choose_exponent(const struct sql_expression *argument, int position, int *exponent, error *why)
{
    double lower = argument->range.real_lower, upper = argument->range.real_upper;
    double widest = fmax(fabs(lower), fabs(upper));
    if (!argument->range.known || !isfinite(upper - lower))
        return sql_refuse(why, position,
                          "the bounds of what is added up here do not follow from the policy: give them, for "
                          "example sum(least(greatest(x, 0), 100)), or ask the owner to declare a range");
    *exponent = upper > lower ? ilogb(upper - lower) - STEPS_BITS
                : widest > 0  ? ilogb(widest) - STEPS_BITS
                              : 0;
    if (widest > 0 && ilogb(widest) - *exponent > MOST_STEPS_BITS)
        *exponent = ilogb(widest) - MOST_STEPS_BITS;
    if (*exponent < -1000 || *exponent > 1000)
        return sql_refuse(why, position, "the bounds of what is added up here are too small or too large");
    return DITHER_OK;
}

/* Values that compare as equal and are not: which of them stands for all depends on the order of the rows.
 * Adding 0 makes 0 of -0; '1 month' and '30 days' stay two. */
status relation_without_twins(struct sql_builder *builder, const struct sql_expression *value,
                              const char *what, int position, const struct sql_expression **out, error *why)
{
    const struct sql_expression *zero = NULL;
    if (value->type == SQL_INTERVAL)
        return sql_refuse(why, position,
                          "%s of intervals of one unit's own rows is not supported: use a number of days",
                          what);
    *out = value;
    if (value->type != SQL_REAL)
        return DITHER_OK;
    TRY(real_literal(builder, 0, &zero, why));
    return sql_call2(builder, "+", value, zero, -1, out, why);
}

const struct sql_expression *relation_plain(const struct sql_expression *value)
{
    bool added = sql_is_call(value, "+") && value->argument_count == 2 && value->type == SQL_REAL;
    if (!added || value->arguments[0]->type != SQL_REAL || value->arguments[1]->kind != SQL_LITERAL)
        return value;
    const struct sql_value *other = &value->arguments[1]->value;
    return other->type == SQL_REAL && !other->null && other->real == 0 ? value->arguments[0] : value;
}

/* Sums of reals depend on the order in which the engine meets the rows, which other people's rows decide; so
 * they are sums of whole numbers here. Variances are computed in floating point by every engine. What joins
 * texts in the order of the rows shows that order. The rest depends on the set of values alone. */
status relation_exact_aggregate(struct sql_builder *builder, const struct sql_aggregate *aggregate,
                                int position, struct sql_aggregate *out, double *step, error *why)
{
    int exponent = 0;
    *out = *aggregate;
    *step = 0;
    switch (aggregate->kind) {
    case SQL_TOTAL:
    case SQL_AVERAGE:
        if (aggregate->argument->type != SQL_REAL)
            return DITHER_OK;
        TRY(choose_exponent(aggregate->argument, position, &exponent, why));
        TRY(to_steps(builder, aggregate->argument, exponent, &out->argument, why));
        *step = ldexp(1, exponent);
        return DITHER_OK;
    case SQL_MIN:
    case SQL_MAX:
    case SQL_PERCENTILE_CONT:
    case SQL_PERCENTILE_DISC:
        return relation_without_twins(builder, aggregate->argument, relation_aggregate_name(aggregate->kind),
                                      position, &out->argument, why);
    case SQL_COUNT_ROWS:
    case SQL_COUNT:
    case SQL_BOOL_AND:
    case SQL_BOOL_OR:
        return DITHER_OK;
    case SQL_VAR_POP:
    case SQL_VAR_SAMP:
    case SQL_STDDEV_POP:
    case SQL_STDDEV_SAMP:
    case SQL_COVAR_POP:
    case SQL_COVAR_SAMP:
    case SQL_CORR:
    case SQL_REGR_SLOPE:
    case SQL_REGR_INTERCEPT:
    case SQL_STRING_AGG:
        break;
    }
    return sql_refuse(
        why, position,
        "%s of one unit's own rows is not supported: use count, sum, avg, min, max or a percentile "
        "in GROUP BY the unit, and %s over all units",
        relation_aggregate_name(aggregate->kind),
        aggregate->kind == SQL_STRING_AGG ? "counts by key" : "this one");
}

static status scale_one(struct sql_builder *builder, const struct sql_relation *made, size_t column,
                        double step, const struct sql_expression **out, error *why)
{
    const struct sql_expression *value = NULL, *factor = NULL;
    TRY(sql_column_of(builder, made, column, -1, &value, why));
    if (step == 0) {
        *out = value;
        return DITHER_OK;
    }
    TRY(sql_cast(builder, value, SQL_REAL, 0, -1, &value, why));
    TRY(real_literal(builder, step, &factor, why));
    return sql_call2(builder, "*", value, factor, -1, out, why);
}

status relation_scale_back(struct sql_builder *builder, const struct sql_relation *made, const double *steps,
                           const struct sql_column *wanted, const struct sql_relation **out, error *why)
{
    const struct sql_expression **expressions = NULL;
    const char **names = NULL;
    bool *hidden = NULL;
    bool any = false;
    TRY(relation_take(builder, made->column_count, sizeof *expressions, &expressions, why));
    TRY(relation_take(builder, made->column_count, sizeof *names, &names, why));
    TRY(relation_take(builder, made->column_count, sizeof *hidden, &hidden, why));
    for (size_t i = 0; i < made->column_count; i++) {
        any = any || steps[i] != 0;
        names[i] = made->columns[i].name;
        hidden[i] = made->columns[i].hidden;
        TRY(scale_one(builder, made, i, steps[i], &expressions[i], why));
        if (steps[i] != 0 && expressions[i]->kind == SQL_CALL) {
            struct sql_expression *own = NULL; /* with the bounds of the sum that was asked for */
            TRY(relation_take(builder, 1, sizeof *own, &own, why));
            *own = *expressions[i];
            own->range = wanted[i].range;
            expressions[i] = own;
        }
    }
    if (!any) {
        *out = made;
        return DITHER_OK;
    }
    return sql_project(builder, made, expressions, names, hidden, made->column_count, made->position, out,
                       why);
}
