/* dBitFlipPM (Ding, Kulkarni, Yekhanin 2017): a person draws d of the D values for life and answers about these alone, a bit each, kept with
 * probability s. The memo is the report: what was said about a key is said again.
 *
 * Two values differ in the bits of those that were drawn: two at most, one when d = 1 (then the whole epsilon goes into it; the
 * paper takes half in every case). A report supports a value that was drawn when its bit is 1, and a value that was not drawn by 1 - s,
 * which is what a bit says on average about somebody else's value. So support means 1 - s for another value and
 * 1 - s + (d/D)(2s - 1) for the true one; it varies by (d/D) s (1 - s), and for the true one also by whether it was drawn. */
#include "local/bits.h"
#include "local/kinds.h"
#include "local/lasting_kinds.h"
#include "random/uniform.h"

/* A report: which were drawn, then their bits. The counters: drawn, then set. */
static size_t half_of(const struct local_oracle *oracle)
{
    return bits_bytes(oracle->setting.domain);
}

static status init_oracle(struct local_oracle *oracle, error *why)
{
    uint32_t domain = oracle->setting.domain;
    if (oracle->setting.bits == 0)
        oracle->setting.bits = 1;
    uint32_t drawn = oracle->setting.bits;
    if (drawn > domain)
        return fail(why, DITHER_INVALID, "a person is asked about 1 to %u values", domain);
    oracle->report_bytes = 2 * half_of(oracle);
    oracle->cells = 2 * (size_t)domain;
    oracle->coin = coin_for(oracle->setting.epsilon / (drawn == 1 ? 1 : 2), 1, 1);
    double s = coin_probability(oracle->coin), part = (double)drawn / domain, slope = 2 * s - 1;
    oracle->q = 1 - s;
    oracle->p = oracle->q + part * slope;
    oracle->other_variance = part * s * (1 - s);
    oracle->true_variance = oracle->other_variance + slope * slope * part * (1 - part);
    return DITHER_OK;
}

/* Floyd's sample, as in subset.c: every set of `bits` values alike. */
static status draw_values(const struct local_oracle *oracle, struct random *random, unsigned char *identity,
                          error *why)
{
    uint32_t domain = oracle->setting.domain;
    memset(identity, 0, half_of(oracle));
    for (uint32_t top = domain - oracle->setting.bits; top < domain; top++) {
        uint64_t at = 0;
        TRY(uniform_below(random, (uint64_t)top + 1, &at, why));
        bits_set(identity, bits_get(identity, at) ? top : at);
    }
    return DITHER_OK;
}

/* Bits of those drawn: what is not the value is 1 with 1 - s, the value with s. `value` may be the domain's size: then a bit
 * behind the last is touched at most, and wiped with those that were not drawn. */
static status answer(const struct local_oracle *oracle, const unsigned char *identity, uint32_t value,
                     struct random *random, unsigned char *bits, error *why)
{
    uint64_t own = 0;
    TRY(bits_toss(random, coin_opposite(oracle->coin), bits, oracle->setting.domain, why));
    TRY(coin_toss(random, oracle->coin, &own, why));
    bits_put_hidden(bits, oracle->setting.domain, value, own);
    for (size_t i = 0; i < half_of(oracle); i++)
        bits[i] &= identity[i];
    return DITHER_OK;
}

static status randomise(const struct local_oracle *oracle, uint32_t value, struct random *random,
                        unsigned char *report, error *why)
{
    TRY(draw_values(oracle, random, report, why));
    return answer(oracle, report, value, random, report + half_of(oracle), why);
}

static bool check_drawn(const struct local_oracle *oracle, const unsigned char *identity)
{
    uint32_t drawn = 0;
    if (!bits_check(identity, oracle->setting.domain))
        return false;
    for (size_t i = 0; i < half_of(oracle); i++)
        drawn += (uint32_t)__builtin_popcount(identity[i]);
    return drawn == oracle->setting.bits;
}

static bool check(const struct local_oracle *oracle, const unsigned char *report)
{
    size_t half = half_of(oracle);
    for (size_t i = 0; i < half; i++)
        if ((report[half + i] & ~report[i]) != 0)
            return false;
    return check_drawn(oracle, report);
}

static void count(const struct local_oracle *oracle, const unsigned char *reports, size_t count,
                  struct local_tally *tally)
{
    size_t domain = oracle->setting.domain, half = half_of(oracle);
    for (size_t i = 0; i < count; i++) {
        const unsigned char *report = reports + i * oracle->report_bytes;
        if (!check(oracle, report)) {
            tally->refused++;
            continue;
        }
        bits_count(report, half, 1, domain, tally->cells);
        bits_count(report + half, half, 1, domain, tally->cells + domain);
        tally->people++;
    }
}

static status support(const struct local_oracle *oracle, const struct local_tally *tally, double *out,
                      error *why)
{
    (void)why;
    const uint64_t *drawn = tally->cells, *set = tally->cells + oracle->setting.domain;
    for (uint32_t v = 0; v < oracle->setting.domain; v++)
        out[v] = (double)set[v] + (double)(tally->people - drawn[v]) * oracle->q;
    return DITHER_OK;
}

/* Of the bits, given which were drawn. */
static void bits_probability(const struct local_oracle *oracle, const unsigned char *identity, uint32_t value,
                             const unsigned char *bits, mpq_t out)
{
    mpq_t factor;
    mpq_init(factor);
    mpq_set_ui(out, 1, 1);
    for (uint32_t v = 0; v < oracle->setting.domain; v++) {
        if (!bits_get(identity, v))
            continue;
        bool kept = bits_get(bits, v) == (v == value);
        coin_fraction(kept ? oracle->coin : coin_opposite(oracle->coin), factor);
        mpq_mul(out, out, factor);
    }
    mpq_clear(factor);
}

static void probability(const struct local_oracle *oracle, uint32_t value, const unsigned char *report,
                        mpq_t out)
{
    mpq_t sets;
    mpq_init(sets);
    mpz_bin_uiui(mpq_numref(sets), oracle->setting.domain, oracle->setting.bits);
    bits_probability(oracle, report, value, report + half_of(oracle), out);
    mpq_div(out, out, sets);
    mpq_clear(sets);
}

static const struct local_oracle_kind one_round = {
    .name = "dbitflip",
    .summary = "bits about a few values that the person has drawn",
    .options = "bits",
    .init = init_oracle,
    .randomise = randomise,
    .check = check,
    .count = count,
    .support = support,
    .probability = probability,
};

/* ---- Kept for life ---- */

static status init(struct local_lasting *lasting, error *why)
{
    const struct local_setting setting = {.domain = lasting->setting.domain,
                                          .epsilon = lasting->setting.epsilon,
                                          .bits = lasting->setting.bits};
    TRY(local_oracle_init(&lasting->oracle, &one_round, &setting, why));
    uint32_t drawn = lasting->oracle.setting.bits, domain = setting.domain;
    lasting->setting.bits = drawn;
    lasting->memo_coin = lasting->oracle.coin;
    lasting->identity_bytes = lasting->memo_bytes = half_of(&lasting->oracle);
    lasting->keys = drawn + 1 < domain ? drawn + 1 : domain;
    return DITHER_OK;
}

static status identify(const struct local_lasting *lasting, struct random *random, unsigned char *identity,
                       error *why)
{
    return draw_values(&lasting->oracle, random, identity, why);
}

static bool check_identity(const struct local_lasting *lasting, const unsigned char *identity)
{
    return check_drawn(&lasting->oracle, identity);
}

/* The value if it was drawn; all others share one key, the domain's size. */
static uint32_t key(const struct local_lasting *lasting, const unsigned char *identity, uint32_t value)
{
    return bits_get(identity, value) ? value : lasting->setting.domain;
}

static status memorise(const struct local_lasting *lasting, const unsigned char *identity, uint32_t of_key,
                       struct random *random, unsigned char *memo, error *why)
{
    return answer(&lasting->oracle, identity, of_key, random, memo, why);
}

static status report(const struct local_lasting *lasting, const unsigned char *identity,
                     const unsigned char *memo, struct random *random, unsigned char *out, error *why)
{
    (void)random;
    size_t half = lasting->identity_bytes;
    memcpy(out, identity, half);
    memcpy(out + half, memo, half);
    return check(&lasting->oracle, out) ? DITHER_OK
                                        : fail(why, DITHER_INVALID, "the memo is not one of this survey");
}

static void memo_probability(const struct local_lasting *lasting, const unsigned char *identity,
                             uint32_t of_key, const unsigned char *memo, mpq_t out)
{
    bits_probability(&lasting->oracle, identity, of_key, memo, out);
}

static void report_probability(const struct local_lasting *lasting, const unsigned char *identity,
                               const unsigned char *memo, const unsigned char *sent, mpq_t out)
{
    (void)identity;
    size_t half = lasting->identity_bytes;
    mpq_set_ui(out, memcmp(memo, sent + half, half) == 0, 1);
}

static double loss(const struct local_lasting *lasting, double reports)
{
    (void)reports;
    return lasting->setting.epsilon;
}

const struct local_lasting_kind lasting_dbitflip = {
    .name = "dbitflip",
    .summary = "a few values drawn for life, a bit about each, said again and again",
    .init = init,
    .identify = identify,
    .key = key,
    .check = check_identity,
    .memorise = memorise,
    .report = report,
    .memo_probability = memo_probability,
    .report_probability = report_probability,
    .loss = loss,
};
