#include "serve/wire_write.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

struct wire_out wire_begin(struct buffer *buffer, char kind)
{
    buffer_byte(buffer, kind);
    struct wire_out out = {.buffer = buffer, .length_at = buffer->length};
    wire_put_uint32(&out, 0);
    return out;
}

static void store_uint32(unsigned char bytes[4], uint32_t number)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (unsigned char)(number >> (24 - 8 * i));
}

void wire_end(struct wire_out *out)
{
    if (out->buffer->failed)
        return;
    size_t length = out->buffer->length - out->length_at;
    unsigned char bytes[4];
    assert(length <= INT32_MAX); /* buffers have far smaller limits */
    store_uint32(bytes, (uint32_t)length);
    memcpy(out->buffer->data + out->length_at, bytes, sizeof bytes);
}

void wire_put_byte(struct wire_out *out, unsigned char byte)
{
    buffer_append(out->buffer, &byte, 1);
}

void wire_put_uint16(struct wire_out *out, uint16_t number)
{
    const unsigned char bytes[2] = {(unsigned char)(number >> 8), (unsigned char)number};
    buffer_append(out->buffer, bytes, sizeof bytes);
}

void wire_put_uint32(struct wire_out *out, uint32_t number)
{
    unsigned char bytes[4];
    store_uint32(bytes, number);
    buffer_append(out->buffer, bytes, sizeof bytes);
}

void wire_put_uint64(struct wire_out *out, uint64_t number)
{
    wire_put_uint32(out, (uint32_t)(number >> 32));
    wire_put_uint32(out, (uint32_t)number);
}

void wire_put_text(struct wire_out *out, const char *text)
{
    buffer_append(out->buffer, text, strlen(text) + 1);
}

void wire_put_bytes(struct wire_out *out, const void *bytes, size_t count)
{
    buffer_append(out->buffer, bytes, count);
}

/* ---- Whole messages ---- */

void wire_write_bare(struct buffer *buffer, char kind)
{
    struct wire_out out = wire_begin(buffer, kind);
    wire_end(&out);
}

void wire_write_authentication(struct buffer *buffer, enum wire_authentication step, const void *bytes,
                               size_t count)
{
    struct wire_out out = wire_begin(buffer, 'R');
    wire_put_uint32(&out, (uint32_t)step);
    wire_put_bytes(&out, bytes, count);
    wire_end(&out);
}

void wire_write_parameter_status(struct buffer *buffer, const char *name, const char *value)
{
    struct wire_out out = wire_begin(buffer, 'S');
    wire_put_text(&out, name);
    wire_put_text(&out, value);
    wire_end(&out);
}

void wire_write_key(struct buffer *buffer, uint32_t process, uint32_t secret)
{
    struct wire_out out = wire_begin(buffer, 'K');
    wire_put_uint32(&out, process);
    wire_put_uint32(&out, secret);
    wire_end(&out);
}

void wire_write_ready(struct buffer *buffer, char transaction)
{
    struct wire_out out = wire_begin(buffer, 'Z');
    wire_put_byte(&out, (unsigned char)transaction);
    wire_end(&out);
}

void wire_write_complete(struct buffer *buffer, const char *tag)
{
    struct wire_out out = wire_begin(buffer, 'C');
    wire_put_text(&out, tag);
    wire_end(&out);
}

static void put_field(struct wire_out *out, char field, const char *text)
{
    if (text == NULL)
        return;
    wire_put_byte(out, (unsigned char)field);
    wire_put_text(out, text);
}

void wire_write_report(struct buffer *buffer, const struct wire_report *report)
{
    bool notice = strcmp(report->severity, "NOTICE") == 0 || strcmp(report->severity, "WARNING") == 0;
    struct wire_out out = wire_begin(buffer, notice ? 'N' : 'E');
    char position[16];
    snprintf(position, sizeof position, "%d", report->position + 1);
    put_field(&out, 'S', report->severity);
    put_field(&out, 'V', report->severity);
    put_field(&out, 'C', report->code);
    put_field(&out, 'M', report->message);
    put_field(&out, 'D', report->detail);
    put_field(&out, 'H', report->hint);
    put_field(&out, 'P', report->position >= 0 ? position : NULL);
    wire_put_byte(&out, '\0');
    wire_end(&out);
}
