/* The rows in a DuckDB file, as an owner might keep them: a file can be spoilt while it is in use, which an import cannot. */
#include "attack/audit_world.h"

#include <stdio.h>

#include "engine/duckdb_instance.h"

enum { STATEMENT_BYTES = 1 << 20 };

static const char *type_name(enum policy_type type)
{
    static const char *const names[] = {
        [POLICY_INTEGER] = "BIGINT",     [POLICY_REAL] = "DOUBLE",     [POLICY_DECIMAL] = "DECIMAL(18,",
        [POLICY_TEXT] = "VARCHAR",       [POLICY_BOOLEAN] = "BOOLEAN", [POLICY_DATE] = "DATE",
        [POLICY_TIMESTAMP] = "TIMESTAMP"};
    return names[type];
}

static void print_name(struct buffer *out, const char *name)
{
    buffer_byte(out, '"');
    for (const char *at = name; *at != '\0'; at++)
        buffer_format(out, *at == '"' ? "\"%c" : "%c", *at);
    buffer_byte(out, '"');
}

static void print_table(const struct policy_table *table, size_t index, const char *folder,
                        struct buffer *out)
{
    char path[300];
    snprintf(path, sizeof path, "%s/table%zu.csv", folder, index);
    buffer_text(out, "CREATE TABLE rows.main.");
    print_name(out, table->name);
    buffer_text(out, " AS SELECT * FROM read_csv(");
    duckdb_print_text(out, path);
    buffer_text(out, ", header = true, auto_detect = false, delim = ',', quote = '\"', columns = {");
    for (size_t i = 0; i < table->column_count; i++) {
        const struct policy_column *column = &table->columns[i];
        buffer_text(out, i > 0 ? ", " : "");
        duckdb_print_text(out, column->name);
        buffer_format(out, ": '%s", type_name(column->type));
        if (column->type == POLICY_DECIMAL)
            buffer_format(out, "%d)", column->scale);
        buffer_text(out, "'");
    }
    buffer_text(out, "})");
}

static status make_tables(struct duckdb_instance *instance, const struct policy *policy, const char *folder,
                          struct buffer *sql, error *why)
{
    char path[300];
    snprintf(path, sizeof path, "%s/rows.duckdb", folder);
    buffer_text(sql, "ATTACH ");
    duckdb_print_text(sql, path);
    buffer_text(sql, " AS rows");
    TRY(buffer_check(sql, why));
    TRY(duckdb_instance_run(instance, sql->data, "making the auditor's file", why));
    for (size_t i = 0; i < policy->table_count; i++) {
        if (policy->tables[i].protection == POLICY_PUBLIC)
            continue;
        buffer_clear(sql);
        print_table(&policy->tables[i], i, folder, sql);
        TRY(buffer_check(sql, why));
        TRY(duckdb_instance_run(instance, sql->data, "filling the auditor's file", why));
    }
    return duckdb_instance_run(instance, "DETACH rows", "closing the auditor's file", why);
}

status audit_rows_to_duckdb(const struct policy *policy, const char *folder, error *why)
{
    struct duckdb_instance instance = {0};
    struct buffer sql;
    TRY(duckdb_instance_open(&(struct duckdb_limits){.threads = 1}, &instance, why));
    buffer_init(&sql, STATEMENT_BYTES);
    status result = make_tables(&instance, policy, folder, &sql, why);
    buffer_free(&sql);
    duckdb_instance_close(&instance);
    return result;
}
