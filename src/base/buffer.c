#include "base/buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

enum { FIRST_BYTES = 256 };

void buffer_init(struct buffer *buffer, size_t limit)
{
    *buffer = (struct buffer){.limit = limit};
}

void buffer_free(struct buffer *buffer)
{
    memory_release(buffer->data, buffer->capacity);
    *buffer = (struct buffer){.limit = buffer->limit};
}

/* Makes room for `count` more bytes and the NUL. */
static bool reserve(struct buffer *buffer, size_t count)
{
    if (buffer->failed)
        return false;
    if (count > buffer->limit - buffer->length) {
        buffer->failed = buffer->too_long = true;
        return false;
    }
    size_t needed = buffer->length + count + 1;
    if (needed <= buffer->capacity)
        return true;
    size_t capacity = buffer->capacity > 0 ? 2 * buffer->capacity : FIRST_BYTES;
    if (capacity < needed)
        capacity = needed;
    char *grown = memory_grow(buffer->data, buffer->capacity, capacity);
    if (grown == NULL) {
        buffer->failed = true;
        return false;
    }
    buffer->data = grown;
    buffer->capacity = capacity;
    return true;
}

void buffer_append(struct buffer *buffer, const void *bytes, size_t count)
{
    if (count == 0 || !reserve(buffer, count))
        return;
    memcpy(buffer->data + buffer->length, bytes, count);
    buffer->length += count;
    buffer->data[buffer->length] = '\0';
}

void buffer_byte(struct buffer *buffer, char byte)
{
    buffer_append(buffer, &byte, 1);
}

void buffer_text(struct buffer *buffer, const char *text)
{
    buffer_append(buffer, text, strlen(text));
}

/* Written where there is room; if it is too long for that it is undone, and `needed` says for how much. */
static bool format_here(struct buffer *buffer, const char *format, va_list arguments, size_t *needed)
{
    size_t room = buffer->capacity - buffer->length;
    char *end = room > 0 ? buffer->data + buffer->length : NULL;
    int length = vsnprintf(end, room, format, arguments);
    buffer->failed = buffer->failed || length < 0;
    *needed = length < 0 ? 0 : (size_t)length;
    bool fits = !buffer->failed && *needed < room && *needed <= buffer->limit - buffer->length;
    if (fits)
        buffer->length += *needed;
    else if (end != NULL)
        *end = '\0';
    return fits;
}

void buffer_format(struct buffer *buffer, const char *format, ...)
{
    va_list arguments, again;
    size_t needed = 0;
    if (buffer->failed)
        return;
    va_start(arguments, format);
    va_copy(again, arguments);
    if (!format_here(buffer, format, arguments, &needed) && reserve(buffer, needed))
        (void)format_here(buffer, format, again, &needed);
    va_end(arguments);
    va_end(again);
}

void buffer_clear(struct buffer *buffer)
{
    if (buffer->data != NULL)
        explicit_bzero(buffer->data, buffer->length);
    buffer->length = 0;
}

status buffer_check(const struct buffer *buffer, error *why)
{
    if (buffer->too_long)
        return fail(why, DITHER_INVALID, "the text is longer than the %zu bytes that are allowed",
                    buffer->limit);
    if (buffer->failed)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    return DITHER_OK;
}
