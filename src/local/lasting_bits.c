/* Bits flipped twice: once for good, and again in every report.
 *
 * lsue, rappor: a bit is kept with probability a in the memo, then with b; together s = a b + (1 - a)(1 - b). Two values differ in 2
 * bits (lsue) or 2h (rappor), and coin.h finds b for the s of one report.
 * losue: the memo has the own bit with probability 1/2 and the others with 1 - a; then all are kept with b: the own bit is still
 * a fair coin, the others are 1 with 1 - s. So one report is that of oue, and the same b serves. */
#include <math.h>

#include "local/bits.h"
#include "local/kinds.h"
#include "local/lasting_kinds.h"
#include "local/rappor.h"
#include "random/uniform.h"

static double after_both(const struct local_lasting *lasting, double a)
{
    double b = coin_probability(lasting->report_coin);
    return a * b + (1 - a) * (1 - b);
}

static status set_stages(struct local_lasting *lasting, double permanent, double epsilon, error *why)
{
    uint64_t wanted = coin_for(epsilon, 1, 1), kept = coin_for(permanent, 1, 1);
    TRY(lasting_check_stages(kept, wanted, why));
    lasting->report_coin = coin_after(kept, wanted);
    lasting->memo_coin = kept;
    lasting->memo_other_coin = coin_opposite(kept);
    lasting->memo_bytes = lasting->oracle.report_bytes;
    lasting->keys = lasting->setting.domain;
    return DITHER_OK;
}

static status init_symmetric(struct local_lasting *lasting, error *why)
{
    const struct local_setting setting = {.domain = lasting->setting.domain,
                                          .epsilon = lasting->setting.epsilon};
    TRY(local_oracle_init(&lasting->oracle, &local_sue, &setting, why));
    TRY(set_stages(lasting, lasting->setting.permanent / 2, lasting->setting.epsilon / 2, why));
    double s = after_both(lasting, coin_probability(lasting->memo_coin));
    lasting_set_support(&lasting->oracle, s, 1 - s);
    return DITHER_OK;
}

static status init_optimised(struct local_lasting *lasting, error *why)
{
    const struct local_setting setting = {.domain = lasting->setting.domain,
                                          .epsilon = lasting->setting.epsilon};
    TRY(local_oracle_init(&lasting->oracle, &local_oue, &setting, why));
    TRY(set_stages(lasting, lasting->setting.permanent, lasting->setting.epsilon, why));
    lasting->memo_coin = (uint64_t)1 << 63;
    lasting_set_support(&lasting->oracle, 0.5,
                        after_both(lasting, coin_probability(lasting->memo_other_coin)));
    return DITHER_OK;
}

/* rappor.c has both coins. */
static status init_rappor(struct local_lasting *lasting, error *why)
{
    const struct local_setting setting = {.domain = lasting->setting.domain,
                                          .epsilon = lasting->setting.epsilon,
                                          .permanent = lasting->setting.permanent,
                                          .bits = lasting->setting.bits,
                                          .hashes = lasting->setting.hashes,
                                          .width = lasting->setting.width,
                                          .seed = lasting->setting.seed};
    TRY(local_oracle_init(&lasting->oracle, &local_rappor, &setting, why));
    lasting->setting.bits = lasting->oracle.setting.bits;
    lasting->memo_coin = lasting->oracle.coin;
    lasting->memo_other_coin = coin_opposite(lasting->oracle.coin);
    lasting->report_coin = lasting->oracle.inner_coin;
    lasting->identity_bytes = 4;
    lasting->memo_bytes = bits_bytes(lasting->oracle.setting.width);
    lasting->keys = lasting->setting.domain;
    return DITHER_OK;
}

static uint32_t width_of(const struct local_lasting *lasting)
{
    return lasting->identity_bytes > 0 ? lasting->oracle.setting.width : lasting->setting.domain;
}

static status memorise_unary(const struct local_lasting *lasting, const unsigned char *identity, uint32_t key,
                             struct random *random, unsigned char *memo, error *why)
{
    (void)identity;
    uint64_t own = 0;
    TRY(bits_toss(random, lasting->memo_other_coin, memo, lasting->setting.domain, why));
    TRY(coin_toss(random, lasting->memo_coin, &own, why));
    bits_put_hidden(memo, lasting->setting.domain, key, own);
    return DITHER_OK;
}

static status draw_cohort(const struct local_lasting *lasting, struct random *random, unsigned char *identity,
                          error *why)
{
    uint64_t cohort = 0;
    TRY(uniform_below(random, lasting->oracle.setting.hashes, &cohort, why));
    report_put(identity, (uint32_t)cohort);
    return DITHER_OK;
}

static bool check_cohort(const struct local_lasting *lasting, const unsigned char *identity)
{
    return report_number(identity) < lasting->oracle.setting.hashes;
}

static status memorise_bloom(const struct local_lasting *lasting, const unsigned char *identity, uint32_t key,
                             struct random *random, unsigned char *memo, error *why)
{
    uint32_t bits[RAPPOR_BITS_LIMIT], width = width_of(lasting);
    uint32_t count = rappor_bits(&lasting->oracle, report_number(identity), key, bits);
    memset(memo, 0, lasting->memo_bytes);
    for (uint32_t i = 0; i < count; i++)
        bits_put_hidden(memo, width, bits[i], UINT64_MAX);
    return bits_flip(random, coin_opposite(lasting->memo_coin), memo, width, why);
}

/* What a state file holds was checked by nobody: a memo that is too long is not copied into a report. */
static status report(const struct local_lasting *lasting, const unsigned char *identity,
                     const unsigned char *memo, struct random *random, unsigned char *out, error *why)
{
    if (!bits_check(memo, width_of(lasting)))
        return fail(why, DITHER_INVALID, "the memo is not one of this survey");
    memcpy(out, identity, lasting->identity_bytes);
    memcpy(out + lasting->identity_bytes, memo, lasting->memo_bytes);
    return bits_flip(random, coin_opposite(lasting->report_coin), out + lasting->identity_bytes,
                     width_of(lasting), why);
}

/* ---- The law ---- */

static void multiply_coin(mpq_t out, uint64_t coin, bool heads)
{
    mpq_t factor;
    mpq_init(factor);
    coin_fraction(heads ? coin : coin_opposite(coin), factor);
    mpq_mul(out, out, factor);
    mpq_clear(factor);
}

static void unary_probability(const struct local_lasting *lasting, const unsigned char *identity,
                              uint32_t key, const unsigned char *memo, mpq_t out)
{
    (void)identity;
    mpq_set_ui(out, 1, 1);
    for (uint32_t bit = 0; bit < lasting->setting.domain; bit++)
        multiply_coin(out, bit == key ? lasting->memo_coin : lasting->memo_other_coin, bits_get(memo, bit));
}

static void bloom_probability(const struct local_lasting *lasting, const unsigned char *identity,
                              uint32_t key, const unsigned char *memo, mpq_t out)
{
    uint32_t bits[RAPPOR_BITS_LIMIT];
    uint32_t count = rappor_bits(&lasting->oracle, report_number(identity), key, bits);
    mpq_set_ui(out, 1, 1);
    for (uint32_t bit = 0; bit < width_of(lasting); bit++) {
        bool set = false;
        for (uint32_t i = 0; i < count; i++)
            set |= bits[i] == bit;
        multiply_coin(out, lasting->memo_coin, bits_get(memo, bit) == set);
    }
}

static void report_probability(const struct local_lasting *lasting, const unsigned char *identity,
                               const unsigned char *memo, const unsigned char *sent, mpq_t out)
{
    (void)identity;
    mpq_set_ui(out, 1, 1);
    for (uint32_t bit = 0; bit < width_of(lasting); bit++)
        multiply_coin(out, lasting->report_coin,
                      bits_get(memo, bit) == bits_get(sent + lasting->identity_bytes, bit));
}

/* Bits are independent, and each of those that differ is worst when it is always reported as it rather is: the own bit of one
 * value always 1, that of the other always 0. */
static double bit_loss(const struct local_lasting *lasting, double reports)
{
    double p = coin_probability(lasting->memo_coin), q = coin_probability(lasting->memo_other_coin);
    double kept = coin_probability(lasting->report_coin),
           r = exp(reports * log(coin_probability(coin_opposite(lasting->report_coin)) / kept));
    double pairs = lasting->identity_bytes > 0 ? lasting->setting.bits : 1;
    return pairs * (lasting_log_ratio(p, q, r) + lasting_log_ratio(1 - q, 1 - p, r));
}

const struct local_lasting_kind lasting_lsue = {
    .name = "lsue",
    .summary = "a bit per value, symmetric noise for good and again in every report",
    .init = init_symmetric,
    .identify = lasting_no_identity,
    .key = lasting_value_key,
    .check = lasting_any_identity,
    .memorise = memorise_unary,
    .report = report,
    .memo_probability = unary_probability,
    .report_probability = report_probability,
    .loss = bit_loss,
};

const struct local_lasting_kind lasting_losue = {
    .name = "losue",
    .summary = "a bit per value, optimised noise for good, symmetric in every report",
    .init = init_optimised,
    .identify = lasting_no_identity,
    .key = lasting_value_key,
    .check = lasting_any_identity,
    .memorise = memorise_unary,
    .report = report,
    .memo_probability = unary_probability,
    .report_probability = report_probability,
    .loss = bit_loss,
};

const struct local_lasting_kind lasting_rappor = {
    .name = "rappor",
    .summary = "bits of a Bloom filter in a cohort for life, flipped for good and again in every report",
    .init = init_rappor,
    .identify = draw_cohort,
    .key = lasting_value_key,
    .check = check_cohort,
    .memorise = memorise_bloom,
    .report = report,
    .memo_probability = bloom_probability,
    .report_probability = report_probability,
    .loss = bit_loss,
};
