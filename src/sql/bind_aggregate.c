/* Aggregate calls: bound to the rows that they aggregate. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sql/bind_room.h"

/* ---- BigQuery's named arguments ---- */

/* A number as it was written, with its sign. */
static bool written_number(const PgQuery__Node *node, char *room, size_t size)
{
    const char *sign = "";
    if (node->node_case == PG_QUERY__NODE__NODE_A_EXPR && node->a_expr->lexpr == NULL &&
        node->a_expr->n_name == 1 && strcmp(node->a_expr->name[0]->string->sval, "-") == 0) {
        sign = "-";
        node = node->a_expr->rexpr;
    }
    if (node->node_case != PG_QUERY__NODE__NODE_A_CONST || node->a_const->isnull)
        return false;
    if (node->a_const->val_case == PG_QUERY__A__CONST__VAL_IVAL)
        snprintf(room, size, "%s%d", sign, node->a_const->ival->ival);
    else if (node->a_const->val_case == PG_QUERY__A__CONST__VAL_FVAL)
        snprintf(room, size, "%s%s", sign, node->a_const->fval->fval);
    else
        return false;
    return true;
}

static status read_bounds(struct binder *binder, const PgQuery__NamedArgExpr *argument, struct bind_call *out,
                          error *why)
{
    char lower[64], upper[64];
    const PgQuery__Node *row = argument->arg;
    if (row->node_case != PG_QUERY__NODE__NODE_ROW_EXPR || row->row_expr->n_args != 2 ||
        !written_number(row->row_expr->args[0], lower, sizeof lower) ||
        !written_number(row->row_expr->args[1], upper, sizeof upper) ||
        strtod(lower, NULL) > strtod(upper, NULL))
        return sql_refuse(why, bind_at(binder, argument->location),
                          "%s takes two numbers, the smaller first: %s => (0, 100)", argument->name,
                          argument->name);
    out->has_bounds = true;
    out->bound_lower = strtod(lower, NULL);
    out->bound_upper = strtod(upper, NULL);
    return DITHER_OK;
}

static status read_named(struct binder *binder, const PgQuery__NamedArgExpr *argument, struct bind_call *out,
                         error *why)
{
    char number[64];
    error ignored;
    int position = bind_at(binder, argument->location);
    if (strcasecmp(argument->name, "contribution_bounds_per_group") == 0)
        return read_bounds(binder, argument, out, why);
    if (strcasecmp(argument->name, "epsilon") != 0)
        return sql_refuse(
            why, position,
            "aggregates have no argument \"%s\"; there are contribution_bounds_per_group and epsilon",
            argument->name);
    if (!written_number(argument->arg, number, sizeof number) ||
        decimal_parse(number, &out->epsilon, &ignored) != DITHER_OK || decimal_is_zero(out->epsilon))
        return sql_refuse(why, position, "epsilon => takes a positive number");
    return DITHER_OK;
}

/* ---- The call ---- */

static status bind_arguments(struct binder *binder, struct bind_level *level, const PgQuery__FuncCall *call,
                             struct bind_call *out, error *why)
{
    for (size_t i = 0; i < call->n_args; i++) {
        if (call->args[i]->node_case == PG_QUERY__NODE__NODE_NAMED_ARG_EXPR) {
            TRY(read_named(binder, call->args[i]->named_arg_expr, out, why));
            continue;
        }
        if (out->argument_count == sizeof out->arguments / sizeof out->arguments[0])
            return sql_refuse(why, out->position, "%s has too many arguments", out->name);
        if (call->args[i]->node_case == PG_QUERY__NODE__NODE_A_ARRAY_EXPR && call->agg_within_group)
            return sql_refuse(
                why, bind_position(binder, call->args[i]),
                "one share in each call: write %s(0.25) ..., %s(0.75) ... side by side; calls over the "
                "same values share one price",
                out->name, out->name);
        TRY(bind_expression(binder, &level->scope, call->args[i], &out->arguments[out->argument_count++],
                            why));
    }
    return DITHER_OK;
}

static status bind_within(struct binder *binder, struct bind_level *level, const PgQuery__FuncCall *call,
                          struct bind_call *out, error *why)
{
    struct sql_order order;
    if (call->n_agg_order == 0)
        return DITHER_OK;
    if (!call->agg_within_group)
        return sql_refuse(
            why, out->position,
            "ORDER BY inside an aggregate is not supported: these aggregates do not depend on order");
    if (call->n_agg_order != 1)
        return sql_refuse(why, out->position, "WITHIN GROUP orders by one expression here");
    const PgQuery__SortBy *sort = call->agg_order[0]->sort_by;
    TRY(bind_direction(binder, sort, &order, why));
    out->descending = order.descending;
    return bind_expression(binder, &level->scope, sort->node, &out->within, why);
}

status bind_aggregate_call(struct binder *binder, struct bind_level *input, const PgQuery__FuncCall *call,
                           struct bind_call *out, error *why)
{
    struct bind_level level;
    *out = (struct bind_call){.star = call->agg_star,
                              .distinct = call->agg_distinct,
                              .epsilon = decimal_zero(),
                              .position = bind_at(binder, call->location)};
    TRY(bind_text_of(binder, call->funcname[call->n_funcname - 1]->string->sval, &out->name, why));
    if (call->func_variadic)
        return sql_refuse(why, out->position, "VARIADIC is not supported");
    bind_level_copy(&level, "the arguments of an aggregate", input);
    TRY(bind_arguments(binder, &level, call, out, why));
    TRY(bind_within(binder, &level, call, out, why));
    bind_level_copy(&level, "FILTER", input);
    if (call->agg_filter != NULL)
        TRY(bind_expression(binder, &level.scope, call->agg_filter, &out->filter, why));
    return DITHER_OK;
}

/* ---- As a plain aggregate ---- */

static const struct plain_name {
    const char *name;
    enum sql_aggregate_kind kind;
    size_t arguments;
} plain_names[] = {
    {"count", SQL_COUNT, 1},
    {"sum", SQL_TOTAL, 1},
    {"avg", SQL_AVERAGE, 1},
    {"min", SQL_MIN, 1},
    {"max", SQL_MAX, 1},
    {"var_pop", SQL_VAR_POP, 1},
    {"var_samp", SQL_VAR_SAMP, 1},
    {"variance", SQL_VAR_SAMP, 1},
    {"stddev_pop", SQL_STDDEV_POP, 1},
    {"stddev_samp", SQL_STDDEV_SAMP, 1},
    {"stddev", SQL_STDDEV_SAMP, 1},
    {"median", SQL_PERCENTILE_CONT, 1},
    {"percentile_cont", SQL_PERCENTILE_CONT, 1},
    {"percentile_disc", SQL_PERCENTILE_DISC, 1},
    {"covar_pop", SQL_COVAR_POP, 2},
    {"covar_samp", SQL_COVAR_SAMP, 2},
    {"corr", SQL_CORR, 2},
    {"regr_slope", SQL_REGR_SLOPE, 2},
    {"regr_intercept", SQL_REGR_INTERCEPT, 2},
    {"bool_and", SQL_BOOL_AND, 1},
    {"every", SQL_BOOL_AND, 1},
    {"bool_or", SQL_BOOL_OR, 1},
    {"string_agg", SQL_STRING_AGG, 2},
};

static const struct plain_name *find_plain(const char *name)
{
    for (size_t i = 0; i < sizeof plain_names / sizeof plain_names[0]; i++)
        if (strcmp(plain_names[i].name, name) == 0)
            return &plain_names[i];
    return NULL;
}

/* The share of a percentile, a constant between 0 and 1. From the far end it is the rest. */
static status share(struct binder *binder, const struct bind_call *call, bool median,
                    const struct sql_expression **out, error *why)
{
    struct sql_value value = {.type = SQL_REAL, .real = 0.5};
    const struct sql_expression *given = call->arguments[0];
    if (!median) {
        if (given->kind != SQL_LITERAL || given->value.null ||
            (given->type != SQL_REAL && given->type != SQL_INTEGER))
            return sql_refuse(why, call->position, "%s takes a constant between 0 and 1", call->name);
        value.real = given->type == SQL_REAL ? given->value.real : (double)given->value.whole;
    }
    if (!(value.real >= 0 && value.real <= 1))
        return sql_refuse(why, call->position, "percentile value %g is not between 0 and 1", value.real);
    if (call->descending && strcmp(call->name, "percentile_cont") != 0)
        return sql_refuse(why, call->position, "%s counts upwards here: leave out DESC", call->name);
    if (call->descending)
        value.real = 1 - value.real;
    return sql_literal(&binder->builder, &value, call->position, out, why);
}

static status check_arguments(const struct bind_call *call, const struct plain_name *plain, error *why)
{
    bool percentile = strncmp(call->name, "percentile", 10) == 0;
    if (call->has_bounds || !decimal_is_zero(call->epsilon))
        return sql_refuse(
            why, call->position,
            "contribution_bounds_per_group and epsilon belong to a release: nothing is released here");
    if (call->star && plain->kind != SQL_COUNT)
        return sql_refuse(why, call->position, "%s(*) does not exist", call->name);
    if (percentile != (call->within != NULL))
        return sql_refuse(why, call->position, "%s",
                          percentile ? "WITHIN GROUP is required for percentiles"
                                     : "WITHIN GROUP is for percentiles alone");
    if (!call->star && call->argument_count != plain->arguments)
        return sql_refuse(why, call->position, "%s takes %zu argument%s", call->name, plain->arguments,
                          plain->arguments == 1 ? "" : "s");
    return DITHER_OK;
}

status bind_plain_aggregate(struct binder *binder, const struct bind_call *call, struct sql_aggregate *out,
                            error *why)
{
    const struct plain_name *plain = find_plain(call->name);
    if (plain == NULL)
        return sql_refuse(why, call->position, "aggregate function %s is not supported here", call->name);
    TRY(check_arguments(call, plain, why));
    *out = (struct sql_aggregate){
        .kind = call->star ? SQL_COUNT_ROWS : plain->kind,
        .distinct = call->distinct,
        .argument = call->star             ? NULL
                    : call->within != NULL ? call->within
                                           : call->arguments[0],
        .second = plain->arguments == 2 ? call->arguments[1] : NULL,
        .filter = call->filter,
    };
    if (plain->kind == SQL_PERCENTILE_CONT || plain->kind == SQL_PERCENTILE_DISC)
        TRY(share(binder, call, strcmp(call->name, "median") == 0, &out->second, why));
    return DITHER_OK;
}
