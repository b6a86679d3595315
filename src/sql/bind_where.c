/* FROM and WHERE together: conjuncts become joins' conditions, semi joins and one filter. */
#include "sql/bind_room.h"

#include <string.h>

enum { MOST_TABLES = 64 };

status bind_and(struct binder *binder, const struct sql_expression *a, const struct sql_expression *b,
                const struct sql_expression **out, error *why)
{
    if (a == NULL || b == NULL) {
        *out = a == NULL ? b : a;
        return DITHER_OK;
    }
    return sql_call2(&binder->builder, "and", a, b, a->position, out, why);
}

status bind_split(struct binder *binder, const PgQuery__Node *node, struct bind_conjuncts *out, error *why)
{
    if (node == NULL)
        return DITHER_OK;
    if (node->node_case == PG_QUERY__NODE__NODE_BOOL_EXPR &&
        node->bool_expr->boolop == PG_QUERY__BOOL_EXPR_TYPE__AND_EXPR) {
        for (size_t i = 0; i < node->bool_expr->n_args; i++)
            TRY(bind_split(binder, node->bool_expr->args[i], out, why));
        return DITHER_OK;
    }
    if (out->count == out->room) {
        const PgQuery__Node **longer = NULL;
        size_t room = out->room == 0 ? 8 : out->room * 2;
        TRY(relation_take(&binder->builder, room, sizeof *longer, &longer, why));
        if (out->count > 0)
            memcpy(longer, out->nodes, out->count * sizeof *longer);
        out->nodes = longer;
        out->room = room;
    }
    out->nodes[out->count++] = node;
    return DITHER_OK;
}

status bind_condition(struct binder *binder, struct bind_level *level, const PgQuery__Node *node, error *why)
{
    struct bind_conjuncts conjuncts = {.count = 0};
    const struct sql_expression *all = NULL, *part = NULL;
    TRY(bind_split(binder, node, &conjuncts, why));
    for (size_t i = 0; i < conjuncts.count; i++) {
        if (bind_is_semi_join(conjuncts.nodes[i]))
            continue;
        TRY(bind_expression(binder, &level->scope, conjuncts.nodes[i], &part, why));
        TRY(bind_and(binder, all, part, &all, why));
    }
    if (all != NULL)
        TRY(sql_filter(&binder->builder, level->relation, all, &level->relation, why));
    for (size_t i = 0; i < conjuncts.count; i++)
        if (bind_is_semi_join(conjuncts.nodes[i]))
            TRY(bind_semi_join(binder, level, conjuncts.nodes[i], why));
    return DITHER_OK;
}

/* ---- FROM ---- */

static status bind_items(struct binder *binder, const PgQuery__SelectStmt *select, struct bind_comma *comma,
                         struct bind_names *names, error *why)
{
    size_t count = select->n_from_clause == 0 ? 1 : select->n_from_clause;
    if (count > MOST_TABLES)
        return sql_refuse(why, -1, "FROM names more than %d tables", MOST_TABLES);
    TRY(relation_take(&binder->builder, count, sizeof *comma->items, &comma->items, why));
    TRY(relation_take(&binder->builder, count, sizeof *comma->starts, &comma->starts, why));
    comma->count = count;
    if (select->n_from_clause == 0)
        TRY(bind_dummy(binder, -1, &comma->items[0].relation, why));
    for (size_t i = 0; i < select->n_from_clause; i++)
        TRY(bind_from_item(binder, select->from_clause[i], &comma->items[i], why));
    for (size_t i = 0; i < count; i++) {
        comma->starts[i] = comma->column_count;
        TRY(bind_names_both(binder, names, &comma->items[i].names, comma->column_count,
                            comma->items[i].relation->position, names, why));
        comma->column_count += comma->items[i].relation->column_count;
    }
    return DITHER_OK;
}

/* A stand-in that has the columns of the query around, then those of all items one after the other. */
static status line_up(struct binder *binder, const struct bind_comma *comma, const struct sql_relation *outer,
                      const struct sql_relation **out, error *why)
{
    const struct sql_relation *line = outer;
    for (size_t i = 0; i < comma->count; i++) {
        if (line == NULL)
            line = comma->items[i].relation;
        else
            TRY(bind_pair(binder, line, comma->items[i].relation, &line, why));
    }
    *out = line;
    return DITHER_OK;
}

/* ---- WHERE ---- */

static status bind_parts(struct binder *binder, struct bind_level *level,
                         const struct bind_conjuncts *conjuncts, struct bind_comma *comma, error *why)
{
    TRY(relation_take(&binder->builder, conjuncts->count, sizeof *comma->parts, &comma->parts, why));
    for (size_t i = 0; i < conjuncts->count; i++) {
        const struct sql_expression *part = NULL;
        if (bind_is_semi_join(conjuncts->nodes[i]))
            continue;
        TRY(bind_expression(binder, &level->scope, conjuncts->nodes[i], &part, why));
        if (part->type != SQL_BOOLEAN && part->type != SQL_UNKNOWN)
            return sql_refuse(why, part->position, "argument of WHERE must be type boolean, not type %s",
                              sql_type_name(part->type));
        comma->parts[comma->part_count++] = part;
    }
    return DITHER_OK;
}

struct outside_context {
    size_t shift;
    bool outside;
};

static void look_outside(void *context, size_t column)
{
    struct outside_context *look = context;
    look->outside = look->outside || column < look->shift;
}

/* The columns of the line, as they are numbered in `over`: the joined relation behind `before` columns. */
static status moved_columns(struct binder *binder, const struct bind_comma *comma,
                            const struct sql_relation *over, bool with_outer,
                            const struct sql_expression ***out, error *why)
{
    const struct sql_expression **columns = NULL;
    size_t before = with_outer ? comma->shift : 0;
    TRY(relation_take(&binder->builder, comma->shift + comma->column_count, sizeof *columns, &columns, why));
    for (size_t i = 0; i < before; i++)
        TRY(sql_column_of(&binder->builder, over, i, -1, &columns[i], why));
    for (size_t i = 0; i < comma->column_count; i++)
        TRY(sql_column_of(&binder->builder, over, before + comma->map[i], -1, &columns[comma->shift + i],
                          why));
    *out = columns;
    return DITHER_OK;
}

/* What is left of WHERE: what names the query around goes to the correlation, the rest into a filter. */
static status place_parts(struct binder *binder, const struct bind_comma *comma,
                          struct bind_correlation *correlation, const struct sql_relation **relation,
                          error *why)
{
    const struct sql_expression **own = NULL, **both = NULL, *filter = NULL, *moved = NULL;
    const struct sql_relation *pair = NULL;
    size_t total = comma->shift + comma->column_count;
    TRY(moved_columns(binder, comma, *relation, false, &own, why));
    if (correlation != NULL) {
        TRY(bind_pair(binder, correlation->outer->relation, *relation, &pair, why));
        TRY(moved_columns(binder, comma, pair, true, &both, why));
    }
    for (size_t i = 0; i < comma->part_count; i++) {
        struct outside_context look = {comma->shift, false};
        if (comma->parts[i] == NULL)
            continue;
        sql_visit_columns(comma->parts[i], look_outside, &look);
        TRY(sql_substitute(&binder->builder, comma->parts[i], look.outside ? both : own, total, &moved, why));
        if (look.outside)
            TRY(bind_and(binder, correlation->condition, moved, &correlation->condition, why));
        else
            TRY(bind_and(binder, filter, moved, &filter, why));
    }
    return filter == NULL ? DITHER_OK : sql_filter(&binder->builder, *relation, filter, relation, why);
}

status bind_from_where(struct binder *binder, const PgQuery__SelectStmt *select,
                       struct bind_correlation *correlation, struct bind_from *out, error *why)
{
    struct bind_comma comma = {.shift = correlation == NULL ? 0 : correlation->outer->relation->column_count};
    struct bind_names names = {.source_count = 0};
    struct bind_conjuncts conjuncts = {.count = 0};
    struct bind_level level;
    const struct sql_relation *line = NULL, *relation = NULL;
    TRY(bind_items(binder, select, &comma, &names, why));
    TRY(line_up(binder, &comma, correlation == NULL ? NULL : correlation->outer->relation, &line, why));
    TRY(bind_split(binder, select->where_clause, &conjuncts, why));
    bind_level_init(&level, "WHERE", line, &names);
    level.shift = comma.shift;
    level.outer = correlation == NULL ? NULL : correlation->outer->names;
    TRY(bind_parts(binder, &level, &conjuncts, &comma, why));
    TRY(bind_comma_join(binder, &comma, &relation, why));
    TRY(place_parts(binder, &comma, correlation, &relation, why));
    TRY(bind_names_moved(binder, &names, comma.map, &out->names, why));
    bind_level_init(&level, "WHERE", relation, &out->names);
    for (size_t i = 0; i < conjuncts.count; i++)
        if (bind_is_semi_join(conjuncts.nodes[i]))
            TRY(bind_semi_join(binder, &level, conjuncts.nodes[i], why));
    out->relation = level.relation;
    return DITHER_OK;
}
