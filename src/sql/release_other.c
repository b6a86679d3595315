/* The row for what is hidden: a total over everybody, released by itself, minus what is shown.
 *
 * Never a sum over the hidden groups: that would be exact, and that a group is hidden is private. The total is
 * bounded like all groups of a unit together, and is charged like any release. */
#include "sql/release_room.h"

/* The measures that can be added up, bounded for all groups of a unit. Their order is kept. */
static size_t total_measures(const struct release_draft *draft, const struct sql_release *shown,
                             uint64_t groups, struct sql_measure *out)
{
    size_t count = 0;
    for (size_t i = 0; i < draft->measure_count; i++) {
        if (!release_is_additive(&draft->measures[i], shown->max_groups))
            continue;
        out[count] = draft->measures[i];
        out[count].unit_lower *= (int64_t)groups;
        out[count].unit_upper *= (int64_t)groups;
        out[count].column = count;
        count++;
    }
    return count;
}

/* How many groups of a unit fit into its bounds. */
static uint64_t groups_that_fit(const struct release_draft *draft, const struct sql_release *shown)
{
    uint64_t groups = shown->max_groups, most = UINT64_C(1) << RELEASE_UNIT_BITS;
    for (size_t i = 0; i < draft->measure_count; i++) {
        uint64_t fit = most / sql_measure_sensitivity(&draft->measures[i]);
        groups = fit < groups ? fit : groups;
    }
    uint64_t rows = POLICY_MOST_ROWS / shown->max_rows;
    groups = rows < groups ? rows : groups;
    return groups > 0 ? groups : 1;
}

static status make_total(struct release_draft *draft, const struct sql_release *shown,
                         const struct sql_relation **out, size_t *count, error *why)
{
    struct sql_builder *builder = &draft->binder->builder;
    struct sql_release *total = NULL;
    struct sql_measure *measures = NULL;
    uint64_t groups = groups_that_fit(draft, shown);
    TRY(relation_take(builder, 1, sizeof *total, &total, why));
    TRY(relation_take(builder, draft->measure_count, sizeof *measures, &measures, why));
    *count = total_measures(draft, shown, groups, measures);
    if (*count == 0)
        return DITHER_OK;
    *total = (struct sql_release){.input = shown->input,
                                  .measures = measures,
                                  .measure_count = *count,
                                  .max_rows = shown->max_rows * groups,
                                  .max_groups = 1,
                                  .one_row = shown->one_row,
                                  .position = shown->position};
    return release_register(draft, total, out, why);
}

/* One row: the sums of all shown groups, NULL where none is shown. */
static status sum_shown(struct release_draft *draft, const struct release_made *made, size_t count,
                        const struct sql_relation **out, error *why)
{
    struct sql_builder *builder = &draft->binder->builder;
    struct sql_aggregate *sums = NULL;
    size_t n = 0;
    TRY(relation_take(builder, count, sizeof *sums, &sums, why));
    for (size_t i = 0; i < draft->measure_count; i++) {
        if (!release_is_additive(&draft->measures[i], made->release->max_groups))
            continue;
        sums[n].kind = SQL_TOTAL;
        TRY(sql_column_of(builder, made->relation, made->release->measures[i].column, -1, &sums[n].argument,
                          why));
        n++;
    }
    return sql_group(builder, made->relation, NULL, 0, sums, count, made->release->position, out, why);
}

/* What is not shown, with the columns of the release: key columns that say "other", and all measures. */
static status subtract(struct release_draft *draft, const struct release_made *made, size_t count,
                       const struct sql_relation *both, const struct sql_relation **out, error *why)
{
    struct sql_builder *builder = &draft->binder->builder;
    const struct sql_release *shown = made->release;
    struct formula formula = {.builder = builder, .base = both, .position = shown->position, .why = why};
    size_t width = made->relation->column_count, n = 0, additive = 0;
    const struct sql_expression **expressions = NULL;
    const char **names = NULL;
    TRY(relation_take(builder, width, sizeof *expressions, &expressions, why));
    TRY(relation_take(builder, width, sizeof *names, &names, why));
    for (size_t i = 0; i < width; i++)
        names[i] = made->relation->columns[i].name;
    for (; n < shown->key_count; n++) {
        const struct sql_expression *key = shown->keys[n];
        static const struct sql_value word = {.type = SQL_TEXT, .text = "other"};
        expressions[n] = key->type == SQL_TEXT ? formula_literal(&formula, &word)
                                               : formula_null(&formula, key->type, key->scale);
    }
    for (size_t i = 0; i < draft->measure_count; i++) {
        if (release_is_additive(&draft->measures[i], shown->max_groups)) {
            const struct sql_expression *sum = formula_two(
                &formula, "coalesce", formula_column(&formula, count + additive), formula_whole(&formula, 0));
            expressions[n++] = formula_two(&formula, "-", formula_column(&formula, additive), sum);
            additive++;
            continue;
        }
        for (size_t j = 0; j < sql_measure_columns(&draft->measures[i]); j++, n++)
            expressions[n] = formula_null(&formula, made->relation->columns[n].type, 0);
    }
    TRY(formula.status);
    return sql_project(builder, both, expressions, names, NULL, width, shown->position, out, why);
}

status release_add_other(struct release_draft *draft, const struct bind_grouping_set *set,
                         const struct release_made *made, const struct sql_relation *shown,
                         const struct sql_relation **out, error *why)
{
    struct sql_builder *builder = &draft->binder->builder;
    const struct sql_relation *total = NULL, *sums = NULL, *both = NULL, *base = NULL, *other = NULL;
    size_t count = 0;
    *out = shown;
    if (!draft->binder->options.other || set->key_count == 0 || made->release->domain != NULL)
        return DITHER_OK;
    TRY(make_total(draft, made->release, &total, &count, why));
    if (count == 0) {
        buffer_text(draft->binder->notes, "other: nothing of this can be added up; no such row\n");
        return DITHER_OK;
    }
    TRY(sum_shown(draft, made, count, &sums, why));
    TRY(sql_join(builder, SQL_INNER, total, sums, NULL, made->release->position, &both, why));
    TRY(subtract(draft, made, count, both, &base, why));
    bool missing[SQL_MOST_MEASURES] = {false};
    for (size_t i = 0; i < draft->measure_count; i++)
        missing[i] = !release_is_additive(&draft->measures[i], made->release->max_groups);
    draft->missing = missing;
    status finished = release_finish(draft, base, set, &other, why);
    draft->missing = NULL;
    TRY(finished);
    return sql_append(builder, shown, other, made->release->position, out, why);
}
