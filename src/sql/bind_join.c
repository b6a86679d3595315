/* JOIN ... ON, USING, NATURAL. */
#include <string.h>

#include "sql/bind_room.h"

static int join_position(const struct binder *binder, const PgQuery__JoinExpr *join)
{
    const PgQuery__Node *right = join->rarg;
    if (join->quals != NULL && bind_position(binder, join->quals) >= 0)
        return bind_position(binder, join->quals);
    if (right->node_case == PG_QUERY__NODE__NODE_RANGE_VAR)
        return bind_at(binder, right->range_var->location);
    return bind_position(binder, right);
}

static status join_kind(const PgQuery__JoinExpr *join, int position, enum sql_join_kind *out, error *why)
{
    switch (join->jointype) {
    case PG_QUERY__JOIN_TYPE__JOIN_INNER:
        *out = SQL_INNER;
        return DITHER_OK;
    case PG_QUERY__JOIN_TYPE__JOIN_LEFT:
        *out = SQL_LEFT;
        return DITHER_OK;
    case PG_QUERY__JOIN_TYPE__JOIN_RIGHT:
        *out = SQL_RIGHT;
        return DITHER_OK;
    case PG_QUERY__JOIN_TYPE__JOIN_FULL:
        *out = SQL_FULL;
        return DITHER_OK;
    default:
        return sql_refuse(why, position, "this kind of join is not supported");
    }
}

/* ---- USING ---- */

struct common_names {
    const char **names;
    size_t *left, *right; /* columns of the sides */
    size_t count;
};

static status take_common(struct binder *binder, size_t room, struct common_names *out, error *why)
{
    *out = (struct common_names){.count = 0};
    TRY(relation_take(&binder->builder, room, sizeof *out->names, &out->names, why));
    TRY(relation_take(&binder->builder, room, sizeof *out->left, &out->left, why));
    return relation_take(&binder->builder, room, sizeof *out->right, &out->right, why);
}

static status add_common(struct binder *binder, const struct bind_from *left, const struct bind_from *right,
                         const char *name, int position, struct common_names *out, error *why)
{
    const struct bind_from *sides[] = {left, right};
    size_t columns[2] = {0, 0};
    for (size_t i = 0; i < 2; i++) {
        const char *side = i == 0 ? "left" : "right";
        enum bind_found found =
            bind_names_find(&sides[i]->names, (struct bind_qualifier){NULL, false}, name, &columns[i]);
        if (found == BIND_AMBIGUOUS)
            return sql_refuse(why, position, "common column name \"%s\" appears more than once in %s table",
                              name, side);
        if (found != BIND_FOUND)
            return sql_refuse(why, position,
                              "column \"%s\" specified in USING clause does not exist in %s table", name,
                              side);
    }
    TRY(bind_text_of(binder, name, &out->names[out->count], why));
    out->left[out->count] = columns[0];
    out->right[out->count++] = columns[1];
    return DITHER_OK;
}

static status find_common(struct binder *binder, const PgQuery__JoinExpr *join, const struct bind_from *left,
                          const struct bind_from *right, int position, struct common_names *out, error *why)
{
    const struct bind_name_list *list = &left->names.visible;
    size_t ignored = 0;
    TRY(take_common(binder, join->n_using_clause + list->count, out, why));
    for (size_t i = 0; i < join->n_using_clause; i++)
        TRY(add_common(binder, left, right, join->using_clause[i]->string->sval, position, out, why));
    if (!join->is_natural)
        return DITHER_OK;
    for (size_t i = 0; i < list->count; i++)
        if (bind_names_find(&right->names, (struct bind_qualifier){NULL, false}, list->names[i].name,
                            &ignored) != BIND_MISSING)
            TRY(add_common(binder, left, right, list->names[i].name, position, out, why));
    return DITHER_OK;
}

static status equate_common(struct binder *binder, const struct sql_relation *pair,
                            const struct common_names *common, size_t border, int position,
                            const struct sql_expression **out, error *why)
{
    struct sql_builder *builder = &binder->builder;
    const struct sql_expression *all = NULL;
    for (size_t i = 0; i < common->count; i++) {
        const struct sql_expression *a = NULL, *b = NULL, *equal = NULL;
        TRY(sql_column_of(builder, pair, common->left[i], position, &a, why));
        TRY(sql_column_of(builder, pair, border + common->right[i], position, &b, why));
        TRY(sql_call2(builder, "=", a, b, position, &equal, why));
        if (all == NULL)
            all = equal;
        else
            TRY(sql_call2(builder, "and", all, equal, position, &all, why));
    }
    *out = all;
    return DITHER_OK;
}

/* FULL: the merged columns are computed behind the others. */
static status add_coalesced(struct binder *binder, const struct common_names *common, size_t border,
                            int position, const struct sql_relation **relation, error *why)
{
    struct sql_builder *builder = &binder->builder;
    const struct sql_relation *joined = *relation;
    size_t count = joined->column_count + common->count;
    const struct sql_expression **expressions = NULL;
    const char **names = NULL;
    bool *hidden = NULL;
    TRY(relation_take(builder, count, sizeof *expressions, &expressions, why));
    TRY(relation_take(builder, count, sizeof *names, &names, why));
    TRY(relation_take(builder, count, sizeof *hidden, &hidden, why));
    for (size_t i = 0; i < joined->column_count; i++) {
        TRY(sql_column_of(builder, joined, i, position, &expressions[i], why));
        names[i] = joined->columns[i].name;
        hidden[i] = joined->columns[i].hidden;
    }
    for (size_t i = 0; i < common->count; i++) {
        size_t at = joined->column_count + i;
        TRY(sql_call2(builder, "coalesce", expressions[common->left[i]],
                      expressions[border + common->right[i]], position, &expressions[at], why));
        names[at] = common->names[i];
    }
    return sql_project(builder, joined, expressions, names, hidden, count, position, relation, why);
}

static bool is_common(const size_t *columns, size_t count, size_t column)
{
    for (size_t i = 0; i < count; i++)
        if (columns[i] == column)
            return true;
    return false;
}

/* The merged columns first, then what is left of both sides. */
static status merge_names(struct binder *binder, const struct common_names *common, enum sql_join_kind kind,
                          const struct bind_names *left, const struct bind_names *right, size_t border,
                          size_t coalesced, struct bind_names *both, error *why)
{
    struct bind_name *names = NULL;
    size_t count = 0;
    TRY(relation_take(&binder->builder, left->visible.count + right->visible.count, sizeof *names, &names,
                      why));
    for (size_t i = 0; i < common->count; i++) {
        size_t column = kind == SQL_FULL    ? coalesced + i
                        : kind == SQL_RIGHT ? border + common->right[i]
                                            : common->left[i];
        names[count++] = (struct bind_name){common->names[i], column};
    }
    for (size_t i = 0; i < left->visible.count; i++)
        if (!is_common(common->left, common->count, left->visible.names[i].column))
            names[count++] = left->visible.names[i];
    for (size_t i = 0; i < right->visible.count; i++)
        if (!is_common(common->right, common->count, right->visible.names[i].column))
            names[count++] =
                (struct bind_name){right->visible.names[i].name, border + right->visible.names[i].column};
    both->visible = (struct bind_name_list){names, count};
    return DITHER_OK;
}

/* ---- The join ---- */

static status bind_quals(struct binder *binder, const PgQuery__JoinExpr *join,
                         const struct sql_relation *pair, const struct bind_names *names,
                         const struct sql_expression **out, error *why)
{
    struct bind_level level;
    bind_level_init(&level, "JOIN conditions", pair, names);
    return bind_expression(binder, &level.scope, join->quals, out, why);
}

/* (a JOIN b ...) AS j(x, y): only j is left to be named. */
static status rename_join(struct binder *binder, const PgQuery__Alias *alias, int position,
                          struct bind_names *names, error *why)
{
    struct bind_name *list = NULL;
    struct bind_source *source = NULL;
    if (alias == NULL)
        return DITHER_OK;
    if (alias->n_colnames > names->visible.count)
        return sql_refuse(why, position, "join \"%s\" has fewer columns than its alias names",
                          alias->aliasname);
    TRY(relation_take(&binder->builder, names->visible.count, sizeof *list, &list, why));
    TRY(relation_take(&binder->builder, 1, sizeof *source, &source, why));
    memcpy(list, names->visible.names, names->visible.count * sizeof *list);
    for (size_t i = 0; i < alias->n_colnames; i++)
        TRY(bind_text_of(binder, alias->colnames[i]->string->sval, &list[i].name, why));
    TRY(bind_text_of(binder, alias->aliasname, &source->alias, why));
    source->list = (struct bind_name_list){list, names->visible.count};
    *names = (struct bind_names){source->list, source, 1};
    return DITHER_OK;
}

status bind_from_join(struct binder *binder, const PgQuery__JoinExpr *join, struct bind_from *out, error *why)
{
    struct bind_from left, right, both = {.relation = NULL};
    struct common_names common = {.count = 0};
    const struct sql_relation *pair = NULL;
    const struct sql_expression *condition = NULL;
    enum sql_join_kind kind = SQL_INNER;
    int position = join_position(binder, join);
    TRY(join_kind(join, position, &kind, why));
    TRY(bind_from_item(binder, join->larg, &left, why));
    TRY(bind_from_item(binder, join->rarg, &right, why));
    size_t border = left.relation->column_count;
    TRY(bind_names_both(binder, &left.names, &right.names, border, position, &both.names, why));
    TRY(bind_pair(binder, left.relation, right.relation, &pair, why));
    bool merged = join->is_natural || join->n_using_clause > 0;
    if (join->join_using_alias != NULL)
        return sql_refuse(why, position, "an alias of USING is not supported: name the tables");
    if (merged) {
        TRY(find_common(binder, join, &left, &right, position, &common, why));
        TRY(equate_common(binder, pair, &common, border, position, &condition, why));
    } else if (join->quals != NULL) {
        TRY(bind_quals(binder, join, pair, &both.names, &condition, why));
    }
    TRY(sql_join(&binder->builder, kind, left.relation, right.relation, condition, position, &both.relation,
                 why));
    size_t coalesced = both.relation->column_count;
    if (merged && kind == SQL_FULL)
        TRY(add_coalesced(binder, &common, border, position, &both.relation, why));
    if (merged)
        TRY(merge_names(binder, &common, kind, &left.names, &right.names, border, coalesced, &both.names,
                        why));
    TRY(rename_join(binder, join->alias, position, &both.names, why));
    *out = both;
    return DITHER_OK;
}
