/* The end of a SELECT: the select list, DISTINCT, ORDER BY, LIMIT. */
#include "sql/bind_room.h"

#include <string.h>

/* The columns that are made: the select list, then what only ORDER BY or DISTINCT ON want, then what tells the rows
 * of a released relation apart; all but the list hidden. */
struct outputs {
    const struct sql_expression **expressions;
    const char **names;
    bool *hidden;
    size_t count, visible;
};

static size_t output_of(struct outputs *outputs, const struct sql_expression *expression, const char *name)
{
    for (size_t i = 0; i < outputs->count; i++)
        if (sql_same_expression(outputs->expressions[i], expression))
            return i;
    outputs->expressions[outputs->count] = expression;
    outputs->names[outputs->count] = name;
    outputs->hidden[outputs->count] = true;
    return outputs->count++;
}

/* ---- What ORDER BY names ---- */

/* A position, or a bare name of the select list; `count` when it is neither. Two columns of one name must be the same;
 * `outputs` may be NULL. */
static status find_output(struct binder *binder, const struct bind_targets *targets,
                          const PgQuery__Node *node, const char *clause, const struct outputs *outputs,
                          size_t *out, error *why)
{
    *out = targets->count;
    if (node->node_case == PG_QUERY__NODE__NODE_A_CONST) {
        const PgQuery__AConst *constant = node->a_const;
        int position = bind_position(binder, node);
        if (constant->isnull || constant->val_case != PG_QUERY__A__CONST__VAL_IVAL)
            return sql_refuse(why, position, "non-integer constant in %s", clause);
        if (constant->ival->ival < 1 || (size_t)constant->ival->ival > targets->count)
            return sql_refuse(why, position, "%s position %d is not in select list", clause,
                              constant->ival->ival);
        *out = (size_t)constant->ival->ival - 1;
        return DITHER_OK;
    }
    if (node->node_case != PG_QUERY__NODE__NODE_COLUMN_REF || node->column_ref->n_fields != 1 ||
        node->column_ref->fields[0]->node_case != PG_QUERY__NODE__NODE_STRING)
        return DITHER_OK;
    const char *name = node->column_ref->fields[0]->string->sval;
    for (size_t i = 0; i < targets->count; i++) {
        if (!bind_same_name(targets->list[i].name, name))
            continue;
        if (*out < targets->count &&
            (outputs == NULL || !sql_same_expression(outputs->expressions[*out], outputs->expressions[i])))
            return sql_refuse(why, bind_position(binder, node), "%s \"%s\" is ambiguous", clause, name);
        *out = *out < targets->count ? *out : i;
    }
    return DITHER_OK;
}

static status output_for(struct binder *binder, struct bind_level *level, const struct bind_targets *targets,
                         const PgQuery__Node *node, const char *clause, struct outputs *outputs, size_t *out,
                         error *why)
{
    const struct sql_expression *expression = NULL;
    TRY(find_output(binder, targets, node, clause, outputs, out, why));
    if (*out < targets->count)
        return DITHER_OK;
    bind_level_copy(level, clause, level);
    TRY(bind_expression(binder, &level->scope, node, &expression, why));
    *out = output_of(outputs, expression, "order");
    return DITHER_OK;
}

/* ---- The steps ---- */

static status make_outputs(struct binder *binder, struct bind_level *level, const PgQuery__SelectStmt *select,
                           const struct bind_targets *targets, struct outputs *out, error *why)
{
    size_t room = targets->count + select->n_sort_clause + select->n_distinct_clause +
                  level->relation->column_count; /* see add_keys */
    TRY(relation_take(&binder->builder, room, sizeof *out->expressions, &out->expressions, why));
    TRY(relation_take(&binder->builder, room, sizeof *out->names, &out->names, why));
    TRY(relation_take(&binder->builder, room, sizeof *out->hidden, &out->hidden, why));
    bind_level_copy(level, "the select list", level);
    for (size_t i = 0; i < targets->count; i++) {
        TRY(bind_target_expression(binder, level, &targets->list[i], &out->expressions[i], why));
        out->names[i] = targets->list[i].name;
    }
    out->count = out->visible = targets->count;
    return DITHER_OK;
}

static bool is_distinct_on(const PgQuery__SelectStmt *select)
{
    return select->n_distinct_clause > 0 &&
           select->distinct_clause[0]->node_case != PG_QUERY__NODE__NODE__NOT_SET;
}

struct ordering {
    size_t *columns; /* of the projected relation */
    struct sql_order *order;
    size_t count;
    size_t *on; /* DISTINCT ON */
    size_t on_count;
};

static status bind_ordering(struct binder *binder, struct bind_level *level,
                            const PgQuery__SelectStmt *select, const struct bind_targets *targets,
                            struct outputs *outputs, struct ordering *out, error *why)
{
    TRY(relation_take(&binder->builder, select->n_sort_clause, sizeof *out->columns, &out->columns, why));
    TRY(relation_take(&binder->builder, select->n_sort_clause, sizeof *out->order, &out->order, why));
    TRY(relation_take(&binder->builder, select->n_distinct_clause, sizeof *out->on, &out->on, why));
    for (size_t i = 0; i < select->n_sort_clause; i++) {
        const PgQuery__SortBy *sort = select->sort_clause[i]->sort_by;
        TRY(bind_direction(binder, sort, &out->order[i], why));
        TRY(output_for(binder, level, targets, sort->node, "ORDER BY", outputs, &out->columns[i], why));
    }
    out->count = select->n_sort_clause;
    for (size_t i = 0; is_distinct_on(select) && i < select->n_distinct_clause; i++)
        TRY(output_for(binder, level, targets, select->distinct_clause[i], "DISTINCT ON", outputs,
                       &out->on[out->on_count++], why));
    return DITHER_OK;
}

/* The order over the columns of the relation that is sorted. */
static status order_over(struct binder *binder, const struct sql_relation *relation,
                         struct ordering *ordering, error *why)
{
    for (size_t i = 0; i < ordering->count; i++)
        TRY(sql_column_of(&binder->builder, relation, ordering->columns[i], -1,
                          &ordering->order[i].expression, why));
    return DITHER_OK;
}

/* The first row of each: row_number() OVER (PARTITION BY on ORDER BY order) = 1. */
static status distinct_on(struct binder *binder, struct ordering *ordering, const struct outputs *outputs,
                          int position, const struct sql_relation **relation, error *why)
{
    struct sql_builder *builder = &binder->builder;
    struct sql_window *window = NULL;
    const struct sql_expression **partition = NULL, *number = NULL, *one = NULL, **all = NULL;
    struct sql_value first = {.type = SQL_INTEGER, .whole = 1};
    if ((*relation)->place == SQL_TAGGED)
        return sql_refuse(
            why, position,
            "DISTINCT ON before aggregation would choose among private rows: number each unit's own "
            "rows with row_number() OVER (PARTITION BY the unit ORDER BY ...) instead");
    TRY(relation_take(builder, 1, sizeof *window, &window, why));
    TRY(relation_take(builder, ordering->on_count, sizeof *partition, &partition, why));
    TRY(relation_take(builder, outputs->count, sizeof *all, &all, why));
    for (size_t i = 0; i < ordering->on_count; i++)
        TRY(sql_column_of(builder, *relation, ordering->on[i], position, &partition[i], why));
    TRY(order_over(binder, *relation, ordering, why));
    *window = (struct sql_window){.kind = SQL_ROW_NUMBER,
                                  .partition = partition,
                                  .partition_count = ordering->on_count,
                                  .order = ordering->order,
                                  .order_count = ordering->count};
    TRY(sql_windows(builder, *relation, window, 1, position, relation, why));
    TRY(sql_column_of(builder, *relation, outputs->count, position, &number, why));
    TRY(sql_literal(builder, &first, position, &one, why));
    TRY(sql_call2(builder, "=", number, one, position, &number, why));
    TRY(sql_filter(builder, *relation, number, relation, why));
    for (size_t i = 0; i < outputs->count; i++)
        TRY(sql_column_of(builder, *relation, i, position, &all[i], why));
    return sql_project(builder, *relation, all, outputs->names, outputs->hidden, outputs->count, position,
                       relation, why);
}

static status make_distinct(struct binder *binder, const PgQuery__SelectStmt *select,
                            struct ordering *ordering, const struct outputs *outputs,
                            const struct sql_relation **relation, error *why)
{
    int position =
        select->n_target_list > 0 ? bind_at(binder, select->target_list[0]->res_target->location) : -1;
    if (select->n_distinct_clause == 0)
        return DITHER_OK;
    if (is_distinct_on(select))
        return distinct_on(binder, ordering, outputs, position, relation, why);
    if (outputs->count > outputs->visible)
        return sql_refuse(why, position,
                          "for SELECT DISTINCT, ORDER BY expressions must appear in select list");
    return sql_distinct(&binder->builder, *relation, position, relation, why);
}

/* Whoever draws the noise again (curator/match.c) recognises the rows of the answer by what is not noisy in them:
 * keys that are not selected come along, hidden. They are as public as the rest of a released relation. DISTINCT and
 * set operations compare whole rows, and have none. */
static status add_keys(struct binder *binder, const struct bind_level *level,
                       const PgQuery__SelectStmt *select, struct outputs *outputs, error *why)
{
    const struct sql_relation *relation = level->relation;
    bool noisy = relation->place == SQL_RELEASED;
    for (size_t i = 0; i < outputs->visible; i++) {
        struct sql_column column;
        relation_describe(relation, outputs->expressions[i], &column);
        noisy = noisy || column.noisy; /* by a sub-select in it */
    }
    if (relation->place == SQL_TAGGED || !noisy || level->operand || select->n_distinct_clause > 0)
        return DITHER_OK;
    for (size_t i = 0; i < relation->column_count; i++) {
        const struct sql_expression *key = NULL;
        if (relation->columns[i].noisy)
            continue;
        TRY(sql_column_of(&binder->builder, relation, i, -1, &key, why));
        (void)output_of(outputs, key, "key");
    }
    return DITHER_OK;
}

status bind_finish(struct binder *binder, struct bind_level *level, const PgQuery__SelectStmt *select,
                   const struct bind_targets *targets, const struct sql_relation **out, error *why)
{
    struct outputs outputs;
    struct ordering ordering = {.count = 0};
    const struct sql_relation *relation = NULL;
    int position =
        select->n_target_list > 0 ? bind_at(binder, select->target_list[0]->res_target->location) : -1;
    TRY(make_outputs(binder, level, select, targets, &outputs, why));
    TRY(bind_ordering(binder, level, select, targets, &outputs, &ordering, why));
    if (level->relation->place == SQL_TAGGED && !is_distinct_on(select) &&
        select->n_distinct_clause == 0) /* its order means nothing */
        outputs.count = outputs.visible;
    TRY(add_keys(binder, level, select, &outputs, why));
    TRY(sql_project(&binder->builder, level->relation, outputs.expressions, outputs.names, outputs.hidden,
                    outputs.count, position, &relation, why));
    TRY(make_distinct(binder, select, &ordering, &outputs, &relation, why));
    if (ordering.count > 0 && relation->place != SQL_TAGGED) {
        TRY(order_over(binder, relation, &ordering, why));
        TRY(sql_sort(&binder->builder, relation, ordering.order, ordering.count, position, &relation, why));
    }
    TRY(bind_limit(binder, select, &relation, why));
    *out = relation;
    return DITHER_OK;
}

status bind_finish_set(struct binder *binder, const PgQuery__SelectStmt *select,
                       const struct sql_relation **relation, error *why)
{
    struct bind_targets targets = {.count = 0};
    struct ordering ordering = {.count = select->n_sort_clause};
    size_t *columns = NULL;
    struct sql_builder *builder = &binder->builder;
    TRY(relation_take(builder, (*relation)->column_count, sizeof *targets.list, &targets.list, why));
    TRY(relation_take(builder, (*relation)->column_count, sizeof *columns, &columns, why));
    for (size_t i = 0; i < (*relation)->column_count; i++) {
        if ((*relation)->columns[i].hidden)
            continue;
        columns[targets.count] = i;
        targets.list[targets.count++] = (struct bind_target){.name = (*relation)->columns[i].name};
    }
    TRY(relation_take(builder, ordering.count, sizeof *ordering.columns, &ordering.columns, why));
    TRY(relation_take(builder, ordering.count, sizeof *ordering.order, &ordering.order, why));
    for (size_t i = 0; i < ordering.count; i++) {
        const PgQuery__SortBy *sort = select->sort_clause[i]->sort_by;
        size_t found = 0;
        TRY(bind_direction(binder, sort, &ordering.order[i], why));
        TRY(find_output(binder, &targets, sort->node, "ORDER BY", NULL, &found, why));
        if (found == targets.count)
            return sql_refuse(
                why, bind_at(binder, sort->location),
                "ORDER BY of UNION, INTERSECT, EXCEPT and VALUES names columns of the result alone");
        ordering.columns[i] = columns[found];
    }
    if (ordering.count > 0) {
        TRY(order_over(binder, *relation, &ordering, why));
        TRY(sql_sort(builder, *relation, ordering.order, ordering.count, -1, relation, why));
    }
    return bind_limit(binder, select, relation, why);
}

/* ---- LIMIT ---- */

static status bind_count(struct binder *binder, const PgQuery__Node *node, const char *clause,
                         const struct sql_expression **out, error *why)
{
    static const struct bind_names nothing = {.source_count = 0};
    const struct sql_relation *dummy = NULL;
    const struct sql_expression *count = NULL;
    struct bind_level level;
    *out = NULL;
    if (node == NULL || (node->node_case == PG_QUERY__NODE__NODE_A_CONST && node->a_const->isnull))
        return DITHER_OK; /* LIMIT ALL */
    TRY(bind_dummy(binder, -1, &dummy, why));
    bind_level_init(&level, clause, dummy, &nothing);
    TRY(bind_expression(binder, &level.scope, node, &count, why));
    if (count->kind != SQL_LITERAL || count->type != SQL_INTEGER || count->value.null ||
        count->value.whole < 0)
        return sql_refuse(why, bind_position(binder, node), "%s takes a constant that is not negative",
                          clause);
    *out = count;
    return DITHER_OK;
}

status bind_limit(struct binder *binder, const PgQuery__SelectStmt *select,
                  const struct sql_relation **relation, error *why)
{
    const struct sql_expression *limit = NULL, *offset = NULL;
    const PgQuery__Node *first = select->limit_count != NULL ? select->limit_count : select->limit_offset;
    if (first == NULL)
        return DITHER_OK;
    int position = bind_position(binder, first);
    if (select->limit_option == PG_QUERY__LIMIT_OPTION__LIMIT_OPTION_WITH_TIES)
        return sql_refuse(why, position, "WITH TIES is not supported: use rank() in a sub-select");
    TRY(bind_count(binder, select->limit_count, "LIMIT", &limit, why));
    TRY(bind_count(binder, select->limit_offset, "OFFSET", &offset, why));
    if (limit == NULL && offset == NULL)
        return DITHER_OK;
    return sql_limit(&binder->builder, *relation, limit, offset, position, relation, why);
}
