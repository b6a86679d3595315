/* `dither check`: the policy against the schema; what is not proved, and what that costs. What is costly by the
 * policy alone, the policy's own warnings say. */
#include "engine/duckdb_engine.h"

static status compare_keys(struct duckdb_engine *engine, struct duckdb_findings *findings, error *why)
{
    for (size_t i = 0; i < engine->policy->table_count; i++) {
        struct duckdb_table *table = &engine->tables[i];
        struct duckdb_key *keys = NULL;
        size_t count = 0;
        TRY(duckdb_needed_keys(engine, table, &engine->arena, &keys, &count, why));
        for (size_t j = 0; j < count; j++) {
            struct buffer key;
            if (duckdb_is_unique(table, &keys[j]))
                continue;
            buffer_init(&key, 1 << 16);
            duckdb_print_key(&key, table, &keys[j]);
            const char *text = key.failed ? "(...)" : key.data;
            if (keys[j].child == NULL)
                duckdb_costly(
                    findings,
                    "table %s: rows_per_unit: 1 is not proved (no PRIMARY KEY or UNIQUE %s), so every "
                    "question groups by unit first; `dither check --data` can prove it",
                    table->declared->name, text);
            else
                duckdb_costly(
                    findings,
                    "table %s: %s points to %s, which is not proved unique; questions that need it are "
                    "refused until `dither check --data` has proved it",
                    table->declared->name, keys[j].child->name, text);
            buffer_free(&key);
        }
    }
    return DITHER_OK;
}

status duckdb_compare(const struct policy *policy, engine_report report, void *context, error *why)
{
    struct engine_options options = {.threads = 1, .schema_only = true};
    struct duckdb_findings findings = {.report = report, .context = context};
    struct duckdb_engine *engine = NULL;
    TRY(duckdb_engine_new(policy, &options, &engine, why));
    status result = duckdb_resolve_tables(engine, &findings, why);
    for (size_t i = 0; result == DITHER_OK && findings.wrong == 0 && i < policy->table_count; i++)
        result =
            duckdb_create_table(&engine->instance, &engine->tables[i], engine->tables[i].has_source, why);
    if (result == DITHER_OK && findings.wrong == 0)
        result = duckdb_find_uniques(engine, why);
    if (result == DITHER_OK && findings.wrong == 0)
        result = compare_keys(engine, &findings, why);
    duckdb_engine_free(engine);
    return result;
}
