/* What a name in a question means: tables of the FROM clause and their columns.
 *
 * Matching is PostgreSQL's: an unquoted name was lowered by the parser. A column that the owner declared with
 * capitals is found by its lowered name too, if only one is. */
#include "sql/bind_room.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/nearest.h"

bool bind_same_name(const char *declared, const char *said)
{
    if (strcmp(declared, said) == 0)
        return true;
    for (const char *at = said; *at != '\0'; at++)
        if (isupper((unsigned char)*at))
            return false; /* it was quoted */
    return strcasecmp(declared, said) == 0;
}

/* ---- Making lists ---- */

static status rename_columns(struct binder *binder, const PgQuery__Alias *alias, struct bind_name *names,
                             size_t count, int position, error *why)
{
    if (alias == NULL)
        return DITHER_OK;
    if (alias->n_colnames > count)
        return sql_refuse(why, position, "table \"%s\" has %zu columns available but %zu columns specified",
                          alias->aliasname, count, alias->n_colnames);
    for (size_t i = 0; i < alias->n_colnames; i++)
        TRY(bind_text_of(binder, alias->colnames[i]->string->sval, &names[i].name, why));
    return DITHER_OK;
}

status bind_names_of(struct binder *binder, const struct sql_relation *relation, const char *name,
                     const PgQuery__Alias *alias, int position, struct bind_names *out, error *why)
{
    struct bind_name *names = NULL;
    struct bind_source *source = NULL;
    size_t count = 0;
    TRY(relation_take(&binder->builder, relation->column_count, sizeof *names, &names, why));
    for (size_t i = 0; i < relation->column_count; i++)
        if (!relation->columns[i].hidden)
            names[count++] = (struct bind_name){relation->columns[i].name, i};
    TRY(rename_columns(binder, alias, names, count, position, why));
    const char *known_as = alias != NULL ? alias->aliasname : name;
    *out = (struct bind_names){.visible = {names, count}};
    if (known_as == NULL)
        return DITHER_OK;
    TRY(relation_take(&binder->builder, 1, sizeof *source, &source, why));
    TRY(bind_text_of(binder, known_as, &source->alias, why));
    source->list = out->visible;
    out->sources = source;
    out->source_count = 1;
    return DITHER_OK;
}

static status shift_list(struct binder *binder, const struct bind_name_list *list, size_t shift,
                         struct bind_name_list *out, error *why)
{
    struct bind_name *names = NULL;
    TRY(relation_take(&binder->builder, list->count, sizeof *names, &names, why));
    for (size_t i = 0; i < list->count; i++)
        names[i] = (struct bind_name){list->names[i].name, list->names[i].column + shift};
    *out = (struct bind_name_list){names, list->count};
    return DITHER_OK;
}

static status join_lists(struct binder *binder, const struct bind_name_list *a,
                         const struct bind_name_list *b, struct bind_name_list *out, error *why)
{
    struct bind_name *names = NULL;
    TRY(relation_take(&binder->builder, a->count + b->count, sizeof *names, &names, why));
    if (a->count > 0)
        memcpy(names, a->names, a->count * sizeof *names);
    if (b->count > 0)
        memcpy(names + a->count, b->names, b->count * sizeof *names);
    *out = (struct bind_name_list){names, a->count + b->count};
    return DITHER_OK;
}

static status check_twice(const struct bind_names *left, const struct bind_source *source, int position,
                          error *why)
{
    for (size_t i = 0; i < left->source_count; i++)
        if (strcmp(left->sources[i].alias, source->alias) == 0)
            return sql_refuse(why, position, "table name \"%s\" specified more than once", source->alias);
    return DITHER_OK;
}

status bind_names_both(struct binder *binder, const struct bind_names *left, const struct bind_names *right,
                       size_t shift, int position, struct bind_names *out, error *why)
{
    struct bind_source *sources = NULL;
    struct bind_name_list moved;
    struct bind_names both = {.source_count = left->source_count + right->source_count};
    TRY(relation_take(&binder->builder, both.source_count, sizeof *sources, &sources, why));
    for (size_t i = 0; i < left->source_count; i++)
        sources[i] = left->sources[i];
    for (size_t i = 0; i < right->source_count; i++) {
        struct bind_source *source = &sources[left->source_count + i];
        TRY(check_twice(left, &right->sources[i], position, why));
        source->alias = right->sources[i].alias;
        source->in_public = right->sources[i].in_public;
        TRY(shift_list(binder, &right->sources[i].list, shift, &source->list, why));
    }
    TRY(shift_list(binder, &right->visible, shift, &moved, why));
    TRY(join_lists(binder, &left->visible, &moved, &both.visible, why));
    both.sources = sources;
    *out = both;
    return DITHER_OK;
}

static status move_list(struct binder *binder, const struct bind_name_list *list, const size_t *map,
                        struct bind_name_list *out, error *why)
{
    struct bind_name *names = NULL;
    TRY(relation_take(&binder->builder, list->count, sizeof *names, &names, why));
    for (size_t i = 0; i < list->count; i++)
        names[i] = (struct bind_name){list->names[i].name, map[list->names[i].column]};
    *out = (struct bind_name_list){names, list->count};
    return DITHER_OK;
}

status bind_names_moved(struct binder *binder, const struct bind_names *names, const size_t *map,
                        struct bind_names *out, error *why)
{
    struct bind_source *sources = NULL;
    struct bind_names moved = {.source_count = names->source_count};
    TRY(relation_take(&binder->builder, names->source_count, sizeof *sources, &sources, why));
    for (size_t i = 0; i < names->source_count; i++) {
        sources[i].alias = names->sources[i].alias;
        sources[i].in_public = names->sources[i].in_public;
        TRY(move_list(binder, &names->sources[i].list, map, &sources[i].list, why));
    }
    TRY(move_list(binder, &names->visible, map, &moved.visible, why));
    moved.sources = sources;
    *out = moved;
    return DITHER_OK;
}

/* ---- Finding ---- */

/* An exact match wins over one that differs in capitals. */
static enum bind_found find_in(const struct bind_name_list *list, const char *column, size_t *out)
{
    size_t exact = 0, similar = 0, exact_at = 0, similar_at = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->names[i].name, column) == 0) {
            exact++;
            exact_at = list->names[i].column;
        } else if (bind_same_name(list->names[i].name, column)) {
            similar++;
            similar_at = list->names[i].column;
        }
    }
    if (exact == 1 || (exact == 0 && similar == 1)) {
        *out = exact == 1 ? exact_at : similar_at;
        return BIND_FOUND;
    }
    return exact + similar == 0 ? BIND_MISSING : BIND_AMBIGUOUS;
}

const struct bind_source *bind_names_source(const struct bind_names *names, struct bind_qualifier qualifier)
{
    for (size_t i = 0; i < names->source_count; i++)
        if (strcmp(names->sources[i].alias, qualifier.table) == 0 &&
            (names->sources[i].in_public || !qualifier.in_public))
            return &names->sources[i];
    return NULL;
}

enum bind_found bind_names_find(const struct bind_names *names, struct bind_qualifier qualifier,
                                const char *column, size_t *out)
{
    if (qualifier.table == NULL)
        return find_in(&names->visible, column, out);
    const struct bind_source *source = bind_names_source(names, qualifier);
    return source != NULL ? find_in(&source->list, column, out) : BIND_NO_TABLE;
}

status bind_reference(struct binder *binder, const PgQuery__ColumnRef *reference,
                      struct bind_qualifier *qualifier, const char **column, error *why)
{
    int position = bind_at(binder, reference->location);
    size_t count = reference->n_fields;
    for (size_t i = 0; i < count; i++)
        if (reference->fields[i]->node_case != PG_QUERY__NODE__NODE_STRING)
            return sql_refuse(why, position, "* stands for columns in a select list alone, and in count(*)");
    bool in_public = count == 3 && strcmp(reference->fields[0]->string->sval, BIND_SCHEMA) == 0;
    if (count > 2 && !in_public)
        return sql_refuse(why, position,
                          "names of columns are column, table.column or " BIND_SCHEMA ".table.column");
    *qualifier =
        (struct bind_qualifier){count > 1 ? reference->fields[count - 2]->string->sval : NULL, in_public};
    *column = reference->fields[count - 1]->string->sval;
    return DITHER_OK;
}

/* ---- Not finding ---- */

static const char *name_at(size_t index, const void *context)
{
    const struct bind_name_list *list = context;
    return index < list->count ? list->names[index].name : NULL;
}

status bind_not_found(struct binder *binder, const struct bind_names *names, enum bind_found found,
                      struct bind_qualifier qualifier, const char *column, int location, error *why)
{
    int position = bind_at(binder, location);
    const struct bind_name_list *list = &names->visible;
    const char *table = qualifier.table;
    char hint[160] = "";
    if (found == BIND_AMBIGUOUS)
        return sql_refuse(why, position, "column reference \"%s\" is ambiguous: say of which table", column);
    if (found == BIND_NO_TABLE)
        return sql_refuse(why, position, "missing FROM-clause entry for table \"%s\"", table);
    if (table != NULL && bind_names_source(names, qualifier) != NULL)
        list = &bind_names_source(names, qualifier)->list;
    const char *near = nearest_name(column, name_at, list);
    if (near != NULL)
        snprintf(hint, sizeof hint, "; did you mean \"%.63s\"?", near);
    if (table != NULL)
        return sql_refuse(why, position, "column %s.%s does not exist%s", table, column, hint);
    return sql_refuse(why, position, "column \"%s\" does not exist%s", column, hint);
}
