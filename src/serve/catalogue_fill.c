/* The policy -> rows of PostgreSQL's catalogue. Numbers: a table has 16384 + 16 i, its primary key's index one more, that
 * constraint two more, its foreign key three more. The same policy always gives the same numbers.
 *
 * A primary key is shown where the policy declares one row per unit, a foreign key for every join: tools draw their
 * diagrams and make their joins by them. */
#include <string.h>

#include "serve/catalogue_parts.h"

enum {
    FIRST_OID = 16384,
    OIDS_EACH = 16,
    INDEX_OID = 1,
    KEY_OID = 2,
    JOIN_OID = 3,
    SQL_BYTES = 16 << 20 /* as much as a process of its own takes */
};

static unsigned oid_of(size_t table)
{
    return (unsigned)(FIRST_OID + OIDS_EACH * table);
}

static size_t index_of(const struct sql_catalogue *tables, const struct policy_table *declared)
{
    size_t i = 0;
    while (i < tables->table_count && tables->tables[i].declared != declared)
        i++;
    return i;
}

static size_t number_of(const struct sql_table *table, const char *name)
{
    for (size_t i = 0; i < table->column_count; i++)
        if (strcmp(table->columns[i].name, name) == 0)
            return i + 1;
    return 0;
}

static bool has_primary_key(const struct sql_table *table)
{
    const struct policy_table *declared = table->declared;
    return declared->protection == POLICY_UNIT_COLUMN && declared->rows_per_unit == 1 &&
           !declared->unit_column->nullable && number_of(table, declared->unit_column->name) > 0;
}

static bool has_foreign_key(const struct sql_catalogue *tables, const struct sql_table *table)
{
    return table->declared->protection == POLICY_UNIT_JOIN &&
           index_of(tables, table->declared->parent) < tables->table_count;
}

static bool is_referenced(const struct sql_catalogue *tables, const struct sql_table *table)
{
    for (size_t i = 0; i < tables->table_count; i++)
        if (has_foreign_key(tables, &tables->tables[i]) &&
            tables->tables[i].declared->parent == table->declared)
            return true;
    return false;
}

static unsigned type_oid(enum policy_type type)
{
    static const unsigned oids[] = {
        [POLICY_INTEGER] = 20, [POLICY_REAL] = 701,  [POLICY_DECIMAL] = 1700,   [POLICY_TEXT] = 25,
        [POLICY_BOOLEAN] = 16, [POLICY_DATE] = 1082, [POLICY_TIMESTAMP] = 1114,
    };
    return oids[type];
}

/* numeric(18, scale), as PostgreSQL packs it. */
static int type_modifier(const struct policy_column *column)
{
    return column->type == POLICY_DECIMAL ? ((18 << 16) | column->scale) + 4 : -1;
}

/* ---- Tables ---- */

static void print_table(struct buffer *sql, const char *schema, const struct catalogue_relation *relation)
{
    const char *columns = relation->columns, *name, *separator = "";
    size_t length;
    char letter;
    if (strcmp(relation->name, "pg_roles") == 0 || strcmp(relation->name, "pg_authid") == 0 ||
        strcmp(relation->name, "pg_user") == 0 || strcmp(relation->name, "pg_shadow") == 0)
        return; /* views of ours: they know who asks */
    buffer_format(sql, "CREATE TABLE %s.%s (", schema, relation->name);
    while (catalogue_next_column(&columns, &name, &length, &letter)) {
        buffer_format(sql, "%s\"%.*s\" %s", separator, (int)length, name, catalogue_letter(letter)->type);
        separator = ", ";
    }
    buffer_text(sql, ");\n");
}

/* ---- Rows of all relations ---- */

/* What a relation and its columns are, before PostgreSQL's many columns are made of it. */
#define STAGES                                                                                               \
    "CREATE TABLE dither.phrases (kind_ VARCHAR, number_ BIGINT, part_ BIGINT, words_ VARCHAR);\n"           \
    "CREATE TABLE dither.numbers (kind_ VARCHAR, words_ VARCHAR, number_ BIGINT);\n"                         \
    "CREATE TABLE dither.staged_relation (oid_ BIGINT, name_ VARCHAR, schema_ BIGINT, kind_ VARCHAR, "       \
    "columns_ BIGINT, index_ BOOLEAN, keys_ BOOLEAN);\n"                                                     \
    "CREATE TABLE dither.staged_column (oid_ BIGINT, name_ VARCHAR, type_ BIGINT, number_ BIGINT, "          \
    "modifier_ BIGINT, required_ BOOLEAN);\n"                                                                \
    "CREATE TABLE dither.staged_type AS SELECT * FROM (VALUES "

static void print_relation(struct buffer *sql, unsigned oid, const char *name, unsigned schema, char kind,
                           size_t columns, bool index, bool keys)
{
    buffer_format(sql, "INSERT INTO dither.staged_relation VALUES (%u, ", oid);
    duckdb_print_text(sql, name);
    buffer_format(sql, ", %u, '%c', %zu, %s, %s);\n", schema, kind, columns, index ? "true" : "false",
                  keys ? "true" : "false");
}

static void print_column(struct buffer *sql, unsigned oid, const char *name, size_t length, unsigned type,
                         size_t number, int modifier, bool required)
{
    struct buffer copy;
    buffer_init(&copy, 4096);
    buffer_append(&copy, name, length);
    buffer_format(sql, "(%u, ", oid);
    duckdb_print_text(sql, copy.data != NULL ? copy.data : "");
    buffer_format(sql, ", %u, %zu, %d, %s), ", type, number, modifier, required ? "true" : "false");
    buffer_free(&copy);
}

static void print_system(struct buffer *sql, const struct catalogue_relation *relations, unsigned schema)
{
    for (const struct catalogue_relation *relation = relations; relation->name != NULL; relation++) {
        const char *columns = relation->columns, *name;
        size_t length, number = 0;
        char letter;
        buffer_text(sql, "INSERT INTO dither.staged_column VALUES ");
        while (catalogue_next_column(&columns, &name, &length, &letter))
            print_column(sql, relation->oid, name, length, catalogue_letter(letter)->oid, ++number, -1,
                         false);
        buffer_text(sql, ";\n");
        print_relation(sql, relation->oid, relation->name, schema, relation->kind, number, false, false);
    }
}

static void print_phrase(struct buffer *sql, const char *kind, unsigned number, size_t part,
                         const char *words)
{
    if (words == NULL)
        return;
    buffer_format(sql, "INSERT INTO dither.phrases VALUES ('%s', %u, %zu, ", kind, number, part);
    duckdb_print_text(sql, words);
    buffer_text(sql, ");\n");
}

static void print_comment(struct buffer *sql, unsigned oid, size_t part, const char *words)
{
    if (words == NULL)
        return;
    buffer_format(sql, "INSERT INTO dither.pg_description VALUES (%u, 1259, %zu, ", oid, part);
    duckdb_print_text(sql, words);
    buffer_text(sql, ");\n");
    print_phrase(sql, part == 0 ? "class comment" : "column comment", oid, part, words);
}

/* A name as PostgreSQL prints it: quoted where it must be. */
static void print_name(struct buffer *text, const char *name)
{
    bool plain = name[0] == '_' || (name[0] >= 'a' && name[0] <= 'z');
    for (const char *at = name; *at != '\0'; at++)
        plain = plain && (*at == '_' || (*at >= 'a' && *at <= 'z') || (*at >= '0' && *at <= '9'));
    if (plain) {
        buffer_text(text, name);
        return;
    }
    buffer_byte(text, '"');
    for (const char *at = name; *at != '\0'; at++) {
        if (*at == '"')
            buffer_byte(text, '"');
        buffer_byte(text, *at);
    }
    buffer_byte(text, '"');
}

static void print_user_table(struct buffer *sql, const struct sql_catalogue *tables, size_t i)
{
    const struct sql_table *table = &tables->tables[i];
    bool key = has_primary_key(table), joined = has_foreign_key(tables, table);
    print_relation(sql, oid_of(i), table->declared->name, 2200, table->declared->view_per_unit ? 'v' : 'r',
                   table->column_count, key, joined || is_referenced(tables, table));
    if (table->column_count > 0)
        buffer_text(sql, "INSERT INTO dither.staged_column VALUES ");
    for (size_t column = 0; column < table->column_count; column++) {
        const struct policy_column *declared = &table->columns[column];
        print_column(sql, oid_of(i), declared->name, strlen(declared->name), type_oid(declared->type),
                     column + 1, type_modifier(declared), !declared->nullable);
    }
    buffer_text(sql, ";\n");
    print_comment(sql, oid_of(i), 0, table->declared->description);
    for (size_t column = 0; column < table->column_count; column++)
        print_comment(sql, oid_of(i), column + 1, table->columns[column].description);
}

/* ---- Keys ---- */

static void print_primary_key(struct buffer *sql, const struct sql_table *table, unsigned oid)
{
    const char *unit = table->declared->unit_column->name;
    size_t number = number_of(table, unit);
    struct buffer name, words;
    buffer_init(&name, 4096);
    buffer_init(&words, 4096);
    buffer_format(&name, "%.58s_pkey", table->declared->name);
    print_relation(sql, oid + INDEX_OID, name.data, 2200, 'i', 1, false, false);
    buffer_text(sql, "INSERT INTO dither.staged_column VALUES ");
    print_column(sql, oid + INDEX_OID, unit, strlen(unit), type_oid(table->columns[number - 1].type), 1,
                 type_modifier(&table->columns[number - 1]), false);
    buffer_format(
        sql,
        ";\nINSERT INTO dither.pg_index BY NAME SELECT %u AS indexrelid, %u AS indrelid, 1 AS indnatts, 1 AS "
        "indnkeyatts, true AS indisunique, false AS indnullsnotdistinct, true AS indisprimary, false AS "
        "indisexclusion, true AS indimmediate, false AS indisclustered, true AS indisvalid, false AS "
        "indcheckxmin, true AS indisready, true AS indislive, false AS indisreplident, [%zu] AS indkey, [0] "
        "AS "
        "indcollation, [0] AS indclass, [0] AS indoption;\n",
        oid + INDEX_OID, oid, number);
    buffer_format(sql, "INSERT INTO dither.pg_constraint BY NAME SELECT %u AS oid, ", oid + KEY_OID);
    duckdb_print_text(sql, name.data);
    buffer_format(sql, " AS conname, 'p' AS contype, %u AS conrelid, %u AS conindid, [%zu] AS conkey;\n", oid,
                  oid + INDEX_OID, number);
    print_name(&words, unit);
    print_phrase(sql, "index", oid + INDEX_OID, 1, words.data);
    buffer_clear(&words);
    buffer_text(&words, "PRIMARY KEY (");
    print_name(&words, unit);
    buffer_byte(&words, ')');
    print_phrase(sql, "constraint", oid + KEY_OID, 0, words.data);
    for (int short_form = 0; short_form < 2; short_form++) {
        buffer_clear(&words);
        buffer_text(&words, "CREATE UNIQUE INDEX ");
        print_name(&words, name.data);
        buffer_text(&words, short_form != 0 ? " ON " : " ON public.");
        print_name(&words, table->declared->name);
        buffer_text(&words, " USING btree (");
        print_name(&words, unit);
        buffer_byte(&words, ')');
        print_phrase(sql, short_form != 0 ? "index, short" : "index", oid + INDEX_OID, 0, words.data);
    }
    buffer_free(&name);
    buffer_free(&words);
}

static void print_foreign_key(struct buffer *sql, const struct sql_catalogue *tables, size_t i)
{
    const struct sql_table *table = &tables->tables[i];
    const struct policy_table *declared = table->declared;
    size_t parent = index_of(tables, declared->parent);
    struct buffer name, words, ours, theirs;
    buffer_init(&name, 65536);
    buffer_init(&words, 65536);
    buffer_init(&ours, 65536);
    buffer_init(&theirs, 65536);
    buffer_format(&name, "%.40s", declared->name);
    for (size_t k = 0; k < declared->key_count; k++)
        buffer_format(&name, "_%.40s", declared->keys[k].column->name);
    buffer_text(&name, "_fkey");
    buffer_text(&words, "FOREIGN KEY (");
    for (size_t k = 0; k < declared->key_count; k++) {
        buffer_text(&words, k > 0 ? ", " : "");
        print_name(&words, declared->keys[k].column->name);
        buffer_format(&ours, "%s%zu", k > 0 ? ", " : "", number_of(table, declared->keys[k].column->name));
    }
    buffer_text(&words, ") REFERENCES ");
    print_name(&words, declared->parent->name);
    buffer_byte(&words, '(');
    for (size_t k = 0; k < declared->key_count; k++) {
        buffer_text(&words, k > 0 ? ", " : "");
        print_name(&words, declared->keys[k].parent_column->name);
        buffer_format(&theirs, "%s%zu", k > 0 ? ", " : "",
                      number_of(&tables->tables[parent], declared->keys[k].parent_column->name));
    }
    buffer_byte(&words, ')');
    buffer_format(sql, "INSERT INTO dither.pg_constraint BY NAME SELECT %u AS oid, ", oid_of(i) + JOIN_OID);
    duckdb_print_text(sql, name.data);
    buffer_format(sql,
                  " AS conname, 'f' AS contype, %u AS conrelid, %u AS conindid, %u AS confrelid, [%s] AS "
                  "conkey, [%s] AS "
                  "confkey, 'a' AS confupdtype, 'a' AS confdeltype, 's' AS confmatchtype;\n",
                  oid_of(i), has_primary_key(&tables->tables[parent]) ? oid_of(parent) + INDEX_OID : 0,
                  oid_of(parent), ours.data, theirs.data);
    print_phrase(sql, "constraint", oid_of(i) + JOIN_OID, 0, words.data);
    buffer_free(&name);
    buffer_free(&words);
    buffer_free(&ours);
    buffer_free(&theirs);
}

/* ---- All of it ---- */

static void print_list(struct buffer *sql, const char *const *rows)
{
    for (size_t i = 0; rows[i] != NULL; i++)
        buffer_format(sql, "%s(%s)", i > 0 ? ", " : "", rows[i]);
}

static void print_all(struct buffer *sql, const struct sql_catalogue *tables)
{
    buffer_text(sql, "CREATE SCHEMA " CATALOGUE_SCHEMA ";\nCREATE SCHEMA " CATALOGUE_STANDARD ";\n");
    for (const struct catalogue_relation *r = catalogue_of_postgres; r->name != NULL; r++)
        print_table(sql, CATALOGUE_SCHEMA, r);
    for (const struct catalogue_relation *r = catalogue_of_standard; r->name != NULL; r++)
        print_table(sql, CATALOGUE_STANDARD, r);
    buffer_text(sql, STAGES);
    print_list(sql, catalogue_types);
    buffer_text(
        sql,
        ") v(oid, typname, typlen, typbyval, typtype, typcategory, typispreferred, typdelim, typsubscript, "
        "typelem, typarray, typinput, typoutput, typreceive, typsend, typmodin, typmodout, typalign, "
        "typstorage, typcollation, shown_);\n"
        "INSERT INTO dither.pg_type BY NAME SELECT * EXCLUDE (shown_), 11 AS typnamespace, 10 AS typowner, "
        "true "
        "AS typisdefined, 0 AS typrelid, 0 AS typanalyze, false AS typnotnull, 0 AS typbasetype, -1 AS "
        "typtypmod, 0 AS typndims FROM dither.staged_type;\n"
        "INSERT INTO dither.pg_proc BY NAME SELECT *, 11 AS pronamespace, 10 AS proowner, 12 AS prolang, 'f' "
        "AS "
        "prokind, false AS prosecdef, false AS proleakproof, true AS proisstrict, false AS proretset, 'i' AS "
        "provolatile, 's' AS proparallel, 0 AS pronargdefaults, 0 AS provariadic, 1 AS procost, 0 AS "
        "prorows, 0 "
        "AS prosupport, proname AS prosrc FROM (VALUES ");
    print_list(sql, catalogue_functions);
    buffer_text(sql, ") v(oid, proname, pronargs, prorettype, proargtypes);\n");
    print_system(sql, catalogue_of_postgres, 11);
    print_system(sql, catalogue_of_standard, 13000);
    for (size_t i = 0; i < tables->table_count; i++) {
        print_user_table(sql, tables, i);
        if (has_primary_key(&tables->tables[i]))
            print_primary_key(sql, &tables->tables[i], oid_of(i));
        if (has_foreign_key(tables, &tables->tables[i]))
            print_foreign_key(sql, tables, i);
    }
    print_phrase(sql, "database comment", 5, 0, tables->policy->description);
    print_phrase(sql, "schema comment", 11, 0, "system catalog schema");
    print_phrase(sql, "schema comment", 2200, 0, "standard public schema");
}

/* What follows from the rows that were staged. */
static const char *const derived[] = {
    "INSERT INTO dither.pg_class BY NAME SELECT oid_ AS oid, name_ AS relname, schema_ AS relnamespace, 0 AS "
    "reltype, 0 AS "
    "reloftype, 10 AS relowner, CASE kind_ WHEN 'r' THEN 2 WHEN 'i' THEN 403 ELSE 0 END AS relam, 0 AS "
    "relfilenode, 0 AS "
    "reltablespace, 0 AS relpages, -1 AS reltuples, 0 AS relallvisible, 0 AS reltoastrelid, index_ AS "
    "relhasindex, false AS "
    "relisshared, 'p' AS relpersistence, kind_ AS relkind, columns_ AS relnatts, 0 AS relchecks, false AS "
    "relhasrules, keys_ "
    "AS relhastriggers, false AS relhassubclass, false AS relrowsecurity, false AS relforcerowsecurity, true "
    "AS "
    "relispopulated, CASE WHEN kind_ = 'r' AND schema_ = 2200 THEN 'd' ELSE 'n' END AS relreplident, false "
    "AS "
    "relispartition, 0 AS relrewrite, '0' AS relfrozenxid, '0' AS relminmxid FROM dither.staged_relation",
    "INSERT INTO dither.pg_attribute BY NAME SELECT c.oid_ AS attrelid, c.name_ AS attname, c.type_ AS "
    "atttypid, -1 AS "
    "attstattarget, t.typlen AS attlen, c.number_ AS attnum, CASE t.typcategory WHEN 'A' THEN 1 ELSE 0 END "
    "AS attndims, -1 AS "
    "attcacheoff, c.modifier_ AS atttypmod, t.typbyval AS attbyval, t.typalign AS attalign, t.typstorage AS "
    "attstorage, '' AS "
    "attcompression, c.required_ AS attnotnull, false AS atthasdef, false AS atthasmissing, '' AS "
    "attidentity, '' AS "
    "attgenerated, false AS attisdropped, true AS attislocal, 0 AS attinhcount, t.typcollation AS "
    "attcollation FROM "
    "dither.staged_column c JOIN dither.pg_type t ON t.oid = c.type_",
    "UPDATE dither.pg_constraint SET connamespace = 2200, condeferrable = false, condeferred = false, "
    "convalidated = true, "
    "contypid = 0, conparentid = 0, conislocal = true, coninhcount = 0, connoinherit = true, confrelid = "
    "coalesce(confrelid, "
    "0), confupdtype = coalesce(confupdtype, ' '), confdeltype = coalesce(confdeltype, ' '), confmatchtype = "
    "coalesce(confmatchtype, ' ')",
    "INSERT INTO dither.phrases SELECT 'class', oid_, 0, CASE WHEN schema_ = 13000 THEN "
    "'information_schema.' ELSE '' END || "
    "CASE WHEN regexp_full_match(name_, '[a-z_][a-z0-9_]*') THEN name_ ELSE '\"' || replace(name_, '\"', "
    "'\"\"') || '\"' END "
    "FROM dither.staged_relation",
    "INSERT INTO dither.phrases SELECT 'visible', oid_, 0, '' FROM dither.staged_relation WHERE schema_ <> "
    "13000",
    "INSERT INTO dither.phrases SELECT 'type', oid, 0, shown_ FROM dither.staged_type",
    "INSERT INTO dither.phrases SELECT 'function', oid, 0, proname FROM dither.pg_proc",
    "INSERT INTO dither.phrases VALUES ('schema', 11, 0, 'pg_catalog'), ('schema', 99, 0, 'pg_toast'), "
    "('schema', 2200, 0, "
    "'public'), ('schema', 13000, 0, 'information_schema')",
    "INSERT INTO dither.numbers SELECT 'class', replace(name_, '\"', ''), oid_ FROM dither.staged_relation "
    "ORDER BY schema_ = "
    "13000",
    "INSERT INTO dither.numbers SELECT 'type', typname, oid FROM dither.staged_type UNION SELECT 'type', "
    "shown_, oid FROM "
    "dither.staged_type",
    "INSERT INTO dither.numbers SELECT 'function', proname, oid FROM dither.pg_proc",
    "INSERT INTO dither.numbers SELECT 'schema', words_, number_ FROM dither.phrases WHERE kind_ = 'schema'",
    NULL,
};

static status run_each(struct duckdb_instance *instance, const char *const *statements, error *why)
{
    for (size_t i = 0; statements[i] != NULL; i++)
        TRY(duckdb_instance_run(instance, statements[i], "making the catalogue", why));
    return DITHER_OK;
}

status catalogue_print(const struct sql_catalogue *tables, struct buffer *out, error *why)
{
    buffer_init(out, SQL_BYTES);
    print_all(out, tables);
    return buffer_check(out, why);
}

status catalogue_fill(struct duckdb_instance *instance, const char *tables, error *why)
{
    TRY(duckdb_instance_run(instance, "BEGIN", "making the catalogue", why));
    TRY(duckdb_instance_run(instance, tables, "making the catalogue", why));
    TRY(run_each(instance, derived, why));
    return duckdb_instance_run(instance, "COMMIT", "making the catalogue", why);
}
