/* cursor.h - bytes on their way in.
 *
 * Reads from the front of a stretch of memory and cannot run past its end: every step says whether there was
 * enough, and a step that failed moves nothing. Numbers are in network order. Borrows the bytes. */
#ifndef BASE_CURSOR_H
#define BASE_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cursor {
    const unsigned char *next, *end;
};

struct cursor cursor_over(const void *bytes, size_t count);

size_t cursor_left(const struct cursor *cursor);

/* The next byte without taking it; the next byte; the next byte if it is `wanted`. */
bool cursor_peek(const struct cursor *cursor, unsigned char *out);
bool cursor_byte(struct cursor *cursor, unsigned char *out);
bool cursor_match(struct cursor *cursor, unsigned char wanted);

/* The next `count` bytes, in place. */
bool cursor_take(struct cursor *cursor, size_t count, const unsigned char **out);

/* The bytes before the next `stop`, which is taken too and not part of them; false when there is none. */
bool cursor_until(struct cursor *cursor, unsigned char stop, const unsigned char **out, size_t *count);

bool cursor_uint16(struct cursor *cursor, uint16_t *out);
bool cursor_uint32(struct cursor *cursor, uint32_t *out);

#endif
