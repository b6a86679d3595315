/* `dither check --data`: the owner looks at the rows and proves keys unique. Imports prove theirs each time they
 * are opened; for a DuckDB file the proofs are remembered (proofs.h). */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "engine/duckdb_engine.h"
#include "engine/proofs.h"

struct proving {
    struct duckdb_engine *engine;
    engine_report report;
    void *context;
    struct proof *proofs;
    size_t count;
};

static void report_repeats(struct proving *proving, const struct duckdb_table *table,
                           const struct duckdb_key *key, const char *text, int64_t repeats)
{
    char line[512];
    if (key->child == NULL)
        snprintf(line, sizeof line,
                 "table %s declares rows_per_unit: 1, but there are several rows for %" PRId64
                 " value%s of %s",
                 table->declared->name, repeats, repeats == 1 ? "" : "s", text);
    else
        snprintf(line, sizeof line,
                 "table %s: the key %s that %s points to is not unique: %" PRId64
                 " value%s there more than once",
                 table->declared->name, text, key->child->name, repeats, repeats == 1 ? " is" : "s are");
    proving->report(proving->context, ENGINE_WRONG, line);
}

static status prove_key(struct proving *proving, const struct duckdb_table *table,
                        const struct duckdb_key *key, error *why)
{
    struct arena *arena = &proving->engine->arena;
    struct buffer text;
    int64_t repeats = 0;
    char *copy = NULL;
    TRY(duckdb_count_repeats(&proving->engine->instance, table, key, &repeats, why));
    buffer_init(&text, 1 << 16);
    duckdb_print_key(&text, table, key);
    status result = buffer_check(&text, why);
    if (result == DITHER_OK)
        result = arena_text(arena, text.data, text.length, &copy, why);
    buffer_free(&text);
    TRY(result);
    if (repeats > 0)
        report_repeats(proving, table, key, copy, repeats);
    else
        proving->proofs[proving->count++] = (struct proof){.table = table->declared->name, .key = copy};
    return DITHER_OK;
}

/* Only what lies in the file; imports have been checked by opening. */
static status prove_keys(struct proving *proving, error *why)
{
    struct duckdb_engine *engine = proving->engine;
    size_t tables = engine->policy->table_count;
    TRY(arena_take(&engine->arena, tables * (tables + 1) * sizeof *proving->proofs, (void **)&proving->proofs,
                   why));
    for (size_t i = 0; i < tables; i++) {
        struct duckdb_key *keys = NULL;
        size_t count = 0;
        TRY(duckdb_needed_keys(engine, &engine->tables[i], &engine->arena, &keys, &count, why));
        for (size_t j = 0; !engine->tables[i].has_source && j < count; j++)
            TRY(prove_key(proving, &engine->tables[i], &keys[j], why));
    }
    return DITHER_OK;
}

status duckdb_prove(const struct policy *policy, engine_report report, void *context, error *why)
{
    struct engine_options options = {.report = report, .context = context};
    struct proving proving = {.report = report, .context = context};
    const char *before = NULL, *after = NULL;
    TRY(duckdb_engine_open(policy, &options, &proving.engine, why));
    struct arena *arena = &proving.engine->arena;
    /* The file is open and held by now: nobody writes to it until it is closed. */
    status result = proofs_identify(policy, arena, &before, why);
    if (result == DITHER_OK)
        result = prove_keys(&proving, why);
    if (result == DITHER_OK)
        result = proofs_identify(policy, arena, &after, why);
    if (result == DITHER_OK && strcmp(before, after) != 0)
        result = fail(why, DITHER_IO, "%s was changed meanwhile; nothing is proved", policy->engine.place);
    if (result == DITHER_OK && policy->engine.kind == POLICY_ENGINE_DUCKDB)
        result = proofs_write(policy, before, &(struct proofs){proving.proofs, proving.count}, why);
    duckdb_engine_free(proving.engine);
    return result;
}
