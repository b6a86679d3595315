/* The lists by which a question is rewritten: types, functions, tables. What is not here is refused. */
#include <string.h>

#include "serve/catalogue_parts.h"

const struct catalogue_letter *catalogue_letter(char letter)
{
    static const struct catalogue_letter letters[] = {
        {'o', "UINTEGER", 26},    {'n', "VARCHAR", 19},      {'t', "VARCHAR", 25},
        {'v', "VARCHAR", 1043},   {'c', "VARCHAR", 18},      {'b', "BOOLEAN", 16},
        {'s', "SMALLINT", 21},    {'i', "INTEGER", 23},      {'l', "BIGINT", 20},
        {'f', "FLOAT", 700},      {'d', "DOUBLE", 701},      {'x', "VARCHAR", 28},
        {'p', "UINTEGER", 24},    {'y', "UINTEGER", 2206},   {'e', "VARCHAR", 194},
        {'z', "TIMESTAMP", 1184}, {'O', "UINTEGER[]", 1028}, {'S', "SMALLINT[]", 1005},
        {'T', "VARCHAR[]", 1009}, {'N', "VARCHAR[]", 1003},  {'C', "VARCHAR[]", 1002},
        {'A', "VARCHAR[]", 1034}, {'V', "SMALLINT[]", 22},   {'W', "UINTEGER[]", 30},
    };
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (letters[i].letter == letter)
            return &letters[i];
    return NULL;
}

bool catalogue_next_column(const char **columns, const char **name, size_t *length, char *letter)
{
    if (**columns == '\0')
        return false;
    *name = *columns;
    *length = strcspn(*columns, " ");
    *letter = (*columns)[*length + 1];
    *columns += *length + 2;
    *columns += **columns == ',';
    return true;
}

static char letter_in(const struct catalogue_relation *relations, const char *wanted)
{
    for (const struct catalogue_relation *relation = relations; relation->name != NULL; relation++) {
        const char *columns = relation->columns, *name;
        size_t length;
        char letter;
        while (catalogue_next_column(&columns, &name, &length, &letter))
            if (strlen(wanted) == length && memcmp(wanted, name, length) == 0)
                return letter;
    }
    return 0;
}

/* Of a name that both have, pg_catalog's is meant; but not where that is a reference, which would be taken for a number:
 * data_type of pg_sequences is one, and everybody asks for that of information_schema.columns. */
char catalogue_column_letter(const char *name)
{
    char letter = letter_in(catalogue_of_postgres, name), standard = letter_in(catalogue_of_standard, name);
    bool reference = letter == 'p' || letter == 'y';
    return letter == 0 || (reference && standard != 0) ? standard : letter;
}

static bool has_relation(const struct catalogue_relation *relations, const char *name)
{
    for (; relations->name != NULL; relations++)
        if (strcmp(relations->name, name) == 0)
            return true;
    return false;
}

bool catalogue_is_relation(const char *schema, const char *name, bool *standard)
{
    bool named = schema != NULL && schema[0] != '\0';
    *standard = named && strcmp(schema, "information_schema") == 0;
    if (*standard)
        return has_relation(catalogue_of_standard, name);
    return (!named || strcmp(schema, "pg_catalog") == 0) && has_relation(catalogue_of_postgres, name);
}

/* ---- Functions ---- */

/* DuckDB's functions that do here what PostgreSQL's do; "a>b": of another name. None reads anything, and none makes much
 * of little. */
static const char *const shared[] = {
    "count",
    "min",
    "max",
    "sum",
    "avg",
    "array_agg",
    "string_agg",
    "bool_and",
    "bool_or",
    "every>bool_and",
    "lower",
    "upper",
    "length",
    "char_length>length",
    "character_length>length",
    "octet_length>strlen",
    "replace",
    "row_number",
    "rank",
    "dense_rank",
    "concat",
    "concat_ws",
    "substring",
    "substr",
    "position",
    "strpos",
    "btrim>trim",
    "ltrim",
    "rtrim",
    "left",
    "right",
    "split_part",
    "abs",
    "round",
    "floor",
    "ceil",
    "sign",
    "generate_series",
    "generate_subscripts",
    "unnest",
    "array_length",
    "array_to_string",
    "string_to_array",
    "array_position",
    "array_append",
    "array_cat",
    "cardinality>len",
    "regexp_replace",
    "chr",
    "ascii",
    "now",
    "date_trunc",
    "date_part",
    "json_build_object>json_object",
    "like_escape",
    "nullif",
    "timezone",
    "starts_with",
    "initcap",
    "md5",
    "lag",
    "lead",
    "first_value",
    "last_value",
};

static bool is_macro(const char *name)
{
    static const char opening[] = "CREATE MACRO dither.";
    size_t length = strlen(name);
    for (size_t i = 0; catalogue_macros[i] != NULL; i++) {
        const char *macro = catalogue_macros[i] + sizeof opening - 1;
        if (macro[0] == name[0] && strncmp(macro, name, length) == 0 && macro[length] == '(')
            return true;
    }
    return false;
}

bool catalogue_function(const char *name, const char **ours, bool *macro)
{
    *macro = is_macro(name);
    *ours = name;
    if (*macro)
        return true;
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if (strncmp(shared[i], name, length) == 0 &&
            (shared[i][length] == '\0' || shared[i][length] == '>')) {
            *ours = shared[i][length] == '>' ? shared[i] + length + 1 : name;
            return true;
        }
    return false;
}

/* ---- Types ---- */

static const struct {
    const char *name, *ours;
    uint32_t oid;
} types[] = {
    {"text", "varchar", 25},
    {"varchar", "varchar", 1043},
    {"bpchar", "varchar", 1042},
    {"name", "varchar", 19},
    {"char", "varchar", 18},
    {"cstring", "varchar", 2275},
    {"xid", "varchar", 28},
    {"unknown", "varchar", 705},
    {"pg_node_tree", "varchar", 194},
    {"aclitem", "varchar", 1033},
    {"json", "varchar", 114},
    {"jsonb", "varchar", 3802},
    {"oid", "uinteger", 26},
    {"int2", "int2", 21},
    {"int4", "int4", 23},
    {"int8", "int8", 20},
    {"bool", "bool", 16},
    {"float4", "float4", 700},
    {"float8", "float8", 701},
    {"numeric", "numeric", 1700},
    {"date", "date", 1082},
    {"timestamp", "timestamp", 1114},
    {"timestamptz", "timestamp", 1184},
    {"interval", "interval", 1186},
    {"sql_identifier", "varchar", 19},
    {"character_data", "varchar", 1043},
    {"yes_or_no", "varchar", 1043},
    {"cardinal_number", "int4", 23},
    {"regclass", "uinteger", 2205},
    {"regtype", "uinteger", 2206},
    {"regproc", "uinteger", 24},
    {"regprocedure", "uinteger", 2202},
    {"regnamespace", "uinteger", 4089},
    {"regrole", "uinteger", 4096},
    {"regoperator", "uinteger", 2204},
    {"regcollation", "uinteger", 4191},
    {"int2vector", "int2", 22},
    {"oidvector", "uinteger", 30},
};

const char *catalogue_type(const char *name, uint32_t *oid)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].name, name) == 0) {
            *oid = types[i].oid;
            return types[i].ours;
        }
    return NULL;
}

uint32_t catalogue_reference(const char *name)
{
    uint32_t oid = 0;
    return strncmp(name, "reg", 3) == 0 && catalogue_type(name, &oid) != NULL ? oid : 0;
}
