/* Which keys are unique: because the server enforces it. Where it cannot, because the rows of a table lie on several
 * servers, the owner's proof for this data version counts. */
#include <stdlib.h>
#include <string.h>

#include "engine/postgres_engine.h"
#include "engine/proofs.h"

/* Valid, at once, for all rows, over plain columns, by PostgreSQL's own equality. */
const char postgres_unique_query[] =
    "SELECT i.indexrelid, a.attname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
    "JOIN pg_index i ON i.indrelid = c.oid "
    "CROSS JOIN LATERAL unnest(CAST(i.indkey AS int2[])) WITH ORDINALITY AS key(attnum, place) "
    "JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = key.attnum "
    "WHERE n.nspname = $1 AND c.relname = $2 AND i.indisunique AND i.indisvalid AND i.indisready AND "
    "i.indislive "
    "AND i.indimmediate AND i.indpred IS NULL AND i.indexprs IS NULL AND key.place <= i.indnkeyatts "
    "AND NOT EXISTS (SELECT 1 FROM unnest(CAST(i.indclass AS oid[])) AS own(class) JOIN pg_opclass o ON "
    "o.oid = "
    "own.class JOIN pg_namespace s ON s.oid = o.opcnamespace WHERE s.nspname <> 'pg_catalog') "
    "ORDER BY i.indexrelid, key.place";

static int compare_indices(const void *a, const void *b)
{
    size_t left = *(const size_t *)a, right = *(const size_t *)b;
    return left < right ? -1 : left > right;
}

static status add_unique(struct postgres_engine *engine, struct postgres_table *table, const size_t *columns,
                         size_t count, error *why)
{
    struct sql_unique *grown = NULL;
    size_t *copy = NULL;
    TRY(arena_take(&engine->arena, (table->unique_count + 1) * sizeof *grown, (void **)&grown, why));
    TRY(arena_take(&engine->arena, count * sizeof *copy, (void **)&copy, why));
    memcpy(copy, columns, count * sizeof *copy);
    qsort(copy, count, sizeof *copy, compare_indices);
    if (table->unique_count > 0)
        memcpy(grown, table->uniques, table->unique_count * sizeof *grown);
    grown[table->unique_count++] = (struct sql_unique){.columns = copy, .column_count = count};
    table->uniques = grown;
    return DITHER_OK;
}

/* The columns of one index, rows [begin, end): believed if all are declared and none is rounded. */
static status take_index(struct postgres_engine *engine, struct postgres_table *table, const PGresult *result,
                         int begin, int end, error *why)
{
    size_t columns[32], count = 0;
    for (int row = begin; row < end; row++)
        for (size_t j = 0; j < table->column_count && count < 32; j++) {
            const char *name = PQgetvalue(result, row, 1);
            const struct postgres_column *found = postgres_find_column(table, name);
            if (found != NULL && strcmp(table->columns[j].name, name) == 0 &&
                postgres_type_is_exact(found, &table->columns[j]))
                columns[count++] = j;
        }
    if (count == 0 || count != (size_t)(end - begin))
        return DITHER_OK;
    return add_unique(engine, table, columns, count, why);
}

static status read_uniques(struct postgres_engine *engine, struct postgres_table *table, error *why)
{
    PGresult *result = NULL;
    status taken = DITHER_OK;
    if (table->has_children || table->has_foreign)
        return DITHER_OK;
    TRY(postgres_ask_about(engine, table, postgres_unique_query, &result, why));
    for (int begin = 0, end = 0; begin < PQntuples(result) && taken == DITHER_OK; begin = end) {
        while (end < PQntuples(result) &&
               strcmp(PQgetvalue(result, begin, 0), PQgetvalue(result, end, 0)) == 0)
            end++;
        taken = take_index(engine, table, result, begin, end, why);
    }
    PQclear(result);
    return taken;
}

/* ---- Keys that are needed ---- */

static bool is_listed(const struct postgres_key *keys, size_t count, const struct postgres_key *key)
{
    for (size_t i = 0; i < count; i++)
        if (keys[i].count == key->count &&
            memcmp(keys[i].columns, key->columns, key->count * sizeof *key->columns) == 0)
            return true;
    return false;
}

status postgres_needed_keys(const struct postgres_engine *engine, const struct postgres_table *table,
                            struct arena *arena, struct postgres_key **out, size_t *count, error *why)
{
    const struct policy_table *declared = table->declared;
    struct postgres_key *keys = NULL;
    size_t found = 0;
    TRY(arena_take(arena, (engine->policy->table_count + 1) * sizeof *keys, (void **)&keys, why));
    if (declared->rows_per_unit == 1 && declared->joins == 0 && declared->tag != NULL)
        keys[found++] =
            (struct postgres_key){.columns = {(size_t)(declared->tag - declared->columns)}, .count = 1};
    for (size_t i = 0; i < engine->policy->table_count; i++) {
        const struct policy_table *child = &engine->policy->tables[i];
        struct postgres_key key = {.count = child->key_count, .child = child};
        if (child->parent != declared || key.count > sizeof key.columns / sizeof key.columns[0])
            continue;
        for (size_t j = 0; j < key.count; j++)
            key.columns[j] = (size_t)(child->keys[j].parent_column - declared->columns);
        qsort(key.columns, key.count, sizeof *key.columns, compare_indices);
        if (!is_listed(keys, found, &key))
            keys[found++] = key;
    }
    *out = keys;
    *count = found;
    return DITHER_OK;
}

bool postgres_is_unique(const struct postgres_table *table, const struct postgres_key *key)
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

void postgres_print_key(struct buffer *buffer, const struct postgres_table *table,
                        const struct postgres_key *key)
{
    for (size_t i = 0; i < key->count; i++)
        buffer_format(buffer, "%s%s", i == 0 ? "(" : ", ", table->columns[key->columns[i]].name);
    buffer_text(buffer, ")");
}

/* ---- Proofs, for rows that lie on several servers ---- */

status postgres_identify(struct postgres_engine *engine, const char **out, error *why)
{
    PGresult *result = NULL;
    char *copy = NULL;
    TRY(postgres_session_ask(&engine->session,
                             "SELECT 'PostgreSQL database ' || datname || ', ' || oid FROM pg_database WHERE "
                             "datname = current_database()",
                             NULL, 0, "reading its catalogue", &result, why));
    status copied = PQntuples(result) == 1
                        ? arena_text(&engine->arena, PQgetvalue(result, 0, 0),
                                     (size_t)PQgetlength(result, 0, 0), &copy, why)
                        : fail(why, DITHER_IO, "PostgreSQL does not say which database this is");
    PQclear(result);
    TRY(copied);
    *out = copy;
    return DITHER_OK;
}

static status believe_table(struct postgres_engine *engine, struct postgres_table *table,
                            const struct proofs *proofs, error *why)
{
    struct postgres_key *keys = NULL;
    size_t count = 0;
    TRY(postgres_needed_keys(engine, table, &engine->arena, &keys, &count, why));
    for (size_t i = 0; i < count; i++) {
        struct buffer text;
        buffer_init(&text, 1 << 16);
        postgres_print_key(&text, table, &keys[i]);
        status printed = buffer_check(&text, why);
        bool proved = printed == DITHER_OK && proofs_has(proofs, table->declared->name, text.data);
        buffer_free(&text);
        TRY(printed);
        if (proved)
            TRY(add_unique(engine, table, keys[i].columns, keys[i].count, why));
    }
    return DITHER_OK;
}

static status believe_proofs(struct postgres_engine *engine, error *why)
{
    struct proofs proofs = {.count = 0};
    const char *identity = NULL;
    TRY(postgres_identify(engine, &identity, why));
    TRY(proofs_read(engine->policy, identity, &engine->arena, &proofs, why));
    for (size_t i = 0; i < engine->policy->table_count; i++) {
        struct postgres_table *table = &engine->tables[i];
        if (table->has_foreign && table->declared->protection != POLICY_PUBLIC)
            TRY(believe_table(engine, table, &proofs, why));
    }
    return DITHER_OK;
}

status postgres_find_uniques(struct postgres_engine *engine, error *why)
{
    for (size_t i = 0; i < engine->policy->table_count; i++)
        if (engine->tables[i].schema != NULL)
            TRY(read_uniques(engine, &engine->tables[i], why));
    return believe_proofs(engine, why);
}
