/* What is allowed and costs more than it seems: said once, to the owner. */
#include <inttypes.h>
#include <math.h>

#include "policy/reader.h"

enum {
    MANY_ROWS = 1000,     /* max_rows * max_groups: the noise of a count is that many times as wide */
    FAR_FROM_ZERO = 100,  /* times the width of the range */
    FEWEST_STEPS = 16,    /* of the grid in the range */
    MOST_STEPS_BITS = 40, /* finer never shows behind the noise */
};

static bool is_key(const struct policy_table *table, const struct policy_column *column)
{
    if (column == table->unit_column)
        return true;
    for (size_t i = 0; i < table->key_count; i++)
        if (table->keys[i].column == column)
            return true;
    return false;
}

static status advise_real(struct policy_reader *reader, const struct policy_table *table,
                          const struct policy_column *column)
{
    double steps = column->upper.real / column->grid - column->lower.real / column->grid;
    if (steps < FEWEST_STEPS)
        return policy_warn(reader, column->line,
                           "column %s.%s: its range has fewer than %d steps of the grid", table->name,
                           column->name, FEWEST_STEPS);
    if (steps > ldexp(1, MOST_STEPS_BITS))
        return policy_warn(
            reader, column->line,
            "column %s.%s: its range has more than 2^%d steps of the grid, which no answer shows",
            table->name, column->name, MOST_STEPS_BITS);
    return DITHER_OK;
}

/* A sum's noise follows the bound that is farthest from zero, an average's the width. */
static status advise_range(struct policy_reader *reader, const struct policy_table *table,
                           const struct policy_column *column)
{
    bool real = column->type == POLICY_REAL;
    double lower = real ? column->lower.real : (double)column->lower.whole;
    double upper = real ? column->upper.real : (double)column->upper.whole;
    double largest = fmax(fabs(lower), fabs(upper)), width = upper - lower;
    if (width > 0 && largest / FAR_FROM_ZERO > width)
        TRY(policy_warn(
            reader, column->line,
            "column %s.%s: its range is narrow and far from zero; sums are noisy, averages are not",
            table->name, column->name));
    return real ? advise_real(reader, table, column) : DITHER_OK;
}

static status advise_column(struct policy_reader *reader, const struct policy_table *table,
                            const struct policy_column *column)
{
    bool number =
        column->type == POLICY_INTEGER || column->type == POLICY_REAL || column->type == POLICY_DECIMAL;
    if (column->peeked)
        TRY(policy_warn(reader, column->line,
                        "column %s.%s: its range came from looking at the data (peeked); serving refuses it",
                        table->name, column->name));
    if (number && column->has_range)
        return advise_range(reader, table, column);
    if (is_key(table, column) || column->value_count > 0)
        return DITHER_OK;
    if (number)
        return policy_warn(reader, column->line,
                           "column %s.%s has no range, so it cannot be summed or averaged", table->name,
                           column->name);
    if (column->type == POLICY_TEXT)
        return policy_warn(
            reader, column->line, "column %s.%s has no values: grouping by it %s", table->name, column->name,
            reader->policy->budget.currency == LEDGER_PURE || reader->policy->budget.total.delta.units == 0
                ? "is refused without a delta in the budget"
                : "spends delta and hides what few units have");
    return DITHER_OK;
}

static status advise_table(struct policy_reader *reader, const struct policy_table *table)
{
    if (table->max_rows * table->max_groups > MANY_ROWS) /* both at most 10^9 */
        TRY(policy_warn(reader, table->line,
                        "table %s: one unit may count for %" PRIu64
                        " rows (max_rows times max_groups), and the "
                        "noise hides as many",
                        table->name, table->max_rows * table->max_groups));
    if (table->rows_per_unit > 0 && table->max_rows > table->rows_per_unit)
        TRY(policy_warn(reader, table->line,
                        "table %s: max_rows is above rows_per_unit; the noise is for rows that nobody has",
                        table->name));
    for (size_t i = 0; i < table->column_count; i++)
        TRY(advise_column(reader, table, &table->columns[i]));
    return DITHER_OK;
}

status policy_advise(struct policy_reader *reader)
{
    for (size_t i = 0; i < reader->policy->table_count; i++)
        if (reader->tables[i].protection != POLICY_PUBLIC)
            TRY(advise_table(reader, &reader->tables[i]));
    return DITHER_OK;
}
