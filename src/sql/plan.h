/* plan.h - the analyst's SQL -> a plan of releases and post-processing.
 *
 *     TRY(sql_plan(text, length, catalogue, &options, arena, &plan, why));
 *
 * Text is parsed by PostgreSQL's own grammar (parse.h), bound against the catalogue and planned by the rules
 * of tagged relations. Nothing is drawn, no row is read; whatever is refused is refused the same for all data,
 * with a position and a hint. The plan lives in the arena. */
#ifndef SQL_PLAN_H
#define SQL_PLAN_H

#include "sql/release.h"

struct sql_plan {
    /* What the analyst sees: public or released; hidden columns are not shown. */
    const struct sql_relation *result;
    const struct sql_release *const *releases; /* in the order in which they run */
    size_t release_count;
    struct sql_options options; /* the settings, tightened by what the text says */
    const char *notes; /* for `explain`: decisions such as rolled-up grouping sets, a line each; or "" */
};

enum { SQL_TEXT_BYTES = 64 * 1024, SQL_ARENA_BYTES = 256 << 20 };

status sql_plan(const char *text, size_t length, const struct sql_catalogue *catalogue,
                const struct sql_options *options, struct arena *arena, const struct sql_plan **out,
                error *why) MUST_CHECK;

/* The same, with values for $1, $2 ... (parse.h); NULL: there are none. */
struct sql_parameters;
status sql_plan_bound(const char *text, size_t length, const struct sql_parameters *parameters,
                      const struct sql_catalogue *catalogue, const struct sql_options *options,
                      struct arena *arena, const struct sql_plan **out, error *why) MUST_CHECK;

#endif
