/* What can be asked about: from the policy, and from nothing else. */
#include "base/json.h"
#include "curator/format.h"
#include "engine/cell.h"
#include "policy/policy.h"
#include "serve/http_api_room.h"

static void write_flag(struct json_writer *json, const char *key, bool value)
{
    json_write_key(json, key);
    json_write_bool(json, value);
}

static void write_value(struct json_writer *json, const struct policy_column *column,
                        const struct policy_value *value)
{
    struct sql_value same = {.type = cell_type(column->type),
                             .scale = column->scale,
                             .whole = value->whole,
                             .real = value->real,
                             .text = value->text};
    format_json(json, &same);
}

static void write_column(struct json_writer *json, const struct policy_column *column)
{
    json_begin_object(json);
    json_member_text(json, "name", column->name);
    json_member_text(json, "type", sql_type_name(cell_type(column->type)));
    if (column->description != NULL)
        json_member_text(json, "description", column->description);
    write_flag(json, "nullable", column->nullable);
    if (column->has_range) {
        json_write_key(json, "range");
        json_begin_array(json);
        write_value(json, column, &column->lower);
        write_value(json, column, &column->upper);
        json_end_array(json);
    }
    if (column->value_count > 0) {
        json_write_key(json, "values");
        json_begin_array(json);
        for (size_t i = 0; i < column->value_count; i++)
            write_value(json, column, &column->values[i]);
        json_end_array(json);
    }
    json_end_object(json);
}

static void write_keys(struct json_writer *json, const struct policy_table *table)
{
    json_write_key(json, "join");
    json_begin_object(json);
    json_member_text(json, "table", table->parent->name);
    json_write_key(json, "columns");
    json_begin_object(json);
    for (size_t i = 0; i < table->key_count; i++)
        json_member_text(json, table->keys[i].column->name, table->keys[i].parent_column->name);
    json_end_object(json);
    json_end_object(json);
}

/* Who is protected in it, and how much of one may count. */
static void write_protection(struct json_writer *json, const struct policy_table *table)
{
    write_flag(json, "public", table->protection == POLICY_PUBLIC);
    if (table->protection == POLICY_PUBLIC)
        return;
    if (table->protection == POLICY_UNIT_JOIN)
        write_keys(json, table);
    else
        json_member_text(json, "unit",
                         table->protection == POLICY_UNIT_ROW ? "row" : table->unit_column->name);
    json_write_key(json, "max_rows");
    json_write_whole(json, (int64_t)table->max_rows);
    json_write_key(json, "max_groups");
    json_write_whole(json, (int64_t)table->max_groups);
}

static void write_table(struct json_writer *json, const struct policy_table *table)
{
    json_begin_object(json);
    json_member_text(json, "name", table->name);
    if (table->description != NULL)
        json_member_text(json, "description", table->description);
    write_protection(json, table);
    json_write_key(json, "columns");
    json_begin_array(json);
    for (size_t i = 0; i < table->column_count; i++)
        write_column(json, &table->columns[i]);
    json_end_array(json);
    json_end_object(json);
}

static status run_schema(struct api_job *job, struct curator *curator, error *why)
{
    const struct policy *policy = curator_policy(curator);
    struct json_writer json;
    json_writer_init(&json, &job->body);
    json_begin_object(&json);
    json_member_text(&json, "dataset", policy->dataset);
    if (policy->description != NULL)
        json_member_text(&json, "description", policy->description);
    json_write_key(&json, "version");
    json_write_whole(&json, (int64_t)policy->version);
    json_write_key(&json, "tables");
    json_begin_array(&json);
    for (size_t i = 0; i < policy->table_count; i++)
        write_table(&json, &policy->tables[i]);
    json_end_array(&json);
    json_end_object(&json);
    buffer_byte(&job->body, '\n');
    return buffer_check(&job->body, why);
}

void api_schema(struct http_exchange *exchange)
{
    struct api_job *job = api_job_new(exchange, run_schema);
    if (job != NULL)
        api_job_add(job);
}
