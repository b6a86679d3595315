/* Two parts of PostgreSQL's tree, compared by the descriptors of the protocol buffer, all fields but the places in the
 * text. What is not understood counts as different. */
#include <string.h>

#include "sql/bind_room.h"

static bool is_place(const ProtobufCFieldDescriptor *field)
{
    return strcmp(field->name, "location") == 0 || strcmp(field->name, "stmt_location") == 0 ||
           strcmp(field->name, "stmt_len") == 0;
}

static const char *at(const ProtobufCMessage *message, unsigned offset)
{
    return (const char *)message + offset;
}

static bool same_bytes(const ProtobufCMessage *a, const ProtobufCMessage *b, unsigned offset, size_t size)
{
    return memcmp(at(a, offset), at(b, offset), size) == 0;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* One value at `offset`: of a field that is not repeated. */
static bool same_value(const ProtobufCMessage *a, const ProtobufCMessage *b,
                       const ProtobufCFieldDescriptor *field)
{
    const void *left = NULL, *right = NULL;
    switch (field->type) {
    case PROTOBUF_C_TYPE_MESSAGE:
        memcpy(&left, at(a, field->offset), sizeof left);
        memcpy(&right, at(b, field->offset), sizeof right);
        return left == right || (left != NULL && right != NULL && bind_same_tree(left, right));
    case PROTOBUF_C_TYPE_STRING:
        memcpy(&left, at(a, field->offset), sizeof left);
        memcpy(&right, at(b, field->offset), sizeof right);
        return same_text(left, right);
    case PROTOBUF_C_TYPE_INT32:
    case PROTOBUF_C_TYPE_UINT32:
    case PROTOBUF_C_TYPE_ENUM:
    case PROTOBUF_C_TYPE_BOOL:
        return same_bytes(a, b, field->offset, 4);
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_DOUBLE:
        return same_bytes(a, b, field->offset, 8);
    default:
        return false;
    }
}

static bool same_list(const ProtobufCMessage *a, const ProtobufCMessage *b,
                      const ProtobufCFieldDescriptor *field)
{
    size_t count = 0, other = 0;
    ProtobufCMessage *const *left = NULL, *const *right = NULL;
    memcpy(&count, at(a, field->quantifier_offset), sizeof count);
    memcpy(&other, at(b, field->quantifier_offset), sizeof other);
    if (count != other)
        return false;
    if (count > 0 && field->type != PROTOBUF_C_TYPE_MESSAGE)
        return false;
    memcpy(&left, at(a, field->offset), sizeof left);
    memcpy(&right, at(b, field->offset), sizeof right);
    for (size_t i = 0; i < count; i++)
        if (!bind_same_tree(left[i], right[i]))
            return false;
    return true;
}

static bool same_field(const ProtobufCMessage *a, const ProtobufCMessage *b,
                       const ProtobufCFieldDescriptor *field)
{
    if (is_place(field))
        return true;
    if (field->label == PROTOBUF_C_LABEL_REPEATED)
        return same_list(a, b, field);
    if ((field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) == 0)
        return same_value(a, b, field);
    uint32_t left = 0, right = 0;
    memcpy(&left, at(a, field->quantifier_offset), sizeof left);
    memcpy(&right, at(b, field->quantifier_offset), sizeof right);
    return left == right && (left != field->id || same_value(a, b, field));
}

bool bind_same_tree(const ProtobufCMessage *a, const ProtobufCMessage *b)
{
    if (a->descriptor != b->descriptor)
        return false;
    for (unsigned i = 0; i < a->descriptor->n_fields; i++)
        if (!same_field(a, b, &a->descriptor->fields[i]))
            return false;
    return true;
}
