/* Comparisons. Text is compared by its bytes (PostgreSQL's collation "C"); NaN equals NaN and is the largest. */
#include "sql/range.h"

#define STRICT SQL_NULLS_STRICT
#define LOOSE  SQL_NULLS_LOOSE
#define NEVER  SQL_NULLS_NEVER

const struct sql_function sql_functions_comparison[] = {
    {"=", "cc", 'b', STRICT, false, "($1 = $2)", "($1 = $2)", NULL, NULL},
    {"<>", "cc", 'b', STRICT, false, "($1 <> $2)", "($1 <> $2)", NULL, NULL},
    {"<", "cc", 'b', STRICT, false, "($1 < $2)", "($1 < $2)", NULL, NULL},
    {"<=", "cc", 'b', STRICT, false, "($1 <= $2)", "($1 <= $2)", NULL, NULL},
    {">", "cc", 'b', STRICT, false, "($1 > $2)", "($1 > $2)", NULL, NULL},
    {">=", "cc", 'b', STRICT, false, "($1 >= $2)", "($1 >= $2)", NULL, NULL},
    {"is distinct from", "cc", 'b', NEVER, false, "($1 IS DISTINCT FROM $2)", "($1 IS DISTINCT FROM $2)",
     NULL, NULL},
    {"is not distinct from", "cc", 'b', NEVER, false, "($1 IS NOT DISTINCT FROM $2)",
     "($1 IS NOT DISTINCT FROM $2)", NULL, NULL},
    {"between", "ccc", 'b', LOOSE, false, "($1 BETWEEN $2 AND $3)", "($1 BETWEEN $2 AND $3)", NULL, NULL},
    {"not between", "ccc", 'b', LOOSE, false, "($1 NOT BETWEEN $2 AND $3)", "($1 NOT BETWEEN $2 AND $3)",
     NULL, NULL},
    {"in", "cc*", 'b', LOOSE, false, "($1 IN ($2*))", "($1 IN ($2*))", NULL, NULL},
    {"not in", "cc*", 'b', LOOSE, false, "($1 NOT IN ($2*))", "($1 NOT IN ($2*))", NULL, NULL},
    {0},
};
