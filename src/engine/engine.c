/* The engine of a policy: which one it is, and then only through its table of functions. */
#include "engine/engine_kind.h"

static const struct engine_kind *kind_of(const struct policy *policy)
{
    return policy->engine.kind == POLICY_ENGINE_POSTGRES ? &engine_postgres : &engine_duckdb;
}

status engine_open(const struct policy *policy, const struct engine_options *options, struct engine **out,
                   error *why)
{
    static const struct engine_options defaults;
    return kind_of(policy)->open(policy, options != NULL ? options : &defaults, out, why);
}

status engine_join(struct engine *first, struct engine **out, error *why)
{
    return first->kind->join(first, out, why);
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
    return kind_of(policy)->compare(policy, report, context, why);
}

status engine_prove(const struct policy *policy, engine_report report, void *context, error *why)
{
    return kind_of(policy)->prove(policy, report, context, why);
}
