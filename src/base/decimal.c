#include "base/decimal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include <gmp.h>

#define TEN_TO_12 ((uint128_t)1000000000000)
#define ONE       (TEN_TO_12 * TEN_TO_12) /* 10^24 units */
#define LARGEST   (ONE * TEN_TO_12 * 100) /* 10^38 units: the number 10^14 */
#define UNLIMITED (~(uint128_t)0)

struct decimal decimal_zero(void)
{
    return (struct decimal){0};
}

struct decimal decimal_unlimited(void)
{
    return (struct decimal){UNLIMITED};
}

bool decimal_is_unlimited(struct decimal value)
{
    return value.units == UNLIMITED;
}

bool decimal_is_zero(struct decimal value)
{
    return value.units == 0;
}

int decimal_compare(struct decimal left, struct decimal right)
{
    return (left.units > right.units) - (left.units < right.units);
}

struct decimal decimal_min(struct decimal left, struct decimal right)
{
    return left.units < right.units ? left : right;
}

struct decimal decimal_max(struct decimal left, struct decimal right)
{
    return left.units > right.units ? left : right;
}

bool decimal_add(struct decimal left, struct decimal right, struct decimal *out)
{
    if (left.units > LARGEST || right.units > LARGEST || left.units + right.units > LARGEST)
        return false;
    out->units = left.units + right.units;
    return true;
}

bool decimal_multiply(struct decimal value, uint64_t factor, struct decimal *out)
{
    if (value.units > LARGEST || (factor > 0 && value.units > LARGEST / factor))
        return false;
    out->units = value.units * factor;
    return true;
}

struct decimal decimal_subtract(struct decimal left, struct decimal right)
{
    if (decimal_is_unlimited(left))
        return left;
    return (struct decimal){left.units > right.units ? left.units - right.units : 0};
}

static void integer_from_units(mpz_t out, uint128_t units)
{
    mpz_set_ui(out, (unsigned long)(units >> 64));
    mpz_mul_2exp(out, out, 64);
    mpz_add_ui(out, out, (unsigned long)units);
}

/* False when the integer is above 10^38. */
static bool units_from_integer(const mpz_t integer, uint128_t *out)
{
    if (mpz_sgn(integer) < 0 || mpz_sizeinbase(integer, 2) > 128)
        return false;
    uint64_t words[2] = {0, 0};
    mpz_export(words, NULL, -1, sizeof words[0], 0, 0, integer);
    uint128_t units = (uint128_t)words[1] << 64 | words[0];
    if (units > LARGEST)
        return false;
    *out = units;
    return true;
}

/* value = whole * quotient + remainder, so that nothing leaves 128 bits: part <= whole < 2^64. */
struct decimal decimal_share(struct decimal value, uint64_t part, uint64_t whole)
{
    assert(whole > 0 && part <= whole && !decimal_is_unlimited(value));
    uint128_t quotient = value.units / whole, remainder = value.units % whole;
    return (struct decimal){quotient * part + remainder * part / whole};
}

bool decimal_half_square(struct decimal value, struct decimal *out)
{
    if (value.units > LARGEST)
        return false;
    mpz_t square, twice;
    mpz_inits(square, twice, NULL);
    integer_from_units(square, value.units);
    mpz_mul(square, square, square);
    integer_from_units(twice, 2 * ONE);
    mpz_cdiv_q(square, square, twice);
    bool fits = units_from_integer(square, &out->units);
    mpz_clears(square, twice, NULL);
    return fits;
}

/* The digits of a number without point and exponent: digits * 10^-places. */
struct digits {
    uint128_t value;
    int64_t places;
    bool any;
};

/* Takes digits up to the first other character. Digits that no longer fit must be zeros behind the point. */
static bool take_digits(const char **next, bool behind_point, struct digits *digits)
{
    for (; **next >= '0' && **next <= '9'; ++*next) {
        unsigned digit = (unsigned)(**next - '0');
        digits->any = true;
        if (digits->value > (LARGEST - digit) / 10) {
            if (!behind_point || digit != 0)
                return false;
            continue;
        }
        digits->value = digits->value * 10 + digit;
        digits->places += behind_point;
    }
    return true;
}

static bool take_exponent(const char **next, int64_t *exponent)
{
    *exponent = 0;
    if (**next != 'e' && **next != 'E')
        return true;
    ++*next;
    bool negative = **next == '-';
    if (**next == '-' || **next == '+')
        ++*next;
    if (**next < '0' || **next > '9')
        return false;
    for (; **next >= '0' && **next <= '9'; ++*next)
        if (*exponent < 100000)
            *exponent = *exponent * 10 + (**next - '0');
    if (negative)
        *exponent = -*exponent;
    return true;
}

/* digits * 10^exponent as units; false when it is too large or has more than 24 decimals. */
static bool scale_digits(struct digits digits, int64_t exponent, uint128_t *units)
{
    uint128_t value = digits.value;
    int64_t shift = DECIMAL_PLACES - digits.places + exponent;
    if (value == 0)
        shift = 0;
    for (; shift < 0; shift++) {
        if (value % 10 != 0)
            return false;
        value /= 10;
    }
    for (; shift > 0; shift--) {
        if (value > LARGEST / 10)
            return false;
        value *= 10;
    }
    *units = value;
    return true;
}

status decimal_parse(const char *text, struct decimal *out, error *why)
{
    struct digits digits = {0};
    int64_t exponent = 0;
    const char *next = text;
    bool short_enough = take_digits(&next, false, &digits);
    if (short_enough && *next == '.') {
        next++;
        short_enough = take_digits(&next, true, &digits);
    }
    if (!short_enough)
        return fail(why, DITHER_INVALID, "has more digits than the 24 decimals and 14 places that are kept");
    if (!digits.any || !take_exponent(&next, &exponent) || *next != '\0')
        return fail(why, DITHER_INVALID, "is not a decimal number that is zero or more");
    if (!scale_digits(digits, exponent, &out->units))
        return fail(why, DITHER_INVALID, "is above 1e14 or has more than 24 decimals");
    return DITHER_OK;
}

status decimal_from_double(double value, struct decimal *out, error *why)
{
    if (!(value >= 0) || value > 1e14)
        return fail(why, DITHER_INVALID, "is not a number from 0 to 1e14");
    mpz_t units;
    mpfr_t scaled;
    mpz_init(units);
    mpfr_init2(scaled, 256); /* 53 bits times 80 bits: the product is exact */
    integer_from_units(units, ONE);
    mpfr_set_d(scaled, value, MPFR_RNDU);
    mpfr_mul_z(scaled, scaled, units, MPFR_RNDU);
    mpfr_get_z(units, scaled, MPFR_RNDU);
    bool fits = units_from_integer(units, &out->units);
    mpfr_clear(scaled);
    mpz_clear(units);
    if (!fits)
        return fail(why, DITHER_INVALID, "is not a number from 0 to 1e14");
    return DITHER_OK;
}

double decimal_to_double(struct decimal value)
{
    if (decimal_is_unlimited(value))
        return INFINITY;
    if (decimal_is_zero(value))
        return 0;
    mpz_t integer;
    mpq_t ratio;
    mpfr_t rounded;
    mpz_init(integer);
    mpq_init(ratio);
    mpfr_init2(rounded, 53);
    integer_from_units(integer, value.units);
    mpq_set_num(ratio, integer);
    integer_from_units(integer, ONE);
    mpq_set_den(ratio, integer);
    mpq_canonicalize(ratio);
    mpfr_set_q(rounded, ratio, MPFR_RNDD);
    double result = mpfr_get_d(rounded, MPFR_RNDD);
    mpfr_clear(rounded);
    mpq_clear(ratio);
    mpz_clear(integer);
    return result;
}

void decimal_print(struct decimal value, char text[DECIMAL_TEXT])
{
    if (decimal_is_unlimited(value)) {
        strcpy(text, "unlimited");
        return;
    }
    assert(value.units <= LARGEST);
    char digits[DECIMAL_TEXT];
    int count = 0;
    for (uint128_t rest = value.units; rest > 0 || count <= DECIMAL_PLACES; rest /= 10)
        digits[count++] = (char)('0' + (int)(rest % 10));
    int last = 0; /* the lowest place that is not zero, or the units' */
    while (last < DECIMAL_PLACES && digits[last] == '0')
        last++;
    char *end = text;
    for (int place = count - 1; place >= last; place--) {
        if (place == DECIMAL_PLACES - 1)
            *end++ = '.';
        *end++ = digits[place];
    }
    *end = '\0';
}
