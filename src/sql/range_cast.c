#include <float.h>
#include <math.h>

#include "sql/civil.h"
#include "sql/range.h"
#include "sql/text_form.h"

__extension__ typedef __int128 wide;

/* Outside every type. */
#define BEYOND ((wide)1 << 100)

static wide power_of_ten(int exponent)
{
    wide power = 1;
    while (exponent-- > 0)
        power *= 10;
    return power;
}

/* units * 10^(to - from), rounded half away from zero. */
static wide rescale(wide units, int from, int to)
{
    if (to >= from)
        return units * power_of_ten(to - from);
    wide divisor = power_of_ten(from - to), half = divisor / 2;
    return (units < 0 ? units - half : units + half) / divisor;
}

static struct sql_range cut(wide lower, wide upper, wide most, bool *fails)
{
    wide least = most == INT64_MAX ? INT64_MIN : -most;
    *fails = lower < least || upper > most;
    lower = lower < least ? least : lower > most ? most : lower;
    upper = upper > most ? most : upper < least ? least : upper;
    return range_whole((int64_t)lower, (int64_t)upper);
}

/* Units of 10^-scale around a real, or as far as the type goes. */
static wide units_around(double value, int scale, bool up)
{
    double scaled = value * (double)power_of_ten(scale);
    if (!(fabs(scaled) < 9e18))
        return scaled < 0 ? -BEYOND : BEYOND;
    /* Fifteen digits are kept of a real, and the product is rounded: the margin covers what both move. */
    double margin = fabs(scaled) * 4e-15;
    return (wide)(up ? floor(scaled + margin + 0.5) : ceil(scaled - margin - 0.5));
}

static struct sql_range from_real(const struct sql_range *range, enum sql_type type, int scale, bool *fails)
{
    wide lower, upper;
    if (type == SQL_INTEGER) {
        bool inside = range->real_lower >= -0x1p63 && range->real_upper < 0x1p63;
        lower = inside ? (wide)floor(range->real_lower) : -BEYOND;
        upper = inside ? (wide)ceil(range->real_upper) : BEYOND;
        return cut(lower, upper, INT64_MAX, fails);
    }
    lower = units_around(range->real_lower, scale, false);
    upper = units_around(range->real_upper, scale, true);
    return cut(lower, upper, RANGE_MOST_UNITS, fails);
}

static struct sql_range to_real(const struct sql_range *range, int scale)
{
    double lower = text_form_decimal_real(range->lower, scale);
    double upper = text_form_decimal_real(range->upper, scale);
    const int64_t exact = (int64_t)1 << 53;
    bool is_exact = scale == 0 && range->lower >= -exact && range->upper <= exact;
    return is_exact ? range_real(lower, upper)
                    : range_real(nextafter(lower, -INFINITY), nextafter(upper, INFINITY));
}

static int64_t day_of(int64_t moment)
{
    return moment / CIVIL_DAY_MICROSECONDS - (moment % CIVIL_DAY_MICROSECONDS < 0);
}

static struct sql_range moments_of_days(const struct sql_range *range, bool *fails)
{
    *fails = !civil_has_day(range->lower) || !civil_has_day(range->upper);
    if (*fails)
        return (struct sql_range){0};
    return range_whole(range->lower * CIVIL_DAY_MICROSECONDS, range->upper * CIVIL_DAY_MICROSECONDS);
}

struct sql_range range_cast(const struct sql_expression *from, enum sql_type type, int scale, bool *fails)
{
    const struct sql_range *range = &from->range;
    enum sql_type source = from->type;
    bool number = source == SQL_INTEGER || source == SQL_DECIMAL;
    /* What cannot fail, whatever the value is. */
    *fails = !(type == SQL_TEXT || source == SQL_BOOLEAN || (source == SQL_TIMESTAMP && type == SQL_DATE) ||
               (source == SQL_INTEGER && type == SQL_BOOLEAN) || (number && type == SQL_REAL));
    if (type == SQL_BOOLEAN || source == SQL_BOOLEAN)
        return type == SQL_TEXT ? (struct sql_range){0} : range_whole(0, 1);
    if (!range->known || type == SQL_TEXT)
        return (struct sql_range){0};
    if (source == SQL_REAL && (type == SQL_INTEGER || type == SQL_DECIMAL))
        return from_real(range, type, scale, fails);
    if (number && type == SQL_REAL)
        return to_real(range, from->scale);
    if (number && (type == SQL_INTEGER || type == SQL_DECIMAL))
        return cut(rescale(range->lower, from->scale, scale), rescale(range->upper, from->scale, scale),
                   type == SQL_DECIMAL ? RANGE_MOST_UNITS : INT64_MAX, fails);
    if (source == SQL_DATE && type == SQL_TIMESTAMP)
        return moments_of_days(range, fails);
    if (source == SQL_TIMESTAMP && type == SQL_DATE)
        return range_whole(day_of(range->lower), day_of(range->upper));
    return (struct sql_range){0};
}
