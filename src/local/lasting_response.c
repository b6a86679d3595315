/* Two randomised responses in a row over g values (L-GRR: the domain itself; LOLOHA: buckets of a hash function kept for life).
 *
 * With p1 the memo's coin, q1 = (1 - p1) / (g - 1), and likewise p2, q2 for a report, the value's own answer comes with
 *
 *     p = p1 p2 + (1 - p1) q2 = q1 + p2 (p1 - q1),    each other one with (1 - p) / (g - 1):
 *
 * a randomised response again. So p2 = (s - q1) / (p1 - q1) for the s of one report at epsilon; p2 is rounded down, hence p never
 * exceeds s. (Published code that drops the other g - 2 ways to come by an answer wastes epsilon.) */
#include <assert.h>
#include <math.h>

#include "base/rational.h"
#include "local/hash.h"
#include "local/kinds.h"
#include "local/lasting_kinds.h"
#include "random/uniform.h"

static uint32_t size_of(const struct local_lasting *lasting)
{
    return lasting->oracle.size != 0 ? lasting->oracle.size : lasting->setting.domain;
}

/* floor(2^64 ((g - 1) s + p1 - 1) / (g p1 - 1)), both coins in parts of 2^64: a quotient below 1, as s < p1, digit by digit. */
static uint64_t second_coin(uint64_t first, uint64_t wanted, uint32_t size)
{
    const uint128_t whole = (uint128_t)1 << 64;
    uint128_t over = (uint128_t)wanted * (size - 1) + first - whole;
    uint128_t under = (uint128_t)first * size - whole;
    uint64_t coin = 0;
    assert(over < under);
    for (int digit = 0; digit < 64; digit++) {
        over *= 2;
        coin = coin << 1 | (over >= under);
        over -= over >= under ? under : 0;
    }
    return coin;
}

/* The probability of the own answer after both stages, to double precision. */
static double own_answer(const struct local_lasting *lasting)
{
    double others = size_of(lasting) - 1.0, p1 = coin_probability(lasting->memo_coin),
           p2 = coin_probability(lasting->report_coin);
    return p1 * p2 + coin_probability(coin_opposite(lasting->memo_coin)) *
                         coin_probability(coin_opposite(lasting->report_coin)) / others;
}

static status set_stages(struct local_lasting *lasting, error *why)
{
    uint32_t size = size_of(lasting);
    uint64_t wanted = coin_for(lasting->setting.epsilon, 1, size - 1);
    lasting->memo_coin = coin_for(lasting->setting.permanent, 1, size - 1);
    TRY(lasting_check_stages(lasting->memo_coin, wanted, why));
    lasting->report_coin = second_coin(lasting->memo_coin, wanted, size);
    lasting->memo_bytes = 4;
    lasting->keys = size;
    return DITHER_OK;
}

static status init_plain(struct local_lasting *lasting, error *why)
{
    const struct local_setting setting = {.domain = lasting->setting.domain,
                                          .epsilon = lasting->setting.epsilon};
    TRY(local_oracle_init(&lasting->oracle, &local_grr, &setting, why));
    TRY(set_stages(lasting, why));
    double p = own_answer(lasting);
    lasting_set_support(&lasting->oracle, p, (1 - p) / (setting.domain - 1.0));
    return DITHER_OK;
}

/* As in olh.c, with the share `random` of answers that have nothing to do with the value. */
static status init_hashed(struct local_lasting *lasting, uint32_t size, error *why)
{
    const struct local_setting setting = {.domain = lasting->setting.domain,
                                          .epsilon = lasting->setting.epsilon};
    TRY(local_oracle_init(&lasting->oracle, &local_olh, &setting, why));
    if (size != 0)
        lasting->oracle.size = size;
    TRY(set_stages(lasting, why));
    lasting->identity_bytes = 8;
    double buckets = lasting->oracle.size, p = own_answer(lasting),
           random = (1 - p) * buckets / (buckets - 1);
    lasting_set_support(&lasting->oracle, p,
                        (1 - random) * hash_collision(lasting->oracle.size) + random / buckets);
    return DITHER_OK;
}

static status init_two(struct local_lasting *lasting, error *why)
{
    return init_hashed(lasting, 2, why);
}

/* With exact chaining one report varies as that of olh, so olh's number of buckets is the best here too. */
static status init_best(struct local_lasting *lasting, error *why)
{
    return init_hashed(lasting, 0, why);
}

static status draw_hash(const struct local_lasting *lasting, struct random *random, unsigned char *identity,
                        error *why)
{
    (void)lasting;
    uint64_t c0 = 0, c1 = 0;
    TRY(uniform_below(random, HASH_PRIME, &c0, why));
    TRY(uniform_below(random, HASH_PRIME, &c1, why));
    report_put(identity, (uint32_t)c0);
    report_put(identity + 4, (uint32_t)c1);
    return DITHER_OK;
}

static bool check_hash(const struct local_lasting *lasting, const unsigned char *identity)
{
    (void)lasting;
    return report_number(identity) < HASH_PRIME && report_number(identity + 4) < HASH_PRIME;
}

static uint32_t bucket_key(const struct local_lasting *lasting, const unsigned char *identity, uint32_t value)
{
    struct hash hash = {report_number(identity), report_number(identity + 4), 0};
    return hash_bucket(hash_image(hash, value), lasting->oracle.size);
}

static status respond(uint64_t coin, uint32_t size, uint32_t value, struct random *random, unsigned char *out,
                      error *why)
{
    uint64_t truth = 0, other = 0;
    TRY(coin_toss(random, coin, &truth, why));
    TRY(uniform_below(random, size - 1, &other, why));
    other += other >= value;
    report_put(out, pick(truth, value, other));
    return DITHER_OK;
}

static status memorise(const struct local_lasting *lasting, const unsigned char *identity, uint32_t key,
                       struct random *random, unsigned char *memo, error *why)
{
    (void)identity;
    return respond(lasting->memo_coin, size_of(lasting), key, random, memo, why);
}

/* What a state file holds was checked by nobody: a memo that is no answer is not copied into a report. */
static status report(const struct local_lasting *lasting, const unsigned char *identity,
                     const unsigned char *memo, struct random *random, unsigned char *out, error *why)
{
    uint32_t kept = report_number(memo);
    if (kept >= size_of(lasting))
        return fail(why, DITHER_INVALID, "the memo is not one of this survey");
    memcpy(out, identity, lasting->identity_bytes);
    return respond(lasting->report_coin, size_of(lasting), kept, random, out + lasting->identity_bytes, why);
}

static void response_probability(uint64_t coin, uint32_t size, bool same, mpq_t out)
{
    mpq_t others;
    mpq_init(others);
    mpq_set_ui(others, same ? 1 : size - 1, 1);
    coin_fraction(same ? coin : coin_opposite(coin), out);
    mpq_div(out, out, others);
    mpq_clear(others);
}

static void memo_probability(const struct local_lasting *lasting, const unsigned char *identity, uint32_t key,
                             const unsigned char *memo, mpq_t out)
{
    (void)identity;
    response_probability(lasting->memo_coin, size_of(lasting), report_number(memo) == key, out);
}

static void report_probability(const struct local_lasting *lasting, const unsigned char *identity,
                               const unsigned char *memo, const unsigned char *sent, mpq_t out)
{
    (void)identity;
    bool same = report_number(memo) == report_number(sent + lasting->identity_bytes);
    response_probability(lasting->report_coin, size_of(lasting), same, out);
}

/* The worst reports are all the same: that memo has the likelihood p2^T, every other one q2^T. */
static double loss(const struct local_lasting *lasting, double reports)
{
    double others = size_of(lasting) - 1.0, p1 = coin_probability(lasting->memo_coin);
    double q1 = coin_probability(coin_opposite(lasting->memo_coin)) / others;
    double p2 = coin_probability(lasting->report_coin),
           q2 = coin_probability(coin_opposite(lasting->report_coin)) / others;
    return lasting_log_ratio(p1, q1, exp(reports * log(q2 / p2)));
}

const struct local_lasting_kind lasting_lgrr = {
    .name = "lgrr",
    .summary = "k-ary randomised response, once for good and again in every report",
    .init = init_plain,
    .identify = lasting_no_identity,
    .key = lasting_value_key,
    .check = lasting_any_identity,
    .memorise = memorise,
    .report = report,
    .memo_probability = memo_probability,
    .report_probability = report_probability,
    .loss = loss,
};

const struct local_lasting_kind lasting_biloloha = {
    .name = "biloloha",
    .summary = "two buckets of a hash function for life: the least loss over a life",
    .init = init_two,
    .identify = draw_hash,
    .key = bucket_key,
    .check = check_hash,
    .memorise = memorise,
    .report = report,
    .memo_probability = memo_probability,
    .report_probability = report_probability,
    .loss = loss,
};

const struct local_lasting_kind lasting_ololoha = {
    .name = "ololoha",
    .summary = "buckets of a hash function for life, as many as make one report best",
    .init = init_best,
    .identify = draw_hash,
    .key = bucket_key,
    .check = check_hash,
    .memorise = memorise,
    .report = report,
    .memo_probability = memo_probability,
    .report_probability = report_probability,
    .loss = loss,
};
