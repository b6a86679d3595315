/* GROUP BY: keys and grouping sets.
 *
 * Every item stands for a list of sets of keys: a plain one for one set, ROLLUP, CUBE and GROUPING SETS for
 * several. The query's sets are all combinations of one set from each item. A set is a mask of keys. */
#include "sql/bind_room.h"

#include <string.h>

enum { MOST_SETS = 64 };

struct set_list {
    uint32_t masks[MOST_SETS];
    size_t count;
};

struct grouping {
    struct binder *binder;
    struct bind_level level;
    const struct bind_targets *targets;
    struct bind_keys *keys;
};

static status add_set(struct set_list *list, uint32_t mask, int position, error *why)
{
    if (list->count == MOST_SETS)
        return sql_refuse(why, position, "GROUP BY has more than %d grouping sets", MOST_SETS);
    list->masks[list->count++] = mask;
    return DITHER_OK;
}

/* ---- Keys ---- */

static status add_key(struct grouping *grouping, const struct sql_expression *key, const char *name,
                      int position, uint32_t *mask, error *why)
{
    struct bind_keys *keys = grouping->keys;
    for (size_t i = 0; i < keys->count; i++) {
        if (sql_same_expression(keys->keys[i], key)) {
            *mask |= (uint32_t)1 << i;
            return DITHER_OK;
        }
    }
    if (keys->count == keys->room || keys->count == 32)
        return sql_refuse(why, position, "GROUP BY has more than %d keys", SQL_MOST_KEYS);
    if (key->type == SQL_UNKNOWN)
        TRY(sql_cast(&grouping->binder->builder, key, SQL_TEXT, 0, position, &key, why));
    keys->keys[keys->count] = key;
    keys->names[keys->count] = name;
    *mask |= (uint32_t)1 << keys->count++;
    return DITHER_OK;
}

static status add_target_key(struct grouping *grouping, const struct bind_target *target, int position,
                             uint32_t *mask, error *why)
{
    const struct sql_expression *key = NULL;
    TRY(bind_target_expression(grouping->binder, &grouping->level, target, &key, why));
    return add_key(grouping, key, target->name, position, mask, why);
}

/* An integer is a position in the select list. */
static status add_position(struct grouping *grouping, const PgQuery__AConst *constant, int position,
                           uint32_t *mask, error *why)
{
    if (constant->isnull || constant->val_case != PG_QUERY__A__CONST__VAL_IVAL)
        return sql_refuse(why, position, "non-integer constant in GROUP BY");
    int32_t number = constant->ival->ival;
    if (number < 1 || (size_t)number > grouping->targets->count)
        return sql_refuse(why, position, "GROUP BY position %d is not in select list", number);
    return add_target_key(grouping, &grouping->targets->list[number - 1], position, mask, why);
}

/* A bare name is a column of the input if there is one, and else a name of the select list. */
static const struct bind_target *find_alias(const struct grouping *grouping,
                                            const PgQuery__ColumnRef *reference)
{
    size_t ignored = 0;
    const struct bind_target *found = NULL;
    if (reference->n_fields != 1 || reference->fields[0]->node_case != PG_QUERY__NODE__NODE_STRING)
        return NULL;
    const char *name = reference->fields[0]->string->sval;
    if (bind_names_find(grouping->level.names, (struct bind_qualifier){NULL, false}, name, &ignored) !=
        BIND_MISSING)
        return NULL;
    for (size_t i = 0; i < grouping->targets->count && found == NULL; i++)
        if (strcmp(grouping->targets->list[i].name, name) == 0)
            found = &grouping->targets->list[i];
    return found;
}

static const char *key_name(const struct grouping *grouping, const struct sql_expression *key)
{
    return key->kind == SQL_COLUMN ? grouping->level.relation->columns[key->column].name : "?column?";
}

static status add_node(struct grouping *grouping, const PgQuery__Node *node, uint32_t *mask, error *why);

static status add_nodes(struct grouping *grouping, PgQuery__Node *const *nodes, size_t count, uint32_t *mask,
                        error *why)
{
    for (size_t i = 0; i < count; i++)
        TRY(add_node(grouping, nodes[i], mask, why));
    return DITHER_OK;
}

static status add_node(struct grouping *grouping, const PgQuery__Node *node, uint32_t *mask, error *why)
{
    const struct sql_expression *key = NULL;
    const struct bind_target *target = NULL;
    int position = bind_position(grouping->binder, node);
    if (node->node_case == PG_QUERY__NODE__NODE_A_CONST)
        return add_position(grouping, node->a_const, position, mask, why);
    if (node->node_case == PG_QUERY__NODE__NODE_ROW_EXPR)
        return add_nodes(grouping, node->row_expr->args, node->row_expr->n_args, mask, why);
    if (node->node_case == PG_QUERY__NODE__NODE_COLUMN_REF)
        target = find_alias(grouping, node->column_ref);
    if (target != NULL)
        return add_target_key(grouping, target, position, mask, why);
    TRY(bind_expression(grouping->binder, &grouping->level.scope, node, &key, why));
    return add_key(grouping, key, key_name(grouping, key), position, mask, why);
}

/* ---- Sets ---- */

static status expand(struct grouping *grouping, const PgQuery__Node *node, struct set_list *out, error *why);

/* (a, b), (a), () */
static status expand_rollup(struct grouping *grouping, const PgQuery__GroupingSet *set, struct set_list *out,
                            error *why)
{
    int position = bind_at(grouping->binder, set->location);
    uint32_t mask = 0;
    TRY(add_nodes(grouping, set->content, set->n_content, &mask, why));
    for (size_t length = set->n_content + 1; length-- > 0;) {
        mask = 0;
        TRY(add_nodes(grouping, set->content, length, &mask, why));
        TRY(add_set(out, mask, position, why));
    }
    return DITHER_OK;
}

/* All subsets, the largest first as PostgreSQL has them. */
static status expand_cube(struct grouping *grouping, const PgQuery__GroupingSet *set, struct set_list *out,
                          error *why)
{
    int position = bind_at(grouping->binder, set->location);
    if (set->n_content > 6)
        return sql_refuse(why, position, "CUBE has more than 6 elements");
    for (uint32_t chosen = (uint32_t)1 << set->n_content; chosen-- > 0;) {
        uint32_t mask = 0;
        for (size_t i = 0; i < set->n_content; i++)
            if ((chosen >> (set->n_content - 1 - i) & 1) != 0)
                TRY(add_node(grouping, set->content[i], &mask, why));
        TRY(add_set(out, mask, position, why));
    }
    return DITHER_OK;
}

static status expand_set(struct grouping *grouping, const PgQuery__GroupingSet *set, struct set_list *out,
                         error *why)
{
    int position = bind_at(grouping->binder, set->location);
    uint32_t mask = 0;
    switch (set->kind) {
    case PG_QUERY__GROUPING_SET_KIND__GROUPING_SET_EMPTY:
        return add_set(out, 0, position, why);
    case PG_QUERY__GROUPING_SET_KIND__GROUPING_SET_SIMPLE:
        TRY(add_nodes(grouping, set->content, set->n_content, &mask, why));
        return add_set(out, mask, position, why);
    case PG_QUERY__GROUPING_SET_KIND__GROUPING_SET_ROLLUP:
        return expand_rollup(grouping, set, out, why);
    case PG_QUERY__GROUPING_SET_KIND__GROUPING_SET_CUBE:
        return expand_cube(grouping, set, out, why);
    case PG_QUERY__GROUPING_SET_KIND__GROUPING_SET_SETS:
        for (size_t i = 0; i < set->n_content; i++)
            TRY(expand(grouping, set->content[i], out, why));
        return DITHER_OK;
    default:
        return sql_refuse(why, position, "this kind of grouping set is not supported");
    }
}

static status expand(struct grouping *grouping, const PgQuery__Node *node, struct set_list *out, error *why)
{
    uint32_t mask = 0;
    if (node->node_case == PG_QUERY__NODE__NODE_GROUPING_SET)
        return expand_set(grouping, node->grouping_set, out, why);
    TRY(add_node(grouping, node, &mask, why));
    return add_set(out, mask, bind_position(grouping->binder, node), why);
}

static status combine(struct set_list *all, const struct set_list *more, int position, error *why)
{
    struct set_list combined = {.count = 0};
    for (size_t i = 0; i < all->count; i++)
        for (size_t j = 0; j < more->count; j++)
            TRY(add_set(&combined, all->masks[i] | more->masks[j], position, why));
    *all = combined;
    return DITHER_OK;
}

static void drop_duplicates(struct set_list *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        size_t same = 0;
        while (same < kept && list->masks[same] != list->masks[i])
            same++;
        if (same == kept)
            list->masks[kept++] = list->masks[i];
    }
    list->count = kept;
}

static status write_sets(struct grouping *grouping, const struct set_list *list, error *why)
{
    struct sql_builder *builder = &grouping->binder->builder;
    struct bind_grouping_set *sets = NULL;
    TRY(relation_take(builder, list->count, sizeof *sets, &sets, why));
    for (size_t i = 0; i < list->count; i++) {
        size_t *keys = NULL;
        TRY(relation_take(builder, grouping->keys->count, sizeof *keys, &keys, why));
        for (size_t key = 0; key < grouping->keys->count; key++)
            if ((list->masks[i] >> key & 1) != 0)
                keys[sets[i].key_count++] = key;
        sets[i].keys = keys;
    }
    grouping->keys->sets = sets;
    grouping->keys->set_count = list->count;
    return DITHER_OK;
}

status bind_group_keys(struct binder *binder, struct bind_level *input, const PgQuery__SelectStmt *select,
                       const struct bind_targets *targets, struct bind_keys *out, error *why)
{
    struct grouping grouping = {.binder = binder, .targets = targets, .keys = out};
    struct set_list all = {.masks = {0}, .count = 1};
    bind_level_copy(&grouping.level, "GROUP BY", input);
    *out = (struct bind_keys){.room = SQL_MOST_KEYS};
    TRY(relation_take(&binder->builder, out->room, sizeof *out->keys, &out->keys, why));
    TRY(relation_take(&binder->builder, out->room, sizeof *out->names, &out->names, why));
    for (size_t i = 0; i < select->n_group_clause; i++) {
        struct set_list item = {.count = 0};
        TRY(expand(&grouping, select->group_clause[i], &item, why));
        TRY(combine(&all, &item, bind_position(binder, select->group_clause[i]), why));
    }
    if (select->group_distinct)
        drop_duplicates(&all);
    return write_sets(&grouping, &all, why);
}
