/* A question until its price is known. Everything here follows from the text, the policy and public tables, so
 * that whatever is refused is refused the same for all data. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "curator/noise.h"
#include "curator/room.h"
#include "curator/walk.h"

/* ---- Releases and their nodes ---- */

static bool find_node(void *context, const struct sql_relation *relation)
{
    struct prepared *prepared = context;
    for (size_t i = 0; relation->kind == SQL_RELEASE && i < prepared->plan->release_count; i++)
        if (prepared->plan->releases[i] == relation->release)
            prepared->releases[i].relation = relation;
    return true;
}

/* A release that nothing reads (of a common table expression that is not used) is left out: nobody shall pay for
 * what he does not see. */
static status drop_unread(struct prepared *prepared, struct arena *arena, error *why)
{
    const struct sql_plan *plan = prepared->plan;
    void *copy = NULL, *list = NULL;
    size_t kept = 0;
    TRY(arena_take(arena, sizeof *plan, &copy, why));
    TRY(arena_take(arena, plan->release_count * sizeof *plan->releases, &list, why));
    const struct sql_release **releases = list;
    for (size_t i = 0; i < plan->release_count; i++) {
        if (prepared->releases[i].relation == NULL)
            continue;
        releases[kept] = plan->releases[i];
        prepared->releases[kept++] = prepared->releases[i];
    }
    struct sql_plan *shorter = copy;
    *shorter = *plan;
    shorter->releases = releases;
    shorter->release_count = kept;
    prepared->plan = shorter;
    return DITHER_OK;
}

static status find_nodes(struct prepared *prepared, struct arena *arena, error *why)
{
    const struct sql_plan *plan = prepared->plan;
    for (size_t i = 0; i < plan->release_count; i++) {
        prepared->releases[i].release = plan->releases[i];
        snprintf(prepared->releases[i].table, sizeof prepared->releases[i].table, "release_%zu",
                 plan->releases[i]->number);
    }
    TRY(walk_relation(plan->result, true, find_node, prepared, arena, why));
    return drop_unread(prepared, arena, why);
}

/* ---- The engine's SQL ---- */

static status check_once(struct curator *curator, const struct prepared_release *release, error *why)
{
    struct digest digest;
    TRY(digest_of(release->sql, strlen(release->sql), &digest, why));
    if (checked_has(curator->checked, &digest))
        return DITHER_OK;
    TRY(engine_check(curator->engine, release->release, why));
    checked_add(curator->checked, &digest);
    return DITHER_OK;
}

static status print_release(struct curator *curator, struct prepared_release *release, struct arena *arena,
                            error *why)
{
    struct buffer sql;
    char *kept = NULL;
    buffer_init(&sql, CURATOR_SQL_BYTES);
    status result = engine_release_sql(curator->engine, release->release, &sql, why);
    if (result == DITHER_OK)
        result = buffer_check(&sql, why);
    if (result == DITHER_OK)
        result = arena_text(arena, sql.data != NULL ? sql.data : "", sql.length, &kept, why);
    buffer_free(&sql);
    release->sql = kept;
    return result;
}

/* ---- Domains ---- */

static int compare_rows(const void *left, const void *right, void *width)
{
    const struct sql_value *a = left, *b = right;
    for (size_t i = 0; i < *(const size_t *)width; i++) {
        int order = sql_value_compare(&a[i], &b[i]);
        if (order != 0)
            return order;
    }
    return 0;
}

/* Sorted and without repetition. */
static void make_distinct(struct sql_rows *rows, struct sql_value *cells)
{
    size_t width = rows->column_count, kept = 0;
    if (rows->row_count > 1)
        qsort_r(cells, rows->row_count, width * sizeof *cells, compare_rows, &width);
    for (size_t row = 0; row < rows->row_count; row++)
        if (kept == 0 || compare_rows(&cells[(kept - 1) * width], &cells[row * width], &width) != 0) {
            if (kept != row)
                memcpy(&cells[kept * width], &cells[row * width], width * sizeof *cells);
            kept++;
        }
    rows->row_count = kept;
}

static size_t numbers_of(const struct sql_release *release)
{
    size_t numbers = 0;
    for (size_t i = 0; i < release->measure_count; i++)
        numbers += sql_measure_width(&release->measures[i]);
    return numbers;
}

/* A result has to fit into the ledger: found before anything is spent. */
static bool fits_ledger(const struct sql_release *release, const struct sql_rows *domain)
{
    size_t columns = noise_columns(release) - release->key_count, bytes = 64;
    for (size_t i = 0; i < domain->row_count * domain->column_count; i++)
        bytes +=
            18 +
            (domain->cells[i].type == SQL_TEXT && !domain->cells[i].null ? strlen(domain->cells[i].text) : 0);
    return bytes < LEDGER_ANSWER_BYTES &&
           columns <= (LEDGER_ANSWER_BYTES - bytes) / 9 / (domain->row_count + 1);
}

static status enumerate(struct curator *curator, struct prepared_release *prepared, struct arena *arena,
                        error *why)
{
    const struct sql_release *release = prepared->release;
    struct sql_rows rows;
    void *cells = NULL;
    if (release->key_count == 0 || release->domain == NULL)
        return DITHER_OK;
    status result = rest_rows(curator, release->domain, arena, &rows, why);
    if (result == DITHER_INVALID)
        return sql_refuse(why, release->position,
                          "the grouping keys have too many public values (at most %d): group by fewer or "
                          "coarser keys",
                          (int)CURATOR_MOST_ROWS);
    if (result != DITHER_OK)
        return result;
    size_t size = rows.row_count * rows.column_count * sizeof(struct sql_value);
    TRY(arena_take(arena, size, &cells, why));
    if (size > 0)
        memcpy(cells, rows.cells, size);
    rows.cells = cells;
    make_distinct(&rows, cells);
    if (rows.row_count * numbers_of(release) > CURATOR_MOST_NUMBERS || !fits_ledger(release, &rows))
        return sql_refuse(why, release->position,
                          "so many groups are too many numbers: group by fewer or coarser keys");
    prepared->domain = rows;
    return DITHER_OK;
}

/* ---- The whole ---- */

static size_t first_of_kind(const struct prepared *prepared, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (digest_equal(&prepared->releases[i].identity, &prepared->releases[index].identity))
            return i;
    return index;
}

static status prepare_releases(struct curator *curator, struct prepared *prepared, struct arena *arena,
                               error *why)
{
    for (size_t i = 0; i < prepared->plan->release_count; i++) {
        struct prepared_release *release = &prepared->releases[i];
        TRY(print_release(curator, release, arena, why));
        TRY(check_once(curator, release, why));
        TRY(enumerate(curator, release, arena, why));
        TRY(key_identify(prepared, i, arena, why));
        prepared->facts[i] = (struct price_facts){.same_as = first_of_kind(prepared, i),
                                                  .domain_rows = release->domain.row_count};
    }
    return DITHER_OK;
}

double curator_half_width(const struct prepared *prepared)
{
    const struct sql_relation *result = prepared->plan->result;
    double widest = NAN;
    for (size_t i = 0; i < result->column_count; i++) {
        struct trace trace = {0};
        if (result->columns[i].hidden || !result->columns[i].noisy ||
            !trace_measure(prepared, result, i, &trace))
            continue;
        widest = fmax(widest, trace.part->half_width * fabs(trace.factor));
    }
    return widest;
}

status curator_reprice(struct curator *curator, struct prepared *prepared, const struct sql_options *options,
                       struct arena *arena, error *why)
{
    struct sql_plan plan = *prepared->plan;
    plan.options = *options;
    TRY(price_plan(&plan, prepared->facts, &curator->policy->budget, &curator->known, arena, &prepared->price,
                   why));
    for (size_t i = 0; i < plan.release_count; i++)
        TRY(key_write(prepared, i, arena, why));
    if (prepared->confidence != PRICE_CONFIDENCE)
        price_show_at(&prepared->price, prepared->confidence);
    prepared->half_width = curator_half_width(prepared);
    return DITHER_OK;
}

static status take_room(struct prepared *prepared, struct arena *arena, error *why)
{
    size_t count = prepared->plan->release_count;
    void *releases = NULL, *facts = NULL;
    TRY(arena_take(arena, count * sizeof *prepared->releases, &releases, why));
    TRY(arena_take(arena, count * sizeof *prepared->facts, &facts, why));
    prepared->releases = releases;
    prepared->facts = facts;
    return DITHER_OK;
}

status curator_prepare(struct curator *curator, const struct curator_question *question, struct arena *arena,
                       struct prepared *out, error *why)
{
    struct prepared prepared = {.confidence =
                                    question->confidence != 0 ? question->confidence : CURATOR_CONFIDENCE};
    const struct sql_parameters *parameters =
        question->parameters.values != NULL ? &question->parameters : NULL;
    if (!(prepared.confidence >= CURATOR_LEAST_CONFIDENCE && prepared.confidence <= CURATOR_MOST_CONFIDENCE))
        return fail(why, DITHER_INVALID, "the confidence of intervals is from %g to %g",
                    CURATOR_LEAST_CONFIDENCE, CURATOR_MOST_CONFIDENCE);
    TRY(sql_plan_bound(question->text, strlen(question->text), parameters, engine_catalogue(curator->engine),
                       &question->settings, arena, &prepared.plan, why));
    curator->begun = false;
    TRY(take_room(&prepared, arena, why));
    TRY(find_nodes(&prepared, arena, why));
    TRY(prepare_releases(curator, &prepared, arena, why));
    TRY(rest_check(curator, &prepared, arena, why));
    TRY(question->error_wanted != NULL && prepared.plan->release_count > 0
            ? curator_meet_error(curator, question, arena, &prepared, why)
            : curator_reprice(curator, &prepared, &prepared.plan->options, arena, why));
    if (!plain_foreseen(&prepared))
        TRY(rest_begin(curator, why)); /* before anything is spent */
    *out = prepared;
    return DITHER_OK;
}
