/* The engine of a policy: which one it is, and then only through its table of functions. */
#include "engine/engine_kind.h"

static status kind_of(const struct policy *policy, const struct engine_kind **out, error *why)
{
    switch (policy->engine.kind) {
    case POLICY_ENGINE_MEMORY:
    case POLICY_ENGINE_DUCKDB:
        *out = &engine_duckdb;
        return DITHER_OK;
    case POLICY_ENGINE_POSTGRES:
        break;
    }
    return fail(why, DITHER_INVALID,
                "%s, line %d: engine: this Dither reads DuckDB databases and files; PostgreSQL is not "
                "supported yet",
                policy->file, policy->engine.line);
}

status engine_open(const struct policy *policy, const struct engine_options *options, struct engine **out,
                   error *why)
{
    static const struct engine_options defaults;
    const struct engine_kind *kind = NULL;
    TRY(kind_of(policy, &kind, why));
    return kind->open(policy, options != NULL ? options : &defaults, out, why);
}

void engine_close(struct engine *engine)
{
    if (engine != NULL)
        engine->kind->close(engine);
}

const struct sql_catalogue *engine_catalogue(const struct engine *engine)
{
    return &engine->catalogue;
}

const struct sql_dialect *engine_dialect(const struct engine *engine)
{
    return engine->dialect;
}

status engine_begin(struct engine *engine, error *why)
{
    return engine->kind->begin(engine, why);
}

void engine_end(struct engine *engine)
{
    engine->kind->end(engine);
}

status engine_release(struct engine *engine, const struct engine_request *request, struct arena *arena,
                      struct engine_groups *out, error *why)
{
    return engine->kind->release(engine, request, arena, out, why);
}

status engine_release_sql(struct engine *engine, const struct sql_release *release, struct buffer *out,
                          error *why)
{
    return engine->kind->release_sql(engine, release, out, why);
}

status engine_check(struct engine *engine, const struct sql_release *release, error *why)
{
    return engine->kind->check(engine, release, why);
}

void engine_interrupt(struct engine *engine)
{
    engine->kind->interrupt(engine);
}

double engine_progress(struct engine *engine)
{
    return engine->kind->progress(engine);
}

const char *engine_complaint(const struct engine *engine)
{
    return engine->kind->complaint(engine);
}

status engine_copy_public(struct engine *engine, const struct sql_table *table, struct scratch *scratch,
                          error *why)
{
    return engine->kind->copy_public(engine, table, scratch, why);
}

status engine_compare(const struct policy *policy, engine_report report, void *context, error *why)
{
    const struct engine_kind *kind = NULL;
    TRY(kind_of(policy, &kind, why));
    return kind->compare(policy, report, context, why);
}

status engine_prove(const struct policy *policy, engine_report report, void *context, error *why)
{
    const struct engine_kind *kind = NULL;
    TRY(kind_of(policy, &kind, why));
    return kind->prove(policy, report, context, why);
}
