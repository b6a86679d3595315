/* Dates and moments of the years 1 to 9999; whatever lies or leads outside, infinity too, is NULL. */
#include <stdio.h>
#include <string.h>

#include "engine/duckdb_functions_parts.h"
#include "sql/civil.h"
#include "sql/text_form.h"

/* ---- Arithmetic ---- */

static bool set_day(int64_t days, struct cell *out)
{
    out->whole = days;
    return civil_has_day(days);
}

static bool add_days(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    int64_t sum;
    return civil_has_day(arguments[0].whole) &&
           !__builtin_add_overflow(arguments[0].whole, arguments[1].whole, &sum) && set_day(sum, out);
}

static bool subtract_days(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    int64_t difference;
    return civil_has_day(arguments[0].whole) &&
           !__builtin_sub_overflow(arguments[0].whole, arguments[1].whole, &difference) &&
           set_day(difference, out);
}

static bool days_between(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    out->whole = arguments[0].whole - arguments[1].whole;
    return civil_has_day(arguments[0].whole) && civil_has_day(arguments[1].whole);
}

static bool add_interval(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    const struct cell *by = &arguments[1];
    return civil_add(arguments[0].whole, by->months, by->days, by->whole, &out->whole);
}

static bool subtract_interval(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    const struct cell *by = &arguments[1];
    return by->whole != INT64_MIN &&
           civil_add(arguments[0].whole, -(int64_t)by->months, -(int64_t)by->days, -by->whole, &out->whole);
}

/* Days, and what is left of one, with one sign. */
static bool time_between(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    if (!civil_has_moment(arguments[0].whole) || !civil_has_moment(arguments[1].whole))
        return false;
    int64_t difference = arguments[0].whole - arguments[1].whole;
    out->days = (int32_t)(difference / CIVIL_DAY_MICROSECONDS);
    out->whole = difference % CIVIL_DAY_MICROSECONDS;
    return true;
}

static bool date_trunc(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    return civil_trunc(arguments[0].text, arguments[0].length, arguments[1].whole, &out->whole);
}

static bool make_date(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    return civil_day(arguments[0].whole, arguments[1].whole, arguments[2].whole, &out->whole);
}

static bool moment_of(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    out->whole = arguments->whole;
    return civil_has_moment(arguments->whole);
}

/* ---- Fields ---- */

static int64_t day_of_year(const struct civil *civil)
{
    int64_t first = 0;
    bool found = civil_day(civil->year, 1, 1, &first);
    return found ? civil->days - first + 1 : 0;
}

static int64_t week_year(const struct civil *civil)
{
    int64_t year = 0;
    civil_week(civil->days, &year);
    return year;
}

/* One function for each field: `expression` of a struct civil. */
#define FIELD(name, expression)                                                                              \
    static bool extract_##name(const struct cell *arguments, const struct cell_room *room, struct cell *out) \
    {                                                                                                        \
        (void)room;                                                                                          \
        if (!civil_has_moment(arguments->whole))                                                             \
            return false;                                                                                    \
        const struct civil civil = civil_of_moment(arguments->whole);                                        \
        out->whole = (expression);                                                                           \
        return true;                                                                                         \
    }
FIELD(year, civil.year)
FIELD(isoyear, week_year(&civil))
FIELD(quarter, (civil.month - 1) / 3 + 1)
FIELD(month, civil.month)
FIELD(week, civil_week(civil.days, NULL))
FIELD(day, civil.day)
FIELD(doy, day_of_year(&civil))
FIELD(dow, civil_weekday(civil.days) % 7)
FIELD(isodow, civil_weekday(civil.days))
FIELD(hour, civil.microsecond / 3600000000)
FIELD(minute, civil.microsecond / 60000000 % 60)
FIELD(decade, civil.year / 10)
FIELD(century, (civil.year + 99) / 100)
FIELD(millennium, (civil.year + 999) / 1000)
FIELD(microseconds, civil.microsecond % 60000000)

static bool extract_second(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    if (!extract_microseconds(arguments, room, out))
        return false;
    out->real = text_form_decimal_real(out->whole, 6);
    return true;
}

static bool extract_milliseconds(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    if (!extract_microseconds(arguments, room, out))
        return false;
    out->real = text_form_decimal_real(out->whole, 3);
    return true;
}

static bool extract_epoch(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    out->real = text_form_decimal_real(arguments->whole, 6);
    return civil_has_moment(arguments->whole);
}

/* Of an interval: hours are not carried into days. */
static bool interval_day(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    out->whole = arguments->days;
    return true;
}

static bool interval_hour(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    out->whole = arguments->whole / 3600000000;
    return true;
}

static bool interval_minute(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    out->whole = arguments->whole / 60000000 % 60;
    return true;
}

static bool interval_second(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    out->real = text_form_decimal_real(arguments->whole % 60000000, 6);
    return true;
}

/* A year has 365.25 days there, a month 30. */
static bool interval_epoch(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    (void)room;
    int64_t quarter_days = (int64_t)1461 * (arguments->months / 12) +
                           (int64_t)120 * (arguments->months % 12) + (int64_t)4 * arguments->days;
    int64_t microseconds;
    if (__builtin_mul_overflow(quarter_days, CIVIL_DAY_MICROSECONDS / 4, &microseconds) ||
        __builtin_add_overflow(microseconds, arguments->whole, &microseconds))
        return false;
    out->real = text_form_decimal_real(microseconds, 6);
    return true;
}

/* ---- to_char ---- */

/* The number of a part of a format, and its digits; the length of the part, 0 for a character that stands for
 * itself. */
static size_t read_part(const char *at, size_t left, const struct civil *civil, int64_t *number, int *digits)
{
    const int64_t second = civil->microsecond / 1000000;
    const struct {
        const char *name;
        int digits;
        int64_t number;
    } parts[] = {
        {"YYYY", 4, civil->year},
        {"IYYY", 4, week_year(civil)},
        {"HH24", 2, second / 3600},
        {"MM", 2, civil->month},
        {"DDD", 3, day_of_year(civil)},
        {"DD", 2, civil->day},
        {"MI", 2, second / 60 % 60},
        {"SS", 2, second % 60},
        {"IW", 2, civil_week(civil->days, NULL)},
        {"ID", 1, civil_weekday(civil->days)},
        {"Q", 1, (civil->month - 1) / 3 + 1},
        {"D", 1, civil_weekday(civil->days) % 7 + 1},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        size_t length = strlen(parts[i].name);
        if (length <= left && memcmp(at, parts[i].name, length) == 0) {
            *number = parts[i].number;
            *digits = parts[i].digits;
            return length;
        }
    }
    return 0;
}

static bool to_char(const struct cell *arguments, const struct cell_room *room, struct cell *out)
{
    if (!civil_has_moment(arguments[0].whole) || arguments[1].length == 0)
        return false; /* nothing of a moment is NULL for PostgreSQL, too */
    const struct civil civil = civil_of_moment(arguments[0].whole);
    const char *at = arguments[1].text, *end = at + arguments[1].length;
    while (at < end) {
        int64_t number = 0;
        int digits = 0;
        size_t length = read_part(at, (size_t)(end - at), &civil, &number, &digits);
        if (length == 0)
            buffer_byte(room->text, *at++);
        else
            buffer_format(room->text, "%0*d", digits, (int)number);
        at += length;
    }
    out->text = room->text->data == NULL ? "" : room->text->data;
    out->length = room->text->length;
    return true;
}

const struct function_entry functions_date[] = {
    {"dither_add_days", "di", 'd', add_days, false, NULL},
    {"dither_subtract_days", "di", 'd', subtract_days, false, NULL},
    {"dither_days_between", "dd", 'i', days_between, false, NULL},
    {"dither_add_interval", "sv", 's', add_interval, false, NULL},
    {"dither_subtract_interval", "sv", 's', subtract_interval, false, NULL},
    {"dither_time_between", "ss", 'v', time_between, false, NULL},
    {"dither_date_trunc", "ts", 's', date_trunc, false, NULL},
    {"dither_make_date", "iii", 'd', make_date, false, NULL},
    {"dither_moment_of", "i", 's', moment_of, false, NULL},
    {"dither_to_char", "st", 't', to_char, false, NULL},
    {"dither_extract_year", "s", 'i', extract_year, false, NULL},
    {"dither_extract_isoyear", "s", 'i', extract_isoyear, false, NULL},
    {"dither_extract_quarter", "s", 'i', extract_quarter, false, NULL},
    {"dither_extract_month", "s", 'i', extract_month, false, NULL},
    {"dither_extract_week", "s", 'i', extract_week, false, NULL},
    {"dither_extract_day", "s", 'i', extract_day, false, NULL},
    {"dither_extract_doy", "s", 'i', extract_doy, false, NULL},
    {"dither_extract_dow", "s", 'i', extract_dow, false, NULL},
    {"dither_extract_isodow", "s", 'i', extract_isodow, false, NULL},
    {"dither_extract_hour", "s", 'i', extract_hour, false, NULL},
    {"dither_extract_minute", "s", 'i', extract_minute, false, NULL},
    {"dither_extract_decade", "s", 'i', extract_decade, false, NULL},
    {"dither_extract_century", "s", 'i', extract_century, false, NULL},
    {"dither_extract_millennium", "s", 'i', extract_millennium, false, NULL},
    {"dither_extract_microseconds", "s", 'i', extract_microseconds, false, NULL},
    {"dither_extract_second", "s", 'r', extract_second, false, NULL},
    {"dither_extract_milliseconds", "s", 'r', extract_milliseconds, false, NULL},
    {"dither_extract_epoch", "s", 'r', extract_epoch, false, NULL},
    {"dither_interval_day", "v", 'i', interval_day, false, NULL},
    {"dither_interval_hour", "v", 'i', interval_hour, false, NULL},
    {"dither_interval_minute", "v", 'i', interval_minute, false, NULL},
    {"dither_interval_second", "v", 'r', interval_second, false, NULL},
    {"dither_interval_epoch", "v", 'r', interval_epoch, false, NULL},
    {0},
};
