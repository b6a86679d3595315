#include "engine/frame.h"

#include <string.h>

#include "base/utf8.h"

enum frame_state frame_read(const void *bytes, size_t count, struct frame *out, size_t *size)
{
    struct cursor all = cursor_over(bytes, count);
    uint32_t length = 0;
    unsigned char kind = 0;
    const unsigned char *body = NULL;
    *size = FRAME_HEAD_BYTES;
    if (!cursor_uint32(&all, &length))
        return FRAME_PARTIAL;
    if (length < 1 || length > FRAME_MOST_BYTES)
        return FRAME_WRONG;
    *size = 4 + (size_t)length;
    if (!cursor_byte(&all, &kind) || !cursor_take(&all, length - 1, &body))
        return FRAME_PARTIAL;
    *out = (struct frame){.kind = (char)kind, .body = cursor_over(body, length - 1)};
    return FRAME_WHOLE;
}

bool frame_text(struct cursor *body, const char **text, size_t *length)
{
    struct cursor at = *body;
    uint32_t count = 0;
    const unsigned char *bytes = NULL;
    if (!cursor_uint32(&at, &count) || !cursor_take(&at, count, &bytes))
        return false;
    if (count > 0 && (memchr(bytes, '\0', count) != NULL || !utf8_valid((const char *)bytes, count)))
        return false;
    *text = count > 0 ? (const char *)bytes : "";
    *length = count;
    *body = at;
    return true;
}

status frame_text_copy(struct cursor *body, struct arena *arena, const char **out, bool *good, error *why)
{
    const char *text = NULL;
    char *kept = NULL;
    size_t length = 0;
    *good = frame_text(body, &text, &length);
    if (!*good)
        return DITHER_OK;
    TRY(arena_text(arena, text, length, &kept, why));
    *out = kept;
    return DITHER_OK;
}

bool frame_uint64(struct cursor *body, uint64_t *out)
{
    struct cursor at = *body;
    uint32_t high = 0, low = 0;
    if (!cursor_uint32(&at, &high) || !cursor_uint32(&at, &low))
        return false;
    *out = (uint64_t)high << 32 | low;
    *body = at;
    return true;
}

/* ---- Writing ---- */

static void store_uint32(unsigned char *bytes, uint32_t number)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (unsigned char)(number >> (24 - 8 * i));
}

size_t frame_begin(struct buffer *buffer, char kind)
{
    size_t begun = buffer->length;
    frame_put_uint32(buffer, 0);
    buffer_byte(buffer, kind);
    return begun;
}

void frame_end(struct buffer *buffer, size_t begun)
{
    if (buffer->failed)
        return;
    size_t length = buffer->length - begun - 4;
    if (length > FRAME_MOST_BYTES)
        buffer->failed = buffer->too_long = true;
    else
        store_uint32((unsigned char *)buffer->data + begun, (uint32_t)length);
}

void frame_put_uint16(struct buffer *buffer, uint16_t number)
{
    const unsigned char bytes[2] = {(unsigned char)(number >> 8), (unsigned char)number};
    buffer_append(buffer, bytes, sizeof bytes);
}

void frame_put_uint32(struct buffer *buffer, uint32_t number)
{
    unsigned char bytes[4];
    store_uint32(bytes, number);
    buffer_append(buffer, bytes, sizeof bytes);
}

void frame_put_uint64(struct buffer *buffer, uint64_t number)
{
    frame_put_uint32(buffer, (uint32_t)(number >> 32));
    frame_put_uint32(buffer, (uint32_t)number);
}

void frame_put_text(struct buffer *buffer, const char *text)
{
    size_t length = strlen(text);
    if (length > FRAME_MOST_BYTES) {
        buffer->failed = buffer->too_long = true;
        return;
    }
    frame_put_uint32(buffer, (uint32_t)length);
    buffer_append(buffer, text, length);
}
