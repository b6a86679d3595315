/* Permute-and-flip (McKenna, Sheldon 2020, "Permute-and-Flip: A new mechanism for differentially private
 * selection"): the choices are looked at in random order, and the first whose coin, of bias w_i = exp(-rate *
 * gap_i), shows heads is taken. The best has w = 1, so one is always taken.
 *
 * Sampler. No order has to be stored: toss every coin, and take one of the heads uniformly. This is the same
 * law. For the coins can be tossed before the order is drawn, as the two are independent; given the set H of
 * heads, the outcome is the member of H that comes first in a uniformly random order, and by symmetry each
 * member of H is that with probability 1/|H|.
 *
 * Probability of i: w_i times the expectation of 1/(1 + S), S the number of heads among the others. As 1/(1 +
 * S) is the integral of x^S over [0, 1], it is w_i times the integral of f = product over the others of 1 -
 * w_j (1 - x). */
#include "mechanism/choice.h"
#include "random/uniform.h"

enum {
    EXPAND_LIMIT =
        64,       /* up to this many choices the polynomial is expanded; beyond, its integral is enclosed */
    STRIPS = 512, /* a power of two, so that the nodes are exact */
};

/* A coin of bias w_i: first the cheap part of bias 2^-level, then the rest. */
static status flip(const struct choice *choice, struct random *random, uint64_t gap, bool *heads, error *why)
{
    int level = choice_level(choice, gap);
    if (level > 0) {
        uint64_t word = 0;
        TRY(random_word(random, &word, why));
        if (word >> (64 - level) != 0) {
            *heads = false;
            return DITHER_OK;
        }
    }
    return choice_coin(choice, random, gap, level, heads, why);
}

static status sample(const struct law *law, struct random *random, const int64_t *statistic, size_t n,
                     int64_t *outcome, error *why)
{
    struct choice choice;
    choice_init(&choice, law, statistic, n);
    uint64_t heads_seen = 0;
    for (size_t i = 0; i < n; i++) {
        bool heads = false;
        TRY(flip(&choice, random, choice_gap(&choice, i), &heads, why));
        if (!heads)
            continue;
        heads_seen++; /* each of the heads so far is the one held with probability 1 / heads_seen */
        uint64_t place = 0;
        TRY(uniform_below(random, heads_seen, &place, why));
        if (place == 0)
            outcome[0] = (int64_t)i;
    }
    return DITHER_OK;
}

static struct interval complement(struct interval weight)
{
    return interval_clip(interval_subtract(interval_exact(1), weight), 0, 1);
}

/* The law of the number of heads among the others, one coin after another: all terms are positive, so hardly
 * a digit is lost. Then the expectation of 1/(1 + S). */
static struct interval expand(const struct interval *weights, size_t count, size_t index)
{
    struct interval heads[EXPAND_LIMIT] = {{1, 1}};
    size_t coins = 0;
    for (size_t j = 0; j < count; j++) {
        if (j == index)
            continue;
        struct interval tails = complement(weights[j]);
        coins++;
        heads[coins] = interval_multiply(heads[coins - 1], weights[j]);
        for (size_t s = coins - 1; s > 0; s--)
            heads[s] =
                interval_add(interval_multiply(heads[s], tails), interval_multiply(heads[s - 1], weights[j]));
        heads[0] = interval_multiply(heads[0], tails);
    }
    struct interval expectation = interval_exact(0);
    for (size_t s = 0; s <= coins; s++)
        expectation = interval_add(expectation, interval_divide(heads[s], interval_exact((double)(s + 1))));
    return expectation;
}

/* Node k of the even places 0, 2, ... 2 * STRIPS is where strips meet, an odd one the middle between. The
 * strips get narrow towards y = 1 - x = 0, where f is steep when there are many heads. All exact in doubles.
 */
static double node(int k)
{
    double before = k / 2, after = (k + 1) / 2;
    double sum = before * before * before + after * after * after;
    return sum / (2.0 * STRIPS * STRIPS * STRIPS);
}

/* f, a function of y = 1 - x, is a product of falling lines that stay above 0, so it is convex: in each strip
 * the value at the middle is not above the mean, and the mean of the values at both ends not below it. */
static struct interval enclose(const struct choice *choice, size_t index)
{
    struct interval f[2 * STRIPS + 1];
    for (int k = 0; k <= 2 * STRIPS; k++)
        f[k] = interval_exact(1);
    for (size_t j = 0; j < choice->count; j++) {
        struct interval weight = choice_weight(choice, choice_gap(choice, j));
        for (int k = 0; j != index && k <= 2 * STRIPS; k++) {
            struct interval factor = complement(interval_multiply(weight, interval_exact(node(k))));
            f[k] = interval_multiply(f[k], factor);
        }
    }
    struct interval middles = interval_exact(0), ends = interval_exact(0);
    for (int k = 1; k < 2 * STRIPS; k += 2) {
        struct interval width = interval_exact(node(k + 1) - node(k - 1));
        struct interval mean = interval_multiply(interval_add(f[k - 1], f[k + 1]), interval_exact(0.5));
        middles = interval_add(middles, interval_multiply(f[k], width));
        ends = interval_add(ends, interval_multiply(mean, width));
    }
    return (struct interval){middles.lower, ends.upper};
}

/* The weights of the few, computed once; of the many, computed when they are needed. */
struct weighed {
    struct choice choice;
    struct interval weights[EXPAND_LIMIT];
};

static void weigh(struct weighed *weighed, const struct law *law, const int64_t *scores, size_t n)
{
    choice_init(&weighed->choice, law, scores, n);
    for (size_t i = 0; i < n && n <= EXPAND_LIMIT; i++)
        weighed->weights[i] = choice_weight(&weighed->choice, choice_gap(&weighed->choice, i));
}

static struct interval chosen(const struct weighed *weighed, size_t index)
{
    const struct choice *choice = &weighed->choice;
    bool few = choice->count <= EXPAND_LIMIT;
    struct interval weight = few ? weighed->weights[index] : choice_weight(choice, choice_gap(choice, index));
    struct interval expectation =
        few ? expand(weighed->weights, choice->count, index) : enclose(choice, index);
    return interval_clip(interval_multiply(weight, expectation), 0, 1);
}

static void cells(const struct law *law, const int64_t *left, const int64_t *right, size_t n, size_t block,
                  law_visit visit, void *context)
{
    (void)block;
    struct weighed a, b;
    weigh(&a, law, left, n);
    weigh(&b, law, right, n);
    for (size_t i = 0; i < n; i++)
        visit(context, chosen(&a, i), chosen(&b, i));
}

static struct interval probability(const struct law *law, const int64_t *statistic, size_t n, size_t index,
                                   int64_t value)
{
    (void)index;
    if (value < 0 || (uint64_t)value >= n)
        return interval_exact(0);
    struct weighed weighed;
    weigh(&weighed, law, statistic, n);
    return chosen(&weighed, (size_t)value);
}

const struct law_family law_permute_and_flip = {
    .name = "permute-and-flip",
    .outcome_count = choice_outcome_count,
    .blocks = choice_blocks,
    .sample = sample,
    .cells = cells,
    .probability = probability,
};
