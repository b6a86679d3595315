/* Opening, stage by stage: the instance; the file, attached read-only; what is in it; tables and views; imports;
 * keys; and the lock, before anything of an analyst's can arrive. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "engine/duckdb_engine.h"
#include "engine/duckdb_release.h"

enum { ENGINE_ARENA_BYTES = 256 << 20 };

static status check_file(const char *file, error *why)
{
    struct stat found;
    if (stat(file, &found) != 0)
        return fail(why, DITHER_IO, "%s: %s", file, strerror(errno));
    if (!S_ISREG(found.st_mode))
        return fail(why, DITHER_INVALID, "%s is not a file", file);
    return DITHER_OK;
}

/* DuckDB's words are about the file and no row; still only what they mean is passed on. */
static status explain_attach(const struct duckdb_instance *instance, const char *file, error *why)
{
    const char *complaint = duckdb_instance_complaint(instance);
    if (strstr(complaint, "lock") != NULL)
        return fail(why, DITHER_IO,
                    "%s: another process has it open for writing; while it does, nobody can read it", file);
    if (strstr(complaint, "not a valid DuckDB") != NULL)
        return fail(why, DITHER_INVALID, "%s is not a DuckDB database", file);
    if (strstr(complaint, "newer") != NULL || strstr(complaint, "version") != NULL)
        return fail(why, DITHER_INVALID, "%s: this DuckDB does not read its version", file);
    return fail(why, DITHER_IO, "%s: DuckDB cannot open it", file);
}

static status attach(struct duckdb_engine *engine, error *why)
{
    const char *file = engine->policy->engine.place;
    TRY(check_file(file, why));
    struct buffer sql;
    buffer_init(&sql, 1 << 16);
    buffer_text(&sql, "ATTACH ");
    duckdb_print_text(&sql, file);
    buffer_text(&sql, " AS " DUCKDB_SOURCE " (TYPE duckdb, READ_ONLY)");
    status result = buffer_check(&sql, why);
    if (result == DITHER_OK &&
        duckdb_instance_run(&engine->instance, sql.data, "opening a file", why) != DITHER_OK)
        result = explain_attach(&engine->instance, file, why);
    buffer_free(&sql);
    return result;
}

status duckdb_engine_new(const struct policy *policy, const struct engine_options *options,
                         struct duckdb_engine **out, error *why)
{
    struct duckdb_engine *engine = memory_allocate(sizeof *engine);
    if (engine == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    engine->base.kind = &engine_duckdb;
    engine->policy = policy;
    engine->options = *options;
    arena_init(&engine->arena, ENGINE_ARENA_BYTES);
    struct duckdb_limits limits = {.memory_bytes = options->memory_bytes, .threads = options->threads};
    status result = duckdb_instance_open(&limits, &engine->instance, why);
    if (result == DITHER_OK)
        result = duckdb_bound_register(engine->instance.connection, why);
    if (result == DITHER_OK && policy->engine.kind == POLICY_ENGINE_DUCKDB)
        result = attach(engine, why);
    if (result != DITHER_OK) {
        duckdb_engine_free(engine);
        return result;
    }
    *out = engine;
    return DITHER_OK;
}

status duckdb_join(struct engine *base, struct engine **out, error *why)
{
    struct duckdb_engine *first = (struct duckdb_engine *)base;
    TRY(duckdb_open_shadow(first, why));
    struct duckdb_engine *engine = memory_allocate(sizeof *engine);
    if (engine == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    engine->base = first->base; /* the catalogue too, which nobody changes */
    engine->policy = first->policy;
    engine->options = first->options;
    engine->tables = first->tables;
    engine->is_small = first->is_small;
    arena_init(&engine->arena, ENGINE_ARENA_BYTES);
    status result = duckdb_instance_join(&first->instance, &engine->instance, why);
    if (result == DITHER_OK)
        result = duckdb_instance_join(&first->shadow, &engine->shadow, why);
    engine->shadow_is_open = result == DITHER_OK;
    if (result != DITHER_OK) {
        duckdb_engine_free(engine);
        return result;
    }
    *out = &engine->base;
    return DITHER_OK;
}

void duckdb_engine_free(struct duckdb_engine *engine)
{
    duckdb_statements_free(&engine->keeper.statements);
    duckdb_statements_free(&engine->shadow_keeper.statements);
    duckdb_instance_close(&engine->instance);
    if (engine->shadow_is_open)
        duckdb_instance_close(&engine->shadow);
    arena_free(&engine->arena);
    memory_release(engine, sizeof *engine);
}

static status fill(struct duckdb_engine *engine, error *why)
{
    for (size_t i = 0; i < engine->policy->table_count; i++) {
        const struct duckdb_table *table = &engine->tables[i];
        bool public = table->declared->protection == POLICY_PUBLIC;
        TRY(duckdb_create_table(&engine->instance, table, table->has_source, why));
        if (table->has_source && (public || !engine->options.schema_only))
            TRY(duckdb_import_table(engine, table, why));
        if (table->has_source && !engine->options.schema_only)
            TRY(duckdb_drop_nobody(engine, table, why));
    }
    return DITHER_OK;
}

static status build_catalogue(struct duckdb_engine *engine, error *why)
{
    size_t count = engine->policy->table_count;
    struct sql_table *tables = NULL;
    TRY(arena_take(&engine->arena, count * sizeof *tables, (void **)&tables, why));
    for (size_t i = 0; i < count; i++) {
        tables[i] = (struct sql_table){.declared = engine->tables[i].declared,
                                       .columns = engine->tables[i].columns,
                                       .column_count = engine->tables[i].column_count,
                                       .uniques = engine->tables[i].uniques,
                                       .unique_count = engine->tables[i].unique_count};
        TRY(duckdb_has_all_units(engine, &engine->tables[i], &tables[i].has_all_units, why));
    }
    engine->base.catalogue =
        (struct sql_catalogue){.policy = engine->policy, .tables = tables, .table_count = count};
    return DITHER_OK;
}

/* Whether all tables together have so few rows that planning a statement takes longer than running it: a row group of
 * DuckDB's, which is also the least that it skips. It is known to nobody but by the time that answers take, which tells of the
 * number of rows anyway (`timing: step` hides both). */
static status find_size(struct duckdb_engine *engine, error *why)
{
    enum { ROW_GROUP = 122880 };
    int64_t rows = 0;
    if (engine->options.schema_only)
        return DITHER_OK;
    for (size_t i = 0; i < engine->policy->table_count && rows <= ROW_GROUP; i++) {
        int64_t more = 0;
        struct buffer sql;
        buffer_init(&sql, 1 << 16);
        buffer_text(&sql, "SELECT count(*) FROM (SELECT 1 FROM ");
        sql_print_identifier(&sql, engine->tables[i].declared->name);
        buffer_format(&sql, " LIMIT %d)", ROW_GROUP + 1);
        status result = buffer_check(&sql, why);
        if (result == DITHER_OK)
            result = duckdb_ask_whole(&engine->instance, sql.data, "counting rows", &more, why);
        buffer_free(&sql);
        TRY(result);
        rows += more;
    }
    engine->is_small = rows <= ROW_GROUP;
    /* One row group is read by one thread: further ones would do nothing but be woken. */
    return engine->is_small
               ? duckdb_instance_run(&engine->instance, "SET threads = 1", "setting itself up", why)
               : DITHER_OK;
}

static status open_stages(struct duckdb_engine *engine, error *why)
{
    struct duckdb_findings findings = {.report = NULL};
    TRY(duckdb_resolve_tables(engine, &findings, why));
    if (findings.wrong > 0)
        return fail(why, DITHER_INVALID, "%s", findings.first);
    TRY(fill(engine, why));
    TRY(duckdb_find_uniques(engine, why));
    TRY(build_catalogue(engine, why));
    TRY(find_size(engine, why));
    return duckdb_instance_lock(&engine->instance, why);
}

status duckdb_engine_open(const struct policy *policy, const struct engine_options *options,
                          struct duckdb_engine **out, error *why)
{
    struct duckdb_engine *engine = NULL;
    TRY(duckdb_engine_new(policy, options, &engine, why));
    status result = open_stages(engine, why);
    if (result != DITHER_OK) {
        duckdb_engine_free(engine);
        return result;
    }
    *out = engine;
    return DITHER_OK;
}
