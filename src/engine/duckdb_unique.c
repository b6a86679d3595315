/* Which keys are unique: because the file enforces it, because an import was checked, because the owner has
 * proved it for this very file, or because the table is public and anybody may look. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/duckdb_engine.h"
#include "engine/proofs.h"

enum { MOST_PUBLIC_ROWS = 1000000 }; /* a larger public table is not searched for keys */

static int compare_indices(const void *a, const void *b)
{
    size_t left = *(const size_t *)a, right = *(const size_t *)b;
    return left < right ? -1 : left > right;
}

static size_t index_of(const struct duckdb_table *table, const struct policy_column *column)
{
    return (size_t)(column - table->declared->columns);
}

static bool same_key(const struct duckdb_key *a, const struct duckdb_key *b)
{
    return a->count == b->count && memcmp(a->columns, b->columns, a->count * sizeof *a->columns) == 0;
}

static bool is_listed(const struct duckdb_key *keys, size_t count, const struct duckdb_key *key)
{
    for (size_t i = 0; i < count; i++)
        if (same_key(&keys[i], key))
            return true;
    return false;
}

status duckdb_needed_keys(const struct duckdb_engine *engine, const struct duckdb_table *table,
                          struct arena *arena, struct duckdb_key **out, size_t *count, error *why)
{
    const struct policy *policy = engine->policy;
    const struct policy_table *declared = table->declared;
    struct duckdb_key *keys = NULL;
    size_t found = 0;
    TRY(arena_take(arena, (policy->table_count + 1) * sizeof *keys, (void **)&keys, why));
    if (declared->rows_per_unit == 1 && declared->joins == 0 && declared->tag != NULL) {
        TRY(arena_take(arena, sizeof *keys->columns, (void **)&keys[0].columns, why));
        keys[0].columns[0] = index_of(table, declared->tag);
        keys[0].count = 1;
        found = 1;
    }
    for (size_t i = 0; i < policy->table_count; i++) {
        const struct policy_table *child = &policy->tables[i];
        if (child->parent != declared)
            continue;
        struct duckdb_key key = {.count = child->key_count, .child = child};
        TRY(arena_take(arena, key.count * sizeof *key.columns, (void **)&key.columns, why));
        for (size_t j = 0; j < key.count; j++)
            key.columns[j] = index_of(table, child->keys[j].parent_column);
        qsort(key.columns, key.count, sizeof *key.columns, compare_indices);
        if (!is_listed(keys, found, &key))
            keys[found++] = key;
    }
    *out = keys;
    *count = found;
    return DITHER_OK;
}

void duckdb_print_key(struct buffer *buffer, const struct duckdb_table *table, const struct duckdb_key *key)
{
    for (size_t i = 0; i < key->count; i++)
        buffer_format(buffer, "%s%s", i == 0 ? "(" : ", ", table->columns[key->columns[i]].name);
    buffer_text(buffer, ")");
}

status duckdb_count_repeats(struct duckdb_instance *instance, const struct duckdb_table *table,
                            const struct duckdb_key *key, int64_t *out, error *why)
{
    struct buffer sql, names;
    buffer_init(&names, 1 << 16);
    buffer_init(&sql, 1 << 18);
    buffer_text(&sql, "SELECT count(*) FROM (SELECT 1 FROM ");
    sql_print_identifier(&sql, table->declared->name);
    for (size_t i = 0; i < key->count; i++) {
        buffer_text(&sql, i == 0 ? " WHERE " : " AND ");
        sql_print_identifier(&sql, table->columns[key->columns[i]].name);
        buffer_text(&sql, " IS NOT NULL");
        buffer_text(&names, i == 0 ? "" : ", ");
        sql_print_identifier(&names, table->columns[key->columns[i]].name);
    }
    buffer_format(&sql, " GROUP BY %s HAVING count(*) > 1)", names.data != NULL ? names.data : "");
    status result = buffer_check(&sql, why);
    if (result == DITHER_OK)
        result = buffer_check(&names, why);
    if (result == DITHER_OK)
        result = duckdb_ask_whole(instance, sql.data, "counting keys", out, why);
    buffer_free(&sql);
    buffer_free(&names);
    return result;
}

bool duckdb_is_unique(const struct duckdb_table *table, const struct duckdb_key *key)
{
    for (size_t i = 0; i < table->unique_count; i++) {
        size_t held = 0;
        for (size_t j = 0; j < table->uniques[i].column_count; j++)
            for (size_t k = 0; k < key->count; k++)
                held += table->uniques[i].columns[j] == key->columns[k];
        if (held == table->uniques[i].column_count)
            return true;
    }
    return false;
}

status duckdb_add_unique(struct duckdb_table *table, const size_t *columns, size_t count, struct arena *arena,
                         error *why)
{
    struct sql_unique *grown = NULL;
    size_t *copy = NULL;
    if (duckdb_is_unique(table,
                         &(struct duckdb_key){.columns = (size_t *)(uintptr_t)columns, .count = count}))
        return DITHER_OK;
    TRY(arena_take(arena, (table->unique_count + 1) * sizeof *grown, (void **)&grown, why));
    TRY(arena_take(arena, count * sizeof *copy, (void **)&copy, why));
    memcpy(copy, columns, count * sizeof *copy);
    if (table->unique_count > 0)
        memcpy(grown, table->uniques, table->unique_count * sizeof *grown);
    grown[table->unique_count] = (struct sql_unique){.columns = copy, .column_count = count};
    table->uniques = grown;
    table->unique_count++;
    return DITHER_OK;
}

/* ---- Where the proofs come from ---- */

/* A needed key of an imported table: this import is what is asked, so this import is checked. Without rows
 * (schema only) it is taken as it will be: no rows are ever answered from that do not pass. */
static status verify_import(struct duckdb_engine *engine, struct duckdb_table *table, error *why)
{
    struct duckdb_key *keys = NULL;
    size_t count = 0;
    TRY(duckdb_needed_keys(engine, table, &engine->arena, &keys, &count, why));
    for (size_t i = 0; i < count; i++) {
        int64_t repeats = 0;
        if (!engine->options.schema_only)
            TRY(duckdb_count_repeats(&engine->instance, table, &keys[i], &repeats, why));
        const char *first = table->columns[keys[i].columns[0]].name;
        if (repeats > 0 && keys[i].child == NULL)
            return fail(why, DITHER_INVALID,
                        "table %s declares rows_per_unit: 1, but %" PRId64
                        " value%s of %s %s several rows; declare max_rows and max_groups instead",
                        table->declared->name, repeats, repeats == 1 ? "" : "s", first,
                        repeats == 1 ? "has" : "have");
        if (repeats > 0)
            return fail(why, DITHER_INVALID,
                        "table %s: the key that %s points to (%s%s) is not unique: %" PRId64 " value%s there "
                        "more than once",
                        table->declared->name, keys[i].child->name, first, keys[i].count > 1 ? ", ..." : "",
                        repeats, repeats == 1 ? " is" : "s are");
        TRY(duckdb_add_unique(table, keys[i].columns, keys[i].count, &engine->arena, why));
    }
    return DITHER_OK;
}

/* The columns of one constraint, as rows [begin, end): believed if all are declared and none was rounded. */
static status take_constraint(struct duckdb_engine *engine, struct duckdb_table *table,
                              const struct sql_rows *rows, size_t begin, size_t end, error *why)
{
    size_t *columns = NULL, count = 0;
    TRY(arena_take(&engine->arena, (end - begin) * sizeof *columns, (void **)&columns, why));
    for (size_t i = begin; i < end; i++)
        for (size_t j = 0; j < table->column_count; j++) {
            const char *name = sql_rows_cell(rows, i, 1)->text;
            const struct duckdb_found_column *found = duckdb_found_find(&table->found, name);
            if (found != NULL && strcasecmp(table->columns[j].name, name) == 0 &&
                duckdb_type_is_exact(found, &table->columns[j]))
                columns[count++] = j;
        }
    if (count == 0 || count != end - begin)
        return DITHER_OK;
    qsort(columns, count, sizeof *columns, compare_indices);
    return duckdb_add_unique(table, columns, count, &engine->arena, why);
}

static status read_constraints(struct duckdb_engine *engine, struct duckdb_table *table, error *why)
{
    struct buffer sql;
    struct sql_rows rows = {.row_count = 0};
    buffer_init(&sql, 1 << 12);
    buffer_text(&sql,
                "SELECT constraint_index::VARCHAR, unnest(constraint_column_names) FROM "
                "duckdb_constraints() WHERE database_name = '" DUCKDB_SOURCE "' AND schema_name = 'main' "
                "AND constraint_type IN ('PRIMARY KEY', 'UNIQUE') AND lower(table_name) = lower(");
    duckdb_print_text(&sql, table->declared->name);
    buffer_text(&sql, ") ORDER BY constraint_index");
    status result = buffer_check(&sql, why);
    if (result == DITHER_OK)
        result = duckdb_ask_texts(&engine->instance, sql.data, 2, &engine->arena, &rows, why);
    buffer_free(&sql);
    TRY(result);
    for (size_t begin = 0, end = 0; begin < rows.row_count; begin = end) {
        while (end < rows.row_count &&
               strcmp(sql_rows_cell(&rows, begin, 0)->text, sql_rows_cell(&rows, end, 0)->text) == 0)
            end++;
        TRY(take_constraint(engine, table, &rows, begin, end, why));
    }
    return DITHER_OK;
}

static status believe_proofs(struct duckdb_engine *engine, struct duckdb_table *table,
                             const struct proofs *proofs, error *why)
{
    struct duckdb_key *keys = NULL;
    size_t count = 0;
    TRY(duckdb_needed_keys(engine, table, &engine->arena, &keys, &count, why));
    for (size_t i = 0; i < count; i++) {
        struct buffer text;
        buffer_init(&text, 1 << 16);
        duckdb_print_key(&text, table, &keys[i]);
        status printed = buffer_check(&text, why);
        bool proved = printed == DITHER_OK && proofs_has(proofs, table->declared->name, text.data);
        buffer_free(&text);
        TRY(printed);
        if (proved)
            TRY(duckdb_add_unique(table, keys[i].columns, keys[i].count, &engine->arena, why));
    }
    return DITHER_OK;
}

static status count_distinct(struct duckdb_engine *engine, const char *table, const char *column,
                             int64_t *repeats, error *why)
{
    struct buffer sql;
    buffer_init(&sql, 1 << 14);
    buffer_text(&sql, "SELECT count(");
    sql_print_identifier(&sql, column);
    buffer_text(&sql, ") - count(DISTINCT ");
    sql_print_identifier(&sql, column);
    buffer_text(&sql, ") FROM ");
    sql_print_identifier(&sql, table);
    status result = buffer_check(&sql, why);
    if (result == DITHER_OK)
        result = duckdb_ask_whole(&engine->instance, sql.data, "counting keys", repeats, why);
    buffer_free(&sql);
    return result;
}

static status try_public_columns(struct duckdb_engine *engine, struct duckdb_table *table, error *why)
{
    struct buffer sql;
    int64_t rows = 0;
    buffer_init(&sql, 1 << 14);
    buffer_text(&sql, "SELECT count(*) FROM ");
    sql_print_identifier(&sql, table->declared->name);
    status result = buffer_check(&sql, why);
    if (result == DITHER_OK)
        result = duckdb_ask_whole(&engine->instance, sql.data, "counting rows", &rows, why);
    buffer_free(&sql);
    TRY(result);
    for (size_t i = 0; rows <= MOST_PUBLIC_ROWS && i < table->column_count; i++) {
        int64_t repeats = 0;
        TRY(count_distinct(engine, table->declared->name, table->columns[i].name, &repeats, why));
        if (repeats == 0)
            TRY(duckdb_add_unique(table, &i, 1, &engine->arena, why));
    }
    return DITHER_OK;
}

status duckdb_find_uniques(struct duckdb_engine *engine, error *why)
{
    struct proofs proofs = {.count = 0};
    const char *identity = NULL;
    TRY(proofs_identify(engine->policy, &engine->arena, &identity, why));
    TRY(proofs_read(engine->policy, identity, &engine->arena, &proofs, why));
    for (size_t i = 0; i < engine->policy->table_count; i++) {
        struct duckdb_table *table = &engine->tables[i];
        bool public = table->declared->protection == POLICY_PUBLIC;
        if (table->has_source && !public)
            TRY(verify_import(engine, table, why));
        if (!table->has_source)
            TRY(read_constraints(engine, table, why));
        if (!table->has_source && !public)
            TRY(believe_proofs(engine, table, &proofs, why));
        if (public)
            TRY(try_public_columns(engine, table, why));
    }
    return DITHER_OK;
}
