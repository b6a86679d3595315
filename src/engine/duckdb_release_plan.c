#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/duckdb_bound_state.h"
#include "engine/duckdb_hash.h"
#include "engine/duckdb_release_parts.h"

enum { MOST_EXPONENT = 1022 };

static bool is_additive(enum sql_measure_kind kind)
{
    return kind == SQL_MEASURE_UNITS || kind == SQL_MEASURE_ROWS || kind == SQL_MEASURE_SUM ||
           kind == SQL_MEASURE_PRODUCT;
}

bool release_has_condition(const struct sql_measure *measure)
{
    bool counts_argument = measure->kind == SQL_MEASURE_ROWS && measure->argument;
    return measure->filter || counts_argument;
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

/* ---- Which way: whether one pass without the per-unit step keeps every promise ---- */

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static bool is_square(const struct sql_measure *measure)
{
    const struct sql_steps *x = &measure->steps, *y = &measure->second_steps;
    return sql_same_expression(measure->argument, measure->second) && x->exponent == y->exponent &&
           x->lower == y->lower && x->upper == y->upper && x->centre == y->centre;
}

/* What one row can contribute: within the unit's bounds, or the per-unit step has to clamp it. */
static bool row_is_within(const struct sql_measure *measure)
{
    int64_t low = measure->steps.lower - measure->steps.centre;
    int64_t high = measure->steps.upper - measure->steps.centre;

    if (measure->kind == SQL_MEASURE_UNITS) {
        low = high = 1;
    } else if (measure->kind == SQL_MEASURE_ROWS) {
        low = 0;
        high = 1;
    } else if (measure->kind == SQL_MEASURE_PRODUCT) {
        int64_t second_low = measure->second_steps.lower - measure->second_steps.centre;
        int64_t second_high = measure->second_steps.upper - measure->second_steps.centre;
        int64_t corners[] = {low * second_low, low * second_high, high * second_low, high * second_high};
        low = is_square(measure) ? 0
                                 : smaller(smaller(corners[0], corners[1]), smaller(corners[2], corners[3]));
        high = larger(larger(corners[0], corners[1]), larger(corners[2], corners[3]));
    } else if (measure->kind != SQL_MEASURE_SUM) { /* a value or row; or one that is clamped anyhow */
        return measure->unit_upper >= 1 || measure->kind == SQL_MEASURE_DISTINCT_SUM;
    }
    if (release_has_condition(measure) || measure->kind == SQL_MEASURE_SUM ||
        measure->kind == SQL_MEASURE_PRODUCT) { /* a row that is left out contributes 0 */
        low = smaller(low, 0);
        high = larger(high, 0);
    }
    return low >= measure->unit_lower && high <= measure->unit_upper;
}

static bool is_single_pass(const struct sql_release *release)
{
    if (!release->one_row || release->max_groups == 0 || release->max_rows == 0)
        return false;
    for (size_t i = 0; i < release->measure_count; i++)
        if (!row_is_within(&release->measures[i]))
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

/* The inverse of a step has to be a double, too. */
static status check_steps(const struct sql_release *release, error *why)
{
    for (size_t i = 0; i < release->measure_count; i++) {
        const struct sql_measure *measure = &release->measures[i];
        if (abs(measure->steps.exponent) > MOST_EXPONENT ||
            abs(measure->second_steps.exponent) > MOST_EXPONENT)
            return fail(why, DITHER_REFUSED, "the grid of a measure is finer or coarser than 2^%d",
                        MOST_EXPONENT);
    }
    return DITHER_OK;
}

status release_plan_init(struct release_plan *plan, const struct sql_dialect *dialect,
                         const struct sql_release *release, const struct engine_request *request, error *why)
{
    TRY(check_steps(release, why));
    *plan = (struct release_plan){.dialect = dialect, .release = release, .request = request};
    plan->keys = is_single_pass(release)                      ? RELEASE_RAW
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

/* The unit's bounds hold whatever they are: for values and rows that are chosen by hash there are that many. */
uint64_t release_items_kept(const struct release_plan *plan, const struct sql_measure *measure)
{
    uint64_t most = plan->release->max_rows < UINT32_MAX ? plan->release->max_rows : UINT32_MAX;
    uint64_t upper = measure->unit_upper > 0 ? (uint64_t)measure->unit_upper : 0;

    if (measure->kind != SQL_MEASURE_DISTINCT_SUM && upper < most)
        most = upper;
    return most;
}

/* And a sum of distinct values, which belong to nobody alone, has each of them clamped to the share of it that
 * keeps the sum of max_rows of them within the bounds. */
struct sql_steps release_item_steps(const struct release_plan *plan, const struct sql_measure *measure)
{
    struct sql_steps steps = measure->steps;
    int64_t rows = plan->release->max_rows < INT64_MAX ? (int64_t)plan->release->max_rows : INT64_MAX;

    if (rows > 0) {
        steps.upper = smaller(steps.upper, steps.centre + measure->unit_upper / rows);
        steps.lower = larger(steps.lower, steps.centre + measure->unit_lower / rows);
        steps.lower = smaller(steps.lower, steps.centre + measure->unit_upper / rows);
        steps.upper = larger(steps.upper, steps.lower);
    }
    return steps;
}

/* A unit cannot be in more groups than there are. */
size_t release_groups_kept(const struct release_plan *plan)
{
    uint64_t most = plan->release->max_groups;

    if (plan->domain.known && plan->keys == RELEASE_CODES && most > plan->domain.group_count)
        most = plan->domain.group_count;
    return most > UINT32_MAX ? UINT32_MAX : (size_t)most;
}
