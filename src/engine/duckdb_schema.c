#include "engine/duckdb_schema.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "engine/cell.h"
#include "engine/duckdb_write.h"

static status list_columns(duckdb_prepared_statement statement, struct arena *arena, struct duckdb_found *out,
                           error *why)
{
    size_t count = duckdb_prepared_statement_column_count(statement);
    struct duckdb_found_column *columns = NULL;
    TRY(arena_take(arena, count * sizeof *columns, (void **)&columns, why));
    for (size_t i = 0; i < count; i++) {
        const char *name = duckdb_prepared_statement_column_name(statement, i);
        char *copy = NULL;
        status copied =
            arena_text(arena, name != NULL ? name : "", name != NULL ? strlen(name) : 0, &copy, why);
        duckdb_free((void *)(uintptr_t)name);
        TRY(copied);
        columns[i].name = copy;
        duckdb_logical_type type = duckdb_prepared_statement_column_logical_type(statement, i);
        columns[i].type = duckdb_get_type_id(type);
        if (columns[i].type == DUCKDB_TYPE_DECIMAL) {
            columns[i].width = duckdb_decimal_width(type);
            columns[i].scale = duckdb_decimal_scale(type);
        }
        duckdb_destroy_logical_type(&type);
    }
    *out = (struct duckdb_found){.columns = columns, .count = count};
    return DITHER_OK;
}

status duckdb_describe(struct duckdb_instance *instance, const char *from, struct arena *arena,
                       struct duckdb_found *out, error *why)
{
    struct buffer sql;
    buffer_init(&sql, 1 << 20);
    buffer_text(&sql, "SELECT * FROM ");
    buffer_text(&sql, from);
    duckdb_prepared_statement statement = NULL;
    status result = buffer_check(&sql, why);
    if (result == DITHER_OK && duckdb_prepare(instance->connection, sql.data, &statement) != DuckDBSuccess) {
        duckdb_instance_complain(instance, duckdb_prepare_error(statement));
        result = fail(why, DITHER_IO, "DuckDB cannot read the schema");
    }
    if (result == DITHER_OK)
        result = list_columns(statement, arena, out, why);
    duckdb_destroy_prepare(&statement);
    buffer_free(&sql);
    return result;
}

const struct duckdb_found_column *duckdb_found_find(const struct duckdb_found *found, const char *name)
{
    for (size_t i = 0; i < found->count; i++)
        if (strcasecmp(found->columns[i].name, name) == 0)
            return &found->columns[i];
    return NULL;
}

const char *duckdb_found_type(const struct duckdb_found_column *column, char room[32])
{
    static const char *const names[] = {
        [DUCKDB_TYPE_BOOLEAN] = "BOOLEAN",
        [DUCKDB_TYPE_TINYINT] = "TINYINT",
        [DUCKDB_TYPE_SMALLINT] = "SMALLINT",
        [DUCKDB_TYPE_INTEGER] = "INTEGER",
        [DUCKDB_TYPE_BIGINT] = "BIGINT",
        [DUCKDB_TYPE_UTINYINT] = "UTINYINT",
        [DUCKDB_TYPE_USMALLINT] = "USMALLINT",
        [DUCKDB_TYPE_UINTEGER] = "UINTEGER",
        [DUCKDB_TYPE_UBIGINT] = "UBIGINT",
        [DUCKDB_TYPE_HUGEINT] = "HUGEINT",
        [DUCKDB_TYPE_UHUGEINT] = "UHUGEINT",
        [DUCKDB_TYPE_FLOAT] = "FLOAT",
        [DUCKDB_TYPE_DOUBLE] = "DOUBLE",
        [DUCKDB_TYPE_VARCHAR] = "VARCHAR",
        [DUCKDB_TYPE_BLOB] = "BLOB",
        [DUCKDB_TYPE_DATE] = "DATE",
        [DUCKDB_TYPE_TIME] = "TIME",
        [DUCKDB_TYPE_TIMESTAMP] = "TIMESTAMP",
        [DUCKDB_TYPE_TIMESTAMP_S] = "TIMESTAMP_S",
        [DUCKDB_TYPE_TIMESTAMP_MS] = "TIMESTAMP_MS",
        [DUCKDB_TYPE_TIMESTAMP_NS] = "TIMESTAMP_NS",
        [DUCKDB_TYPE_TIMESTAMP_TZ] = "TIMESTAMP WITH TIME ZONE",
        [DUCKDB_TYPE_INTERVAL] = "INTERVAL",
        [DUCKDB_TYPE_ENUM] = "ENUM",
        [DUCKDB_TYPE_UUID] = "UUID",
        [DUCKDB_TYPE_LIST] = "a list",
        [DUCKDB_TYPE_STRUCT] = "a struct",
        [DUCKDB_TYPE_MAP] = "a map",
    };
    if (column->type == DUCKDB_TYPE_DECIMAL) {
        snprintf(room, 32, "DECIMAL(%d,%d)", column->width, column->scale);
        return room;
    }
    bool known = (size_t)column->type < sizeof names / sizeof names[0] && names[column->type] != NULL;
    return known ? names[column->type] : "a type of DuckDB's own";
}

static bool is_integer(duckdb_type type)
{
    return (type >= DUCKDB_TYPE_TINYINT && type <= DUCKDB_TYPE_UBIGINT) || type == DUCKDB_TYPE_HUGEINT ||
           type == DUCKDB_TYPE_UHUGEINT;
}

static bool is_timestamp(duckdb_type type)
{
    return type == DUCKDB_TYPE_TIMESTAMP || type == DUCKDB_TYPE_TIMESTAMP_S ||
           type == DUCKDB_TYPE_TIMESTAMP_MS || type == DUCKDB_TYPE_TIMESTAMP_NS;
}

bool duckdb_type_fits(const struct duckdb_found_column *found, const struct policy_column *declared)
{
    duckdb_type type = found->type;
    switch (declared->type) {
    case POLICY_INTEGER:
        return is_integer(type);
    case POLICY_REAL:
        return type == DUCKDB_TYPE_FLOAT || type == DUCKDB_TYPE_DOUBLE || type == DUCKDB_TYPE_DECIMAL ||
               is_integer(type);
    case POLICY_DECIMAL:
        return is_integer(type) || (type == DUCKDB_TYPE_DECIMAL && found->scale <= declared->scale);
    case POLICY_TEXT:
        return type == DUCKDB_TYPE_VARCHAR || type == DUCKDB_TYPE_ENUM || type == DUCKDB_TYPE_UUID;
    case POLICY_BOOLEAN:
        return type == DUCKDB_TYPE_BOOLEAN;
    case POLICY_DATE:
        return type == DUCKDB_TYPE_DATE;
    case POLICY_TIMESTAMP:
        return is_timestamp(type);
    }
    return false;
}

bool duckdb_type_is_exact(const struct duckdb_found_column *found, const struct policy_column *declared)
{
    if (declared->type == POLICY_REAL && found->type != DUCKDB_TYPE_FLOAT &&
        found->type != DUCKDB_TYPE_DOUBLE)
        return false;
    return duckdb_type_fits(found, declared) && found->type != DUCKDB_TYPE_TIMESTAMP_NS;
}

bool duckdb_type_to_declare(const struct duckdb_found_column *found, struct policy_column *out)
{
    static const enum policy_type types[] = {POLICY_BOOLEAN,   POLICY_INTEGER, POLICY_DATE, POLICY_TEXT,
                                             POLICY_TIMESTAMP, POLICY_DECIMAL, POLICY_REAL};
    struct policy_column column = {.name = found->name, .nullable = true};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        column.type = types[i];
        column.scale = column.type == POLICY_DECIMAL ? found->scale : 0;
        if (column.scale <= POLICY_MOST_SCALE && duckdb_type_fits(found, &column)) {
            *out = column;
            return true;
        }
    }
    return false;
}

static void print_plain_cast(struct buffer *buffer, const struct duckdb_found_column *found,
                             const struct policy_column *declared)
{
    bool same = (declared->type == POLICY_INTEGER && found->type == DUCKDB_TYPE_BIGINT) ||
                (declared->type == POLICY_REAL && found->type == DUCKDB_TYPE_DOUBLE) ||
                (declared->type == POLICY_TEXT && found->type == DUCKDB_TYPE_VARCHAR) ||
                (declared->type == POLICY_BOOLEAN && found->type == DUCKDB_TYPE_BOOLEAN) ||
                (declared->type == POLICY_DATE && found->type == DUCKDB_TYPE_DATE) ||
                (declared->type == POLICY_TIMESTAMP && found->type == DUCKDB_TYPE_TIMESTAMP) ||
                (declared->type == POLICY_DECIMAL && found->type == DUCKDB_TYPE_DECIMAL &&
                 found->width == POLICY_MOST_SCALE && found->scale == declared->scale);
    if (!same)
        buffer_text(buffer, "TRY_CAST(");
    sql_print_identifier(buffer, found->name);
    if (!same) {
        buffer_text(buffer, " AS ");
        duckdb_print_type(buffer, cell_type(declared->type), declared->scale);
        buffer_text(buffer, ")");
    }
}

void duckdb_print_cast(struct buffer *buffer, const struct duckdb_found_column *found,
                       const struct policy_column *declared)
{
    bool day = declared->type == POLICY_DATE;
    if (!day && declared->type != POLICY_TIMESTAMP) {
        print_plain_cast(buffer, found, declared);
        return;
    }
    buffer_text(buffer, "CASE WHEN ");
    print_plain_cast(buffer, found, declared);
    buffer_text(buffer, day ? " BETWEEN DATE '0001-01-01' AND DATE '9999-12-31' THEN "
                            : " BETWEEN TIMESTAMP '0001-01-01 00:00:00' AND TIMESTAMP "
                              "'9999-12-31 23:59:59.999999' THEN ");
    print_plain_cast(buffer, found, declared);
    buffer_text(buffer, " END");
}
