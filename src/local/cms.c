/* Count-mean sketch (Apple 2017): a public family of k hash functions into m buckets. The client draws one of them, j, sets
 * the bit of his value's bucket among m, and keeps every bit with probability s = e^(eps/2) / (e^(eps/2) + 1). Two values
 * differ in two bits at most.
 *
 * The report supports a value when the bit of its bucket under j is set: the true one with p = s, another one, over the
 * choice of the family, with q = c s + (1 - c)(1 - s) where c is the chance to collide. Given the family, people of one
 * value collide together; three-wise independent functions make that c (1 - c) / k in variance per pair of them
 * (compare Pan 2024 on the original's variance). */
#include "local/bits.h"
#include "local/hash.h"
#include "local/kinds.h"
#include "local/sketch.h"
#include "random/uniform.h"

static status init(struct local_oracle *oracle, error *why)
{
    TRY(sketch_defaults(oracle, why));
    double c = hash_collision(oracle->setting.width);
    oracle->report_bytes = 4 + bits_bytes(oracle->setting.width);
    oracle->coin = coin_for(oracle->setting.epsilon / 2, 1, 1);
    double s = coin_probability(oracle->coin);
    oracle->p = s;
    oracle->q = c * s + (1 - c) * (1 - s);
    return DITHER_OK;
}

static status randomise(const struct local_oracle *oracle, uint32_t value, struct random *random,
                        unsigned char *report, error *why)
{
    uint64_t row = 0;
    uint32_t width = oracle->setting.width;
    TRY(uniform_below(random, oracle->setting.hashes, &row, why));
    uint32_t bucket = sketch_bucket(oracle, (uint32_t)row, value);
    report_put(report, (uint32_t)row);
    memset(report + 4, 0, bits_bytes(width));
    bits_put_hidden(report + 4, width, bucket, UINT64_MAX);
    return bits_flip(random, coin_opposite(oracle->coin), report + 4, width, why);
}

static bool check(const struct local_oracle *oracle, const unsigned char *report)
{
    return report_number(report) < oracle->setting.hashes && bits_check(report + 4, oracle->setting.width);
}

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
        bits_count(report + 4, oracle->report_bytes, 1, width, tally->cells + report_number(report) * width);
        tally->people++;
    }
}

static status support(const struct local_oracle *oracle, const struct local_tally *tally, double *out,
                      error *why)
{
    (void)why;
    for (uint32_t v = 0; v < oracle->setting.domain; v++)
        out[v] = 0;
    for (uint32_t row = 0; row < oracle->setting.hashes; row++) {
        struct hash hash = hash_of_family(oracle->setting.seed, row);
        const uint64_t *cells = tally->cells + (size_t)row * oracle->setting.width;
        for (uint32_t v = 0; v < oracle->setting.domain; v++)
            out[v] += (double)cells[hash_bucket(hash_image(hash, v), oracle->setting.width)];
    }
    return DITHER_OK;
}

static void probability(const struct local_oracle *oracle, uint32_t value, const unsigned char *report,
                        mpq_t out)
{
    uint32_t bucket = sketch_bucket(oracle, report_number(report), value);
    mpq_t factor;
    mpq_init(factor);
    mpq_set_ui(out, 1, oracle->setting.hashes);
    for (uint32_t bit = 0; bit < oracle->setting.width; bit++) {
        bool kept = bits_get(report + 4, bit) == (bit == bucket);
        coin_fraction(kept ? oracle->coin : coin_opposite(oracle->coin), factor);
        mpq_mul(out, out, factor);
    }
    mpq_clear(factor);
}

const struct local_oracle_kind local_cms = {
    .name = "cms",
    .summary = "count-mean sketch: hashed into few buckets, a bit per bucket, each flipped",
    .options = "hashes width seed",
    .init = init,
    .randomise = randomise,
    .check = check,
    .count = count,
    .support = support,
    .probability = probability,
};
