/* FROM: tables, sub-selects, CTEs. Whatever else a FROM clause can hold is refused. */
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "sql/bind_room.h"

static const char *table_at(size_t index, const void *context)
{
    const struct sql_catalogue *catalogue = context;
    return index < catalogue->table_count ? catalogue->tables[index].declared->name : NULL;
}

static bool is_said(const char *name)
{
    return name != NULL && name[0] != '\0';
}

/* The same words for a table of the system, of the engine or of nobody: what the policy does not name does
 * not exist. */
static status no_table(struct binder *binder, const PgQuery__RangeVar *range, error *why)
{
    char hint[160] = "";
    int position = bind_at(binder, range->location);
    const char *near = nearest_name(range->relname, table_at, binder->builder.catalogue);
    bool qualified = is_said(range->schemaname);
    if (is_said(range->catalogname))
        return sql_refuse(why, position, "cross-database references are not implemented: \"%s.%s.%s\"",
                          range->catalogname, range->schemaname, range->relname);
    if (near != NULL && (!qualified || strcmp(range->schemaname, BIND_SCHEMA) == 0))
        snprintf(hint, sizeof hint, "; did you mean \"%.63s\"?", near);
    else if (qualified)
        snprintf(hint, sizeof hint, "; tables are in the schema " BIND_SCHEMA " alone");
    return sql_refuse(why, position, "relation \"%s%s%s\" does not exist%s",
                      qualified ? range->schemaname : "", qualified ? "." : "", range->relname, hint);
}

static status bind_policy_table(struct binder *binder, const PgQuery__RangeVar *range, struct bind_from *out,
                                error *why)
{
    int position = bind_at(binder, range->location);
    struct bind_source *source = NULL;
    const struct sql_table *table = sql_catalogue_table(binder->builder.catalogue, range->relname);
    if (table == NULL)
        return no_table(binder, range, why);
    TRY(sql_scan(&binder->builder, table, position, &out->relation, why));
    TRY(bind_names_of(binder, out->relation, range->relname, range->alias, position, &out->names, why));
    if (range->alias != NULL)
        return DITHER_OK;
    TRY(relation_take(&binder->builder, 1, sizeof *source, &source, why));
    *source = out->names.sources[0];
    source->in_public = true;
    out->names.sources = source;
    return DITHER_OK;
}

static status bind_table(struct binder *binder, const PgQuery__RangeVar *range, struct bind_from *out,
                         error *why)
{
    const struct bind_cte *cte = NULL;
    if (is_said(range->catalogname) ||
        (is_said(range->schemaname) && strcmp(range->schemaname, BIND_SCHEMA) != 0))
        return no_table(binder, range, why);
    if (!is_said(range->schemaname)) /* a CTE has no schema */
        TRY(bind_find_cte(binder, range->relname, &cte, why));
    if (cte == NULL)
        return bind_policy_table(binder, range, out, why);
    out->relation = cte->relation;
    return bind_names_of(binder, cte->relation, cte->name, range->alias, bind_at(binder, range->location),
                         &out->names, why);
}

static status bind_subselect(struct binder *binder, const PgQuery__RangeSubselect *range,
                             struct bind_from *out, error *why)
{
    int position = range->subquery != NULL ? bind_position(binder, range->subquery) : -1;
    if (range->lateral)
        return sql_refuse(why, position,
                          "LATERAL is not supported: join the tables, or use a window function");
    if (range->subquery == NULL || range->subquery->node_case != PG_QUERY__NODE__NODE_SELECT_STMT)
        return sql_refuse(why, position, "FROM holds tables and SELECTs alone here");
    TRY(bind_query(binder, range->subquery->select_stmt, &out->relation, why));
    return bind_names_of(binder, out->relation, NULL, range->alias, position, &out->names, why);
}

status bind_from_item(struct binder *binder, const PgQuery__Node *node, struct bind_from *out, error *why)
{
    switch (node->node_case) {
    case PG_QUERY__NODE__NODE_RANGE_VAR:
        return bind_table(binder, node->range_var, out, why);
    case PG_QUERY__NODE__NODE_RANGE_SUBSELECT:
        return bind_subselect(binder, node->range_subselect, out, why);
    case PG_QUERY__NODE__NODE_JOIN_EXPR:
        return bind_from_join(binder, node->join_expr, out, why);
    case PG_QUERY__NODE__NODE_RANGE_FUNCTION:
        return sql_refuse(why, bind_position(binder, node),
                          "functions in FROM are not supported: name a table of the policy, or write VALUES");
    case PG_QUERY__NODE__NODE_RANGE_TABLE_SAMPLE:
        return sql_refuse(why, bind_position(binder, node),
                          "TABLESAMPLE is not supported: the noise is chosen for the whole table");
    default:
        return sql_refuse(why, bind_position(binder, node),
                          "FROM holds tables, joins and SELECTs alone here");
    }
}
