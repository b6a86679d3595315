/* arena.h - the memory of one piece of work, given back all at once.
 *
 * A question, a policy, a file of keys: what belongs to it is taken from its arena and lives until the arena
 * is freed, when all of it is wiped. Nothing is freed singly. Memory comes in chunks; an arena has a limit,
 * so that no input can ask for more than was foreseen. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

#include "base/status.h"

struct arena_chunk;

struct arena {
    struct arena_chunk *newest;
    size_t taken; /* bytes of all chunks */
    size_t limit;
};

/* An empty arena that will hold at most `limit` bytes. Cannot fail. */
void arena_init(struct arena *arena, size_t limit);
void arena_free(struct arena *arena);

/* `size` zero bytes, aligned for any type. DITHER_NO_MEMORY when the machine has none, DITHER_INVALID beyond
 * the limit; `out` is then untouched. */
status arena_take(struct arena *arena, size_t size, void **out, error *why) MUST_CHECK;

/* A copy of `length` bytes with a NUL behind them. */
status arena_text(struct arena *arena, const char *text, size_t length, char **out, error *why) MUST_CHECK;

#endif
