/* civil.h - days and microseconds as year, month, day and time, and back.
 *
 * The Gregorian calendar, also before its time, years 1 to 9999: what lies outside is no date for Dither, and
 * whatever would lead there is NULL. */
#ifndef SQL_CIVIL_H
#define SQL_CIVIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CIVIL_FIRST_DAY        (-719162) /* 0001-01-01 */
#define CIVIL_LAST_DAY         2932896   /* 9999-12-31 */
#define CIVIL_DAY_MICROSECONDS 86400000000
#define CIVIL_FIRST_MOMENT     (CIVIL_FIRST_DAY * CIVIL_DAY_MICROSECONDS)
#define CIVIL_LAST_MOMENT      (CIVIL_LAST_DAY * CIVIL_DAY_MICROSECONDS + (CIVIL_DAY_MICROSECONDS - 1))

struct civil {
    int64_t year;
    int month, day;      /* from 1 */
    int64_t days;        /* since 1970-01-01 */
    int64_t microsecond; /* of the day */
};

bool civil_has_day(int64_t days);
bool civil_has_moment(int64_t microseconds);

/* Of a day, or of a moment, that is within the years. */
struct civil civil_of_day(int64_t days);
struct civil civil_of_moment(int64_t microseconds);

int civil_days_in_month(int64_t year, int month);

/* False for a day that does not exist. */
bool civil_day(int64_t year, int64_t month, int64_t day, int64_t *days);

/* The moment plus months, then days, then microseconds, as PostgreSQL adds an interval: the 31st becomes the
 * month's last day. False outside the years. */
bool civil_add(int64_t moment, int64_t months, int64_t days, int64_t microseconds, int64_t *out);

/* The first moment of the "month", "week", "century" ... (PostgreSQL's units, "microseconds" to "millennium"). False
 * for an unknown unit, or when that lies before year 1. */
bool civil_trunc(const char *unit, size_t length, int64_t moment, int64_t *out);

/* Monday is 1, Sunday 7. */
int civil_weekday(int64_t days);

/* The ISO week and the year that it belongs to. */
int civil_week(int64_t days, int64_t *year);

#endif
