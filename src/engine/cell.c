#include "engine/cell.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/number.h"
#include "policy/calendar.h"

enum sql_type cell_type(enum policy_type type)
{
    static const enum sql_type types[] = {
        [POLICY_INTEGER] = SQL_INTEGER,     [POLICY_REAL] = SQL_REAL,       [POLICY_DECIMAL] = SQL_DECIMAL,
        [POLICY_TEXT] = SQL_TEXT,           [POLICY_BOOLEAN] = SQL_BOOLEAN, [POLICY_DATE] = SQL_DATE,
        [POLICY_TIMESTAMP] = SQL_TIMESTAMP,
    };
    return types[type];
}

/* sign digits [. digits], as units of 10^-scale; `most` is the largest absolute value that may be. */
static bool read_units(const char *text, int scale, uint64_t most_positive, uint64_t most_negative,
                       int64_t *out)
{
    bool negative = *text == '-', any = false;
    if (*text == '-' || *text == '+')
        text++;
    uint64_t units = 0, most = negative ? most_negative : most_positive;
    int places = -1; /* digits behind the point; -1 before it */
    for (; *text != '\0'; text++) {
        if (*text == '.' && places < 0 && scale > 0) {
            places = 0;
            continue;
        }
        if (*text < '0' || *text > '9')
            return false;
        any = true;
        if (places >= 0 && places++ >= scale) {
            if (*text != '0')
                return false;
            continue;
        }
        if (__builtin_mul_overflow(units, UINT64_C(10), &units) ||
            __builtin_add_overflow(units, (uint64_t)(*text - '0'), &units))
            return false;
    }
    for (int i = places < 0 ? 0 : places; i < scale; i++)
        if (__builtin_mul_overflow(units, UINT64_C(10), &units))
            return false;
    if (!any || units > most)
        return false;
    *out = negative ? (int64_t)(0 - units) : (int64_t)units;
    return true;
}

static bool read_real(const char *text, double *out)
{
    if (number_parse(text, NUMBER_NEAREST, out, NULL) == DITHER_OK)
        return true;
    bool negative = *text == '-';
    if (*text == '-' || *text == '+')
        text++;
    else if (strcasecmp(text, "nan") == 0) {
        *out = (double)NAN;
        return true;
    }
    if (strcasecmp(text, "inf") != 0 && strcasecmp(text, "infinity") != 0)
        return false;
    *out = negative ? -(double)INFINITY : (double)INFINITY;
    return true;
}

static bool read_boolean(const char *text, int64_t *out)
{
    static const char *const words[2][5] = {{"false", "f", "no", "n", "0"}, {"true", "t", "yes", "y", "1"}};
    for (int64_t value = 0; value < 2; value++)
        for (size_t i = 0; i < 5; i++)
            if (strcasecmp(text, words[value][i]) == 0) {
                *out = value;
                return true;
            }
    return false;
}

bool cell_read(const char *text, size_t length, enum sql_type type, int scale, struct sql_value *out)
{
    const uint64_t most_units = UINT64_C(999999999999999999);
    *out = (struct sql_value){.type = type, .scale = scale};
    switch (type) {
    case SQL_TEXT:
        out->text = text;
        return strlen(text) == length;
    case SQL_INTEGER:
        return read_units(text, 0, INT64_MAX, (uint64_t)INT64_MAX + 1, &out->whole);
    case SQL_DECIMAL:
        return read_units(text, scale, most_units, most_units, &out->whole);
    case SQL_REAL:
        return read_real(text, &out->real);
    case SQL_BOOLEAN:
        return read_boolean(text, &out->whole);
    case SQL_DATE:
        return calendar_read_date(text, &out->whole);
    case SQL_TIMESTAMP:
        return calendar_read_timestamp(text, &out->whole);
    case SQL_INTERVAL:
    case SQL_UNKNOWN:
        break;
    }
    return false;
}
