/* Mathematics, with the special cases and errors of PostgreSQL's float.c; errors are NULL. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/duckdb_functions_parts.h"
#include "sql/text_form.h"

#define RADIANS_PER_DEGREE 0.0174532925199432957692

__extension__ typedef __int128 wide;

/* A finite argument must not give infinity, nor what is not zero zero. */
static bool in_range(double argument, double result)
{
    return (!isinf(result) || isinf(argument)) && (result != 0 || argument == 0);
}

static bool power_finite(double base, double exponent, double *out)
{
    errno = 0;
    *out = pow(base, exponent);
    if (errno == EDOM || isnan(*out) || errno == ERANGE)
        return false;
    return !isinf(*out) && (*out != 0 || base == 0);
}

/* An infinite base or exponent. */
static double power_infinite(double base, double exponent)
{
    if (isinf(exponent)) {
        double size = fabs(base);
        if (size == 1)
            return 1;
        return (size > 1) == (exponent > 0) ? INFINITY : 0;
    }
    if (exponent == 0)
        return 1;
    if (base > 0)
        return exponent > 0 ? base : 0;
    bool odd = floor(exponent / 2) != exponent / 2;
    if (exponent > 0)
        return odd ? base : -base;
    return odd ? -0.0 : 0.0;
}

static bool power(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    double base = arguments[0].real, exponent = arguments[1].real;
    if (isnan(base) || isnan(exponent)) {
        out->real = (isnan(base) && exponent == 0) || base == 1 ? 1 : NAN;
        return true;
    }
    if ((base == 0 && exponent < 0) || (base < 0 && floor(exponent) != exponent))
        return false;
    if (!isinf(base) && !isinf(exponent))
        return power_finite(base, exponent, &out->real);
    out->real = power_infinite(base, exponent);
    return true;
}

static bool square_root(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    out->real = sqrt(arguments[0].real);
    return !(arguments[0].real < 0);
}

static bool exponential(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    errno = 0;
    out->real = exp(arguments[0].real);
    if (isnan(arguments[0].real) || isinf(arguments[0].real))
        return true;
    return errno != ERANGE && !isinf(out->real) && out->real != 0;
}

static bool natural_logarithm(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    out->real = log(arguments[0].real);
    return !(arguments[0].real <= 0);
}

static bool decimal_logarithm(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    out->real = log10(arguments[0].real);
    return !(arguments[0].real <= 0);
}

/* To a base, with the limits of PostgreSQL's numeric_log: log(Infinity, x) is 0. */
static bool any_logarithm(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    double base = arguments[0].real, value = arguments[1].real;
    if (isnan(base) || isnan(value)) {
        out->real = NAN;
        return true;
    }
    if (base <= 0 || value <= 0 || (base == 1 && !isinf(value)))
        return false;
    if (isinf(base))
        out->real = isinf(value) ? NAN : 0;
    else
        out->real = isinf(value) ? INFINITY : log(value) / log(base);
    return true;
}

#define OF_ANGLE(name, function)                                                                             \
    static bool name(const struct cell *arguments, const struct cell_room *room, struct cell *out)           \
    {                                                                                                        \
        (void)room;                                                                                          \
        out->real = function(arguments[0].real);                                                             \
        return !isinf(arguments[0].real);                                                                    \
    }
OF_ANGLE(sine, sin)
OF_ANGLE(cosine, cos)
OF_ANGLE(tangent, tan)

#define OF_RATIO(name, function)                                                                             \
    static bool name(const struct cell *arguments, const struct cell_room *room, struct cell *out)           \
    {                                                                                                        \
        (void)room;                                                                                          \
        out->real = function(arguments[0].real);                                                             \
        return !(fabs(arguments[0].real) > 1);                                                               \
    }
OF_RATIO(arc_sine, asin)
OF_RATIO(arc_cosine, acos)

static bool radians(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    out->real = arguments[0].real * RADIANS_PER_DEGREE;
    return in_range(arguments[0].real, out->real);
}

static bool degrees(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    out->real = arguments[0].real / RADIANS_PER_DEGREE;
    return in_range(arguments[0].real, out->real);
}

static bool sign(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    out->real = (arguments[0].real > 0) - (arguments[0].real < 0);
    return true;
}

/* Half to even, as PostgreSQL rounds a double. */
static bool round_real(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    out->real = rint(arguments[0].real);
    return true;
}

static int64_t clamp(int64_t value, int64_t most)
{
    return value > most ? most : value < -most ? -most : value;
}

/* round(x::numeric, digits) and trunc(...): fifteen digits of the double, then half away from zero, or cut. */
static bool round_digits(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    double value = arguments[0].real;
    out->real = value;
    if (!isfinite(value))
        return true;
    struct text_form_digits digits = text_form_fifteen(value);
    int places = (int)clamp(arguments[1].whole, 2000);
    bool half = false;
    for (; digits.exponent < -places && digits.digits != 0; digits.exponent++) {
        half = digits.digits % 10 >= 5;
        digits.digits /= 10;
    }
    if (digits.exponent < -places) /* nothing is left, not even a half */
        half = false;
    digits.digits += half && arguments[2].whole == 0;
    char text[64];
    snprintf(text, sizeof text, "%s%llde%d", digits.negative && digits.digits != 0 ? "-" : "",
             (long long)digits.digits, digits.exponent);
    out->real = strtod(text, NULL);
    return !isinf(out->real);
}

/* mode 0: half away from zero; 1: towards zero; 2: down; 3: up. */
static bool round_decimal(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    int64_t cut = room->scale - clamp(arguments[1].whole, 100);
    int64_t mode = arguments[2].whole;
    wide units = arguments[0].whole, unit = 1;
    for (int64_t i = 0; i < cut && i < 20; i++)
        unit *= 10;
    wide rest = units % unit, whole = units - rest;
    bool away = (mode == 0 && 2 * (rest < 0 ? -rest : rest) >= unit) || (mode == 2 && rest < 0) ||
                (mode == 3 && rest > 0);
    if (away && rest != 0)
        whole += rest < 0 ? -unit : unit;
    if (whole >= 1000000000000000000 || whole <= -1000000000000000000)
        return false;
    out->whole = (int64_t)whole;
    return true;
}

/* Between lower < upper: 1 to count. PostgreSQL's order of operations, which keeps whole numbers exact; where the
 * product overflows, or the quotient would be rounded up to 1, its newer versions' way out. */
static int64_t bucket_between(double value, double lower, double upper, int64_t count)
{
    double above = value - lower, width = upper - lower, scaled = (double)count * above;
    double buckets = isinf(scaled) || isinf(width)
                         ? (double)count * ((value / 2 - lower / 2) / (upper / 2 - lower / 2))
                         : scaled / width;
    return buckets >= (double)count ? count : (int64_t)buckets + 1;
}

static bool width_bucket(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    double value = arguments[0].real, from = arguments[1].real, to = arguments[2].real;
    int64_t count = arguments[3].whole;
    if (count <= 0 || count > INT32_MAX || isnan(value) || !isfinite(from) || !isfinite(to) || from == to)
        return false;
    bool descending = from > to;
    if (descending ? value > from : value < from)
        out->whole = 0;
    else if (descending ? value <= to : value >= to)
        out->whole = count + 1;
    else
        out->whole =
            descending ? bucket_between(-value, -from, -to, count) : bucket_between(value, from, to, count);
    return out->whole <= INT32_MAX; /* PostgreSQL's are 32 bits wide */
}

const struct function_entry functions_numeric[] = {
    {"dither_power", "rr", 'r', power, false, NULL},
    {"dither_sqrt", "r", 'r', square_root, false, NULL},
    {"dither_exp", "r", 'r', exponential, false, NULL},
    {"dither_ln", "r", 'r', natural_logarithm, false, NULL},
    {"dither_log10", "r", 'r', decimal_logarithm, false, NULL},
    {"dither_log", "rr", 'r', any_logarithm, false, NULL},
    {"dither_sin", "r", 'r', sine, false, NULL},
    {"dither_cos", "r", 'r', cosine, false, NULL},
    {"dither_tan", "r", 'r', tangent, false, NULL},
    {"dither_asin", "r", 'r', arc_sine, false, NULL},
    {"dither_acos", "r", 'r', arc_cosine, false, NULL},
    {"dither_radians", "r", 'r', radians, false, NULL},
    {"dither_degrees", "r", 'r', degrees, false, NULL},
    {"dither_sign", "r", 'r', sign, false, NULL},
    {"dither_round", "r", 'r', round_real, false, NULL},
    {"dither_round_digits", "rii", 'r', round_digits, false, NULL},
    {"dither_round_decimal", "nii", 'n', round_decimal, false, NULL},
    {"dither_width_bucket", "rrri", 'i', width_bucket, false, NULL},
    {0},
};
