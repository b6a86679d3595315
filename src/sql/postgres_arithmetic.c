/* + - * / % on PostgreSQL, which raises an error where the result has no place in the type. Each form finds that out
 * beforehand, exactly; nothing in it can itself leave the type.
 *
 * For doubles a sum is tried with both sides divided by four, a product or quotient with the sides scaled by powers of
 * two: that is exact, and rounds as the operation itself would, with room on both ends. (One case is lost: what lies
 * within one rounding above half the least double is NULL, not the least double.) Most numbers are neither huge nor
 * tiny, and are settled by the first condition. */
#include "sql/postgres_form.h"

#define LEAST   FORM_LEAST_WHOLE
#define LARGEST FORM_LARGEST_WHOLE

#define ADD_WHOLE(a, b)                                                                                      \
    "(CASE WHEN " b " >= 0 THEN CASE WHEN " a " <= " LARGEST " - " b " THEN " a " + " b " END"               \
    " ELSE CASE WHEN " a " >= " LEAST " - " b " THEN " a " + " b " END END)"

#define SUBTRACT_WHOLE(a, b)                                                                                 \
    "(CASE WHEN " b " >= 0 THEN CASE WHEN " a " >= " LEAST " + " b " THEN " a " - " b " END"                 \
    " ELSE CASE WHEN " a " <= " LARGEST " + " b " THEN " a " - " b " END END)"

#define MULTIPLY_WHOLE                                                                                       \
    "(CASE WHEN CAST($1 AS NUMERIC) * CAST($2 AS NUMERIC) BETWEEN -9223372036854775808 AND "                 \
    "9223372036854775807 THEN $1 * $2 END)"

#define DIVIDE_WHOLE "(CASE WHEN $2 <> 0 AND NOT ($2 = -1 AND $1 = " LEAST ") THEN $1 / $2 END)"
#define MODULO       "(CASE WHEN $2 <> 0 THEN $1 % $2 END)"

#define DECIMAL_SUM(sign)                                                                                    \
    "(CASE WHEN abs($1 " sign " $2) < $m THEN CAST($1 " sign " $2 AS NUMERIC(18, $s)) END)"

/* 2^1022: a quarter of what no double reaches. Below 1 the other side, which is huge, does not notice. */
#define QUARTER_LIMIT FORM_REAL("4.49423283715579e+307")
#define QUARTER(a)    "(CASE WHEN abs(" a ") < 1 THEN 0 ELSE " a " * " FORM_REAL("0.25") " END)"
#define REAL_SUM(sign)                                                                                       \
    "(CASE WHEN abs($1) < " QUARTER_LIMIT " AND abs($2) < " QUARTER_LIMIT " THEN $1 " sign                   \
    " $2 WHEN " FORM_IS_ENDLESS("$1") " OR " FORM_IS_ENDLESS("$2") " THEN $1 " sign " $2 WHEN abs(" QUARTER( \
        "$1") " " sign " " QUARTER("$2") ") < " QUARTER_LIMIT " THEN $1 " sign " $2 END)"

/* Neither sums nor logarithms of these come near the ends. */
#define IS_MODEST(a) "abs(" a ") BETWEEN " FORM_REAL("1e-150") " AND " FORM_REAL("1e150")

#define TWO_TO_537       FORM_REAL("4.4989137945431964e+161")
#define TWO_TO_MINUS_537 FORM_REAL("2.2227587494850775e-162")
#define TWO_TO_MINUS_512 FORM_REAL("7.458340731200207e-155")
#define TWO_TO_MINUS_500 FORM_REAL("3.054936363499605e-151")
#define TWO_TO_MINUS_50  FORM_REAL("8.881784197001252e-16")
#define TWO_TO_487       FORM_REAL("3.99583814440447e+146")

/* Both at least 1: is the product below 2^1024? Both below 1: is it above 2^-1075, where rounding to zero begins? */
#define MULTIPLY_REAL                                                                                        \
    "(CASE WHEN " IS_MODEST("$1") " AND " IS_MODEST(                                                         \
        "$2") " THEN $1 * $2"                                                                                \
              " WHEN $1 = 0 OR $2 = 0 OR " FORM_IS_ENDLESS("$1") " OR " FORM_IS_ENDLESS(                     \
                  "$2") " THEN $1 * $2"                                                                      \
                        " WHEN abs($1) >= 1 AND abs($2) >= 1 THEN CASE WHEN abs(($1 * " TWO_TO_MINUS_512     \
                        ") * ($2 * " TWO_TO_MINUS_512 ")) < 1 THEN $1 * $2 END"                              \
                        " WHEN abs($1) < 1 AND abs($2) < 1 THEN CASE WHEN abs($1) >= " TWO_TO_MINUS_500      \
                        " AND abs($2) >= " TWO_TO_MINUS_500 " THEN $1 * $2 WHEN abs(($1 * " TWO_TO_537       \
                        ") * ($2 * " TWO_TO_537 ")) > 0.5 THEN $1 * $2 END ELSE $1 * $2 END)"

/* Large by small: is the quotient below 2^1024? Small by smaller: the same. Small by large: is it above 2^-1075? */
#define DIVIDE_REAL                                                                                          \
    "(CASE WHEN " IS_MODEST("$1") " AND " IS_MODEST(                                                         \
        "$2") " THEN $1 / $2"                                                                                \
              " WHEN $2 = 0 THEN CASE WHEN $1 = " FORM_REAL(                                                 \
                  "NaN") " THEN $1 END"                                                                      \
                         " WHEN $1 = 0 OR " FORM_IS_ENDLESS("$1") " OR " FORM_IS_ENDLESS(                    \
                             "$2") " THEN $1 / $2"                                                           \
                                   " WHEN abs($1) >= 1 AND abs($2) < 1 THEN CASE WHEN abs(($1 "              \
                                   "* " TWO_TO_MINUS_537 ") / ($2 * " TWO_TO_537 ")) < " TWO_TO_MINUS_50     \
                                   " THEN $1 / $2 END"                                                       \
                                   " WHEN abs($1) < 1 AND abs($2) < 1 THEN CASE WHEN abs($1) < abs($2) "     \
                                   "THEN $1 / $2 WHEN"                                                       \
                                   " abs($1 / ($2 * " TWO_TO_537 ")) < " TWO_TO_487 " THEN $1 / $2 END"      \
                                   " WHEN abs($1) < " TWO_TO_MINUS_50                                        \
                                   " AND abs($2) >= 1 THEN CASE WHEN abs(($1 * " TWO_TO_537                  \
                                   ") / ($2 * " TWO_TO_MINUS_537                                             \
                                   ")) > 0.5 THEN $1 / $2 END ELSE $1 / $2 END)"

const struct postgres_form_entry postgres_forms_arithmetic[] = {
    {"+", "ii", ADD_WHOLE("$1", "$2")},
    {"+", "rr", REAL_SUM("+")},
    {"+", "nn", DECIMAL_SUM("+")},
    {"-", "ii", SUBTRACT_WHOLE("$1", "$2")},
    {"-", "rr", REAL_SUM("-")},
    {"-", "nn", DECIMAL_SUM("-")},
    {"*", "ii", MULTIPLY_WHOLE},
    {"*", "rr", MULTIPLY_REAL},
    {"/", "ii", DIVIDE_WHOLE},
    {"/", "rr", DIVIDE_REAL},
    {"div", "ii", DIVIDE_WHOLE},
    {"safe_divide", "rr", DIVIDE_REAL},
    {"%", "ii", MODULO},
    {"mod", "ii", MODULO},
    {"-", "i", "(CASE WHEN $1 <> " LEAST " THEN - $1 END)"},
    {"abs", "i", "(CASE WHEN $1 <> " LEAST " THEN abs($1) END)"},
    {0},
};
