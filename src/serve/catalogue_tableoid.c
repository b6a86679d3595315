/* tableoid: a column that every table of PostgreSQL has and no star shows, the number of the table itself. With it psql joins
 * comments. Our tables have no such column: it becomes the number, where the name of the table in FROM tells which. */
#include <stdio.h>
#include <string.h>

#include "serve/catalogue_parts.h"

enum { MOST_TABLES = 50 };

/* The tables in FROM of one SELECT, by the names that they have there. */
struct catalogue_scope {
    struct {
        const char *name;
        uint32_t oid; /* 0: not a table of PostgreSQL's */
    } tables[MOST_TABLES];
    size_t count;
};

static const char *text_of(const PgQuery__Node *node)
{
    return node->node_case == PG_QUERY__NODE__NODE_STRING ? node->string->sval : "";
}

/* Views have none. */
static uint32_t oid_of(const PgQuery__RangeVar *range)
{
    if (range->schemaname == NULL || strcmp(range->schemaname, CATALOGUE_SCHEMA) != 0)
        return 0;
    for (const struct catalogue_relation *relation = catalogue_of_postgres; relation->name != NULL;
         relation++)
        if (relation->kind == 'r' && strcmp(relation->name, range->relname) == 0)
            return relation->oid;
    return 0;
}

static void add(struct catalogue_scope *scope, const PgQuery__Node *from)
{
    if (from == NULL)
        return;
    if (from->node_case == PG_QUERY__NODE__NODE_JOIN_EXPR) {
        add(scope, from->join_expr->larg);
        add(scope, from->join_expr->rarg);
        return;
    }
    if (scope->count == MOST_TABLES)
        return; /* then it stays a name that nobody knows */
    scope->tables[scope->count].name = "";
    scope->tables[scope->count].oid = 0;
    if (from->node_case == PG_QUERY__NODE__NODE_RANGE_VAR) {
        const PgQuery__RangeVar *range = from->range_var;
        scope->tables[scope->count].name = range->alias != NULL ? range->alias->aliasname : range->relname;
        scope->tables[scope->count].oid = oid_of(range);
    }
    scope->count++;
}

/* The number that a column is; 0: it is none. Without the name of a table it can only be that of the only one. */
static uint32_t number_of(const struct catalogue_scope *scope, const PgQuery__ColumnRef *column)
{
    if (column->n_fields == 0 || column->n_fields > 2 ||
        strcmp(text_of(column->fields[column->n_fields - 1]), "tableoid") != 0)
        return 0;
    if (column->n_fields == 1)
        return scope->count == 1 ? scope->tables[0].oid : 0;
    for (size_t i = 0; i < scope->count; i++)
        if (strcmp(scope->tables[i].name, text_of(column->fields[0])) == 0)
            return scope->tables[i].oid;
    return 0;
}

static status exchange(struct catalogue_rewrite *rewrite, ProtobufCMessage **slot)
{
    PgQuery__Node *node = (*slot)->descriptor == &pg_query__node__descriptor ? (PgQuery__Node *)*slot : NULL;
    uint32_t number = node != NULL && node->node_case == PG_QUERY__NODE__NODE_COLUMN_REF
                          ? number_of(rewrite->scope, node->column_ref)
                          : 0;
    char text[16];
    if (number == 0)
        return catalogue_visit_parts(rewrite, *slot, exchange);
    snprintf(text, sizeof text, "%u", number);
    *slot = &catalogue_cast_node(rewrite, catalogue_text_node(rewrite, text), "uinteger", false)->base;
    return DITHER_OK;
}

/* Sub-selects come before what they stand in: what is theirs is a number by then. */
status catalogue_rewrite_tableoid(struct catalogue_rewrite *rewrite, PgQuery__SelectStmt *select)
{
    struct catalogue_scope scope = {.count = 0};
    for (size_t i = 0; i < select->n_from_clause; i++)
        add(&scope, select->from_clause[i]);
    rewrite->scope = &scope;
    status result = catalogue_visit_parts(rewrite, &select->base, exchange);
    rewrite->scope = NULL;
    return result;
}
