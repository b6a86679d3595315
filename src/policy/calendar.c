#include "policy/calendar.h"

#include <string.h>

/* Takes `count` digits; -1 when they are not there. */
static int64_t take_digits(const char **text, int count)
{
    int64_t value = 0;
    for (int i = 0; i < count; i++, (*text)++) {
        if (**text < '0' || **text > '9')
            return -1;
        value = value * 10 + (**text - '0');
    }
    return value;
}

static bool take(const char **text, char byte)
{
    if (**text != byte)
        return false;
    (*text)++;
    return true;
}

static bool is_leap(int64_t year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* Days before the first of January of the year, counted from year 1. */
static int64_t days_before(int64_t year)
{
    int64_t past = year - 1;
    return past * 365 + past / 4 - past / 100 + past / 400;
}

static bool take_date(const char **text, int64_t *days)
{
    static const int length[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int64_t year = take_digits(text, 4);
    if (year < 1 || !take(text, '-'))
        return false;
    int64_t month = take_digits(text, 2);
    if (month < 1 || month > 12 || !take(text, '-'))
        return false;
    int64_t day = take_digits(text, 2);
    if (day < 1 || day > length[month - 1] + (month == 2 && is_leap(year)))
        return false;
    int64_t count = days_before(year) + day - 1;
    for (int64_t i = 0; i < month - 1; i++)
        count += length[i] + (i == 1 && is_leap(year));
    *days = count - days_before(1970);
    return true;
}

bool calendar_read_date(const char *text, int64_t *days)
{
    int64_t count = 0;
    if (!take_date(&text, &count) || *text != '\0')
        return false;
    *days = count;
    return true;
}

/* ".5" is 500000 microseconds; at most six digits. */
static bool take_fraction(const char **text, int64_t *microseconds)
{
    int digits = 0;
    int64_t value = 0;
    for (; **text >= '0' && **text <= '9'; (*text)++, digits++) {
        if (digits == 6)
            return false;
        value = value * 10 + (**text - '0');
    }
    for (int i = digits; i < 6; i++)
        value *= 10;
    *microseconds = value;
    return digits > 0;
}

static bool take_time(const char **text, int64_t *microseconds)
{
    int64_t hour = take_digits(text, 2), minute = 0, second = 0, fraction = 0;
    if (hour < 0 || hour > 23 || !take(text, ':'))
        return false;
    minute = take_digits(text, 2);
    if (minute < 0 || minute > 59)
        return false;
    if (take(text, ':')) {
        second = take_digits(text, 2);
        if (second < 0 || second > 59 || (take(text, '.') && !take_fraction(text, &fraction)))
            return false;
    }
    *microseconds = ((hour * 60 + minute) * 60 + second) * 1000000 + fraction;
    return true;
}

bool calendar_read_timestamp(const char *text, int64_t *microseconds)
{
    int64_t days = 0, time = 0;
    if (!take_date(&text, &days))
        return false;
    if ((take(&text, ' ') || take(&text, 'T')) && !take_time(&text, &time))
        return false;
    if (*text != '\0')
        return false;
    *microseconds = days * 86400 * 1000000 + time;
    return true;
}
