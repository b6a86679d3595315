/* Dates and moments on PostgreSQL, of the years 1 to 9999 as everywhere: what lies or leads outside is NULL. The sum of a
 * moment and an interval is in postgres_interval.c. */
#include "sql/postgres_form.h"

/* How far a day can move within the years. */
#define IS_DISTANCE(days) days " BETWEEN -3652058 AND 3652058"

#define ADD_DAYS(day, days)                                                                                  \
    "(CASE WHEN " FORM_HAS_DAY(day) " AND " IS_DISTANCE(days) " THEN CASE WHEN " days                        \
                                                              " BETWEEN " FORM_FIRST_DAY " - " day           \
                                                              " AND " FORM_LAST_DAY " - " day " THEN " day   \
                                                              " + CAST(" days " AS INTEGER) END END)"
#define SUBTRACT_DAYS                                                                                        \
    "(CASE WHEN " FORM_HAS_DAY("$1") " AND " IS_DISTANCE(                                                    \
        "$2") " THEN CASE WHEN $2 BETWEEN $1 - " FORM_LAST_DAY " AND $1 - " FORM_FIRST_DAY                   \
              " THEN $1 - CAST($2 AS INTEGER) END END)"

/* Days and the rest of one, because a number of microseconds times an interval is rounded as a double. */
#define MOMENT_OF                                                                                            \
    "(CASE WHEN $1 BETWEEN -62135596800000000 AND 253402300799999999 THEN TIMESTAMP '1970-01-01 00:00:00'"   \
    " + make_interval(days => CAST($1 / 86400000000 AS INTEGER))"                                            \
    " + CAST($1 % 86400000000 AS DOUBLE PRECISION) * INTERVAL '1 microsecond' END)"

#define DATE_TRUNC                                                                                           \
    "(CASE WHEN " FORM_HAS_MOMENT("$2") " THEN CASE WHEN date_trunc($1, $2) >= " FORM_FIRST_MOMENT           \
                                        " THEN date_trunc($1, $2) END END)"

#define IS_LEAP "($1 % 4 = 0 AND ($1 % 100 <> 0 OR $1 % 400 = 0))"
#define LAST_OF_MONTH                                                                                        \
    "CASE WHEN $2 IN (4, 6, 9, 11) THEN 30 WHEN $2 <> 2 THEN 31 WHEN " IS_LEAP " THEN 29 ELSE 28 END"
#define MAKE_DATE                                                                                            \
    "(CASE WHEN $1 BETWEEN 1 AND 9999 AND $2 BETWEEN 1 AND 12 AND $3 BETWEEN 1 AND 31 AND $3 "               \
    "<= " LAST_OF_MONTH                                                                                      \
    " THEN make_date(CAST($1 AS INTEGER), CAST($2 AS INTEGER), CAST($3 AS INTEGER)) END)"

#define OF_MOMENT(text)  "(CASE WHEN " FORM_HAS_MOMENT("$1") " THEN " text " END)"
#define FIELD(name)      OF_MOMENT("CAST(extract(" name " FROM $1) AS BIGINT)")
#define REAL_FIELD(name) OF_MOMENT("CAST(extract(" name " FROM $1) AS DOUBLE PRECISION)")

const struct postgres_form_entry postgres_forms_date[] = {
    {"+", "di", ADD_DAYS("$1", "$2")},
    {"+", "id", ADD_DAYS("$2", "$1")},
    {"-", "di", SUBTRACT_DAYS},
    {"-", "dd",
     "(CASE WHEN " FORM_HAS_DAY("$1") " AND " FORM_HAS_DAY("$2") " THEN CAST($1 - $2 AS BIGINT) END)"},
    {"-", "ss", "(CASE WHEN " FORM_HAS_MOMENT("$1") " AND " FORM_HAS_MOMENT("$2") " THEN $1 - $2 END)"},
    {"moment.of", "i", MOMENT_OF},
    {"date_trunc", "Ts", DATE_TRUNC},
    {"make_date", "iii", MAKE_DATE},
    {"to_char", "sT", OF_MOMENT("to_char($1, $2)")},
    {"extract.year", "s", FIELD("year")},
    {"extract.isoyear", "s", FIELD("isoyear")},
    {"extract.quarter", "s", FIELD("quarter")},
    {"extract.month", "s", FIELD("month")},
    {"extract.week", "s", FIELD("week")},
    {"extract.day", "s", FIELD("day")},
    {"extract.doy", "s", FIELD("doy")},
    {"extract.dow", "s", FIELD("dow")},
    {"extract.isodow", "s", FIELD("isodow")},
    {"extract.hour", "s", FIELD("hour")},
    {"extract.minute", "s", FIELD("minute")},
    {"extract.decade", "s", FIELD("decade")},
    {"extract.century", "s", FIELD("century")},
    {"extract.millennium", "s", FIELD("millennium")},
    {"extract.microseconds", "s", FIELD("microseconds")},
    {"extract.second", "s", REAL_FIELD("second")},
    {"extract.milliseconds", "s", REAL_FIELD("milliseconds")},
    {"extract.epoch", "s", REAL_FIELD("epoch")},
    {0},
};
