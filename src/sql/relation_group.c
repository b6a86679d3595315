/* GROUP BY and DISTINCT. */
#include "sql/relation_make.h"

#include <string.h>

static const char *key_name(const struct sql_relation *input, const struct sql_expression *key)
{
    key = relation_plain(key);
    return key->kind == SQL_COLUMN ? input->columns[key->column].name : "?column?";
}

/* The key that holds the unit. It must be a plain column that equals the unit on every row: patient_id % 10
 * puts many people into one group, and a column of the other side of an outer join puts all those without a
 * partner there. */
static status find_unit(const struct sql_relation *input, const struct sql_expression *const *keys,
                        size_t key_count, int position, size_t *tag, error *why)
{
    for (size_t i = 0; i < key_count; i++) {
        if (relation_is_unit(input, keys[i])) {
            *tag = i;
            return DITHER_OK;
        }
    }
    return sql_refuse(why, position, "the unit is not among the grouping keys: this is a release");
}

static status describe_columns(const struct sql_relation *relation, struct sql_column *columns,
                               const struct sql_aggregate *aggregates, size_t aggregate_count, error *why)
{
    const struct sql_relation *input = relation->input;
    for (size_t i = 0; i < relation->expression_count; i++) {
        relation_describe(input, relation->expressions[i], &columns[i]);
        columns[i].name = key_name(input, relation->expressions[i]);
        const struct sql_expression *plain = relation_plain(relation->expressions[i]);
        columns[i].hidden = plain->kind == SQL_COLUMN && input->columns[plain->column].hidden;
    }
    for (size_t i = 0; i < aggregate_count; i++)
        TRY(relation_describe_aggregate(input, &aggregates[i], relation->position,
                                        &columns[relation->expression_count + i], why));
    return DITHER_OK;
}

/* Every group lies within one unit, since the unit is a key, and its aggregates are functions of the group's
 * set of rows: so the group depends on the rows of that unit. With keys that are the same on all rows of a
 * unit there is one group for each unit, whatever the data. */
static void settle_units(struct sql_relation *relation, struct sql_column *columns, size_t tag)
{
    const struct sql_relation *input = relation->input;
    relation->unit = input->unit;
    relation->tag = tag;
    relation->one_row = true;
    for (size_t i = 0; i < relation->expression_count; i++)
        relation->one_row = relation->one_row && columns[i].fixed;
    relation->max_rows = relation->one_row ? 1 : input->max_rows;
    relation->max_groups = input->max_groups;
    relation->multiplied = input->multiplied;
    for (size_t i = 0; i < relation->column_count && relation->one_row; i++)
        columns[i].fixed = true;
}

/* Rows with the keys 0 and -0 are one group, and which of the two it shows is the engine's choice. */
static status make_keys_exact(struct sql_builder *builder, const struct sql_expression *const **keys,
                              size_t count, int position, error *why)
{
    const struct sql_expression **made = NULL;
    TRY(relation_take(builder, count, sizeof *made, &made, why));
    for (size_t i = 0; i < count; i++)
        TRY(relation_without_twins(builder, (*keys)[i], "GROUP BY", position, &made[i], why));
    *keys = made;
    return DITHER_OK;
}

static status make_exact(struct sql_builder *builder, const struct sql_aggregate *aggregates, size_t count,
                         int position, struct sql_aggregate *exact, double *steps, error *why)
{
    for (size_t i = 0; i < count; i++)
        TRY(relation_exact_aggregate(builder, &aggregates[i], position, &exact[i], &steps[i], why));
    return DITHER_OK;
}

static void mark_released(struct sql_relation *relation)
{
    for (size_t i = 0; i < relation->expression_count; i++)
        relation_mark_released(relation, relation->expressions[i]);
    for (size_t i = 0; i < relation->aggregate_count; i++) {
        relation_mark_released(relation, relation->aggregates[i].argument);
        relation_mark_released(relation, relation->aggregates[i].filter);
    }
}

status sql_group(struct sql_builder *builder, const struct sql_relation *input,
                 const struct sql_expression *const *keys, size_t key_count,
                 const struct sql_aggregate *aggregates, size_t aggregate_count, int position,
                 const struct sql_relation **out, error *why)
{
    struct sql_relation *relation = NULL;
    struct sql_column *columns = NULL, *wanted = NULL;
    struct sql_aggregate *made = NULL;
    double *steps = NULL;
    size_t count = key_count + aggregate_count, tag = 0;
    bool tagged = input->place == SQL_TAGGED;
    if (tagged) {
        TRY(find_unit(input, keys, key_count, position, &tag, why));
        TRY(make_keys_exact(builder, &keys, key_count, position, why));
    }
    TRY(relation_new(builder, SQL_AGGREGATE, position, count, &relation, &columns, why));
    TRY(relation_take(builder, count, sizeof *wanted, &wanted, why));
    TRY(relation_take(builder, count, sizeof *steps, &steps, why));
    TRY(relation_take(builder, aggregate_count, sizeof *made, &made, why));
    if (aggregate_count > 0)
        memcpy(made, aggregates, aggregate_count * sizeof *made);
    relation->input = input;
    relation->steps = input->steps + 1;
    relation->place = input->place;
    relation->expressions = keys;
    relation->expression_count = key_count;
    relation->aggregates = made;
    relation->aggregate_count = aggregate_count;
    TRY(describe_columns(relation, wanted, aggregates, aggregate_count, why));
    if (tagged)
        TRY(make_exact(builder, aggregates, aggregate_count, position, made, steps + key_count, why));
    TRY(describe_columns(relation, columns, made, aggregate_count, why));
    if (tagged)
        settle_units(relation, columns, tag);
    mark_released(relation);
    return relation_scale_back(builder, relation, steps, wanted, out, why);
}

/* DISTINCT of a tagged relation is GROUP BY its visible columns, with the unit among them. */
static status group_by_visible(struct sql_builder *builder, const struct sql_relation *input, int position,
                               const struct sql_relation **out, error *why)
{
    const struct sql_expression **keys = NULL;
    size_t count = 0;
    bool has_unit = false;
    TRY(relation_take(builder, input->column_count, sizeof *keys, &keys, why));
    for (size_t i = 0; i < input->column_count; i++) {
        if (input->columns[i].hidden)
            continue;
        has_unit = has_unit || input->columns[i].unit;
        TRY(sql_column_of(builder, input, i, position, &keys[count++], why));
    }
    if (!has_unit)
        return sql_refuse(
            why, position,
            "SELECT DISTINCT would show values of private rows: write SELECT ..., count(*) ... GROUP "
            "BY ... instead, or count(DISTINCT ...)");
    return sql_group(builder, input, keys, count, NULL, 0, position, out, why);
}

status sql_distinct(struct sql_builder *builder, const struct sql_relation *input, int position,
                    const struct sql_relation **out, error *why)
{
    struct sql_relation *relation = NULL;
    struct sql_column *columns = NULL;
    if (input->place == SQL_TAGGED)
        return group_by_visible(builder, input, position, out, why);
    TRY(relation_over(builder, SQL_DISTINCT, input, position, &relation, &columns, why));
    *out = relation;
    return DITHER_OK;
}
