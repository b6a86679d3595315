/* IN, EXISTS and their negations in WHERE and HAVING: semi joins.
 *
 * x NOT IN (SELECT y ...) keeps a row when no y equals x, and none might: a NULL on either side makes the
 * comparison unknown, and the row goes. So the anti join's condition is "not false" instead of "true". Units are
 * never NULL: rows without one were left out at the scan, and sway nothing. */
#include "sql/bind_room.h"

#include <string.h>

/* A conjunct taken apart. */
struct membership {
    const PgQuery__SubLink *link;
    bool negated;
    bool exists;
};

static bool is_operator(const PgQuery__SubLink *link, const char *name)
{
    return link->n_oper_name == 1 && strcmp(link->oper_name[0]->string->sval, name) == 0;
}

static bool take_apart(const PgQuery__Node *node, struct membership *out)
{
    *out = (struct membership){.negated = false};
    while (node->node_case == PG_QUERY__NODE__NODE_BOOL_EXPR &&
           node->bool_expr->boolop == PG_QUERY__BOOL_EXPR_TYPE__NOT_EXPR) {
        out->negated = !out->negated;
        node = node->bool_expr->args[0];
    }
    if (node->node_case != PG_QUERY__NODE__NODE_SUB_LINK)
        return false;
    out->link = node->sub_link;
    switch (out->link->sub_link_type) {
    case PG_QUERY__SUB_LINK_TYPE__EXISTS_SUBLINK:
        out->exists = true;
        return true;
    case PG_QUERY__SUB_LINK_TYPE__ANY_SUBLINK:
        return out->link->n_oper_name == 0 || is_operator(out->link, "=");
    case PG_QUERY__SUB_LINK_TYPE__ALL_SUBLINK:
        out->negated = !out->negated;
        return is_operator(out->link, "<>");
    default:
        return false;
    }
}

bool bind_is_semi_join(const PgQuery__Node *node)
{
    struct membership membership;
    return take_apart(node, &membership);
}

/* ---- The sub-select ---- */

/* Its rows are those of its FROM and WHERE: DISTINCT and ORDER BY decide nothing here. */
static status is_simple(struct binder *binder, const PgQuery__SelectStmt *select, bool *out, error *why)
{
    struct bind_calls_found found = {.sublink = false};
    *out = false;
    for (size_t i = 0; i < select->n_target_list; i++)
        TRY(bind_find_calls(binder, select->target_list[i], &found, why));
    *out = select->op == PG_QUERY__SET_OPERATION__SETOP_NONE && select->with_clause == NULL &&
           select->n_from_clause > 0 && select->n_group_clause == 0 && select->having_clause == NULL &&
           select->n_values_lists == 0 && select->limit_count == NULL && select->limit_offset == NULL &&
           found.aggregate_count == 0 && found.window_count == 0;
    return DITHER_OK;
}

/* What the sub-select gives: its relation, its columns over (left, relation), and what its WHERE asks of both. */
struct inside {
    const struct sql_relation *relation, *pair;
    const struct sql_expression **values;
    size_t value_count;
    const struct sql_expression *condition;
};

static status bind_simple(struct binder *binder, const struct bind_level *level,
                          const PgQuery__SelectStmt *select, bool exists, struct inside *out, error *why)
{
    struct bind_correlation correlation = {level, NULL};
    struct bind_from from;
    struct bind_targets targets = {.count = 0};
    struct bind_level both;
    TRY(bind_from_where(binder, select, &correlation, &from, why));
    out->relation = from.relation;
    out->condition = correlation.condition;
    TRY(bind_pair(binder, level->relation, from.relation, &out->pair, why));
    if (exists)
        return DITHER_OK;
    TRY(bind_targets(binder, select, &from.names, &targets, why));
    TRY(relation_take(&binder->builder, targets.count, sizeof *out->values, &out->values, why));
    bind_level_init(&both, "the select list", out->pair, &from.names);
    both.shift = level->relation->column_count;
    both.outer = level->names;
    for (size_t i = 0; i < targets.count; i++)
        TRY(bind_target_expression(binder, &both, &targets.list[i], &out->values[i], why));
    out->value_count = targets.count;
    return DITHER_OK;
}

static status bind_whole(struct binder *binder, const struct bind_level *level,
                         const PgQuery__SelectStmt *select, struct inside *out, error *why)
{
    TRY(bind_query(binder, select, &out->relation, why));
    TRY(bind_pair(binder, level->relation, out->relation, &out->pair, why));
    TRY(relation_take(&binder->builder, out->relation->column_count, sizeof *out->values, &out->values, why));
    for (size_t i = 0; i < out->relation->column_count; i++)
        if (!out->relation->columns[i].hidden)
            TRY(sql_column_of(&binder->builder, out->pair, level->relation->column_count + i, -1,
                              &out->values[out->value_count++], why));
    return DITHER_OK;
}

static status bind_inside(struct binder *binder, const struct bind_level *level,
                          const struct membership *membership, struct inside *out, error *why)
{
    const PgQuery__SelectStmt *select = membership->link->subselect->select_stmt;
    struct bind_outer outer = {level->names, binder->outer};
    bool simple = false;
    TRY(is_simple(binder, select, &simple, why));
    binder->outer = &outer;
    status result = simple && level->grouped == NULL
                        ? bind_simple(binder, level, select, membership->exists, out, why)
                        : bind_whole(binder, level, select, out, why);
    binder->outer = outer.next;
    return result;
}

/* ---- The condition ---- */

/* x, or the parts of (x, y). */
static status bind_tested(struct binder *binder, struct bind_level *level, const PgQuery__SubLink *link,
                          const struct sql_expression ***out, size_t *count, error *why)
{
    const PgQuery__Node *node = link->testexpr;
    bool row = node->node_case == PG_QUERY__NODE__NODE_ROW_EXPR;
    size_t parts = row ? node->row_expr->n_args : 1;
    const struct sql_expression **tested = NULL;
    TRY(relation_take(&binder->builder, parts, sizeof *tested, &tested, why));
    for (size_t i = 0; i < parts; i++)
        TRY(bind_expression(binder, &level->scope, row ? node->row_expr->args[i] : node, &tested[i], why));
    *out = tested;
    *count = parts;
    return DITHER_OK;
}

static bool is_unit_pair(const struct bind_level *level, const struct inside *inside,
                         const struct sql_expression *tested, const struct sql_expression *value)
{
    size_t border = level->relation->column_count;
    return relation_is_unit(level->relation, tested) && value->kind == SQL_COLUMN &&
           value->column >= border && inside->relation->place == SQL_TAGGED &&
           inside->relation->columns[value->column - border].unit;
}

static status equate(struct binder *binder, struct bind_level *level, const struct membership *membership,
                     const struct inside *inside, const struct sql_expression **out, error *why)
{
    const struct sql_expression **tested = NULL, *all = NULL, *equal = NULL;
    size_t count = 0;
    bool perhaps = false;
    int position = bind_at(binder, membership->link->location);
    TRY(bind_tested(binder, level, membership->link, &tested, &count, why));
    if (count != inside->value_count)
        return sql_refuse(why, position, "subquery has too %s columns",
                          inside->value_count > count ? "many" : "few");
    for (size_t i = 0; i < count; i++) {
        TRY(sql_call2(&binder->builder, "=", tested[i], inside->values[i], position, &equal, why));
        TRY(bind_and(binder, all, equal, &all, why));
        if (!is_unit_pair(level, inside, tested[i], inside->values[i]))
            perhaps = perhaps || tested[i]->nullable || inside->values[i]->nullable;
    }
    if (membership->negated && perhaps)
        TRY(sql_call(&binder->builder, "is not false", &all, 1, position, &all, why));
    *out = all;
    return DITHER_OK;
}

status bind_semi_join(struct binder *binder, struct bind_level *level, const PgQuery__Node *node, error *why)
{
    struct membership membership;
    struct inside inside = {.relation = NULL};
    const struct sql_expression *condition = NULL;
    if (!take_apart(node, &membership))
        return sql_refuse(why, bind_position(binder, node), "this is neither IN nor EXISTS");
    TRY(bind_inside(binder, level, &membership, &inside, why));
    if (!membership.exists)
        TRY(equate(binder, level, &membership, &inside, &condition, why));
    TRY(bind_and(binder, inside.condition, condition, &condition, why));
    return sql_semi_join(&binder->builder, membership.negated, level->relation, inside.relation, condition,
                         bind_at(binder, membership.link->location), &level->relation, why);
}
