#include "local/prefix.h"

#include <math.h>
#include <string.h>

#include "local/hash.h"
#include "local/kinds.h"
#include "local/prefix_parts.h"
#include "random/uniform.h"

enum { BUCKETS_LIMIT = 1 << 20 };

status prefix_init(struct prefix *prefix, const struct prefix_setting *setting, error *why)
{
    struct prefix made = {.setting = *setting};
    if (!(setting->epsilon >= LOCAL_EPSILON_LEAST && setting->epsilon <= LOCAL_EPSILON_MOST))
        return fail(why, DITHER_INVALID, "epsilon must lie between %g and %g", LOCAL_EPSILON_LEAST,
                    LOCAL_EPSILON_MOST);
    if (setting->length < 1 || setting->length > PREFIX_LENGTH_LIMIT)
        return fail(why, DITHER_INVALID, "strings have 1 to %d bytes", PREFIX_LENGTH_LIMIT);
    if (setting->step == 0)
        made.setting.step = 8;
    if (made.setting.step > PREFIX_STEP_LIMIT || made.setting.step > 8 * setting->length)
        return fail(why, DITHER_INVALID, "a group adds 1 to %d bits, and not more than a string has",
                    PREFIX_STEP_LIMIT);
    made.groups = (8 * setting->length + made.setting.step - 1) / made.setting.step;
    made.chunks = (setting->length + 2) / 3;
    made.report_bytes = 4 * (3 + (size_t)made.chunks);
    double best = round(exp(setting->epsilon) + 1);
    made.buckets = best > BUCKETS_LIMIT ? BUCKETS_LIMIT : (uint32_t)best;
    made.coin = coin_for(setting->epsilon, 1, made.buckets - 1);
    made.p = coin_probability(made.coin);
    double random =
        coin_probability(coin_opposite(made.coin)) * made.buckets / (made.buckets - 1); /* as in olh.c */
    made.q = (1 - random) * hash_collision(made.buckets) + random / made.buckets;
    *prefix = made;
    return DITHER_OK;
}

uint32_t prefix_bits(const struct prefix *prefix, uint32_t group)
{
    uint32_t all = 8 * prefix->setting.length, bits = (group + 1) * prefix->setting.step;
    return bits < all ? bits : all;
}

/* ---- Hashing ---- */

void prefix_cut(const char *text, size_t length, uint32_t bits, unsigned char out[PREFIX_LENGTH_LIMIT])
{
    memset(out, 0, PREFIX_LENGTH_LIMIT);
    for (size_t i = 0; i < length && i < PREFIX_LENGTH_LIMIT && text[i] != '\0' && 8 * i < bits; i++)
        out[i] = (unsigned char)text[i];
    if (bits % 8 != 0)
        out[bits / 8] &= (unsigned char)(0xff << (8 - bits % 8));
}

uint32_t prefix_image(const unsigned char *bytes, const unsigned char *coefficients, uint32_t chunks)
{
    uint32_t image = 0;
    for (uint32_t i = 0; i < chunks; i++) {
        uint32_t chunk = (uint32_t)bytes[3 * i] << 16 | (uint32_t)bytes[3 * i + 1] << 8 | bytes[3 * i + 2];
        image = hash_reduce((uint64_t)report_number(coefficients + 4 * i) * chunk + image);
    }
    return image;
}

static uint32_t bucket_of(const struct prefix *prefix, const char *text, size_t length,
                          const unsigned char *report)
{
    unsigned char bytes[PREFIX_LENGTH_LIMIT];
    uint32_t bits = prefix_bits(prefix, report_number(report));
    prefix_cut(text, length < prefix->setting.length ? length : prefix->setting.length, bits, bytes);
    uint32_t image = prefix_image(bytes, report + 8, prefix->chunks);
    explicit_bzero(bytes, sizeof bytes);
    return hash_bucket(hash_reduce((uint64_t)image + report_number(report + 4)), prefix->buckets);
}

/* ---- The client ---- */

static status draw_report(const struct prefix *prefix, const char *text, size_t length, struct random *random,
                          unsigned char *report, error *why)
{
    uint64_t drawn = 0, truth = 0, other = 0;
    TRY(uniform_below(random, prefix->groups, &drawn, why));
    report_put(report, (uint32_t)drawn);
    for (uint32_t i = 0; i <= prefix->chunks; i++) {
        TRY(uniform_below(random, HASH_PRIME, &drawn, why));
        report_put(report + 4 + 4 * i, (uint32_t)drawn);
    }
    TRY(coin_toss(random, prefix->coin, &truth, why));
    TRY(uniform_below(random, prefix->buckets - 1, &other, why));
    uint32_t bucket = bucket_of(prefix, text, length, report);
    other += other >= bucket;
    report_put(report + prefix->report_bytes - 4, pick(truth, bucket, other));
    return DITHER_OK;
}

status prefix_randomise(const struct prefix *prefix, const char *text, size_t length, struct random *random,
                        unsigned char *report, error *why)
{
    status result = draw_report(prefix, text, length, random, report, why);
    if (result != DITHER_OK)
        explicit_bzero(report, prefix->report_bytes);
    return result;
}

bool prefix_check(const struct prefix *prefix, const unsigned char *report)
{
    bool good = report_number(report) < prefix->groups;
    for (uint32_t i = 0; i <= prefix->chunks; i++)
        good = good && report_number(report + 4 + 4 * i) < HASH_PRIME;
    return good && report_number(report + prefix->report_bytes - 4) < prefix->buckets;
}

void prefix_probability(const struct prefix *prefix, const char *text, size_t length,
                        const unsigned char *report, mpq_t out)
{
    bool own = bucket_of(prefix, text, length, report) == report_number(report + prefix->report_bytes - 4);
    mpq_t among;
    mpq_init(among);
    mpq_set_ui(among, own ? 1 : prefix->buckets - 1, 1);
    coin_fraction(own ? prefix->coin : coin_opposite(prefix->coin), out);
    mpq_div(out, out, among);
    mpq_clear(among);
}

/* ---- The collector ---- */

status prefix_replay_memory(void *context, prefix_visit *visit, void *visitor, error *why)
{
    const struct prefix_reports *reports = context;
    (void)why;
    visit(visitor, reports->reports, reports->bytes);
    return DITHER_OK;
}

double prefix_power(const struct prefix *prefix)
{
    return prefix->groups * (1 - prefix->q) / (prefix->p - prefix->q);
}
