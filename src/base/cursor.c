#include "base/cursor.h"

#include <string.h>

struct cursor cursor_over(const void *bytes, size_t count)
{
    const unsigned char *first = bytes;
    return (struct cursor){.next = first, .end = count > 0 ? first + count : first};
}

size_t cursor_left(const struct cursor *cursor)
{
    return (size_t)(cursor->end - cursor->next);
}

bool cursor_peek(const struct cursor *cursor, unsigned char *out)
{
    if (cursor->next == cursor->end)
        return false;
    *out = *cursor->next;
    return true;
}

bool cursor_byte(struct cursor *cursor, unsigned char *out)
{
    if (!cursor_peek(cursor, out))
        return false;
    cursor->next++;
    return true;
}

bool cursor_match(struct cursor *cursor, unsigned char wanted)
{
    unsigned char byte = 0;
    if (!cursor_peek(cursor, &byte) || byte != wanted)
        return false;
    cursor->next++;
    return true;
}

bool cursor_take(struct cursor *cursor, size_t count, const unsigned char **out)
{
    if (count > cursor_left(cursor))
        return false;
    *out = cursor->next;
    if (count > 0)
        cursor->next += count;
    return true;
}

bool cursor_until(struct cursor *cursor, unsigned char stop, const unsigned char **out, size_t *count)
{
    size_t left = cursor_left(cursor);
    const unsigned char *found = left > 0 ? memchr(cursor->next, stop, left) : NULL;
    if (found == NULL)
        return false;
    *out = cursor->next;
    *count = (size_t)(found - cursor->next);
    cursor->next = found + 1;
    return true;
}

bool cursor_uint16(struct cursor *cursor, uint16_t *out)
{
    const unsigned char *bytes = NULL;
    if (!cursor_take(cursor, 2, &bytes))
        return false;
    *out = (uint16_t)(bytes[0] << 8 | bytes[1]);
    return true;
}

bool cursor_uint32(struct cursor *cursor, uint32_t *out)
{
    const unsigned char *bytes = NULL;
    if (!cursor_take(cursor, 4, &bytes))
        return false;
    *out = (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
    return true;
}
