/* + - * / % ^ and their kin. Integers are exact or NULL; decimals stay decimals in sums; all else is real. */
#include "sql/range.h"

#define STRICT SQL_NULLS_STRICT

const struct sql_function sql_functions_arithmetic[] = {
    {"+", "ii", 'i', STRICT, true, "dither_add_whole($1, $2)", "($1 + $2)", range_add, NULL},
    {"+", "rr", 'r', STRICT, true, "dither_add_real($1, $2)", "($1 + $2)", range_add, NULL},
    {"+", "nn", 'n', STRICT, true,
     "TRY_CAST(CAST($1 AS DECIMAL(38, $s)) + CAST($2 AS DECIMAL(38, $s)) AS DECIMAL(18, $s))",
     "CAST($1 + $2 AS numeric(18, $s))", range_add, NULL},
    {"-", "ii", 'i', STRICT, true, "dither_subtract_whole($1, $2)", "($1 - $2)", range_subtract, NULL},
    {"-", "rr", 'r', STRICT, true, "dither_subtract_real($1, $2)", "($1 - $2)", range_subtract, NULL},
    {"-", "nn", 'n', STRICT, true,
     "TRY_CAST(CAST($1 AS DECIMAL(38, $s)) - CAST($2 AS DECIMAL(38, $s)) AS DECIMAL(18, $s))",
     "CAST($1 - $2 AS numeric(18, $s))", range_subtract, NULL},
    {"*", "ii", 'i', STRICT, true, "dither_multiply_whole($1, $2)", "($1 * $2)", range_multiply, NULL},
    {"*", "rr", 'r', STRICT, true, "dither_multiply_real($1, $2)", "($1 * $2)", range_multiply, NULL},
    {"/", "ii", 'i', STRICT, true, "dither_divide_whole($1, $2)", "($1 / $2)", range_divide, NULL},
    {"/", "rr", 'r', STRICT, true, "dither_divide_real($1, $2)", "($1 / $2)", range_divide, NULL},
    {"div", "ii", 'i', STRICT, true, "dither_divide_whole($1, $2)", "CAST(div($1, $2) AS bigint)",
     range_divide, NULL},
    {"safe_divide", "rr", 'r', STRICT, true, "dither_divide_real($1, $2)", "($1 / $2)", range_divide, NULL},
    {"%", "ii", 'i', STRICT, true, "dither_modulo($1, $2)", "($1 % $2)", range_modulo, NULL},
    {"mod", "ii", 'i', STRICT, true, "dither_modulo($1, $2)", "mod($1, $2)", range_modulo, NULL},
    {"^", "rr", 'r', STRICT, true, "dither_power($1, $2)", "($1 ^ $2)", NULL, NULL},
    {"-", "i", 'i', STRICT, true, "dither_negate($1)", "(- $1)", range_negate, NULL},
    {"-", "r", 'r', STRICT, false, "(- $1)", "(- $1)", range_negate, NULL},
    {"-", "n", 'n', STRICT, false, "(- $1)", "(- $1)", range_negate, NULL},
    {"+", "i", 'i', STRICT, false, "$1", "(+ $1)", range_first, NULL},
    {"+", "r", 'r', STRICT, false, "$1", "(+ $1)", range_first, NULL},
    {"+", "n", 'n', STRICT, false, "$1", "(+ $1)", range_first, NULL},
    {"abs", "i", 'i', STRICT, true, "dither_absolute($1)", "abs($1)", range_absolute, NULL},
    {"abs", "r", 'r', STRICT, false, "abs($1)", "abs($1)", range_absolute, NULL},
    {"abs", "n", 'n', STRICT, false, "abs($1)", "abs($1)", range_absolute, NULL},
    {0},
};
