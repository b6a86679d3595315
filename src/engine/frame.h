/* frame.h - messages between a process and its helper: a length, a kind, a body.
 *
 *     length   4 bytes, of what follows
 *     kind     1 byte
 *     body     numbers in network order; a text is its length (4 bytes) and its bytes
 *
 * Reading is pure: bytes in, one frame out or none. Neither side trusts the other's lengths: a frame is at most
 * FRAME_MOST_BYTES, and its body is read through a cursor, which cannot run past its end. */
#ifndef ENGINE_FRAME_H
#define ENGINE_FRAME_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/cursor.h"

enum {
    FRAME_HEAD_BYTES = 5,
    FRAME_MOST_BYTES = 18 << 20, /* the longest statement (16 MiB), and what goes with it */
};

struct frame {
    char kind;
    struct cursor body;
};

enum frame_state {
    FRAME_WHOLE,   /* `size` bytes are the frame */
    FRAME_PARTIAL, /* it takes at least `size` bytes */
    FRAME_WRONG,   /* it cannot be one */
};
enum frame_state frame_read(const void *bytes, size_t count, struct frame *out, size_t *size);

/* A text of a body, in place; without NUL inside and valid UTF-8, else false. */
bool frame_text(struct cursor *body, const char **text, size_t *length);
/* The same as a copy in the arena, with a NUL behind it. `good`: whether it was one. */
status frame_text_copy(struct cursor *body, struct arena *arena, const char **out, bool *good,
                       error *why) MUST_CHECK;
bool frame_uint64(struct cursor *body, uint64_t *out);

/* Writing: begin, body, end. The buffer's failure sticks; a frame that is too long makes it fail. */
size_t frame_begin(struct buffer *buffer, char kind);
void frame_end(struct buffer *buffer, size_t begun);
void frame_put_uint16(struct buffer *buffer, uint16_t number);
void frame_put_uint32(struct buffer *buffer, uint32_t number);
void frame_put_uint64(struct buffer *buffer, uint64_t number);
void frame_put_text(struct buffer *buffer, const char *text);

#endif
