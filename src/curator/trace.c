/* Looking through projections and joins for the measure that a visible column is. */
#include <math.h>

#include "curator/room.h"
#include "curator/walk.h"

static bool trace_release(const struct prepared *prepared, const struct sql_relation *relation, size_t column,
                          struct trace *out)
{
    for (size_t i = 0; i < prepared->plan->release_count; i++) {
        const struct sql_release *release = prepared->plan->releases[i];
        /* A release that is the same as an earlier one has its parts: measures correspond by place. */
        const struct price_release *priced = &prepared->price.releases[i];
        if (release != relation->release)
            continue;
        for (size_t j = 0; j < release->measure_count; j++) {
            const struct price_part *part = &priced->parts[j];
            size_t first = release->measures[j].column;
            if (column < first || column >= first + sql_measure_columns(&release->measures[j]))
                continue;
            out->release = i;
            out->part = part;
            return part->kind == PRICE_NUMBER;
        }
    }
    return false;
}

static bool constant(const struct sql_expression *expression, double *out)
{
    if (expression->kind == SQL_CAST)
        return constant(expression->arguments[0], out);
    if (expression->kind != SQL_LITERAL || expression->value.null)
        return false;
    const struct sql_value *value = &expression->value;
    if (value->type == SQL_REAL)
        *out = value->real;
    else if (value->type == SQL_INTEGER)
        *out = (double)value->whole;
    else if (value->type == SQL_DECIMAL)
        *out = (double)value->whole / pow(10, value->scale);
    else
        return false;
    return true;
}

static bool is_number(enum sql_type type)
{
    return type == SQL_INTEGER || type == SQL_DECIMAL || type == SQL_REAL;
}

static bool trace_expression(const struct prepared *prepared, const struct sql_relation *input,
                             const struct sql_expression *expression, struct trace *out);

/* x * c, c * x, x / c (of reals), x + c, x - c, c - x. */
static bool trace_call(const struct prepared *prepared, const struct sql_relation *input,
                       const struct sql_expression *call, struct trace *out)
{
    double value = 0;
    if (call->argument_count != 2)
        return false;
    const struct sql_expression *a = call->arguments[0], *b = call->arguments[1];
    bool times = sql_is_call(call, "*"), over = sql_is_call(call, "/") && call->type == SQL_REAL;
    bool sum = sql_is_call(call, "+") || sql_is_call(call, "-");
    if ((times || over) && constant(b, &value) && value != 0) {
        out->factor *= over ? 1 / value : value;
        return trace_expression(prepared, input, a, out);
    }
    if (times && constant(a, &value)) {
        out->factor *= value;
        return trace_expression(prepared, input, b, out);
    }
    if (sum && constant(b, &value))
        return trace_expression(prepared, input, a, out);
    return sum && constant(a, &value) && trace_expression(prepared, input, b, out);
}

static bool trace_expression(const struct prepared *prepared, const struct sql_relation *input,
                             const struct sql_expression *expression, struct trace *out)
{
    if (expression->kind == SQL_COLUMN)
        return trace_measure(prepared, input, expression->column, out);
    if (!is_number(expression->type))
        return false;
    if (expression->kind == SQL_CAST)
        return is_number(expression->arguments[0]->type) &&
               trace_expression(prepared, input, expression->arguments[0], out);
    return expression->kind == SQL_CALL && trace_call(prepared, input, expression, out);
}

static bool trace_through(const struct prepared *prepared, const struct sql_relation *relation, size_t column,
                          struct trace *out)
{
    switch (relation->kind) {
    case SQL_RELEASE:
        return trace_release(prepared, relation, column, out);
    case SQL_PROJECT:
        return trace_expression(prepared, relation->input, relation->expressions[column], out);
    case SQL_FILTER:
    case SQL_SORT:
    case SQL_LIMIT:
    case SQL_SEMI_JOIN:
        return trace_through(prepared, relation->input, column, out);
    case SQL_WINDOW:
        return column < relation->input->column_count &&
               trace_through(prepared, relation->input, column, out);
    case SQL_JOIN: {
        size_t left = relation->input->column_count;
        return column < left ? trace_through(prepared, relation->input, column, out)
                             : trace_through(prepared, relation->right, column - left, out);
    }
    case SQL_SCAN:
    case SQL_VALUES:
    case SQL_AGGREGATE:
    case SQL_APPEND:
    case SQL_DISTINCT:
    case SQL_SET:
        break;
    }
    return false;
}

bool trace_measure(const struct prepared *prepared, const struct sql_relation *relation, size_t column,
                   struct trace *out)
{
    if (out->factor == 0)
        out->factor = 1;
    return trace_through(prepared, relation, column, out);
}

/* ---- Chosen values ---- */

static bool is_choice(const struct sql_measure *measure)
{
    return measure->kind == SQL_MEASURE_QUANTILES || measure->kind == SQL_MEASURE_TOP;
}

static bool release_chooses(const struct sql_release *release, size_t column)
{
    for (size_t i = 0; i < release->measure_count; i++) {
        const struct sql_measure *measure = &release->measures[i];
        if (is_choice(measure) && column >= measure->column &&
            column < measure->column + sql_measure_columns(measure))
            return true;
    }
    return false;
}

static bool any_choice(const struct sql_relation *relation)
{
    if (relation == NULL)
        return false;
    for (size_t i = 0; relation->kind == SQL_RELEASE && i < relation->release->measure_count; i++)
        if (is_choice(&relation->release->measures[i]))
            return true;
    return any_choice(relation->input) || any_choice(relation->right);
}

struct uses {
    const struct sql_relation *input;
    bool chosen;
};

static void use_column(void *context, size_t column)
{
    struct uses *uses = context;
    uses->chosen = uses->chosen || trace_chosen(uses->input, column);
}

static bool scalar_chooses(const struct sql_expression *expression)
{
    if (expression->kind == SQL_SCALAR && any_choice(expression->relation))
        return true;
    for (size_t i = 0; i < expression->argument_count; i++)
        if (scalar_chooses(expression->arguments[i]))
            return true;
    return false;
}

bool trace_chosen(const struct sql_relation *relation, size_t column)
{
    struct uses uses = {.input = relation->input};
    switch (relation->kind) {
    case SQL_RELEASE:
        return release_chooses(relation->release, column);
    case SQL_PROJECT:
        sql_visit_columns(relation->expressions[column], use_column, &uses);
        return uses.chosen || scalar_chooses(relation->expressions[column]);
    case SQL_FILTER:
    case SQL_SORT:
    case SQL_LIMIT:
        return trace_chosen(relation->input, column);
    case SQL_SCAN:
    case SQL_VALUES:
        return false;
    case SQL_JOIN:
    case SQL_SEMI_JOIN:
    case SQL_AGGREGATE:
    case SQL_WINDOW:
    case SQL_APPEND:
    case SQL_DISTINCT:
    case SQL_SET:
        break;
    }
    return any_choice(relation);
}
