/* Optimal local hashing (Wang, Blocki, Li, Jha 2017): everybody hashes the value into g buckets with a hash function of
 * his own, which the report names, and answers by g-ary randomised response. Whatever the function, the ratio is e^eps.
 *
 * A report supports the values that its function puts into the reported bucket: the true one with the coin's
 * probability p. With m_i the share of the field in bucket i, another value's image is independent of the true one's, and
 * the reported bucket is i with probability (1 - r) m_i + r / g, where r = (1 - p) g / (g - 1) is the chance to answer at
 * random; so q = (1 - r) sum m_i^2 + r / g.
 *
 * Counting a report means hashing every value of the domain. Images of v, v + 1, ... are steps of c1 modulo P, so eight
 * values at a time cost an addition, a reduction and a comparison. */
#include <assert.h>
#include <math.h>

#include "local/hash.h"
#include "local/kinds.h"
#include "random/uniform.h"

enum { REPORT_BYTES = 12, STRIP = 64, BUCKETS_LIMIT = 1 << 20 };

static status init(struct local_oracle *oracle, error *why)
{
    (void)why;
    double best = round(exp(oracle->setting.epsilon) + 1);
    uint32_t buckets = best > BUCKETS_LIMIT ? BUCKETS_LIMIT : (uint32_t)best;
    oracle->size = buckets;
    oracle->report_bytes = REPORT_BYTES;
    oracle->cells = oracle->setting.domain;
    oracle->coin = coin_for(oracle->setting.epsilon, 1, buckets - 1);
    oracle->p = coin_probability(oracle->coin);
    double random = coin_probability(coin_opposite(oracle->coin)) * buckets / (buckets - 1);
    oracle->q = (1 - random) * hash_collision(buckets) + random / buckets;
    return DITHER_OK;
}

/* Report: c0, c1, bucket. */
static status randomise(const struct local_oracle *oracle, uint32_t value, struct random *random,
                        unsigned char *report, error *why)
{
    uint64_t c0 = 0, c1 = 0, truth = 0, other = 0;
    TRY(uniform_below(random, HASH_PRIME, &c0, why));
    TRY(uniform_below(random, HASH_PRIME, &c1, why));
    TRY(coin_toss(random, oracle->coin, &truth, why));
    TRY(uniform_below(random, oracle->size - 1, &other, why));
    struct hash hash = {(uint32_t)c0, (uint32_t)c1, 0};
    uint32_t bucket = hash_bucket(hash_image(hash, value), oracle->size);
    other += other >= bucket;
    report_put(report, hash.c0);
    report_put(report + 4, hash.c1);
    report_put(report + 8, pick(truth, bucket, other));
    return DITHER_OK;
}

static bool check(const struct local_oracle *oracle, const unsigned char *report)
{
    return report_number(report) < HASH_PRIME && report_number(report + 4) < HASH_PRIME &&
           report_number(report + 8) < oracle->size;
}

/* Adds 1 to the cells of the values whose image lies in [start, start + width). A strip of STRIP images moves on by
 * `step` at a time; y and y - P differ by the reduction, and the smaller one as unsigned is the right one. */
__attribute__((target_clones("avx2", "default"))) static void count_images(uint32_t images[STRIP],
                                                                           uint32_t step, uint32_t start,
                                                                           uint32_t width, uint32_t *cells,
                                                                           size_t strips)
{
    for (size_t strip = 0; strip < strips; strip++)
        for (int i = 0; i < STRIP; i++) {
            cells[strip * STRIP + i] += images[i] - start < width;
            uint32_t next = images[i] + step, reduced = next - HASH_PRIME;
            images[i] = next < reduced ? next : reduced;
        }
}

static void count_report(const struct local_oracle *oracle, const unsigned char *report, uint32_t *cells,
                         size_t strips)
{
    struct hash hash = {report_number(report), report_number(report + 4), 0};
    uint32_t bucket = report_number(report + 8);
    uint32_t start = hash_bucket_start(bucket, oracle->size);
    uint32_t width = hash_bucket_start(bucket + 1, oracle->size) - start;
    uint32_t images[STRIP];
    for (uint32_t i = 0; i < STRIP; i++)
        images[i] = hash_image(hash, i);
    count_images(images, hash_reduce((uint64_t)hash.c1 * STRIP), start, width, cells, strips);
}

/* Counters of 32 bits for a stretch of the domain at a time, so that they stay near the processor; the stretch moves
 * along by a change of c0. */
enum { STRETCH = 4096 };

static void count_stretch(const struct local_oracle *oracle, const unsigned char *reports, size_t count,
                          uint32_t first, uint64_t *cells)
{
    uint32_t small[STRETCH] = {0};
    uint32_t length = oracle->setting.domain - first < STRETCH ? oracle->setting.domain - first : STRETCH;
    for (size_t i = 0; i < count; i++) {
        const unsigned char *report = reports + i * REPORT_BYTES;
        if (!check(oracle, report))
            continue;
        unsigned char moved[REPORT_BYTES];
        memcpy(moved, report, REPORT_BYTES);
        struct hash hash = {report_number(report), report_number(report + 4), 0};
        report_put(moved, hash_image(hash, first));
        count_report(oracle, moved, small, (length + STRIP - 1) / STRIP);
    }
    for (uint32_t i = 0; i < length; i++)
        cells[first + i] += small[i];
}

static void count(const struct local_oracle *oracle, const unsigned char *reports, size_t count,
                  struct local_tally *tally)
{
    assert(count < UINT32_MAX);
    for (uint32_t first = 0; first < oracle->setting.domain; first += STRETCH)
        count_stretch(oracle, reports, count, first, tally->cells);
    size_t good = 0;
    for (size_t i = 0; i < count; i++)
        good += check(oracle, reports + i * REPORT_BYTES);
    tally->people += good;
    tally->refused += count - good;
}

static status support(const struct local_oracle *oracle, const struct local_tally *tally, double *out,
                      error *why)
{
    (void)why;
    for (size_t v = 0; v < oracle->cells; v++)
        out[v] = (double)tally->cells[v];
    return DITHER_OK;
}

/* Of the answer given the hash function: the function's own probability, 1 / P^2, is the same for all values and left
 * out. */
static void probability(const struct local_oracle *oracle, uint32_t value, const unsigned char *report,
                        mpq_t out)
{
    struct hash hash = {report_number(report), report_number(report + 4), 0};
    if (report_number(report + 8) == hash_bucket(hash_image(hash, value), oracle->size)) {
        coin_fraction(oracle->coin, out);
        return;
    }
    mpq_t others;
    mpq_init(others);
    mpq_set_ui(others, oracle->size - 1, 1);
    coin_fraction(coin_opposite(oracle->coin), out);
    mpq_div(out, out, others);
    mpq_clear(others);
}

const struct local_oracle_kind local_olh = {
    .name = "olh",
    .summary = "optimal local hashing: a hash function of one's own, then randomised response",
    .options = "",
    .init = init,
    .randomise = randomise,
    .check = check,
    .count = count,
    .support = support,
    .probability = probability,
};
