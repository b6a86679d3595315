/* Choices among values of one type. CASE is a node of its own. */
#include "sql/range.h"

#define ALL SQL_NULLS_ALL

const struct sql_function sql_functions_conditional[] = {
    {"coalesce", "a*", 'a', ALL, false, "coalesce($*)", "coalesce($*)", range_union_all, NULL},
    {"ifnull", "aa", 'a', ALL, false, "coalesce($*)", "coalesce($*)", range_union_all, NULL},
    {"nullif", "aa", 'a', SQL_NULLS_ALWAYS, true, "dither_nullif$d($1, $2)", "nullif($1, $2)", range_first,
     NULL},
    {"greatest", "a*", 'a', ALL, false, "greatest($*)", "greatest($*)", range_greatest, NULL},
    {"least", "a*", 'a', ALL, false, "least($*)", "least($*)", range_least, NULL},
    {0},
};
