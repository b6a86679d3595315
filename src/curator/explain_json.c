/* An explanation in JSON, with the same facts as the text. */
#include <math.h>

#include "curator/explain.h"
#include "curator/format.h"

static void write_part(struct json_writer *json, const struct price_part *part, enum ledger_currency currency)
{
    json_begin_object(json);
    json_member_text(json, "measure", explain_measure_name(part->measure));
    json_member_text(json, "mechanism", explain_mechanism(part));
    if (part->kind == PRICE_NUMBER) {
        const struct mechanism *mechanism = part->mechanisms;
        double step = explain_step(part->measure);
        json_write_key(json, "sensitivity");
        json_write_whole(json, (int64_t)sql_measure_sensitivity(part->measure));
        json_member_number(json, "step", step);
        json_member_number(json, "scale", mechanism->kind->scale(mechanism) * step);
        json_member_number(json, "half_width", part->half_width * step);
    }
    json_write_key(json, "cost");
    json_begin_object(json);
    format_cost_members(json, part->cost, currency);
    json_end_object(json);
    json_end_object(json);
}

static void write_blocks(struct json_writer *json, const struct curator *curator,
                         const struct sql_release *release)
{
    const struct policy_column *block = curator->policy->budget.block;
    json_write_key(json, "blocks");
    if (block == NULL || release->block_count == 0) {
        json_write_text(json, "all");
        return;
    }
    json_begin_array(json);
    for (size_t i = 0; i < release->block_count; i++)
        json_write_text(json, release->blocks[i] < block->value_count ? block->values[release->blocks[i]].text
                                                                      : "rest");
    json_end_array(json);
}

static void write_bounds(struct json_writer *json, const struct price_release *priced)
{
    const struct sql_release *release = priced->release;
    struct buffer unit;
    buffer_init(&unit, 4096);
    explain_unit(release, &unit);
    if (!unit.failed)
        json_member_text(json, "unit", unit.data);
    buffer_free(&unit);
    json_write_key(json, "max_groups");
    json_write_whole(json, (int64_t)priced->groups);
    json_write_key(json, "max_rows");
    json_write_whole(json, (int64_t)release->max_rows);
    json_write_key(json, "one_row");
    json_write_bool(json, release->one_row);
    json_member_text(json, "keys", release->key_count == 0 ? "none" : priced->hidden ? "hidden" : "public");
}

static void write_paths(struct json_writer *json, const struct explain_tables *tables)
{
    json_write_key(json, "paths");
    json_begin_array(json);
    for (size_t i = 0; i < tables->count; i++) {
        struct buffer path;
        buffer_init(&path, 1 << 16);
        explain_path(tables->list[i], &path);
        json_write_text(json, path.failed || path.data == NULL ? "" : path.data);
        buffer_free(&path);
    }
    json_end_array(json);
}

static void write_release(struct json_writer *json, const struct curator *curator,
                          const struct prepared *prepared, const struct explain_tables *tables, size_t index)
{
    const struct prepared_release *release = &prepared->releases[index];
    const struct price_release *priced = &prepared->price.releases[index];
    json_begin_object(json);
    json_write_key(json, "number");
    json_write_whole(json, (int64_t)release->release->number);
    json_write_key(json, "same_as");
    json_write_whole(json, (int64_t)prepared->releases[priced->same_as].release->number);
    write_bounds(json, priced);
    write_paths(json, &tables[index]);
    write_blocks(json, curator, release->release);
    json_write_key(json, "cost");
    json_begin_object(json);
    format_cost_members(json, priced->cost, curator->policy->budget.currency);
    json_end_object(json);
    json_write_key(json, "parts");
    json_begin_array(json);
    for (size_t i = 0; i < priced->part_count; i++)
        write_part(json, &priced->parts[i], curator->policy->budget.currency);
    json_end_array(json);
    json_member_text(json, "sql", release->sql);
    json_end_object(json);
}

static void write_columns(struct json_writer *json, const struct prepared *prepared)
{
    const struct sql_relation *result = prepared->plan->result;
    json_write_key(json, "columns");
    json_begin_array(json);
    for (size_t i = 0; i < result->column_count; i++) {
        struct trace trace = {0};
        if (result->columns[i].hidden)
            continue;
        json_begin_object(json);
        json_member_text(json, "name", result->columns[i].name);
        json_member_text(json, "type", sql_type_name(result->columns[i].type));
        json_write_key(json, "noisy");
        json_write_bool(json, result->columns[i].noisy);
        if (result->columns[i].noisy && trace_measure(prepared, result, i, &trace))
            json_member_number(json, "half_width", trace.part->half_width * fabs(trace.factor));
        json_end_object(json);
    }
    json_end_array(json);
}

void explain_json(const struct curator *curator, const struct prepared *prepared,
                  const struct explain_tables *tables, struct buffer *out)
{
    struct json_writer json;
    struct buffer plan;
    json_writer_init(&json, out);
    json_begin_object(&json);
    json_write_key(&json, "cost");
    json_begin_object(&json);
    format_cost_members(&json, prepared->price.cost, curator->policy->budget.currency);
    json_end_object(&json);
    write_columns(&json, prepared);
    json_write_key(&json, "releases");
    json_begin_array(&json);
    for (size_t i = 0; i < prepared->plan->release_count; i++)
        write_release(&json, curator, prepared, tables, i);
    json_end_array(&json);
    buffer_init(&plan, CURATOR_SQL_BYTES);
    sql_describe_relation(&plan, prepared->plan->result);
    json_member_text(&json, "plan", plan.failed || plan.data == NULL ? "" : plan.data);
    buffer_free(&plan);
    json_member_text(&json, "notes", prepared->plan->notes != NULL ? prepared->plan->notes : "");
    if (curator->policy->synthetic) { /* what an auditor must know before he asks anything */
        json_write_key(&json, "synthetic");
        json_write_bool(&json, true);
    }
    json_end_object(&json);
    buffer_byte(out, '\n');
}
