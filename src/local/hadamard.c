/* Hadamard response (Acharya, Sun, Zhang 2019): K is the power of two above d; value v has row v + 1 of the Hadamard
 * matrix of order K. The report is a column, uniform among those where the row has +1 with the coin's probability
 * e^eps / (e^eps + 1), else among those where it has -1; each half has K/2, so the ratio is that of the coin. Rows are
 * orthogonal: another value is supported with probability 1/2 exactly. All d supports are one transform of the histogram.
 */
#include "base/memory.h"
#include "local/kinds.h"
#include "local/transform.h"

static status init(struct local_oracle *oracle, error *why)
{
    (void)why;
    uint32_t order = 2;
    while (order <= oracle->setting.domain)
        order *= 2;
    oracle->size = order;
    oracle->report_bytes = 4;
    oracle->cells = order;
    oracle->coin = coin_for(oracle->setting.epsilon, 1, 1);
    oracle->p = coin_probability(oracle->coin);
    oracle->q = 0.5;
    return DITHER_OK;
}

/* A uniform column; if its sign is not the wanted one, the lowest bit of the row is flipped in it, which pairs the
 * columns of one sign with those of the other. */
static status randomise(const struct local_oracle *oracle, uint32_t value, struct random *random,
                        unsigned char *report, error *why)
{
    uint64_t column = 0, plus = 0;
    TRY(random_word(random, &column, why));
    TRY(coin_toss(random, oracle->coin, &plus, why));
    uint32_t row = value + 1;
    uint32_t drawn = (uint32_t)column & (oracle->size - 1);
    uint32_t wrong = (uint32_t)__builtin_parity(row & drawn) ^ (uint32_t)(~plus & 1);
    report_put(report, drawn ^ (-wrong & row & -row));
    return DITHER_OK;
}

static status support(const struct local_oracle *oracle, const struct local_tally *tally, double *out,
                      error *why)
{
    size_t bytes = oracle->cells * sizeof(double);
    double *signs = memory_allocate(bytes);
    if (signs == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory for a transform of %zu numbers", oracle->cells);
    for (size_t i = 0; i < oracle->cells; i++)
        signs[i] = (double)tally->cells[i];
    walsh_hadamard(signs, oracle->cells);
    for (uint32_t v = 0; v < oracle->setting.domain; v++)
        out[v] = ((double)tally->people + signs[v + 1]) / 2;
    memory_release(signs, bytes);
    return DITHER_OK;
}

static void probability(const struct local_oracle *oracle, uint32_t value, const unsigned char *report,
                        mpq_t out)
{
    bool minus = __builtin_parity((value + 1) & report_number(report)) != 0;
    mpq_t half;
    mpq_init(half);
    mpq_set_ui(half, oracle->size / 2, 1);
    coin_fraction(minus ? coin_opposite(oracle->coin) : oracle->coin, out);
    mpq_div(out, out, half);
    mpq_clear(half);
}

const struct local_oracle_kind local_hadamard = {
    .name = "hadamard",
    .summary = "Hadamard response: a column of the Hadamard matrix; small reports, fast decoding",
    .options = "",
    .init = init,
    .randomise = randomise,
    .check = number_check,
    .count = number_count,
    .support = support,
    .probability = probability,
};
