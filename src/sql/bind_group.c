/* A grouped SELECT: a release, an aggregate of each unit's own rows, or post-processing.
 *
 * Which of them it is depends on the input and the keys alone. Over a tagged relation whose unit is among the
 * keys of every set, groups lie within units, and the result is tagged again. Without the unit it is a release.
 * With the unit in some sets and not in others, ROLLUP over it for example, it would be both: refused. */
#include "sql/bind_room.h"

#include <string.h>

/* ---- Calls ---- */

static bool same_optional(const struct sql_expression *a, const struct sql_expression *b)
{
    return a == NULL || b == NULL ? a == b : sql_same_expression(a, b);
}

static bool same_call(const struct bind_call *a, const struct bind_call *b)
{
    bool same = strcmp(a->name, b->name) == 0 && a->star == b->star && a->distinct == b->distinct &&
                a->argument_count == b->argument_count && same_optional(a->filter, b->filter) &&
                same_optional(a->within, b->within) && a->descending == b->descending &&
                a->has_bounds == b->has_bounds && decimal_compare(a->epsilon, b->epsilon) == 0;
    if (same && a->has_bounds)
        same = a->bound_lower <= b->bound_lower && a->bound_lower >= b->bound_lower &&
               a->bound_upper <= b->bound_upper && a->bound_upper >= b->bound_upper;
    for (size_t i = 0; same && i < a->argument_count; i++)
        same = sql_same_expression(a->arguments[i], b->arguments[i]);
    return same;
}

struct calls {
    struct bind_call *list; /* all different */
    size_t count;
    size_t *columns; /* of the calls as they were found */
};

/* count(*) in the select list and in HAVING is one number, drawn once. */
static status bind_calls(struct binder *binder, struct bind_level *input,
                         const struct bind_calls_found *found, size_t key_count, struct calls *out,
                         error *why)
{
    size_t count = found->aggregate_count;
    TRY(relation_take(&binder->builder, count, sizeof *out->list, &out->list, why));
    TRY(relation_take(&binder->builder, count, sizeof *out->columns, &out->columns, why));
    for (size_t i = 0; i < count; i++) {
        struct bind_call *call = &out->list[out->count];
        size_t same = 0;
        TRY(bind_aggregate_call(binder, input, found->aggregates[i], call, why));
        while (!same_call(&out->list[same], call))
            same++;
        out->columns[i] = key_count + same;
        out->count += same == out->count;
    }
    return DITHER_OK;
}

/* ---- Without a release ---- */

static status integer(struct binder *binder, int64_t number, const struct sql_expression **out, error *why)
{
    struct sql_value value = {.type = SQL_INTEGER, .whole = number};
    return sql_literal(&binder->builder, &value, -1, out, why);
}

/* One set's groups with the columns of all: keys that it leaves out are NULL, and the last column says which. */
static status spread(struct binder *binder, const struct sql_relation *group, const struct bind_keys *keys,
                     const struct bind_grouping_set *set, size_t call_count, const struct sql_relation **out,
                     error *why)
{
    struct sql_builder *builder = &binder->builder;
    size_t count = keys->count + call_count + 1, at = 0;
    const struct sql_expression **expressions = NULL;
    const char **names = NULL;
    bool *hidden = NULL;
    int64_t left_out = 0;
    TRY(relation_take(builder, count, sizeof *expressions, &expressions, why));
    TRY(relation_take(builder, count, sizeof *names, &names, why));
    TRY(relation_take(builder, count, sizeof *hidden, &hidden, why));
    for (size_t i = 0; i < keys->count; i++) {
        struct sql_value null = {.type = keys->keys[i]->type, .scale = keys->keys[i]->scale, .null = true};
        bool there = at < set->key_count && set->keys[at] == i;
        names[i] = keys->names[i];
        if (there) {
            TRY(sql_column_of(builder, group, at++, -1, &expressions[i], why));
        } else {
            TRY(sql_literal(builder, &null, -1, &expressions[i], why));
            left_out |= (int64_t)1 << i;
        }
    }
    for (size_t i = 0; i < call_count; i++) {
        size_t column = set->key_count + i;
        names[keys->count + i] = group->columns[column].name;
        TRY(sql_column_of(builder, group, column, -1, &expressions[keys->count + i], why));
    }
    names[count - 1] = "grouping";
    hidden[count - 1] = true;
    TRY(integer(binder, left_out, &expressions[count - 1], why));
    return sql_project(builder, group, expressions, names, hidden, count, group->position, out, why);
}

static status group_one_set(struct binder *binder, const struct sql_relation *input,
                            const struct bind_keys *keys, const struct bind_grouping_set *set,
                            const struct sql_aggregate *aggregates, size_t count, int position,
                            const struct sql_relation **out, error *why)
{
    const struct sql_expression **chosen = NULL;
    TRY(relation_take(&binder->builder, set->key_count, sizeof *chosen, &chosen, why));
    for (size_t i = 0; i < set->key_count; i++)
        chosen[i] = keys->keys[set->keys[i]];
    return sql_group(&binder->builder, input, chosen, set->key_count, aggregates, count, position, out, why);
}

/* Grouping sets are the groups of each set, one below the other. */
static status group_plainly(struct binder *binder, const struct sql_relation *input,
                            const struct bind_keys *keys, const struct calls *calls, int position,
                            const struct sql_relation **out, error *why)
{
    struct sql_aggregate *aggregates = NULL;
    const struct sql_relation *all = NULL, *one = NULL;
    TRY(relation_take(&binder->builder, calls->count, sizeof *aggregates, &aggregates, why));
    for (size_t i = 0; i < calls->count; i++)
        TRY(bind_plain_aggregate(binder, &calls->list[i], &aggregates[i], why));
    if (keys->set_count == 1)
        return group_one_set(binder, input, keys, &keys->sets[0], aggregates, calls->count, position, out,
                             why);
    for (size_t i = 0; i < keys->set_count; i++) {
        TRY(group_one_set(binder, input, keys, &keys->sets[i], aggregates, calls->count, position, &one,
                          why));
        TRY(spread(binder, one, keys, &keys->sets[i], calls->count, &one, why));
        if (all == NULL)
            all = one;
        else
            TRY(sql_append(&binder->builder, all, one, position, &all, why));
    }
    *out = all;
    return DITHER_OK;
}

/* ---- Which of them ---- */

static bool set_has_unit(const struct sql_relation *input, const struct bind_keys *keys,
                         const struct bind_grouping_set *set)
{
    for (size_t i = 0; i < set->key_count; i++)
        if (relation_is_unit(input, keys->keys[set->keys[i]]))
            return true;
    return false;
}

static status build(struct binder *binder, const struct sql_relation *input, const struct bind_keys *keys,
                    const struct calls *calls, int position, const struct sql_relation **out, error *why)
{
    size_t with_unit = 0;
    for (size_t i = 0; i < keys->set_count; i++)
        with_unit += set_has_unit(input, keys, &keys->sets[i]);
    if (input->place != SQL_TAGGED || with_unit == keys->set_count)
        return group_plainly(binder, input, keys, calls, position, out, why);
    if (with_unit > 0)
        return sql_refuse(
            why, position,
            "ROLLUP, CUBE and GROUPING SETS over the unit group by it in some sets and not in others: "
            "ask for what has a row of each unit by itself");
    struct bind_release request = {
        .input = input,
        .keys = keys->keys,
        .key_names = keys->names,
        .key_count = keys->count,
        .sets = keys->sets,
        .set_count = keys->set_count,
        .calls = calls->list,
        .call_count = calls->count,
        .position = position,
    };
    return release_build(binder, &request, out, why);
}

static int position_of(const struct binder *binder, const PgQuery__SelectStmt *select,
                       const struct bind_calls_found *found)
{
    if (select->n_group_clause > 0 && bind_position(binder, select->group_clause[0]) >= 0)
        return bind_position(binder, select->group_clause[0]);
    return found->aggregate_count > 0 ? bind_at(binder, found->aggregates[0]->location) : -1;
}

status bind_group(struct binder *binder, struct bind_level *level, const PgQuery__SelectStmt *select,
                  const struct bind_targets *targets, const struct bind_calls_found *found, error *why)
{
    struct bind_level *input = NULL;
    struct bind_grouped *grouped = NULL;
    struct bind_keys keys;
    struct calls calls = {.count = 0};
    const struct sql_relation *relation = NULL;
    TRY(relation_take(&binder->builder, 1, sizeof *input, &input, why));
    TRY(relation_take(&binder->builder, 1, sizeof *grouped, &grouped, why));
    bind_level_copy(input, "GROUP BY", level);
    TRY(bind_group_keys(binder, input, select, targets, &keys, why));
    TRY(bind_calls(binder, input, found, keys.count, &calls, why));
    TRY(build(binder, input->relation, &keys, &calls, position_of(binder, select, found), &relation, why));
    *grouped = (struct bind_grouped){
        .input = input,
        .keys = keys.keys,
        .key_count = keys.count,
        .calls = found->aggregates,
        .columns = calls.columns,
        .call_count = found->aggregate_count,
        .grouping = keys.set_count > 1 ? keys.count + calls.count : 0,
    };
    level->relation = relation;
    level->grouped = grouped;
    bind_level_copy(level, "HAVING", level);
    if (select->having_clause == NULL)
        return DITHER_OK;
    return bind_condition(binder, level, select->having_clause, why);
}
