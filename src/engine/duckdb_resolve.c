/* What is there of each table of the policy, and whether it is what was declared. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "engine/cell.h"
#include "engine/duckdb_engine.h"

/* Whether a CREATE statement has COLLATE outside quotes. Under another collation than the bytes' own, two
 * people could be one. */
static bool mentions_collate(const char *sql)
{
    char quote = '\0';
    for (; *sql != '\0'; sql++) {
        if (quote != '\0')
            quote = *sql == quote ? '\0' : quote;
        else if (*sql == '"' || *sql == '\'')
            quote = *sql;
        else if (strncasecmp(sql, "COLLATE", 7) == 0 && !isalnum((unsigned char)sql[7]) && sql[7] != '_')
            return true;
    }
    return false;
}

/* Looks the name up in the attached file. `kind`: "table", "view", or NULL when there is none. For a view the
 * collations of all tables count: they come through. */
static status look_up(struct duckdb_engine *engine, const char *name, const char **kind, bool *collated,
                      error *why)
{
    struct buffer sql;
    struct sql_rows rows = {.row_count = 0};
    buffer_init(&sql, 1 << 16);
    buffer_text(&sql, "SELECT kind, name, sql FROM (SELECT 'table' AS kind, table_name AS name, sql, "
                      "schema_name, database_name FROM duckdb_tables() UNION ALL SELECT 'view', view_name, "
                      "sql, schema_name, database_name FROM duckdb_views() WHERE NOT internal) WHERE "
                      "database_name = '" DUCKDB_SOURCE "' AND schema_name = 'main'");
    status result = buffer_check(&sql, why);
    if (result == DITHER_OK)
        result = duckdb_ask_texts(&engine->instance, sql.data, 3, &engine->arena, &rows, why);
    buffer_free(&sql);
    TRY(result);
    *kind = NULL;
    for (size_t i = 0; i < rows.row_count; i++)
        if (strcasecmp(sql_rows_cell(&rows, i, 1)->text, name) == 0)
            *kind = sql_rows_cell(&rows, i, 0)->text;
    *collated = false;
    bool view = *kind != NULL && strcmp(*kind, "view") == 0;
    for (size_t i = 0; i < rows.row_count; i++)
        if (view || strcasecmp(sql_rows_cell(&rows, i, 1)->text, name) == 0)
            *collated |=
                !sql_rows_cell(&rows, i, 2)->null && mentions_collate(sql_rows_cell(&rows, i, 2)->text);
    return DITHER_OK;
}

static void check_columns(const struct duckdb_table *table, const struct duckdb_found *found,
                          const char *place, struct duckdb_findings *findings)
{
    for (size_t i = 0; i < table->declared->column_count; i++) {
        const struct policy_column *declared = &table->declared->columns[i];
        const struct duckdb_found_column *column = duckdb_found_find(found, declared->name);
        char room[32];
        if (column == NULL)
            duckdb_wrong(findings, "table %s: %s has no column %s", table->declared->name, place,
                         declared->name);
        else if (!duckdb_type_fits(column, declared))
            duckdb_wrong(findings, "column %s.%s is declared %s, and is %s in %s", table->declared->name,
                         declared->name, policy_type_name(declared->type), duckdb_found_type(column, room),
                         place);
    }
}

static status describe_attached(struct duckdb_engine *engine, const char *name, struct duckdb_found *out,
                                error *why)
{
    struct buffer from;
    buffer_init(&from, 1 << 12);
    buffer_text(&from, DUCKDB_SOURCE ".main.");
    sql_print_identifier(&from, name);
    status result = buffer_check(&from, why);
    if (result == DITHER_OK)
        result = duckdb_describe(&engine->instance, from.data, &engine->arena, out, why);
    buffer_free(&from);
    return result;
}

static status resolve_attached(struct duckdb_engine *engine, struct duckdb_table *table,
                               struct duckdb_findings *findings, error *why)
{
    const char *name = table->declared->name, *file = engine->policy->engine.place, *kind = NULL;
    bool collated = false;
    TRY(look_up(engine, name, &kind, &collated, why));
    if (kind == NULL) {
        duckdb_wrong(findings, "table %s: %s has no table of that name", name, file);
        return DITHER_OK;
    }
    table->is_view = strcmp(kind, "view") == 0;
    if (table->is_view && table->declared->protection != POLICY_PUBLIC && !table->declared->view_per_unit)
        duckdb_wrong(
            findings,
            "table %s is a view in %s: refused, unless `view: per_unit` asserts that each of its rows "
            "depends on its unit alone",
            name, file);
    if (table->is_view && table->declared->protection == POLICY_UNIT_ROW)
        duckdb_wrong(findings, "table %s is a view: its rows have no identity, so `unit: row` cannot be",
                     name);
    if (collated)
        duckdb_wrong(findings,
                     "table %s: %s has a text column with a COLLATE of its own; texts are compared by "
                     "their bytes",
                     name, file);
    if (describe_attached(engine, name, &table->found, why) != DITHER_OK) {
        duckdb_wrong(findings, "table %s cannot be read in %s", name, file);
        return DITHER_OK;
    }
    check_columns(table, &table->found, file, findings);
    return DITHER_OK;
}

static status describe_parquet(struct duckdb_engine *engine, const char *file, struct duckdb_found *out,
                               error *why)
{
    struct buffer from;
    buffer_init(&from, 1 << 14);
    buffer_text(&from, "read_parquet([");
    duckdb_print_text(&from, file);
    buffer_text(&from, "], hive_partitioning = false)");
    status result = buffer_check(&from, why);
    if (result == DITHER_OK)
        result = duckdb_describe(&engine->instance, from.data, &engine->arena, out, why);
    buffer_free(&from);
    return result;
}

/* Files of one table have the same columns, in type too. */
static bool same_columns(const struct duckdb_found *a, const struct duckdb_found *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = strcmp(a->columns[i].name, b->columns[i].name) == 0 &&
               a->columns[i].type == b->columns[i].type && a->columns[i].scale == b->columns[i].scale &&
               a->columns[i].width == b->columns[i].width;
    return same;
}

static status resolve_parquet(struct duckdb_engine *engine, struct duckdb_table *table,
                              struct duckdb_findings *findings, error *why)
{
    for (size_t i = 0; i < table->source.count; i++) {
        struct duckdb_found found;
        const char *file = table->source.files[i];
        if (describe_parquet(engine, file, &found, why) != DITHER_OK) {
            duckdb_wrong(findings, "table %s: %s is not a Parquet file that DuckDB can read",
                         table->declared->name, file);
            return DITHER_OK;
        }
        if (i == 0)
            table->found = found;
        else if (!same_columns(&found, &table->found))
            duckdb_wrong(findings, "table %s: the columns of %s are not those of %s", table->declared->name,
                         file, table->source.files[0]);
    }
    check_columns(table, &table->found, table->source.files[0], findings);
    return DITHER_OK;
}

static void resolve_csv(struct duckdb_engine *engine, struct duckdb_table *table,
                        struct duckdb_findings *findings)
{
    for (size_t i = 0; i < table->source.count; i++) {
        struct source_header header;
        error wrong;
        if (source_read_header(table->source.files[i], &engine->arena, &header, &wrong) != DITHER_OK) {
            duckdb_wrong(findings, "table %s: %s", table->declared->name, wrong.message);
            return;
        }
        for (size_t j = 0; j < table->declared->column_count; j++) {
            size_t found = 0;
            while (found < header.count &&
                   strcasecmp(header.names[found], table->declared->columns[j].name) != 0)
                found++;
            if (found == header.count)
                duckdb_wrong(findings, "table %s: %s has no column %s", table->declared->name,
                             table->source.files[i], table->declared->columns[j].name);
        }
    }
    if (table->declared->column_count > 0)
        return;
    error wrong;
    if (source_guess_columns(&table->source, &engine->arena, &table->columns, &table->column_count, &wrong) !=
        DITHER_OK)
        duckdb_wrong(findings, "table %s: %s", table->declared->name, wrong.message);
}

static status resolve_files(struct duckdb_engine *engine, struct duckdb_table *table,
                            struct duckdb_findings *findings, error *why)
{
    error wrong;
    if (source_find(table->declared->source, &engine->arena, &table->source, &wrong) != DITHER_OK) {
        duckdb_wrong(findings, "table %s: %s", table->declared->name, wrong.message);
        return DITHER_OK;
    }
    if (table->source.format == SOURCE_PARQUET)
        return resolve_parquet(engine, table, findings, why);
    if (table->source.format == SOURCE_CSV)
        resolve_csv(engine, table, findings);
    else if (table->declared->column_count == 0)
        duckdb_wrong(findings, "table %s: JSON does not say its columns; declare them",
                     table->declared->name);
    return DITHER_OK;
}

/* A public table without declared columns has those that were found and that Dither has a type for. */
static status take_found_columns(struct duckdb_engine *engine, struct duckdb_table *table, error *why)
{
    struct policy_column *columns = NULL;
    size_t count = 0;
    TRY(arena_take(&engine->arena, table->found.count * sizeof *columns, (void **)&columns, why));
    for (size_t i = 0; i < table->found.count; i++) {
        char room[32];
        if (duckdb_type_to_declare(&table->found.columns[i], &columns[count]))
            count++;
        else
            duckdb_tell(engine, "table %s: its column %s is left out: it is %s", table->declared->name,
                        table->found.columns[i].name, duckdb_found_type(&table->found.columns[i], room));
    }
    table->columns = columns;
    table->column_count = count;
    return DITHER_OK;
}

static status take_columns(struct duckdb_engine *engine, struct duckdb_table *table, error *why)
{
    if (table->declared->column_count > 0) {
        table->columns = table->declared->columns;
        table->column_count = table->declared->column_count;
    } else if (table->columns == NULL)
        TRY(take_found_columns(engine, table, why));
    TRY(arena_take(&engine->arena, table->column_count * sizeof *table->types, (void **)&table->types, why));
    for (size_t i = 0; i < table->column_count; i++)
        table->types[i] = (struct scratch_column){.type = cell_type(table->columns[i].type),
                                                  .scale = table->columns[i].scale};
    return DITHER_OK;
}

/* Names that mean something else in the engine or in scratch. */
static void check_names(const struct duckdb_table *table, struct duckdb_findings *findings)
{
    const char *name = table->declared->name;
    if (table->declared->protection == POLICY_PUBLIC && strncasecmp(name, "release_", 8) == 0)
        duckdb_wrong(findings, "table %s: names of public tables do not begin with release_", name);
    bool taken = duckdb_found_find(&table->found, "rowid") != NULL;
    for (size_t i = 0; i < table->column_count; i++)
        taken |= strcasecmp(table->columns[i].name, "rowid") == 0;
    if (table->declared->protection == POLICY_UNIT_ROW && taken)
        duckdb_wrong(findings, "table %s: with `unit: row` no column may be called rowid", name);
    if (table->column_count == 0)
        duckdb_wrong(findings, "table %s has no column that Dither has a type for", name);
}

status duckdb_resolve_tables(struct duckdb_engine *engine, struct duckdb_findings *findings, error *why)
{
    size_t count = engine->policy->table_count;
    TRY(arena_take(&engine->arena, count * sizeof *engine->tables, (void **)&engine->tables, why));
    for (size_t i = 0; i < count; i++) {
        struct duckdb_table *table = &engine->tables[i];
        size_t wrong = findings->wrong;
        table->declared = &engine->policy->tables[i];
        table->has_source = table->declared->source != NULL;
        TRY(table->has_source ? resolve_files(engine, table, findings, why)
                              : resolve_attached(engine, table, findings, why));
        TRY(take_columns(engine, table, why));
        if (findings->wrong == wrong)
            check_names(table, findings);
    }
    return DITHER_OK;
}
