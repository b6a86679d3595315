#include "sql/text_form.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_UNITS_DIGITS = 18, EXPONENT_LIMIT = 99999 };

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static void trim(const char **text, size_t *length)
{
    while (*length > 0 && is_blank(**text))
        ++*text, --*length;
    while (*length > 0 && is_blank((*text)[*length - 1]))
        --*length;
}

/* Whether the text is a beginning of `word`, of at least `least` letters. */
static bool is_prefix(const char *text, size_t length, const char *word, size_t least)
{
    if (length < least || length > strlen(word))
        return false;
    for (size_t i = 0; i < length; i++)
        if (lower(text[i]) != word[i])
            return false;
    return true;
}

static bool is_word(const char *text, size_t length, const char *word)
{
    return is_prefix(text, length, word, strlen(word));
}

bool text_form_read_boolean(const char *text, size_t length, bool *out)
{
    trim(&text, &length);
    if (is_prefix(text, length, "true", 1) || is_prefix(text, length, "yes", 1) ||
        is_prefix(text, length, "on", 2) || is_word(text, length, "1")) {
        *out = true;
        return true;
    }
    if (is_prefix(text, length, "false", 1) || is_prefix(text, length, "no", 1) ||
        is_prefix(text, length, "off", 2) || is_word(text, length, "0")) {
        *out = false;
        return true;
    }
    return false;
}

bool text_form_read_whole(const char *text, size_t length, int64_t *out)
{
    trim(&text, &length);
    bool negative = length > 0 && *text == '-';
    if (length > 0 && (*text == '-' || *text == '+'))
        text++, length--;
    if (length == 0)
        return false;
    int64_t value = 0; /* counted downwards, where there is one more */
    for (size_t i = 0; i < length; i++) {
        if (!is_digit(text[i]) || __builtin_mul_overflow(value, 10, &value) ||
            __builtin_sub_overflow(value, text[i] - '0', &value))
            return false;
    }
    if (!negative && value == INT64_MIN)
        return false;
    *out = negative ? value : -value;
    return true;
}

/* A number in decimals: its significant digits without a point, and the power of ten behind them. */
struct digits {
    bool negative;
    char text[TEXT_FORM_DIGITS + 1];
    size_t count;
    long exponent;
};

static bool read_exponent(const char *text, size_t length, long *exponent)
{
    if (length == 0)
        return true;
    if (lower(*text) != 'e')
        return false;
    text++, length--;
    bool negative = length > 0 && *text == '-';
    if (length > 0 && (*text == '-' || *text == '+'))
        text++, length--;
    if (length == 0)
        return false;
    long value = 0;
    for (size_t i = 0; i < length; i++) {
        if (!is_digit(text[i]))
            return false;
        value = value > EXPONENT_LIMIT ? value : 10 * value + (text[i] - '0');
    }
    *exponent += negative ? -value : value;
    return true;
}

static bool read_digits(const char *text, size_t length, struct digits *out)
{
    if (length > TEXT_FORM_DIGITS)
        return false;
    out->negative = length > 0 && *text == '-';
    out->count = 0;
    out->exponent = 0;
    if (length > 0 && (*text == '-' || *text == '+'))
        text++, length--;
    bool point = false, any = false;
    size_t i = 0;
    for (; i < length && (is_digit(text[i]) || (text[i] == '.' && !point)); i++) {
        if (text[i] == '.') {
            point = true;
            continue;
        }
        any = true;
        out->exponent -= point;
        if (text[i] != '0' || out->count > 0)
            out->text[out->count++] = text[i];
    }
    out->text[out->count] = '\0';
    return any && read_exponent(text + i, length - i, &out->exponent);
}

bool text_form_read_real(const char *text, size_t length, double *out)
{
    trim(&text, &length);
    if (is_word(text, length, "nan")) {
        *out = NAN;
        return true;
    }
    bool sign = length > 0 && (*text == '-' || *text == '+');
    if (is_word(text + sign, length - sign, "inf") || is_word(text + sign, length - sign, "infinity")) {
        *out = sign && *text == '-' ? -INFINITY : INFINITY;
        return true;
    }
    struct digits digits;
    if (!read_digits(text, length, &digits))
        return false;
    /* Without a point: no locale matters. */
    char plain[TEXT_FORM_DIGITS + 32];
    snprintf(plain, sizeof plain, "%se%ld", digits.count > 0 ? digits.text : "0", digits.exponent);
    double value = strtod(plain, NULL);
    if (isinf(value) || (value == 0 && digits.count > 0))
        return false;
    *out = digits.negative ? -value : value;
    return true;
}

bool text_form_to_units(struct text_form_digits digits, int scale, int64_t *out)
{
    int64_t value = digits.digits;
    int power = digits.exponent + scale;
    for (; power > 0 && value != 0; power--)
        if (__builtin_mul_overflow(value, 10, &value))
            return false;
    bool half = false; /* the last digit that was cut off was 5 or more */
    for (; power < 0; power++) {
        if (value == 0) {
            half = false;
            break;
        }
        half = value % 10 >= 5;
        value /= 10;
    }
    value += half;
    if (value >= 1000000000000000000)
        return false;
    *out = digits.negative ? -value : value;
    return true;
}

bool text_form_read_decimal(const char *text, size_t length, int scale, int64_t *out)
{
    trim(&text, &length);
    struct digits digits;
    if (!read_digits(text, length, &digits))
        return false;
    /* Digits before the unit, then the one that decides the rounding. */
    long whole = (long)digits.count + digits.exponent + scale;
    if (digits.count == 0 || whole < 0) {
        *out = 0;
        return true;
    }
    if (whole > MOST_UNITS_DIGITS)
        return false;
    int64_t value = 0;
    for (long i = 0; i < whole; i++)
        value = 10 * value + (i < (long)digits.count ? digits.text[i] - '0' : 0);
    value += whole < (long)digits.count && digits.text[whole] >= '5';
    if (value >= 1000000000000000000)
        return false;
    *out = digits.negative ? -value : value;
    return true;
}

/* The digits of "%.*e" without its point, and the decimal exponent of the first one. */
static int scientific(double magnitude, int count, char digits[20])
{
    char raw[48];
    snprintf(raw, sizeof raw, "%.*e", count - 1, magnitude);
    int written = 0;
    const char *at = raw;
    for (; *at != 'e'; at++)
        if (is_digit(*at))
            digits[written++] = *at;
    digits[written] = '\0';
    return (int)strtol(at + 1, NULL, 10);
}

static int shortest(double magnitude, char digits[20])
{
    for (int count = 1;; count++) {
        int exponent = scientific(magnitude, count, digits);
        char plain[32];
        snprintf(plain, sizeof plain, "%se%d", digits, exponent - count + 1);
        if (count == 17 || strtod(plain, NULL) == magnitude)
            return exponent;
    }
}

void text_form_write_real(double value, char text[TEXT_FORM_BYTES])
{
    if (isnan(value) || isinf(value)) {
        snprintf(text, TEXT_FORM_BYTES, "%s", isnan(value) ? "NaN" : value < 0 ? "-Infinity" : "Infinity");
        return;
    }
    const char *sign = signbit(value) ? "-" : "";
    if (value == 0) {
        snprintf(text, TEXT_FORM_BYTES, "%s0", sign);
        return;
    }
    char digits[20];
    int exponent = shortest(fabs(value), digits);
    int count = (int)strlen(digits);
    if (exponent < -4 || exponent >= 15)
        snprintf(text, TEXT_FORM_BYTES, "%s%c%s%se%c%02d", sign, digits[0], count > 1 ? "." : "", digits + 1,
                 exponent < 0 ? '-' : '+', abs(exponent));
    else if (exponent < 0)
        snprintf(text, TEXT_FORM_BYTES, "%s0.%.*s%s", sign, -exponent - 1, "0000", digits);
    else if (count <= exponent + 1)
        snprintf(text, TEXT_FORM_BYTES, "%s%s%.*s", sign, digits, exponent + 1 - count, "00000000000000");
    else
        snprintf(text, TEXT_FORM_BYTES, "%s%.*s.%s", sign, exponent + 1, digits, digits + exponent + 1);
}

void text_form_write_decimal(int64_t units, int scale, char text[TEXT_FORM_BYTES])
{
    uint64_t magnitude = units < 0 ? -(uint64_t)units : (uint64_t)units;
    uint64_t one = 1;
    for (int i = 0; i < scale; i++)
        one *= 10;
    if (scale == 0)
        snprintf(text, TEXT_FORM_BYTES, "%s%" PRIu64, units < 0 ? "-" : "", magnitude);
    else
        snprintf(text, TEXT_FORM_BYTES, "%s%" PRIu64 ".%0*" PRIu64, units < 0 ? "-" : "", magnitude / one,
                 scale, magnitude % one);
}

struct text_form_digits text_form_fifteen(double value)
{
    char digits[20];
    int exponent = scientific(fabs(value), 15, digits);
    return (struct text_form_digits){
        .negative = signbit(value), .digits = strtoll(digits, NULL, 10), .exponent = exponent - 14};
}

double text_form_decimal_real(int64_t units, int scale)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8, 1e9,
                                    1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18};
    const int64_t exact = (int64_t)1 << 53;
    if (units >= -exact && units <= exact)
        return (double)units / powers[scale]; /* both exact: rounded once */
    char plain[48];
    snprintf(plain, sizeof plain, "%" PRId64 "e-%d", units, scale);
    return strtod(plain, NULL);
}
