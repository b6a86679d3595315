/* Type names. PostgreSQL's grammar has already turned "double precision" into pg_catalog.float8. */
#include <string.h>

#include "sql/bind.h"

static const struct {
    const char *name;
    enum sql_type type;
} names[] = {
    {"int2", SQL_INTEGER},        {"int4", SQL_INTEGER},       {"int8", SQL_INTEGER},
    {"smallint", SQL_INTEGER},    {"integer", SQL_INTEGER},    {"int", SQL_INTEGER},
    {"bigint", SQL_INTEGER},      {"int64", SQL_INTEGER},      {"float4", SQL_REAL},
    {"float8", SQL_REAL},         {"real", SQL_REAL},          {"double", SQL_REAL},
    {"float64", SQL_REAL},        {"numeric", SQL_DECIMAL},    {"decimal", SQL_DECIMAL},
    {"bool", SQL_BOOLEAN},        {"boolean", SQL_BOOLEAN},    {"text", SQL_TEXT},
    {"varchar", SQL_TEXT},        {"string", SQL_TEXT},        {"date", SQL_DATE},
    {"timestamp", SQL_TIMESTAMP}, {"datetime", SQL_TIMESTAMP}, {"interval", SQL_INTERVAL},
};

static bool find(const char *name, enum sql_type *type)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i].name, name) == 0) {
            *type = names[i].type;
            return true;
        }
    }
    return false;
}

static bool modifier(const PgQuery__TypeName *name, size_t index, int *value)
{
    if (index >= name->n_typmods || name->typmods[index]->node_case != PG_QUERY__NODE__NODE_A_CONST)
        return false;
    const PgQuery__AConst *constant = name->typmods[index]->a_const;
    if (constant->val_case != PG_QUERY__A__CONST__VAL_IVAL)
        return false;
    *value = constant->ival->ival;
    return true;
}

/* numeric(p, s): 18 digits at most. Without a scale it is a real: PostgreSQL's numeric of any scale has no
 * fixed size. */
static status decimal_scale(const PgQuery__TypeName *name, int position, enum sql_type *type, int *scale,
                            error *why)
{
    int precision = 0, digits = 0;
    if (name->n_typmods == 0) {
        *type = SQL_REAL;
        return DITHER_OK;
    }
    if (!modifier(name, 0, &precision) || precision < 1 || precision > 18 ||
        (name->n_typmods > 1 && !modifier(name, 1, &digits)) || digits < 0 || digits > precision)
        return sql_refuse(why, position, "numeric takes 1 to 18 digits, of which the scale is a part");
    *scale = digits;
    return DITHER_OK;
}

status bind_type(struct binder *binder, const PgQuery__TypeName *name, enum sql_type *type, int *scale,
                 error *why)
{
    int position = sql_parsed_position(binder->parsed, name->location);
    const char *last = name->n_names > 0 ? name->names[name->n_names - 1]->string->sval : "";
    if (name->setof || name->pct_type || name->n_array_bounds > 0 || name->n_names > 2 ||
        (name->n_names == 2 && strcmp(name->names[0]->string->sval, "pg_catalog") != 0))
        return sql_refuse(why, position, "this type is not available in questions");
    enum sql_type found = SQL_UNKNOWN;
    int digits = 0;
    if (strcmp(last, "timestamptz") == 0 || strcmp(last, "timetz") == 0)
        return sql_refuse(why, position, "there are no time zones; use timestamp");
    if (!find(last, &found))
        return sql_refuse(why, position, "type \"%.60s\" is not available in questions", last);
    if (found == SQL_DECIMAL)
        TRY(decimal_scale(name, position, &found, &digits, why));
    else if (name->n_typmods > 0 && found != SQL_INTERVAL)
        return sql_refuse(why, position,
                          "type %s takes no length here; use text and left(), or timestamp and "
                          "date_trunc()",
                          last);
    *type = found;
    *scale = digits;
    return DITHER_OK;
}
