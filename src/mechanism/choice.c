#include "mechanism/choice.h"

#include <assert.h>
#include <math.h>

#include "random/bernoulli.h"

static int64_t largest(const int64_t *scores, size_t count)
{
    int64_t best = scores[0];
    for (size_t i = 1; i < count; i++)
        best = scores[i] > best ? scores[i] : best;
    return best;
}

/* Every rounding goes down, so that a level is never too high. */
static void set_factor(struct choice *choice)
{
    mpfr_t ratio, logarithm;
    mpfr_inits2(63, ratio, logarithm, (mpfr_ptr)0);
    rational_to_mpfr(choice->rate, ratio, MPFR_RNDD);
    mpfr_const_log2(logarithm, MPFR_RNDU);
    mpfr_div(ratio, ratio, logarithm, MPFR_RNDD);
    choice->shift = 63 - mpfr_get_exp(ratio);
    mpfr_mul_2si(ratio, ratio, choice->shift, MPFR_RNDD);
    choice->factor = mpfr_get_uj(ratio, MPFR_RNDD);
    mpfr_clears(ratio, logarithm, (mpfr_ptr)0);
}

void choice_init(struct choice *choice, const struct law *law, const int64_t *scores, size_t count)
{
    assert(count >= 1 && !rational_is_zero(law->rate));
    *choice = (struct choice){
        .scores = scores,
        .count = count,
        .best = largest(scores, count),
        .rate = law->rate,
        .rate_estimate = rational_to_double(law->rate, MPFR_RNDN),
        .level_limit = CHOICE_LEVELS - 1,
    };
    set_factor(choice);
}

uint64_t choice_gap(const struct choice *choice, size_t index)
{
    return (uint64_t)choice->best - (uint64_t)choice->scores[index];
}

/* factor lies in [2^62, 2^63): with a shift of 0 or less any gap is beyond the limit, and with 127 or more
 * the product of gap and factor, below 2^127, is shifted away. */
int choice_level(const struct choice *choice, uint64_t gap)
{
    if (gap == 0 || choice->shift >= 127)
        return 0;
    if (choice->shift <= 0)
        return choice->level_limit;
    uint128_t level = ((uint128_t)gap * choice->factor) >> choice->shift;
    return level < (uint128_t)choice->level_limit ? (int)level : choice->level_limit;
}

struct scaled_weight {
    struct rational rate;
    uint64_t gap;
    int level;
};

static void weight_bounds(const void *context, mpfr_t lower, mpfr_t upper)
{
    const struct scaled_weight *weight = context;
    struct rational exponent = rational_multiply_integer(weight->gap, weight->rate);
    rational_to_mpfr(exponent, lower, MPFR_RNDU); /* the larger exponent gives the smaller weight */
    rational_to_mpfr(exponent, upper, MPFR_RNDD);
    mpfr_neg(lower, lower, MPFR_RNDD);
    mpfr_neg(upper, upper, MPFR_RNDU);
    mpfr_exp(lower, lower, MPFR_RNDD);
    mpfr_exp(upper, upper, MPFR_RNDU);
    mpfr_mul_2si(lower, lower, weight->level, MPFR_RNDD);
    mpfr_mul_2si(upper, upper, weight->level, MPFR_RNDU);
}

/* Up to an exponent of 512: gap and rate are off by 2^-53 each and their product by another, so the exponent
 * is off by less than 512 * 3 * 2^-53 < 2^-42, and so, relatively, is the weight: within what bernoulli_real
 * asks of an estimate. Beyond, the scaled weight is below 2^62 * exp(-512) < 2^-600, and 0 is as good an
 * estimate: words other than the two or three smallest are surely above either. The exact exponent is formed,
 * in weight_bounds, only when the estimate cannot decide. */
static double weight_estimate(const struct choice *choice, uint64_t gap, int level)
{
    double exponent = (double)gap * choice->rate_estimate;
    return exponent > 512 ? 0 : fmin(ldexp(exp(-exponent), level), 1);
}

status choice_coin(const struct choice *choice, struct random *random, uint64_t gap, int level, bool *out,
                   error *why)
{
    if (gap == 0) {
        *out = true;
        return DITHER_OK;
    }
    struct scaled_weight weight = {choice->rate, gap, level};
    return bernoulli_real(random, weight_estimate(choice, gap, level), weight_bounds, &weight, out, why);
}

struct interval choice_weight(const struct choice *choice, uint64_t gap)
{
    struct interval exponent = interval_from_rational(rational_multiply_integer(gap, choice->rate));
    return interval_exp((struct interval){-exponent.upper, -exponent.lower});
}

size_t choice_outcome_count(const struct law *law, size_t n)
{
    (void)law;
    (void)n;
    return 1;
}

size_t choice_blocks(const struct law *law, size_t n)
{
    (void)law;
    (void)n;
    return 1;
}
