#include "base/number.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* (-1)^negative * digits * 10^exponent, without leading or trailing zeros; no digits is zero. */
struct decimal {
    bool negative;
    char digits[NUMBER_DIGITS + 1];
    size_t count;
    long exponent;
};

enum {
    EXPONENT_LIMIT = 99999, /* far beyond any double; keeps all sums within a long */
    FAST_DIGITS = 15,       /* below 2^53 */
    FAST_POWER = 22,        /* 10^22 is the largest power of ten that is a double */
    RATIONAL_FIVES = 27,    /* 5^27 < 2^64 < 5^28 */
    DIGITS_OF_128_BITS = 38,
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads "e-12"; leaves *text at its end. */
static bool read_exponent(const char **text, long *exponent)
{
    const char *at = *text;
    if (*at != 'e' && *at != 'E')
        return true;
    at++;
    bool negative = *at == '-';
    if (*at == '-' || *at == '+')
        at++;
    if (!is_digit(*at))
        return false;
    long value = 0;
    for (; is_digit(*at); at++)
        value = value > EXPONENT_LIMIT ? value : 10 * value + (*at - '0');
    *exponent += negative ? -value : value;
    *text = at;
    return true;
}

static void strip_trailing_zeros(struct decimal *decimal)
{
    while (decimal->count > 0 && decimal->digits[decimal->count - 1] == '0') {
        decimal->count--;
        decimal->exponent++;
    }
    decimal->digits[decimal->count] = '\0';
    if (decimal->count == 0)
        decimal->exponent = 0;
}

static status read_decimal(const char *text, struct decimal *decimal, error *why)
{
    *decimal = (struct decimal){.negative = *text == '-'};
    if (*text == '-' || *text == '+')
        text++;
    bool point = false, any = false;
    for (; is_digit(*text) || (*text == '.' && !point); text++) {
        if (*text == '.') {
            point = true;
            continue;
        }
        any = true;
        decimal->exponent -= point;
        if (*text == '0' && decimal->count == 0)
            continue;
        if (decimal->count == NUMBER_DIGITS)
            return fail(why, DITHER_INVALID, "has more than %d digits", NUMBER_DIGITS);
        decimal->digits[decimal->count++] = *text;
    }
    if (!any || !read_exponent(&text, &decimal->exponent) || *text != '\0')
        return fail(why, DITHER_INVALID, "is not a number");
    strip_trailing_zeros(decimal);
    return DITHER_OK;
}

/* Clinger's fast path: both operands are doubles without error, so the one operation rounds once. */
static bool convert_fast(const struct decimal *decimal, double *out)
{
    static const double powers[FAST_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (decimal->count > FAST_DIGITS || labs(decimal->exponent) > FAST_POWER)
        return false;
    int64_t digits = 0;
    for (size_t i = 0; i < decimal->count; i++)
        digits = 10 * digits + (decimal->digits[i] - '0');
    double value = (double)digits;
    value = decimal->exponent < 0 ? value / powers[-decimal->exponent] : value * powers[decimal->exponent];
    *out = decimal->negative ? -value : value;
    return true;
}

/* The text given to MPFR has no point, so that no locale matters. Numbers below 2^-1022 are rounded twice in
 * the same direction, which keeps directed roundings right. */
static status convert(const struct decimal *decimal, mpfr_rnd_t direction, double *out, error *why)
{
    char text[NUMBER_DIGITS + 32];
    snprintf(text, sizeof text, "%s%se%ld", decimal->negative ? "-" : "", decimal->digits, decimal->exponent);
    mpfr_t exact;
    mpfr_init2(exact, DBL_MANT_DIG);
    mpfr_strtofr(exact, text, NULL, 10, direction);
    bool too_large = mpfr_cmp_d(exact, DBL_MAX) > 0 || mpfr_cmp_d(exact, -DBL_MAX) < 0;
    double value = mpfr_get_d(exact, direction);
    mpfr_clear(exact);
    if (too_large)
        return fail(why, DITHER_INVALID, "is too large");
    if (value == 0)
        return fail(why, DITHER_INVALID, "is too close to zero");
    *out = value;
    return DITHER_OK;
}

status number_parse(const char *text, enum number_rounding rounding, double *out, error *why)
{
    struct decimal decimal;
    TRY(read_decimal(text, &decimal, why));
    if (decimal.count == 0) {
        *out = 0;
        return DITHER_OK;
    }
    if (rounding == NUMBER_NEAREST && convert_fast(&decimal, out))
        return DITHER_OK;
    mpfr_rnd_t direction = rounding == NUMBER_NEAREST ? MPFR_RNDN
                           : rounding == NUMBER_DOWN  ? MPFR_RNDD
                                                      : MPFR_RNDU;
    return convert(&decimal, direction, out, why);
}

/* digits * 5^fives, or false when that does not fit in 128 bits. */
static bool multiply_out(const struct decimal *decimal, long fives, uint128_t *out)
{
    uint128_t value = 0;
    for (size_t i = 0; i < decimal->count; i++)
        if (__builtin_mul_overflow(value, (uint128_t)10, &value) ||
            __builtin_add_overflow(value, (uint128_t)(decimal->digits[i] - '0'), &value))
            return false;
    for (; fives > 0; fives--)
        if (__builtin_mul_overflow(value, (uint128_t)5, &value))
            return false;
    *out = value;
    return true;
}

static uint64_t power_of_five(long exponent)
{
    uint64_t power = 1;
    for (; exponent > 0; exponent--)
        power *= 5;
    return power;
}

status number_parse_rational(const char *text, struct rational *out, error *why)
{
    struct decimal decimal;
    TRY(read_decimal(text, &decimal, why));
    if (decimal.count == 0) {
        *out = rational_from_ratio(0, 1);
        return DITHER_OK;
    }
    if (decimal.negative)
        return fail(why, DITHER_INVALID, "is negative");
    uint128_t numerator = 0;
    long places = decimal.exponent < 0 ? -decimal.exponent : 0;
    if (places > RATIONAL_FIVES || decimal.exponent > DIGITS_OF_128_BITS ||
        !multiply_out(&decimal, decimal.exponent, &numerator))
        return fail(why, DITHER_INVALID, "has too many digits to be taken exactly");
    struct rational value = rational_from_ratio(numerator, power_of_five(places));
    value.exponent += (int)decimal.exponent;
    *out = value;
    return DITHER_OK;
}

status number_parse_whole(const char *text, uint64_t *out, error *why)
{
    struct decimal decimal;
    TRY(read_decimal(text, &decimal, why));
    if (decimal.exponent < 0 || (decimal.negative && decimal.count > 0))
        return fail(why, DITHER_INVALID, "is not a whole number that is zero or more");
    uint64_t value = 0;
    bool overflow = decimal.exponent > DIGITS_OF_128_BITS;
    for (size_t i = 0; i < decimal.count + (overflow ? 0 : (size_t)decimal.exponent); i++) {
        uint64_t digit = i < decimal.count ? (uint64_t)(decimal.digits[i] - '0') : 0;
        overflow |= __builtin_mul_overflow(value, UINT64_C(10), &value);
        overflow |= __builtin_add_overflow(value, digit, &value);
    }
    if (overflow)
        return fail(why, DITHER_INVALID, "is too large");
    *out = value;
    return DITHER_OK;
}

/* printf writes the locale's decimal point, of one byte or more; ours is always a point. */
static void print_digits(double value, int digits, char text[NUMBER_TEXT])
{
    char raw[NUMBER_TEXT + 16];
    snprintf(raw, sizeof raw, "%.*g", digits, value == 0 ? 0 : value);
    size_t length = 0;
    for (const char *from = raw; *from != '\0' && length + 1 < NUMBER_TEXT; from++) {
        bool plain = is_digit(*from) || *from == '-' || *from == '+' || (*from >= 'a' && *from <= 'z');
        if (plain || (length > 0 && text[length - 1] != '.'))
            text[length++] = plain ? *from : '.';
    }
    text[length] = '\0';
}

/* Whole numbers that fifteen digits hold are most of what is printed, and need no second look. */
static bool is_short_and_whole(double value)
{
    return fabs(value) < 1e15 && value == (double)(int64_t)value;
}

void number_print_exact(double value, char text[NUMBER_TEXT])
{
    if (is_short_and_whole(value)) {
        snprintf(text, NUMBER_TEXT, "%" PRId64, (int64_t)value);
        return;
    }
    for (int digits = DBL_DIG; digits <= DBL_DECIMAL_DIG; digits++) {
        print_digits(value, digits, text);
        double back = 0;
        if (!isfinite(value) ||
            (number_parse(text, NUMBER_NEAREST, &back, NULL) == DITHER_OK && back == value))
            return;
    }
}

void number_print(double value, char text[NUMBER_TEXT])
{
    print_digits(value, 12, text);
}
