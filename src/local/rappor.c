/* RAPPOR (Erlingsson, Pihur, Korolova 2014): the client belongs to a cohort, drawn alike; h hash functions of the cohort set
 * bits in a Bloom filter of k bits; every bit is kept with probability a for good (permanent response) and that result
 * with b in every report (instantaneous response). In the paper's letters a = 1 - f/2, and b = q = 1 - p: the symmetric
 * case, which loses nothing.
 *
 * Two values differ in 2h bits, so the memo costs 2h ln(a / (1 - a)), and a report 2h ln(s / (1 - s)) with
 * s = a b + (1 - a)(1 - b). Given epsilon for the report and `permanent` for the memo, a and b follow, rounded so that
 * both are kept exactly. Without `permanent` the memo is the report (one-time RAPPOR).
 *
 * Support of a value: the mean of its h bits in the report's cohort. */
#include "local/rappor.h"

#include <math.h>

#include "local/bits.h"
#include "local/hash.h"
#include "local/kinds.h"
#include "random/uniform.h"

enum { COHORTS = 64, WIDTH = 128, BITS = 2, CELLS_LIMIT = 1 << 26 };

static status defaults(struct local_setting *setting, error *why)
{
    if (setting->hashes == 0)
        setting->hashes = COHORTS;
    if (setting->width == 0)
        setting->width = WIDTH;
    if (setting->bits == 0)
        setting->bits = BITS;
    if (setting->bits > RAPPOR_BITS_LIMIT || setting->bits >= setting->width)
        return fail(why, DITHER_INVALID, "a value sets at most %d bits, and fewer than the width",
                    RAPPOR_BITS_LIMIT);
    if ((uint64_t)setting->hashes * (setting->width + 1) > CELLS_LIMIT)
        return fail(why, DITHER_INVALID, "rappor has at most %d counters", CELLS_LIMIT);
    if (setting->permanent != 0 &&
        !(setting->permanent > setting->epsilon && setting->permanent <= LOCAL_EPSILON_MOST))
        return fail(why, DITHER_INVALID,
                    "the permanent epsilon lies above that of a report, and at most at %g",
                    LOCAL_EPSILON_MOST);
    return DITHER_OK;
}

/* Moments of the mean of h bits over the choice of hashes. A bit of another value is set with probability `one`; two bits
 * that are different are both set with `both`. The bits of a value itself coincide with probability c. */
static void set_moments(struct local_oracle *oracle, double s)
{
    double h = oracle->setting.bits, c = hash_collision(oracle->setting.width);
    double one = 1 - pow(1 - c, h), both = 1 - 2 * pow(1 - c, h) + pow(1 - 2 * c, h);
    double together = c * one * (1 - one) + (1 - c) * (both - one * one);
    double bloom = one * (1 - one) / h + (h - 1) / h * together;
    double slope = 2 * s - 1; /* P(bit | set) - P(bit | not set) */
    double noise = s * (1 - s);
    oracle->p = s;
    oracle->q = one * s + (1 - one) * (1 - s);
    oracle->true_variance = noise * (1 + (h - 1) * c) / h;
    oracle->other_variance = noise * (1 + (h - 1) * c) / h + slope * slope * bloom;
    double gap = oracle->p - oracle->q;
    oracle->collision = slope * slope * bloom / (gap * gap) / oracle->setting.hashes;
}

static status init(struct local_oracle *oracle, error *why)
{
    TRY(defaults(&oracle->setting, why));
    const struct local_setting *setting = &oracle->setting;
    double differing =
        2.0 * setting->bits; /* dividing by it is exact or rounds; a step below is surely not above */
    uint64_t report = coin_for(nextafter(setting->epsilon / differing, 0), 1, 1);
    oracle->coin = report;
    double s = coin_probability(report);
    if (setting->permanent != 0) {
        oracle->coin = coin_for(nextafter(setting->permanent / differing, 0), 1, 1);
        if (oracle->coin <= report)
            return fail(why, DITHER_INVALID, "the permanent epsilon is too close to that of a report");
        oracle->inner_coin = coin_after(oracle->coin, report);
        double a = coin_probability(oracle->coin), b = coin_probability(oracle->inner_coin);
        s = a * b + (1 - a) * (1 - b);
    }
    oracle->report_bytes = 4 + bits_bytes(setting->width);
    oracle->cells = (size_t)setting->hashes * (setting->width + 1);
    set_moments(oracle, s);
    return DITHER_OK;
}

uint32_t rappor_bits(const struct local_oracle *oracle, uint32_t cohort, uint32_t value,
                     uint32_t bits[RAPPOR_BITS_LIMIT])
{
    uint32_t different = 0;
    for (uint32_t i = 0; i < oracle->setting.bits; i++) {
        struct hash hash = hash_of_family(oracle->setting.seed, (uint64_t)cohort * oracle->setting.bits + i);
        uint32_t bit = hash_bucket(hash_image(hash, value), oracle->setting.width);
        bool known = false;
        for (uint32_t j = 0; j < different; j++)
            known |= bits[j] == bit;
        if (!known)
            bits[different++] = bit;
    }
    return different;
}

status rappor_memorise(const struct local_oracle *oracle, uint32_t value, struct random *random,
                       unsigned char *memo, error *why)
{
    uint64_t cohort = 0;
    uint32_t bits[RAPPOR_BITS_LIMIT], width = oracle->setting.width;
    TRY(uniform_below(random, oracle->setting.hashes, &cohort, why));
    uint32_t count = rappor_bits(oracle, (uint32_t)cohort, value, bits);
    report_put(memo, (uint32_t)cohort);
    memset(memo + 4, 0, bits_bytes(width));
    for (uint32_t i = 0; i < count; i++)
        bits_put_hidden(memo + 4, width, bits[i], UINT64_MAX);
    return bits_flip(random, coin_opposite(oracle->coin), memo + 4, width, why);
}

status rappor_report(const struct local_oracle *oracle, const unsigned char *memo, struct random *random,
                     unsigned char *report, error *why)
{
    memmove(report, memo, oracle->report_bytes);
    if (oracle->inner_coin == 0)
        return DITHER_OK;
    return bits_flip(random, coin_opposite(oracle->inner_coin), report + 4, oracle->setting.width, why);
}

static status randomise(const struct local_oracle *oracle, uint32_t value, struct random *random,
                        unsigned char *report, error *why)
{
    TRY(rappor_memorise(oracle, value, random, report, why));
    return rappor_report(oracle, report, random, report, why);
}

static bool check(const struct local_oracle *oracle, const unsigned char *report)
{
    return report_number(report) < oracle->setting.hashes && bits_check(report + 4, oracle->setting.width);
}

/* Cells of a cohort: its bits, then the number of its reports. */
static void count(const struct local_oracle *oracle, const unsigned char *reports, size_t count,
                  struct local_tally *tally)
{
    size_t width = oracle->setting.width;
    for (size_t i = 0; i < count; i++) {
        const unsigned char *report = reports + i * oracle->report_bytes;
        if (!check(oracle, report)) {
            tally->refused++;
            continue;
        }
        uint64_t *cells = tally->cells + report_number(report) * (width + 1);
        bits_count(report + 4, oracle->report_bytes, 1, width, cells);
        cells[width]++;
        tally->people++;
    }
}

static status support(const struct local_oracle *oracle, const struct local_tally *tally, double *out,
                      error *why)
{
    (void)why;
    uint32_t width = oracle->setting.width, bits = oracle->setting.bits;
    for (uint32_t v = 0; v < oracle->setting.domain; v++)
        out[v] = 0;
    for (uint32_t i = 0; i < oracle->setting.hashes * bits; i++) {
        struct hash hash = hash_of_family(oracle->setting.seed, i);
        const uint64_t *cells = tally->cells + (size_t)(i / bits) * (width + 1);
        for (uint32_t v = 0; v < oracle->setting.domain; v++)
            out[v] += (double)cells[hash_bucket(hash_image(hash, v), width)] / bits;
    }
    return DITHER_OK;
}

/* P(a bit of a report is what the Bloom filter has), exactly. */
static void kept_fraction(const struct local_oracle *oracle, mpq_t out)
{
    mpq_t a, b, one;
    mpq_inits(a, b, one, NULL);
    mpq_set_ui(one, 1, 1);
    coin_fraction(oracle->coin, a);
    mpq_set(out, a);
    if (oracle->inner_coin != 0) {
        coin_fraction(oracle->inner_coin, b);
        mpq_mul(out, a, b);
        mpq_sub(a, one, a);
        mpq_sub(b, one, b);
        mpq_mul(a, a, b);
        mpq_add(out, out, a);
    }
    mpq_clears(a, b, one, NULL);
}

static void probability(const struct local_oracle *oracle, uint32_t value, const unsigned char *report,
                        mpq_t out)
{
    uint32_t bits[RAPPOR_BITS_LIMIT];
    uint32_t count = rappor_bits(oracle, report_number(report), value, bits);
    mpq_t kept, flipped;
    mpq_inits(kept, flipped, NULL);
    kept_fraction(oracle, kept);
    mpq_set_ui(flipped, 1, 1);
    mpq_sub(flipped, flipped, kept);
    mpq_set_ui(out, 1, oracle->setting.hashes);
    for (uint32_t bit = 0; bit < oracle->setting.width; bit++) {
        bool set = false;
        for (uint32_t i = 0; i < count; i++)
            set |= bits[i] == bit;
        mpq_mul(out, out, bits_get(report + 4, bit) == set ? kept : flipped);
    }
    mpq_clears(kept, flipped, NULL);
}

const struct local_oracle_kind local_rappor = {
    .name = "rappor",
    .summary = "RAPPOR: bits of a Bloom filter, flipped once for good and again in every report",
    .options = "hashes width bits permanent seed",
    .init = init,
    .randomise = randomise,
    .check = check,
    .count = count,
    .support = support,
    .probability = probability,
};
