#include "local/period.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "sql/civil.h"

enum { DAY_SECONDS = 86400, SINCE_MONDAY = 3 /* 1970-01-01 was a Thursday */ };

static const struct {
    const char *name;
    int months; /* 0: not counted in months */
} kinds[PERIOD_KINDS] = {
    [PERIOD_ONCE] = {"once", 0},           [PERIOD_DAILY] = {"daily", 0},
    [PERIOD_WEEKLY] = {"weekly", 0},       [PERIOD_MONTHLY] = {"monthly", 1},
    [PERIOD_QUARTERLY] = {"quarterly", 3}, [PERIOD_YEARLY] = {"yearly", 12},
};

const char *period_kind_name(enum period_kind kind)
{
    assert(kind < PERIOD_KINDS);
    return kinds[kind].name;
}

/* Towards minus infinity. */
static int64_t floor_divide(int64_t number, int64_t by)
{
    return number / by - (number % by < 0);
}

static int32_t period_of_day(enum period_kind kind, int64_t day)
{
    if (kind == PERIOD_ONCE)
        return 0;
    if (kind == PERIOD_DAILY)
        return (int32_t)day;
    if (kind == PERIOD_WEEKLY)
        return (int32_t)floor_divide(day + SINCE_MONDAY, 7);
    struct civil civil = civil_of_day(day);
    return (int32_t)floor_divide((civil.year - 1970) * 12 + civil.month - 1, kinds[kind].months);
}

int32_t period_at(enum period_kind kind, int64_t seconds)
{
    assert(kind < PERIOD_KINDS);
    int64_t day = floor_divide(seconds, DAY_SECONDS);
    if (!civil_has_day(day))
        day = day < 0 ? CIVIL_FIRST_DAY : CIVIL_LAST_DAY;
    return period_of_day(kind, day);
}

/* The first day of the period; beyond the calendar, its end. */
static int64_t first_day(enum period_kind kind, int32_t period)
{
    int64_t day = period;
    if (kind == PERIOD_WEEKLY)
        day = (int64_t)period * 7 - SINCE_MONDAY;
    if (kinds[kind].months > 0) {
        int64_t month = (int64_t)period * kinds[kind].months, year = floor_divide(month, 12);
        if (!civil_day(1970 + year, month - 12 * year + 1, 1, &day))
            day = year < 0 ? CIVIL_FIRST_DAY : CIVIL_LAST_DAY;
    }
    if (!civil_has_day(day))
        day = day < 0 ? CIVIL_FIRST_DAY : CIVIL_LAST_DAY;
    return day;
}

void period_print(enum period_kind kind, int32_t period, char text[PERIOD_TEXT])
{
    assert(kind < PERIOD_KINDS);
    if (kind == PERIOD_ONCE) {
        memcpy(text, "all", 4);
        return;
    }
    struct civil civil = civil_of_day(first_day(kind, period));
    snprintf(text, PERIOD_TEXT, "%04d-%02d-%02d", (int)civil.year % 10000, civil.month % 100,
             civil.day % 100);
}
