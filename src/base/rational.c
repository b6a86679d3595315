#include "base/rational.h"

#include <assert.h>
#include <math.h>

static uint128_t greatest_common_divisor(uint128_t a, uint128_t b)
{
    while (b != 0) {
        uint128_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static int trailing_zeros(uint128_t value)
{
    uint64_t low = (uint64_t)value;
    return low != 0 ? __builtin_ctzll(low) : 64 + __builtin_ctzll((uint64_t)(value >> 64));
}

/* Odd numerator and denominator without a common factor: one form for one value, and the smallest parts. */
static struct rational reduced(uint128_t numerator, uint128_t denominator, int exponent)
{
    assert(denominator != 0);
    if (numerator == 0)
        return (struct rational){.numerator = 0, .denominator = 1, .exponent = 0};
    int above = trailing_zeros(numerator);
    int below = trailing_zeros(denominator);
    numerator >>= above;
    denominator >>= below;
    uint128_t common = greatest_common_divisor(numerator, denominator);
    numerator /= common;
    denominator /= common;
    assert(denominator <= UINT64_MAX);
    return (struct rational){
        .numerator = numerator, .denominator = (uint64_t)denominator, .exponent = exponent + above - below};
}

struct rational rational_from_double(double value)
{
    assert(isfinite(value) && value >= 0);
    int exponent = 0;
    double fraction = frexp(value, &exponent);
    return reduced((uint64_t)ldexp(fraction, 53), 1, exponent - 53);
}

struct rational rational_from_ratio(uint128_t numerator, uint64_t denominator)
{
    return reduced(numerator, denominator, 0);
}

static uint128_t multiply(uint128_t a, uint128_t b)
{
    uint128_t product = 0;
    bool overflow = __builtin_mul_overflow(a, b, &product);
    assert(!overflow);
    return product;
}

struct rational rational_divide_integer(uint64_t integer, struct rational value)
{
    assert(value.numerator != 0 && value.numerator <= UINT64_MAX);
    return reduced(multiply(integer, value.denominator), value.numerator, -value.exponent);
}

struct rational rational_multiply_integer(uint64_t integer, struct rational value)
{
    uint64_t common = (uint64_t)greatest_common_divisor(integer, value.denominator);
    return reduced(multiply(integer / common, value.numerator), value.denominator / common, value.exponent);
}

bool rational_divide_by_integer(struct rational value, uint64_t integer, struct rational *out)
{
    assert(integer != 0);
    if (value.numerator == 0) {
        *out = value;
        return true;
    }
    int twos = __builtin_ctzll(integer);
    integer >>= twos;
    uint64_t common = (uint64_t)greatest_common_divisor(value.numerator, integer);
    uint64_t denominator = 0;
    if (__builtin_mul_overflow(value.denominator, integer / common, &denominator))
        return false;
    *out = reduced(value.numerator / common, denominator, value.exponent - twos);
    return true;
}

bool rational_square(struct rational value, struct rational *out)
{
    uint128_t numerator = 0;
    uint64_t denominator = 0;
    if (__builtin_mul_overflow(value.numerator, value.numerator, &numerator) ||
        __builtin_mul_overflow(value.denominator, value.denominator, &denominator))
        return false;
    *out = (struct rational){numerator, denominator, 2 * value.exponent};
    return true;
}

bool rational_is_zero(struct rational value)
{
    return value.numerator == 0;
}

void rational_to_mpfr(struct rational value, mpfr_t out, mpfr_rnd_t direction)
{
    mpfr_t numerator;
    mpfr_init2(numerator, 128);
    mpfr_set_uj_2exp(numerator, (uint64_t)(value.numerator >> 64), 64, MPFR_RNDN);
    mpfr_add_ui(numerator, numerator, (uint64_t)value.numerator, MPFR_RNDN);
    mpfr_div_ui(out, numerator, value.denominator, direction);
    mpfr_mul_2si(out, out, value.exponent, direction);
    mpfr_clear(numerator);
}

double rational_to_double(struct rational value, mpfr_rnd_t direction)
{
    mpfr_t exact;
    mpfr_init2(exact, 53);
    rational_to_mpfr(value, exact, direction);
    double result = mpfr_get_d(exact, direction);
    mpfr_clear(exact);
    return result;
}

uint64_t rational_floor(struct rational value)
{
    mpfr_t exact;
    mpfr_init2(exact, 64);
    rational_to_mpfr(value, exact, MPFR_RNDD);
    uint64_t result = mpfr_cmp_ui_2exp(exact, 1, 64) >= 0 ? UINT64_MAX : mpfr_get_uj(exact, MPFR_RNDD);
    mpfr_clear(exact);
    return result;
}

int rational_compare(struct rational left, struct rational right)
{
    /* left.numerator * right.denominator and the other product have at most 192 bits. */
    mpfr_t a, b;
    mpfr_inits2(192, a, b, (mpfr_ptr)0);
    mpfr_set_uj_2exp(a, (uint64_t)(left.numerator >> 64), 64, MPFR_RNDN);
    mpfr_add_ui(a, a, (uint64_t)left.numerator, MPFR_RNDN);
    mpfr_mul_ui(a, a, right.denominator, MPFR_RNDN);
    mpfr_mul_2si(a, a, left.exponent, MPFR_RNDN);
    mpfr_set_uj_2exp(b, (uint64_t)(right.numerator >> 64), 64, MPFR_RNDN);
    mpfr_add_ui(b, b, (uint64_t)right.numerator, MPFR_RNDN);
    mpfr_mul_ui(b, b, left.denominator, MPFR_RNDN);
    mpfr_mul_2si(b, b, right.exponent, MPFR_RNDN);
    int order = mpfr_cmp(a, b);
    mpfr_clears(a, b, (mpfr_ptr)0);
    return (order > 0) - (order < 0);
}
