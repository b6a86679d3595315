/* Opening, stage by stage: the connection; where the tables are, by the owner's search path, which then ends; what
 * they are; which of their keys are unique. All in one read-only transaction, so that it is of one moment. */
#include <stdarg.h>
#include <stdio.h>

#include "base/memory.h"
#include "engine/postgres_engine.h"

enum { ENGINE_ARENA_BYTES = 256 << 20 };

static void report(struct postgres_findings *findings, enum engine_severity severity, const char *line)
{
    if (findings->report != NULL)
        findings->report(findings->context, severity, line);
}

void postgres_wrong(struct postgres_findings *findings, const char *format, ...)
{
    char line[sizeof findings->first];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (findings->wrong++ == 0)
        snprintf(findings->first, sizeof findings->first, "%s", line);
    report(findings, ENGINE_WRONG, line);
}

void postgres_costly(struct postgres_findings *findings, const char *format, ...)
{
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    report(findings, ENGINE_COSTLY, line);
}

void postgres_engine_free(struct postgres_engine *engine)
{
    if (engine->is_open)
        postgres_session_close(&engine->session);
    arena_free(&engine->arena);
    memory_release(engine, sizeof *engine);
}

static status look_around(struct postgres_engine *engine, struct postgres_findings *findings, error *why)
{
    TRY(arena_take(&engine->arena, engine->policy->table_count * sizeof *engine->tables,
                   (void **)&engine->tables, why));
    TRY(postgres_find_schemas(engine, why));
    TRY(postgres_session_fix(&engine->session, why));
    TRY(postgres_session_ask(&engine->session, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", NULL, 0,
                             "beginning", NULL, why));
    TRY(postgres_read_words(engine, &engine->arena, &engine->seen, why));
    TRY(postgres_resolve_tables(engine, findings, why));
    TRY(postgres_find_uniques(engine, why));
    return postgres_session_ask(&engine->session, "ROLLBACK", NULL, 0, "ending", NULL, why);
}

status postgres_engine_new(const struct policy *policy, const struct engine_options *options,
                           struct postgres_findings *findings, struct postgres_engine **out, error *why)
{
    struct postgres_engine *engine = memory_allocate(sizeof *engine);
    if (engine == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    engine->base.kind = &engine_postgres;
    engine->policy = policy;
    engine->options = *options;
    arena_init(&engine->arena, ENGINE_ARENA_BYTES);
    status result = postgres_session_open(&engine->session, policy->engine.place, why);
    engine->is_open = result == DITHER_OK;
    if (result == DITHER_OK)
        result = look_around(engine, findings, why);
    if (result != DITHER_OK) {
        postgres_engine_free(engine);
        return result;
    }
    *out = engine;
    return DITHER_OK;
}

/* NOT NULL of a foreign table or a view is not enforced; and a guarded scan may make NULLs of its own. */
static bool has_all_units(const struct postgres_table *table)
{
    const struct policy_column *tag = table->declared->tag;
    if (tag == NULL || table->declared->joins > 0 || table->has_foreign || table->kind == 'v')
        return false;
    const struct postgres_column *found = postgres_find_column(table, tag->name);
    return found != NULL && found->not_null && (tag->type == POLICY_INTEGER || tag->type == POLICY_TEXT);
}

static status build_catalogue(struct postgres_engine *engine, error *why)
{
    size_t count = engine->policy->table_count;
    struct sql_table *tables = NULL;
    TRY(arena_take(&engine->arena, count * sizeof *tables, (void **)&tables, why));
    for (size_t i = 0; i < count; i++)
        tables[i] = (struct sql_table){.declared = engine->tables[i].declared,
                                       .schema = engine->tables[i].schema,
                                       .columns = engine->tables[i].columns,
                                       .column_count = engine->tables[i].column_count,
                                       .uniques = engine->tables[i].uniques,
                                       .unique_count = engine->tables[i].unique_count,
                                       .has_all_units = has_all_units(&engine->tables[i])};
    engine->base.catalogue =
        (struct sql_catalogue){.policy = engine->policy, .tables = tables, .table_count = count};
    return DITHER_OK;
}

status postgres_engine_open(const struct policy *policy, const struct engine_options *options,
                            struct postgres_engine **out, error *why)
{
    struct postgres_findings findings = {.report = NULL};
    struct postgres_engine *engine = NULL;
    TRY(postgres_engine_new(policy, options, &findings, &engine, why));
    status result =
        findings.wrong > 0 ? fail(why, DITHER_INVALID, "%s", findings.first) : build_catalogue(engine, why);
    if (result != DITHER_OK) {
        postgres_engine_free(engine);
        return result;
    }
    *out = engine;
    return DITHER_OK;
}

/* What was found at opening is compared again in every question's snapshot, so that it need not be found again here. */
status postgres_join(struct engine *base, struct engine **out, error *why)
{
    const struct postgres_engine *first = (const struct postgres_engine *)base;
    struct postgres_engine *engine = memory_allocate(sizeof *engine);
    if (engine == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    engine->base = first->base;
    engine->policy = first->policy;
    engine->options = first->options;
    engine->tables = first->tables;
    engine->seen = first->seen;
    arena_init(&engine->arena, ENGINE_ARENA_BYTES);
    status result = postgres_session_open(&engine->session, first->policy->engine.place, why);
    engine->is_open = result == DITHER_OK;
    if (result == DITHER_OK)
        result = postgres_session_fix(&engine->session, why);
    if (result != DITHER_OK) {
        postgres_engine_free(engine);
        return result;
    }
    *out = &engine->base;
    return DITHER_OK;
}
