#include "random/geometric_cuts.h"

#include <assert.h>

int geometric_cuts_digits(struct rational scale)
{
    /* The least d with 4^d / scale > 64 ln 2 = 44.36; 45 is on the safe side. */
    int digits = 0;
    struct rational needed = rational_multiply_integer(45, scale);
    while (rational_compare((struct rational){1, 1, 2 * digits}, needed) <= 0)
        digits++;
    return digits;
}

/* exp(-power / scale), rounded in the given direction; power = 2^power_log2 * factor. */
static void ratio(struct rational scale, unsigned factor, int power_log2, mpfr_t out, mpfr_rnd_t direction)
{
    mpfr_rnd_t opposite = direction == MPFR_RNDD ? MPFR_RNDU : MPFR_RNDD;
    mpfr_t bound;
    mpfr_init2(bound, mpfr_get_prec(out));
    rational_to_mpfr(scale, bound, direction); /* a larger scale gives a larger ratio */
    mpfr_ui_div(out, factor, bound, opposite);
    mpfr_mul_2si(out, out, power_log2, opposite);
    mpfr_neg(out, out, direction);
    mpfr_exp(out, out, direction);
    mpfr_clear(bound);
}

/* 1 - exp(-factor 4^digit / scale), as -expm1, so that nothing cancels when the scale is large. */
static void one_minus_ratio(struct rational scale, unsigned factor, int power_log2, mpfr_t out,
                            mpfr_rnd_t direction)
{
    mpfr_rnd_t opposite = direction == MPFR_RNDD ? MPFR_RNDU : MPFR_RNDD;
    mpfr_t bound;
    mpfr_init2(bound, mpfr_get_prec(out));
    rational_to_mpfr(scale, bound, opposite); /* a larger scale gives a smaller result */
    mpfr_ui_div(out, factor, bound, direction);
    mpfr_mul_2si(out, out, power_log2, direction);
    mpfr_neg(out, out, opposite);
    mpfr_expm1(out, out, opposite);
    mpfr_neg(out, out, direction);
    mpfr_clear(bound);
}

static void digit_cut(struct rational scale, int digit, int which, mpfr_t out, mpfr_rnd_t direction)
{
    mpfr_rnd_t opposite = direction == MPFR_RNDD ? MPFR_RNDU : MPFR_RNDD;
    mpfr_t below;
    mpfr_init2(below, mpfr_get_prec(out));
    one_minus_ratio(scale, (unsigned)which + 1, 2 * digit, out, direction);
    one_minus_ratio(scale, 4, 2 * digit, below, opposite);
    mpfr_div(out, out, below, direction);
    mpfr_clear(below);
}

/* s = q/(1 + q): increasing in q. */
static void negative(struct rational scale, mpfr_t out, mpfr_rnd_t direction)
{
    mpfr_t above;
    mpfr_init2(above, mpfr_get_prec(out));
    /* 1 / (1 + 1/q) has q once, so both bounds go the same way. */
    ratio(scale, 1, 0, above, direction);
    mpfr_ui_div(above, 1, above, direction == MPFR_RNDD ? MPFR_RNDU : MPFR_RNDD);
    mpfr_add_ui(above, above, 1, direction == MPFR_RNDD ? MPFR_RNDU : MPFR_RNDD);
    mpfr_ui_div(out, 1, above, direction);
    mpfr_clear(above);
}

static void lead_cut(struct rational scale, int digits, int which, mpfr_t out, mpfr_rnd_t direction)
{
    mpfr_rnd_t opposite = direction == MPFR_RNDD ? MPFR_RNDU : MPFR_RNDD;
    mpfr_t carry;
    mpfr_init2(carry, mpfr_get_prec(out));
    negative(scale, out, direction);
    if (which == 0) { /* s t */
        ratio(scale, 1, 2 * digits, carry, direction);
        mpfr_mul(out, out, carry, direction);
    } else if (which == 2) { /* s + (1 - s)(1 - t) = 1 - t (1 - s) */
        ratio(scale, 1, 2 * digits, carry, opposite);
        mpfr_ui_sub(out, 1, out, opposite);
        mpfr_mul(out, out, carry, opposite);
        mpfr_ui_sub(out, 1, out, direction);
    }
    mpfr_clear(carry);
}

void geometric_cut_bounds(struct rational scale, int digits, int entry, int which, mpfr_t lower, mpfr_t upper)
{
    assert(entry >= 0 && entry <= digits && which >= 0 && which < 3);
    if (entry == 0) {
        lead_cut(scale, digits, which, lower, MPFR_RNDD);
        lead_cut(scale, digits, which, upper, MPFR_RNDU);
    } else {
        digit_cut(scale, entry - 1, which, lower, MPFR_RNDD);
        digit_cut(scale, entry - 1, which, upper, MPFR_RNDU);
    }
}

void geometric_cut_floor(struct rational scale, int digits, int entry, int which, long bits, mpfr_t out)
{
    mpfr_t lower, upper;
    mpfr_inits2(64, lower, upper, (mpfr_ptr)0);
    for (long precision = bits + 64;; precision *= 2) {
        mpfr_set_prec(lower, precision);
        mpfr_set_prec(upper, precision);
        geometric_cut_bounds(scale, digits, entry, which, lower, upper);
        mpfr_mul_2si(lower, lower, bits, MPFR_RNDD);
        mpfr_mul_2si(upper, upper, bits, MPFR_RNDU);
        mpfr_floor(lower, lower);
        mpfr_floor(upper, upper);
        /* Every cut is strictly below 1, however close: with a tiny scale 1 - cut has a million leading
         * zeros. */
        if (mpfr_cmp_ui_2exp(upper, 1, bits) == 0)
            mpfr_sub_ui(upper, upper, 1, MPFR_RNDN);
        if (mpfr_equal_p(lower, upper))
            break;
    }
    mpfr_set(out, lower, MPFR_RNDN);
    mpfr_clears(lower, upper, (mpfr_ptr)0);
}
