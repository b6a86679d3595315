#include "cli/keys.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define KEYS_BYTES (UINT64_C(1) << 36)

enum {
    FIRST_CAPACITY = 1024 /* a power of two */
};

void keys_init(struct keys *keys)
{
    *keys = (struct keys){.count = 0};
    arena_init(&keys->arena, KEYS_BYTES);
}

void keys_free(struct keys *keys)
{
    arena_free(&keys->arena);
    memory_release(keys->list, keys->capacity * sizeof *keys->list);
    *keys = (struct keys){.count = 0};
}

/* FNV-1a with a final mix; where a key lands has no influence on what comes out. */
static uint64_t hash_text(const char *text, size_t length)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 32;
}

/* The place where a key is, or the gap where it belongs. */
static struct key *find(struct key *list, size_t capacity, const char *text, uint64_t hash)
{
    size_t at = (size_t)hash & (capacity - 1);
    while (list[at].text != NULL && (list[at].hash != hash || strcmp(list[at].text, text) != 0))
        at = (at + 1) & (capacity - 1);
    return &list[at];
}

static status grow(struct keys *keys, error *why)
{
    size_t capacity = keys->capacity > 0 ? 2 * keys->capacity : FIRST_CAPACITY;
    struct key *list = memory_allocate(capacity * sizeof *list);
    if (list == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < keys->capacity; i++)
        if (keys->list[i].text != NULL)
            *find(list, capacity, keys->list[i].text, keys->list[i].hash) = keys->list[i];
    memory_release(keys->list, keys->capacity * sizeof *keys->list);
    keys->list = list;
    keys->capacity = capacity;
    return DITHER_OK;
}

status keys_add(struct keys *keys, const char *text, size_t length, error *why)
{
    if (keys->count >= keys->capacity / 2)
        TRY(grow(keys, why));
    uint64_t hash = hash_text(text, length);
    struct key *key = find(keys->list, keys->capacity, text, hash);
    if (key->text == NULL) {
        char *copy = NULL;
        TRY(arena_text(&keys->arena, text, length, &copy, why));
        *key = (struct key){.text = copy, .hash = hash};
        keys->count++;
    }
    key->count++;
    return DITHER_OK;
}

static int compare(const void *left, const void *right)
{
    return strcmp(((const struct key *)left)->text, ((const struct key *)right)->text);
}

void keys_sort(struct keys *keys)
{
    size_t kept = 0;
    for (size_t i = 0; i < keys->capacity; i++)
        if (keys->list[i].text != NULL)
            keys->list[kept++] = keys->list[i];
    if (kept > 0)
        qsort(keys->list, kept, sizeof *keys->list, compare);
}
