/* Dates and moments: years 1 to 9999, no time zones. What leads outside is NULL. */
#include <string.h>

#include "sql/civil.h"
#include "sql/range.h"

#define STRICT SQL_NULLS_STRICT

/* Fields that go round in a circle. */
#define FIELD_RANGE(name, first, last)                                                                       \
    static void range_##name(const struct sql_expression *const *arguments, size_t count,                    \
                             struct sql_outcome *outcome)                                                    \
    {                                                                                                        \
        (void)count;                                                                                         \
        outcome->range = range_whole(first, last);                                                           \
        outcome->fails = !arguments[0]->range.known;                                                         \
    }
FIELD_RANGE(month, 1, 12)
FIELD_RANGE(quarter, 1, 4)
FIELD_RANGE(day, 1, 31)
FIELD_RANGE(hour, 0, 23)
FIELD_RANGE(minute, 0, 59)
FIELD_RANGE(weekday, 0, 6)
FIELD_RANGE(isodow, 1, 7)
FIELD_RANGE(doy, 1, 366)
FIELD_RANGE(week, 1, 53)

/* The year of a moment within the years, by way of its bounds; `divide` for decades. */
static void set_years(const struct sql_expression *argument, int64_t add, int64_t divide,
                      struct sql_outcome *outcome)
{
    const struct sql_range *moment = &argument->range;
    if (!moment->known || !civil_has_moment(moment->lower) || !civil_has_moment(moment->upper))
        return;
    int64_t from = civil_of_moment(moment->lower).year, to = civil_of_moment(moment->upper).year;
    outcome->range = range_whole((from + add) / divide, (to + add) / divide);
    outcome->fails = false;
}

static void range_year(const struct sql_expression *const *arguments, size_t count,
                       struct sql_outcome *outcome)
{
    (void)count;
    set_years(arguments[0], 0, 1, outcome);
}

/* The year of the week's Thursday may be the one before or after. */
static void range_isoyear(const struct sql_expression *const *arguments, size_t count,
                          struct sql_outcome *outcome)
{
    (void)count;
    set_years(arguments[0], 0, 1, outcome);
    if (outcome->range.known) {
        outcome->range.lower--;
        outcome->range.upper++;
    }
}

static void range_decade(const struct sql_expression *const *arguments, size_t count,
                         struct sql_outcome *outcome)
{
    (void)count;
    set_years(arguments[0], 0, 10, outcome);
}

static void range_century(const struct sql_expression *const *arguments, size_t count,
                          struct sql_outcome *outcome)
{
    (void)count;
    set_years(arguments[0], 99, 100, outcome);
}

static void range_millennium(const struct sql_expression *const *arguments, size_t count,
                             struct sql_outcome *outcome)
{
    (void)count;
    set_years(arguments[0], 999, 1000, outcome);
}

static void range_second(const struct sql_expression *const *arguments, size_t count,
                         struct sql_outcome *outcome)
{
    (void)count;
    outcome->range = range_real(0, 60);
    outcome->fails = !arguments[0]->range.known;
}

static void range_epoch(const struct sql_expression *const *arguments, size_t count,
                        struct sql_outcome *outcome)
{
    (void)count;
    const struct sql_range *moment = &arguments[0]->range;
    if (!moment->known)
        return;
    double lower = (double)moment->lower / 1e6, upper = (double)moment->upper / 1e6;
    outcome->range = range_real(lower - 1e-3, upper + 1e-3);
    outcome->fails = !civil_has_moment(moment->lower) || !civil_has_moment(moment->upper);
}

static status check_unit(const struct sql_expression *const *arguments, size_t count, int position,
                         error *why)
{
    (void)count;
    (void)position;
    int64_t ignored;
    const char *unit = arguments[0]->value.text;
    if (!civil_trunc(unit, strlen(unit), 0, &ignored))
        return sql_refuse(why, arguments[0]->position,
                          "date_trunc knows the units microseconds, milliseconds, second, minute, hour, day, "
                          "week, month, quarter, year, decade, century and millennium, in lower case");
    return DITHER_OK;
}

/* Letters and digits only in these forms; what is between them stands for itself. */
static status check_format(const struct sql_expression *const *arguments, size_t count, int position,
                           error *why)
{
    (void)count;
    (void)position;
    static const char *const parts[] = {"YYYY", "IYYY", "HH24", "MM", "DDD", "DD",
                                        "MI",   "SS",   "IW",   "ID", "Q",   "D"};
    const char *at = arguments[1]->value.text;
    /* Longer parts of PostgreSQL's that would be read as two of these. */
    if (strstr(at, "SSSS") != NULL || strstr(at, "IDDD") != NULL)
        return sql_refuse(why, arguments[1]->position, "SSSS and IDDD are not available in to_char");
    if (strlen(at) > 64)
        return sql_refuse(why, arguments[1]->position,
                          "a format of to_char must not be longer than 64 bytes");
    while (*at != '\0') {
        size_t length = strchr("-/:. ,", *at) != NULL ? 1 : 0;
        for (size_t i = 0; length == 0 && i < sizeof parts / sizeof *parts; i++)
            if (strncmp(at, parts[i], strlen(parts[i])) == 0)
                length = strlen(parts[i]);
        if (length == 0)
            return sql_refuse(
                why, arguments[1]->position,
                "to_char knows the parts YYYY IYYY Q MM IW DD DDD D ID HH24 MI SS, with - / : . , "
                "and blanks between");
        at += length;
    }
    return DITHER_OK;
}

const struct sql_function sql_functions_date[] = {
    {"+", "di", 'd', STRICT, true, "dither_add_days($1, $2)", "($1 + CAST($2 AS integer))", range_add_days,
     NULL},
    {"+", "id", 'd', STRICT, true, "dither_add_days($2, $1)", "(CAST($1 AS integer) + $2)", range_add_days,
     NULL},
    {"-", "di", 'd', STRICT, true, "dither_subtract_days($1, $2)", "($1 - CAST($2 AS integer))",
     range_subtract_days, NULL},
    {"-", "dd", 'i', STRICT, true, "dither_days_between($1, $2)", "CAST($1 - $2 AS bigint)", range_days,
     NULL},
    {"+", "sv", 's', STRICT, true, "dither_add_interval($1, $2)", "($1 + $2)", NULL, NULL},
    {"+", "vs", 's', STRICT, true, "dither_add_interval($2, $1)", "($1 + $2)", NULL, NULL},
    {"-", "sv", 's', STRICT, true, "dither_subtract_interval($1, $2)", "($1 - $2)", NULL, NULL},
    {"-", "ss", 'v', STRICT, true, "dither_time_between($1, $2)", "($1 - $2)", NULL, NULL},
    /* microseconds since 1970, for what is computed of released moments; not a name that SQL can write */
    {"moment.of", "i", 's', STRICT, true, "dither_moment_of($1)",
     "(timestamp 'epoch' + $1 * interval '1 microsecond')", NULL, NULL},
    {"date_trunc", "Ts", 's', STRICT, true, "dither_date_trunc($1, $2)", "date_trunc($1, $2)",
     range_moment_trunc, check_unit},
    {"make_date", "iii", 'd', STRICT, true, "dither_make_date($*)",
     "make_date(CAST($1 AS integer), CAST($2 AS integer), CAST($3 AS integer))", NULL, NULL},
    {"to_char", "sT", 't', STRICT, true, "dither_to_char($1, $2)", "to_char($1, $2)", NULL, check_format},
    {"extract.year", "s", 'i', STRICT, true, "dither_extract_year($1)",
     "CAST(extract(year FROM $1) AS bigint)", range_year, NULL},
    {"extract.isoyear", "s", 'i', STRICT, true, "dither_extract_isoyear($1)",
     "CAST(extract(isoyear FROM $1) AS bigint)", range_isoyear, NULL},
    {"extract.quarter", "s", 'i', STRICT, true, "dither_extract_quarter($1)",
     "CAST(extract(quarter FROM $1) AS bigint)", range_quarter, NULL},
    {"extract.month", "s", 'i', STRICT, true, "dither_extract_month($1)",
     "CAST(extract(month FROM $1) AS bigint)", range_month, NULL},
    {"extract.week", "s", 'i', STRICT, true, "dither_extract_week($1)",
     "CAST(extract(week FROM $1) AS bigint)", range_week, NULL},
    {"extract.day", "s", 'i', STRICT, true, "dither_extract_day($1)", "CAST(extract(day FROM $1) AS bigint)",
     range_day, NULL},
    {"extract.doy", "s", 'i', STRICT, true, "dither_extract_doy($1)", "CAST(extract(doy FROM $1) AS bigint)",
     range_doy, NULL},
    {"extract.dow", "s", 'i', STRICT, true, "dither_extract_dow($1)", "CAST(extract(dow FROM $1) AS bigint)",
     range_weekday, NULL},
    {"extract.isodow", "s", 'i', STRICT, true, "dither_extract_isodow($1)",
     "CAST(extract(isodow FROM $1) AS bigint)", range_isodow, NULL},
    {"extract.hour", "s", 'i', STRICT, true, "dither_extract_hour($1)",
     "CAST(extract(hour FROM $1) AS bigint)", range_hour, NULL},
    {"extract.minute", "s", 'i', STRICT, true, "dither_extract_minute($1)",
     "CAST(extract(minute FROM $1) AS bigint)", range_minute, NULL},
    {"extract.decade", "s", 'i', STRICT, true, "dither_extract_decade($1)",
     "CAST(extract(decade FROM $1) AS bigint)", range_decade, NULL},
    {"extract.century", "s", 'i', STRICT, true, "dither_extract_century($1)",
     "CAST(extract(century FROM $1) AS bigint)", range_century, NULL},
    {"extract.millennium", "s", 'i', STRICT, true, "dither_extract_millennium($1)",
     "CAST(extract(millennium FROM $1) AS bigint)", range_millennium, NULL},
    {"extract.microseconds", "s", 'i', STRICT, true, "dither_extract_microseconds($1)",
     "CAST(extract(microseconds FROM $1) AS bigint)", NULL, NULL},
    {"extract.second", "s", 'r', STRICT, true, "dither_extract_second($1)",
     "CAST(extract(second FROM $1) AS double precision)", range_second, NULL},
    {"extract.milliseconds", "s", 'r', STRICT, true, "dither_extract_milliseconds($1)",
     "CAST(extract(milliseconds FROM $1) AS double precision)", NULL, NULL},
    {"extract.epoch", "s", 'r', STRICT, true, "dither_extract_epoch($1)",
     "CAST(extract(epoch FROM $1) AS double precision)", range_epoch, NULL},
    {"extract.day", "v", 'i', STRICT, false, "dither_interval_day($1)",
     "CAST(extract(day FROM $1) AS bigint)", NULL, NULL},
    {"extract.hour", "v", 'i', STRICT, false, "dither_interval_hour($1)",
     "CAST(extract(hour FROM $1) AS bigint)", NULL, NULL},
    {"extract.minute", "v", 'i', STRICT, false, "dither_interval_minute($1)",
     "CAST(extract(minute FROM $1) AS bigint)", NULL, NULL},
    {"extract.second", "v", 'r', STRICT, false, "dither_interval_second($1)",
     "CAST(extract(second FROM $1) AS double precision)", NULL, NULL},
    {"extract.epoch", "v", 'r', STRICT, false, "dither_interval_epoch($1)",
     "CAST(extract(epoch FROM $1) AS double precision)", NULL, NULL},
    {0},
};
