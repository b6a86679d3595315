#include "mechanism/pair_set.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void pair_set_init(struct pair_set *set, size_t width)
{
    *set = (struct pair_set){.width = width};
}

void pair_set_free(struct pair_set *set)
{
    free(set->numbers);
    free(set->slots);
    *set = (struct pair_set){0};
}

static uint64_t mix(uint64_t hash, const int64_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        hash = (hash ^ (uint64_t)numbers[i]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return hash;
}

static int64_t *pair_at(const struct pair_set *set, size_t index)
{
    return set->numbers + index * 2 * set->width;
}

/* Where the pair is, or the free place where it would be. There is always a free one. */
static size_t *find(const struct pair_set *set, const int64_t *left, const int64_t *right)
{
    size_t bytes = set->width * sizeof(int64_t);
    size_t place = mix(mix(1, left, set->width), right, set->width) & (set->slot_count - 1);
    while (set->slots[place] != 0) {
        const int64_t *known = pair_at(set, set->slots[place] - 1);
        if (memcmp(known, left, bytes) == 0 && memcmp(known + set->width, right, bytes) == 0)
            break;
        place = (place + 1) & (set->slot_count - 1);
    }
    return &set->slots[place];
}

/* Twice the room, and every pair in its new place. */
static bool grow(struct pair_set *set)
{
    size_t capacity = set->capacity == 0 ? 64 : 2 * set->capacity;
    int64_t *numbers = realloc(set->numbers, (capacity * 2 * set->width + 1) * sizeof *numbers);
    if (numbers == NULL)
        return false;
    set->numbers = numbers;
    size_t *slots = calloc(2 * capacity, sizeof *slots);
    if (slots == NULL)
        return false;
    free(set->slots);
    set->slots = slots;
    set->slot_count = 2 * capacity;
    set->capacity = capacity;
    for (size_t i = 0; i < set->count; i++)
        *find(set, pair_at(set, i), pair_at(set, i) + set->width) = i + 1;
    return true;
}

status pair_set_add(struct pair_set *set, struct statistic_pair pair, bool *added, error *why)
{
    assert(pair.n == set->width);
    if (set->count == set->capacity && !grow(set))
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    size_t *slot = find(set, pair.left, pair.right);
    *added = *slot == 0;
    if (*added) {
        size_t bytes = set->width * sizeof(int64_t);
        memcpy(pair_at(set, set->count), pair.left, bytes);
        memcpy(pair_at(set, set->count) + set->width, pair.right, bytes);
        *slot = ++set->count;
    }
    return DITHER_OK;
}
