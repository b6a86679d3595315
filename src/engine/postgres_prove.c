/* `dither check --data`: the owner looks at the rows. What the server enforces needs no proof; where it could and does
 * not, a count proves nothing about tomorrow's rows, and the finding is what constraint to create. Only for tables that
 * lie on several servers, where there is no such constraint, the proof is remembered for this data version. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engine/postgres_engine.h"
#include "engine/proofs.h"

struct proving {
    struct postgres_engine *engine;
    struct postgres_findings findings;
    struct proof *proofs;
    size_t count;
};

static void print_repeats(const struct postgres_table *table, const struct postgres_key *key,
                          struct buffer *sql)
{
    buffer_text(sql, "SELECT count(*) FROM (SELECT 1 FROM ");
    postgres_print_name(sql, table);
    for (size_t i = 0; i < key->count; i++) {
        buffer_text(sql, i == 0 ? " WHERE " : " AND ");
        sql_print_identifier(sql, table->columns[key->columns[i]].name);
        buffer_text(sql, " IS NOT NULL");
    }
    for (size_t i = 0; i < key->count; i++) {
        buffer_text(sql, i == 0 ? " GROUP BY " : ", ");
        sql_print_identifier(sql, table->columns[key->columns[i]].name);
    }
    buffer_text(sql, " HAVING count(*) > 1) AS repeated");
}

static status count_repeats(struct postgres_engine *engine, const struct postgres_table *table,
                            const struct postgres_key *key, int64_t *out, error *why)
{
    struct buffer sql;
    PGresult *result = NULL;
    buffer_init(&sql, 1 << 18);
    print_repeats(table, key, &sql);
    status asked = buffer_check(&sql, why);
    if (asked == DITHER_OK)
        asked = postgres_session_ask(&engine->session, sql.data, NULL, 0, "counting keys", &result, why);
    if (asked == DITHER_OK)
        *out = atoll(PQgetvalue(result, 0, 0));
    PQclear(result);
    buffer_free(&sql);
    return asked;
}

static void report_key(struct proving *proving, const struct postgres_table *table,
                       const struct postgres_key *key, const char *text, int64_t repeats)
{
    const char *name = table->declared->name;
    if (repeats > 0 && key->child == NULL)
        postgres_wrong(&proving->findings,
                       "table %s declares rows_per_unit: 1, but there are several rows for %" PRId64
                       " value%s of %s",
                       name, repeats, repeats == 1 ? "" : "s", text);
    else if (repeats > 0)
        postgres_wrong(&proving->findings,
                       "table %s: the key %s that %s points to is not unique: %" PRId64
                       " value%s there more than once",
                       name, text, key->child->name, repeats, repeats == 1 ? " is" : "s are");
    else if (!table->has_foreign)
        postgres_costly(&proving->findings,
                        "table %s: %s is unique now, and nothing keeps it so; create a PRIMARY KEY or UNIQUE "
                        "constraint, and Dither will rely on it",
                        name, text);
}

static status prove_key(struct proving *proving, const struct postgres_table *table,
                        const struct postgres_key *key, error *why)
{
    struct buffer text;
    int64_t repeats = 0;
    char *copy = NULL;
    TRY(count_repeats(proving->engine, table, key, &repeats, why));
    buffer_init(&text, 1 << 16);
    postgres_print_key(&text, table, key);
    status result = buffer_check(&text, why);
    if (result == DITHER_OK)
        result = arena_text(&proving->engine->arena, text.data, text.length, &copy, why);
    buffer_free(&text);
    TRY(result);
    report_key(proving, table, key, copy, repeats);
    if (repeats == 0 && table->has_foreign)
        proving->proofs[proving->count++] = (struct proof){.table = table->declared->name, .key = copy};
    return DITHER_OK;
}

static bool is_enforced(const struct postgres_table *table, const struct postgres_key *key)
{
    return !table->has_foreign && postgres_is_unique(table, key);
}

static status prove_keys(struct proving *proving, error *why)
{
    struct postgres_engine *engine = proving->engine;
    size_t tables = engine->policy->table_count;
    TRY(arena_take(&engine->arena, tables * (tables + 1) * sizeof *proving->proofs, (void **)&proving->proofs,
                   why));
    for (size_t i = 0; i < tables; i++) {
        struct postgres_key *keys = NULL;
        size_t count = 0;
        TRY(postgres_needed_keys(engine, &engine->tables[i], &engine->arena, &keys, &count, why));
        for (size_t j = 0; j < count; j++)
            if (!is_enforced(&engine->tables[i], &keys[j]))
                TRY(prove_key(proving, &engine->tables[i], &keys[j], why));
    }
    return DITHER_OK;
}

status postgres_prove(const struct policy *policy, engine_report report, void *context, error *why)
{
    struct engine_options options = {.threads = 0};
    struct proving proving = {.findings = {.report = report, .context = context}};
    const char *identity = NULL;
    TRY(postgres_engine_open(policy, &options, &proving.engine, why));
    status result = postgres_identify(proving.engine, &identity, why);
    if (result == DITHER_OK)
        result = prove_keys(&proving, why);
    if (result == DITHER_OK && proving.count > 0)
        result = proofs_write(policy, identity, &(struct proofs){proving.proofs, proving.count}, why);
    postgres_engine_free(proving.engine);
    return result;
}
