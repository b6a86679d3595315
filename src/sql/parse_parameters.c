/* Parameters ($1) become constants on PostgreSQL's tree, before anything is bound: their values never pass through a
 * text, so no value can be anything but a value. New nodes are made as protobuf-c makes them, with malloc, for they are
 * freed with the tree. Runs on the parser's large stack. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sql/parse_parts.h"
#include "sql/text_form.h"

struct put {
    const struct sql_parameters *parameters;
    const int *characters;
    error *why;
};

/* ---- Making nodes ---- */

static status no_memory(error *why)
{
    return fail(why, DITHER_NO_MEMORY, "there is no memory for the parameters");
}

static PgQuery__Node *new_constant(int32_t location)
{
    PgQuery__Node *node = malloc(sizeof *node);
    PgQuery__AConst *constant = malloc(sizeof *constant);
    if (node == NULL || constant == NULL) {
        free(node);
        free(constant);
        return NULL;
    }
    pg_query__node__init(node);
    pg_query__a__const__init(constant);
    constant->location = location;
    node->node_case = PG_QUERY__NODE__NODE_A_CONST;
    node->a_const = constant;
    return node;
}

static bool set_integer(PgQuery__AConst *constant, int32_t number)
{
    PgQuery__Integer *made = malloc(sizeof *made);
    if (made == NULL)
        return false;
    pg_query__integer__init(made);
    made->ival = number;
    constant->val_case = PG_QUERY__A__CONST__VAL_IVAL;
    constant->ival = made;
    return true;
}

static bool set_boolean(PgQuery__AConst *constant, bool truth)
{
    PgQuery__Boolean *made = malloc(sizeof *made);
    if (made == NULL)
        return false;
    pg_query__boolean__init(made);
    made->boolval = truth;
    constant->val_case = PG_QUERY__A__CONST__VAL_BOOLVAL;
    constant->boolval = made;
    return true;
}

static bool set_number(PgQuery__AConst *constant, const char *text)
{
    PgQuery__Float *made = malloc(sizeof *made);
    if (made == NULL)
        return false;
    pg_query__float__init(made);
    constant->val_case = PG_QUERY__A__CONST__VAL_FVAL;
    constant->fval = made;
    char *copy = strdup(text);
    if (copy != NULL)
        made->fval = copy;
    return copy != NULL;
}

static PgQuery__String *new_text(const char *text)
{
    PgQuery__String *made = malloc(sizeof *made);
    if (made == NULL)
        return NULL;
    pg_query__string__init(made);
    char *copy = strdup(text);
    if (copy == NULL) {
        free(made);
        return NULL;
    }
    made->sval = copy;
    return made;
}

static bool set_text(PgQuery__AConst *constant, const char *text)
{
    PgQuery__String *made = new_text(text);
    if (made == NULL)
        return false;
    constant->val_case = PG_QUERY__A__CONST__VAL_SVAL;
    constant->sval = made;
    return true;
}

/* ---- CAST(constant AS type), for what has no literal of its own ---- */

static PgQuery__TypeName *new_type(const char *name, int32_t location)
{
    PgQuery__TypeName *type = malloc(sizeof *type);
    PgQuery__Node **names = malloc(sizeof *names), *node = malloc(sizeof *node);
    PgQuery__String *text = new_text(name);
    if (type == NULL || names == NULL || node == NULL || text == NULL) {
        free(type);
        free(names);
        free(node);
        if (text != NULL)
            pg_query__string__free_unpacked(text, NULL);
        return NULL;
    }
    pg_query__type_name__init(type);
    pg_query__node__init(node);
    node->node_case = PG_QUERY__NODE__NODE_STRING;
    node->string = text;
    names[0] = node;
    type->n_names = 1;
    type->names = names;
    type->typemod = -1;
    type->location = location;
    return type;
}

/* Takes `argument`, also on failure. */
static PgQuery__Node *new_cast(PgQuery__Node *argument, const char *name, int32_t location)
{
    PgQuery__Node *node = malloc(sizeof *node);
    PgQuery__TypeCast *cast = malloc(sizeof *cast);
    PgQuery__TypeName *type = new_type(name, location);
    if (node == NULL || cast == NULL || type == NULL) {
        free(node);
        free(cast);
        if (type != NULL)
            pg_query__type_name__free_unpacked(type, NULL);
        pg_query__node__free_unpacked(argument, NULL);
        return NULL;
    }
    pg_query__node__init(node);
    pg_query__type_cast__init(cast);
    cast->arg = argument;
    cast->type_name = type;
    cast->location = location;
    node->node_case = PG_QUERY__NODE__NODE_TYPE_CAST;
    node->type_cast = cast;
    return node;
}

/* ---- A value as a node ---- */

static bool set_real(PgQuery__AConst *constant, double real)
{
    char text[TEXT_FORM_BYTES + 2];
    text_form_write_real(real, text);
    if (strpbrk(text, "nN") != NULL) /* NaN, Infinity: cast from text */
        return set_text(constant, text);
    if (strpbrk(text, ".eE") == NULL) /* or it would be a whole number */
        strcat(text, ".0");
    return set_number(constant, text);
}

static bool set_whole(PgQuery__AConst *constant, int64_t whole)
{
    char text[24];
    if (whole >= INT32_MIN && whole <= INT32_MAX)
        return set_integer(constant, (int32_t)whole);
    snprintf(text, sizeof text, "%lld", (long long)whole);
    return set_number(constant, text);
}

static bool set_interval(PgQuery__AConst *constant, const struct sql_value *value)
{
    char text[120];
    int64_t seconds = value->whole / 1000000, fraction = value->whole % 1000000;
    snprintf(text, sizeof text, "%d months %d days %s%lld.%06lld seconds", value->months, value->days,
             value->whole < 0 ? "-" : "", (long long)llabs(seconds), (long long)llabs(fraction));
    return set_text(constant, text);
}

static bool set_value(PgQuery__AConst *constant, const struct sql_value *value)
{
    char text[TEXT_FORM_BYTES];
    switch (value->type) {
    case SQL_BOOLEAN:
        return set_boolean(constant, value->whole != 0);
    case SQL_INTEGER:
        return set_whole(constant, value->whole);
    case SQL_REAL:
        return set_real(constant, value->real);
    case SQL_DECIMAL:
        text_form_write_decimal(value->whole, value->scale, text);
        return set_number(constant, text);
    case SQL_DATE:
        text_form_write_date(value->whole, text);
        return set_text(constant, text);
    case SQL_TIMESTAMP:
        text_form_write_timestamp(value->whole, text);
        return set_text(constant, text);
    case SQL_INTERVAL:
        return set_interval(constant, value);
    case SQL_TEXT:
    case SQL_UNKNOWN:
        return set_text(constant, value->text);
    }
    return false;
}

/* The type to cast to, or NULL where the constant says it. */
static const char *cast_type(const struct sql_value *value, const PgQuery__AConst *constant)
{
    bool text = value->null || constant->val_case == PG_QUERY__A__CONST__VAL_SVAL;
    switch (value->type) {
    case SQL_BOOLEAN:
        return value->null ? "bool" : NULL;
    case SQL_INTEGER:
        return value->null ? "int8" : NULL;
    case SQL_REAL:
    case SQL_DECIMAL:
        return text ? "float8" : NULL;
    case SQL_DATE:
        return "date";
    case SQL_TIMESTAMP:
        return "timestamp";
    case SQL_INTERVAL:
        return "interval";
    default:
        return NULL;
    }
}

static PgQuery__Node *node_of(const struct sql_value *value, int32_t location)
{
    PgQuery__Node *node = new_constant(location);
    if (node == NULL)
        return NULL;
    node->a_const->isnull = value->null;
    if (!value->null && !set_value(node->a_const, value)) {
        pg_query__node__free_unpacked(node, NULL);
        return NULL;
    }
    const char *type = cast_type(value, node->a_const);
    return type != NULL ? new_cast(node, type, location) : node;
}

/* ---- The walk ---- */

static status put_here(const struct put *put, PgQuery__Node *node)
{
    int32_t number = node->param_ref->number, location = node->param_ref->location;
    if (number < 1 || (size_t)number > put->parameters->count)
        return parse_fail(put->why, DITHER_INVALID, location >= 0 ? put->characters[location] : -1,
                          "there is no parameter $%d", number);
    PgQuery__Node *made = node_of(&put->parameters->values[number - 1], location);
    if (made == NULL)
        return no_memory(put->why);
    pg_query__param_ref__free_unpacked(node->param_ref, NULL);
    *node = *made; /* the content moves, the shell goes */
    free(made);
    return DITHER_OK;
}

static status walk_message(const struct put *put, ProtobufCMessage *message);

static status walk_field(const struct put *put, ProtobufCMessage *message,
                         const ProtobufCFieldDescriptor *field)
{
    char *base = (char *)message;
    if (field->label == PROTOBUF_C_LABEL_REPEATED) {
        size_t count = 0;
        ProtobufCMessage **items = NULL;
        memcpy(&count, base + field->quantifier_offset, sizeof count);
        memcpy(&items, base + field->offset, sizeof items);
        for (size_t i = 0; i < count; i++)
            TRY(walk_message(put, items[i]));
        return DITHER_OK;
    }
    if ((field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) != 0) {
        uint32_t chosen = 0;
        memcpy(&chosen, base + field->quantifier_offset, sizeof chosen);
        if (chosen != field->id)
            return DITHER_OK;
    }
    ProtobufCMessage *item = NULL;
    memcpy(&item, base + field->offset, sizeof item);
    return item != NULL ? walk_message(put, item) : DITHER_OK;
}

static status walk_message(const struct put *put, ProtobufCMessage *message)
{
    const ProtobufCMessageDescriptor *kind = message->descriptor;
    if (kind == &pg_query__node__descriptor) {
        PgQuery__Node *node = (PgQuery__Node *)message;
        if (node->node_case == PG_QUERY__NODE__NODE_PARAM_REF)
            return put_here(put, node);
    }
    for (unsigned i = 0; i < kind->n_fields; i++)
        if (kind->fields[i].type == PROTOBUF_C_TYPE_MESSAGE)
            TRY(walk_field(put, message, &kind->fields[i]));
    return DITHER_OK;
}

status parse_put_parameters(PgQuery__ParseResult *tree, const struct sql_parameters *parameters,
                            const int *characters, error *why)
{
    struct put put = {.parameters = parameters, .characters = characters, .why = why};
    return walk_message(&put, &tree->base);
}
