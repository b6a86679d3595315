/* Which statements are for the catalogue, and which parameters they have. */
#include <string.h>

#include "serve/catalogue_parts.h"
#include "sql/parse.h"

enum { ARENA_BYTES = 64 << 20 };

struct seen {
    bool ours;   /* names a table of PostgreSQL's */
    bool tables; /* names another table */
    bool calls;  /* calls a function of PostgreSQL's that says something about the session or the catalogue */
    uint32_t *oids;
    size_t most, count; /* of parameters */
};

static const char *last_name(PgQuery__Node *const *names, size_t count)
{
    const PgQuery__Node *last = count > 0 ? names[count - 1] : NULL;
    return last != NULL && last->node_case == PG_QUERY__NODE__NODE_STRING ? last->string->sval : "";
}

static void look_at_parameter(struct seen *seen, const PgQuery__ParamRef *parameter, uint32_t oid)
{
    if (parameter->number < 1)
        return;
    size_t index = (size_t)parameter->number - 1;
    if (index + 1 > seen->count)
        seen->count = index + 1;
    if (index < seen->most && (seen->oids[index] == 0 || oid != 0))
        seen->oids[index] = oid;
}

static uint32_t cast_oid(const PgQuery__TypeName *type)
{
    uint32_t oid = 0;
    if (catalogue_type(last_name(type->names, type->n_names), &oid) == NULL)
        return 0;
    if (type->n_array_bounds == 0)
        return oid;
    return oid == 26   ? 1028
           : oid == 21 ? 1005
           : oid == 23 ? 1007
           : oid == 20 ? 1016
           : oid == 19 ? 1003
                       : 1009;
}

static void look(struct seen *seen, const ProtobufCMessage *message)
{
    const ProtobufCMessageDescriptor *kind = message->descriptor;
    bool standard, macro;
    const char *ours;
    if (kind == &pg_query__range_var__descriptor) {
        const PgQuery__RangeVar *range = (const PgQuery__RangeVar *)message;
        bool found = catalogue_is_relation(range->schemaname, range->relname, &standard) ||
                     strcmp(range->schemaname, "pg_catalog") == 0 ||
                     strcmp(range->schemaname, "information_schema") == 0;
        seen->ours = seen->ours || found;
        seen->tables = seen->tables || !found;
    } else if (kind == &pg_query__func_call__descriptor) {
        const PgQuery__FuncCall *call = (const PgQuery__FuncCall *)message;
        const char *name = last_name(call->funcname, call->n_funcname);
        /* age of a transaction is the catalogue's, of a date it is not: beside a table of PostgreSQL's alone */
        seen->calls =
            seen->calls || (catalogue_function(name, &ours, &macro) && macro && strcmp(name, "age") != 0);
    } else if (kind == &pg_query__sqlvalue_function__descriptor) {
        PgQuery__SQLValueFunctionOp op = ((const PgQuery__SQLValueFunction *)message)->op;
        seen->calls = seen->calls || op >= PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_ROLE;
    } else if (kind == &pg_query__type_name__descriptor) {
        const PgQuery__TypeName *type = (const PgQuery__TypeName *)message;
        seen->calls = seen->calls || catalogue_reference(last_name(type->names, type->n_names)) != 0;
    } else if (kind == &pg_query__param_ref__descriptor) {
        look_at_parameter(seen, (const PgQuery__ParamRef *)message, 0);
    } else if (kind == &pg_query__type_cast__descriptor) {
        const PgQuery__TypeCast *cast = (const PgQuery__TypeCast *)message;
        if (cast->arg != NULL && cast->arg->node_case == PG_QUERY__NODE__NODE_PARAM_REF)
            look_at_parameter(seen, cast->arg->param_ref, cast_oid(cast->type_name));
    }
}

static void look_below(struct seen *seen, const ProtobufCMessage *message)
{
    const char *base = (const char *)message;
    look(seen, message);
    for (unsigned i = 0; i < message->descriptor->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &message->descriptor->fields[i];
        if (field->type != PROTOBUF_C_TYPE_MESSAGE)
            continue;
        if (field->label == PROTOBUF_C_LABEL_REPEATED) {
            size_t count = 0;
            ProtobufCMessage *const *items = NULL;
            memcpy(&count, base + field->quantifier_offset, sizeof count);
            memcpy(&items, base + field->offset, sizeof items);
            for (size_t k = 0; k < count; k++)
                look_below(seen, items[k]);
            continue;
        }
        uint32_t chosen = field->id;
        const ProtobufCMessage *item = NULL;
        if ((field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) != 0)
            memcpy(&chosen, base + field->quantifier_offset, sizeof chosen);
        if (chosen == field->id)
            memcpy(&item, base + field->offset, sizeof item);
        if (item != NULL)
            look_below(seen, item);
    }
}

static status look_at_text(const char *text, size_t length, struct seen *seen, error *why)
{
    struct arena arena;
    struct sql_parsed parsed = {.tree = NULL};
    arena_init(&arena, ARENA_BYTES);
    status result = sql_parse(text, length, &arena, &parsed, why);
    if (result == DITHER_OK)
        look_below(seen, &parsed.tree->base);
    sql_parsed_free(&parsed);
    arena_free(&arena);
    return result;
}

/* ---- Without parsing: most questions name nothing of PostgreSQL's ---- */

static bool is_word_byte(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
           byte == '_';
}

/* All of PostgreSQL's tables and most of its functions begin with pg_; the tree is looked at for the rest. */
static bool might_be_ours(const char *word)
{
    static const char *const others[] = {
        "information_schema", "current_catalog", "current_role", "current_schema",
        "current_user",       "session_user",    "user"};
    const char *ours;
    bool macro;
    if (strncmp(word, "pg_", 3) == 0 || strncmp(word, "reg", 3) == 0)
        return true;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(others[i], word) == 0)
            return true;
    return catalogue_function(word, &ours, &macro) && macro;
}

static bool might_concern(const char *text, size_t length)
{
    enum { LONGEST = 64 };
    char word[LONGEST];
    size_t count = 0;
    for (size_t i = 0; i <= length; i++) {
        char byte = i < length ? text[i] : ' ';
        if (is_word_byte(byte)) {
            if (count < LONGEST - 1)
                word[count++] = (char)(byte >= 'A' && byte <= 'Z' ? byte + ('a' - 'A') : byte);
            continue;
        }
        word[count] = '\0';
        if (count > 2 && might_be_ours(word))
            return true;
        if (count == 1 && word[0] == 'u' && byte == '&') /* U&"...": a name with escapes */
            return true;
        count = 0;
    }
    return false;
}

bool catalogue_concerns(const char *text, size_t length)
{
    struct seen seen = {.ours = false};
    return might_concern(text, length) && look_at_text(text, length, &seen, NULL) == DITHER_OK &&
           (seen.ours || (seen.calls && !seen.tables));
}

status catalogue_parameters(const char *text, size_t length, uint32_t *oids, size_t most, size_t *count,
                            error *why)
{
    struct seen seen = {.oids = oids, .most = most};
    memset(oids, 0, most * sizeof *oids);
    TRY(look_at_text(text, length, &seen, why));
    for (size_t i = 0; i < seen.count && i < most; i++)
        oids[i] = oids[i] != 0 ? oids[i] : 25;
    *count = seen.count;
    return DITHER_OK;
}
