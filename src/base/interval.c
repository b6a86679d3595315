#include "base/interval.h"

#include <assert.h>
#include <math.h>

static double down(double value)
{
    return nextafter(value, -INFINITY);
}

static double up(double value)
{
    return nextafter(value, INFINITY);
}

struct interval interval_exact(double value)
{
    assert(!isnan(value));
    return (struct interval){value, value};
}

struct interval interval_from_rational(struct rational value)
{
    return (struct interval){rational_to_double(value, MPFR_RNDD), rational_to_double(value, MPFR_RNDU)};
}

struct interval interval_add(struct interval a, struct interval b)
{
    return (struct interval){down(a.lower + b.lower), up(a.upper + b.upper)};
}

struct interval interval_subtract(struct interval a, struct interval b)
{
    return (struct interval){down(a.lower - b.upper), up(a.upper - b.lower)};
}

/* 0 times infinity is 0: an end of 0 means "nothing", whatever it is multiplied by. */
static double product(double a, double b)
{
    return a == 0 || b == 0 ? 0 : a * b;
}

struct interval interval_multiply(struct interval a, struct interval b)
{
    double corners[4] = {product(a.lower, b.lower), product(a.lower, b.upper), product(a.upper, b.lower),
                         product(a.upper, b.upper)};
    struct interval result = {corners[0], corners[0]};
    for (int i = 1; i < 4; i++) {
        result.lower = fmin(result.lower, corners[i]);
        result.upper = fmax(result.upper, corners[i]);
    }
    /* A product of non-negative intervals stays non-negative: an exact 0 is not widened below 0. */
    result.lower = result.lower == 0 && a.lower >= 0 && b.lower >= 0 ? 0 : down(result.lower);
    result.upper = up(result.upper);
    return result;
}

struct interval interval_divide(struct interval a, struct interval b)
{
    assert(b.lower >= 0);
    struct interval inverse = {b.upper == 0 ? INFINITY : down(1 / b.upper),
                               b.lower == 0 ? INFINITY : up(1 / b.lower)};
    if (inverse.lower < 0)
        inverse.lower = 0;
    if (b.upper == 0 && a.upper == 0)
        return (struct interval){0, INFINITY};
    return interval_multiply(a, inverse);
}

static double directed(int (*function)(mpfr_t, const mpfr_t, mpfr_rnd_t), double value, mpfr_rnd_t direction)
{
    mpfr_t x;
    mpfr_init2(x, 53);
    mpfr_set_d(x, value, MPFR_RNDN);
    function(x, x, direction);
    double result = mpfr_get_d(x, direction);
    mpfr_clear(x);
    return result;
}

struct interval interval_exp(struct interval a)
{
    return (struct interval){directed(mpfr_exp, a.lower, MPFR_RNDD), directed(mpfr_exp, a.upper, MPFR_RNDU)};
}

struct interval interval_log(struct interval a)
{
    a = interval_clip(a, 0, INFINITY);
    return (struct interval){directed(mpfr_log, a.lower, MPFR_RNDD), directed(mpfr_log, a.upper, MPFR_RNDU)};
}

struct interval interval_clip(struct interval a, double lower, double upper)
{
    return (struct interval){fmin(fmax(a.lower, lower), upper), fmax(fmin(a.upper, upper), lower)};
}

struct interval interval_max(struct interval a, struct interval b)
{
    return (struct interval){fmax(a.lower, b.lower), fmax(a.upper, b.upper)};
}

double interval_middle(struct interval a)
{
    return a.lower + (a.upper - a.lower) / 2;
}
