/* A grouped SELECT of a tagged relation -> a release, its relation, and the projection above it. */
#include <string.h>

#include "sql/release_room.h"

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* What the analyst says may only tighten what the policy says; 0 says nothing. */
static uint64_t cap(uint64_t policy, uint64_t asked)
{
    uint64_t kept = policy > 0 ? least(policy, POLICY_MOST_ROWS) : 1;
    return asked > 0 ? least(kept, asked) : kept;
}

/* In how many groups one unit can be. One row is in one group; so is a unit whose keys are the same on all of
 * its rows, and everybody where there are no keys. */
uint64_t release_max_groups(const struct release_draft *draft, const struct bind_grouping_set *set)
{
    const struct sql_relation *input = draft->request->input;
    if (input->one_row)
        return 1;
    bool all_fixed = true;
    for (size_t i = 0; i < set->key_count; i++)
        all_fixed = all_fixed && relation_is_fixed(input, draft->request->keys[set->keys[i]]);
    return all_fixed ? 1 : cap(input->max_groups, draft->binder->options.max_groups);
}

static status make_room(struct sql_builder *builder, int position, error *why)
{
    if (builder->release_count >= SQL_MOST_RELEASES)
        return sql_refuse(why, position, "more than %d releases in one question", SQL_MOST_RELEASES);
    if (builder->release_count < builder->release_room)
        return DITHER_OK;
    size_t room = builder->release_room == 0 ? 8 : 2 * builder->release_room;
    const struct sql_release **releases = NULL;
    TRY(relation_take(builder, room, sizeof *releases, &releases, why));
    if (builder->release_count > 0)
        memcpy(releases, builder->releases, builder->release_count * sizeof *releases);
    builder->releases = releases;
    builder->release_room = room;
    return DITHER_OK;
}

static void describe_key(const struct sql_expression *key, struct sql_column *column)
{
    *column = (struct sql_column){.name = "key",
                                  .type = key->type,
                                  .scale = key->scale,
                                  .nullable = key->nullable,
                                  .range = key->range};
}

static size_t describe_measure(const struct sql_measure *measure, struct sql_column *columns)
{
    size_t count = sql_measure_columns(measure);
    for (size_t i = 0; i < count; i++)
        columns[i] = (struct sql_column){.name = "measure",
                                         .type = measure->kind == SQL_MEASURE_TOP ? SQL_TEXT : SQL_INTEGER,
                                         .noisy = true};
    return count;
}

status release_register(struct release_draft *draft, struct sql_release *release,
                        const struct sql_relation **out, error *why)
{
    struct sql_builder *builder = &draft->binder->builder;
    size_t count = release->key_count;
    for (size_t i = 0; i < release->measure_count; i++)
        count += sql_measure_columns(&release->measures[i]);
    TRY(make_room(builder, release->position, why));
    TRY(release_confine(builder, release->input, &release->blocks, &release->block_count, why));
    struct sql_relation *relation = NULL;
    struct sql_column *columns = NULL;
    TRY(relation_new(builder, SQL_RELEASE, release->position, count, &relation, &columns, why));
    for (size_t i = 0; i < release->key_count; i++)
        describe_key(release->keys[i], &columns[i]);
    size_t next = release->key_count;
    for (size_t i = 0; i < release->measure_count; i++)
        next += describe_measure(&release->measures[i], &columns[next]);
    relation->place = SQL_RELEASED;
    relation->release = release;
    release->number = builder->release_count;
    builder->releases[builder->release_count++] = release;
    *out = relation;
    return DITHER_OK;
}

status release_make(struct release_draft *draft, const struct bind_grouping_set *set,
                    struct release_made *out, error *why)
{
    struct sql_builder *builder = &draft->binder->builder;
    const struct bind_release *request = draft->request;
    struct sql_release *release = NULL;
    struct sql_measure *measures = NULL;
    const struct sql_expression **keys = NULL;
    TRY(relation_take(builder, 1, sizeof *release, &release, why));
    TRY(relation_take(builder, draft->measure_count, sizeof *measures, &measures, why));
    TRY(relation_take(builder, set->key_count, sizeof *keys, &keys, why));
    for (size_t i = 0; i < set->key_count; i++)
        keys[i] = request->keys[set->keys[i]];
    for (size_t i = 0; i < draft->measure_count; i++) {
        measures[i] = draft->measures[i];
        measures[i].column += set->key_count;
    }
    *release = (struct sql_release){.input = request->input,
                                    .keys = keys,
                                    .key_count = set->key_count,
                                    .measures = measures,
                                    .measure_count = draft->measure_count,
                                    .max_rows = draft->max_rows,
                                    .max_groups = release_max_groups(draft, set),
                                    .one_row = request->input->one_row,
                                    .position = request->position};
    out->domain_most = 1;
    if (set->key_count > 0)
        TRY(release_find_domain(draft, set, &release->domain, &out->domain_most, why));
    TRY(release_register(draft, release, &out->relation, why));
    out->release = release;
    return DITHER_OK;
}

/* Nobody can be told apart by what the others are told: the unit among the keys makes one group for each. */
static status check_keys(const struct bind_release *request, error *why)
{
    if (request->key_count > SQL_MOST_KEYS)
        return sql_refuse(why, request->position, "more than %d grouping keys", SQL_MOST_KEYS);
    for (size_t i = 0; i < request->key_count; i++)
        if (relation_is_unit(request->input, request->keys[i]))
            return sql_refuse(why, request->keys[i]->position,
                              "a group for each unit shows rows: group by the unit in a sub-select, and "
                              "aggregate its result");
    return DITHER_OK;
}

/* A SELECT that only lists keys still needs somebody behind them: it counts the units. */
static status add_presence(struct release_draft *draft, error *why)
{
    size_t index = 0;
    struct sql_measure units = {
        .kind = SQL_MEASURE_UNITS, .unit_upper = 1, .position = draft->request->position};
    TRY(release_add_measure(draft, &units, &index, why));
    draft->width = 1;
    return DITHER_OK;
}

status release_build(struct binder *binder, const struct bind_release *request,
                     const struct sql_relation **out, error *why)
{
    struct release_draft draft = {.binder = binder, .request = request};
    const struct sql_relation *input = request->input;
    TRY(check_keys(request, why));
    draft.max_rows = input->one_row ? 1 : cap(input->max_rows, binder->options.max_rows);
    TRY(relation_take(&binder->builder, SQL_MOST_MEASURES, sizeof *draft.measures, &draft.measures, why));
    TRY(relation_take(&binder->builder, request->call_count, sizeof *draft.parts, &draft.parts, why));
    TRY(release_read_calls(&draft, why));
    if (draft.measure_count == 0)
        TRY(add_presence(&draft, why));
    if (request->set_count != 1)
        return release_build_sets(&draft, out, why);
    struct release_made made = {0};
    TRY(release_make(&draft, &request->sets[0], &made, why));
    const struct sql_relation *shown = NULL;
    TRY(release_finish(&draft, made.relation, &request->sets[0], &shown, why));
    return release_add_other(&draft, &request->sets[0], &made, shown, out, why);
}
