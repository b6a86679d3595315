/* Noisy counts, shown where they reach the threshold: a key with a count above 0 gets count + two-sided
 * geometric noise, shown when that is at least the threshold; a key that nobody has is never shown. How the
 * threshold follows from delta, and the proof, are in docs/mechanisms/threshold-histogram.md. */
#include <assert.h>

#include "mechanism/law_common.h"
#include "mechanism/noise_table.h"
#include "mechanism/wide_noise.h"

enum {
    APART_LIMIT = 1 << 16, /* counts further apart than this are no neighbours that anybody would check */
};

static status sample(const struct law *law, struct random *random, const int64_t *statistic, size_t n,
                     int64_t *outcome, error *why)
{
    for (size_t i = 0; i < n; i++) {
        int128_t noisy = 0;
        TRY(wide_noise_draw(&law->noise, random, &noisy, why));
        noisy += statistic[i];
        bool shown = statistic[i] > 0 && noisy >= law->threshold;
        outcome[i] = shown ? wide_noise_narrow(noisy) : LAW_HIDDEN;
    }
    return DITHER_OK;
}

static struct interval hidden(const struct noise_table *table, int64_t count, int64_t threshold)
{
    return count <= 0 ? interval_exact(1) : noise_table_at_most(table, (int128_t)threshold - 1 - count);
}

static struct interval shown_from(const struct noise_table *table, int64_t count, int128_t first)
{
    return count <= 0 ? interval_exact(0) : noise_table_at_least(table, first - count);
}

static struct interval shown_between(const struct noise_table *table, int64_t count, int128_t first,
                                     int128_t last)
{
    return count <= 0 ? interval_exact(0) : noise_table_between(table, first - count, last - count);
}

/* The ratio of the probabilities of an answer is constant up to the smaller count and from the larger one on,
 * so these answers share a cell; between the two counts each answer is its own. With a count of 0 on one
 * side, nothing is shown there, and all answers share one cell. */
static void shown_cells(const struct noise_table *table, int64_t left, int64_t right, int128_t threshold,
                        law_visit visit, void *context)
{
    int64_t low = left < right ? left : right, high = left < right ? right : left;
    if ((int128_t)high - low > APART_LIMIT) {
        visit(context, (struct interval){0, 1}, (struct interval){0, 1});
        return;
    }
    int128_t next = threshold;
    if (low > 0 && next <= low) {
        visit(context, shown_between(table, left, next, low), shown_between(table, right, next, low));
        next = (int128_t)low + 1;
    }
    for (; low > 0 && next < high; next++)
        visit(context, shown_between(table, left, next, next), shown_between(table, right, next, next));
    visit(context, shown_from(table, left, next), shown_from(table, right, next));
}

static void cells(const struct law *law, const int64_t *left, const int64_t *right, size_t n, size_t block,
                  law_visit visit, void *context)
{
    assert(block < n);
    struct noise_table table;
    noise_table_init(&table, &law->noise, 0);
    visit(context, hidden(&table, left[block], law->threshold), hidden(&table, right[block], law->threshold));
    shown_cells(&table, left[block], right[block], law->threshold, visit, context);
}

static struct interval probability(const struct law *law, const int64_t *statistic, size_t n, size_t index,
                                   int64_t value)
{
    assert(index < n);
    struct noise_table table;
    noise_table_init(&table, &law->noise, 0);
    if (value == LAW_HIDDEN)
        return hidden(&table, statistic[index], law->threshold);
    if (value < law->threshold)
        return interval_exact(0);
    return shown_between(&table, statistic[index], value, value);
}

const struct law_family law_threshold = {
    .name = "threshold",
    .outcome_count = law_one_each,
    .blocks = law_one_each,
    .sample = sample,
    .cells = cells,
    .probability = probability,
};
