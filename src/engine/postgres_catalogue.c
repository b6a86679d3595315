/* What is there of each table of the policy, and whether it is what was declared. Reads the server's catalogue and no
 * row. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/postgres_engine.h"

enum { WORDS_BYTES = 64 << 20 };

/* With the oid: a table that is dropped and made anew is another table. */
static const char table_query[] =
    "SELECT c.oid, c.relkind, "
    "c.relkind = 'f' OR EXISTS (SELECT 1 FROM pg_partition_tree(c.oid) p JOIN pg_class part ON part.oid = "
    "p.relid "
    "WHERE part.relkind = 'f'), "
    "c.relkind <> 'p' AND EXISTS (SELECT 1 FROM pg_inherits WHERE inhparent = c.oid), "
    "row_security_active(c.oid) "
    "FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2 "
    "AND c.relkind IN ('r', 'p', 'v', 'm', 'f')";

/* A domain is taken for what lies one level below it. */
static const char column_query[] =
    "SELECT a.attname, format_type(a.atttypid, a.atttypmod), "
    "CASE WHEN base.typtype = 'e' THEN 'enum' WHEN base.typtype = 'b' AND space.nspname = 'pg_catalog' THEN "
    "base.typname ELSE '' END, "
    "CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END, "
    "COALESCE(l.collisdeterministic, true), COALESCE(l.collname, ''), "
    "has_column_privilege(c.oid, a.attnum, 'SELECT'), a.attnotnull "
    "FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid "
    "JOIN pg_type t ON t.oid = a.atttypid "
    "JOIN pg_type base ON base.oid = CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE t.oid END "
    "JOIN pg_namespace space ON space.oid = base.typnamespace "
    "LEFT JOIN pg_collation l ON l.oid = a.attcollation "
    "WHERE n.nspname = $1 AND c.relname = $2 AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum";

/* ---- Where the tables are ---- */

status postgres_find_schemas(struct postgres_engine *engine, error *why)
{
    for (size_t i = 0; i < engine->policy->table_count; i++) {
        PGresult *result = NULL;
        char *schema = NULL;
        const char *name = engine->policy->tables[i].name;
        engine->tables[i].declared = &engine->policy->tables[i];
        TRY(postgres_session_ask(
            &engine->session,
            "SELECT n.nspname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = "
            "c.relnamespace "
            "WHERE c.oid = pg_catalog.to_regclass(pg_catalog.quote_ident($1)) AND n.nspname !~ '^pg_'",
            &name, 1, "looking for the tables", &result, why));
        status copied = DITHER_OK;
        if (PQntuples(result) == 1)
            copied = arena_text(&engine->arena, PQgetvalue(result, 0, 0), strlen(PQgetvalue(result, 0, 0)),
                                &schema, why);
        PQclear(result);
        TRY(copied);
        engine->tables[i].schema = schema;
    }
    return DITHER_OK;
}

/* ---- The words ---- */

status postgres_ask_about(struct postgres_engine *engine, const struct postgres_table *table, const char *sql,
                          PGresult **out, error *why)
{
    const char *values[] = {table->schema, table->declared->name};
    return postgres_session_ask(&engine->session, sql, values, 2, "reading its catalogue", out, why);
}

static void add_words(struct buffer *words, const PGresult *result)
{
    for (int row = 0; row < PQntuples(result); row++)
        for (int column = 0; column < PQnfields(result); column++)
            buffer_format(words, "%s%c", PQgetvalue(result, row, column),
                          column + 1 == PQnfields(result) ? '\n' : '\t');
}

static status add_query(struct postgres_engine *engine, const struct postgres_table *table, const char *sql,
                        struct buffer *words, error *why)
{
    PGresult *result = NULL;
    TRY(postgres_ask_about(engine, table, sql, &result, why));
    add_words(words, result);
    PQclear(result);
    return DITHER_OK;
}

status postgres_read_words(struct postgres_engine *engine, struct arena *arena, const char **out, error *why)
{
    struct buffer words;
    char *copy = NULL;
    status result = DITHER_OK;
    buffer_init(&words, WORDS_BYTES);
    for (size_t i = 0; i < engine->policy->table_count && result == DITHER_OK; i++) {
        const struct postgres_table *table = &engine->tables[i];
        buffer_format(&words, "%s\n", table->declared->name);
        if (table->schema == NULL)
            continue;
        result = add_query(engine, table, table_query, &words, why);
        if (result == DITHER_OK)
            result = add_query(engine, table, column_query, &words, why);
        if (result == DITHER_OK)
            result = add_query(engine, table, postgres_unique_query, &words, why);
    }
    if (result == DITHER_OK)
        result = buffer_check(&words, why);
    if (result == DITHER_OK)
        result = arena_text(arena, words.data != NULL ? words.data : "", words.length, &copy, why);
    buffer_free(&words);
    if (result == DITHER_OK)
        *out = copy;
    return result;
}

/* ---- One table ---- */

static status copy_cell(struct postgres_engine *engine, const PGresult *result, int row, int column,
                        const char **out, error *why)
{
    char *copy = NULL;
    TRY(arena_text(&engine->arena, PQgetvalue(result, row, column), (size_t)PQgetlength(result, row, column),
                   &copy, why));
    *out = copy;
    return DITHER_OK;
}

static bool is_true(const PGresult *result, int row, int column)
{
    return PQgetvalue(result, row, column)[0] == 't';
}

static status take_columns(struct postgres_engine *engine, struct postgres_table *table,
                           const PGresult *result, error *why)
{
    size_t count = (size_t)PQntuples(result);
    struct postgres_column *columns = NULL;
    TRY(arena_take(&engine->arena, (count + 1) * sizeof *columns, (void **)&columns, why));
    for (size_t i = 0; i < count; i++) {
        int row = (int)i;
        TRY(copy_cell(engine, result, row, 0, &columns[i].name, why));
        TRY(copy_cell(engine, result, row, 1, &columns[i].type, why));
        TRY(copy_cell(engine, result, row, 2, &columns[i].base, why));
        columns[i].modifier = atoi(PQgetvalue(result, row, 3));
        columns[i].deterministic = is_true(result, row, 4);
        TRY(copy_cell(engine, result, row, 5, &columns[i].collation, why));
        columns[i].readable = is_true(result, row, 6);
        columns[i].not_null = is_true(result, row, 7);
    }
    table->found = columns;
    table->found_count = count;
    return DITHER_OK;
}

static status read_table(struct postgres_engine *engine, struct postgres_table *table, error *why)
{
    PGresult *result = NULL;
    TRY(postgres_ask_about(engine, table, table_query, &result, why));
    if (PQntuples(result) != 1) {
        table->schema = NULL;
        PQclear(result);
        return DITHER_OK;
    }
    table->kind = PQgetvalue(result, 0, 1)[0];
    table->has_foreign = is_true(result, 0, 2);
    table->has_children = is_true(result, 0, 3);
    table->row_security = is_true(result, 0, 4);
    PQclear(result);
    TRY(postgres_ask_about(engine, table, column_query, &result, why));
    status taken = take_columns(engine, table, result, why);
    PQclear(result);
    return taken;
}

/* ---- What is wrong ---- */

static bool is_plain(const struct postgres_table *table)
{
    return (table->kind == 'r' && !table->has_children) || table->kind == 'm';
}

static void check_kind(const struct postgres_table *table, struct postgres_findings *findings)
{
    const char *name = table->declared->name;
    bool view = table->kind == 'v' || table->kind == 'm';
    if (view && table->declared->protection != POLICY_PUBLIC && !table->declared->view_per_unit)
        postgres_wrong(findings,
                       "table %s is a view: refused, unless `view: per_unit` asserts that each of its rows "
                       "depends on its unit alone",
                       name);
    if (table->declared->protection == POLICY_UNIT_ROW && (view || !is_plain(table)))
        postgres_wrong(findings,
                       "table %s is %s: its rows have no identity that lasts, so `unit: row` cannot be", name,
                       view                 ? "a view"
                       : table->kind == 'p' ? "partitioned"
                       : table->kind == 'f' ? "a foreign table"
                                            : "inherited from");
    if (table->row_security)
        postgres_wrong(
            findings,
            "table %s: row-level security hides rows of it from this role; what is hidden could depend on "
            "other people's rows",
            name);
}

static void check_columns(const struct postgres_table *table, struct postgres_findings *findings)
{
    for (size_t i = 0; i < table->declared->column_count; i++) {
        const struct policy_column *declared = &table->declared->columns[i];
        const struct postgres_column *found = postgres_find_column(table, declared->name);
        const char *name = table->declared->name;
        if (found == NULL)
            postgres_wrong(findings, "table %s has no column %s in the database", name, declared->name);
        else if (!postgres_type_fits(found, declared))
            postgres_wrong(
                findings,
                "column %s.%s is declared %s, and is %s in the database: not every value of that fits", name,
                declared->name, policy_type_name(declared->type), found->type);
        else if (!found->deterministic)
            postgres_wrong(
                findings,
                "column %s.%s has a collation that takes different texts for equal: two people could "
                "become one",
                name, declared->name);
        else if (!found->readable)
            postgres_wrong(findings, "column %s.%s: this role may not read it (GRANT SELECT)", name,
                           declared->name);
    }
}

/* Both ends of a path have one collation, or the server could not compare them. */
static void check_path(const struct postgres_engine *engine, const struct postgres_table *table,
                       struct postgres_findings *findings)
{
    const struct policy_table *declared = table->declared;
    for (size_t i = 0; declared->protection == POLICY_UNIT_JOIN && i < declared->key_count; i++) {
        const struct postgres_table *parent = &engine->tables[declared->parent - engine->policy->tables];
        const struct postgres_column *child = postgres_find_column(table, declared->keys[i].column->name);
        const struct postgres_column *key =
            postgres_find_column(parent, declared->keys[i].parent_column->name);
        if (child != NULL && key != NULL && strcmp(child->collation, key->collation) != 0)
            postgres_wrong(findings, "columns %s.%s and %s.%s have different collations; a path needs one",
                           declared->name, child->name, declared->parent->name, key->name);
    }
}

static void check_names(const struct postgres_table *table, struct postgres_findings *findings)
{
    const char *name = table->declared->name;
    if (table->declared->protection == POLICY_PUBLIC && strncasecmp(name, "release_", 8) == 0)
        postgres_wrong(findings, "table %s: names of public tables do not begin with release_", name);
    if (table->column_count == 0)
        postgres_wrong(findings, "table %s has no column that Dither has a type for", name);
}

/* A public table without declared columns has those that were found, may be read, and have a type. */
static status declare_columns(struct postgres_engine *engine, struct postgres_table *table, error *why)
{
    struct policy_column *columns = NULL;
    size_t count = 0;
    table->columns = table->declared->columns;
    table->column_count = table->declared->column_count;
    if (table->column_count > 0)
        return DITHER_OK;
    TRY(arena_take(&engine->arena, (table->found_count + 1) * sizeof *columns, (void **)&columns, why));
    for (size_t i = 0; i < table->found_count; i++)
        if (table->found[i].readable && table->found[i].deterministic &&
            postgres_type_to_declare(&table->found[i], &columns[count]))
            count++;
    table->columns = columns;
    table->column_count = count;
    return DITHER_OK;
}

status postgres_resolve_tables(struct postgres_engine *engine, struct postgres_findings *findings, error *why)
{
    for (size_t i = 0; i < engine->policy->table_count; i++) {
        struct postgres_table *table = &engine->tables[i];
        if (table->schema != NULL)
            TRY(read_table(engine, table, why));
        TRY(declare_columns(engine, table, why));
    }
    for (size_t i = 0; i < engine->policy->table_count; i++) {
        struct postgres_table *table = &engine->tables[i];
        if (table->schema == NULL) {
            postgres_wrong(findings,
                           "table %s: the database has no table of that name on the role's search path",
                           table->declared->name);
            continue;
        }
        check_kind(table, findings);
        check_columns(table, findings);
        check_path(engine, table, findings);
        check_names(table, findings);
    }
    return DITHER_OK;
}
