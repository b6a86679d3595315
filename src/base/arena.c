/* Many arenas hold a few hundred bytes, for the length of one question: a chunk costs what was taken of it. Its bytes are
 * made zero when they are taken, and those alone are wiped. */
#include "base/arena.h"

#include <stdalign.h>
#include <string.h>

#include "base/memory.h"

/* Chunks grow: most arenas hold little. The first is one that malloc has at hand for each thread (1032 bytes). */
enum { FIRST_BYTES = 960, CHUNK_BYTES = 32 * 1024 };

struct arena_chunk {
    struct arena_chunk *older;
    size_t size; /* of `bytes` */
    size_t used;
    alignas(max_align_t) unsigned char bytes[];
};

void arena_init(struct arena *arena, size_t limit)
{
    *arena = (struct arena){.limit = limit};
}

void arena_free(struct arena *arena)
{
    while (arena->newest != NULL) {
        struct arena_chunk *chunk = arena->newest;
        arena->newest = chunk->older;
        memory_release(chunk, sizeof *chunk + chunk->used);
    }
    arena->taken = 0;
}

static size_t usual_size(const struct arena *arena)
{
    if (arena->newest == NULL)
        return FIRST_BYTES;
    return arena->newest->size >= CHUNK_BYTES / 4 ? CHUNK_BYTES : 4 * arena->newest->size;
}

/* Something larger than a chunk gets one of its own. */
static status add_chunk(struct arena *arena, size_t needed, error *why)
{
    size_t size = usual_size(arena);
    if (size < needed)
        size = needed;
    if (size > arena->limit - arena->taken)
        size = needed;
    if (size > arena->limit - arena->taken)
        return fail(why, DITHER_INVALID, "this needs more than the %zu bytes that are allowed for it",
                    arena->limit);
    struct arena_chunk *chunk = memory_allocate_unset(sizeof *chunk + size);
    if (chunk == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    *chunk = (struct arena_chunk){.older = arena->newest, .size = size};
    arena->newest = chunk;
    arena->taken += size;
    return DITHER_OK;
}

status arena_take(struct arena *arena, size_t size, void **out, error *why)
{
    size_t alignment = alignof(max_align_t);
    if (size > SIZE_MAX / 2)
        return fail(why, DITHER_INVALID, "this needs more than the %zu bytes that are allowed for it",
                    arena->limit);
    size_t rounded = (size + alignment - 1) / alignment * alignment;
    struct arena_chunk *chunk = arena->newest;
    if (chunk == NULL || chunk->size - chunk->used < rounded)
        TRY(add_chunk(arena, rounded, why));
    chunk = arena->newest;
    *out = memset(chunk->bytes + chunk->used, 0, rounded);
    chunk->used += rounded;
    return DITHER_OK;
}

status arena_text(struct arena *arena, const char *text, size_t length, char **out, error *why)
{
    void *copy = NULL;
    TRY(arena_take(arena, length + 1, &copy, why));
    if (length > 0)
        memcpy(copy, text, length);
    *out = copy;
    return DITHER_OK;
}
