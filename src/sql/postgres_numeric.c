/* Mathematics on PostgreSQL: where it raises an error the argument is turned away beforehand.
 *
 * Powers and exponentials are asked for only where the result is surely an ordinary double: beyond the largest, and below
 * the least one that has all its digits, they are NULL; how libraries tell of results in between differs. */
#include "sql/postgres_form.h"

#define NOT_INFINITE(function) "(CASE WHEN abs($1) <> " FORM_REAL("Infinity") " THEN " function "($1) END)"
#define OF_RATIO(function)                                                                                   \
    "(CASE WHEN abs($1) <= 1 THEN " function "($1) WHEN $1 = " FORM_REAL("NaN") " THEN $1 END)"
#define POSITIVE(function) "(CASE WHEN $1 > 0 THEN " function "($1) END)"

/* The natural logarithms of 2^-1022 and, by a hair less, of 2^1024. */
#define HAS_EXPONENTIAL(x) x " BETWEEN " FORM_REAL("-708.39") " AND " FORM_REAL("709.78271289338")

/* An exponent beyond 10^20 takes every base but 1 out of range, one below 10^-20 takes none there; between them the
 * logarithm of the result can be computed. */
/* clang-format off */
#define POWER                                                                                                \
    "(CASE WHEN ($1 = 0 AND $2 < 0) OR ($1 < 0 AND floor($2) <> $2) THEN NULL"                               \
    " WHEN $1 = 0 OR " FORM_IS_ENDLESS("$1") " OR " FORM_IS_ENDLESS("$2") " THEN power($1, $2)"              \
    " WHEN abs($1) = 1 OR abs($2) < " FORM_REAL("1e-20") " THEN power($1, $2)"                               \
    " WHEN abs($2) > " FORM_REAL("1e20") " THEN NULL"                                                        \
    " WHEN " HAS_EXPONENTIAL("$2 * ln(abs($1))") " THEN power($1, $2) END)"

/* To any base, with the limits of PostgreSQL's logarithm of numerics. */
#define LOGARITHM                                                                                            \
    "(CASE WHEN $1 = " FORM_REAL("NaN") " OR $2 = " FORM_REAL("NaN") " THEN $1 + $2"                         \
    " WHEN $1 <= 0 OR $2 <= 0 OR ($1 = 1 AND NOT " FORM_IS_ENDLESS("$2") ") THEN NULL"                       \
    " WHEN " FORM_IS_ENDLESS("$1") " THEN CASE WHEN " FORM_IS_ENDLESS("$2") " THEN " FORM_REAL("NaN")        \
    " WHEN $2 > 0 THEN " FORM_REAL("0") " END"                                                               \
    " WHEN " FORM_IS_ENDLESS("$2") " THEN CASE WHEN $1 > 0 THEN $2 END ELSE ln($2) / ln($1) END)"

/* A double has no digits beyond the 400th on either side. */
#define DIGITS(whole)                                                                                        \
    "(CASE WHEN " whole " > 400 THEN 400 WHEN " whole " < -400 THEN -400 ELSE CAST(" whole " AS INTEGER) "   \
    "END)"
/* Above the largest double, below what would be rounded to infinity. */
#define ABOVE_REALS "1.7976931348623158e308"
#define ROUNDED(function, x) function "(" x ", " DIGITS("$2") ")"
#define ROUND_REAL(function)                                                                                 \
    "(CASE WHEN " FORM_IS_ENDLESS("$1") " AND $2 IS NOT NULL THEN $1"                                        \
    " WHEN " FORM_IS_ENDLESS("$1") " THEN NULL"                                                              \
    " WHEN abs(" ROUNDED(function, "CAST($1 AS NUMERIC)") ") < " ABOVE_REALS                                 \
    " THEN CAST(" ROUNDED(function, "CAST($1 AS NUMERIC)") " AS DOUBLE PRECISION) END)"

#define ROUND_DECIMAL(function) FORM_FIT(function "($1)")
#define ROUND_DECIMAL_TO(function)                                                                           \
    "(CASE WHEN abs(" ROUNDED(function, "$1") ") < $m"                                                       \
    " THEN CAST(" ROUNDED(function, "$1") " AS NUMERIC(18, $s)) END)"

/* Bounds so large that their distance, or its product with the count, could overflow have no buckets. Nor has what lies
 * beyond the last of 2^31 - 1 buckets a number in 32 bits. */
#define IS_BOUND(a) "abs(" a ") < " FORM_REAL("1e290")
#define WIDTH_BUCKET                                                                                         \
    "(CASE WHEN $4 BETWEEN 1 AND 2147483647 AND " IS_BOUND("$2") " AND " IS_BOUND("$3")                      \
    " AND $2 <> $3 AND $1 <> " FORM_REAL("NaN")                                                              \
    " AND ($4 < 2147483647 OR CASE WHEN $2 < $3 THEN $1 < $3 ELSE $1 > $3 END)"                              \
    " THEN CAST(width_bucket($1, $2, $3, CAST($4 AS INTEGER)) AS BIGINT) END)"
/* clang-format on */

const struct postgres_form_entry postgres_forms_numeric[] = {
    {"ceil", "n", ROUND_DECIMAL("ceil")},
    {"ceiling", "n", ROUND_DECIMAL("ceil")},
    {"floor", "n", ROUND_DECIMAL("floor")},
    {"round", "n", ROUND_DECIMAL("round")},
    {"round", "ri", ROUND_REAL("round")},
    {"round", "ni", ROUND_DECIMAL_TO("round")},
    {"trunc", "n", ROUND_DECIMAL("trunc")},
    {"trunc", "ri", ROUND_REAL("trunc")},
    {"trunc", "ni", ROUND_DECIMAL_TO("trunc")},
    {"^", "rr", POWER},
    {"power", "rr", POWER},
    {"pow", "rr", POWER},
    {"sqrt", "r", "(CASE WHEN $1 >= 0 THEN sqrt($1) END)"},
    {"exp", "r", "(CASE WHEN " FORM_IS_ENDLESS("$1") " OR " HAS_EXPONENTIAL("$1") " THEN exp($1) END)"},
    {"ln", "r", POSITIVE("ln")},
    {"log", "r", POSITIVE("log")},
    {"log10", "r", POSITIVE("log")},
    {"log", "rr", LOGARITHM},
    {"sin", "r", NOT_INFINITE("sin")},
    {"cos", "r", NOT_INFINITE("cos")},
    {"tan", "r", NOT_INFINITE("tan")},
    {"asin", "r", OF_RATIO("asin")},
    {"acos", "r", OF_RATIO("acos")},
    /* The least double that is not rounded to zero, and the largest that is not rounded to infinity. */
    {"radians", "r", "(CASE WHEN $1 = 0 OR abs($1) >= " FORM_REAL("1.43e-322") " THEN radians($1) END)"},
    {"degrees", "r",
     "(CASE WHEN abs($1) <= " FORM_REAL("3.1375664143845866e+306") " OR " FORM_IS_ENDLESS(
         "$1") " THEN degrees($1) END)"},
    {"width_bucket", "rrri", WIDTH_BUCKET},
    {0},
};
