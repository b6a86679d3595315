/* Three-valued logic. */
#include "sql/range.h"

#define STRICT SQL_NULLS_STRICT
#define LOOSE  SQL_NULLS_LOOSE
#define NEVER  SQL_NULLS_NEVER

const struct sql_function sql_functions_logic[] = {
    {"and", "bb*", 'b', LOOSE, false, "($[ AND ])", "($[ AND ])", NULL, NULL},
    {"or", "bb*", 'b', LOOSE, false, "($[ OR ])", "($[ OR ])", NULL, NULL},
    {"not", "b", 'b', STRICT, false, "(NOT $1)", "(NOT $1)", NULL, NULL},
    {"is null", "a", 'b', NEVER, false, "($1 IS NULL)", "($1 IS NULL)", NULL, NULL},
    {"is not null", "a", 'b', NEVER, false, "($1 IS NOT NULL)", "($1 IS NOT NULL)", NULL, NULL},
    {"is true", "b", 'b', NEVER, false, "($1 IS NOT DISTINCT FROM TRUE)", "($1 IS TRUE)", NULL, NULL},
    {"is not true", "b", 'b', NEVER, false, "($1 IS DISTINCT FROM TRUE)", "($1 IS NOT TRUE)", NULL, NULL},
    {"is false", "b", 'b', NEVER, false, "($1 IS NOT DISTINCT FROM FALSE)", "($1 IS FALSE)", NULL, NULL},
    {"is not false", "b", 'b', NEVER, false, "($1 IS DISTINCT FROM FALSE)", "($1 IS NOT FALSE)", NULL, NULL},
    {"is unknown", "b", 'b', NEVER, false, "($1 IS NULL)", "($1 IS UNKNOWN)", NULL, NULL},
    {"is not unknown", "b", 'b', NEVER, false, "($1 IS NOT NULL)", "($1 IS NOT UNKNOWN)", NULL, NULL},
    {0},
};
