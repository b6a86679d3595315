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

/* EXISTS: (SELECT count(*) > 0 FROM ...). */
static status count_rows(struct binder *binder, const struct sql_relation *inner, int position,
                         const struct sql_expression **out, error *why)
{
    struct sql_builder *builder = &binder->builder;
    struct sql_aggregate *count = NULL;
    const struct sql_relation *counted = NULL;
    const struct sql_expression *number = NULL, *zero = NULL;
    struct sql_value nothing = {.type = SQL_INTEGER};
    TRY(relation_take(builder, 1, sizeof *count, &count, why));
    count->kind = SQL_COUNT_ROWS;
    TRY(sql_group(builder, inner, NULL, 0, count, 1, position, &counted, why));
    TRY(sql_scalar(builder, counted, position, &number, why));
    TRY(sql_literal(builder, &nothing, position, &zero, why));
    return sql_call2(builder, ">", number, zero, position, out, why);
}

status bind_scalar_sublink(struct binder *binder, struct bind_scope *scope, const PgQuery__SubLink *link,
                           const struct sql_expression **out, error *why)
{
    const struct bind_level *level = scope->own;
    const struct sql_relation *inner = NULL;
    int position = bind_at(binder, link->location);
    switch (link->sub_link_type) {
    case PG_QUERY__SUB_LINK_TYPE__EXPR_SUBLINK:
        TRY(bind_inner(binder, level, link, &inner, why));
        TRY(only_visible(binder, &inner, position, why));
        return sql_scalar(&binder->builder, inner, position, out, why);
    case PG_QUERY__SUB_LINK_TYPE__EXISTS_SUBLINK:
        TRY(bind_inner(binder, level, link, &inner, why));
        return count_rows(binder, inner, position, out, why);
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
