/* What columns, calls and sub-selects mean at one stage of a SELECT. */
#include "sql/bind_room.h"

#include <string.h>

int bind_at(const struct binder *binder, int location)
{
    return sql_parsed_position(binder->parsed, location);
}

/* The tree is freed before the plan: what the plan keeps is copied. */
status bind_text_of(struct binder *binder, const char *text, const char **out, error *why)
{
    char *copy = NULL;
    TRY(arena_text(binder->builder.arena, text, strlen(text), &copy, why));
    *out = copy;
    return DITHER_OK;
}

status bind_column(struct binder *binder, const struct bind_level *level, size_t index, int position,
                   const struct sql_expression **out, error *why)
{
    return sql_column_of(&binder->builder, level->relation, index, position, out, why);
}

status bind_pair(struct binder *binder, const struct sql_relation *left, const struct sql_relation *right,
                 const struct sql_relation **out, error *why)
{
    struct sql_relation *pair = NULL;
    struct sql_column *columns = NULL;
    TRY(relation_new(&binder->builder, SQL_JOIN, -1, left->column_count + right->column_count, &pair,
                     &columns, why));
    memcpy(columns, left->columns, left->column_count * sizeof *columns);
    memcpy(columns + left->column_count, right->columns, right->column_count * sizeof *columns);
    pair->place = left->place == SQL_TAGGED || right->place == SQL_TAGGED ? SQL_TAGGED : SQL_RELEASED;
    *out = pair;
    return DITHER_OK;
}

status bind_dummy(struct binder *binder, int position, const struct sql_relation **out, error *why)
{
    static const struct sql_column column = {.name = "row", .type = SQL_INTEGER, .hidden = true};
    struct sql_rows *rows = NULL;
    struct sql_value *cell = NULL;
    TRY(relation_take(&binder->builder, 1, sizeof *rows, &rows, why));
    TRY(relation_take(&binder->builder, 1, sizeof *cell, &cell, why));
    *cell = (struct sql_value){.type = SQL_INTEGER};
    *rows = (struct sql_rows){1, 1, cell};
    return sql_values(&binder->builder, &column, rows, position, out, why);
}

/* ---- Hooks ---- */

/* A name that is not of this FROM clause, but of one around it: SQL's correlated sub-select, which only a
 * condition of IN and EXISTS may be. */
static status refuse_outer(struct binder *binder, struct bind_qualifier qualifier, const char *column,
                           int location, error *why)
{
    size_t found = 0;
    for (const struct bind_outer *outer = binder->outer; outer != NULL; outer = outer->next)
        if (bind_names_find(outer->names, qualifier, column, &found) == BIND_FOUND)
            return sql_refuse(why, bind_at(binder, location),
                              "\"%s\" belongs to the query around this sub-select, which must not depend on "
                              "it: join the two, or equate units in the WHERE of IN or EXISTS",
                              column);
    return DITHER_OK;
}

static status level_column(struct binder *binder, struct bind_scope *scope,
                           const PgQuery__ColumnRef *reference, const struct sql_expression **out, error *why)
{
    struct bind_level *level = scope->own;
    struct bind_qualifier qualifier = {NULL, false};
    const char *column = NULL;
    size_t index = 0;
    TRY(bind_reference(binder, reference, &qualifier, &column, why));
    const char *table = qualifier.table;
    int position = bind_at(binder, reference->location);
    enum bind_found found = bind_names_find(level->names, qualifier, column, &index);
    if (found == BIND_FOUND && level->grouped == NULL)
        return bind_column(binder, level, level->shift + index, position, out, why);
    if (found == BIND_FOUND)
        return sql_refuse(
            why, position,
            "column \"%s%s%s\" must appear in the GROUP BY clause or be used in an aggregate function",
            table != NULL ? table : "", table != NULL ? "." : "", column);
    if (found != BIND_AMBIGUOUS && level->outer != NULL) {
        enum bind_found outside = bind_names_find(level->outer, qualifier, column, &index);
        if (outside == BIND_FOUND)
            return bind_column(binder, level, index, position, out, why);
    }
    if (found != BIND_AMBIGUOUS)
        TRY(refuse_outer(binder, qualifier, column, reference->location, why));
    return bind_not_found(binder, level->names, found, qualifier, column, reference->location, why);
}

static status level_aggregate(struct binder *binder, struct bind_scope *scope, const PgQuery__FuncCall *call,
                              const struct sql_expression **out, error *why)
{
    const struct bind_level *level = scope->own;
    const struct bind_grouped *grouped = level->grouped;
    for (size_t i = 0; i < grouped->call_count; i++)
        if (grouped->calls[i] == call)
            return bind_column(binder, level, grouped->columns[i], bind_at(binder, call->location), out, why);
    return sql_refuse(why, bind_at(binder, call->location), "aggregate functions are not allowed here");
}

static status level_window(struct binder *binder, struct bind_scope *scope, const PgQuery__FuncCall *call,
                           const struct sql_expression **out, error *why)
{
    const struct bind_level *level = scope->own;
    for (size_t i = 0; i < level->windows->count; i++)
        if (level->windows->calls[i] == call)
            return bind_column(binder, level, level->windows->first + i, bind_at(binder, call->location), out,
                               why);
    return sql_refuse(why, bind_at(binder, call->location), "window functions are not allowed here");
}

static status integer(struct binder *binder, int64_t number, const struct sql_expression **out, error *why)
{
    struct sql_value value = {.type = SQL_INTEGER, .whole = number};
    return sql_literal(&binder->builder, &value, -1, out, why);
}

static status find_key(struct binder *binder, const struct bind_grouped *grouped, const PgQuery__Node *node,
                       size_t *out, error *why)
{
    struct bind_level input;
    const struct sql_expression *bound = NULL;
    bind_level_copy(&input, "GROUPING", grouped->input);
    TRY(bind_expression(binder, &input.scope, node, &bound, why));
    for (size_t i = 0; i < grouped->key_count; i++) {
        if (sql_same_expression(grouped->keys[i], bound)) {
            *out = i;
            return DITHER_OK;
        }
    }
    return sql_refuse(why, bind_position(binder, node),
                      "arguments to GROUPING must be grouping expressions of the associated query level");
}

/* GROUPING(a, b): a bit for each argument, the last one lowest; 1 where it is left out. */
static status level_grouping(struct binder *binder, struct bind_scope *scope,
                             const PgQuery__GroupingFunc *call, const struct sql_expression **out, error *why)
{
    const struct bind_level *level = scope->own;
    const struct bind_grouped *grouped = level->grouped;
    const struct sql_expression *sum = NULL, *bit = NULL, *number = NULL;
    int position = bind_at(binder, call->location);
    TRY(integer(binder, 0, &sum, why));
    for (size_t i = 0; i < call->n_args; i++) {
        size_t key = 0;
        TRY(find_key(binder, grouped, call->args[i], &key, why));
        if (grouped->grouping == 0)
            continue;
        TRY(bind_column(binder, level, grouped->grouping, position, &bit, why));
        TRY(integer(binder, (int64_t)1 << key, &number, why));
        TRY(sql_call2(&binder->builder, "/", bit, number, position, &bit, why));
        TRY(integer(binder, 2, &number, why));
        TRY(sql_call2(&binder->builder, "%", bit, number, position, &bit, why));
        TRY(sql_call2(&binder->builder, "*", sum, number, position, &sum, why));
        TRY(sql_call2(&binder->builder, "+", sum, bit, position, &sum, why));
    }
    *out = sum;
    return DITHER_OK;
}

/* Whether it is worth comparing with the keys: constants, stars and what holds calls of this level are not. */
static status may_be_key(struct binder *binder, const PgQuery__Node *node, bool *out, error *why)
{
    struct bind_calls_found found = {.sublink = false};
    *out = false;
    if (node->node_case == PG_QUERY__NODE__NODE_A_CONST || node->node_case == PG_QUERY__NODE__NODE_A_STAR)
        return DITHER_OK;
    TRY(bind_find_calls(binder, node, &found, why));
    *out = !found.sublink && !found.grouping && found.aggregate_count == 0 && found.window_count == 0;
    return DITHER_OK;
}

/* A node that is a grouping expression is its column, as a whole. */
static status level_known(struct binder *binder, struct bind_scope *scope, const PgQuery__Node *node,
                          const struct sql_expression **out, error *why)
{
    const struct bind_level *level = scope->own;
    const struct bind_grouped *grouped = level->grouped;
    const struct sql_expression *bound = NULL;
    struct bind_level input;
    error ignored = {.message = ""};
    bool worth = false;
    size_t nodes = binder->builder.node_count;
    if (grouped->key_count == 0)
        return DITHER_OK;
    TRY(may_be_key(binder, node, &worth, why));
    if (!worth)
        return DITHER_OK;
    bind_level_copy(&input, scope->where, grouped->input);
    if (bind_expression(binder, &input.scope, node, &bound, &ignored) != DITHER_OK)
        return DITHER_OK; /* whoever binds its parts says what is wrong */
    binder->builder.node_count = nodes;
    for (size_t i = 0; i < grouped->key_count; i++)
        if (sql_same_expression(grouped->keys[i], bound))
            return bind_column(binder, level, i, bind_position(binder, node), out, why);
    return DITHER_OK;
}

/* ---- Levels ---- */

static void settle(struct bind_level *level, const char *where)
{
    level->scope = (struct bind_scope){
        .where = where,
        .column = level_column,
        .aggregate = level->grouped != NULL ? level_aggregate : NULL,
        .window = level->windows != NULL ? level_window : NULL,
        .grouping = level->grouped != NULL ? level_grouping : NULL,
        .sublink = bind_scalar_sublink,
        .known = level->grouped != NULL ? level_known : NULL,
        .own = level,
    };
}

void bind_level_init(struct bind_level *level, const char *where, const struct sql_relation *relation,
                     const struct bind_names *names)
{
    *level = (struct bind_level){.relation = relation, .names = names};
    settle(level, where);
}

void bind_level_copy(struct bind_level *level, const char *where, const struct bind_level *from)
{
    if (level != from)
        *level = *from;
    settle(level, where);
}
