/* Which tables have a unit on every row, so that a scan need not look for it.
 *
 * A row whose unit is NULL belongs to nobody and never counts. Usually the scan leaves it out; but the test costs a tenth of
 * a sum over ten million rows. It may fall away where the database itself sees to it: an import does not keep such rows,
 * a row is never without its own number, and NOT NULL is enforced. What data happen to be there decides nothing. */
#include "engine/duckdb_engine.h"

static bool holds_its_unit(const struct duckdb_table *table)
{
    return table->declared->protection != POLICY_PUBLIC && table->declared->joins == 0;
}

status duckdb_drop_nobody(struct duckdb_engine *engine, const struct duckdb_table *table, error *why)
{
    struct buffer sql;
    if (!holds_its_unit(table) || table->declared->tag == NULL)
        return DITHER_OK;
    buffer_init(&sql, 1 << 12);
    buffer_text(&sql, "DELETE FROM ");
    sql_print_identifier(&sql, table->declared->name);
    buffer_text(&sql, " WHERE ");
    sql_print_identifier(&sql, table->declared->tag->name);
    buffer_text(&sql, " IS NULL");
    status result = buffer_check(&sql, why);
    if (result == DITHER_OK)
        result = duckdb_instance_run(&engine->instance, sql.data, "leaving out rows of nobody", why);
    buffer_free(&sql);
    return result;
}

/* Whether the cast of the view keeps every value: one that does not fit would be NULL. */
static bool keeps_values(const struct duckdb_table *table, const struct policy_column *tag)
{
    const struct duckdb_found_column *found = duckdb_found_find(&table->found, tag->name);
    if (found == NULL)
        return false;
    switch (found->type) {
    case DUCKDB_TYPE_TINYINT:
    case DUCKDB_TYPE_SMALLINT:
    case DUCKDB_TYPE_INTEGER:
    case DUCKDB_TYPE_BIGINT:
    case DUCKDB_TYPE_UTINYINT:
    case DUCKDB_TYPE_USMALLINT:
    case DUCKDB_TYPE_UINTEGER:
        return tag->type == POLICY_INTEGER;
    case DUCKDB_TYPE_VARCHAR:
        return tag->type == POLICY_TEXT;
    default:
        return false;
    }
}

static status is_enforced(struct duckdb_engine *engine, const struct duckdb_table *table, bool *out,
                          error *why)
{
    struct buffer sql;
    int64_t constraints = 0;
    buffer_init(&sql, 1 << 12);
    buffer_text(
        &sql,
        "SELECT count(*) FROM (SELECT unnest(constraint_column_names) AS name FROM duckdb_constraints() "
        "WHERE database_name = '" DUCKDB_SOURCE "' AND schema_name = 'main' AND constraint_type IN "
        "('NOT NULL', 'PRIMARY KEY') AND lower(table_name) = lower(");
    duckdb_print_text(&sql, table->declared->name);
    buffer_text(&sql, ")) WHERE lower(name) = lower(");
    duckdb_print_text(&sql, table->declared->tag->name);
    buffer_text(&sql, ")");
    status result = buffer_check(&sql, why);
    if (result == DITHER_OK)
        result = duckdb_ask_whole(&engine->instance, sql.data, "looking at its catalogue", &constraints, why);
    buffer_free(&sql);
    TRY(result);
    *out = constraints > 0;
    return DITHER_OK;
}

status duckdb_has_all_units(struct duckdb_engine *engine, const struct duckdb_table *table, bool *out,
                            error *why)
{
    const struct policy_column *tag = table->declared->tag;
    *out = false;
    if (!holds_its_unit(table) || table->is_view)
        return DITHER_OK;
    if (tag == NULL || table->has_source) {
        *out = true;
        return DITHER_OK;
    }
    return keeps_values(table, tag) ? is_enforced(engine, table, out, why) : DITHER_OK;
}
