/* To which blocks a tagged relation is confined.
 *
 * A unit's block is what the block column holds on the unit's one row of the block table; "rest" where that is
 * NULL, undeclared, or missing. A relation is confined to a set of blocks when units of all other blocks have
 * no row in it, whatever the data hold. That is proved from conditions `block column = literal` that every row
 * fulfils: the row that the column comes from has the row's own unit (joins equate tags), and it is that
 * unit's only row there, which must be proved. On rows that an outer join filled with NULL the condition is
 * not true. What is not proved is all blocks and rest.
 *
 * No release is free: the empty set is charged to rest. */
#include <string.h>

#include "sql/release_room.h"

struct confinement {
    struct sql_builder *builder;
    const struct policy_table *table;
    const struct policy_column *block;
    size_t count; /* of blocks, rest included */
    size_t
        steps; /* relations and conditions looked at: they are shared, and beyond a limit nothing is proved */
    status status;
    error *why;
};

enum { MOST_STEPS = 20000 };

/* NULL: all blocks. */
typedef const bool block_set;

static bool *new_set(struct confinement *confinement)
{
    bool *set = NULL;
    if (confinement->status == DITHER_OK)
        confinement->status =
            relation_take(confinement->builder, confinement->count, sizeof *set, &set, confinement->why);
    return confinement->status == DITHER_OK ? set : NULL;
}

static block_set *both(struct confinement *confinement, block_set *a, block_set *b)
{
    if (a == NULL || b == NULL)
        return a == NULL ? b : a;
    bool *set = new_set(confinement);
    for (size_t i = 0; set != NULL && i < confinement->count; i++)
        set[i] = a[i] && b[i];
    return set;
}

static block_set *either(struct confinement *confinement, block_set *a, block_set *b)
{
    if (a == NULL || b == NULL)
        return NULL;
    bool *set = new_set(confinement);
    for (size_t i = 0; set != NULL && i < confinement->count; i++)
        set[i] = a[i] || b[i];
    return set;
}

/* ---- Conditions ---- */

/* Whether the column is the block column of the row's own unit. The way down stays in tagged relations: behind
 * a release the column of the same name belongs to nobody. */
static bool is_block_column(const struct confinement *confinement, const struct sql_relation *relation,
                            size_t column)
{
    while (relation->place == SQL_TAGGED && column < relation->column_count) {
        switch (relation->kind) {
        case SQL_SCAN:
            return relation->table->declared == confinement->table &&
                   column < relation->table->column_count &&
                   strcmp(relation->table->columns[column].name, confinement->block->name) == 0;
        case SQL_FILTER:
        case SQL_SEMI_JOIN:
        case SQL_WINDOW:
            relation = relation->input;
            break;
        case SQL_JOIN:
            if (column < relation->input->column_count) {
                relation = relation->input;
            } else {
                column -= relation->input->column_count;
                relation = relation->right;
            }
            break;
        case SQL_PROJECT:
        case SQL_AGGREGATE:
            if (column >= relation->expression_count || relation->expressions[column]->kind != SQL_COLUMN)
                return false;
            column = relation->expressions[column]->column;
            relation = relation->input;
            break;
        default:
            return false;
        }
    }
    return false;
}

static bool is_block_expression(const struct confinement *confinement, const struct sql_relation *relation,
                                const struct sql_expression *expression)
{
    return expression->kind == SQL_COLUMN && is_block_column(confinement, relation, expression->column);
}

/* The block in which the column equals the literal: that of a declared value, else rest. */
static size_t block_of(const struct confinement *confinement, const struct sql_value *value)
{
    const struct policy_column *block = confinement->block;
    for (size_t i = 0; i < block->value_count; i++) {
        struct sql_value declared = {.type = value->type,
                                     .scale = value->scale,
                                     .whole = block->values[i].whole,
                                     .real = block->values[i].real,
                                     .text = block->values[i].text};
        if (sql_value_compare(value, &declared) == 0)
            return i;
    }
    return block->value_count;
}

/* Column = literal, of exactly the column's type; a NULL is equal to nothing. False: nothing is proved. */
static bool allow_equal(const struct confinement *confinement, const struct sql_expression *column,
                        const struct sql_expression *literal, bool *set)
{
    if (literal->kind != SQL_LITERAL)
        return false;
    if (literal->value.null)
        return true;
    if (literal->value.type != column->type || literal->value.scale != column->scale)
        return false;
    set[block_of(confinement, &literal->value)] = true;
    return true;
}

static block_set *of_equality(struct confinement *confinement, const struct sql_relation *relation,
                              const struct sql_expression *condition)
{
    const struct sql_expression *a = condition->arguments[0], *b = condition->arguments[1];
    bool *set = new_set(confinement);
    if (set == NULL)
        return NULL;
    if (is_block_expression(confinement, relation, a))
        return allow_equal(confinement, a, b, set) ? set : NULL;
    if (is_block_expression(confinement, relation, b))
        return allow_equal(confinement, b, a, set) ? set : NULL;
    return NULL;
}

static block_set *of_list(struct confinement *confinement, const struct sql_relation *relation,
                          const struct sql_expression *condition)
{
    bool *set = new_set(confinement);
    if (set == NULL || !is_block_expression(confinement, relation, condition->arguments[0]))
        return NULL;
    for (size_t i = 1; i < condition->argument_count; i++)
        if (!allow_equal(confinement, condition->arguments[0], condition->arguments[i], set))
            return NULL;
    return set;
}

/* The blocks whose units can have rows on which the condition is true. */
static block_set *of_condition(struct confinement *confinement, const struct sql_relation *relation,
                               const struct sql_expression *condition)
{
    if (condition == NULL || confinement->steps++ >= MOST_STEPS)
        return NULL;
    bool is_or = sql_is_call(condition, "or");
    if (is_or || sql_is_call(condition, "and")) {
        block_set *set = of_condition(confinement, relation, condition->arguments[0]);
        for (size_t i = 1; i < condition->argument_count; i++) {
            block_set *part = of_condition(confinement, relation, condition->arguments[i]);
            set = is_or ? either(confinement, set, part) : both(confinement, set, part);
        }
        return set;
    }
    if (sql_is_call(condition, "=") && condition->argument_count == 2)
        return of_equality(confinement, relation, condition);
    if (sql_is_call(condition, "in") && condition->argument_count >= 2)
        return of_list(confinement, relation, condition);
    return NULL;
}

/* ---- Relations ---- */

static block_set *of_relation(struct confinement *confinement, const struct sql_relation *relation);

static block_set *of_join(struct confinement *confinement, const struct sql_relation *join)
{
    bool left = join->input->place == SQL_TAGGED, right = join->right->place == SQL_TAGGED;
    if (left && (!right || join->join == SQL_LEFT)) {
        block_set *set = of_relation(confinement, join->input);
        return join->join == SQL_INNER
                   ? both(confinement, set, of_condition(confinement, join, join->condition))
                   : set;
    }
    if (right && (!left || join->join == SQL_RIGHT)) {
        block_set *set = of_relation(confinement, join->right);
        return join->join == SQL_INNER
                   ? both(confinement, set, of_condition(confinement, join, join->condition))
                   : set;
    }
    block_set *sides[] = {of_relation(confinement, join->input), of_relation(confinement, join->right)};
    if (join->join == SQL_FULL)
        return either(confinement, sides[0], sides[1]);
    return both(confinement, both(confinement, sides[0], sides[1]),
                of_condition(confinement, join, join->condition));
}

static block_set *of_relation(struct confinement *confinement, const struct sql_relation *relation)
{
    if (relation->place != SQL_TAGGED || confinement->status != DITHER_OK ||
        confinement->steps++ >= MOST_STEPS)
        return NULL;
    switch (relation->kind) {
    case SQL_FILTER:
        return both(confinement, of_relation(confinement, relation->input),
                    of_condition(confinement, relation->input, relation->condition));
    case SQL_PROJECT:
    case SQL_WINDOW:
    case SQL_AGGREGATE: /* by the unit: who has no row in the input has no group */
        return of_relation(confinement, relation->input);
    case SQL_JOIN:
        return of_join(confinement, relation);
    case SQL_SEMI_JOIN: {
        block_set *left = of_relation(confinement, relation->input);
        return relation->anti ? left : both(confinement, left, of_relation(confinement, relation->right));
    }
    case SQL_APPEND:
        return either(confinement, of_relation(confinement, relation->input),
                      of_relation(confinement, relation->right));
    default:
        return NULL;
    }
}

/* ---- The answer ---- */

static bool is_proved(const struct sql_builder *builder, const struct policy_table *table)
{
    for (size_t i = 0; i < builder->catalogue->table_count; i++)
        if (builder->catalogue->tables[i].declared == table)
            return sql_table_one_row_per_unit(&builder->catalogue->tables[i]);
    return false;
}

static status list_blocks(struct confinement *confinement, block_set *set, const size_t **out,
                          size_t *out_count, error *why)
{
    size_t *blocks = NULL, count = 0;
    TRY(relation_take(confinement->builder, confinement->count, sizeof *blocks, &blocks, why));
    for (size_t i = 0; i < confinement->count; i++)
        if (set[i])
            blocks[count++] = i;
    if (count == confinement->count)
        return DITHER_OK;
    if (count == 0)
        blocks[count++] = confinement->count - 1;
    *out = blocks;
    *out_count = count;
    return DITHER_OK;
}

status release_confine(struct sql_builder *builder, const struct sql_relation *relation, const size_t **out,
                       size_t *out_count, error *why)
{
    const struct policy_budget *budget = &builder->catalogue->policy->budget;
    *out = NULL;
    *out_count = 0;
    if (budget->block_table == NULL || !is_proved(builder, budget->block_table))
        return DITHER_OK;
    struct confinement confinement = {.builder = builder,
                                      .table = budget->block_table,
                                      .block = budget->block,
                                      .count = budget->block->value_count + 1,
                                      .why = why};
    block_set *set = of_relation(&confinement, relation);
    TRY(confinement.status);
    return set == NULL ? DITHER_OK : list_blocks(&confinement, set, out, out_count, why);
}
