/* Hadamard count-mean sketch (Apple 2017): as cms.c, but the client sends one coordinate l, drawn alike, of the Hadamard
 * transform of his one-hot vector: a sign, kept with probability s = e^eps / (e^eps + 1). Everything but the sign is
 * independent of the value, so the ratio is that of the coin.
 *
 * The report supports a value when the sign is that of entry (l, bucket of the value): the true one with p = s; one that
 * does not collide with 1/2, as rows are orthogonal; so q = c s + (1 - c) / 2. Cells hold pluses less minuses, modulo
 * 2^64. */
#include "base/memory.h"
#include "local/kinds.h"
#include "local/sketch.h"
#include "local/transform.h"
#include "random/uniform.h"

static status init(struct local_oracle *oracle, error *why)
{
    TRY(sketch_defaults(oracle, why));
    double c = hash_collision(oracle->setting.width);
    oracle->report_bytes = 8;
    oracle->coin = coin_for(oracle->setting.epsilon, 1, 1);
    oracle->p = coin_probability(oracle->coin);
    oracle->q = c * oracle->p + (1 - c) / 2;
    return DITHER_OK;
}

/* Report: the row; twice the coordinate, plus 1 for a minus. */
static status randomise(const struct local_oracle *oracle, uint32_t value, struct random *random,
                        unsigned char *report, error *why)
{
    uint64_t row = 0, coordinate = 0, kept = 0;
    TRY(uniform_below(random, oracle->setting.hashes, &row, why));
    TRY(uniform_below(random, oracle->setting.width, &coordinate, why));
    TRY(coin_toss(random, oracle->coin, &kept, why));
    uint32_t bucket = sketch_bucket(oracle, (uint32_t)row, value);
    uint32_t minus = (uint32_t)__builtin_parity(bucket & (uint32_t)coordinate) ^ (uint32_t)(~kept & 1);
    report_put(report, (uint32_t)row);
    report_put(report + 4, (uint32_t)coordinate << 1 | minus);
    return DITHER_OK;
}

static bool check(const struct local_oracle *oracle, const unsigned char *report)
{
    return report_number(report) < oracle->setting.hashes &&
           report_number(report + 4) >> 1 < oracle->setting.width;
}

static void count(const struct local_oracle *oracle, const unsigned char *reports, size_t count,
                  struct local_tally *tally)
{
    uint64_t refused = 0;
    for (size_t i = 0; i < count; i++) {
        const unsigned char *report = reports + 8 * i;
        uint32_t row = report_number(report), rest = report_number(report + 4);
        if (!check(oracle, report)) {
            refused++;
            continue;
        }
        tally->cells[(size_t)row * oracle->setting.width + (rest >> 1)] += 1 - 2 * (uint64_t)(rest & 1);
    }
    tally->people += count - refused;
    tally->refused += refused;
}

/* Transforms each row and adds for every value the number in its bucket: agreements less disagreements. */
static status support(const struct local_oracle *oracle, const struct local_tally *tally, double *out,
                      error *why)
{
    uint32_t width = oracle->setting.width;
    double *row_sums = memory_allocate(width * sizeof *row_sums);
    if (row_sums == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory for a transform of %u numbers", width);
    for (uint32_t v = 0; v < oracle->setting.domain; v++)
        out[v] = (double)tally->people / 2;
    for (uint32_t row = 0; row < oracle->setting.hashes; row++) {
        struct hash hash = hash_of_family(oracle->setting.seed, row);
        for (uint32_t l = 0; l < width; l++)
            row_sums[l] = (double)(int64_t)tally->cells[(size_t)row * width + l];
        walsh_hadamard(row_sums, width);
        for (uint32_t v = 0; v < oracle->setting.domain; v++)
            out[v] += row_sums[hash_bucket(hash_image(hash, v), width)] / 2;
    }
    memory_release(row_sums, width * sizeof *row_sums);
    return DITHER_OK;
}

static void probability(const struct local_oracle *oracle, uint32_t value, const unsigned char *report,
                        mpq_t out)
{
    uint32_t rest = report_number(report + 4), bucket = sketch_bucket(oracle, report_number(report), value);
    bool kept = (uint32_t)__builtin_parity(bucket & rest >> 1) == (rest & 1);
    mpq_t among;
    mpq_init(among);
    mpq_set_ui(among, oracle->setting.hashes, 1);
    coin_fraction(kept ? oracle->coin : coin_opposite(oracle->coin), out);
    mpq_div(out, out, among);
    mpq_set_ui(among, oracle->setting.width, 1);
    mpq_div(out, out, among);
    mpq_clear(among);
}

const struct local_oracle_kind local_hcms = {
    .name = "hcms",
    .summary = "Hadamard count-mean sketch: one noisy bit of the transform of the sketch",
    .options = "hashes width seed",
    .init = init,
    .randomise = randomise,
    .check = check,
    .count = count,
    .support = support,
    .probability = probability,
};
