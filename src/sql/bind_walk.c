/* Finding calls in a tree, by the descriptors of the protocol buffer: no kind of node is overlooked. */
#include "sql/bind_room.h"

#include <string.h>

struct walk {
    struct binder *binder;
    struct bind_calls_found *found;
    bool in_aggregate; /* aggregates within an aggregate are refused where its arguments are bound */
};

static status walk_message(struct walk *walk, const ProtobufCMessage *message, error *why);

static status add(struct walk *walk, const PgQuery__FuncCall ***list, size_t *count,
                  const PgQuery__FuncCall *call, error *why)
{
    const PgQuery__FuncCall **longer = NULL;
    if ((*count & (*count - 1)) == 0) { /* 0, 1, 2, 4, 8: the list is full */
        size_t room = *count == 0 ? 1 : *count * 2;
        TRY(relation_take(&walk->binder->builder, room, sizeof *longer, &longer, why));
        if (*count > 0)
            memcpy(longer, *list, *count * sizeof *longer);
        *list = longer;
    }
    (*list)[(*count)++] = call;
    return DITHER_OK;
}

static status walk_field(struct walk *walk, const ProtobufCMessage *message,
                         const ProtobufCFieldDescriptor *field, error *why)
{
    const char *base = (const char *)message;
    if (field->type != PROTOBUF_C_TYPE_MESSAGE)
        return DITHER_OK;
    if (field->label == PROTOBUF_C_LABEL_REPEATED) {
        size_t count = 0;
        ProtobufCMessage *const *items = NULL;
        memcpy(&count, base + field->quantifier_offset, sizeof count);
        memcpy(&items, base + field->offset, sizeof items);
        for (size_t i = 0; i < count; i++)
            TRY(walk_message(walk, items[i], why));
        return DITHER_OK;
    }
    if ((field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) != 0) {
        uint32_t chosen = 0;
        memcpy(&chosen, base + field->quantifier_offset, sizeof chosen);
        if (chosen != field->id)
            return DITHER_OK; /* another member of the union lies there */
    }
    const ProtobufCMessage *item = NULL;
    memcpy(&item, base + field->offset, sizeof item);
    return item != NULL ? walk_message(walk, item, why) : DITHER_OK;
}

static status note_call(struct walk *walk, const PgQuery__FuncCall *call, error *why)
{
    struct bind_calls_found *found = walk->found;
    if (call->over != NULL)
        return add(walk, &found->windows, &found->window_count, call, why);
    if (!walk->in_aggregate && bind_is_aggregate(call))
        return add(walk, &found->aggregates, &found->aggregate_count, call, why);
    return DITHER_OK;
}

static status walk_message(struct walk *walk, const ProtobufCMessage *message, error *why)
{
    const ProtobufCMessageDescriptor *kind = message->descriptor;
    bool before = walk->in_aggregate;
    if (kind == &pg_query__select_stmt__descriptor)
        return DITHER_OK; /* another query's */
    if (kind == &pg_query__sub_link__descriptor &&
        !bind_is_bound_value(walk->binder, (const PgQuery__SubLink *)message))
        walk->found->sublink = true;
    if (kind == &pg_query__grouping_func__descriptor)
        walk->found->grouping = true;
    if (kind == &pg_query__func_call__descriptor) {
        const PgQuery__FuncCall *call = (const PgQuery__FuncCall *)message;
        TRY(note_call(walk, call, why));
        walk->in_aggregate = walk->in_aggregate || (call->over == NULL && bind_is_aggregate(call));
    }
    for (unsigned i = 0; i < kind->n_fields; i++)
        TRY(walk_field(walk, message, &kind->fields[i], why));
    walk->in_aggregate = before;
    return DITHER_OK;
}

status bind_find_calls(struct binder *binder, const PgQuery__Node *node, struct bind_calls_found *found,
                       error *why)
{
    struct walk walk = {binder, found, false};
    return node == NULL ? DITHER_OK : walk_message(&walk, &node->base, why);
}
