#include "sql/value.h"

#include <assert.h>
#include <math.h>
#include <string.h>

const char *sql_type_name(enum sql_type type)
{
    switch (type) {
    case SQL_UNKNOWN:
        return "unknown";
    case SQL_BOOLEAN:
        return "boolean";
    case SQL_INTEGER:
        return "bigint";
    case SQL_DECIMAL:
        return "numeric";
    case SQL_REAL:
        return "double precision";
    case SQL_TEXT:
        return "text";
    case SQL_DATE:
        return "date";
    case SQL_TIMESTAMP:
        return "timestamp";
    case SQL_INTERVAL:
        return "interval";
    }
    assert(!"a type without a name");
    return "";
}

static int compare_wholes(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int compare_reals(double a, double b)
{
    if (isnan(a) || isnan(b))
        return (isnan(a) != 0) - (isnan(b) != 0);
    return (a > b) - (a < b);
}

/* Units of different scales: 1.50 and 1.5 are one value. Whole parts first, then the rests, both brought to
 * eighteen places, so that nothing overflows. */
static int compare_decimals(const struct sql_value *a, const struct sql_value *b)
{
    static const int places = 18;
    const struct sql_value *values[2] = {a, b};
    int64_t whole[2], rest[2];
    for (int i = 0; i < 2; i++) {
        assert(values[i]->scale >= 0 && values[i]->scale <= places);
        int64_t unit = 1, up = 1;
        for (int place = 0; place < places; place++)
            *(place < values[i]->scale ? &unit : &up) *= 10;
        whole[i] = values[i]->whole / unit;
        rest[i] = values[i]->whole % unit * up;
    }
    int order = compare_wholes(whole[0], whole[1]);
    return order != 0 ? order : compare_wholes(rest[0], rest[1]);
}

/* As PostgreSQL orders intervals: a month is 30 days, a day 24 hours. Those that are equal so are told apart
 * by their parts, which makes the order total. */
static int compare_intervals(const struct sql_value *a, const struct sql_value *b)
{
    const int64_t day = INT64_C(86400000000);
    int64_t days_a = (int64_t)a->months * 30 + a->days + a->whole / day;
    int64_t days_b = (int64_t)b->months * 30 + b->days + b->whole / day;
    /* The rest of a day may be negative in one and positive in the other: bring both to 0 .. day - 1. */
    int64_t rest_a = a->whole % day, rest_b = b->whole % day;
    days_a -= rest_a < 0;
    days_b -= rest_b < 0;
    rest_a += rest_a < 0 ? day : 0;
    rest_b += rest_b < 0 ? day : 0;
    int order = compare_wholes(days_a, days_b);
    order = order != 0 ? order : compare_wholes(rest_a, rest_b);
    order = order != 0 ? order : compare_wholes(a->months, b->months);
    return order != 0 ? order : compare_wholes(a->days, b->days);
}

int sql_value_compare(const struct sql_value *a, const struct sql_value *b)
{
    if (a->null || b->null)
        return (int)b->null - (int)a->null;
    assert(a->type == b->type);
    switch (a->type) {
    case SQL_UNKNOWN:
    case SQL_TEXT: {
        int order = strcmp(a->text, b->text); /* unsigned bytes */
        return (order > 0) - (order < 0);
    }
    case SQL_REAL:
        return compare_reals(a->real, b->real);
    case SQL_DECIMAL:
        return compare_decimals(a, b);
    case SQL_INTERVAL:
        return compare_intervals(a, b);
    case SQL_BOOLEAN:
    case SQL_INTEGER:
    case SQL_DATE:
    case SQL_TIMESTAMP:
        break;
    }
    return compare_wholes(a->whole, b->whole);
}
