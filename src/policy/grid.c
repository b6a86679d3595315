#include "policy/grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

enum {
    DEFAULT_STEPS_BITS = 16,
    LEAST_EXPONENT = -1000, /* far from where doubles lose digits */
    MOST_EXPONENT = 1000,
};

/* The largest e with 2^e <= upper - lower, exactly: a rounded difference may have reached a power of two that
 * the true one has not. Halves first, so that nothing overflows. */
static int floor_log2_width(double lower, double upper)
{
    double high = upper / 2, low = lower / 2;
    double width = high - low;
    double low_part = high - width,
           rest = (high - (width + low_part)) + (low_part - low); /* Knuth's TwoSum */
    int exponent = 0;
    double fraction = frexp(width, &exponent); /* width = fraction * 2^exponent, fraction in [1/2, 1) */
    if (fraction == 0.5 && rest < 0)
        exponent--;
    return exponent; /* frexp's is one above the floor; halving took that one away */
}

static bool read_power(const char *text, int *exponent)
{
    if (strncmp(text, "2^", 2) == 0) {
        const char *digits = text[2] == '-' ? text + 3 : text + 2;
        size_t count = strspn(digits, "0123456789");
        if (count == 0 || count > 4 || digits[count] != '\0')
            return false;
        *exponent = atoi(text + 2);
        return true;
    }
    double below = 0, above = 0;
    if (number_parse(text, NUMBER_DOWN, &below, NULL) != DITHER_OK ||
        number_parse(text, NUMBER_UP, &above, NULL) != DITHER_OK || below != above || below <= 0)
        return false;
    bool power = frexp(below, exponent) == 0.5;
    *exponent -= 1;
    return power;
}

status policy_read_grid(const struct policy_reader *reader, const struct yaml_node *node, const char *subject,
                        struct policy_column *column)
{
    int exponent = floor_log2_width(column->lower.real, column->upper.real) - DEFAULT_STEPS_BITS;
    int line = node != NULL ? node->line : column->lower.line;
    if (node != NULL && (node->kind != YAML_TEXT || node->quoted || !read_power(node->text, &exponent)))
        return policy_refuse(reader, line, "grid of %s must be a power of two, such as 0.25 or 2^-7",
                             subject);
    double largest = fmax(fabs(column->lower.real), fabs(column->upper.real));
    if (exponent < LEAST_EXPONENT || exponent > MOST_EXPONENT ||
        largest > ldexp(1, exponent + POLICY_GRID_BITS))
        return policy_refuse(
            reader, line, "%s: the grid is too fine for the range: a bound is more than 2^%d steps from zero",
            subject, POLICY_GRID_BITS);
    if (node != NULL && ldexp(1, exponent - 1) > column->upper.real / 2 - column->lower.real / 2)
        return policy_refuse(reader, line, "%s: the grid is wider than the range", subject);
    column->grid_exponent = exponent;
    column->grid = ldexp(1, exponent);
    return DITHER_OK;
}
