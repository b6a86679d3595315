/* What would happen: plan, unit, bounds, sensitivities, mechanisms, cost, expected half widths, and the SQL for the
 * engine. Spends nothing, touches no row. */
#include <math.h>
#include <string.h>

#include "curator/explain.h"
#include "curator/room.h"

/* ---- Words ---- */

const char *explain_measure_name(const struct sql_measure *measure)
{
    if (measure == NULL)
        return "selection of keys";
    switch (measure->kind) {
    case SQL_MEASURE_UNITS:
        return "units";
    case SQL_MEASURE_ROWS:
        return "rows";
    case SQL_MEASURE_SUM:
        return "sum";
    case SQL_MEASURE_PRODUCT:
        return "sum of products";
    case SQL_MEASURE_DISTINCT:
        return "distinct values";
    case SQL_MEASURE_DISTINCT_SUM:
        return "sum of distinct values";
    case SQL_MEASURE_QUANTILES:
        return "quantiles";
    case SQL_MEASURE_TOP:
        return "top values";
    }
    return "measure";
}

const char *explain_mechanism(const struct price_part *part)
{
    return part->kind == PRICE_TREE ? "cdf-tree" : part->mechanisms->kind->name;
}

double explain_step(const struct sql_measure *measure)
{
    switch (measure->kind) {
    case SQL_MEASURE_SUM:
    case SQL_MEASURE_DISTINCT_SUM:
    case SQL_MEASURE_QUANTILES: {
        double step = ldexp(1, measure->steps.exponent);
        bool decimal = measure->argument != NULL && measure->argument->type == SQL_DECIMAL;
        return decimal ? step / pow(10, measure->argument->scale) : step;
    }
    case SQL_MEASURE_PRODUCT:
        return ldexp(1, measure->steps.exponent + measure->second_steps.exponent);
    case SQL_MEASURE_UNITS:
    case SQL_MEASURE_ROWS:
    case SQL_MEASURE_DISTINCT:
    case SQL_MEASURE_TOP:
        break;
    }
    return 1;
}

void explain_unit(const struct sql_release *release, struct buffer *out)
{
    const struct policy_table *unit = release->input->unit;
    if (unit == NULL)
        buffer_text(out, "unknown");
    else if (unit->protection == POLICY_UNIT_ROW)
        buffer_format(out, "each row of %s", unit->name);
    else
        buffer_format(out, "%s.%s", unit->name, unit->unit_column != NULL ? unit->unit_column->name : "?");
}

/* ---- Text ---- */

static void write_part(const struct price_part *part, enum ledger_currency currency, struct buffer *out)
{
    char cost[LEDGER_COST_TEXT];
    ledger_cost_print(part->cost, currency, cost);
    buffer_format(out, "    %s: %s, %s", explain_measure_name(part->measure), explain_mechanism(part), cost);
    if (part->kind == PRICE_NUMBER) {
        const struct mechanism *mechanism = part->mechanisms;
        double step = explain_step(part->measure);
        buffer_format(out, "; a unit adds %lld to %lld (sensitivity %llu%s); scale %.6g, expected +-%.6g",
                      (long long)part->measure->unit_lower, (long long)part->measure->unit_upper,
                      (unsigned long long)sql_measure_sensitivity(part->measure),
                      step == 1 ? "" : ", in steps", mechanism->kind->scale(mechanism) * step,
                      part->half_width * step);
        if (step != 1)
            buffer_format(out, "; a step is %.6g", step);
    } else if (part->kind != PRICE_SELECTION) {
        buffer_format(out, "; among %zu public values", sql_measure_width(part->measure));
    }
    buffer_byte(out, '\n');
}

static void write_keys(const struct prepared_release *prepared, const struct price_release *priced,
                       struct buffer *out)
{
    const struct sql_release *release = prepared->release;
    buffer_text(out, "  keys:");
    for (size_t i = 0; i < release->key_count; i++) {
        buffer_text(out, i > 0 ? ", " : " ");
        sql_describe_expression(out, release->input, release->keys[i]);
    }
    if (release->key_count == 0)
        buffer_text(out, " none, one row\n");
    else if (priced->hidden)
        buffer_text(out, "; not public: shown where enough units stand behind them\n");
    else
        buffer_format(out, "; public, all %zu are shown\n", prepared->domain.row_count);
}

static void write_blocks(const struct curator *curator, const struct sql_release *release, struct buffer *out)
{
    const struct policy_column *block = curator->policy->budget.block;
    if (block == NULL)
        return;
    buffer_text(out, "  charged to:");
    if (release->block_count == 0)
        buffer_text(out, " all blocks, and rest");
    for (size_t i = 0; i < release->block_count; i++)
        buffer_format(out, "%s%s", i > 0 ? ", " : " ",
                      release->blocks[i] < block->value_count ? block->values[release->blocks[i]].text
                                                              : "rest");
    buffer_byte(out, '\n');
}

static void write_release(const struct curator *curator, const struct prepared *prepared,
                          const struct explain_tables *tables, size_t index, struct buffer *out)
{
    const struct prepared_release *release = &prepared->releases[index];
    const struct price_release *priced = &prepared->price.releases[index];
    char cost[LEDGER_COST_TEXT];
    buffer_format(out, "\nrelease %zu", release->release->number);
    if (priced->same_as != index) {
        buffer_format(out, ": the same as release %zu, drawn once\n",
                      prepared->releases[priced->same_as].release->number);
        return;
    }
    ledger_cost_print(priced->cost, curator->policy->budget.currency, cost);
    buffer_format(out, ": %s\n  unit: ", cost);
    explain_unit(release->release, out);
    for (size_t i = 0; i < tables[index].count; i++) {
        buffer_text(out, "\n  path: ");
        explain_path(tables[index].list[i], out);
    }
    buffer_format(out, "\n  bounds: a unit is in at most %llu group%s, with at most %llu row%s in each%s\n",
                  (unsigned long long)priced->groups, priced->groups == 1 ? "" : "s",
                  (unsigned long long)release->release->max_rows, release->release->max_rows == 1 ? "" : "s",
                  release->release->one_row ? " (proved: one row per unit)" : "");
    write_keys(release, priced, out);
    write_blocks(curator, release->release, out);
    buffer_text(out, "  measures:\n");
    for (size_t i = 0; i < priced->part_count; i++)
        write_part(&priced->parts[i], curator->policy->budget.currency, out);
    buffer_format(out, "  sql: %s\n", release->sql);
}

static void write_columns(const struct prepared *prepared, struct buffer *out)
{
    const struct sql_relation *result = prepared->plan->result;
    buffer_text(out, "\ncolumns\n");
    for (size_t i = 0; i < result->column_count; i++) {
        const struct sql_column *column = &result->columns[i];
        struct trace trace = {0};
        if (column->hidden)
            continue;
        buffer_format(out, "  %s: %s", column->name, sql_type_name(column->type));
        if (column->noisy && trace_measure(prepared, result, i, &trace))
            buffer_format(out, ", +-%.6g", trace.part->half_width * fabs(trace.factor));
        else if (column->noisy)
            buffer_text(out, trace_chosen(result, i) ? ", chosen: no interval"
                                                     : ", noisy: its interval follows from the answer");
        buffer_byte(out, '\n');
    }
}

static void write_text(const struct curator *curator, const struct prepared *prepared,
                       const struct explain_tables *tables, struct buffer *out)
{
    char cost[LEDGER_COST_TEXT];
    ledger_cost_print(prepared->price.cost, curator->policy->budget.currency, cost);
    if (prepared->plan->release_count == 0)
        buffer_text(out, "cost: nothing, all of it is public\n");
    else
        buffer_format(out, "cost: %s\n", cost);
    write_columns(prepared, out);
    for (size_t i = 0; i < prepared->plan->release_count; i++)
        write_release(curator, prepared, tables, i, out);
    buffer_text(out, "\nplan\n");
    sql_describe_relation(out, prepared->plan->result);
    if (prepared->plan->notes != NULL && prepared->plan->notes[0] != '\0')
        buffer_format(out, "\nnotes\n%s\n", prepared->plan->notes);
}

static status explain(struct curator *curator, const struct curator_question *question, bool json,
                      struct arena *arena, struct buffer *out, error *why)
{
    struct prepared prepared;
    void *room = NULL;
    TRY(curator_prepare(curator, question, arena, &prepared, why));
    TRY(arena_take(arena, prepared.plan->release_count * sizeof(struct explain_tables), &room, why));
    struct explain_tables *tables = room;
    for (size_t i = 0; i < prepared.plan->release_count; i++)
        TRY(explain_find_tables(curator, prepared.plan->releases[i], arena, &tables[i], why));
    if (json)
        explain_json(curator, &prepared, tables, out);
    else
        write_text(curator, &prepared, tables, out);
    return buffer_check(out, why);
}

status curator_explain(struct curator *curator, const struct curator_question *question, bool json,
                       struct buffer *out, error *why)
{
    struct arena arena;
    arena_init(&arena, CURATOR_ARENA_BYTES);
    status result = explain(curator, question, json, &arena, out, why);
    arena_free(&arena);
    return result;
}
