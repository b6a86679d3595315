/* k-ary randomised response (Warner 1965; Kairouz, Oh, Viswanath 2014): the true value with probability
 * e^eps / (e^eps + d - 1), else one of the others. p is the coin, q = (1 - p) / (d - 1). */
#include "local/kinds.h"
#include "random/uniform.h"

static status init(struct local_oracle *oracle, error *why)
{
    (void)why;
    uint32_t others = oracle->setting.domain - 1;
    oracle->report_bytes = 4;
    oracle->cells = oracle->setting.domain;
    oracle->coin = coin_for(oracle->setting.epsilon, 1, others);
    oracle->p = coin_probability(oracle->coin);
    oracle->q = coin_probability(coin_opposite(oracle->coin)) / others;
    return DITHER_OK;
}

/* The others are drawn as 0 .. d-2 and stepped over the value: both answers are made, one is kept. */
static status randomise(const struct local_oracle *oracle, uint32_t value, struct random *random,
                        unsigned char *report, error *why)
{
    uint64_t truth = 0, other = 0;
    TRY(coin_toss(random, oracle->coin, &truth, why));
    TRY(uniform_below(random, oracle->setting.domain - 1, &other, why));
    other += other >= value;
    report_put(report, pick(truth, value, other));
    return DITHER_OK;
}

bool number_check(const struct local_oracle *oracle, const unsigned char *report)
{
    return report_number(report) < oracle->cells;
}

void number_count(const struct local_oracle *oracle, const unsigned char *reports, size_t count,
                  struct local_tally *tally)
{
    uint64_t refused = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t number = report_number(reports + 4 * i);
        if (number < oracle->cells)
            tally->cells[number]++;
        else
            refused++;
    }
    tally->people += count - refused;
    tally->refused += refused;
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
    if (report_number(report) == value) {
        coin_fraction(oracle->coin, out);
        return;
    }
    mpq_t others;
    mpq_init(others);
    mpq_set_ui(others, oracle->setting.domain - 1, 1);
    coin_fraction(coin_opposite(oracle->coin), out);
    mpq_div(out, out, others);
    mpq_clear(others);
}

const struct local_oracle_kind local_grr = {
    .name = "grr",
    .summary = "k-ary randomised response: the value itself or another one",
    .options = "",
    .init = init,
    .randomise = randomise,
    .check = number_check,
    .count = number_count,
    .support = support,
    .probability = probability,
};
