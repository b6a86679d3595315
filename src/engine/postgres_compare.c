/* `dither check`: the policy against the server's catalogue; what is not proved, and what that costs; and what the
 * role may do that it need not. */
#include <stdlib.h>

#include "engine/postgres_engine.h"

static void compare_key(const struct postgres_table *table, const struct postgres_key *key, const char *text,
                        struct postgres_findings *findings)
{
    const char *way = table->has_foreign ? "`dither check --data` can prove it for this data version"
                                         : "create a PRIMARY KEY or UNIQUE constraint";
    if (key->child == NULL)
        postgres_costly(
            findings,
            "table %s: rows_per_unit: 1 is not proved (no unique %s), so every question groups by unit "
            "first; %s",
            table->declared->name, text, way);
    else
        postgres_costly(
            findings,
            "table %s: %s points to %s, which is not proved unique; questions that need it are refused; "
            "%s",
            table->declared->name, key->child->name, text, way);
}

static status compare_keys(struct postgres_engine *engine, struct postgres_findings *findings, error *why)
{
    for (size_t i = 0; i < engine->policy->table_count; i++) {
        struct postgres_table *table = &engine->tables[i];
        struct postgres_key *keys = NULL;
        size_t count = 0;
        TRY(postgres_needed_keys(engine, table, &engine->arena, &keys, &count, why));
        for (size_t j = 0; j < count; j++) {
            struct buffer text;
            if (postgres_is_unique(table, &keys[j]))
                continue;
            buffer_init(&text, 1 << 16);
            postgres_print_key(&text, table, &keys[j]);
            compare_key(table, &keys[j], text.failed ? "(...)" : text.data, findings);
            buffer_free(&text);
        }
    }
    return DITHER_OK;
}

/* ---- The role ---- */

static status compare_role(struct postgres_engine *engine, struct postgres_findings *findings, error *why)
{
    PGresult *result = NULL;
    TRY(postgres_session_ask(
        &engine->session,
        "SELECT current_user, rolsuper, rolcreaterole OR rolcreatedb OR rolbypassrls OR rolreplication, "
        "has_database_privilege(current_database(), 'CREATE'), "
        "(SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN "
        "('r', 'p', 'v', 'm', 'f') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND "
        "has_table_privilege(c.oid, 'SELECT')) FROM pg_roles WHERE rolname = current_user",
        NULL, 0, "reading its catalogue", &result, why));
    if (PQntuples(result) == 1) {
        const char *role = PQgetvalue(result, 0, 0);
        long readable = atol(PQgetvalue(result, 0, 4));
        if (PQgetvalue(result, 0, 1)[0] == 't')
            postgres_costly(
                findings,
                "role %s is a superuser; Dither needs SELECT on the policy's tables and nothing more", role);
        else if (PQgetvalue(result, 0, 2)[0] == 't' || PQgetvalue(result, 0, 3)[0] == 't')
            postgres_costly(
                findings,
                "role %s may create roles, databases or schemas, replicate or pass row-level security; "
                "Dither needs SELECT on the policy's tables and nothing more",
                role);
        if (readable > (long)engine->policy->table_count)
            postgres_costly(findings, "role %s may read %ld tables beside those of the policy", role,
                            readable - (long)engine->policy->table_count);
    }
    PQclear(result);
    return DITHER_OK;
}

static status compare_privileges(struct postgres_engine *engine, const struct postgres_table *table,
                                 struct postgres_findings *findings, error *why)
{
    PGresult *result = NULL;
    TRY(postgres_ask_about(
        engine, table,
        "SELECT has_table_privilege(c.oid, 'INSERT'), has_table_privilege(c.oid, 'UPDATE'), "
        "has_table_privilege(c.oid, 'DELETE') OR has_table_privilege(c.oid, 'TRUNCATE'), "
        "pg_has_role(c.relowner, 'USAGE') FROM pg_class c JOIN pg_namespace n ON n.oid = "
        "c.relnamespace WHERE n.nspname = $1 AND c.relname = $2",
        &result, why));
    static const char *const more[] = {"add rows to", "change rows of", "delete rows of", "alter"};
    for (int i = 3; PQntuples(result) == 1 && i >= 0; i--)
        if (PQgetvalue(result, 0, i)[0] == 't') {
            postgres_costly(findings, "the role may %s table %s; Dither needs SELECT and nothing more",
                            more[i], table->declared->name);
            break;
        }
    PQclear(result);
    return DITHER_OK;
}

status postgres_compare(const struct policy *policy, engine_report report, void *context, error *why)
{
    struct engine_options options = {.schema_only = true};
    struct postgres_findings findings = {.report = report, .context = context};
    struct postgres_engine *engine = NULL;
    TRY(postgres_engine_new(policy, &options, &findings, &engine, why));
    status result = DITHER_OK;
    if (findings.wrong == 0)
        result = compare_keys(engine, &findings, why);
    if (result == DITHER_OK)
        result = compare_role(engine, &findings, why);
    for (size_t i = 0; i < policy->table_count && result == DITHER_OK; i++)
        if (engine->tables[i].schema != NULL)
            result = compare_privileges(engine, &engine->tables[i], &findings, why);
    postgres_engine_free(engine);
    return result;
}
