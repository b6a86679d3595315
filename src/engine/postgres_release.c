#include "engine/postgres_release.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool postgres_is_additive(const struct sql_measure *measure)
{
    return measure->kind == SQL_MEASURE_UNITS || measure->kind == SQL_MEASURE_ROWS ||
           measure->kind == SQL_MEASURE_SUM || measure->kind == SQL_MEASURE_PRODUCT;
}

status postgres_release_init(struct postgres_release *plan, const struct sql_dialect *dialect,
                             const struct sql_release *release, const struct engine_request *request,
                             const char *seed, error *why)
{
    int64_t key = 0;
    TRY(release_check_steps(release, why));
    *plan = (struct postgres_release){.dialect = dialect, .release = release, .request = request};
    plan->single_pass = release_is_single_pass(release);
    if (request != NULL) {
        memcpy(&key, request->hash_key, sizeof key);
        snprintf(plan->seed, sizeof plan->seed, "CAST('%" PRId64 "' AS BIGINT)", key);
    } else {
        snprintf(plan->seed, sizeof plan->seed, "%s", seed);
    }
    if (request != NULL && release->domain != NULL && release->key_count > 0)
        plan->domain_rows = &request->domain;
    if (plan->domain_rows != NULL)
        return postgres_domain_init(&plan->domain, plan->domain_rows, release->key_count, why);
    return DITHER_OK;
}

void postgres_release_free(struct postgres_release *plan)
{
    postgres_domain_free(&plan->domain);
    memset(plan->seed, 0, sizeof plan->seed);
}

size_t postgres_statement_count(const struct postgres_release *plan)
{
    size_t count = 1;
    for (size_t i = 0; i < plan->release->measure_count; i++)
        count += !postgres_is_additive(&plan->release->measures[i]);
    return count;
}

size_t postgres_chosen_measure(const struct postgres_release *plan, size_t statement)
{
    size_t i = 0;
    for (;; i++)
        if (!postgres_is_additive(&plan->release->measures[i]) && --statement == 0)
            return i;
}

void postgres_print_statement(const struct postgres_release *plan, size_t statement, struct buffer *out)
{
    if (statement == 0)
        postgres_print_sums(plan, out);
    else
        postgres_print_chosen(plan, &plan->release->measures[postgres_chosen_measure(plan, statement)], out);
}
