/* Values on the wire, in PostgreSQL's text and binary forms. Binary dates and times count from 2000-01-01. */
#include <string.h>

#include "curator/format.h"
#include "serve/wire_write.h"
#include "base/utf8.h"
#include "sql/text_form.h"

enum { DAYS_TO_2000 = 10957 };

#define MICROSECONDS_TO_2000 ((int64_t)DAYS_TO_2000 * INT64_C(86400000000))

uint32_t wire_oid(enum sql_type type)
{
    switch (type) {
    case SQL_BOOLEAN:
        return WIRE_OID_BOOL;
    case SQL_INTEGER:
        return WIRE_OID_INT8;
    case SQL_DECIMAL:
        return WIRE_OID_NUMERIC;
    case SQL_REAL:
        return WIRE_OID_FLOAT8;
    case SQL_DATE:
        return WIRE_OID_DATE;
    case SQL_TIMESTAMP:
        return WIRE_OID_TIMESTAMP;
    case SQL_INTERVAL:
        return WIRE_OID_INTERVAL;
    case SQL_TEXT:
    case SQL_UNKNOWN:
        break;
    }
    return WIRE_OID_TEXT;
}

/* ---- Columns ---- */

int16_t wire_oid_size(uint32_t oid)
{
    static const struct {
        uint32_t oid;
        int16_t size;
    } sizes[] = {
        {WIRE_OID_BOOL, 1},      {WIRE_OID_CHAR, 1}, {WIRE_OID_NAME, 64},     {WIRE_OID_INT8, 8},
        {WIRE_OID_INT2, 2},      {WIRE_OID_INT4, 4}, {WIRE_OID_OID, 4},       {WIRE_OID_FLOAT4, 4},
        {WIRE_OID_FLOAT8, 8},    {WIRE_OID_DATE, 4}, {WIRE_OID_TIMESTAMP, 8}, {WIRE_OID_TIMESTAMPTZ, 8},
        {WIRE_OID_INTERVAL, 16},
    };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        if (sizes[i].oid == oid)
            return sizes[i].size;
    return -1;
}

int32_t wire_modifier(enum sql_type type, int scale)
{
    return type == SQL_DECIMAL ? ((18 << 16) | scale) + 4 : -1;
}

void wire_write_columns(struct buffer *buffer, const struct wire_column *columns, size_t count)
{
    struct wire_out out = wire_begin(buffer, 'T');
    wire_put_uint16(&out, (uint16_t)count);
    for (size_t i = 0; i < count; i++) {
        wire_put_text(&out, columns[i].name);
        wire_put_uint32(&out, 0); /* no table of the catalogue, no column of it */
        wire_put_uint16(&out, 0);
        wire_put_uint32(&out, columns[i].oid);
        wire_put_uint16(&out, (uint16_t)wire_oid_size(columns[i].oid));
        wire_put_uint32(&out, (uint32_t)columns[i].modifier);
        wire_put_uint16(&out, (uint16_t)columns[i].format);
    }
    wire_end(&out);
}

/* ---- Values out ---- */

static void put_sized_text(struct wire_out *out, const char *text, size_t length)
{
    wire_put_uint32(out, (uint32_t)length);
    wire_put_bytes(out, text, length);
}

static void put_text_form(struct wire_out *out, const struct sql_value *value)
{
    char number[TEXT_FORM_BYTES];
    size_t at = out->buffer->length;
    switch (value->type) {
    case SQL_BOOLEAN:
        put_sized_text(out, value->whole != 0 ? "t" : "f", 1);
        return;
    case SQL_REAL:
        text_form_write_real(value->real, number);
        put_sized_text(out, number, strlen(number));
        return;
    case SQL_TEXT:
    case SQL_UNKNOWN:
        put_sized_text(out, value->text, strlen(value->text));
        return;
    default: { /* the length is known afterwards */
        struct wire_out size = {.buffer = out->buffer, .length_at = at};
        wire_put_uint32(out, 0);
        format_value(out->buffer, value);
        if (!out->buffer->failed) {
            uint32_t length = (uint32_t)(out->buffer->length - at - 4);
            for (int i = 0; i < 4; i++)
                size.buffer->data[at + (size_t)i] = (char)(unsigned char)(length >> (24 - 8 * i));
        }
    }
    }
}

static void put_binary(struct wire_out *out, const struct sql_value *value)
{
    uint64_t bits = 0;
    switch (value->type) {
    case SQL_BOOLEAN:
        wire_put_uint32(out, 1);
        wire_put_byte(out, value->whole != 0);
        return;
    case SQL_INTEGER:
        wire_put_uint32(out, 8);
        wire_put_uint64(out, (uint64_t)value->whole);
        return;
    case SQL_DECIMAL:
        wire_put_numeric(out, value->whole, value->scale);
        return;
    case SQL_REAL:
        memcpy(&bits, &value->real, sizeof bits);
        wire_put_uint32(out, 8);
        wire_put_uint64(out, bits);
        return;
    case SQL_DATE:
        wire_put_uint32(out, 4);
        wire_put_uint32(out, (uint32_t)(value->whole - DAYS_TO_2000));
        return;
    case SQL_TIMESTAMP:
        wire_put_uint32(out, 8);
        wire_put_uint64(out, (uint64_t)value->whole - (uint64_t)MICROSECONDS_TO_2000);
        return;
    case SQL_INTERVAL:
        wire_put_uint32(out, 16);
        wire_put_uint64(out, (uint64_t)value->whole);
        wire_put_uint32(out, (uint32_t)value->days);
        wire_put_uint32(out, (uint32_t)value->months);
        return;
    case SQL_TEXT:
    case SQL_UNKNOWN:
        put_sized_text(out, value->text, strlen(value->text));
        return;
    }
}

void wire_put_value(struct wire_out *out, const struct sql_value *value, enum wire_format format)
{
    if (value->null)
        wire_put_uint32(out, UINT32_MAX);
    else if (format == WIRE_BINARY)
        put_binary(out, value);
    else
        put_text_form(out, value);
}

/* ---- Values in ---- */

/* The type of ours that a type of PostgreSQL's becomes. Texts decide nothing: they are like literals in quotes, so that
 * a driver that sends every number as text can ask too. */
static bool type_of(uint32_t oid, enum sql_type *out)
{
    static const struct {
        uint32_t oid;
        enum sql_type type;
    } types[] = {
        {0, SQL_UNKNOWN},
        {WIRE_OID_UNKNOWN, SQL_UNKNOWN},
        {WIRE_OID_TEXT, SQL_UNKNOWN},
        {WIRE_OID_VARCHAR, SQL_UNKNOWN},
        {WIRE_OID_BPCHAR, SQL_UNKNOWN},
        {WIRE_OID_NAME, SQL_UNKNOWN},
        {WIRE_OID_BOOL, SQL_BOOLEAN},
        {WIRE_OID_INT2, SQL_INTEGER},
        {WIRE_OID_INT4, SQL_INTEGER},
        {WIRE_OID_INT8, SQL_INTEGER},
        {WIRE_OID_FLOAT4, SQL_REAL},
        {WIRE_OID_FLOAT8, SQL_REAL},
        {WIRE_OID_NUMERIC, SQL_REAL}, /* as literals with a point are */
        {WIRE_OID_DATE, SQL_DATE},
        {WIRE_OID_TIMESTAMP, SQL_TIMESTAMP},
        {WIRE_OID_INTERVAL, SQL_INTERVAL},
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (types[i].oid == oid) {
            *out = types[i].type;
            return true;
        }
    return false;
}

static bool read_text_form(const char *text, size_t length, struct sql_value *value)
{
    bool truth = false;
    struct text_form_interval interval = {0};
    switch (value->type) {
    case SQL_BOOLEAN:
        if (!text_form_read_boolean(text, length, &truth))
            return false;
        value->whole = truth;
        return true;
    case SQL_INTEGER:
        return text_form_read_whole(text, length, &value->whole);
    case SQL_REAL:
        return text_form_read_real(text, length, &value->real);
    case SQL_DATE:
        return text_form_read_date(text, text_form_before_zone(text, length), &value->whole);
    case SQL_TIMESTAMP:
        return text_form_read_timestamp(text, text_form_before_zone(text, length), &value->whole);
    case SQL_INTERVAL:
        if (!text_form_read_interval(text, length, &interval))
            return false;
        value->months = interval.months;
        value->days = interval.days;
        value->whole = interval.microseconds;
        return true;
    default:
        value->text = text;
        return true;
    }
}

static bool read_whole(struct cursor *cursor, int64_t *out)
{
    uint16_t small = 0;
    uint32_t upper = 0, lower = 0;
    switch (cursor_left(cursor)) {
    case 2:
        (void)cursor_uint16(cursor, &small);
        *out = (int16_t)small;
        return true;
    case 4:
        (void)cursor_uint32(cursor, &lower);
        *out = (int32_t)lower;
        return true;
    case 8:
        (void)(cursor_uint32(cursor, &upper) && cursor_uint32(cursor, &lower));
        *out = (int64_t)((uint64_t)upper << 32 | lower);
        return true;
    default:
        return false;
    }
}

static bool read_real(struct cursor *cursor, uint32_t oid, double *out)
{
    uint32_t word = 0;
    float single = 0;
    int64_t bits = 0;
    if (oid == WIRE_OID_NUMERIC)
        return wire_read_numeric(cursor, out);
    if (oid == WIRE_OID_FLOAT4) {
        if (cursor_left(cursor) != 4 || !cursor_uint32(cursor, &word))
            return false;
        memcpy(&single, &word, sizeof single);
        *out = single;
        return true;
    }
    if (cursor_left(cursor) != 8 || !read_whole(cursor, &bits))
        return false;
    memcpy(out, &bits, sizeof bits);
    return true;
}

/* Years 1 to 9999, as everywhere. */
static bool read_days(struct cursor *cursor, int64_t *out)
{
    static const int64_t first = -719162, last = 2932896;
    int64_t days = 0;
    if (cursor_left(cursor) != 4 || !read_whole(cursor, &days))
        return false;
    days += DAYS_TO_2000;
    *out = days;
    return days >= first && days <= last;
}

static bool read_time(struct cursor *cursor, int64_t *out)
{
    static const int64_t first = INT64_C(-62135596800000000), last = INT64_C(253402300799999999);
    int64_t time = 0;
    if (cursor_left(cursor) != 8 || !read_whole(cursor, &time) || time > last - MICROSECONDS_TO_2000 ||
        time < first - MICROSECONDS_TO_2000)
        return false;
    *out = time + MICROSECONDS_TO_2000;
    return true;
}

static bool read_interval(struct cursor *cursor, struct sql_value *value)
{
    uint32_t upper = 0, lower = 0, days = 0, months = 0;
    if (cursor_left(cursor) != 16 || !cursor_uint32(cursor, &upper) || !cursor_uint32(cursor, &lower) ||
        !cursor_uint32(cursor, &days) || !cursor_uint32(cursor, &months))
        return false;
    value->whole = (int64_t)((uint64_t)upper << 32 | lower);
    value->days = (int32_t)days;
    value->months = (int32_t)months;
    return true;
}

static bool read_binary(struct cursor *cursor, uint32_t oid, const char *text, struct sql_value *value)
{
    unsigned char byte = 0;
    switch (value->type) {
    case SQL_BOOLEAN:
        if (cursor_left(cursor) != 1 || !cursor_byte(cursor, &byte) || byte > 1)
            return false;
        value->whole = byte;
        return true;
    case SQL_INTEGER:
        return read_whole(cursor, &value->whole);
    case SQL_REAL:
        return read_real(cursor, oid, &value->real);
    case SQL_DATE:
        return read_days(cursor, &value->whole);
    case SQL_TIMESTAMP:
        return read_time(cursor, &value->whole);
    case SQL_INTERVAL:
        return read_interval(cursor, value);
    default:
        value->text = text;
        return true;
    }
}

status wire_read_value(const struct wire_value *bytes, uint32_t oid, enum wire_format format,
                       struct arena *arena, struct sql_value *out, error *why)
{
    struct sql_value value = {.type = SQL_UNKNOWN, .null = bytes->null};
    char *text = NULL;
    if (!type_of(oid, &value.type))
        return fail(why, DITHER_REFUSED, "parameters of the type %u are not available in questions", oid);
    if (bytes->null) {
        *out = value;
        return DITHER_OK;
    }
    TRY(arena_text(arena, (const char *)bytes->bytes, bytes->size, &text, why));
    struct cursor cursor = cursor_over(bytes->bytes, bytes->size);
    bool is_text = format == WIRE_TEXT || value.type == SQL_UNKNOWN;
    bool right = is_text ? strlen(text) == bytes->size && utf8_valid(text, bytes->size) &&
                               read_text_form(text, bytes->size, &value)
                         : read_binary(&cursor, oid, text, &value);
    if (!right)
        return fail(why, DITHER_INVALID, "the bytes of a parameter are not those of its type, %s",
                    sql_type_name(value.type));
    *out = value;
    return DITHER_OK;
}
