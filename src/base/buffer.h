/* buffer.h - bytes on their way out.
 *
 * A growing text. A write that fails (no memory, or beyond the limit) makes the buffer fail for good, and
 * later writes do nothing: a caller writes everything and asks once, with buffer_check, whether it worked.
 * The content is followed by a NUL that does not count. */
#ifndef BASE_BUFFER_H
#define BASE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

struct buffer {
    char *data; /* NULL until something is written */
    size_t length, capacity, limit;
    bool failed, too_long;
};

void buffer_init(struct buffer *buffer, size_t limit);
void buffer_free(struct buffer *buffer);

void buffer_append(struct buffer *buffer, const void *bytes, size_t count);
void buffer_byte(struct buffer *buffer, char byte);
void buffer_text(struct buffer *buffer, const char *text);
void buffer_format(struct buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Forgets (and wipes) the content; a failure stays. */
void buffer_clear(struct buffer *buffer);

status buffer_check(const struct buffer *buffer, error *why) MUST_CHECK;

#endif
