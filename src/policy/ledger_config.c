/* The policy as the ledger wants it. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "policy/policy.h"

static status take(struct arena *arena, size_t count, size_t size, void *out, error *why)
{
    void *memory = NULL;
    if (count > 0)
        TRY(arena_take(arena, count * size, &memory, why));
    memcpy(out, &memory, sizeof memory);
    return DITHER_OK;
}

/* In double quotes, a quote inside doubled: as SQL has it, so that no name can pass for another text. */
static void add_name(struct buffer *text, const char *name)
{
    buffer_byte(text, '"');
    for (; *name != '\0'; name++) {
        if (*name == '"')
            buffer_byte(text, '"');
        buffer_byte(text, *name);
    }
    buffer_byte(text, '"');
}

static int compare_tables(const void *left, const void *right)
{
    const struct policy_table *a = *(const struct policy_table *const *)left;
    const struct policy_table *b = *(const struct policy_table *const *)right;
    return strcmp(a->name, b->name);
}

static int compare_keys(const void *left, const void *right)
{
    const struct policy_key *a = left, *b = right;
    return strcmp(a->column->name, b->column->name);
}

static void add_type(struct buffer *text, const struct policy_column *column)
{
    buffer_format(text, " %s", policy_type_name(column->type));
    if (column->type == POLICY_DECIMAL)
        buffer_format(text, "(%d)", column->scale);
}

static status add_keys(const struct policy_table *table, struct arena *arena, struct buffer *text, error *why)
{
    struct policy_key *keys = NULL;
    TRY(take(arena, table->key_count, sizeof *keys, &keys, why));
    memcpy(keys, table->keys, table->key_count * sizeof *keys);
    qsort(keys, table->key_count, sizeof *keys, compare_keys);
    buffer_text(text, " joins ");
    add_name(text, table->parent->name);
    for (size_t i = 0; i < table->key_count; i++) {
        buffer_text(text, i == 0 ? " on " : " and ");
        add_name(text, keys[i].column->name);
        buffer_text(text, " = ");
        add_name(text, keys[i].parent_column->name);
        add_type(text, keys[i].column);
    }
    return DITHER_OK;
}

static status add_table(const struct policy_table *table, struct arena *arena, struct buffer *text,
                        error *why)
{
    add_name(text, table->name);
    switch (table->protection) {
    case POLICY_UNIT_JOIN:
        return add_keys(table, arena, text, why);
    case POLICY_UNIT_ROW:
        buffer_text(text, " each row");
        return DITHER_OK;
    case POLICY_UNIT_COLUMN:
        buffer_text(text, " unit ");
        add_name(text, table->unit_column->name);
        add_type(text, table->unit_column);
        return DITHER_OK;
    case POLICY_PUBLIC:
        break;
    }
    return DITHER_OK;
}

/* Every private table, sorted by name. */
static status describe_units(const struct policy *policy, struct arena *arena, struct buffer *text,
                             error *why)
{
    const struct policy_table **sorted = NULL;
    size_t count = 0;
    TRY(take(arena, policy->table_count, sizeof *sorted, &sorted, why));
    for (size_t i = 0; i < policy->table_count; i++)
        if (policy->tables[i].protection != POLICY_PUBLIC)
            sorted[count++] = &policy->tables[i];
    qsort(sorted, count, sizeof *sorted, compare_tables);
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            buffer_text(text, "; ");
        TRY(add_table(sorted[i], arena, text, why));
    }
    return DITHER_OK;
}

static status copy_units(const struct policy *policy, struct arena *arena, const char **out, error *why)
{
    struct buffer text;
    char *copy = NULL;
    buffer_init(&text, LEDGER_TEXT_BYTES);
    status result = describe_units(policy, arena, &text, why);
    if (result == DITHER_OK && text.too_long)
        result = fail(why, DITHER_INVALID, "%s: the units of so many tables do not fit into a ledger",
                      policy->file);
    if (result == DITHER_OK)
        result = buffer_check(&text, why);
    if (result == DITHER_OK)
        result = arena_text(arena, text.data, text.length, &copy, why);
    buffer_free(&text);
    if (result == DITHER_OK)
        *out = copy;
    return result;
}

/* The block column as the policy names it. */
static status copy_blocks(const struct policy_budget *budget, struct arena *arena,
                          struct ledger_config *config, error *why)
{
    if (budget->block == NULL)
        return DITHER_OK;
    const char **blocks = NULL;
    char *column = NULL;
    struct buffer text;
    buffer_init(&text, LEDGER_TEXT_BYTES);
    buffer_format(&text, "%s.%s", budget->block_table->name, budget->block->name);
    status result = buffer_check(&text, why);
    if (result == DITHER_OK)
        result = arena_text(arena, text.data, text.length, &column, why);
    buffer_free(&text);
    TRY(result);
    TRY(take(arena, budget->block->value_count, sizeof *blocks, &blocks, why));
    for (size_t i = 0; i < budget->block->value_count; i++)
        blocks[i] = budget->block->values[i].text;
    config->block_column = column;
    config->blocks = blocks;
    config->block_count = budget->block->value_count;
    config->blocks_immutable = budget->block_immutable;
    return DITHER_OK;
}

static status copy_people(const struct policy *policy, struct arena *arena, struct ledger_config *config,
                          error *why)
{
    struct ledger_group *groups = NULL;
    struct ledger_analyst *analysts = NULL;
    TRY(take(arena, policy->group_count, sizeof *groups, &groups, why));
    TRY(take(arena, policy->analyst_count, sizeof *analysts, &analysts, why));
    for (size_t i = 0; i < policy->group_count; i++)
        groups[i] = (struct ledger_group){policy->groups[i].name, policy->groups[i].cap};
    for (size_t i = 0; i < policy->analyst_count; i++) {
        const struct policy_analyst *analyst = &policy->analysts[i];
        analysts[i] =
            (struct ledger_analyst){analyst->name, analyst->cap, analyst->groups, analyst->group_count};
    }
    config->groups = groups;
    config->group_count = policy->group_count;
    config->analysts = analysts;
    config->analyst_count = policy->analyst_count;
    return DITHER_OK;
}

/* One question may use all the delta there is; epsilon or rho up to its maximum. */
static struct ledger_cost question_most(const struct policy_budget *budget)
{
    struct ledger_cost most = budget->total;
    if (budget->currency == LEDGER_CONCENTRATED)
        most.rho = budget->max_per_question;
    else
        most.epsilon = budget->max_per_question;
    return most;
}

status policy_ledger_config(const struct policy *policy, struct arena *arena, struct ledger_config *out,
                            error *why)
{
    struct ledger_config config = {
        .dataset = policy->dataset,
        .data_version = policy->version,
        .currency = policy->budget.currency,
        .total = policy->budget.total,
        .question_most = question_most(&policy->budget),
        .renewal = policy->budget.renewal,
    };
    TRY(copy_units(policy, arena, &config.unit, why));
    TRY(copy_blocks(&policy->budget, arena, &config, why));
    TRY(copy_people(policy, arena, &config, why));
    *out = config;
    return DITHER_OK;
}
