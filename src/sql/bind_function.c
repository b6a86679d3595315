/* Calls of functions by name. */
#include <stdio.h>
#include <string.h>

#include "sql/bind_parts.h"

static const char *call_name(const PgQuery__FuncCall *call)
{
    size_t last = call->n_funcname;
    return last > 0 && call->funcname[last - 1]->node_case == PG_QUERY__NODE__NODE_STRING
               ? call->funcname[last - 1]->string->sval
               : "";
}

static bool is_among(const char *name, const char *const *names)
{
    for (; *names != NULL; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

bool bind_is_aggregate(const PgQuery__FuncCall *call)
{
    static const char *const aggregates[] = {"count",
                                             "sum",
                                             "avg",
                                             "min",
                                             "max",
                                             "var_pop",
                                             "var_samp",
                                             "variance",
                                             "stddev",
                                             "stddev_pop",
                                             "stddev_samp",
                                             "median",
                                             "quantile",
                                             "percentile_cont",
                                             "percentile_disc",
                                             "mode",
                                             "covar_pop",
                                             "covar_samp",
                                             "corr",
                                             "regr_slope",
                                             "regr_intercept",
                                             "regr_r2",
                                             "regr_count",
                                             "regr_avgx",
                                             "regr_avgy",
                                             "regr_sxx",
                                             "regr_sxy",
                                             "regr_syy",
                                             "bool_and",
                                             "bool_or",
                                             "every",
                                             "string_agg",
                                             "array_agg",
                                             "any_value",
                                             "first",
                                             "last",
                                             "arg_min",
                                             "arg_max",
                                             "json_agg",
                                             "jsonb_agg",
                                             "json_object_agg",
                                             "jsonb_object_agg",
                                             "xmlagg",
                                             "bit_and",
                                             "bit_or",
                                             "bit_xor",
                                             "range_agg",
                                             "histogram",
                                             "approx_top_k",
                                             "approx_top_count",
                                             "approx_count_distinct",
                                             "approx_quantiles",
                                             "countif",
                                             "logical_and",
                                             "logical_or",
                                             NULL};
    return call->agg_star || call->agg_distinct || call->agg_within_group || call->agg_filter != NULL ||
           call->n_agg_order > 0 || is_among(call_name(call), aggregates);
}

static bool is_volatile(const char *name)
{
    static const char *const volatiles[] = {"now",
                                            "random",
                                            "clock_timestamp",
                                            "statement_timestamp",
                                            "transaction_timestamp",
                                            "timeofday",
                                            "gen_random_uuid",
                                            "uuid_generate_v4",
                                            "setseed",
                                            "nextval",
                                            "currval",
                                            "lastval",
                                            "setval",
                                            "pg_sleep",
                                            "pg_sleep_for",
                                            "pg_sleep_until",
                                            "txid_current",
                                            "age",
                                            NULL};
    return is_among(name, volatiles);
}

/* The field of extract(field FROM x) and date_part('field', x): a part of the function's name for us. */
static status bind_extract(struct binder *binder, struct bind_scope *scope, const PgQuery__FuncCall *call,
                           int position, const struct sql_expression **out, error *why)
{
    const struct sql_expression *field = NULL, *moment = NULL;
    if (call->n_args != 2)
        return sql_refuse(why, position, "extract takes a field and a date");
    TRY(bind_expression(binder, scope, call->args[0], &field, why));
    TRY(bind_expression(binder, scope, call->args[1], &moment, why));
    if (field->kind != SQL_LITERAL || field->value.null || field->value.text == NULL)
        return sql_refuse(why, position, "the field must be a constant");
    static const char *const fields[] = {"year",         "isoyear",      "quarter", "month",   "week",
                                         "day",          "doy",          "dow",     "isodow",  "hour",
                                         "minute",       "second",       "decade",  "century", "millennium",
                                         "milliseconds", "microseconds", "epoch",   NULL};
    char lowered[40] = "", name[60];
    for (size_t i = 0; field->value.text[i] != '\0' && i + 1 < sizeof lowered; i++) {
        char c = field->value.text[i];
        lowered[i] = c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
    }
    if (!is_among(lowered, fields))
        return sql_refuse(why, field->position,
                          "the field \"%.30s\" is not available; take year, month, day ...", lowered);
    snprintf(name, sizeof name, "extract.%s", lowered);
    return sql_call(&binder->builder, name, &moment, 1, position, out, why);
}

/* concat(a, b, ...) leaves NULLs out, and is a || b || ... of what is left: each sum stays within its bound. */
static status bind_concat(struct binder *binder, const struct sql_expression *const *arguments, size_t count,
                          int position, const struct sql_expression **out, error *why)
{
    const struct sql_expression *all = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct sql_expression *one = NULL;
        TRY(sql_call(&binder->builder, "concat", &arguments[i], 1, position, &one, why));
        if (all == NULL)
            all = one;
        else
            TRY(sql_call2(&binder->builder, "||", all, one, position, &all, why));
    }
    *out = all;
    return DITHER_OK;
}

static status refuse_schema(const PgQuery__FuncCall *call, int position, error *why)
{
    bool plain = call->n_funcname == 1 ||
                 (call->n_funcname == 2 && call->funcname[0]->node_case == PG_QUERY__NODE__NODE_STRING &&
                  strcmp(call->funcname[0]->string->sval, "pg_catalog") == 0);
    if (!plain)
        return sql_refuse(why, position, "functions of a schema are not available in questions");
    return DITHER_OK;
}

status bind_function(struct binder *binder, struct bind_scope *scope, const PgQuery__FuncCall *call,
                     const struct sql_expression **out, error *why)
{
    int position = sql_parsed_position(binder->parsed, call->location);
    const char *name = call_name(call);
    TRY(refuse_schema(call, position, why));
    if (call->func_variadic)
        return sql_refuse(why, position, "VARIADIC is not available in questions");
    if (is_volatile(name))
        return sql_refuse(why, position,
                          "function %s is not available: the answer would depend on the clock or on chance; "
                          "write the date itself",
                          name);
    if (strcmp(name, "extract") == 0 || strcmp(name, "date_part") == 0)
        return bind_extract(binder, scope, call, position, out, why);
    /* Names with a point or a blank are ours alone. */
    if (strpbrk(name, ". ") != NULL)
        return sql_refuse(why, position, "function %.60s is not available in questions", name);
    const struct sql_expression **arguments = NULL;
    TRY(bind_list(binder, scope, call->args, call->n_args, &arguments, why));
    if (strcmp(name, "concat") == 0 && call->n_args > 1)
        return bind_concat(binder, arguments, call->n_args, position, out, why);
    return sql_call(&binder->builder, name, arguments, call->n_args, position, out, why);
}
