/* PostgreSQL's tree of an expression -> ours, by way of the constructors of expression.h. What has no case here is
 * refused by name. */
#include "sql/bind_parts.h"

#include <stdio.h>
#include <string.h>

#include "sql/text_form.h"

/* ---- Constants ---- */

static status bind_number(struct binder *binder, const char *text, int position,
                          const struct sql_expression **out, error *why)
{
    struct sql_value value = {.type = SQL_INTEGER};
    if (strpbrk(text, ".eE") != NULL || !text_form_read_whole(text, strlen(text), &value.whole)) {
        value.type = SQL_REAL;
        if (!text_form_read_real(text, strlen(text), &value.real))
            return sql_refuse(why, position, "the number is out of range for type double precision");
    }
    return sql_literal(&binder->builder, &value, position, out, why);
}

static status bind_constant(struct binder *binder, const PgQuery__AConst *constant,
                            const struct sql_expression **out, error *why)
{
    int position = sql_parsed_position(binder->parsed, constant->location);
    struct sql_value value = {.type = SQL_UNKNOWN, .null = constant->isnull};
    if (!constant->isnull)
        switch (constant->val_case) {
        case PG_QUERY__A__CONST__VAL_IVAL:
            value.type = SQL_INTEGER;
            value.whole = constant->ival->ival;
            break;
        case PG_QUERY__A__CONST__VAL_FVAL:
            return bind_number(binder, constant->fval->fval, position, out, why);
        case PG_QUERY__A__CONST__VAL_BOOLVAL:
            value.type = SQL_BOOLEAN;
            value.whole = constant->boolval->boolval;
            break;
        case PG_QUERY__A__CONST__VAL_SVAL:
            value.text = constant->sval->sval;
            break;
        default:
            return sql_refuse(why, position, "bit strings are not available in questions");
        }
    return sql_literal(&binder->builder, &value, position, out, why);
}

/* ---- Lists ---- */

status bind_list(struct binder *binder, struct bind_scope *scope, PgQuery__Node *const *nodes, size_t count,
                 const struct sql_expression ***out, error *why)
{
    void *memory = NULL;
    TRY(arena_take(binder->builder.arena, (count + 2) * sizeof **out, &memory, why));
    const struct sql_expression **list = memory;
    for (size_t i = 0; i < count; i++)
        TRY(bind_expression(binder, scope, nodes[i], &list[i], why));
    *out = list;
    return DITHER_OK;
}

/* A call whose arguments are these nodes. */
static status bind_plain(struct binder *binder, struct bind_scope *scope, const char *name,
                         PgQuery__Node *const *nodes, size_t count, int location,
                         const struct sql_expression **out, error *why)
{
    const struct sql_expression **arguments = NULL;
    TRY(bind_list(binder, scope, nodes, count, &arguments, why));
    return sql_call(&binder->builder, name, arguments, count, sql_parsed_position(binder->parsed, location),
                    out, why);
}

static status bind_one(struct binder *binder, struct bind_scope *scope, const char *name, PgQuery__Node *node,
                       int location, const struct sql_expression **out, error *why)
{
    return bind_plain(binder, scope, name, &node, 1, location, out, why);
}

/* ---- Logic ---- */

static status bind_logic(struct binder *binder, struct bind_scope *scope, const PgQuery__BoolExpr *logic,
                         const struct sql_expression **out, error *why)
{
    const char *name = logic->boolop == PG_QUERY__BOOL_EXPR_TYPE__AND_EXPR  ? "and"
                       : logic->boolop == PG_QUERY__BOOL_EXPR_TYPE__OR_EXPR ? "or"
                                                                            : "not";
    const struct sql_expression **arguments = NULL;
    TRY(bind_list(binder, scope, logic->args, logic->n_args, &arguments, why));
    for (size_t i = 0; i < logic->n_args; i++)
        if (arguments[i]->type != SQL_BOOLEAN && arguments[i]->type != SQL_UNKNOWN)
            return sql_refuse(why, arguments[i]->position, "argument of %s must be type boolean, not type %s",
                              name, sql_type_name(arguments[i]->type));
    return sql_call(&binder->builder, name, arguments, logic->n_args,
                    sql_parsed_position(binder->parsed, logic->location), out, why);
}

static status bind_null_test(struct binder *binder, struct bind_scope *scope, const PgQuery__NullTest *test,
                             const struct sql_expression **out, error *why)
{
    bool is_null = test->nulltesttype == PG_QUERY__NULL_TEST_TYPE__IS_NULL;
    return bind_one(binder, scope, is_null ? "is null" : "is not null", test->arg, test->location, out, why);
}

static status bind_boolean_test(struct binder *binder, struct bind_scope *scope,
                                const PgQuery__BooleanTest *test, const struct sql_expression **out,
                                error *why)
{
    static const char *const forms[] = {NULL,           "is true",    "is not true",   "is false",
                                        "is not false", "is unknown", "is not unknown"};
    return bind_one(binder, scope, forms[test->booltesttype], test->arg, test->location, out, why);
}

/* ---- Choices ---- */

/* CASE x WHEN a THEN ... compares x = a. */
static status bind_when(struct binder *binder, struct bind_scope *scope, const struct sql_expression *operand,
                        const PgQuery__CaseWhen *when, const struct sql_expression **pair, error *why)
{
    TRY(bind_expression(binder, scope, when->expr, &pair[0], why));
    if (operand != NULL)
        TRY(sql_call2(&binder->builder, "=", operand, pair[0],
                      sql_parsed_position(binder->parsed, when->location), &pair[0], why));
    return bind_expression(binder, scope, when->result, &pair[1], why);
}

static status bind_case(struct binder *binder, struct bind_scope *scope, const PgQuery__CaseExpr *choice,
                        const struct sql_expression **out, error *why)
{
    int position = sql_parsed_position(binder->parsed, choice->location);
    size_t count = 2 * choice->n_args + 1;
    void *memory = NULL;
    TRY(arena_take(binder->builder.arena, count * sizeof *out, &memory, why));
    const struct sql_expression **arguments = memory;
    const struct sql_expression *operand = NULL;
    if (choice->arg != NULL)
        TRY(bind_expression(binder, scope, choice->arg, &operand, why));
    for (size_t i = 0; i < choice->n_args; i++)
        TRY(bind_when(binder, scope, operand, choice->args[i]->case_when, &arguments[2 * i], why));
    if (choice->defresult != NULL)
        TRY(bind_expression(binder, scope, choice->defresult, &arguments[count - 1], why));
    else
        TRY(sql_literal(&binder->builder, &(struct sql_value){.type = SQL_UNKNOWN, .null = true}, position,
                        &arguments[count - 1], why));
    return sql_case(&binder->builder, arguments, count, position, out, why);
}

static status bind_cast(struct binder *binder, struct bind_scope *scope, const PgQuery__TypeCast *cast,
                        const struct sql_expression **out, error *why)
{
    enum sql_type type = SQL_UNKNOWN;
    int scale = 0;
    const struct sql_expression *argument = NULL;
    TRY(bind_type(binder, cast->type_name, &type, &scale, why));
    TRY(bind_expression(binder, scope, cast->arg, &argument, why));
    return sql_cast(&binder->builder, argument, type, scale,
                    sql_parsed_position(binder->parsed, cast->location), out, why);
}

/* ---- What only the surroundings know ---- */

static status refuse_here(struct binder *binder, struct bind_scope *scope, const char *what, int location,
                          error *why)
{
    return sql_refuse(why, sql_parsed_position(binder->parsed, location), "%s are not allowed in %s", what,
                      scope->where);
}

static status bind_column(struct binder *binder, struct bind_scope *scope,
                          const PgQuery__ColumnRef *reference, const struct sql_expression **out, error *why)
{
    if (scope->column == NULL)
        return refuse_here(binder, scope, "columns", reference->location, why);
    return scope->column(binder, scope, reference, out, why);
}

static status bind_sublink(struct binder *binder, struct bind_scope *scope, const PgQuery__SubLink *link,
                           const struct sql_expression **out, error *why)
{
    if (scope->sublink == NULL)
        return refuse_here(binder, scope, "sub-selects", link->location, why);
    return scope->sublink(binder, scope, link, out, why);
}

static status bind_grouping(struct binder *binder, struct bind_scope *scope,
                            const PgQuery__GroupingFunc *call, const struct sql_expression **out, error *why)
{
    if (scope->grouping == NULL)
        return refuse_here(binder, scope, "calls of GROUPING", call->location, why);
    return scope->grouping(binder, scope, call, out, why);
}

static status bind_call(struct binder *binder, struct bind_scope *scope, const PgQuery__FuncCall *call,
                        const struct sql_expression **out, error *why)
{
    if (call->over != NULL) {
        if (scope->window == NULL)
            return refuse_here(binder, scope, "window functions", call->location, why);
        return scope->window(binder, scope, call, out, why);
    }
    if (bind_is_aggregate(call)) {
        if (scope->aggregate == NULL)
            return refuse_here(binder, scope, "aggregate functions", call->location, why);
        return scope->aggregate(binder, scope, call, out, why);
    }
    return bind_function(binder, scope, call, out, why);
}

/* ---- What there is not ---- */

static status refuse_node(struct binder *binder, const PgQuery__Node *node, error *why)
{
    int position = bind_position(binder, node);
    switch (node->node_case) {
    case PG_QUERY__NODE__NODE_SQLVALUE_FUNCTION:
        return sql_refuse(
            why, position,
            "the answer would depend on the clock or the session; write the date or name itself");
    case PG_QUERY__NODE__NODE_PARAM_REF:
        return sql_refuse(why, position, "parameters are not available; write the value itself");
    case PG_QUERY__NODE__NODE_COLLATE_CLAUSE:
        return sql_refuse(why, position, "text is always compared by its bytes; COLLATE is not available");
    case PG_QUERY__NODE__NODE_ROW_EXPR:
        return sql_refuse(why, position, "rows are not values here; compare the columns one by one with AND");
    case PG_QUERY__NODE__NODE_A_ARRAY_EXPR:
    case PG_QUERY__NODE__NODE_A_INDIRECTION:
        return sql_refuse(why, position, "arrays are available as = ANY(ARRAY[...]) of constants alone");
    case PG_QUERY__NODE__NODE_XML_EXPR:
    case PG_QUERY__NODE__NODE_XML_SERIALIZE:
        return sql_refuse(why, position, "XML is not available in questions");
    case PG_QUERY__NODE__NODE_SET_TO_DEFAULT:
        return sql_refuse(why, position, "DEFAULT is not a value");
    case PG_QUERY__NODE__NODE_NAMED_ARG_EXPR:
        return sql_refuse(why, position, "named arguments are not available for this function");
    default:
        return sql_refuse(why, position, "%s is not available in questions", bind_node_name(node));
    }
}

static status bind_node(struct binder *binder, struct bind_scope *scope, const PgQuery__Node *node,
                        const struct sql_expression **out, error *why)
{
    switch (node->node_case) {
    case PG_QUERY__NODE__NODE_A_CONST:
        return bind_constant(binder, node->a_const, out, why);
    case PG_QUERY__NODE__NODE_COLUMN_REF:
        return bind_column(binder, scope, node->column_ref, out, why);
    case PG_QUERY__NODE__NODE_A_EXPR:
        return bind_operator(binder, scope, node->a_expr, out, why);
    case PG_QUERY__NODE__NODE_BOOL_EXPR:
        return bind_logic(binder, scope, node->bool_expr, out, why);
    case PG_QUERY__NODE__NODE_NULL_TEST:
        return bind_null_test(binder, scope, node->null_test, out, why);
    case PG_QUERY__NODE__NODE_BOOLEAN_TEST:
        return bind_boolean_test(binder, scope, node->boolean_test, out, why);
    case PG_QUERY__NODE__NODE_CASE_EXPR:
        return bind_case(binder, scope, node->case_expr, out, why);
    case PG_QUERY__NODE__NODE_COALESCE_EXPR:
        return bind_plain(binder, scope, "coalesce", node->coalesce_expr->args, node->coalesce_expr->n_args,
                          node->coalesce_expr->location, out, why);
    case PG_QUERY__NODE__NODE_MIN_MAX_EXPR:
        return bind_plain(
            binder, scope, node->min_max_expr->op == PG_QUERY__MIN_MAX_OP__IS_GREATEST ? "greatest" : "least",
            node->min_max_expr->args, node->min_max_expr->n_args, node->min_max_expr->location, out, why);
    case PG_QUERY__NODE__NODE_TYPE_CAST:
        return bind_cast(binder, scope, node->type_cast, out, why);
    case PG_QUERY__NODE__NODE_FUNC_CALL:
        return bind_call(binder, scope, node->func_call, out, why);
    case PG_QUERY__NODE__NODE_SUB_LINK:
        return bind_sublink(binder, scope, node->sub_link, out, why);
    case PG_QUERY__NODE__NODE_GROUPING_FUNC:
        return bind_grouping(binder, scope, node->grouping_func, out, why);
    default:
        return refuse_node(binder, node, why);
    }
}

status bind_expression(struct binder *binder, struct bind_scope *scope, const PgQuery__Node *node,
                       const struct sql_expression **out, error *why)
{
    if (binder->depth >= SQL_MOST_DEPTH)
        return sql_refuse(why, bind_position(binder, node), "the expression is nested too deeply");
    const struct sql_expression *known = NULL;
    if (scope->known != NULL)
        TRY(scope->known(binder, scope, node, &known, why));
    if (known != NULL) {
        *out = known;
        return DITHER_OK;
    }
    binder->depth++;
    status code = bind_node(binder, scope, node, out, why);
    binder->depth--;
    return code;
}
