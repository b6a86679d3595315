#include "random/bernoulli.h"

#include <assert.h>
#include <math.h>

#include <mpfr.h>

/* The next 64 binary digits of numerator/denominator, a fraction below 1; what is left over replaces the
 * numerator. */
static uint64_t next_digits(uint64_t *numerator, uint64_t denominator)
{
    uint128_t shifted = (uint128_t)*numerator << 64;
    *numerator = (uint64_t)(shifted % denominator);
    return (uint64_t)(shifted / denominator);
}

/* A uniform U in [0, 1) is below p as soon as a binary digit of U is below p's; once p's digits have run out,
 * it is not. */
static status bernoulli_fraction(struct random *random, uint64_t numerator, uint64_t denominator, bool *out,
                                 error *why)
{
    uint64_t word = 0, digits = 0;
    do {
        TRY(random_word(random, &word, why));
        digits = next_digits(&numerator, denominator);
    } while (word == digits && numerator != 0);
    *out = word < digits;
    return DITHER_OK;
}

/* For fractions that do not fit into 64 bits above and below. */
static void rational_bounds(const void *context, mpfr_t lower, mpfr_t upper)
{
    const struct rational *value = context;
    rational_to_mpfr(*value, lower, MPFR_RNDD);
    rational_to_mpfr(*value, upper, MPFR_RNDU);
}

status bernoulli_rational(struct random *random, struct rational probability, bool *out, error *why)
{
    struct rational one = {1, 1, 0};
    int order = rational_compare(probability, one);
    assert(order <= 0);
    if (order == 0 || rational_is_zero(probability)) {
        *out = order == 0;
        return DITHER_OK;
    }
    uint64_t numerator = (uint64_t)probability.numerator, denominator = probability.denominator;
    int up = probability.exponent > 0 ? probability.exponent : 0;
    int down = probability.exponent < 0 ? -probability.exponent : 0;
    bool fits = numerator == probability.numerator && up < __builtin_clzll(numerator) &&
                down < __builtin_clzll(denominator);
    if (fits)
        return bernoulli_fraction(random, numerator << up, denominator << down, out, why);
    return bernoulli_real(random, rational_to_double(probability, MPFR_RNDN), rational_bounds, &probability,
                          out, why);
}

/* Is the number with the given leading words below p? Decided by MPFR: one word more at a time, at twice the
 * precision that the words have, until bounds and words disagree. Random words 0.w1 w2 ... wk stand for the
 * interval [0.w, 0.w + 2^-64k); when p lies surely above or surely below it, the coin is tossed. */
status bernoulli_settle(struct random *random, uint64_t word, probability_bounds bounds, const void *context,
                        bool *out, error *why)
{
    mpfr_t drawn, end, lower, upper;
    mpfr_inits2(64, drawn, end, lower, upper, (mpfr_ptr)0);
    status result = DITHER_OK;
    mpfr_set_zero(drawn, 1);
    for (long words = 1;; words++) {
        mpfr_prec_round(drawn, 64 * words + 64, MPFR_RNDN);
        mpfr_set_prec(end, 64 * words + 64);
        mpfr_set_prec(lower, 128 * words + 64);
        mpfr_set_prec(upper, 128 * words + 64);
        mpfr_set_uj_2exp(end, word, -64 * words, MPFR_RNDN);
        mpfr_add(drawn, drawn, end, MPFR_RNDN); /* exact at this precision */
        mpfr_set_ui_2exp(end, 1, -64 * words, MPFR_RNDN);
        mpfr_add(end, end, drawn, MPFR_RNDN);
        bounds(context, lower, upper);
        if (mpfr_lessequal_p(end, lower) || mpfr_lessequal_p(upper, drawn)) {
            *out = mpfr_lessequal_p(end, lower) != 0;
            break;
        }
        result = random_word(random, &word, why);
        if (result != DITHER_OK)
            break;
    }
    mpfr_clears(drawn, end, lower, upper, (mpfr_ptr)0);
    return result;
}

status bernoulli_real(struct random *random, double estimate, probability_bounds bounds, const void *context,
                      bool *out, error *why)
{
    uint64_t word = 0;
    TRY(random_word(random, &word, why));
    enum toss toss = bernoulli_judge(word, estimate);
    if (toss == TOSS_OPEN)
        return bernoulli_settle(random, word, bounds, context, out, why);
    *out = toss == TOSS_TRUE;
    return DITHER_OK;
}

static void exp_bounds(const void *context, mpfr_t lower, mpfr_t upper)
{
    const struct rational *x = context;
    rational_to_mpfr(*x, lower, MPFR_RNDU); /* the larger x gives the smaller probability */
    mpfr_neg(lower, lower, MPFR_RNDD);
    mpfr_exp(lower, lower, MPFR_RNDD);
    rational_to_mpfr(*x, upper, MPFR_RNDD);
    mpfr_neg(upper, upper, MPFR_RNDU);
    mpfr_exp(upper, upper, MPFR_RNDU);
}

status bernoulli_exp(struct random *random, struct rational x, bool *out, error *why)
{
    if (rational_is_zero(x)) {
        *out = true;
        return DITHER_OK;
    }
    /* Three roundings: the double is within 2^-51 of x, relatively, so exp of it within a factor of 1 + x *
     * 2^-51 and the library's own error: below 2^-40 for x < 2^10. Beyond that exp(-x) is under 2^-1400: the
     * estimate is 0 or next to it, and all but the two or three smallest words are settled at once. */
    double estimate = exp(-ldexp((double)x.numerator / (double)x.denominator, x.exponent));
    return bernoulli_real(random, estimate, exp_bounds, &x, out, why);
}
