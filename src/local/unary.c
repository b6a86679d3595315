/* Unary encoding (Wang, Blocki, Li, Jha 2017): d bits, each 1 with probability q, but the value's own bit with p.
 * Two values differ in two bits, so a report's ratio is p (1 - q) / (q (1 - p)) at most.
 *
 *   symmetric   p = e^(eps/2) / (e^(eps/2) + 1), q = 1 - p        (basic one-time RAPPOR)
 *   optimised   p = 1/2,                         q = 1 / (e^eps + 1)
 */
#include "local/bits.h"
#include "local/kinds.h"

static void set_up(struct local_oracle *oracle)
{
    oracle->report_bytes = bits_bytes(oracle->setting.domain);
    oracle->cells = oracle->setting.domain;
    oracle->p = coin_probability(oracle->coin);
    oracle->q = coin_probability(oracle->other_coin);
}

static status init_symmetric(struct local_oracle *oracle, error *why)
{
    (void)why;
    oracle->coin = coin_for(oracle->setting.epsilon / 2, 1, 1);
    oracle->other_coin = coin_opposite(oracle->coin);
    set_up(oracle);
    return DITHER_OK;
}

static status init_optimised(struct local_oracle *oracle, error *why)
{
    (void)why;
    oracle->coin = (uint64_t)1 << 63;
    oracle->other_coin = coin_opposite(coin_for(oracle->setting.epsilon, 1, 1));
    set_up(oracle);
    return DITHER_OK;
}

static status randomise(const struct local_oracle *oracle, uint32_t value, struct random *random,
                        unsigned char *report, error *why)
{
    uint64_t own = 0;
    TRY(bits_toss(random, oracle->other_coin, report, oracle->setting.domain, why));
    TRY(coin_toss(random, oracle->coin, &own, why));
    bits_put_hidden(report, oracle->setting.domain, value, own);
    return DITHER_OK;
}

static bool check(const struct local_oracle *oracle, const unsigned char *report)
{
    return bits_check(report, oracle->setting.domain);
}

void string_count(const struct local_oracle *oracle, const unsigned char *reports, size_t count,
                  struct local_tally *tally)
{
    enum { RUN = 240, RUN_BYTES = 1 << 18 }; /* stays near the processor between its check and its count */
    size_t bytes = oracle->report_bytes, most = RUN * bytes < RUN_BYTES ? RUN_BYTES / bytes : RUN;
    for (size_t first = 0; first < count;) {
        size_t end = first, limit = count - first < most ? count : first + most;
        while (end < limit && oracle->kind->check(oracle, reports + end * bytes))
            end++;
        bits_count(reports + first * bytes, bytes, end - first, oracle->setting.domain, tally->cells);
        tally->people += end - first;
        tally->refused += end < limit;
        first = end + (end < limit);
    }
}

/* Without padding every string of the right length is a report. */
static void count(const struct local_oracle *oracle, const unsigned char *reports, size_t count,
                  struct local_tally *tally)
{
    if (oracle->setting.domain % 8 != 0) {
        string_count(oracle, reports, count, tally);
        return;
    }
    bits_count(reports, oracle->report_bytes, count, oracle->setting.domain, tally->cells);
    tally->people += count;
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
    mpq_t factor;
    mpq_init(factor);
    mpq_set_ui(out, 1, 1);
    for (uint32_t v = 0; v < oracle->setting.domain; v++) {
        uint64_t one = v == value ? oracle->coin : oracle->other_coin;
        coin_fraction(bits_get(report, v) ? one : coin_opposite(one), factor);
        mpq_mul(out, out, factor);
    }
    mpq_clear(factor);
}

const struct local_oracle_kind local_sue = {
    .name = "sue",
    .summary = "symmetric unary encoding: a bit per value, each flipped with the same probability",
    .options = "",
    .init = init_symmetric,
    .randomise = randomise,
    .check = check,
    .count = count,
    .support = support,
    .probability = probability,
};

const struct local_oracle_kind local_oue = {
    .name = "oue",
    .summary = "optimised unary encoding: a bit per value, zeros kept better than the one",
    .options = "",
    .init = init_optimised,
    .randomise = randomise,
    .check = check,
    .count = count,
    .support = support,
    .probability = probability,
};
