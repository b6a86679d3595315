/* The exponential mechanism's law (McSherry, Talwar 2007): index i with probability proportional to
 * exp(rate * score_i), that is to w_i = exp(-rate * gap_i).
 *
 * Sampler. Proposing an index uniformly and keeping it with probability w_i is exact, but takes as many tries
 * as there are choices when one of them is far ahead. Here index i is proposed with probability proportional
 * to 2^-L_i, L_i its level (a bound: w_i <= 2^-L_i), and kept with probability w_i 2^L_i. Proposed and kept
 * are then together proportional to w_i, whatever the levels are, so the law is exact; and as w_i 2^L_i is
 * above 1/2 but for the last level, where fewer than one proposal in two falls, four tries are expected at
 * most (for up to 2^31 choices). A proposal costs two scans that compare integers: one that counts the
 * indices of each level, once, and one that finds the one proposed.
 *
 * The number of tries depends on the scores; time is outside the promise. */
#include "mechanism/choice.h"
#include "random/uniform.h"

/* How many choices there are on each level. A choice on level L weighs 2^(limit - L); the limit is such that
 * all together weigh less than 2^63. */
struct census {
    uint64_t count[CHOICE_LEVELS];
    uint64_t total;
};

static int bit_length(uint64_t value)
{
    return 64 - __builtin_clzll(value);
}

static void take_census(struct choice *choice, struct census *census)
{
    choice->level_limit = 63 - bit_length(choice->count);
    *census = (struct census){0};
    for (size_t i = 0; i < choice->count; i++)
        census->count[choice_level(choice, choice_gap(choice, i))]++;
    for (int level = 0; level <= choice->level_limit; level++)
        census->total += census->count[level] << (choice->level_limit - level);
}

/* The index that has `rank` others on its level before it. */
static size_t find(const struct choice *choice, int level, uint64_t rank)
{
    size_t index = 0;
    for (;; index++)
        if (choice_level(choice, choice_gap(choice, index)) == level && rank-- == 0)
            return index;
}

static status propose(const struct choice *choice, const struct census *census, struct random *random,
                      size_t *index, int *level, error *why)
{
    uint64_t position = 0;
    TRY(uniform_below(random, census->total, &position, why));
    int at = 0;
    int shift = choice->level_limit;
    while (position >= census->count[at] << shift) {
        position -= census->count[at] << shift;
        at++;
        shift--;
    }
    *level = at;
    *index = find(choice, at, position >> shift);
    return DITHER_OK;
}

static status sample(const struct law *law, struct random *random, const int64_t *statistic, size_t n,
                     int64_t *outcome, error *why)
{
    struct choice choice;
    struct census census;
    choice_init(&choice, law, statistic, n);
    take_census(&choice, &census);
    bool kept = false;
    size_t index = 0;
    while (!kept) {
        int level = 0;
        TRY(propose(&choice, &census, random, &index, &level, why));
        TRY(choice_coin(&choice, random, choice_gap(&choice, index), level, &kept, why));
    }
    outcome[0] = (int64_t)index;
    return DITHER_OK;
}

static struct interval total_weight(const struct choice *choice)
{
    struct interval total = interval_exact(0);
    for (size_t i = 0; i < choice->count; i++)
        total = interval_add(total, choice_weight(choice, choice_gap(choice, i)));
    return interval_clip(total, 1, (double)choice->count); /* the best weighs 1, and none more */
}

static struct interval share(const struct choice *choice, struct interval total, size_t index)
{
    struct interval weight = choice_weight(choice, choice_gap(choice, index));
    return interval_clip(interval_divide(weight, total), 0, 1);
}

static void cells(const struct law *law, const int64_t *left, const int64_t *right, size_t n, size_t block,
                  law_visit visit, void *context)
{
    (void)block;
    struct choice a, b;
    choice_init(&a, law, left, n);
    choice_init(&b, law, right, n);
    struct interval total_a = total_weight(&a), total_b = total_weight(&b);
    for (size_t i = 0; i < n; i++)
        visit(context, share(&a, total_a, i), share(&b, total_b, i));
}

static struct interval probability(const struct law *law, const int64_t *statistic, size_t n, size_t index,
                                   int64_t value)
{
    (void)index;
    if (value < 0 || (uint64_t)value >= n)
        return interval_exact(0);
    struct choice choice;
    choice_init(&choice, law, statistic, n);
    return share(&choice, total_weight(&choice), (size_t)value);
}

const struct law_family law_exponential = {
    .name = "exponential",
    .outcome_count = choice_outcome_count,
    .blocks = choice_blocks,
    .sample = sample,
    .cells = cells,
    .probability = probability,
};
