#include "local/coin.h"

#include <assert.h>
#include <math.h>

#include "base/rational.h"

/* Numbers from 0 to 2, and epsilon, in units of 2^-120; everything is rounded down. A client makes its coin itself, so this
 * allocates nothing and needs no library. */
enum { FRACTION = 120 };

/* a * b / 2^120 for a, b <= 2^120. */
static uint128_t multiply(uint128_t a, uint128_t b)
{
    uint64_t a1 = (uint64_t)(a >> 64), a0 = (uint64_t)a, b1 = (uint64_t)(b >> 64), b0 = (uint64_t)b;
    uint128_t low = (uint128_t)a0 * b0, first = (uint128_t)a1 * b0, second = (uint128_t)a0 * b1;
    uint128_t middle = (low >> 64) + (uint64_t)first + (uint64_t)second;
    uint128_t high = (uint128_t)a1 * b1 + (first >> 64) + (second >> 64) + (middle >> 64);
    return high << (128 - FRACTION) | (uint64_t)middle >> (FRACTION - 64);
}

/* e^x for 0 <= x < 1: its series. Some forty terms, each a unit or two too small. */
static uint128_t exponential(uint128_t x)
{
    uint128_t term = (uint128_t)1 << FRACTION, sum = term;
    for (unsigned k = 1; term != 0; k++) {
        term = multiply(term, x) / k;
        sum += term;
    }
    return sum;
}

static int bit_length(uint128_t number)
{
    uint64_t high = (uint64_t)(number >> 64), low = (uint64_t)number;
    return high != 0 ? 128 - __builtin_clzll(high) : low != 0 ? 64 - __builtin_clzll(low) : 0;
}

/* floor(2^64 part / whole) for part < whole < 2^127, digit by digit. */
static uint64_t divide(uint128_t part, uint128_t whole)
{
    uint64_t quotient = 0;
    for (int digit = 0; digit < 64; digit++) {
        part <<= 1;
        bool one = part >= whole;
        part -= one ? whole : 0;
        quotient = quotient << 1 | one;
    }
    return quotient;
}

/* near e / (near e + far) grows with e = 2^twos e^rest, which is rounded down. Both sides of the fraction are scaled to fit 125 bits; of
 * `near e` at least 90 are kept, and `far` loses none: at most 57 of its 120 zeros behind the point are cut. */
uint64_t coin_for(double epsilon, uint64_t near, uint64_t far)
{
    static const uint128_t two =
        (uint128_t)0x00b17217f7d1cf79 << 64 | 0xabc9e3b39803f2f7; /* ln 2, rounded up */
    assert(epsilon >= LOCAL_EPSILON_LEAST / 64 && epsilon <= LOCAL_EPSILON_MOST && near > 0 && far > 0 &&
           near >> 33 == 0 && far >> 33 == 0);
    uint128_t whole = (uint128_t)ldexp(epsilon, FRACTION); /* exact: epsilon has no digit below 2^-68 */
    int twos = (int)(whole / two);
    uint128_t power = exponential(whole - (uint128_t)twos * two);
    int cut = bit_length(near) > 7 ? bit_length(near) - 7 : 0;
    uint128_t odds = (power >> cut) * near;
    int long_side = bit_length(odds) + twos + cut, other = bit_length(far) + FRACTION;
    int scale = (long_side > other ? long_side : other) - 125;
    scale = scale > 0 ? scale : 0;
    int shift = twos + cut - scale;
    odds = shift >= 0 ? odds << shift : odds >> -shift;
    uint64_t threshold = divide(odds, odds + ((uint128_t)far << (FRACTION - scale)));
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
