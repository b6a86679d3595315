#include "sql/civil.h"

#include <string.h>

bool civil_has_day(int64_t days)
{
    return days >= CIVIL_FIRST_DAY && days <= CIVIL_LAST_DAY;
}

bool civil_has_moment(int64_t microseconds)
{
    return microseconds >= CIVIL_FIRST_MOMENT && microseconds <= CIVIL_LAST_MOMENT;
}

static bool is_leap(int64_t year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

int civil_days_in_month(int64_t year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return month == 2 && is_leap(year) ? 29 : days[month - 1];
}

/* Counts in years that begin in March, so that the leap day is the last one: days since 0000-03-01. */
static int64_t days_from(int64_t year, int month, int day)
{
    year -= month <= 2;
    int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return year * 365 + year / 4 - year / 100 + year / 400 + day_of_year - 719468;
}

struct civil civil_of_day(int64_t days)
{
    int64_t shifted = days + 719468; /* since 0000-03-01: not negative within the years */
    int64_t era = shifted / 146097;
    int64_t of_era = shifted - era * 146097;
    int64_t year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t march_month = (5 * of_year + 2) / 153;
    int month = (int)(march_month < 10 ? march_month + 3 : march_month - 9);
    return (struct civil){.year = year_of_era + era * 400 + (month <= 2),
                          .month = month,
                          .day = (int)(of_year - (153 * march_month + 2) / 5 + 1),
                          .days = days};
}

static int64_t day_of_moment(int64_t microseconds)
{
    int64_t days = microseconds / CIVIL_DAY_MICROSECONDS;
    return days - (microseconds % CIVIL_DAY_MICROSECONDS < 0);
}

struct civil civil_of_moment(int64_t microseconds)
{
    int64_t days = day_of_moment(microseconds);
    struct civil civil = civil_of_day(days);
    civil.microsecond = microseconds - days * CIVIL_DAY_MICROSECONDS;
    return civil;
}

bool civil_day(int64_t year, int64_t month, int64_t day, int64_t *days)
{
    if (year < 1 || year > 9999 || month < 1 || month > 12 || day < 1 ||
        day > civil_days_in_month(year, (int)month))
        return false;
    *days = days_from(year, (int)month, (int)day);
    return true;
}

bool civil_add(int64_t moment, int64_t months, int64_t days, int64_t microseconds, int64_t *out)
{
    if (!civil_has_moment(moment))
        return false;
    struct civil civil = civil_of_moment(moment);
    int64_t month = civil.year * 12 + (civil.month - 1) + months; /* months are 32 bits wide */
    if (month < 12 || month / 12 > 9999)
        return false;
    int64_t year = month / 12;
    int in_year = (int)(month % 12) + 1;
    int last = civil_days_in_month(year, in_year);
    int64_t day = days_from(year, in_year, civil.day < last ? civil.day : last) + days;
    if (!civil_has_day(day))
        return false;
    int64_t sum;
    if (__builtin_add_overflow(day * CIVIL_DAY_MICROSECONDS + civil.microsecond, microseconds, &sum) ||
        !civil_has_moment(sum))
        return false;
    *out = sum;
    return true;
}

int civil_weekday(int64_t days)
{
    int64_t since_monday = (days + 3) % 7; /* 1970-01-01 was a Thursday */
    return (int)(since_monday < 0 ? since_monday + 7 : since_monday) + 1;
}

int civil_week(int64_t days, int64_t *year)
{
    /* A week belongs to the year of its Thursday. */
    int64_t thursday = days - civil_weekday(days) + 4;
    struct civil civil = civil_of_day(thursday);
    if (year != NULL)
        *year = civil.year;
    return (int)((thursday - days_from(civil.year, 1, 1)) / 7) + 1;
}

/* Units of a fixed length, counted from midnight. */
static int64_t length_of(const char *unit)
{
    static const struct {
        const char *name;
        int64_t microseconds;
    } lengths[] = {{"microseconds", 1},  {"milliseconds", 1000}, {"second", 1000000},
                   {"minute", 60000000}, {"hour", 3600000000},   {"day", CIVIL_DAY_MICROSECONDS}};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        if (strcmp(unit, lengths[i].name) == 0)
            return lengths[i].microseconds;
    return 0;
}

/* The first day of the unit that holds the day; false for an unknown unit. */
static bool first_day(const char *unit, struct civil civil, int64_t *day)
{
    int64_t year = civil.year;
    int month = 1;
    if (strcmp(unit, "week") == 0) {
        *day = civil.days - civil_weekday(civil.days) + 1;
        return true;
    }
    if (strcmp(unit, "month") == 0)
        month = civil.month;
    else if (strcmp(unit, "quarter") == 0)
        month = (civil.month - 1) / 3 * 3 + 1;
    else if (strcmp(unit, "decade") == 0)
        year = year / 10 * 10;
    else if (strcmp(unit, "century") == 0)
        year = (year - 1) / 100 * 100 + 1;
    else if (strcmp(unit, "millennium") == 0)
        year = (year - 1) / 1000 * 1000 + 1;
    else if (strcmp(unit, "year") != 0)
        return false;
    *day = days_from(year, month, 1);
    return true;
}

bool civil_trunc(const char *unit, size_t length, int64_t moment, int64_t *out)
{
    char name[16];
    if (length >= sizeof name || !civil_has_moment(moment))
        return false;
    memcpy(name, unit, length);
    name[length] = '\0';
    struct civil civil = civil_of_moment(moment);
    int64_t fixed = length_of(name);
    if (fixed > 0) {
        *out = moment - civil.microsecond % fixed;
        return true;
    }
    int64_t day;
    if (!first_day(name, civil, &day) || !civil_has_day(day))
        return false;
    *out = day * CIVIL_DAY_MICROSECONDS;
    return true;
}
