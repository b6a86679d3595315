/* Operators, and the forms of PostgreSQL's grammar that are operators in disguise. */
#include <string.h>

#include "sql/bind_parts.h"

static const char *operator_name(const PgQuery__AExpr *expression)
{
    size_t last = expression->n_name;
    return last > 0 && expression->name[last - 1]->node_case == PG_QUERY__NODE__NODE_STRING
               ? expression->name[last - 1]->string->sval
               : "";
}

static bool is_row(const PgQuery__Node *node)
{
    return node != NULL && node->node_case == PG_QUERY__NODE__NODE_ROW_EXPR;
}

static status refuse_operator(const char *name, int position, error *why)
{
    if (strchr(name, '~') != NULL)
        return sql_refuse(why, position,
                          "regular expressions are not available; use LIKE, ILIKE, starts_with() "
                          "or position()");
    return sql_refuse(why, position, "operator %.20s is not available in questions", name);
}

static bool is_known(const char *name)
{
    static const char *const known[] = {"+", "-", "*", "/", "%", "^", "=", "<>", "<", "<=", ">", ">=", "||"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i], name) == 0)
            return true;
    return false;
}

static status bind_plain_operator(struct binder *binder, struct bind_scope *scope,
                                  const PgQuery__AExpr *expression, const char *name, int position,
                                  const struct sql_expression **out, error *why)
{
    const struct sql_expression *arguments[2];
    size_t count = 0;
    if (expression->n_name > 1)
        return sql_refuse(why, position, "OPERATOR(...) is not available in questions");
    if (!is_known(name))
        return refuse_operator(name, position, why);
    if (expression->lexpr != NULL)
        TRY(bind_expression(binder, scope, expression->lexpr, &arguments[count++], why));
    TRY(bind_expression(binder, scope, expression->rexpr, &arguments[count++], why));
    return sql_call(&binder->builder, name, arguments, count, position, out, why);
}

/* x op y by its name in the list. */
static status bind_named(struct binder *binder, struct bind_scope *scope, const PgQuery__AExpr *expression,
                         const char *name, int position, const struct sql_expression **out, error *why)
{
    const struct sql_expression *left = NULL, *right = NULL;
    TRY(bind_expression(binder, scope, expression->lexpr, &left, why));
    TRY(bind_expression(binder, scope, expression->rexpr, &right, why));
    return sql_call2(&binder->builder, name, left, right, position, out, why);
}

/* x followed by a list: IN and BETWEEN. */
static status bind_with_list(struct binder *binder, struct bind_scope *scope, PgQuery__Node *left,
                             PgQuery__Node *const *items, size_t count, const char *name, int position,
                             const struct sql_expression **out, error *why)
{
    void *memory = NULL;
    TRY(arena_take(binder->builder.arena, (count + 1) * sizeof *out, &memory, why));
    const struct sql_expression **arguments = memory;
    TRY(bind_expression(binder, scope, left, &arguments[0], why));
    for (size_t i = 0; i < count; i++)
        TRY(bind_expression(binder, scope, items[i], &arguments[i + 1], why));
    return sql_call(&binder->builder, name, arguments, count + 1, position, out, why);
}

/* ---- = ANY ('{a,b}'), <> ALL (ARRAY[1, 2]) ---- */

/* The elements of '{...}', as quoted literals. */
static status read_array(struct binder *binder, const char *text, int position,
                         const struct sql_expression **list, size_t *count, error *why)
{
    size_t length = strlen(text);
    if (length < 2 || text[0] != '{' || text[length - 1] != '}')
        return sql_refuse(why, position, "malformed array literal; write ARRAY[...] or '{a,b}'");
    const char *at = text + 1, *end = text + length - 1;
    if (memchr(at, '"', (size_t)(end - at)) != NULL || memchr(at, '\\', (size_t)(end - at)) != NULL ||
        memchr(at, '{', (size_t)(end - at)) != NULL)
        return sql_refuse(why, position, "quotes in an array literal are not available; write ARRAY[...]");
    while (at < end) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *stop = comma == NULL ? end : comma;
        while (at < stop && *at == ' ')
            at++;
        const char *tail = stop;
        while (tail > at && tail[-1] == ' ')
            tail--;
        char *element = NULL;
        TRY(arena_text(binder->builder.arena, at, (size_t)(tail - at), &element, why));
        struct sql_value value = {
            .type = SQL_UNKNOWN, .text = element, .null = strcasecmp(element, "null") == 0};
        TRY(sql_literal(&binder->builder, &value, position, &list[(*count)++], why));
        at = stop + 1;
    }
    return DITHER_OK;
}

static status bind_array(struct binder *binder, struct bind_scope *scope, const PgQuery__Node *node,
                         const struct sql_expression *left, const char *name, int position,
                         const struct sql_expression **out, error *why)
{
    if (node->node_case == PG_QUERY__NODE__NODE_TYPE_CAST) /* '{...}'::text[]: the elements take x's type */
        node = node->type_cast->arg;
    const struct sql_expression **list = NULL;
    size_t count = 1;
    if (node->node_case == PG_QUERY__NODE__NODE_A_ARRAY_EXPR) {
        const PgQuery__AArrayExpr *array = node->a_array_expr;
        void *memory = NULL;
        TRY(arena_take(binder->builder.arena, (array->n_elements + 1) * sizeof *out, &memory, why));
        list = memory;
        for (size_t i = 0; i < array->n_elements; i++)
            TRY(bind_expression(binder, scope, array->elements[i], &list[count++], why));
    } else if (node->node_case == PG_QUERY__NODE__NODE_A_CONST &&
               node->a_const->val_case == PG_QUERY__A__CONST__VAL_SVAL && !node->a_const->isnull) {
        const char *text = node->a_const->sval->sval;
        void *memory = NULL;
        TRY(arena_take(binder->builder.arena, (strlen(text) + 2) * sizeof *out, &memory, why));
        list = memory;
        TRY(read_array(binder, text, position, list, &count, why));
    } else {
        return sql_refuse(why, position, "= ANY takes ARRAY[...] or '{a,b}'");
    }
    list[0] = left;
    if (count == 1) /* of none */
        return sql_literal(&binder->builder,
                           &(struct sql_value){.type = SQL_BOOLEAN, .whole = strcmp(name, "not in") == 0},
                           position, out, why);
    return sql_call(&binder->builder, name, list, count, position, out, why);
}

static status bind_any(struct binder *binder, struct bind_scope *scope, const PgQuery__AExpr *expression,
                       const char *name, int position, const struct sql_expression **out, error *why)
{
    bool any = expression->kind == PG_QUERY__A__EXPR__KIND__AEXPR_OP_ANY;
    bool in = any && strcmp(name, "=") == 0, not_in = !any && strcmp(name, "<>") == 0;
    if (!in && !not_in)
        return sql_refuse(why, position, "only = ANY and <> ALL are available");
    const struct sql_expression *left = NULL;
    TRY(bind_expression(binder, scope, expression->lexpr, &left, why));
    return bind_array(binder, scope, expression->rexpr, left, in ? "in" : "not in", position, out, why);
}

/* ---- LIKE ---- */

/* LIKE p ESCAPE e arrives as like_escape(p, e): rewritten for the backslash, which is our escape. */
static status escape_pattern(struct binder *binder, const PgQuery__FuncCall *call, int position,
                             const struct sql_expression **out, error *why)
{
    const char *texts[2];
    for (size_t i = 0; i < 2; i++) {
        const PgQuery__Node *node = call->n_args == 2 ? call->args[i] : NULL;
        if (node == NULL || node->node_case != PG_QUERY__NODE__NODE_A_CONST || node->a_const->isnull ||
            node->a_const->val_case != PG_QUERY__A__CONST__VAL_SVAL)
            return sql_refuse(why, position, "pattern and ESCAPE must be constants");
        texts[i] = node->a_const->sval->sval;
    }
    if (strlen(texts[1]) > 1)
        return sql_refuse(why, position, "ESCAPE takes one character of ASCII, or none");
    char escape = texts[1][0];
    void *memory = NULL;
    TRY(arena_take(binder->builder.arena, 2 * strlen(texts[0]) + 1, &memory, why));
    char *pattern = memory, *to = pattern;
    for (const char *from = texts[0]; *from != '\0'; from++) {
        if (escape != '\0' && *from == escape) {
            if (*++from == '\0')
                return sql_refuse(why, position, "LIKE pattern must not end with escape character");
            *to++ = '\\';
        } else if (*from == '\\') {
            *to++ = '\\';
        }
        *to++ = *from;
    }
    *to = '\0';
    return sql_literal(&binder->builder, &(struct sql_value){.type = SQL_TEXT, .text = pattern}, position,
                       out, why);
}

static bool is_like_escape(const PgQuery__Node *node)
{
    return node->node_case == PG_QUERY__NODE__NODE_FUNC_CALL && node->func_call->n_funcname > 0 &&
           strcmp(node->func_call->funcname[node->func_call->n_funcname - 1]->string->sval, "like_escape") ==
               0;
}

static status bind_like(struct binder *binder, struct bind_scope *scope, const PgQuery__AExpr *expression,
                        const char *name, int position, const struct sql_expression **out, error *why)
{
    bool fold = expression->kind == PG_QUERY__A__EXPR__KIND__AEXPR_ILIKE;
    const char *kind = name[0] == '!' ? (fold ? "not ilike" : "not like") : fold ? "ilike" : "like";
    const struct sql_expression *left = NULL, *pattern = NULL;
    TRY(bind_expression(binder, scope, expression->lexpr, &left, why));
    if (is_like_escape(expression->rexpr))
        TRY(escape_pattern(binder, expression->rexpr->func_call, position, &pattern, why));
    else
        TRY(bind_expression(binder, scope, expression->rexpr, &pattern, why));
    if (pattern->kind != SQL_LITERAL)
        return sql_refuse(why, position, "the pattern of LIKE must be a constant");
    return sql_call2(&binder->builder, kind, left, pattern, position, out, why);
}

status bind_operator(struct binder *binder, struct bind_scope *scope, const PgQuery__AExpr *expression,
                     const struct sql_expression **out, error *why)
{
    int position = sql_parsed_position(binder->parsed, expression->location);
    const char *name = operator_name(expression);
    if (is_row(expression->lexpr) || is_row(expression->rexpr))
        return sql_refuse(why, position, "rows are not values here; compare the columns one by one with AND");
    const PgQuery__List *list =
        expression->rexpr != NULL && expression->rexpr->node_case == PG_QUERY__NODE__NODE_LIST
            ? expression->rexpr->list
            : NULL;
    switch (expression->kind) {
    case PG_QUERY__A__EXPR__KIND__AEXPR_OP:
        return bind_plain_operator(binder, scope, expression, name, position, out, why);
    case PG_QUERY__A__EXPR__KIND__AEXPR_OP_ANY:
    case PG_QUERY__A__EXPR__KIND__AEXPR_OP_ALL:
        return bind_any(binder, scope, expression, name, position, out, why);
    case PG_QUERY__A__EXPR__KIND__AEXPR_DISTINCT:
        return bind_named(binder, scope, expression, "is distinct from", position, out, why);
    case PG_QUERY__A__EXPR__KIND__AEXPR_NOT_DISTINCT:
        return bind_named(binder, scope, expression, "is not distinct from", position, out, why);
    case PG_QUERY__A__EXPR__KIND__AEXPR_NULLIF:
        return bind_named(binder, scope, expression, "nullif", position, out, why);
    case PG_QUERY__A__EXPR__KIND__AEXPR_IN:
        if (list == NULL)
            break;
        return bind_with_list(binder, scope, expression->lexpr, list->items, list->n_items,
                              strcmp(name, "=") == 0 ? "in" : "not in", position, out, why);
    case PG_QUERY__A__EXPR__KIND__AEXPR_BETWEEN:
    case PG_QUERY__A__EXPR__KIND__AEXPR_NOT_BETWEEN:
        if (list == NULL || list->n_items != 2)
            break;
        return bind_with_list(binder, scope, expression->lexpr, list->items, 2,
                              expression->kind == PG_QUERY__A__EXPR__KIND__AEXPR_BETWEEN ? "between"
                                                                                         : "not between",
                              position, out, why);
    case PG_QUERY__A__EXPR__KIND__AEXPR_LIKE:
    case PG_QUERY__A__EXPR__KIND__AEXPR_ILIKE:
        return bind_like(binder, scope, expression, name, position, out, why);
    case PG_QUERY__A__EXPR__KIND__AEXPR_SIMILAR:
        return refuse_operator("~", position, why);
    default:
        break;
    }
    return sql_refuse(why, position,
                      "this operator is not available in questions; BETWEEN takes its bounds in "
                      "order");
}
