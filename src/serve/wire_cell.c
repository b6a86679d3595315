/* Cells that are there as PostgreSQL's text, and the number of their type: what the catalogue says and is asked. Text goes
 * out as it is; the binary form is made from it. A binary array is its number of dimensions, whether there are NULLs, the
 * type of its elements, for each dimension length and first index, and then each element with its length. */
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "serve/wire_write.h"
#include "sql/text_form.h"

enum { MOST_ELEMENTS = 10000 };

/* Arrays, and the two old vectors, which are arrays that count from 0 and are written with blanks. */
static const struct array {
    uint32_t oid, element;
    bool vector;
} arrays[] = {
    {22, WIRE_OID_INT2, true},    {30, WIRE_OID_OID, true},       {1000, WIRE_OID_BOOL, false},
    {1002, WIRE_OID_CHAR, false}, {1003, WIRE_OID_NAME, false},   {1005, WIRE_OID_INT2, false},
    {1007, WIRE_OID_INT4, false}, {1009, WIRE_OID_TEXT, false},   {1015, WIRE_OID_VARCHAR, false},
    {1016, WIRE_OID_INT8, false}, {1022, WIRE_OID_FLOAT8, false}, {1028, WIRE_OID_OID, false},
};

static const struct array *array_of(uint32_t oid)
{
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        if (arrays[i].oid == oid)
            return &arrays[i];
    return NULL;
}

static bool is_whole(uint32_t oid)
{
    return oid == WIRE_OID_INT2 || oid == WIRE_OID_INT4 || oid == WIRE_OID_INT8 || oid == WIRE_OID_OID;
}

/* ---- Out ---- */

static void put_bytes(struct wire_out *out, const char *text)
{
    wire_put_uint32(out, (uint32_t)strlen(text));
    wire_put_bytes(out, text, strlen(text));
}

static void put_whole(struct wire_out *out, int64_t number, int16_t size)
{
    wire_put_uint32(out, (uint32_t)size);
    if (size == 2)
        wire_put_uint16(out, (uint16_t)number);
    else if (size == 4)
        wire_put_uint32(out, (uint32_t)number);
    else
        wire_put_uint64(out, (uint64_t)number);
}

static void put_float4(struct wire_out *out, double number)
{
    float single = (float)number;
    uint32_t bits = 0;
    memcpy(&bits, &single, sizeof bits);
    wire_put_uint32(out, 4);
    wire_put_uint32(out, bits);
}

static bool put_decimal(struct wire_out *out, const char *text)
{
    const char *point = strchr(text, '.');
    int scale = point != NULL ? (int)strlen(point + 1) : 0;
    int64_t units = 0;
    if (!text_form_read_decimal(text, strlen(text), scale, &units))
        return false;
    wire_put_numeric(out, units, scale);
    return true;
}

static bool put_moment(struct wire_out *out, const char *text, uint32_t oid)
{
    struct sql_value value = {.type = oid == WIRE_OID_DATE ? SQL_DATE : SQL_TIMESTAMP};
    size_t length = strlen(text);
    if (oid == WIRE_OID_TIMESTAMPTZ && length > 3 && strcmp(text + length - 3, "+00") == 0)
        length -= 3;
    if (!(oid == WIRE_OID_DATE ? text_form_read_date(text, length, &value.whole)
                               : text_form_read_timestamp(text, length, &value.whole)))
        return false;
    wire_put_value(out, &value, WIRE_BINARY);
    return true;
}

static bool put_scalar(struct wire_out *out, const char *text, uint32_t oid)
{
    bool truth = false;
    int64_t whole = 0;
    double real = 0;
    if (is_whole(oid)) {
        bool right = text_form_read_whole(text, strlen(text), &whole);
        if (right)
            put_whole(out, whole, wire_oid_size(oid));
        return right;
    }
    switch (oid) {
    case WIRE_OID_BOOL:
        if (!text_form_read_boolean(text, strlen(text), &truth))
            return false;
        wire_put_uint32(out, 1);
        wire_put_byte(out, truth);
        return true;
    case WIRE_OID_CHAR: /* an empty one is a byte of 0 */
        wire_put_uint32(out, 1);
        wire_put_byte(out, (unsigned char)text[0]);
        return true;
    case WIRE_OID_FLOAT4:
    case WIRE_OID_FLOAT8:
        if (!text_form_read_real(text, strlen(text), &real))
            return false;
        if (oid == WIRE_OID_FLOAT4)
            put_float4(out, real);
        else
            wire_put_value(out, &(struct sql_value){.type = SQL_REAL, .real = real}, WIRE_BINARY);
        return true;
    case WIRE_OID_NUMERIC:
        return put_decimal(out, text);
    case WIRE_OID_DATE:
    case WIRE_OID_TIMESTAMP:
    case WIRE_OID_TIMESTAMPTZ:
        return put_moment(out, text, oid);
    default:
        put_bytes(out, text);
        return true;
    }
}

/* The next element of "{a,NULL,"b c"}" or "1 2 3", unquoted; false at the end. */
static bool next_element(const char **at, bool vector, struct buffer *out, bool *null)
{
    const char *text = *at;
    char stop = vector ? ' ' : ',';
    text += *text == '{' || *text == stop;
    if (*text == '\0' || *text == '}')
        return false;
    buffer_clear(out);
    bool quoted = *text == '"';
    for (text += quoted; *text != '\0' && (quoted ? *text != '"' : *text != stop && *text != '}'); text++) {
        text += *text == '\\' && text[1] != '\0';
        buffer_byte(out, *text);
    }
    *null = !quoted && out->length == 4 && memcmp(out->data, "NULL", 4) == 0;
    *at = text + (quoted && *text == '"');
    return !out->failed;
}

static void store_uint32(struct buffer *buffer, size_t at, uint32_t number)
{
    for (size_t i = 0; i < 4 && !buffer->failed; i++)
        buffer->data[at + i] = (char)(unsigned char)(number >> (24 - 8 * i));
}

static bool put_array(struct wire_out *out, const char *text, const struct array *array)
{
    struct buffer element, *buffer = out->buffer;
    size_t begin = buffer->length;
    uint32_t count = 0, nulls = 0;
    bool null = false, good = true;
    buffer_init(&element, 1 << 20);
    for (int i = 0; i < 6; i++) /* length; dimensions, NULLs, type; elements, first index */
        wire_put_uint32(out, 0);
    for (; good && next_element(&text, array->vector, &element, &null); count++) {
        nulls |= null;
        if (null)
            wire_put_uint32(out, UINT32_MAX);
        else
            good = put_scalar(out, element.data != NULL ? element.data : "", array->element);
    }
    if (count == 0 && !buffer->failed)
        buffer->length -= 8; /* an empty array has no dimension */
    store_uint32(buffer, begin, (uint32_t)(buffer->length - begin - 4));
    store_uint32(buffer, begin + 4, count > 0);
    store_uint32(buffer, begin + 8, nulls);
    store_uint32(buffer, begin + 12, array->element);
    if (count > 0) {
        store_uint32(buffer, begin + 16, count);
        store_uint32(buffer, begin + 20, !array->vector);
    }
    good = good && !element.failed;
    buffer_free(&element);
    return good;
}

void wire_put_cell(struct wire_out *out, const char *text, uint32_t oid, enum wire_format format)
{
    const struct array *array = array_of(oid);
    size_t begin = out->buffer->length;
    bool good = true;
    if (text == NULL)
        wire_put_uint32(out, UINT32_MAX);
    else if (format == WIRE_TEXT)
        put_bytes(out, text);
    else
        good = array != NULL ? put_array(out, text, array) : put_scalar(out, text, oid);
    if (!good && !out->buffer->failed) { /* a text that is not of its type cannot be said in binary */
        out->buffer->length = begin;
        wire_put_uint32(out, UINT32_MAX);
    }
}

/* ---- In ---- */

static bool read_whole(struct cursor *cursor, uint32_t oid, struct buffer *out)
{
    uint16_t small = 0;
    uint32_t upper = 0, lower = 0;
    if (cursor_left(cursor) != (size_t)wire_oid_size(oid))
        return false;
    switch (oid) {
    case WIRE_OID_INT2:
        (void)cursor_uint16(cursor, &small);
        buffer_format(out, "%d", (int16_t)small);
        return true;
    case WIRE_OID_INT4:
        (void)cursor_uint32(cursor, &lower);
        buffer_format(out, "%d", (int32_t)lower);
        return true;
    case WIRE_OID_OID:
        (void)cursor_uint32(cursor, &lower);
        buffer_format(out, "%u", lower);
        return true;
    default:
        (void)(cursor_uint32(cursor, &upper) && cursor_uint32(cursor, &lower));
        buffer_format(out, "%lld", (long long)((uint64_t)upper << 32 | lower));
        return true;
    }
}

static bool is_text(uint32_t oid)
{
    return oid == 0 || oid == WIRE_OID_TEXT || oid == WIRE_OID_VARCHAR || oid == WIRE_OID_NAME ||
           oid == WIRE_OID_BPCHAR || oid == WIRE_OID_UNKNOWN || oid == WIRE_OID_CHAR;
}

static bool read_scalar(const unsigned char *bytes, size_t size, uint32_t oid, struct buffer *out)
{
    struct cursor cursor = cursor_over(bytes, size);
    if (is_whole(oid))
        return read_whole(&cursor, oid, out);
    if (oid == WIRE_OID_BOOL) {
        buffer_text(out, size == 1 && bytes[0] != 0 ? "t" : "f");
        return size == 1;
    }
    buffer_append(out, bytes, size);
    return is_text(oid) && memchr(bytes, '\0', size) == NULL && utf8_valid((const char *)bytes, size);
}

static bool read_element(struct cursor *cursor, uint32_t oid, struct buffer *out)
{
    uint32_t size = 0;
    const unsigned char *bytes = NULL;
    struct buffer word;
    if (!cursor_uint32(cursor, &size))
        return false;
    if (size == UINT32_MAX) {
        buffer_text(out, "NULL");
        return true;
    }
    if (!cursor_take(cursor, size, &bytes))
        return false;
    buffer_init(&word, 1 << 20);
    bool good = read_scalar(bytes, size, oid, &word);
    buffer_byte(out, '"');
    for (size_t i = 0; i < word.length; i++) {
        if (word.data[i] == '"' || word.data[i] == '\\')
            buffer_byte(out, '\\');
        buffer_byte(out, word.data[i]);
    }
    buffer_byte(out, '"');
    good = good && !word.failed;
    buffer_free(&word);
    return good;
}

static bool read_array(const unsigned char *bytes, size_t size, uint32_t element, struct buffer *out)
{
    struct cursor cursor = cursor_over(bytes, size);
    uint32_t dimensions = 0, nulls = 0, oid = 0, count = 0, first = 0;
    if (!cursor_uint32(&cursor, &dimensions) || !cursor_uint32(&cursor, &nulls) ||
        !cursor_uint32(&cursor, &oid) || dimensions > 1 || oid != element)
        return false;
    if (dimensions == 1 && (!cursor_uint32(&cursor, &count) || !cursor_uint32(&cursor, &first)))
        return false;
    if (count > MOST_ELEMENTS)
        return false;
    buffer_byte(out, '{');
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0)
            buffer_byte(out, ',');
        if (!read_element(&cursor, oid, out))
            return false;
    }
    buffer_byte(out, '}');
    return cursor_left(&cursor) == 0;
}

status wire_read_cell(const struct wire_value *bytes, uint32_t oid, enum wire_format format,
                      struct arena *arena, const char **out, error *why)
{
    const struct array *array = array_of(oid);
    struct buffer text;
    char *kept = NULL;
    if (bytes->null) {
        *out = NULL;
        return DITHER_OK;
    }
    if (format == WIRE_BINARY && array == NULL && !is_whole(oid) && !is_text(oid) && oid != WIRE_OID_BOOL)
        return fail(why, DITHER_REFUSED, "parameters of the type %u are not available in binary", oid);
    buffer_init(&text, 4 << 20);
    bool right = format == WIRE_TEXT ? read_scalar(bytes->bytes, bytes->size, WIRE_OID_TEXT, &text)
                 : array != NULL     ? read_array(bytes->bytes, bytes->size, array->element, &text)
                                     : read_scalar(bytes->bytes, bytes->size, oid, &text);
    status result = right ? buffer_check(&text, why)
                          : fail(why, DITHER_INVALID, "the bytes of a parameter are not those of its type");
    if (result == DITHER_OK)
        result = arena_text(arena, text.data != NULL ? text.data : "", text.length, &kept, why);
    buffer_free(&text);
    if (result == DITHER_OK)
        *out = kept;
    return result;
}
