#include "sql/range.h"

#include <float.h>
#include <math.h>

__extension__ typedef __int128 wide;

struct sql_range range_whole(int64_t lower, int64_t upper)
{
    return (struct sql_range){.known = true, .lower = lower, .upper = upper};
}

struct sql_range range_real(double lower, double upper)
{
    if (isnan(lower) || isnan(upper))
        return (struct sql_range){0};
    return (struct sql_range){.known = true, .real_lower = lower, .real_upper = upper};
}

struct sql_range range_of_value(const struct sql_value *value)
{
    if (value->null || value->type == SQL_TEXT || value->type == SQL_UNKNOWN || value->type == SQL_INTERVAL)
        return (struct sql_range){0};
    return value->type == SQL_REAL ? range_real(value->real, value->real)
                                   : range_whole(value->whole, value->whole);
}

struct sql_range range_union(enum sql_type type, struct sql_range a, struct sql_range b)
{
    if (!a.known || !b.known)
        return (struct sql_range){0};
    if (type == SQL_REAL)
        return range_real(fmin(a.real_lower, b.real_lower), fmax(a.real_upper, b.real_upper));
    return range_whole(a.lower < b.lower ? a.lower : b.lower, a.upper > b.upper ? a.upper : b.upper);
}

/* The bounds of a type that is counted in whole numbers. */
static wide most_of(enum sql_type type)
{
    return type == SQL_DECIMAL ? RANGE_MOST_UNITS : INT64_MAX;
}

static wide least_of(enum sql_type type)
{
    return type == SQL_DECIMAL ? -(wide)RANGE_MOST_UNITS : INT64_MIN;
}

/* What is outside the type is NULL: the range is cut, and says that it was. */
static void set_whole(struct sql_outcome *outcome, enum sql_type type, wide lower, wide upper)
{
    wide least = least_of(type), most = most_of(type);
    outcome->fails = lower < least || upper > most;
    lower = lower < least ? least : lower > most ? most : lower;
    upper = upper > most ? most : upper < least ? least : upper;
    outcome->range = range_whole((int64_t)lower, (int64_t)upper);
}

static void set_real(struct sql_outcome *outcome, double lower, double upper)
{
    if (isnan(lower) || isnan(upper))
        return;
    lower = nextafter(lower, -INFINITY);
    upper = nextafter(upper, INFINITY);
    outcome->fails = lower < -DBL_MAX || upper > DBL_MAX;
    outcome->range = range_real(fmin(fmax(lower, -DBL_MAX), DBL_MAX), fmax(fmin(upper, DBL_MAX), -DBL_MAX));
}

static bool both_known(const struct sql_expression *const *arguments, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!arguments[i]->range.known)
            return false;
    return true;
}

void range_add(const struct sql_expression *const *arguments, size_t count, struct sql_outcome *outcome)
{
    if (!both_known(arguments, count))
        return;
    const struct sql_range *a = &arguments[0]->range, *b = &arguments[1]->range;
    if (arguments[0]->type == SQL_REAL)
        set_real(outcome, a->real_lower + b->real_lower, a->real_upper + b->real_upper);
    else
        set_whole(outcome, arguments[0]->type, (wide)a->lower + b->lower, (wide)a->upper + b->upper);
}

void range_subtract(const struct sql_expression *const *arguments, size_t count, struct sql_outcome *outcome)
{
    if (!both_known(arguments, count))
        return;
    const struct sql_range *a = &arguments[0]->range, *b = &arguments[1]->range;
    if (arguments[0]->type == SQL_REAL)
        set_real(outcome, a->real_lower - b->real_upper, a->real_upper - b->real_lower);
    else
        set_whole(outcome, arguments[0]->type, (wide)a->lower - b->upper, (wide)a->upper - b->lower);
}

/* The least and largest of four corners. */
static void set_real_corners(struct sql_outcome *outcome, const double corners[4])
{
    double lower = corners[0], upper = corners[0];
    for (int i = 0; i < 4; i++) {
        if (isnan(corners[i]))
            return;
        lower = fmin(lower, corners[i]);
        upper = fmax(upper, corners[i]);
    }
    set_real(outcome, lower, upper);
}

static void set_whole_corners(struct sql_outcome *outcome, const wide corners[4])
{
    wide lower = corners[0], upper = corners[0];
    for (int i = 1; i < 4; i++) {
        lower = corners[i] < lower ? corners[i] : lower;
        upper = corners[i] > upper ? corners[i] : upper;
    }
    set_whole(outcome, SQL_INTEGER, lower, upper);
}

/* A product of reals that are not zero but too small fails, as PostgreSQL has it: only far from zero it cannot. */
static bool may_underflow(const struct sql_range *range)
{
    return range->real_lower < 1e-150 && range->real_upper > -1e-150 &&
           (range->real_lower != 0 || range->real_upper != 0);
}

void range_multiply(const struct sql_expression *const *arguments, size_t count, struct sql_outcome *outcome)
{
    if (!both_known(arguments, count))
        return;
    const struct sql_range *a = &arguments[0]->range, *b = &arguments[1]->range;
    if (arguments[0]->type != SQL_REAL) {
        set_whole_corners(outcome, (wide[]){(wide)a->lower * b->lower, (wide)a->lower * b->upper,
                                            (wide)a->upper * b->lower, (wide)a->upper * b->upper});
        return;
    }
    set_real_corners(outcome, (double[]){a->real_lower * b->real_lower, a->real_lower * b->real_upper,
                                         a->real_upper * b->real_lower, a->real_upper * b->real_upper});
    /* One factor that stays away from zero by a wide margin keeps every product of ordinary values apart. */
    outcome->fails |= may_underflow(a) && may_underflow(b);
}

void range_divide(const struct sql_expression *const *arguments, size_t count, struct sql_outcome *outcome)
{
    if (!both_known(arguments, count))
        return;
    const struct sql_range *a = &arguments[0]->range, *b = &arguments[1]->range;
    if (arguments[0]->type == SQL_REAL) {
        if (b->real_lower <= 0 && b->real_upper >= 0)
            return;
        set_real_corners(outcome, (double[]){a->real_lower / b->real_lower, a->real_lower / b->real_upper,
                                             a->real_upper / b->real_lower, a->real_upper / b->real_upper});
        return;
    }
    if (b->lower <= 0 && b->upper >= 0) {
        /* Division by a whole number never leads away from zero; by zero it is NULL. */
        wide far = -(wide)a->lower > a->upper ? -(wide)a->lower : a->upper;
        set_whole(outcome, SQL_INTEGER, -far, far);
        outcome->fails = true;
        return;
    }
    set_whole_corners(outcome, (wide[]){(wide)a->lower / b->lower, (wide)a->lower / b->upper,
                                        (wide)a->upper / b->lower, (wide)a->upper / b->upper});
}

void range_modulo(const struct sql_expression *const *arguments, size_t count, struct sql_outcome *outcome)
{
    (void)count;
    const struct sql_range *a = &arguments[0]->range, *b = &arguments[1]->range;
    if (!b->known)
        return;
    wide far = -(wide)b->lower > b->upper ? -(wide)b->lower : b->upper;
    wide most = far > 0 ? far - 1 : 0;
    wide lower = -most, upper = most;
    if (a->known) { /* the sign of the dividend, and not beyond it */
        wide least = a->lower < 0 ? a->lower : 0, largest = a->upper > 0 ? a->upper : 0;
        lower = lower < least ? least : lower;
        upper = upper > largest ? largest : upper;
    }
    set_whole(outcome, SQL_INTEGER, lower, upper);
    outcome->fails = b->lower <= 0 && b->upper >= 0;
}

void range_negate(const struct sql_expression *const *arguments, size_t count, struct sql_outcome *outcome)
{
    (void)count;
    const struct sql_range *a = &arguments[0]->range;
    if (!a->known)
        return;
    if (arguments[0]->type == SQL_REAL)
        outcome->range = range_real(-a->real_upper, -a->real_lower), outcome->fails = false;
    else
        set_whole(outcome, arguments[0]->type, -(wide)a->upper, -(wide)a->lower);
}

void range_absolute(const struct sql_expression *const *arguments, size_t count, struct sql_outcome *outcome)
{
    (void)count;
    const struct sql_range *a = &arguments[0]->range;
    if (arguments[0]->type == SQL_REAL) {
        outcome->fails = false;
        if (a->known)
            outcome->range = range_real(
                a->real_lower <= 0 && a->real_upper >= 0 ? 0 : fmin(fabs(a->real_lower), fabs(a->real_upper)),
                fmax(fabs(a->real_lower), fabs(a->real_upper)));
        return;
    }
    if (!a->known)
        return;
    wide low = a->lower < 0 ? -(wide)a->lower : a->lower, high = a->upper < 0 ? -(wide)a->upper : a->upper;
    wide least = a->lower <= 0 && a->upper >= 0 ? 0 : low < high ? low : high;
    set_whole(outcome, arguments[0]->type, least, low > high ? low : high);
}

void range_union_all(const struct sql_expression *const *arguments, size_t count, struct sql_outcome *outcome)
{
    struct sql_range all = arguments[0]->range;
    for (size_t i = 1; i < count; i++)
        all = range_union(arguments[0]->type, all, arguments[i]->range);
    outcome->range = all;
}

/* ---- greatest and least ----
 *
 * greatest leaves NULLs out: it is at least every lower bound of an argument that is never NULL. So
 * greatest(least(x, 1000), 0) has bounds although x has none: each side is followed on its own. */

static struct sql_range outer(struct sql_range a, struct sql_range b, bool lower)
{
    if (lower ? b.lower < a.lower : b.lower > a.lower)
        a.lower = b.lower;
    if (lower ? b.real_lower < a.real_lower : b.real_lower > a.real_lower)
        a.real_lower = b.real_lower;
    return a;
}

static bool side_of_extreme(const struct sql_expression *const *arguments, size_t count, bool greatest,
                            bool lower, struct sql_range *out);

/* One bound of an expression, in `lower` and `real_lower` of `out`. */
static bool side_of(const struct sql_expression *expression, bool lower, struct sql_range *out)
{
    const struct sql_range *range = &expression->range;
    if (range->known) {
        out->lower = lower ? range->lower : range->upper;
        out->real_lower = lower ? range->real_lower : range->real_upper;
        return true;
    }
    bool greatest = sql_is_call(expression, "greatest");
    if (!greatest && !sql_is_call(expression, "least"))
        return false;
    return side_of_extreme(expression->arguments, expression->argument_count, greatest, lower, out);
}

/* One argument that is never NULL is enough for the side to which the function pushes; for the other all of them
 * are needed. */
static bool side_of_extreme(const struct sql_expression *const *arguments, size_t count, bool greatest,
                            bool lower, struct sql_range *out)
{
    struct sql_range all = {0}, pushed = {0};
    size_t known = 0, sure = 0;
    for (size_t i = 0; i < count; i++) {
        struct sql_range one = {0};
        if (!side_of(arguments[i], lower, &one))
            continue;
        all = known++ == 0 ? one : outer(all, one, lower);
        if (greatest == lower && !arguments[i]->nullable)
            pushed = sure++ == 0 ? one : outer(pushed, one, !lower);
    }
    *out = sure > 0 ? pushed : all;
    return sure > 0 || known == count;
}

static void set_extreme(const struct sql_expression *const *arguments, size_t count, bool greatest,
                        struct sql_outcome *outcome)
{
    struct sql_range lower = {0}, upper = {0};
    if (!side_of_extreme(arguments, count, greatest, true, &lower) ||
        !side_of_extreme(arguments, count, greatest, false, &upper))
        return;
    outcome->range = arguments[0]->type == SQL_REAL ? range_real(lower.real_lower, upper.real_lower)
                                                    : range_whole(lower.lower, upper.lower);
}

void range_greatest(const struct sql_expression *const *arguments, size_t count, struct sql_outcome *outcome)
{
    set_extreme(arguments, count, true, outcome);
}

void range_least(const struct sql_expression *const *arguments, size_t count, struct sql_outcome *outcome)
{
    set_extreme(arguments, count, false, outcome);
}

void range_first(const struct sql_expression *const *arguments, size_t count, struct sql_outcome *outcome)
{
    (void)count;
    outcome->range = arguments[0]->range;
}
