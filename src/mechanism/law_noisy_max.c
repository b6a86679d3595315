/* Report noisy max: two-sided geometric noise on every score; the index of the largest sum, the lowest of
 * those that tie. Privacy with that tie-break is proved in docs/mechanisms/noisy-max.md.
 *
 * Probability of i: the sum over v of P(score_i + Z = v) times, for every j before i, P(score_j + Z < v), and
 * for every j after it P(score_j + Z <= v). The product F(v) rises with v, so over a run of values from a to
 * b the sum lies between P(a <= score_i + Z <= b) F(a) and the same with F(b). Runs have length 1, and the
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
    int128_t largest = 0;
    for (size_t i = 0; i < n; i++) {
        int128_t noisy = 0;
        TRY(wide_noise_draw(&law->noise, random, &noisy, why));
        noisy += statistic[i];
        if (i == 0 || noisy > largest) {
            largest = noisy;
            outcome[0] = (int64_t)i;
        }
    }
    return DITHER_OK;
}

struct contest {
    const struct noise_table *table;
    const int64_t *scores;
    size_t count;
    size_t index; /* whose victory is asked for */
};

/* F(v): nobody else is in the way of the index when its noisy score is v. */
static struct interval others_below(const struct contest *contest, int128_t v)
{
    struct interval product = interval_exact(1);
    for (size_t j = 0; j < contest->count && product.upper > 0; j++)
        if (j != contest->index) {
            int128_t most = v - contest->scores[j] - (j < contest->index);
            product = interval_multiply(product, noise_table_at_most(contest->table, most));
        }
    return product;
}

static int64_t best_of(const struct contest *contest)
{
    int64_t best = contest->scores[0];
    for (size_t j = 1; j < contest->count; j++)
        best = contest->scores[j] > best ? contest->scores[j] : best;
    return best;
}

/* What lies beyond the summed values: a score below `first` wins only when the others are lower still, and
 * one above `last` is improbable by itself. */
static struct interval beyond(const struct contest *contest, int128_t first, int128_t last)
{
    int64_t own = contest->scores[contest->index];
    struct interval below = interval_multiply(noise_table_at_most(contest->table, first - 1 - own),
                                              others_below(contest, first - 1));
    struct interval above = noise_table_at_least(contest->table, last + 1 - own);
    return (struct interval){0, interval_add(below, above).upper};
}

static struct interval wins(const struct contest *contest)
{
    int128_t reach = noise_table_reach(contest->table);
    int64_t own = contest->scores[contest->index];
    int128_t first = own - reach, last = best_of(contest) + reach;
    int128_t length = (last - first) / RUNS + 1;
    struct interval sum = beyond(contest, first, last);
    for (int128_t a = first; a <= last; a += length) {
        int128_t b = a + length - 1 < last ? a + length - 1 : last;
        struct interval low = others_below(contest, a);
        struct interval high = a == b ? low : others_below(contest, b);
        struct interval mass = noise_table_between(contest->table, a - own, b - own);
        sum = interval_add(sum, interval_multiply(mass, (struct interval){low.lower, high.upper}));
    }
    return interval_clip(sum, 0, 1);
}

static void cells(const struct law *law, const int64_t *left, const int64_t *right, size_t n, size_t block,
                  law_visit visit, void *context)
{
    (void)block;
    struct noise_table table;
    noise_table_init(&table, &law->noise, NOISE_TABLE_SIZE);
    for (size_t i = 0; i < n; i++) {
        struct contest a = {&table, left, n, i}, b = {&table, right, n, i};
        visit(context, wins(&a), wins(&b));
    }
}

static struct interval probability(const struct law *law, const int64_t *statistic, size_t n, size_t index,
                                   int64_t value)
{
    (void)index;
    if (value < 0 || (uint64_t)value >= n)
        return interval_exact(0);
    struct noise_table table;
    noise_table_init(&table, &law->noise, NOISE_TABLE_SIZE);
    return wins(&(struct contest){&table, statistic, n, (size_t)value});
}

const struct law_family law_noisy_max = {
    .name = "noisy-max",
    .outcome_count = choice_outcome_count,
    .blocks = choice_blocks,
    .sample = sample,
    .cells = cells,
    .probability = probability,
};
