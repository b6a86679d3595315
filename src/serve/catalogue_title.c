/* The name of a column without AS, as PostgreSQL's FigureColname gives it: tools read columns by it. */
#include <string.h>

#include "serve/catalogue_parts.h"

static const char *text_of(const PgQuery__Node *node)
{
    return node->node_case == PG_QUERY__NODE__NODE_STRING ? node->string->sval : NULL;
}

static const char *last_of(PgQuery__Node *const *names, size_t count)
{
    return count > 0 ? text_of(names[count - 1]) : NULL;
}

/* How sure the name is: a cast's type and CASE yield to anything better. */
static int figure(const PgQuery__Node *value, const char **name);

static int figure_sublink(const PgQuery__SubLink *link, const char **name)
{
    if (link->sub_link_type == PG_QUERY__SUB_LINK_TYPE__EXISTS_SUBLINK ||
        link->sub_link_type == PG_QUERY__SUB_LINK_TYPE__ARRAY_SUBLINK) {
        *name = link->sub_link_type == PG_QUERY__SUB_LINK_TYPE__EXISTS_SUBLINK ? "exists" : "array";
        return 2;
    }
    const PgQuery__Node *select = link->subselect;
    if (link->sub_link_type != PG_QUERY__SUB_LINK_TYPE__EXPR_SUBLINK || select == NULL ||
        select->node_case != PG_QUERY__NODE__NODE_SELECT_STMT || select->select_stmt->n_target_list == 0)
        return 0;
    const PgQuery__Node *target = select->select_stmt->target_list[0];
    if (target->node_case != PG_QUERY__NODE__NODE_RES_TARGET)
        return 0;
    if (target->res_target->name != NULL && target->res_target->name[0] != '\0') {
        *name = target->res_target->name;
        return 2;
    }
    return target->res_target->val != NULL ? figure(target->res_target->val, name) : 0;
}

static int figure_cast(const PgQuery__TypeCast *cast, const char **name)
{
    int sure = cast->arg != NULL ? figure(cast->arg, name) : 0;
    if (sure <= 1 && cast->type_name != NULL) {
        const char *type = last_of(cast->type_name->names, cast->type_name->n_names);
        if (type != NULL) {
            *name = type;
            return 1;
        }
    }
    return sure;
}

static const char *value_function(PgQuery__SQLValueFunctionOp op)
{
    switch (op) {
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_DATE:
        return "current_date";
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_TIMESTAMP:
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_TIMESTAMP_N:
        return "current_timestamp";
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_ROLE:
        return "current_role";
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_USER:
        return "current_user";
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_USER:
        return "user";
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_SESSION_USER:
        return "session_user";
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_CATALOG:
        return "current_catalog";
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_SCHEMA:
        return "current_schema";
    default:
        return "localtime";
    }
}

static int sure_of(const char **name, const char *text)
{
    if (text != NULL)
        *name = text;
    return text != NULL ? 2 : 0;
}

static int figure(const PgQuery__Node *value, const char **name)
{
    switch (value->node_case) {
    case PG_QUERY__NODE__NODE_COLUMN_REF:
        return sure_of(name, last_of(value->column_ref->fields, value->column_ref->n_fields));
    case PG_QUERY__NODE__NODE_A_INDIRECTION: {
        const PgQuery__AIndirection *path = value->a_indirection;
        for (size_t i = path->n_indirection; i > 0; i--)
            if (text_of(path->indirection[i - 1]) != NULL)
                return sure_of(name, text_of(path->indirection[i - 1]));
        return path->arg != NULL ? figure(path->arg, name) : 0;
    }
    case PG_QUERY__NODE__NODE_FUNC_CALL:
        return sure_of(name, last_of(value->func_call->funcname, value->func_call->n_funcname));
    case PG_QUERY__NODE__NODE_A_EXPR:
        return sure_of(name, value->a_expr->kind == PG_QUERY__A__EXPR__KIND__AEXPR_NULLIF ? "nullif" : NULL);
    case PG_QUERY__NODE__NODE_TYPE_CAST:
        return figure_cast(value->type_cast, name);
    case PG_QUERY__NODE__NODE_COLLATE_CLAUSE:
        return value->collate_clause->arg != NULL ? figure(value->collate_clause->arg, name) : 0;
    case PG_QUERY__NODE__NODE_SUB_LINK:
        return figure_sublink(value->sub_link, name);
    case PG_QUERY__NODE__NODE_CASE_EXPR: {
        int sure = value->case_expr->defresult != NULL ? figure(value->case_expr->defresult, name) : 0;
        if (sure <= 1)
            *name = "case";
        return sure <= 1 ? 1 : sure;
    }
    case PG_QUERY__NODE__NODE_A_ARRAY_EXPR:
        return sure_of(name, "array");
    case PG_QUERY__NODE__NODE_ROW_EXPR:
        return sure_of(name, "row");
    case PG_QUERY__NODE__NODE_COALESCE_EXPR:
        return sure_of(name, "coalesce");
    case PG_QUERY__NODE__NODE_MIN_MAX_EXPR:
        return sure_of(name,
                       value->min_max_expr->op == PG_QUERY__MIN_MAX_OP__IS_GREATEST ? "greatest" : "least");
    case PG_QUERY__NODE__NODE_SQLVALUE_FUNCTION:
        return sure_of(name, value_function(value->sqlvalue_function->op));
    default:
        return 0;
    }
}

const char *catalogue_column_name(const PgQuery__Node *value)
{
    const char *name = "?column?";
    if (value->node_case == PG_QUERY__NODE__NODE_COLUMN_REF) {
        const PgQuery__ColumnRef *column = value->column_ref;
        if (last_of(column->fields, column->n_fields) == NULL)
            return NULL; /* a star */
    }
    (void)figure(value, &name);
    return name;
}
