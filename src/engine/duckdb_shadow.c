/* The shadow: an empty database of the policy's tables, of its own, locked. What cannot be prepared there is
 * found without touching a row, and is the same for all data. */
#include "engine/duckdb_engine.h"
#include "engine/duckdb_release.h"

status duckdb_open_shadow(struct duckdb_engine *engine, error *why)
{
    if (engine->shadow_is_open)
        return DITHER_OK;
    struct duckdb_limits limits = {.memory_bytes = UINT64_C(256) << 20, .threads = 1};
    struct duckdb_instance shadow;
    TRY(duckdb_instance_open(&limits, &shadow, why));
    status result = duckdb_bound_register(shadow.connection, why);
    for (size_t i = 0; result == DITHER_OK && i < engine->policy->table_count; i++)
        result = duckdb_create_table(&shadow, &engine->tables[i], true, why);
    if (result == DITHER_OK)
        result = duckdb_instance_lock(&shadow, why);
    if (result != DITHER_OK) {
        duckdb_instance_close(&shadow);
        return result;
    }
    engine->shadow = shadow;
    engine->shadow_is_open = true;
    return DITHER_OK;
}

status duckdb_check(struct engine *base, const struct sql_release *release, error *why)
{
    struct duckdb_engine *engine = (struct duckdb_engine *)base;
    TRY(duckdb_open_shadow(engine, why));
    error inner = {.message = ""};
    if (duckdb_release_prepare(engine->shadow.connection, engine->is_small ? &engine->shadow_keeper : NULL,
                               base->dialect, release, &inner) == DITHER_OK)
        return DITHER_OK;
    duckdb_instance_complain(&engine->instance, inner.message);
    return fail(
        why, DITHER_REFUSED,
        "Dither cannot write this question for DuckDB; that is a fault of Dither's, and nothing was spent");
}
