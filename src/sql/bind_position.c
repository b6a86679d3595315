/* Where a node stands in the question, and what it is called. */
#include <protobuf-c/protobuf-c.h>
#include <string.h>

#include "sql/bind_parts.h"

/* The node inside, and its description: every kind is a message behind one pointer of the union. */
static const ProtobufCMessage *inner(const PgQuery__Node *node)
{
    return node->node_case == PG_QUERY__NODE__NODE__NOT_SET ? NULL : (const ProtobufCMessage *)node->alias;
}

int bind_position(const struct binder *binder, const PgQuery__Node *node)
{
    const ProtobufCMessage *message = inner(node);
    if (message == NULL)
        return -1;
    const ProtobufCFieldDescriptor *field =
        protobuf_c_message_descriptor_get_field_by_name(message->descriptor, "location");
    if (field == NULL || field->type != PROTOBUF_C_TYPE_INT32)
        return -1;
    int32_t location;
    memcpy(&location, (const char *)message + field->offset, sizeof location);
    return sql_parsed_position(binder->parsed, location);
}

const char *bind_node_name(const PgQuery__Node *node)
{
    const ProtobufCMessage *message = inner(node);
    return message == NULL ? "this" : message->descriptor->short_name;
}
