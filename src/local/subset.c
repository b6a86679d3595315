/* Subset selection (Ye, Barg 2017; Wang et al. 2016): a set of w of the d values, w near d / (e^eps + 1). It holds the
 * true value with probability p, and is uniform among the sets that do, or do not. There are C(d-1, w-1) and C(d-1, w)
 * of these, so the ratio is p / (1 - p) * (d - w) / w. Another value is in the set with probability
 * q = (p (w - 1) + (1 - p) w) / (d - 1). */
#include <math.h>

#include "local/bits.h"
#include "local/kinds.h"
#include "random/uniform.h"

/* Of the whole numbers beside d / (e^eps + 1), the one with the smaller variance of a rare value. */
static double rare_variance(double domain, double size, double epsilon)
{
    double p = size * exp(epsilon) / (size * exp(epsilon) + domain - size);
    double q = (p * (size - 1) + (1 - p) * size) / (domain - 1);
    return q * (1 - q) / ((p - q) * (p - q));
}

static uint32_t best_size(uint32_t domain, double epsilon)
{
    double size = fmax(1, floor(domain / (exp(epsilon) + 1)));
    if (size + 1 < domain && rare_variance(domain, size + 1, epsilon) < rare_variance(domain, size, epsilon))
        size++;
    return (uint32_t)size;
}

static status init(struct local_oracle *oracle, error *why)
{
    (void)why;
    uint32_t domain = oracle->setting.domain, size = best_size(domain, oracle->setting.epsilon);
    oracle->size = size;
    oracle->report_bytes = bits_bytes(domain);
    oracle->cells = domain;
    oracle->coin = coin_for(oracle->setting.epsilon, size, domain - size);
    oracle->p = coin_probability(oracle->coin);
    oracle->q = (size - oracle->p) / (domain - 1);
    return DITHER_OK;
}

/* Floyd's sample (Bentley, Floyd 1987): `count` of the d - 1 others, each set equally likely. The others are numbered
 * 0 .. d-2, where the last value of the domain stands in for the true one. There is a draw for every member of the
 * set, also for the one that the true value took, so that their number does not tell. */
static status choose_others(const struct local_oracle *oracle, uint32_t value, uint32_t count,
                            struct random *random, unsigned char *report, error *why)
{
    uint32_t others = oracle->setting.domain - 1;
    for (uint32_t top = others - oracle->size; top < others; top++) {
        uint64_t drawn = 0;
        TRY(uniform_below(random, (uint64_t)top + 1, &drawn, why));
        if (others - top > count)
            continue;
        uint32_t at = drawn == value ? others : (uint32_t)drawn;
        uint32_t instead = top == value ? others : top;
        bits_set(report, bits_get(report, at) ? instead : at);
    }
    return DITHER_OK;
}

static status randomise(const struct local_oracle *oracle, uint32_t value, struct random *random,
                        unsigned char *report, error *why)
{
    uint64_t holds = 0;
    memset(report, 0, oracle->report_bytes);
    TRY(coin_toss(random, oracle->coin, &holds, why));
    uint32_t count = oracle->size - (uint32_t)(holds & 1);
    TRY(choose_others(oracle, value, count, random, report, why));
    bits_put_hidden(report, oracle->setting.domain, value, holds);
    return DITHER_OK;
}

__attribute__((target_clones("popcnt", "default"))) static uint32_t set_size(const unsigned char *report,
                                                                             size_t bytes)
{
    int size = 0;
    size_t i = 0;
    for (; i + 8 <= bytes; i += 8) {
        uint64_t word;
        memcpy(&word, report + i, sizeof word);
        size += __builtin_popcountll(word);
    }
    for (; i < bytes; i++)
        size += __builtin_popcount(report[i]);
    return (uint32_t)size;
}

static bool check(const struct local_oracle *oracle, const unsigned char *report)
{
    return bits_check(report, oracle->setting.domain) &&
           set_size(report, oracle->report_bytes) == oracle->size;
}

static status support(const struct local_oracle *oracle, const struct local_tally *tally, double *out,
                      error *why)
{
    (void)why;
    for (size_t v = 0; v < oracle->cells; v++)
        out[v] = (double)tally->cells[v];
    return DITHER_OK;
}

static void probability(const struct local_oracle *oracle, uint32_t value, const unsigned char *report,
                        mpq_t out)
{
    bool holds = bits_get(report, value);
    mpq_t sets;
    mpq_init(sets);
    mpz_bin_uiui(mpq_numref(sets), oracle->setting.domain - 1, oracle->size - holds);
    coin_fraction(holds ? oracle->coin : coin_opposite(oracle->coin), out);
    mpq_div(out, out, sets);
    mpq_clear(sets);
}

const struct local_oracle_kind local_ss = {
    .name = "ss",
    .summary = "subset selection: a random set of values that rather holds the true one",
    .options = "",
    .init = init,
    .randomise = randomise,
    .check = check,
    .count = string_count,
    .support = support,
    .probability = probability,
};
