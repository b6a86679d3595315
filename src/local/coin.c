#include "local/coin.h"

#include <assert.h>
#include <math.h>

#include <mpfr.h>

#include "base/rational.h"

enum { PRECISION = 256 }; /* e^20 times 2^32 needs 61 bits before the point: 64 after it are far away */

uint64_t coin_for(double epsilon, uint64_t near, uint64_t far)
{
    assert(epsilon >= LOCAL_EPSILON_LEAST / 64 && epsilon <= LOCAL_EPSILON_MOST && near > 0 && far > 0);
    mpfr_t odds, sum;
    mpfr_inits2(PRECISION, odds, sum, (mpfr_ptr)0);
    /* near e / (near e + far) grows with e, so e is rounded down; the denominator is 1 + far / (near e). */
    mpfr_set_d(odds, epsilon, MPFR_RNDN);
    mpfr_exp(odds, odds, MPFR_RNDD);
    mpfr_mul_ui(odds, odds, near, MPFR_RNDD);
    mpfr_ui_div(sum, far, odds, MPFR_RNDU);
    mpfr_add_ui(sum, sum, 1, MPFR_RNDU);
    mpfr_ui_div(sum, 1, sum, MPFR_RNDD);
    mpfr_mul_2ui(sum, sum, 64, MPFR_RNDD);
    uint64_t threshold = mpfr_get_uj(sum, MPFR_RNDD);
    mpfr_clears(odds, sum, (mpfr_ptr)0);
    assert(threshold > 0);
    return threshold;
}

uint64_t coin_after(uint64_t first, uint64_t wanted)
{
    /* With a, b, s the three probabilities: s = a b + (1 - a)(1 - b), so b = (s + a - 1) / (2a - 1), in units of
     * 2^-64 each. */
    uint64_t gain = wanted + first, spread = 2 * first; /* both less 2^64 */
    assert(first > UINT64_MAX / 2 + 1 && wanted > UINT64_MAX / 2 + 1 && wanted < first);
    return (uint64_t)(((uint128_t)gain << 64) / spread);
}

double coin_probability(uint64_t threshold)
{
    return ldexp((double)threshold, -64);
}

void coin_fraction(uint64_t threshold, mpq_t out)
{
    mpq_set_ui(out, threshold, 1);
    mpq_div_2exp(out, out, 64);
}

status coin_toss(struct random *random, uint64_t threshold, uint64_t *mask, error *why)
{
    uint64_t word = 0;
    TRY(random_word(random, &word, why));
    *mask = -(uint64_t)(word < threshold);
    return DITHER_OK;
}

/* Digit by digit from the top: where the threshold has a 1, a drawn 0 decides for heads; where it has a 0, a drawn 1
 * decides for tails. What is equal to the last digit is not below: tails. */
static status toss_word(struct random *random, uint64_t threshold, uint64_t *heads, error *why)
{
    uint64_t open = UINT64_MAX, below = 0;
    for (int digit = 63; digit >= 0 && open != 0; digit--) {
        uint64_t drawn = 0;
        TRY(random_word(random, &drawn, why));
        uint64_t one = -(threshold >> digit & 1);
        below |= open & one & ~drawn;
        open &= ~(one ^ drawn);
    }
    *heads = below;
    return DITHER_OK;
}

status coin_toss_words(struct random *random, uint64_t threshold, uint64_t *words, size_t count, error *why)
{
    for (size_t i = 0; i < count; i++)
        TRY(toss_word(random, threshold, &words[i], why));
    return DITHER_OK;
}
