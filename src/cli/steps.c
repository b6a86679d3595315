#include "cli/steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

enum {
    PLACES_OF_64_BITS = 19,  /* 10^19 < 2^64 */
    PLACES_OF_128_BITS = 38, /* 10^38 < 2^128 */
    LARGEST_EXPONENT = 1023,
    SMALLEST_EXPONENT = -1022,
};

/* Writes the number's digits so that they end before `end`; returns where they begin. */
static char *print_whole(uint64_t value, char *end)
{
    do {
        *--end = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    return end;
}

/* Exactly `places` digits of fraction / 2^places = fraction * 5^places / 10^places. */
static char *print_fraction(uint64_t fraction, int places, char *end)
{
    if (places <= PLACES_OF_64_BITS) {
        uint64_t scaled = fraction;
        for (int i = 0; i < places; i++)
            scaled *= 5;
        for (int i = 0; i < places; i++, scaled /= 10)
            *--end = (char)('0' + scaled % 10);
        return end;
    }
    uint128_t scaled = fraction;
    for (int i = 0; i < places; i++)
        scaled *= 5;
    for (int i = 0; i < places; i++, scaled /= 10)
        *--end = (char)('0' + (int)(scaled % 10));
    return end;
}

static size_t print_double(double value, char text[STEPS_TEXT])
{
    number_print_exact(value, text);
    return strlen(text);
}

size_t steps_print(int64_t count, int exponent, char text[STEPS_TEXT])
{
    if (exponent < -PLACES_OF_128_BITS || exponent > 0)
        return print_double(ldexp((double)count, exponent), text);
    uint64_t size = count < 0 ? -(uint64_t)count : (uint64_t)count;
    int places = -exponent;
    if (size == 0)
        places = 0;
    while (places > 0 && size % 2 == 0) { /* then the last digit is not 0 */
        size /= 2;
        places--;
    }
    char *end = text + STEPS_TEXT - 1, *begin = end;
    if (places > 0) {
        begin = print_fraction(size & ((UINT64_C(1) << places) - 1), places, begin);
        *--begin = '.';
    }
    begin = print_whole(size >> places, begin);
    if (count < 0)
        *--begin = '-';
    size_t length = (size_t)(end - begin);
    memmove(text, begin, length);
    return length;
}

/* "2^-3" */
static status read_power(const char *text, double *out, error *why)
{
    double exponent = 0;
    if (number_parse(text + 2, NUMBER_NEAREST, &exponent, why) != DITHER_OK || exponent != floor(exponent) ||
        exponent < SMALLEST_EXPONENT || exponent > LARGEST_EXPONENT)
        return fail(why, DITHER_INVALID, "must be a power of two, such as 0.125 or 2^-3");
    *out = ldexp(1, (int)exponent);
    return DITHER_OK;
}

static status read_decimal(const char *text, double *out, error *why)
{
    double below = 0, above = 0;
    int exponent = 0;
    TRY(number_parse(text, NUMBER_DOWN, &below, why));
    TRY(number_parse(text, NUMBER_UP, &above, why));
    if (below != above || frexp(below, &exponent) != 0.5)
        return fail(why, DITHER_INVALID, "must be a power of two, such as 0.125 or 2^-3");
    *out = below;
    return DITHER_OK;
}

status steps_read_grid(const char *text, void *place, error *why)
{
    return strncmp(text, "2^", 2) == 0 ? read_power(text, place, why) : read_decimal(text, place, why);
}
