/* A SELECT, from its FROM to its LIMIT. */
#include "sql/bind_room.h"

#include <string.h>

/* ---- A plain SELECT ---- */

static status find_all_calls(struct binder *binder, const PgQuery__SelectStmt *select,
                             struct bind_calls_found *out, error *why)
{
    for (size_t i = 0; i < select->n_target_list; i++)
        TRY(bind_find_calls(binder, select->target_list[i], out, why));
    TRY(bind_find_calls(binder, select->having_clause, out, why));
    for (size_t i = 0; i < select->n_sort_clause; i++)
        TRY(bind_find_calls(binder, select->sort_clause[i], out, why));
    for (size_t i = 0; i < select->n_distinct_clause; i++)
        TRY(bind_find_calls(binder, select->distinct_clause[i], out, why));
    for (size_t i = 0; i < select->n_window_clause; i++)
        TRY(bind_find_calls(binder, select->window_clause[i], out, why));
    return DITHER_OK;
}

/* HAVING has no window: one that the walk found there is refused where HAVING is bound, before windows are. */
static status bind_simple(struct binder *binder, const PgQuery__SelectStmt *select, bool operand,
                          const struct sql_relation **out, error *why)
{
    struct bind_from from;
    struct bind_level level;
    struct bind_targets targets = {.count = 0};
    struct bind_calls_found calls = {.sublink = false};
    TRY(bind_from_where(binder, select, NULL, &from, why));
    TRY(bind_targets(binder, select, &from.names, &targets, why));
    if (targets.count == 0)
        return sql_refuse(why, -1, "SELECT needs something to select: a list of expressions");
    TRY(find_all_calls(binder, select, &calls, why));
    bind_level_init(&level, "the select list", from.relation, &from.names);
    level.operand = operand;
    level.untyped = operand && select->n_sort_clause == 0 && select->n_distinct_clause == 0 &&
                    select->limit_count == NULL && select->limit_offset == NULL;
    if (select->n_group_clause > 0 || select->having_clause != NULL || calls.aggregate_count > 0)
        TRY(bind_group(binder, &level, select, &targets, &calls, why));
    TRY(bind_window_calls(binder, &level, select, &calls, why));
    return bind_finish(binder, &level, select, &targets, out, why);
}

/* ---- Set operations ---- */

/* Where the second query begins. */
static int right_position(const struct binder *binder, const PgQuery__SelectStmt *select)
{
    const PgQuery__SelectStmt *right = select->rarg;
    while (right->larg != NULL)
        right = right->larg;
    return right->n_target_list > 0 ? bind_at(binder, right->target_list[0]->res_target->location) : -1;
}

static status combine(struct binder *binder, const PgQuery__SelectStmt *select,
                      const struct sql_relation *left, const struct sql_relation *right,
                      const struct sql_relation **out, error *why)
{
    struct sql_builder *builder = &binder->builder;
    int position = right_position(binder, select);
    bool tagged = left->place == SQL_TAGGED && right->place == SQL_TAGGED;
    switch (select->op) {
    case PG_QUERY__SET_OPERATION__SETOP_UNION:
        if (!select->all && !tagged)
            return sql_set(builder, SQL_UNION, left, right, position, out, why);
        TRY(sql_append(builder, left, right, position, out, why));
        return select->all ? DITHER_OK : sql_distinct(builder, *out, position, out, why);
    case PG_QUERY__SET_OPERATION__SETOP_INTERSECT:
        return sql_set(builder, select->all ? SQL_INTERSECT_ALL : SQL_INTERSECT, left, right, position, out,
                       why);
    case PG_QUERY__SET_OPERATION__SETOP_EXCEPT:
        return sql_set(builder, select->all ? SQL_EXCEPT_ALL : SQL_EXCEPT, left, right, position, out, why);
    default:
        return sql_refuse(why, position, "this set operation is not supported");
    }
}

static status bind_set(struct binder *binder, const PgQuery__SelectStmt *select,
                       const struct sql_relation **out, error *why)
{
    const struct sql_relation *left = NULL, *right = NULL;
    binder->operand = true;
    TRY(bind_query(binder, select->larg, &left, why));
    binder->operand = true;
    TRY(bind_query(binder, select->rarg, &right, why));
    TRY(combine(binder, select, left, right, out, why));
    return bind_finish_set(binder, select, out, why);
}

/* ---- With what stands before it ---- */

static status bind_body(struct binder *binder, const PgQuery__SelectStmt *select, bool operand,
                        const struct sql_relation **out, error *why)
{
    if (select->into_clause != NULL || select->n_locking_clause > 0)
        return sql_refuse(why, -1, "a question only reads: INTO, FOR UPDATE and FOR SHARE are refused");
    if (select->op != PG_QUERY__SET_OPERATION__SETOP_NONE)
        return bind_set(binder, select, out, why);
    if (select->n_values_lists > 0)
        return bind_values(binder, select, out, why);
    return bind_simple(binder, select, operand, out, why);
}

status bind_query(struct binder *binder, const PgQuery__SelectStmt *select, const struct sql_relation **out,
                  error *why)
{
    const struct bind_cte *before = binder->ctes;
    const struct sql_relation *made = NULL;
    bool operand = binder->operand;
    binder->operand = false; /* not for what is nested */
    if (binder->depth >= SQL_MOST_DEPTH)
        return sql_refuse(why, -1, "the question is nested too deeply");
    binder->depth++;
    status result = bind_with(binder, select->with_clause, why);
    if (result == DITHER_OK)
        result = bind_body(binder, select, operand, &made, why);
    if (result == DITHER_OK)
        result = bind_with_rest(binder, before, why);
    binder->ctes = before;
    binder->depth--;
    if (result == DITHER_OK)
        *out = made;
    return result;
}
