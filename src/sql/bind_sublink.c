/* Sub-selects inside expressions: one value, public or released. */
#include "sql/bind_room.h"

static status bind_inner(struct binder *binder, const struct bind_level *level, const PgQuery__SubLink *link,
                         const struct sql_relation **out, error *why)
{
    struct bind_outer outer = {level->names, binder->outer};
    binder->outer = &outer;
    status result = bind_query(binder, link->subselect->select_stmt, out, why);
    binder->outer = outer.next;
    if (result != DITHER_OK || (*out)->place != SQL_TAGGED)
        return result;
    return sql_refuse(
        why, bind_at(binder, link->location),
        "a sub-select in an expression must give one value that is released or public, and this one "
        "gives private rows: aggregate it without the unit among its keys, or, for a value of each "
        "unit, join with (SELECT unit, ... GROUP BY unit)");
}

/* Leaves out the columns that ORDER BY added. */
static status only_visible(struct binder *binder, const struct sql_relation **relation, int position,
                           error *why)
{
    const struct sql_expression *value = NULL;
    const char *name = NULL;
    size_t count = 0;
    for (size_t i = 0; i < (*relation)->column_count; i++) {
        if ((*relation)->columns[i].hidden)
            continue;
        TRY(sql_column_of(&binder->builder, *relation, i, position, &value, why));
        name = (*relation)->columns[i].name;
        count++;
    }
    if (count != 1)
        return sql_refuse(why, position, "subquery must return only one column");
    if ((*relation)->column_count == 1)
        return DITHER_OK;
    return sql_project(&binder->builder, *relation, &value, &name, NULL, 1, position, relation, why);
}

/* ---- The same words are the same value ----
 *
 * A sub-select that stands in a question twice, word for word and with the same WITH in sight, is one: its releases
 * are drawn once, and a grouping expression with one in it is found again in the select list. */

struct bind_value {
    const PgQuery__SelectStmt *select;
    PgQuery__SubLinkType kind;
    const struct bind_cte *ctes;
    const struct sql_relation *relation;
    const struct bind_value *next;
};

static const struct sql_relation *find_value(const struct binder *binder, const PgQuery__SubLink *link)
{
    if (link->subselect == NULL || link->subselect->node_case != PG_QUERY__NODE__NODE_SELECT_STMT)
        return NULL;
    const PgQuery__SelectStmt *select = link->subselect->select_stmt;
    for (const struct bind_value *value = binder->values; value != NULL; value = value->next)
        if (value->kind == link->sub_link_type && value->ctes == binder->ctes &&
            bind_same_tree(&value->select->base, &select->base))
            return value->relation;
    return NULL;
}

bool bind_is_bound_value(const struct binder *binder, const PgQuery__SubLink *link)
{
    return find_value(binder, link) != NULL;
}

static status keep_value(struct binder *binder, const PgQuery__SubLink *link,
                         const struct sql_relation *relation, error *why)
{
    struct bind_value *value = NULL;
    TRY(relation_take(&binder->builder, 1, sizeof *value, &value, why));
    *value = (struct bind_value){.select = link->subselect->select_stmt,
                                 .kind = link->sub_link_type,
                                 .ctes = binder->ctes,
                                 .relation = relation,
                                 .next = binder->values};
    binder->values = value;
    return DITHER_OK;
}

/* For EXISTS: SELECT count(*) FROM ... */
static status count_rows(struct binder *binder, const struct sql_relation **relation, int position,
                         error *why)
{
    struct sql_aggregate *count = NULL;
    TRY(relation_take(&binder->builder, 1, sizeof *count, &count, why));
    count->kind = SQL_COUNT_ROWS;
    return sql_group(&binder->builder, *relation, NULL, 0, count, 1, position, relation, why);
}

/* The relation with the one value. */
static status bind_value(struct binder *binder, const struct bind_level *level, const PgQuery__SubLink *link,
                         int position, const struct sql_relation **out, error *why)
{
    const struct sql_relation *relation = find_value(binder, link);
    if (relation == NULL) {
        TRY(bind_inner(binder, level, link, &relation, why));
        if (link->sub_link_type == PG_QUERY__SUB_LINK_TYPE__EXISTS_SUBLINK)
            TRY(count_rows(binder, &relation, position, why));
        else
            TRY(only_visible(binder, &relation, position, why));
        TRY(keep_value(binder, link, relation, why));
    }
    *out = relation;
    return DITHER_OK;
}

status bind_scalar_sublink(struct binder *binder, struct bind_scope *scope, const PgQuery__SubLink *link,
                           const struct sql_expression **out, error *why)
{
    const struct bind_level *level = scope->own;
    const struct sql_relation *inner = NULL;
    const struct sql_expression *number = NULL, *zero = NULL;
    struct sql_value nothing = {.type = SQL_INTEGER};
    int position = bind_at(binder, link->location);
    switch (link->sub_link_type) {
    case PG_QUERY__SUB_LINK_TYPE__EXPR_SUBLINK:
        TRY(bind_value(binder, level, link, position, &inner, why));
        return sql_scalar(&binder->builder, inner, position, out, why);
    case PG_QUERY__SUB_LINK_TYPE__EXISTS_SUBLINK:
        TRY(bind_value(binder, level, link, position, &inner, why));
        TRY(sql_scalar(&binder->builder, inner, position, &number, why));
        TRY(sql_literal(&binder->builder, &nothing, position, &zero, why));
        return sql_call2(&binder->builder, ">", number, zero, position, out, why);
    case PG_QUERY__SUB_LINK_TYPE__ANY_SUBLINK:
    case PG_QUERY__SUB_LINK_TYPE__ALL_SUBLINK:
        return sql_refuse(
            why, position,
            "IN over a sub-select stands in WHERE or HAVING by itself or joined with AND here, and "
            "compares with =: not within OR, CASE or the select list");
    default:
        return sql_refuse(why, position, "this kind of sub-select is not supported");
    }
}
