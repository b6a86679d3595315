#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "engine/draft_parts.h"

enum { TEXT_ROOM = 64, MOST_POWER = 300 };

void draft_extend(struct draft_extent *extent, double value)
{
    if (!isfinite(value))
        return;
    if (!extent->any || value < extent->lower)
        extent->lower = value;
    if (!extent->any || value > extent->upper)
        extent->upper = value;
    extent->any = true;
}

/* digit * 10^power */
struct step {
    int digit, power;
};

static double size_of(struct step step)
{
    char text[TEXT_ROOM];
    double size = 0;
    snprintf(text, sizeof text, "%de%d", step.digit, step.power);
    return number_parse(text, NUMBER_NEAREST, &size, NULL) == DITHER_OK ? size : 0;
}

/* The smallest of 1, 2, 5, 10, 20, 50 ... that is at least `width`. */
static struct step step_for(double width, int least_power)
{
    struct step step = {.digit = 1, .power = least_power};
    int guess = width > 0 ? (int)floor(log10(width)) - 1 : least_power;
    if (guess > step.power)
        step.power = guess;
    while (size_of(step) < width && step.power < MOST_POWER) {
        step.power += step.digit == 5;
        step.digit = step.digit == 1 ? 2 : step.digit == 2 ? 5 : 1;
    }
    return step;
}

/* count * step as a decimal without an exponent. */
static void print_multiple(int64_t count, struct step step, char text[400])
{
    long long whole = (long long)count * step.digit;
    for (; step.power < 0 && whole % 10 == 0 && whole != 0; step.power++)
        whole /= 10;
    int length = 0;
    if (step.power >= 0 || whole == 0) {
        length = snprintf(text, 32, "%lld", whole);
        for (int i = 0; i < step.power && whole != 0; i++)
            text[length++] = '0';
        text[length] = '\0';
        return;
    }
    char digits[32];
    int places = -step.power,
        count_of_digits = snprintf(digits, sizeof digits, "%lld", whole < 0 ? -whole : whole);
    length = whole < 0 ? snprintf(text, 2, "-") : 0;
    if (count_of_digits <= places)
        length += snprintf(text + length, 3, "0.");
    for (int i = count_of_digits; i < places; i++)
        text[length++] = '0';
    for (int i = 0; i < count_of_digits; i++) {
        if (count_of_digits - i == places && i > 0)
            text[length++] = '.';
        text[length++] = digits[i];
    }
    text[length] = '\0';
}

/* The multiple next to the value on the outside. Divisions round, so the text is read back and looked at. */
static bool bound_of(double value, bool upper, struct step step, char text[400])
{
    double count = upper ? ceil(value / size_of(step)) : floor(value / size_of(step));
    if (!(fabs(count) < 1e15))
        return false;
    for (int64_t i = (int64_t)count, tries = 0; tries < 3; tries++, i += upper ? 1 : -1) {
        double back = 0;
        print_multiple(i, step, text);
        if (number_parse(text, NUMBER_NEAREST, &back, NULL) == DITHER_OK &&
            (upper ? back >= value : back <= value))
            return true;
    }
    return false;
}

static bool round_numbers(const struct draft_extent *extent, bool whole, int places, char lower[400],
                          char upper[400])
{
    double width = extent->upper - extent->lower;
    if (width <= 0) /* one value: as if it stood beside zero */
        width = fabs(extent->upper) > 0 ? fabs(extent->upper) : 1;
    if (!isfinite(width))
        return false;
    /* A hundredth of the largest value, too: for a narrow range far from zero the steps would be the values. */
    double largest = fmax(fabs(extent->lower), fabs(extent->upper));
    struct step step = step_for(fmax(width / 2, largest / 100), whole ? 0 : -places);
    if (!bound_of(extent->lower, false, step, lower) || !bound_of(extent->upper, true, step, upper))
        return false;
    if (strcmp(lower, upper) == 0) /* the one value is a multiple itself */
        return bound_of(extent->upper + size_of(step), true, step, upper);
    return !whole || (fabs(extent->lower) < 9e18 && fabs(extent->upper) < 9e18 && strlen(lower) < 19 &&
                      strlen(upper) < 19);
}

static bool round_years(const struct draft_extent *extent, bool time, char lower[400], char upper[400])
{
    struct step step = step_for((extent->upper + 1 - extent->lower) / 2, 0);
    int64_t years = (int64_t)size_of(step);
    int64_t first = (int64_t)extent->lower / years * years,
            last = ((int64_t)extent->upper / years + 1) * years - 1;
    if (first < 1)
        first = 1;
    if (last > 9999)
        last = 9999;
    snprintf(lower, 400, "%04d-01-01", (int)first);
    snprintf(upper, 400, time ? "%04d-12-31 23:59:59.999999" : "%04d-12-31", (int)last);
    return true;
}

status draft_round(const struct draft_extent *extent, struct draft_column *column, struct arena *arena,
                   error *why)
{
    char lower[400], upper[400], *copy = NULL;
    bool rounded = false;
    if (!extent->any)
        return DITHER_OK;
    if (column->type == POLICY_DATE || column->type == POLICY_TIMESTAMP)
        rounded = round_years(extent, column->type == POLICY_TIMESTAMP, lower, upper);
    else if (column->type == POLICY_INTEGER || column->type == POLICY_REAL || column->type == POLICY_DECIMAL)
        rounded = round_numbers(extent, column->type == POLICY_INTEGER,
                                column->type == POLICY_DECIMAL ? column->scale : 12, lower, upper);
    if (!rounded)
        return DITHER_OK;
    TRY(arena_text(arena, lower, strlen(lower), &copy, why));
    column->lower = copy;
    TRY(arena_text(arena, upper, strlen(upper), &copy, why));
    column->upper = copy;
    return DITHER_OK;
}
