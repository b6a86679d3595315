#include "cli/tally.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define KEYS_BYTES (UINT64_C(1) << 36)

enum {
    FIRST_CAPACITY = 1024 /* a power of two */
};

void tally_init(struct tally *tally)
{
    *tally = (struct tally){.count = 0};
    arena_init(&tally->arena, KEYS_BYTES);
}

void tally_free(struct tally *tally)
{
    arena_free(&tally->arena);
    memory_release(tally->list, tally->capacity * sizeof *tally->list);
    *tally = (struct tally){.count = 0};
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

static status grow(struct tally *tally, error *why)
{
    size_t capacity = tally->capacity > 0 ? 2 * tally->capacity : FIRST_CAPACITY;
    struct key *list = memory_allocate(capacity * sizeof *list);
    if (list == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < tally->capacity; i++)
        if (tally->list[i].text != NULL)
            *find(list, capacity, tally->list[i].text, tally->list[i].hash) = tally->list[i];
    memory_release(tally->list, tally->capacity * sizeof *tally->list);
    tally->list = list;
    tally->capacity = capacity;
    return DITHER_OK;
}

status tally_add(struct tally *tally, const char *text, size_t length, error *why)
{
    if (tally->count >= tally->capacity / 2)
        TRY(grow(tally, why));
    uint64_t hash = hash_text(text, length);
    struct key *key = find(tally->list, tally->capacity, text, hash);
    if (key->text == NULL) {
        char *copy = NULL;
        TRY(arena_text(&tally->arena, text, length, &copy, why));
        *key = (struct key){.text = copy, .hash = hash};
        tally->count++;
    }
    key->count++;
    return DITHER_OK;
}

static int compare(const void *left, const void *right)
{
    return strcmp(((const struct key *)left)->text, ((const struct key *)right)->text);
}

void tally_sort(struct tally *tally)
{
    size_t kept = 0;
    for (size_t i = 0; i < tally->capacity; i++)
        if (tally->list[i].text != NULL)
            tally->list[kept++] = tally->list[i];
    if (kept > 0)
        qsort(tally->list, kept, sizeof *tally->list, compare);
}
