/* The block column: a public slice of the units, each slice charged for itself. */
#include <string.h>

#include "policy/reader.h"

static status check_block(const struct policy_reader *reader, int line, const struct policy_table *table,
                          const struct policy_column *column)
{
    if (table->protection == POLICY_PUBLIC)
        return policy_refuse(reader, line, "block: table %s is public, and blocks are slices of the units",
                             table->name);
    if (table->rows_per_unit != 1)
        return policy_refuse(
            reader, line,
            "block: table %s is not declared to have one row per unit (rows_per_unit: 1), so a "
            "unit could be in several blocks",
            table->name);
    if (column->value_count == 0)
        return policy_refuse(reader, line, "block: column %s.%s needs declared values", table->name,
                             column->name);
    if (column->value_count > LEDGER_MOST_BLOCKS)
        return policy_refuse(reader, line, "block: column %s.%s has more than %d values", table->name,
                             column->name, LEDGER_MOST_BLOCKS);
    for (size_t i = 0; i < column->value_count; i++)
        if (strlen(column->values[i].text) > LEDGER_NAME_BYTES)
            return policy_refuse(reader, column->values[i].line,
                                 "block: a value of column %s.%s has more than %d bytes", table->name,
                                 column->name, LEDGER_NAME_BYTES);
    return DITHER_OK;
}

/* patients.region, or {column: patients.region, immutable: true} */
status policy_read_block(struct policy_reader *reader, const struct yaml_node *node)
{
    static const char *const known[] = {"column", "immutable", NULL};
    struct policy_budget *budget = &reader->policy->budget;
    struct policy_table *table = NULL;
    if (node == NULL)
        return DITHER_OK;
    const struct yaml_node *name = node;
    if (node->kind == YAML_MAP) {
        TRY(policy_keys(reader, node, "block of the budget", known));
        TRY(policy_flag(reader, yaml_find(node, "immutable"), "the block", &budget->block_immutable));
        name = yaml_find(node, "column");
        if (name == NULL)
            return policy_refuse(reader, node->line, "block of the budget needs a column");
    }
    TRY(policy_find_reference(reader, name, "block of the budget", &table, &budget->block));
    budget->block_table = table;
    return check_block(reader, name->line, table, budget->block);
}
