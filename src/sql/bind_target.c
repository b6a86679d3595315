/* The select list: stars are written out, and every item gets PostgreSQL's name for it. */
#include "sql/bind_room.h"

#include <string.h>

/* ---- Names ---- */

static const char *last_text(PgQuery__Node *const *nodes, size_t count)
{
    if (count == 0 || nodes[count - 1]->node_case != PG_QUERY__NODE__NODE_STRING)
        return NULL;
    return nodes[count - 1]->string->sval;
}

static const char *figure_sublink(const PgQuery__SubLink *link)
{
    if (link->sub_link_type == PG_QUERY__SUB_LINK_TYPE__EXISTS_SUBLINK)
        return "exists";
    if (link->sub_link_type != PG_QUERY__SUB_LINK_TYPE__EXPR_SUBLINK)
        return NULL;
    const PgQuery__SelectStmt *select = link->subselect->select_stmt;
    if (select->n_target_list != 1)
        return NULL;
    const PgQuery__ResTarget *target = select->target_list[0]->res_target;
    if (target->name != NULL && target->name[0] != '\0')
        return target->name;
    return target->val->node_case == PG_QUERY__NODE__NODE_COLUMN_REF
               ? last_text(target->val->column_ref->fields, target->val->column_ref->n_fields)
           : target->val->node_case == PG_QUERY__NODE__NODE_FUNC_CALL
               ? last_text(target->val->func_call->funcname, target->val->func_call->n_funcname)
               : NULL;
}

/* The name of what has no AS; NULL: "?column?". */
static const char *figure_name(const PgQuery__Node *node)
{
    const char *inner = NULL;
    if (node == NULL)
        return NULL;
    switch (node->node_case) {
    case PG_QUERY__NODE__NODE_COLUMN_REF:
        return last_text(node->column_ref->fields, node->column_ref->n_fields);
    case PG_QUERY__NODE__NODE_FUNC_CALL:
        return last_text(node->func_call->funcname, node->func_call->n_funcname);
    case PG_QUERY__NODE__NODE_TYPE_CAST:
        inner = figure_name(node->type_cast->arg);
        return inner != NULL
                   ? inner
                   : last_text(node->type_cast->type_name->names, node->type_cast->type_name->n_names);
    case PG_QUERY__NODE__NODE_CASE_EXPR:
        inner = figure_name(node->case_expr->defresult);
        return inner != NULL ? inner : "case";
    case PG_QUERY__NODE__NODE_COALESCE_EXPR:
        return "coalesce";
    case PG_QUERY__NODE__NODE_MIN_MAX_EXPR:
        return node->min_max_expr->op == PG_QUERY__MIN_MAX_OP__IS_GREATEST ? "greatest" : "least";
    case PG_QUERY__NODE__NODE_GROUPING_FUNC:
        return "grouping";
    case PG_QUERY__NODE__NODE_SUB_LINK:
        return figure_sublink(node->sub_link);
    case PG_QUERY__NODE__NODE_A_EXPR:
        return node->a_expr->kind == PG_QUERY__A__EXPR__KIND__AEXPR_NULLIF ? "nullif" : NULL;
    default:
        return NULL;
    }
}

/* ---- Stars ---- */

/* The list that * or t.* stands for; NULL: it is no star. */
static status star_list(struct binder *binder, const PgQuery__Node *node, const struct bind_names *names,
                        const struct bind_name_list **out, error *why)
{
    *out = NULL;
    if (node->node_case != PG_QUERY__NODE__NODE_COLUMN_REF)
        return DITHER_OK;
    const PgQuery__ColumnRef *reference = node->column_ref;
    int position = bind_at(binder, reference->location);
    if (reference->fields[reference->n_fields - 1]->node_case != PG_QUERY__NODE__NODE_A_STAR)
        return DITHER_OK;
    if (reference->n_fields == 1 && names->visible.count == 0)
        return sql_refuse(why, position, "SELECT * with no tables specified is not valid");
    if (reference->n_fields == 1) {
        *out = &names->visible;
        return DITHER_OK;
    }
    const char *table = last_text(reference->fields, reference->n_fields - 1);
    const char *schema = reference->n_fields == 3 ? last_text(reference->fields, 1) : NULL;
    bool in_public = schema != NULL && strcmp(schema, BIND_SCHEMA) == 0;
    const struct bind_source *source = NULL;
    if ((reference->n_fields == 2 || in_public) && table != NULL)
        source = bind_names_source(names, (struct bind_qualifier){table, in_public});
    if (source != NULL) {
        *out = &source->list;
        return DITHER_OK;
    }
    return sql_refuse(why, position, "missing FROM-clause entry for table \"%s\"",
                      table != NULL ? table : "?");
}

static status add_target(struct binder *binder, const PgQuery__ResTarget *target, struct bind_target *out,
                         error *why)
{
    bool named = target->name != NULL && target->name[0] != '\0';
    const char *name = named ? target->name : figure_name(target->val);
    *out = (struct bind_target){.node = target->val, .named = named};
    return bind_text_of(binder, name != NULL ? name : "?column?", &out->name, why);
}

status bind_targets(struct binder *binder, const PgQuery__SelectStmt *select, const struct bind_names *names,
                    struct bind_targets *out, error *why)
{
    const struct bind_name_list *list = NULL;
    size_t room = 0;
    for (size_t i = 0; i < select->n_target_list; i++) {
        TRY(star_list(binder, select->target_list[i]->res_target->val, names, &list, why));
        room += list != NULL ? list->count : 1;
    }
    TRY(relation_take(&binder->builder, room, sizeof *out->list, &out->list, why));
    out->count = 0;
    for (size_t i = 0; i < select->n_target_list; i++) {
        const PgQuery__ResTarget *target = select->target_list[i]->res_target;
        TRY(star_list(binder, target->val, names, &list, why));
        if (list == NULL)
            TRY(add_target(binder, target, &out->list[out->count++], why));
        for (size_t j = 0; list != NULL && j < list->count; j++)
            out->list[out->count++] =
                (struct bind_target){.column = list->names[j].column, .name = list->names[j].name};
    }
    return DITHER_OK;
}

/* ---- Values ---- */

/* A column of a star: in a grouped query it must be a key. */
static status bind_star_column(struct binder *binder, struct bind_level *level,
                               const struct bind_target *target, const struct sql_expression **out,
                               error *why)
{
    const struct bind_grouped *grouped = level->grouped;
    const struct sql_expression *column = NULL;
    if (grouped == NULL)
        return bind_column(binder, level, level->shift + target->column, -1, out, why);
    TRY(bind_column(binder, grouped->input, target->column, -1, &column, why));
    for (size_t i = 0; i < grouped->key_count; i++)
        if (sql_same_expression(grouped->keys[i], column))
            return bind_column(binder, level, i, -1, out, why);
    return sql_refuse(why, -1,
                      "column \"%s\" must appear in the GROUP BY clause or be used in an aggregate function",
                      target->name);
}

status bind_target_expression(struct binder *binder, struct bind_level *level,
                              const struct bind_target *target, const struct sql_expression **out, error *why)
{
    const struct sql_expression *value = NULL;
    if (target->node == NULL)
        return bind_star_column(binder, level, target, out, why);
    TRY(bind_expression(binder, &level->scope, target->node, &value, why));
    if (value->type == SQL_UNKNOWN &&
        !(level->untyped && value->kind == SQL_LITERAL)) /* nobody decided: PostgreSQL makes it text */
        TRY(sql_cast(&binder->builder, value, SQL_TEXT, 0, value->position, &value, why));
    *out = value;
    return DITHER_OK;
}
