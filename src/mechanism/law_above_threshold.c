/* AboveThreshold, the sparse vector that stops at the first hit (Dwork, Roth 2014, Algorithm 1; Lyu, Su, Li
 * 2017, Algorithm 1 with c = 1): noise on the threshold, once, and fresh noise on each number in turn; the
 * first number whose noisy value is at least the noisy threshold is the answer. The privacy proof for
 * whole-number noise is in docs/mechanisms/above-threshold.md.
 *
 * Probability of i: the sum over t of P(T = t) times, for every j before i, P(number_j + Z < t), times
 * P(number_i + Z >= t); of nothing found: without the last factor, over all j. The first product rises with t
 * and the last factor falls, which bounds the sum over a run of values of t; runs have length 1, and the
 * bounds meet, unless the noise is so wide that this would take too long. */
#include "mechanism/noise_table.h"
#include "mechanism/choice.h"
#include "mechanism/wide_noise.h"

enum {
    RUNS = 4096,
};

static status sample(const struct law *law, struct random *random, const int64_t *statistic, size_t n,
                     int64_t *outcome, error *why)
{
    int128_t level = 0;
    TRY(wide_noise_draw(&law->noise, random, &level, why));
    level += law->threshold;
    outcome[0] = LAW_HIDDEN;
    for (size_t i = 0; i < n; i++) {
        int128_t noisy = 0;
        TRY(wide_noise_draw(&law->query_noise, random, &noisy, why));
        if (noisy + statistic[i] >= level) {
            outcome[0] = (int64_t)i;
            return DITHER_OK;
        }
    }
    return DITHER_OK;
}

/* Asks for the probability that numbers 0 to before - 1 stay below and, where `hit`, that number `before`
 * does not. */
struct search {
    const struct noise_table *threshold_noise, *query_noise;
    int64_t threshold;
    const int64_t *numbers;
    size_t before;
    bool hit;
};

static struct interval all_below(const struct search *search, int128_t level)
{
    struct interval product = interval_exact(1);
    for (size_t j = 0; j < search->before && product.upper > 0; j++)
        product = interval_multiply(product,
                                    noise_table_at_most(search->query_noise, level - 1 - search->numbers[j]));
    return product;
}

static struct interval reaches(const struct search *search, int128_t level)
{
    if (!search->hit)
        return interval_exact(1);
    return noise_table_at_least(search->query_noise, level - search->numbers[search->before]);
}

/* The noisy thresholds that matter: around the threshold and every number involved. */
static void span(const struct search *search, int128_t *first, int128_t *last)
{
    int64_t low = search->threshold, high = search->threshold;
    for (size_t j = 0; j < search->before + search->hit; j++) {
        low = search->numbers[j] < low ? search->numbers[j] : low;
        high = search->numbers[j] > high ? search->numbers[j] : high;
    }
    *first = low - noise_table_reach(search->threshold_noise);
    *last = high + noise_table_reach(search->threshold_noise);
}

/* Noisy thresholds beyond the span: improbable, and the monotone factors are bounded by their value at its
 * ends. */
static struct interval beyond(const struct search *search, int128_t first, int128_t last)
{
    struct interval below = noise_table_at_most(search->threshold_noise, first - 1 - search->threshold);
    struct interval above = noise_table_at_least(search->threshold_noise, last + 1 - search->threshold);
    below = interval_multiply(below, all_below(search, first - 1));
    above = interval_multiply(above, reaches(search, last + 1));
    return (struct interval){0, interval_add(below, above).upper};
}

static struct interval found(const struct search *search)
{
    int128_t first = 0, last = 0;
    span(search, &first, &last);
    int128_t length = (last - first) / RUNS + 1;
    struct interval sum = beyond(search, first, last);
    for (int128_t a = first; a <= last; a += length) {
        int128_t b = a + length - 1 < last ? a + length - 1 : last;
        struct interval low = interval_multiply(all_below(search, a), reaches(search, b));
        struct interval high = a == b ? low : interval_multiply(all_below(search, b), reaches(search, a));
        struct interval mass =
            noise_table_between(search->threshold_noise, a - search->threshold, b - search->threshold);
        sum = interval_add(sum, interval_multiply(mass, (struct interval){low.lower, high.upper}));
    }
    return interval_clip(sum, 0, 1);
}

/* The two tables are some 48 KiB together. */
struct tables {
    struct noise_table threshold_noise, query_noise;
};

static void tables_init(struct tables *tables, const struct law *law)
{
    noise_table_init(&tables->threshold_noise, &law->noise, NOISE_TABLE_SIZE);
    noise_table_init(&tables->query_noise, &law->query_noise, NOISE_TABLE_SIZE);
}

static struct interval stops_at(const struct tables *tables, const struct law *law, const int64_t *numbers,
                                size_t before, bool hit)
{
    struct search search = {
        &tables->threshold_noise, &tables->query_noise, law->threshold, numbers, before, hit};
    return found(&search);
}

static void cells(const struct law *law, const int64_t *left, const int64_t *right, size_t n, size_t block,
                  law_visit visit, void *context)
{
    (void)block;
    struct tables tables;
    tables_init(&tables, law);
    for (size_t i = 0; i < n; i++)
        visit(context, stops_at(&tables, law, left, i, true), stops_at(&tables, law, right, i, true));
    visit(context, stops_at(&tables, law, left, n, false), stops_at(&tables, law, right, n, false));
}

static struct interval probability(const struct law *law, const int64_t *statistic, size_t n, size_t index,
                                   int64_t value)
{
    (void)index;
    bool hit = value != LAW_HIDDEN;
    if (hit && (value < 0 || (uint64_t)value >= n))
        return interval_exact(0);
    struct tables tables;
    tables_init(&tables, law);
    return stops_at(&tables, law, statistic, hit ? (size_t)value : n, hit);
}

const struct law_family law_above_threshold = {
    .name = "above-threshold",
    .outcome_count = choice_outcome_count,
    .blocks = choice_blocks,
    .sample = sample,
    .cells = cells,
    .probability = probability,
};
