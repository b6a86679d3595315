/* Joins and semi joins: where rows of different tables meet. */
#include "sql/relation_make.h"

#include <string.h>

enum { MOST_MULTIPLYING_JOINS = 8 };

static uint64_t product(uint64_t a, uint64_t b)
{
    return b != 0 && a > POLICY_MOST_ROWS / b ? POLICY_MOST_ROWS : a * b;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static bool preserves_left(enum sql_join_kind kind)
{
    return kind == SQL_LEFT || kind == SQL_FULL;
}

static bool preserves_right(enum sql_join_kind kind)
{
    return kind == SQL_RIGHT || kind == SQL_FULL;
}

/* The other side of an outer join gets rows that are all NULL. Such a column is not the unit any more, though
 * it was before: all people without a partner would share the group NULL. Nor is it the same on all rows of a
 * unit: some rows may have a partner, and others not. */
static void extend_with_null(struct sql_column *columns, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        columns[i].nullable = true;
        columns[i].unit = false;
        columns[i].fixed = false;
    }
}

static status check_condition(const struct sql_expression *condition, error *why)
{
    if (condition == NULL || condition->type == SQL_BOOLEAN || condition->type == SQL_UNKNOWN)
        return DITHER_OK;
    return sql_refuse(why, condition->position, "argument of JOIN/ON must be type boolean, not type %s",
                      sql_type_name(condition->type));
}

/* Two tagged sides. The printed condition is tag = tag AND the analyst's. So rows of a unit u in the result
 * are made of rows of u on both sides, which depend on u's rows alone: an inner join is tagged by either tag,
 * a left join by the left's and a right join by the right's, which is there on every row. */
static status check_two_tagged(enum sql_join_kind kind, const struct sql_relation *left,
                               const struct sql_relation *right, const struct sql_expression *condition,
                               int position, error *why)
{
    TRY(relation_same_kind(left, right, position, "a join of private tables", why));
    if (kind == SQL_FULL)
        return sql_refuse(why, position,
                          "FULL JOIN of private tables is not supported: UNION ALL the rows of both, or join "
                          "with LEFT JOIN the table that has all %s",
                          left->unit->unit_column != NULL ? left->unit->unit_column->name : "units");
    if (relation_equates_units(left, right, condition))
        return DITHER_OK;
    const struct policy_column *unit = left->unit->unit_column;
    return sql_refuse(
        why, position,
        "a join of private tables must equate their units: add ON a.%s = b.%s to its condition, "
        "joined with AND, or equate all columns of a declared key",
        unit != NULL ? unit->name : "key", unit != NULL ? unit->name : "key");
}

/* One tagged side. With a partner from a public or released table, a row still depends on its own unit and on
 * what is public; each of its rows has the tag. Preserving the other side would add rows that are there
 * because *nobody* has a partner: they belong to all units at once. */
static status check_one_tagged(enum sql_join_kind kind, bool left_tagged, int position, error *why)
{
    bool fine = kind == SQL_INNER || kind == (left_tagged ? SQL_LEFT : SQL_RIGHT);
    if (fine)
        return DITHER_OK;
    return sql_refuse(why, position,
                      "an outer join with a private table must preserve the private side: write private LEFT "
                      "JOIN public; to see what has no partner, aggregate the private table in a sub-select "
                      "first and join that");
}

/* Whether a row can get several partners in this join. */
static bool is_multiplying(const struct sql_relation *join)
{
    const struct sql_relation *left = join->input, *right = join->right;
    if (left->place != SQL_TAGGED)
        return !relation_has_one_partner(left, 0, join->condition);
    if (right->place != SQL_TAGGED)
        return !relation_has_one_partner(right, left->column_count, join->condition);
    return !left->one_row && !right->one_row;
}

/* How long the engine takes, and whether its memory lasts, must not depend on one person's rows. Their number is not
 * public, but how often a question multiplies them is. */
static status count_multiplying(struct sql_relation *relation, error *why)
{
    relation->multiplied =
        relation->input->multiplied + relation->right->multiplied + is_multiplying(relation);
    if (relation->multiplied <= MOST_MULTIPLYING_JOINS)
        return DITHER_OK;
    return sql_refuse(
        why, relation->position,
        "more than %d joins multiply private rows here: aggregate a side by the unit first, or join with "
        "public tables on their keys",
        MOST_MULTIPLYING_JOINS);
}

static enum sql_place place_of(const struct sql_relation *left, const struct sql_relation *right)
{
    if (left->place == SQL_TAGGED || right->place == SQL_TAGGED)
        return SQL_TAGGED;
    return left->place == SQL_RELEASED || right->place == SQL_RELEASED ? SQL_RELEASED : SQL_PUBLIC;
}

/* What is known of the units of a join that was allowed. */
static void settle_units(struct sql_relation *join, struct sql_column *columns)
{
    const struct sql_relation *left = join->input, *right = join->right;
    bool left_tagged = left->place == SQL_TAGGED, right_tagged = right->place == SQL_TAGGED;
    const struct sql_relation *main =
        left_tagged && (!right_tagged || join->join != SQL_RIGHT) ? left : right;
    join->unit = main->unit;
    join->tag = main->tag + (main == right ? left->column_count : 0);
    if (left_tagged && right_tagged) {
        join->one_row = left->one_row && right->one_row;
        join->max_rows = product(left->max_rows, right->max_rows);
        join->max_groups = larger(left->max_groups, right->max_groups);
    } else {
        const struct sql_relation *partner = main == left ? right : left;
        join->one_row = main->one_row && relation_has_one_partner(
                                             partner, main == left ? left->column_count : 0, join->condition);
        join->max_rows = main->max_rows;
        join->max_groups = main->max_groups;
    }
    if (join->one_row)
        for (size_t i = 0; i < join->column_count; i++)
            columns[i].fixed = true;
}

status sql_join(struct sql_builder *builder, enum sql_join_kind kind, const struct sql_relation *left,
                const struct sql_relation *right, const struct sql_expression *condition, int position,
                const struct sql_relation **out, error *why)
{
    bool left_tagged = left->place == SQL_TAGGED, right_tagged = right->place == SQL_TAGGED;
    struct sql_relation *relation = NULL;
    struct sql_column *columns = NULL;
    TRY(check_condition(condition, why));
    if (left_tagged && right_tagged)
        TRY(check_two_tagged(kind, left, right, condition, position, why));
    else if (left_tagged || right_tagged)
        TRY(check_one_tagged(kind, left_tagged, position, why));
    TRY(relation_new(builder, SQL_JOIN, position, left->column_count + right->column_count, &relation,
                     &columns, why));
    memcpy(columns, left->columns, left->column_count * sizeof *columns);
    memcpy(columns + left->column_count, right->columns, right->column_count * sizeof *columns);
    if (preserves_right(kind))
        extend_with_null(columns, left->column_count);
    if (preserves_left(kind))
        extend_with_null(columns + left->column_count, right->column_count);
    relation->input = left;
    TRY(relation_add_right(relation, right, why));
    relation->condition = condition;
    relation->join = kind;
    relation->place = place_of(left, right);
    relation_mark_released(relation, condition);
    if (relation->place == SQL_TAGGED) {
        settle_units(relation, columns);
        TRY(count_multiplying(relation, why));
    }
    for (size_t i = 0; i < relation->column_count && relation->place == SQL_TAGGED; i++)
        columns[i].noisy = false; /* says nothing about a tagged relation: its noise was drawn before */
    *out = relation;
    return DITHER_OK;
}

/* Whether a row of the left stays depends, with a tagged right side, on rows of the right with the row's own
 * unit (tag = tag is printed), and else on public rows alone. Negation changes nothing about that. A right
 * side that is tagged under a left side that is not would let one person decide about public rows. */
static status check_semi_join(const struct sql_relation *left, const struct sql_relation *right,
                              const struct sql_expression *condition, int position, error *why)
{
    if (right->place != SQL_TAGGED)
        return DITHER_OK;
    if (left->place != SQL_TAGGED)
        return sql_refuse(
            why, position,
            "rows that are not private cannot be chosen by the rows of a private table: aggregate "
            "the private table in the sub-select (for example count(*) ... GROUP BY) first");
    TRY(relation_same_kind(left, right, position, "IN or EXISTS over a private table", why));
    if (relation_equates_units(left, right, condition))
        return DITHER_OK;
    const struct policy_column *unit = left->unit->unit_column;
    return sql_refuse(
        why, position,
        "IN or EXISTS over a private table must equate the units: write WHERE %s IN (SELECT %s ...), "
        "or EXISTS (SELECT 1 ... WHERE inner.%s = outer.%s AND ...)",
        unit != NULL ? unit->name : "key", unit != NULL ? unit->name : "key",
        unit != NULL ? unit->name : "key", unit != NULL ? unit->name : "key");
}

status sql_semi_join(struct sql_builder *builder, bool anti, const struct sql_relation *left,
                     const struct sql_relation *right, const struct sql_expression *condition, int position,
                     const struct sql_relation **out, error *why)
{
    struct sql_relation *relation = NULL;
    struct sql_column *columns = NULL;
    TRY(check_condition(condition, why));
    TRY(check_semi_join(left, right, condition, position, why));
    TRY(relation_over(builder, SQL_SEMI_JOIN, left, position, &relation, &columns, why));
    TRY(relation_add_right(relation, right, why));
    relation->condition = condition;
    relation->anti = anti;
    if (relation->place == SQL_PUBLIC && right->place == SQL_RELEASED)
        relation->place = SQL_RELEASED;
    relation_mark_released(relation, condition);
    *out = relation;
    return DITHER_OK;
}
