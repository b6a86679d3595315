/* New parts of a tree. They live in the arena; when that is full the rewrite is marked, and the part that comes back is a
 * harmless one, so that callers need not ask each time. */
#include <string.h>

#include "serve/catalogue_parts.h"

static void *take(struct catalogue_rewrite *rewrite, size_t size)
{
    static union {
        max_align_t align;
        char bytes[4096];
    } spare; /* never read: nothing is printed once memory was short */
    void *room = NULL;
    if (arena_take(rewrite->arena, size, &room, rewrite->why) == DITHER_OK)
        return room;
    rewrite->out_of_memory = true;
    return spare.bytes;
}

static PgQuery__Node *node(struct catalogue_rewrite *rewrite, PgQuery__Node__NodeCase kind, void *value)
{
    PgQuery__Node *made = take(rewrite, sizeof *made);
    pg_query__node__init(made);
    made->node_case = kind;
    made->string = value; /* all members of the union are pointers */
    return made;
}

static char *copy(struct catalogue_rewrite *rewrite, const char *text)
{
    char *made = NULL;
    if (arena_text(rewrite->arena, text, strlen(text), &made, rewrite->why) == DITHER_OK)
        return made;
    rewrite->out_of_memory = true;
    return take(rewrite, 1);
}

PgQuery__Node *catalogue_name_node(struct catalogue_rewrite *rewrite, const char *name)
{
    PgQuery__String *string = take(rewrite, sizeof *string);
    pg_query__string__init(string);
    string->sval = copy(rewrite, name);
    return node(rewrite, PG_QUERY__NODE__NODE_STRING, string);
}

PgQuery__Node *catalogue_text_node(struct catalogue_rewrite *rewrite, const char *text)
{
    PgQuery__String *string = take(rewrite, sizeof *string);
    pg_query__string__init(string);
    string->sval = copy(rewrite, text);
    PgQuery__AConst *constant = take(rewrite, sizeof *constant);
    pg_query__a__const__init(constant);
    constant->val_case = PG_QUERY__A__CONST__VAL_SVAL;
    constant->sval = string;
    return node(rewrite, PG_QUERY__NODE__NODE_A_CONST, constant);
}

PgQuery__Node *catalogue_null_node(struct catalogue_rewrite *rewrite)
{
    PgQuery__AConst *constant = take(rewrite, sizeof *constant);
    pg_query__a__const__init(constant);
    constant->isnull = 1;
    return node(rewrite, PG_QUERY__NODE__NODE_A_CONST, constant);
}

PgQuery__Node **catalogue_list(struct catalogue_rewrite *rewrite, PgQuery__Node *const *items, size_t count)
{
    PgQuery__Node **made = take(rewrite, (count > 0 ? count : 1) * sizeof(PgQuery__Node *));
    for (size_t i = 0; i < count && !rewrite->out_of_memory; i++)
        made[i] = items[i];
    return made;
}

PgQuery__Node *catalogue_call_node(struct catalogue_rewrite *rewrite, const char *schema, const char *name,
                                   PgQuery__Node *const *arguments, size_t count)
{
    PgQuery__FuncCall *call = take(rewrite, sizeof *call);
    pg_query__func_call__init(call);
    PgQuery__Node *names[2];
    size_t used = 0;
    if (schema != NULL)
        names[used++] = catalogue_name_node(rewrite, schema);
    names[used++] = catalogue_name_node(rewrite, name);
    call->funcname = catalogue_list(rewrite, names, used);
    call->n_funcname = used;
    call->args = catalogue_list(rewrite, arguments, count);
    call->n_args = count;
    call->funcformat = PG_QUERY__COERCION_FORM__COERCE_EXPLICIT_CALL;
    return node(rewrite, PG_QUERY__NODE__NODE_FUNC_CALL, call);
}

PgQuery__Node *catalogue_cast_node(struct catalogue_rewrite *rewrite, PgQuery__Node *value, const char *type,
                                   bool array)
{
    PgQuery__TypeName *name = take(rewrite, sizeof *name);
    pg_query__type_name__init(name);
    PgQuery__Node *names[] = {catalogue_name_node(rewrite, type)};
    name->names = catalogue_list(rewrite, names, 1);
    name->n_names = 1;
    name->typemod = -1;
    if (array) {
        PgQuery__Integer *bound = take(rewrite, sizeof *bound);
        pg_query__integer__init(bound);
        bound->ival = -1;
        PgQuery__Node *bounds[] = {node(rewrite, PG_QUERY__NODE__NODE_INTEGER, bound)};
        name->array_bounds = catalogue_list(rewrite, bounds, 1);
        name->n_array_bounds = 1;
    }
    PgQuery__TypeCast *cast = take(rewrite, sizeof *cast);
    pg_query__type_cast__init(cast);
    cast->arg = value;
    cast->type_name = name;
    return node(rewrite, PG_QUERY__NODE__NODE_TYPE_CAST, cast);
}

PgQuery__Node *catalogue_not_node(struct catalogue_rewrite *rewrite, PgQuery__Node *value)
{
    PgQuery__BoolExpr *made = take(rewrite, sizeof *made);
    pg_query__bool_expr__init(made);
    made->boolop = PG_QUERY__BOOL_EXPR_TYPE__NOT_EXPR;
    made->args = catalogue_list(rewrite, &value, 1);
    made->n_args = 1;
    return node(rewrite, PG_QUERY__NODE__NODE_BOOL_EXPR, made);
}

PgQuery__Node *catalogue_array_node(struct catalogue_rewrite *rewrite, const char *text)
{
    enum { MOST_ITEMS = 1000 };
    size_t length = strlen(text);
    if (length < 2 || text[0] != '{' || text[length - 1] != '}')
        return NULL;
    PgQuery__Node **items = take(rewrite, MOST_ITEMS * sizeof *items);
    size_t count = 0;
    const char *at = text + 1, *end = text + length - 1;
    char item[1024];
    while (at < end && !rewrite->out_of_memory) {
        bool quoted = *at == '"';
        size_t used = 0;
        at += quoted;
        while (at < end && (quoted ? *at != '"' : *at != ',')) {
            if (*at == '\\' && at + 1 < end)
                at++;
            if (used + 1 == sizeof item || (!quoted && (*at == '{' || *at == '}')))
                return NULL;
            item[used++] = *at++;
        }
        item[used] = '\0';
        at += quoted && at < end;
        if (count == MOST_ITEMS || (at < end && *at != ','))
            return NULL;
        items[count++] = !quoted && strcmp(item, "NULL") == 0 ? catalogue_null_node(rewrite)
                                                              : catalogue_text_node(rewrite, item);
        at++;
    }
    PgQuery__AArrayExpr *array = take(rewrite, sizeof *array);
    pg_query__a__array_expr__init(array);
    array->elements = items;
    array->n_elements = count;
    return node(rewrite, PG_QUERY__NODE__NODE_A_ARRAY_EXPR, array);
}
