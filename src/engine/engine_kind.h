/* engine_kind.h - what every engine implements; engine.h has the laws. */
#ifndef ENGINE_ENGINE_KIND_H
#define ENGINE_ENGINE_KIND_H

#include "engine/engine.h"

struct engine_kind {
    status (*open)(const struct policy *policy, const struct engine_options *options, struct engine **out,
                   error *why);
    status (*join)(struct engine *first, struct engine **out, error *why);
    void (*close)(struct engine *engine);
    status (*begin)(struct engine *engine, error *why);
    void (*end)(struct engine *engine);
    status (*release)(struct engine *engine, const struct engine_request *request, struct arena *arena,
                      struct engine_groups *out, error *why);
    status (*release_sql)(struct engine *engine, const struct sql_release *release, struct buffer *out,
                          error *why);
    status (*check)(struct engine *engine, const struct sql_release *release, error *why);
    void (*interrupt)(struct engine *engine);
    double (*progress)(struct engine *engine);
    const char *(*complaint)(const struct engine *engine);
    status (*copy_public)(struct engine *engine, const struct sql_table *table, struct scratch *scratch,
                          error *why);
    status (*compare)(const struct policy *policy, engine_report report, void *context, error *why);
    status (*prove)(const struct policy *policy, engine_report report, void *context, error *why);
};

/* The first member of every engine. */
struct engine {
    const struct engine_kind *kind;
    const struct sql_dialect *dialect;
    struct sql_catalogue catalogue;
};

extern const struct engine_kind engine_duckdb, engine_postgres;

#endif
