/* Casts on PostgreSQL. Of a text they are tried only when a pattern says that it has the form and a bound that it fits;
 * days are put together from their digits, so that no setting of the session has a say. A pattern that accepted more
 * than text_form.h would be a difference between engines; one that accepted more than PostgreSQL, a failure. */
#include <stddef.h>

#include "sql/postgres_form.h"

/* Blank, tab, newline, vertical tab, form feed, carriage return. */
#define BLANKS  "[ \\t\\n\\x0b\\f\\r]*"
#define MATCHES " COLLATE \"C\" ~ E'^" BLANKS
#define ENDS    BLANKS "$$'"

/* A longer text is no number (TEXT_FORM_DIGITS). */
#define IS_SHORT "octet_length($1) <= 1000"

#define TEXT_BOOLEAN                                                                                         \
    "(CASE WHEN lower($1 COLLATE \"C\")" MATCHES "(t|tr|tru|true|y|ye|yes|on|1)" ENDS                        \
    " THEN TRUE WHEN lower($1 COLLATE \"C\")" MATCHES "(f|fa|fal|fals|false|n|no|of|off|0)" ENDS             \
    " THEN FALSE END)"

#define TEXT_WHOLE                                                                                           \
    "(CASE WHEN " IS_SHORT " AND $1" MATCHES "[-+]?0*[0-9]{1,19}" ENDS                                       \
    " THEN CASE WHEN CAST($1 AS NUMERIC) BETWEEN -9223372036854775808 AND 9223372036854775807"               \
    " THEN CAST($1 AS BIGINT) END END)"

/* Exponents of four digits are within what numeric holds; with longer ones nothing would fit. */
#define IS_NUMBER IS_SHORT " AND $1" MATCHES "[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?0*[0-9]{1,4})?" ENDS

#define TEXT_DECIMAL "(CASE WHEN " IS_NUMBER " THEN " FORM_FIT("CAST($1 AS NUMERIC)") " END)"

/* Half the least double, and what is rounded to infinity. */
#define TEXT_REAL                                                                                            \
    "(CASE WHEN lower($1 COLLATE \"C\")" MATCHES "(nan|[-+]?inf|[-+]?infinity)" ENDS                         \
    " THEN CAST($1 AS DOUBLE PRECISION) WHEN " IS_NUMBER " THEN CASE WHEN CAST($1 AS NUMERIC) = 0"           \
    " OR abs(CAST($1 AS NUMERIC)) BETWEEN 2.4703282292062328e-324 AND 1.7976931348623158e308"                \
    " THEN CAST($1 AS DOUBLE PRECISION) END END)"

/* ---- Days and moments: year, month, day, hour, minute, second and its fraction are what the pattern holds ---- */

#define DAY_PATTERN  "(?:([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})|([0-9]{4})([0-9]{2})([0-9]{2}))"
#define TIME_PATTERN "([0-9]{1,2}):([0-9]{2})(?::([0-9]{1,2})([.][0-9]{0,100})?)?"
#define FIELDS                                                                                               \
    "(SELECT regexp_match($1 COLLATE \"C\", E'^" BLANKS DAY_PATTERN "(?:(?:[ \\t\\n\\x0b\\f\\r]+|" BLANKS    \
    "T)" TIME_PATTERN ")?" ENDS ") AS f OFFSET 0) AS p"
#define PART(index) "CAST(p.f[" index "] AS INTEGER)"

/* Microseconds of the day; a missing time is midnight. The fraction is read and rounded as a double, half to even. */
#define MICROSECONDS                                                                                         \
    "(coalesce(" PART("7") ", 0) * 3600 + coalesce(" PART("8") ", 0) * 60 + coalesce(" PART(                 \
        "9") ", 0)) * CAST(1000000 AS BIGINT) + CAST(CAST('0' || coalesce(p.f[10], '.0') AS DOUBLE "         \
             "PRECISION)"                                                                                    \
             " * 1000000 AS BIGINT)"

#define NUMBERS                                                                                                                            \
    "(SELECT coalesce(" PART("1") ", " PART("4") ") AS y, coalesce(" PART("2") ", " PART(                                                  \
        "5") ") AS m, coalesce(" PART("3") ", " PART("6") ") AS d, coalesce(" PART("7") ", 0) AS h, "                                      \
                                                                                        "coalesce(" PART("8") ", 0) AS i, coalesce(" PART( \
                                                                                            "9") ", 0) AS "                                \
                                                                                                 "s,"                                      \
                                                                                                 " " MICROSECONDS                          \
                                                                                                 " AS u "                                  \
                                                                                                 "FROM"                                    \
                                                                                                 " " FIELDS                                \
                                                                                                 " OFFSET "                                \
                                                                                                 "0) AS n"

#define IS_LEAP "(n.y % 4 = 0 AND (n.y % 100 <> 0 OR n.y % 400 = 0))"
#define IS_DAY                                                                                               \
    "n.y BETWEEN 1 AND 9999 AND n.m BETWEEN 1 AND 12 AND n.d BETWEEN 1 AND CASE WHEN n.m IN (4, 6, 9, 11)"   \
    " THEN 30 WHEN n.m <> 2 THEN 31 WHEN " IS_LEAP " THEN 29 ELSE 28 END"
#define IS_TIME "n.h <= 24 AND n.i <= 59 AND n.s <= 60 AND n.u <= 86400000000"

#define TEXT_DATE                                                                                            \
    "(SELECT CASE WHEN " IS_DAY " AND " IS_TIME " THEN make_date(n.y, n.m, n.d) END FROM " NUMBERS ")"
/* The last day's last microsecond may be passed by the time 24:00. */
#define TEXT_TIMESTAMP                                                                                       \
    "(SELECT CASE WHEN " IS_DAY " AND " IS_TIME                                                              \
    " AND NOT (n.y = 9999 AND n.m = 12 AND n.d = 31 AND n.u = 86400000000) THEN CAST(make_date(n.y, n.m, "   \
    "n.d) AS TIMESTAMP) + CAST(n.u AS DOUBLE PRECISION) * INTERVAL '1 microsecond' END FROM " NUMBERS ")"

/* ---- The others ---- */

#define REAL_WHOLE                                                                                           \
    "(CASE WHEN $1 >= " FORM_REAL("-9223372036854775808") " AND $1 < " FORM_REAL(                            \
        "9223372036854775808") " THEN CAST($1 AS BIGINT) END)"
#define REAL_DECIMAL                                                                                         \
    "(CASE WHEN abs($1) <= " FORM_REAL("1e18") " THEN " FORM_FIT("CAST($1 AS NUMERIC)") " END)"
#define WHOLE_DECIMAL "(CASE WHEN $1 > -$m AND $1 < $m THEN CAST($1 AS NUMERIC(18, $s)) END)"
#define DECIMAL_WHOLE "(CASE WHEN abs($1) <= 1000000000000000000 THEN CAST($1 AS BIGINT) END)"

#define DATE_TEXT "(CASE WHEN " FORM_HAS_DAY("$1") " THEN to_char(CAST($1 AS TIMESTAMP), 'YYYY-MM-DD') END)"
#define TIMESTAMP_TEXT                                                                                       \
    "(CASE WHEN " FORM_HAS_MOMENT(                                                                           \
        "$1") " THEN rtrim(rtrim(to_char($1, 'YYYY-MM-DD HH24:MI:SS.US'), '0'), '.') END)"

static const char *text_form(enum sql_type to)
{
    switch (to) {
    case SQL_BOOLEAN:
        return TEXT_BOOLEAN;
    case SQL_INTEGER:
        return TEXT_WHOLE;
    case SQL_DECIMAL:
        return TEXT_DECIMAL;
    case SQL_REAL:
        return TEXT_REAL;
    case SQL_DATE:
        return TEXT_DATE;
    case SQL_TIMESTAMP:
        return TEXT_TIMESTAMP;
    default:
        return NULL;
    }
}

const char *postgres_cast_form(enum sql_type from, enum sql_type to)
{
    if (from == SQL_TEXT || from == SQL_UNKNOWN)
        return text_form(to);
    if (from == SQL_BOOLEAN && to == SQL_INTEGER)
        return "CAST(CAST($1 AS INTEGER) AS BIGINT)";
    if (from == SQL_INTEGER)
        return to == SQL_BOOLEAN ? "($1 <> 0)" : to == SQL_DECIMAL ? WHOLE_DECIMAL : NULL;
    if (from == SQL_REAL)
        return to == SQL_INTEGER ? REAL_WHOLE : to == SQL_DECIMAL ? REAL_DECIMAL : NULL;
    if (from == SQL_DECIMAL)
        return to == SQL_INTEGER ? DECIMAL_WHOLE : to == SQL_DECIMAL ? FORM_FIT("$1") : NULL;
    if (from == SQL_DATE)
        return to == SQL_TIMESTAMP ? "(CASE WHEN " FORM_HAS_DAY("$1") " THEN CAST($1 AS TIMESTAMP) END)"
               : to == SQL_TEXT    ? DATE_TEXT
                                   : NULL;
    if (from == SQL_TIMESTAMP)
        return to == SQL_DATE   ? "(CASE WHEN " FORM_HAS_MOMENT("$1") " THEN CAST($1 AS DATE) END)"
               : to == SQL_TEXT ? TIMESTAMP_TEXT
                                : NULL;
    return NULL;
}
