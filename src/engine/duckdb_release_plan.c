#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "engine/duckdb_bound_state.h"
#include "engine/duckdb_hash.h"
#include "engine/duckdb_release_parts.h"

static bool is_additive(enum sql_measure_kind kind)
{
    return kind == SQL_MEASURE_UNITS || kind == SQL_MEASURE_ROWS || kind == SQL_MEASURE_SUM ||
           kind == SQL_MEASURE_PRODUCT;
}

size_t release_value_count(const struct sql_measure *measure)
{
    switch (measure->kind) {
    case SQL_MEASURE_ROWS:
        return release_has_condition(measure);
    case SQL_MEASURE_SUM:
        return 1;
    case SQL_MEASURE_PRODUCT:
        return 2;
    default:
        return 0;
    }
}

bool release_is_fused(const struct release_plan *plan, const struct sql_measure *measure)
{
    return plan->keys == RELEASE_RAW && measure->kind == SQL_MEASURE_SUM &&
           (measure->argument->type == SQL_REAL || measure->argument->type == SQL_INTEGER);
}

bool release_counts_rows(const struct release_plan *plan, const struct release_statement *statement)
{
    for (size_t i = 0; i < statement->measure_count; i++)
        if (release_is_fused(plan, &plan->release->measures[statement->measures[i]]))
            return false;
    return true;
}

/* ---- Measures into statements ---- */

static void place_measures(struct release_plan *plan)
{
    const struct sql_release *release = plan->release;
    struct release_statement *sums = &plan->statements[0];
    size_t values = 0;

    plan->statement_count = 1;
    for (size_t i = 0; i < release->measure_count; i++) {
        const struct sql_measure *measure = &release->measures[i];
        size_t more = release_value_count(measure);
        if (!is_additive(measure->kind))
            continue;
        if (values + more > BOUND_VALUES || sums->measure_count == GATHER_MEASURES) {
            sums = &plan->statements[plan->statement_count++];
            values = 0;
        }
        sums->measures[sums->measure_count++] = i;
        values += more;
    }
    for (size_t i = 0; i < release->measure_count; i++) {
        enum sql_measure_kind kind = release->measures[i].kind;
        if (is_additive(kind))
            continue;
        bool distinct = kind == SQL_MEASURE_DISTINCT || kind == SQL_MEASURE_DISTINCT_SUM;
        plan->statements[plan->statement_count++] = (struct release_statement){
            .kind = distinct ? STATEMENT_DISTINCT : STATEMENT_CELLS, .measures = {i}, .measure_count = 1};
    }
}

static void write_key(struct release_plan *plan)
{
    if (!plan->request) {
        memcpy(plan->key, "KEY", sizeof "KEY");
        return;
    }
    for (size_t i = 0; i < HASH_KEY_BYTES; i++)
        snprintf(plan->key + 2 * i, 3, "%02x", plan->request->hash_key[i]);
}

status release_plan_init(struct release_plan *plan, const struct sql_dialect *dialect,
                         const struct sql_release *release, const struct engine_request *request, error *why)
{
    TRY(release_check_steps(release, why));
    *plan = (struct release_plan){.dialect = dialect, .release = release, .request = request};
    plan->keys = release_is_single_pass(release)              ? RELEASE_RAW
                 : release->domain || release->key_count == 0 ? RELEASE_CODES
                                                              : RELEASE_BYTES;
    write_key(plan);
    plan->statements = memory_allocate((release->measure_count + 1) * sizeof *plan->statements);
    if (!plan->statements)
        return fail(why, DITHER_NO_MEMORY, "no memory for the release");
    place_measures(plan);
    status result = release_domain_init(&plan->domain, plan->keys, release, request, why);
    if (result != DITHER_OK)
        release_plan_free(plan);
    return result;
}

void release_plan_free(struct release_plan *plan)
{
    release_domain_free(&plan->domain);
    memory_release(plan->statements, (plan->release->measure_count + 1) * sizeof *plan->statements);
    plan->statements = NULL;
}

/* A unit cannot be in more groups than there are. */
size_t release_groups_kept(const struct release_plan *plan)
{
    uint64_t most = plan->release->max_groups;

    if (plan->domain.known && plan->keys == RELEASE_CODES && most > plan->domain.group_count)
        most = plan->domain.group_count;
    return most > UINT32_MAX ? UINT32_MAX : (size_t)most;
}
