/* The owner's policy with other sources, another budget and another ledger, printed as YAML. */
#include "attack/audit_world.h"

#include <stdio.h>

static void write_quoted(struct buffer *out, const char *text)
{
    buffer_byte(out, '"');
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '"' || *at == '\\')
            buffer_byte(out, '\\');
        if ((unsigned char)*at < ' ')
            buffer_format(out, "\\x%02x", (unsigned)*at);
        else
            buffer_byte(out, *at);
    }
    buffer_byte(out, '"');
}

static void write_value(const struct policy_column *column, const struct policy_value *value,
                        struct buffer *out)
{
    if (column->type == POLICY_TEXT)
        write_quoted(out, value->text);
    else
        buffer_text(out, value->text);
}

static void write_column(const struct policy_column *column, struct buffer *out)
{
    buffer_text(out, "      ");
    write_quoted(out, column->name);
    buffer_format(out, ": {type: %s", policy_type_name(column->type));
    if (!column->nullable)
        buffer_text(out, ", null: false");
    if (column->type == POLICY_DECIMAL)
        buffer_format(out, ", scale: %d", column->scale);
    if (column->has_range) {
        buffer_text(out, ", range: [");
        write_value(column, &column->lower, out);
        buffer_text(out, ", ");
        write_value(column, &column->upper, out);
        buffer_text(out, "]");
    }
    if (column->has_range && column->type == POLICY_REAL)
        buffer_format(out, ", grid: 2^%d", column->grid_exponent);
    for (size_t i = 0; i < column->value_count; i++) {
        buffer_text(out, i > 0 ? ", " : ", values: [");
        write_value(column, &column->values[i], out);
    }
    buffer_text(out, column->value_count > 0 ? "]}\n" : "}\n");
}

static void write_join(const struct policy_table *table, struct buffer *out)
{
    buffer_text(out, "    join: [");
    for (size_t i = 0; i < table->key_count; i++) {
        char target[2 * POLICY_NAME_BYTES + 4];
        snprintf(target, sizeof target, "%s.%s", table->parent->name, table->keys[i].parent_column->name);
        buffer_text(out, i > 0 ? ", {" : "{");
        write_quoted(out, table->keys[i].column->name);
        buffer_text(out, ": ");
        write_quoted(out, target);
        buffer_text(out, "}");
    }
    buffer_text(out, "]\n");
}

static void write_bounds(const struct policy_table *table, struct buffer *out)
{
    if (table->rows_per_unit > 0)
        buffer_format(out, "    rows_per_unit: %llu\n", (unsigned long long)table->rows_per_unit);
    if (table->protection != POLICY_UNIT_ROW)
        buffer_format(out, "    max_rows: %llu\n    max_groups: %llu\n", (unsigned long long)table->max_rows,
                      (unsigned long long)table->max_groups);
}

static void write_table(const struct policy_table *table, size_t index, bool files, struct buffer *out)
{
    buffer_text(out, "  ");
    write_quoted(out, table->name);
    buffer_text(out, ":\n");
    if (table->column_count == 0) { /* a public table whose own file says what it is */
        buffer_text(out, "    source: ");
        write_quoted(out, table->source);
        buffer_text(out, "\n    public: true\n");
        return;
    }
    if (files || table->protection == POLICY_PUBLIC)
        buffer_format(out, "    source: table%zu.csv\n", index);
    if (table->protection == POLICY_PUBLIC)
        buffer_text(out, "    public: true\n");
    else if (table->protection == POLICY_UNIT_ROW)
        buffer_text(out, "    unit: row\n");
    else if (table->protection == POLICY_UNIT_JOIN)
        write_join(table, out);
    else {
        buffer_text(out, "    unit: ");
        write_quoted(out, table->unit_column->name);
        buffer_text(out, "\n");
    }
    if (table->protection != POLICY_PUBLIC)
        write_bounds(table, out);
    buffer_text(out, "    columns:\n");
    for (size_t i = 0; i < table->column_count; i++)
        write_column(&table->columns[i], out);
}

static void write_budget(const struct policy_budget *budget, struct buffer *out)
{
    bool pure = budget->currency == LEDGER_PURE;
    buffer_format(out, "  %s: 1e14\n  per_question: 1\n",
                  budget->currency == LEDGER_CONCENTRATED ? "rho" : "epsilon");
    if (!pure && !decimal_is_zero(budget->total.delta))
        buffer_text(out, "  delta: 0.5\n  delta_per_question: 1e-9\n");
}

/* People may move, whatever the owner says: that is the case that needs care. */
static void write_block(const struct policy_budget *budget, struct buffer *out)
{
    char place[2 * POLICY_NAME_BYTES + 4];
    snprintf(place, sizeof place, "%s.%s", budget->block_table->name, budget->block->name);
    buffer_text(out, "  block: ");
    write_quoted(out, place);
    buffer_text(out, "\n");
}

/* A public table without columns and without a file is in the owner's engine alone: it is left out. */
static bool is_left_out(const struct policy_table *table)
{
    return table->column_count == 0 && table->source == NULL;
}

void audit_policy_write(const struct policy *policy, const struct audit_world_options *options,
                        struct buffer *out)
{
    buffer_text(out, "dataset: audit\n");
    if (options->version > 0)
        buffer_format(out, "version: %llu\n", (unsigned long long)options->version);
    if (options->duckdb)
        buffer_text(out, "engine: {duckdb: rows.duckdb}\n");
    buffer_text(out, "tables:\n");
    for (size_t i = 0; i < policy->table_count; i++)
        if (!is_left_out(&policy->tables[i]))
            write_table(&policy->tables[i], i, !options->duckdb, out);
    buffer_text(out, "budget:\n");
    if (options->budget != NULL)
        buffer_text(out, options->budget);
    else
        write_budget(&policy->budget, out);
    if (options->blocks)
        write_block(&policy->budget, out);
    buffer_text(out, "ledger: {sqlite: audit.ledger}\n");
    if (options->people != NULL)
        buffer_text(out, options->people);
}
