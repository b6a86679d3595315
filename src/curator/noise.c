/* One part of a release after the other, group by group. What the engine counted stays in the arena, which is
 * wiped with the question. */
#include "curator/noise.h"

#include <assert.h>
#include <math.h>

#include "mechanism/cdf_tree.h"
#include "mechanism/quantile.h"
#include "mechanism/registry.h"

struct work {
    const struct price_release *priced;
    const struct engine_groups *groups;
    struct random *random;
    struct arena *arena;
    const size_t *shown; /* the groups that are shown, ascending */
    size_t shown_count;
    size_t column_count;
    struct sql_value *cells;
};

size_t noise_columns(const struct sql_release *release)
{
    size_t count = release->key_count;
    for (size_t i = 0; i < release->measure_count; i++)
        count += sql_measure_columns(&release->measures[i]);
    return count;
}

static status take_numbers(struct arena *arena, size_t count, int64_t **out, error *why)
{
    void *room = NULL;
    TRY(arena_take(arena, count * sizeof **out, &room, why));
    *out = room;
    return DITHER_OK;
}

static struct sql_value *cell(const struct work *work, size_t row, size_t column)
{
    return &work->cells[row * work->column_count + column];
}

/* Where the numbers of a measure begin among a group's. */
static size_t first_number(const struct sql_release *release, const struct sql_measure *measure)
{
    size_t first = 0;
    for (const struct sql_measure *before = release->measures; before < measure; before++)
        first += sql_measure_width(before);
    return first;
}

/* The engine promises numbers within the limit; a number outside would break the law's promise. */
static int64_t saturated(int64_t number)
{
    return number > MECHANISM_LIMIT ? MECHANISM_LIMIT : number < -MECHANISM_LIMIT ? -MECHANISM_LIMIT : number;
}

static void read_numbers(const struct work *work, size_t group, size_t first, size_t count, int64_t *out)
{
    const int64_t *numbers = &work->groups->numbers[group * work->groups->numbers_per_group + first];
    for (size_t i = 0; i < count; i++)
        out[i] = saturated(numbers[i]);
}

/* ---- Whole numbers ---- */

static status add_number(struct work *work, const struct price_part *part, error *why)
{
    size_t first = first_number(work->priced->release, part->measure);
    int64_t *statistic = NULL, *outcome = NULL;
    TRY(take_numbers(work->arena, work->shown_count, &statistic, why));
    TRY(take_numbers(work->arena, work->shown_count, &outcome, why));
    for (size_t row = 0; row < work->shown_count; row++)
        read_numbers(work, work->shown[row], first, 1, &statistic[row]);
    if (work->shown_count > 0)
        TRY(mechanism_noise(part->mechanisms, work->random, statistic, work->shown_count, outcome, why));
    for (size_t row = 0; row < work->shown_count; row++)
        *cell(work, row, part->measure->column) =
            (struct sql_value){.type = SQL_INTEGER, .whole = outcome[row]};
    return DITHER_OK;
}

/* ---- Quantiles ---- */

/* In steps: release.h. */
static struct sql_value value_of_cell(const struct sql_measure *measure, size_t index)
{
    return (struct sql_value){.type = SQL_INTEGER, .whole = measure->steps.lower + (int64_t)index};
}

/* The quantiles 0 and 1 are looked for a little inside. Every cell beyond the greatest value is as good a quantile 1 as
 * that value itself, and often most of the range lies there. With the rank shifted by scale * ln(20 cells), all cells
 * beyond weigh together at most a twentieth of one at the rank; and half a rank tells the value from what is beyond
 * it. The shift depends on public numbers alone. */
static int64_t inward_shift(const struct mechanism *mechanism, double share, size_t cells)
{
    if (share > 0 && share < 1)
        return 0;
    double ranks = fmax(mechanism->kind->scale(mechanism) * log(20 * (double)cells), 0.5);
    int64_t shift = (int64_t)fmin(ldexp(ranks, QUANTILE_RANK_BITS), ldexp(1, 60));
    return share > 0 ? shift : -shift;
}

static void score_cells(const struct mechanism *mechanism, double share, const int64_t *counts, size_t cells,
                        int64_t *scores)
{
    struct quantile_ranks ranks = {.shift = inward_shift(mechanism, share, cells)};
    for (size_t i = 0; i < cells; i++)
        ranks.total += counts[i];
    for (size_t i = 0; i < cells; i++) {
        ranks.below = ranks.at_most;
        ranks.at_most += counts[i];
        scores[i] = quantile_score(mechanism, ranks);
    }
}

static status choose_quantiles(struct work *work, const struct price_part *part, const int64_t *counts,
                               int64_t *scores, size_t row, error *why)
{
    const struct sql_measure *measure = part->measure;
    size_t cells = sql_measure_width(measure);
    for (size_t i = 0; i < measure->quantile_count; i++) {
        int64_t chosen = 0;
        score_cells(&part->mechanisms[i], measure->quantiles[i], counts, cells, scores);
        TRY(mechanism_noise(&part->mechanisms[i], work->random, scores, cells, &chosen, why));
        *cell(work, row, measure->column + i) = value_of_cell(measure, (size_t)chosen);
    }
    return DITHER_OK;
}

/* The first cell up to which the share lies. The noisy counts rise, so the quantiles do. */
static size_t read_quantile(const double *counts, size_t cells, double share)
{
    double wanted = share * counts[cells - 1];
    for (size_t i = 0; i < cells; i++)
        if (counts[i] >= wanted && counts[i] > 0)
            return i;
    return cells - 1;
}

static status read_quantiles(struct work *work, const struct price_part *part, const int64_t *counts,
                             int64_t *nodes, size_t row, error *why)
{
    int64_t noisy[SQL_MOST_CELLS];
    const struct sql_measure *measure = part->measure;
    size_t cells = sql_measure_width(measure);
    double rising[SQL_MOST_CELLS];
    cdf_tree_nodes(counts, cells, nodes);
    TRY(mechanism_noise(part->mechanisms, work->random, nodes, cells, noisy, why));
    mechanism_cdf_tree.finish(part->mechanisms, noisy, cells, rising);
    for (size_t i = 0; i < measure->quantile_count; i++)
        *cell(work, row, measure->column + i) =
            value_of_cell(measure, read_quantile(rising, cells, measure->quantiles[i]));
    return DITHER_OK;
}

static status add_quantiles(struct work *work, const struct price_part *part, error *why)
{
    size_t cells = sql_measure_width(part->measure);
    size_t first = first_number(work->priced->release, part->measure);
    int64_t *counts = NULL, *room = NULL;
    assert(cells >= 1 && cells <= SQL_MOST_CELLS);
    TRY(take_numbers(work->arena, cells, &counts, why));
    TRY(take_numbers(work->arena, cells, &room, why));
    for (size_t row = 0; row < work->shown_count; row++) {
        read_numbers(work, work->shown[row], first, cells, counts);
        TRY(part->kind == PRICE_TREE ? read_quantiles(work, part, counts, room, row, why)
                                     : choose_quantiles(work, part, counts, room, row, why));
    }
    return DITHER_OK;
}

/* ---- Top ---- */

static void append_text(struct buffer *text, const struct sql_value *value)
{
    if (value->null)
        buffer_text(text, "NULL");
    else if (value->type == SQL_TEXT)
        buffer_text(text, value->text);
    else if (value->type == SQL_BOOLEAN)
        buffer_text(text, value->whole != 0 ? "true" : "false");
    else
        buffer_format(text, "%lld", (long long)value->whole);
}

/* Chosen one after the other, without repeating: the chosen index leaves the scores. Which scores are left
 * depends on released indices alone. */
static status choose_top(struct work *work, const struct price_part *part, int64_t *counts, size_t *indices,
                         struct buffer *text, error *why)
{
    const struct sql_measure *measure = part->measure;
    size_t left = measure->domain.row_count;
    for (size_t i = 0; i < left; i++)
        indices[i] = i;
    for (size_t pick = 0; pick < measure->top && left > 0; pick++) {
        int64_t chosen = 0;
        TRY(mechanism_noise(part->mechanisms, work->random, counts, left, &chosen, why));
        if (pick > 0)
            buffer_text(text, ", ");
        append_text(text, sql_rows_cell(&measure->domain, indices[chosen], 0));
        left--;
        counts[chosen] = counts[left];
        indices[chosen] = indices[left];
    }
    return buffer_check(text, why);
}

static status add_top_row(struct work *work, const struct price_part *part, int64_t *counts, size_t *indices,
                          size_t row, error *why)
{
    struct buffer text;
    char *kept = NULL;
    buffer_init(&text, 1 << 20);
    status result = choose_top(work, part, counts, indices, &text, why);
    if (result == DITHER_OK)
        result = arena_text(work->arena, text.data != NULL ? text.data : "", text.length, &kept, why);
    buffer_free(&text);
    if (result == DITHER_OK)
        *cell(work, row, part->measure->column) = (struct sql_value){.type = SQL_TEXT, .text = kept};
    return result;
}

static status add_top(struct work *work, const struct price_part *part, error *why)
{
    size_t values = sql_measure_width(part->measure);
    size_t first = first_number(work->priced->release, part->measure);
    int64_t *counts = NULL;
    void *indices = NULL;
    TRY(take_numbers(work->arena, values, &counts, why));
    TRY(arena_take(work->arena, values * sizeof(size_t), &indices, why));
    for (size_t row = 0; row < work->shown_count; row++) {
        read_numbers(work, work->shown[row], first, values, counts);
        TRY(add_top_row(work, part, counts, indices, row, why));
    }
    return DITHER_OK;
}

/* ---- Keys ---- */

/* Which groups are shown: all of them, or those that the selection shows by their units. */
static status select_groups(struct work *work, error *why)
{
    size_t count = work->groups->group_count;
    const struct price_part *selection = price_part_of(work->priced, NULL);
    void *shown = NULL;
    int64_t *units = NULL, *outcome = NULL;
    assert(work->priced->hidden == (selection != NULL));
    TRY(arena_take(work->arena, count * sizeof(size_t), &shown, why));
    TRY(take_numbers(work->arena, count, &units, why));
    TRY(take_numbers(work->arena, count, &outcome, why));
    for (size_t i = 0; i < count && selection != NULL; i++)
        units[i] = work->groups->units[i] > 0 ? saturated(work->groups->units[i]) : 0;
    if (selection != NULL && count > 0)
        TRY(mechanism_noise(selection->mechanisms, work->random, units, count, outcome, why));
    size_t *list = shown;
    for (size_t i = 0; i < count; i++)
        if (outcome[i] != LAW_HIDDEN)
            list[work->shown_count++] = i;
    work->shown = list;
    return DITHER_OK;
}

static status add_part(struct work *work, const struct price_part *part, error *why)
{
    switch (part->kind) {
    case PRICE_SELECTION:
        return DITHER_OK;
    case PRICE_NUMBER:
        return add_number(work, part, why);
    case PRICE_QUANTILES:
    case PRICE_TREE:
        return add_quantiles(work, part, why);
    case PRICE_TOP:
        return add_top(work, part, why);
    }
    return fail(why, DITHER_INVALID, "unknown part of a release");
}

status noise_release(const struct price_release *priced, const struct engine_groups *groups,
                     const struct sql_rows *domain, struct random *random, struct arena *arena,
                     struct sql_rows *out, error *why)
{
    const struct sql_release *release = priced->release;
    struct work work = {.priced = priced,
                        .groups = groups,
                        .random = random,
                        .arena = arena,
                        .column_count = noise_columns(release)};
    const struct sql_rows *keys = priced->hidden ? &groups->keys : domain;
    void *cells = NULL;
    assert(priced->hidden || groups->group_count == (release->key_count > 0 ? domain->row_count : 1));
    TRY(select_groups(&work, why));
    TRY(arena_take(arena, work.shown_count * work.column_count * sizeof *work.cells, &cells, why));
    work.cells = cells;
    for (size_t row = 0; row < work.shown_count; row++)
        for (size_t key = 0; key < release->key_count; key++)
            *cell(&work, row, key) = *sql_rows_cell(keys, work.shown[row], key);
    for (size_t i = 0; i < priced->part_count; i++)
        TRY(add_part(&work, &priced->parts[i], why));
    *out = (struct sql_rows){
        .column_count = work.column_count, .row_count = work.shown_count, .cells = work.cells};
    return DITHER_OK;
}
