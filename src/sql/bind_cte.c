/* WITH. A CTE is bound when it is first named, once: all who name it share the relation, so that what it
 * releases is drawn once. One that nobody names is checked, and releases nothing. */
#include <string.h>

#include "sql/bind_room.h"

status bind_with(struct binder *binder, const PgQuery__WithClause *with, error *why)
{
    if (with == NULL)
        return DITHER_OK;
    if (with->recursive)
        return sql_refuse(why, bind_at(binder, with->location),
                          "WITH RECURSIVE is not supported: write the steps out");
    for (size_t i = 0; i < with->n_ctes; i++) {
        const PgQuery__CommonTableExpr *expression = with->ctes[i]->common_table_expr;
        struct bind_cte *cte = NULL;
        TRY(relation_take(&binder->builder, 1, sizeof *cte, &cte, why));
        for (size_t j = 0; j < i; j++)
            if (strcmp(with->ctes[j]->common_table_expr->ctename, expression->ctename) == 0)
                return sql_refuse(why, bind_at(binder, expression->location),
                                  "WITH query name \"%s\" specified more than once", expression->ctename);
        cte->name = expression->ctename;
        cte->expression = expression;
        cte->next = binder->ctes;
        binder->ctes = cte;
    }
    return DITHER_OK;
}

/* WITH t(a, b): the relation with its visible columns renamed. */
static status rename_columns(struct binder *binder, const PgQuery__CommonTableExpr *expression, int position,
                             const struct sql_relation **relation, error *why)
{
    struct sql_relation *renamed = NULL;
    struct sql_column *columns = NULL;
    size_t count = (*relation)->column_count, at = 0;
    if (expression->n_aliascolnames == 0)
        return DITHER_OK;
    TRY(relation_take(&binder->builder, 1, sizeof *renamed, &renamed, why));
    TRY(relation_take(&binder->builder, count, sizeof *columns, &columns, why));
    memcpy(columns, (*relation)->columns, count * sizeof *columns);
    for (size_t i = 0; i < expression->n_aliascolnames; i++, at++) {
        while (at < count && columns[at].hidden)
            at++;
        if (at == count)
            return sql_refuse(why, position, "WITH query \"%s\" has fewer columns than it names",
                              expression->ctename);
        TRY(bind_text_of(binder, expression->aliascolnames[i]->string->sval, &columns[at].name, why));
    }
    *renamed = **relation;
    renamed->columns = columns;
    *relation = renamed;
    return DITHER_OK;
}

/* With what is in sight of it, and of the queries around it nothing. */
static status bind_one(struct binder *binder, struct bind_cte *cte, error *why)
{
    const PgQuery__CommonTableExpr *expression = cte->expression;
    int position = bind_at(binder, expression->location);
    const struct sql_relation *relation = NULL;
    if (expression->ctequery == NULL || expression->ctequery->node_case != PG_QUERY__NODE__NODE_SELECT_STMT)
        return sql_refuse(why, position, "WITH holds SELECTs alone here");
    if (expression->search_clause != NULL || expression->cycle_clause != NULL)
        return sql_refuse(why, position, "SEARCH and CYCLE are not supported");
    const struct bind_cte *in_sight = binder->ctes;
    const struct bind_outer *outer = binder->outer;
    binder->ctes = cte->next;
    binder->outer = NULL;
    status result = bind_query(binder, expression->ctequery->select_stmt, &relation, why);
    binder->ctes = in_sight;
    binder->outer = outer;
    if (result != DITHER_OK)
        return result;
    TRY(rename_columns(binder, expression, position, &relation, why));
    cte->relation = relation;
    return DITHER_OK;
}

status bind_find_cte(struct binder *binder, const char *name, const struct bind_cte **out, error *why)
{
    *out = NULL;
    for (const struct bind_cte *cte = binder->ctes; cte != NULL; cte = cte->next) {
        if (strcmp(cte->name, name) != 0)
            continue;
        struct bind_cte *own = NULL; /* the list is ours: bind_with made it */
        memcpy(&own, &cte, sizeof own);
        if (own->relation == NULL)
            TRY(bind_one(binder, own, why));
        *out = cte;
        return DITHER_OK;
    }
    return DITHER_OK;
}

status bind_with_rest(struct binder *binder, const struct bind_cte *until, error *why)
{
    for (const struct bind_cte *cte = binder->ctes; cte != until; cte = cte->next) {
        size_t releases = binder->builder.release_count;
        const struct bind_value *values = binder->values;
        struct bind_cte *own = NULL;
        memcpy(&own, &cte, sizeof own);
        if (own->relation == NULL)
            TRY(bind_one(binder, own, why));
        else
            continue;
        binder->builder.release_count = releases;
        binder->values = values; /* they may be made of what was just forgotten */
    }
    return DITHER_OK;
}
