#include "ledger/index.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"

enum { FIRST_SLOTS = 64 };

struct index_slot {
    struct digest key;
    uint64_t number;
    bool used;
};

void index_free(struct index *index)
{
    memory_release(index->slots, index->capacity * sizeof *index->slots);
    *index = (struct index){0};
}

/* The slot that has the key, or the free one where it belongs. The keys are digests, so any of their bytes
 * will do. */
static size_t find_slot(const struct index_slot *slots, size_t capacity, const struct digest *key)
{
    uint64_t start;
    memcpy(&start, key->bytes, sizeof start);
    size_t slot = (size_t)start & (capacity - 1);
    while (slots[slot].used && !digest_equal(&slots[slot].key, key))
        slot = (slot + 1) & (capacity - 1);
    return slot;
}

bool index_find(const struct index *index, const struct digest *key, uint64_t *out)
{
    if (index->capacity == 0)
        return false;
    const struct index_slot *slot = &index->slots[find_slot(index->slots, index->capacity, key)];
    if (slot->used)
        *out = slot->number;
    return slot->used;
}

static status grow(struct index *index, error *why)
{
    size_t capacity = index->capacity == 0 ? FIRST_SLOTS : 2 * index->capacity;
    struct index_slot *slots = memory_allocate(capacity * sizeof *slots);
    if (slots == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < index->capacity; i++)
        if (index->slots[i].used)
            slots[find_slot(slots, capacity, &index->slots[i].key)] = index->slots[i];
    memory_release(index->slots, index->capacity * sizeof *index->slots);
    index->slots = slots;
    index->capacity = capacity;
    return DITHER_OK;
}

status index_add(struct index *index, const struct digest *key, uint64_t number, error *why)
{
    if (2 * (index->count + 1) > index->capacity)
        TRY(grow(index, why));
    struct index_slot *slot = &index->slots[find_slot(index->slots, index->capacity, key)];
    assert(!slot->used);
    *slot = (struct index_slot){.key = *key, .number = number, .used = true};
    index->count++;
    return DITHER_OK;
}
