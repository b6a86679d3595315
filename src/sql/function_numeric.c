/* Mathematics on doubles, with PostgreSQL's errors as NULL; roundings of decimals half away from zero. */
#include <math.h>

#include "sql/range.h"

#define STRICT SQL_NULLS_STRICT

static void range_pi(const struct sql_expression *const *arguments, size_t count, struct sql_outcome *outcome)
{
    (void)arguments;
    (void)count;
    outcome->range = range_real(3.141592653589793, 3.141592653589793);
}

static void range_arc(const struct sql_expression *const *arguments, size_t count,
                      struct sql_outcome *outcome)
{
    (void)arguments;
    outcome->range = count == 1 ? range_real(-1.5707963267948968, 1.5707963267948968)
                                : range_real(-3.1415926535897936, 3.1415926535897936);
}

const struct sql_function sql_functions_numeric[] = {
    {"sign", "r", 'r', STRICT, false, "dither_sign($1)", "sign($1)", range_sign, NULL},
    {"ceil", "r", 'r', STRICT, false, "ceil($1)", "ceil($1)", range_round, NULL},
    {"ceil", "n", 'n', STRICT, true, "dither_round_decimal$d($1, 0, 3)", "CAST(ceil($1) AS numeric(18, $s))",
     NULL, NULL},
    {"ceiling", "r", 'r', STRICT, false, "ceil($1)", "ceiling($1)", range_round, NULL},
    {"ceiling", "n", 'n', STRICT, true, "dither_round_decimal$d($1, 0, 3)",
     "CAST(ceiling($1) AS numeric(18, $s))", NULL, NULL},
    {"floor", "r", 'r', STRICT, false, "floor($1)", "floor($1)", range_round, NULL},
    {"floor", "n", 'n', STRICT, true, "dither_round_decimal$d($1, 0, 2)",
     "CAST(floor($1) AS numeric(18, $s))", NULL, NULL},
    {"round", "r", 'r', STRICT, false, "dither_round($1)", "round($1)", range_round, NULL},
    {"round", "n", 'n', STRICT, true, "dither_round_decimal$d($1, 0, 0)",
     "CAST(round($1) AS numeric(18, $s))", NULL, NULL},
    {"round", "ri", 'r', STRICT, true, "dither_round_digits($1, $2, 0)",
     "CAST(round(CAST($1 AS numeric), CAST($2 AS integer)) AS double precision)", range_round, NULL},
    {"round", "ni", 'n', STRICT, true, "dither_round_decimal$d($1, $2, 0)",
     "CAST(round($1, CAST($2 AS integer)) AS numeric(18, $s))", NULL, NULL},
    {"trunc", "r", 'r', STRICT, false, "trunc($1)", "trunc($1)", range_round, NULL},
    {"trunc", "n", 'n', STRICT, true, "dither_round_decimal$d($1, 0, 1)",
     "CAST(trunc($1) AS numeric(18, $s))", NULL, NULL},
    {"trunc", "ri", 'r', STRICT, true, "dither_round_digits($1, $2, 1)",
     "CAST(trunc(CAST($1 AS numeric), CAST($2 AS integer)) AS double precision)", range_round, NULL},
    {"trunc", "ni", 'n', STRICT, true, "dither_round_decimal$d($1, $2, 1)",
     "CAST(trunc($1, CAST($2 AS integer)) AS numeric(18, $s))", NULL, NULL},
    {"power", "rr", 'r', STRICT, true, "dither_power($1, $2)", "power($1, $2)", NULL, NULL},
    {"pow", "rr", 'r', STRICT, true, "dither_power($1, $2)", "pow($1, $2)", NULL, NULL},
    {"sqrt", "r", 'r', STRICT, true, "dither_sqrt($1)", "sqrt($1)", range_root, NULL},
    {"exp", "r", 'r', STRICT, true, "dither_exp($1)", "exp($1)", range_exponential, NULL},
    {"ln", "r", 'r', STRICT, true, "dither_ln($1)", "ln($1)", range_logarithm, NULL},
    {"log", "r", 'r', STRICT, true, "dither_log10($1)", "log($1)", NULL, NULL},
    {"log10", "r", 'r', STRICT, true, "dither_log10($1)", "log10($1)", NULL, NULL},
    {"log", "rr", 'r', STRICT, true, "dither_log($1, $2)",
     "CAST(log(CAST($1 AS numeric), CAST($2 AS numeric)) AS double precision)", NULL, NULL},
    {"sin", "r", 'r', STRICT, true, "dither_sin($1)", "sin($1)", range_unit_circle, NULL},
    {"cos", "r", 'r', STRICT, true, "dither_cos($1)", "cos($1)", range_unit_circle, NULL},
    {"tan", "r", 'r', STRICT, true, "dither_tan($1)", "tan($1)", NULL, NULL},
    {"asin", "r", 'r', STRICT, true, "dither_asin($1)", "asin($1)", range_arc, NULL},
    {"acos", "r", 'r', STRICT, true, "dither_acos($1)", "acos($1)", NULL, NULL},
    {"atan", "r", 'r', STRICT, false, "atan($1)", "atan($1)", range_arc, NULL},
    {"atan2", "rr", 'r', STRICT, false, "atan2($1, $2)", "atan2($1, $2)", range_arc, NULL},
    {"pi", "", 'r', STRICT, false, "pi()", "pi()", range_pi, NULL},
    {"radians", "r", 'r', STRICT, true, "dither_radians($1)", "radians($1)", NULL, NULL},
    {"degrees", "r", 'r', STRICT, true, "dither_degrees($1)", "degrees($1)", NULL, NULL},
    {"width_bucket", "rrri", 'i', STRICT, true, "dither_width_bucket($*)",
     "CAST(width_bucket($1, $2, $3, CAST($4 AS integer)) AS bigint)", range_bucket, NULL},
    {0},
};
