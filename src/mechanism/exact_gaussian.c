#include "mechanism/exact_gaussian.h"

#include <math.h>

enum {
    POISSON_VARIANCE = 16,              /* exp(-2 pi^2 16) < 2^-455 */
    EULER_MACLAURIN_VARIANCE = 1 << 16, /* below, terms are added one by one: at most some 40 sigma of them */
    NEGLIGIBLE = -160,                  /* a term below 2^-160 of the sum ends the adding */
};

/* Numbers that a tail is made from, initialised together. */
struct scratch {
    mpfr_t variance, a, b, c, d;
};

static void scratch_init(struct scratch *scratch, struct rational variance)
{
    mpfr_inits2(EXACT_GAUSSIAN_BITS, scratch->variance, scratch->a, scratch->b, scratch->c, scratch->d,
                (mpfr_ptr)0);
    rational_to_mpfr(variance, scratch->variance, MPFR_RNDN);
}

static void scratch_clear(struct scratch *scratch)
{
    mpfr_clears(scratch->variance, scratch->a, scratch->b, scratch->c, scratch->d, (mpfr_ptr)0);
}

/* value *= 1 + sign * 2^EXACT_GAUSSIAN_SLACK, away from the truth. value >= 0. */
static void widen(mpfr_t value, int sign)
{
    mpfr_t slack;
    mpfr_init2(slack, EXACT_GAUSSIAN_BITS);
    mpfr_set_si_2exp(slack, sign, EXACT_GAUSSIAN_SLACK, MPFR_RNDN);
    mpfr_add_ui(slack, slack, 1, MPFR_RNDN);
    mpfr_mul(value, value, slack, sign > 0 ? MPFR_RNDU : MPFR_RNDD);
    mpfr_clear(slack);
}

/* out = exp(-k^2 / (2 variance)). */
static void weight(const mpfr_t variance, const mpfr_t k, mpfr_t out)
{
    mpfr_sqr(out, k, MPFR_RNDN);
    mpfr_div(out, out, variance, MPFR_RNDN);
    mpfr_div_2ui(out, out, 1, MPFR_RNDN);
    mpfr_neg(out, out, MPFR_RNDN);
    mpfr_exp(out, out, MPFR_RNDN);
}

/* w(from) + w(from + 1) + ..., from >= 1, term by term: each is the one before times a ratio, and each ratio
 * the one before times exp(-1/variance). What is left out is less than a geometric series with the last
 * ratio. */
static void add_terms(struct scratch *s, const mpfr_t from, mpfr_t lower, mpfr_t upper)
{
    weight(s->variance, from, s->a);        /* a: the term */
    mpfr_mul_2ui(s->b, from, 1, MPFR_RNDN); /* b: the ratio exp(-(2 from + 1)/(2 variance)) */
    mpfr_add_ui(s->b, s->b, 1, MPFR_RNDN);
    mpfr_div(s->b, s->b, s->variance, MPFR_RNDN);
    mpfr_div_2ui(s->b, s->b, 1, MPFR_RNDN);
    mpfr_neg(s->b, s->b, MPFR_RNDN);
    mpfr_exp(s->b, s->b, MPFR_RNDN);
    mpfr_si_div(s->c, -1, s->variance, MPFR_RNDN); /* c: how the ratio shrinks */
    mpfr_exp(s->c, s->c, MPFR_RNDN);
    mpfr_set_zero(lower, 1);
    do {
        mpfr_add(lower, lower, s->a, MPFR_RNDN);
        mpfr_mul(s->a, s->a, s->b, MPFR_RNDN);
        mpfr_mul(s->b, s->b, s->c, MPFR_RNDN);
        mpfr_mul_2si(s->d, lower, NEGLIGIBLE, MPFR_RNDN);
    } while (mpfr_cmp(s->a, s->d) > 0);
    mpfr_ui_sub(s->d, 1, s->b, MPFR_RNDN);
    mpfr_div(s->a, s->a, s->d, MPFR_RNDN);
    mpfr_add(upper, lower, s->a, MPFR_RNDN);
}

/* out = integral of w from `from` to infinity = sigma sqrt(pi/2) erfc(from / (sigma sqrt 2)). */
static void integral(struct scratch *s, const mpfr_t from, mpfr_t out)
{
    mpfr_mul_2ui(s->c, s->variance, 1, MPFR_RNDN);
    mpfr_sqrt(s->c, s->c, MPFR_RNDN); /* sigma sqrt 2 */
    mpfr_div(out, from, s->c, MPFR_RNDN);
    mpfr_erfc(out, out, MPFR_RNDN);
    mpfr_const_pi(s->d, MPFR_RNDN);
    mpfr_sqrt(s->d, s->d, MPFR_RNDN);
    mpfr_mul(out, out, s->c, MPFR_RNDN);
    mpfr_mul(out, out, s->d, MPFR_RNDN);
    mpfr_div_2ui(out, out, 1, MPFR_RNDN);
}

/* With t = from/sigma, w's derivatives at `from` are, up to sign, w He_n(t) / sigma^n (Hermite's
 * polynomials), and sum = integral + w/2 + w He_1/(12 sigma) - w He_3/(720 sigma^3) + w He_5/(30240 sigma^5)
 * + R, |R| <= integral of |w^(6)| / 30240. Beyond t = 3.4 He_6 is positive, and that integral is w He_5 /
 * sigma^5; anywhere it is at most sqrt(2 pi 6!) / sigma^5 < 68 / sigma^5 (Cauchy and Schwarz). */
static void euler_maclaurin(struct scratch *s, const mpfr_t from, mpfr_t lower, mpfr_t upper)
{
    integral(s, from, lower);
    mpfr_t sigma, t, square, series, part, rest;
    mpfr_inits2(EXACT_GAUSSIAN_BITS, sigma, t, square, series, part, rest, (mpfr_ptr)0);
    mpfr_sqrt(sigma, s->variance, MPFR_RNDN);
    mpfr_div(t, from, sigma, MPFR_RNDN);
    mpfr_sqr(square, t, MPFR_RNDN);
    weight(s->variance, from, s->a);

    mpfr_set_d(series, 0.5, MPFR_RNDN);
    mpfr_div(part, t, sigma, MPFR_RNDN); /* He_1 = t */
    mpfr_div_ui(part, part, 12, MPFR_RNDN);
    mpfr_add(series, series, part, MPFR_RNDN);

    mpfr_sub_ui(part, square, 3, MPFR_RNDN); /* He_3 = t (t^2 - 3) */
    mpfr_mul(part, part, t, MPFR_RNDN);
    mpfr_div(part, part, sigma, MPFR_RNDN);
    mpfr_div(part, part, s->variance, MPFR_RNDN);
    mpfr_div_ui(part, part, 720, MPFR_RNDN);
    mpfr_sub(series, series, part, MPFR_RNDN);

    mpfr_sub_ui(part, square, 10, MPFR_RNDN); /* He_5 = t (t^2 (t^2 - 10) + 15) */
    mpfr_mul(part, part, square, MPFR_RNDN);
    mpfr_add_ui(part, part, 15, MPFR_RNDN);
    mpfr_mul(part, part, t, MPFR_RNDN);
    if (mpfr_cmp_d(t, 3.4) >= 0)
        mpfr_mul(rest, part, s->a, MPFR_RNDN);
    else
        mpfr_set_ui(rest, 68, MPFR_RNDN);
    for (int i = 0; i < 2; i++) {
        mpfr_div(part, part, s->variance, MPFR_RNDN);
        mpfr_div(rest, rest, s->variance, MPFR_RNDN);
    }
    mpfr_div(part, part, sigma, MPFR_RNDN);
    mpfr_div(rest, rest, sigma, MPFR_RNDN);
    mpfr_div_ui(part, part, 30240, MPFR_RNDN);
    mpfr_div_ui(rest, rest, 30240, MPFR_RNDU);
    mpfr_add(series, series, part, MPFR_RNDN);

    mpfr_mul(series, series, s->a, MPFR_RNDN);
    mpfr_add(lower, lower, series, MPFR_RNDN);
    mpfr_add(upper, lower, rest, MPFR_RNDU);
    mpfr_sub(lower, lower, rest, MPFR_RNDD);
    if (mpfr_cmp(lower, s->a) < 0) /* the sum is at least its first term */
        mpfr_set(lower, s->a, MPFR_RNDD);
    mpfr_clears(sigma, t, square, series, part, rest, (mpfr_ptr)0);
}

/* w(from) + w(from + 1) + ..., from >= 1. */
static void sum_from(struct scratch *s, const mpfr_t from, mpfr_t lower, mpfr_t upper)
{
    if (mpfr_cmp_ui(s->variance, EULER_MACLAURIN_VARIANCE) < 0)
        add_terms(s, from, lower, upper);
    else
        euler_maclaurin(s, from, lower, upper);
    widen(lower, -1);
    widen(upper, 1);
    if (mpfr_zero_p(upper)) /* below what mpfr can tell from 0 */
        mpfr_nextabove(upper);
}

static void normaliser(struct scratch *s, mpfr_t lower, mpfr_t upper)
{
    if (mpfr_cmp_ui(s->variance, POISSON_VARIANCE) < 0) {
        mpfr_t one;
        mpfr_init_set_ui(one, 1, MPFR_RNDN);
        sum_from(s, one, lower, upper);
        mpfr_clear(one);
        mpfr_mul_2ui(lower, lower, 1, MPFR_RNDN);
        mpfr_mul_2ui(upper, upper, 1, MPFR_RNDN);
        mpfr_add_ui(lower, lower, 1, MPFR_RNDD);
        mpfr_add_ui(upper, upper, 1, MPFR_RNDU);
        return;
    }
    mpfr_const_pi(lower, MPFR_RNDN);
    mpfr_mul(lower, lower, s->variance, MPFR_RNDN);
    mpfr_mul_2ui(lower, lower, 1, MPFR_RNDN);
    mpfr_sqrt(lower, lower, MPFR_RNDN);
    mpfr_set(upper, lower, MPFR_RNDN);
    widen(lower, -1);
    widen(upper, 1);
}

struct interval exact_gaussian_weight(struct rational variance, int128_t k)
{
    struct scratch s;
    scratch_init(&s, variance);
    uint128_t distance = k < 0 ? -(uint128_t)k : (uint128_t)k;
    mpfr_set_uj_2exp(s.b, (uint64_t)(distance >> 64), 64, MPFR_RNDN);
    mpfr_add_ui(s.b, s.b, (uint64_t)distance, MPFR_RNDN);
    weight(s.variance, s.b, s.a);
    mpfr_set(s.c, s.a, MPFR_RNDN);
    widen(s.a, -1);
    widen(s.c, 1);
    struct interval result = {mpfr_get_d(s.a, MPFR_RNDD), mpfr_get_d(s.c, MPFR_RNDU)};
    scratch_clear(&s);
    return interval_clip(result, 0, 1);
}

struct interval exact_gaussian_normaliser(struct rational variance)
{
    struct scratch s;
    scratch_init(&s, variance);
    mpfr_t lower, upper;
    mpfr_inits2(EXACT_GAUSSIAN_BITS, lower, upper, (mpfr_ptr)0);
    normaliser(&s, lower, upper);
    struct interval result = {mpfr_get_d(lower, MPFR_RNDD), mpfr_get_d(upper, MPFR_RNDU)};
    mpfr_clears(lower, upper, (mpfr_ptr)0);
    scratch_clear(&s);
    return result;
}

/* P(X >= from) for from >= 1. */
static void positive_tail(struct scratch *s, const mpfr_t from, mpfr_t lower, mpfr_t upper)
{
    mpfr_t least, most;
    mpfr_inits2(EXACT_GAUSSIAN_BITS, least, most, (mpfr_ptr)0);
    normaliser(s, least, most);
    sum_from(s, from, lower, upper);
    mpfr_div(lower, lower, most, MPFR_RNDD);
    mpfr_div(upper, upper, least, MPFR_RNDU);
    mpfr_clears(least, most, (mpfr_ptr)0);
}

void exact_gaussian_tail(struct rational variance, const mpfr_t from, mpfr_t lower, mpfr_t upper)
{
    struct scratch s;
    scratch_init(&s, variance);
    if (mpfr_sgn(from) > 0) {
        positive_tail(&s, from, lower, upper);
    } else { /* 1 - P(X <= from - 1), and X is symmetric */
        mpfr_t mirrored, swap;
        mpfr_inits2(EXACT_GAUSSIAN_BITS, mirrored, swap, (mpfr_ptr)0);
        mpfr_ui_sub(mirrored, 1, from, MPFR_RNDN);
        positive_tail(&s, mirrored, lower, upper);
        mpfr_ui_sub(swap, 1, lower, MPFR_RNDU);
        mpfr_ui_sub(lower, 1, upper, MPFR_RNDD);
        mpfr_set(upper, swap, MPFR_RNDU);
        mpfr_clears(mirrored, swap, (mpfr_ptr)0);
    }
    scratch_clear(&s);
}
