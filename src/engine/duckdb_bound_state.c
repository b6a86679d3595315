#include "engine/duckdb_bound_state.h"

#include <stdlib.h>
#include <string.h>

enum { HEAP_WORDS = 2, FIRST_ROOM = 4, SMALL_COUNT = 8 };

size_t bound_state_size(const struct bound_shape *shape)
{
    size_t words = shape->inline_entries ? shape->inline_entries * bound_entry_words(shape) : HEAP_WORDS;
    return sizeof(struct bound_state) + words * sizeof(uint64_t);
}

void bound_state_init(struct bound_state *state)
{
    state->count = 0;
    state->most = 0;
    state->words[0] = 0; /* on the heap: nothing yet */
    state->words[1] = 0;
}

void bound_state_free(struct bound_state *state)
{
    uint64_t *entries = (uint64_t *)(uintptr_t)state->words[0];
    size_t words = state->words[1] >> 32;

    if (words)
        for (size_t i = 0; i < state->count; i++)
            free((void *)(uintptr_t)entries[i * words + 2]);
    free(entries);
    bound_state_init(state);
}

/* Below zero when the entry stands before the thing; 0 when it is its entry. */
static int compare(const struct bound_shape *shape, const uint64_t *entry, const struct bound_thing *thing)
{
    if (entry[0] != thing->hash)
        return entry[0] < thing->hash ? -1 : 1;
    uint32_t code = bound_entry_code(entry);
    if (shape->bytes) {
        uint32_t shorter = code < thing->code ? code : thing->code;
        int order = shorter ? memcmp(bound_entry_bytes(entry), thing->bytes, shorter) : 0;
        if (order != 0)
            return order;
    }
    return code < thing->code ? -1 : code > thing->code;
}

/* The first entry that does not stand before the thing. */
static size_t find(const struct bound_shape *shape, const uint64_t *entries, size_t count,
                   const struct bound_thing *thing)
{
    size_t words = bound_entry_words(shape), from = 0, to = count;

    if (count <= SMALL_COUNT) {
        while (from < count && entries[from * words] < thing->hash)
            from++;
        while (from < count && compare(shape, entries + from * words, thing) < 0)
            from++;
        return from;
    }
    while (from < to) {
        size_t middle = (from + to) / 2;
        if (compare(shape, entries + middle * words, thing) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* Room for one entry more; on the heap it doubles. */
static bool make_room(const struct bound_shape *shape, struct bound_state *state)
{
    if (shape->inline_entries || state->count < (uint32_t)state->words[1])
        return true;
    size_t room = state->count ? 2 * (size_t)state->count : FIRST_ROOM;
    if (room > state->most)
        room = state->most;
    void *grown = realloc(bound_entries(shape, state), room * bound_entry_words(shape) * sizeof(uint64_t));
    if (!grown)
        return false;
    state->words[0] = (uint64_t)(uintptr_t)grown;
    state->words[1] = room | (shape->bytes ? (uint64_t)bound_entry_words(shape) << 32 : 0);
    return true;
}

static bool copy_bytes(const struct bound_thing *thing, void **out)
{
    *out = malloc(thing->code ? thing->code : 1);
    if (!*out)
        return false;
    if (thing->code)
        memcpy(*out, thing->bytes, thing->code);
    return true;
}

/* Puts an empty entry at `place`; when the state is full the last one makes way. */
static uint64_t *insert(const struct bound_shape *shape, struct bound_state *state, size_t place,
                        const struct bound_thing *thing)
{
    size_t words = bound_entry_words(shape);
    void *bytes = NULL;

    if (state->count < state->most && !make_room(shape, state))
        return NULL;
    if (shape->bytes && !copy_bytes(thing, &bytes))
        return NULL;
    uint64_t *entries = bound_entries(shape, state), *entry = entries + place * words;
    if (state->count < state->most)
        state->count++;
    else if (shape->bytes)
        free((void *)(uintptr_t)entries[(state->count - 1) * words + 2]);
    memmove(entry + words, entry, (state->count - 1 - place) * words * sizeof *entry);
    memset(entry, 0, words * sizeof *entry);
    entry[0] = thing->hash;
    entry[1] = (uint64_t)thing->code << 32;
    if (shape->bytes)
        entry[2] = (uint64_t)(uintptr_t)bytes;
    return entry;
}

uint64_t *bound_state_add(const struct bound_shape *shape, struct bound_state *state,
                          const struct bound_thing *thing, uint32_t rows, bool *failed)
{
    size_t words = bound_entry_words(shape);
    uint64_t *entries = bound_entries(shape, state);
    size_t place = find(shape, entries, state->count, thing);
    uint64_t *entry;

    if (place < state->count && compare(shape, entries + place * words, thing) == 0) {
        entry = entries + place * words;
    } else if (place >= state->most) {
        return NULL;
    } else {
        entry = insert(shape, state, place, thing);
        if (!entry) {
            *failed = true;
            return NULL;
        }
    }
    uint64_t sum = (uint64_t)bound_entry_rows(entry) + rows;
    entry[1] = (entry[1] & ~(uint64_t)UINT32_MAX) | (sum < UINT32_MAX ? sum : UINT32_MAX);
    return entry + (words - shape->value_count);
}

static void combine_codes(const struct bound_shape *shape, const struct bound_state *source,
                          struct bound_state *target)
{
    size_t words = bound_entry_words(shape);

    if (target->count == 0) { /* as most are, when DuckDB puts its partial tables together */
        memcpy(target, source, sizeof *source + source->count * words * sizeof(uint64_t));
        return;
    }
    for (size_t i = 0; i < source->count; i++) {
        const uint64_t *entry = source->words + i * words;
        uint64_t *sums =
            bound_state_add_code(words, target, entry[0], bound_entry_code(entry), bound_entry_rows(entry));
        if (!sums)
            return; /* later ones are larger still */
        for (size_t j = 0; j < shape->value_count; j++)
            sums[j] += entry[2 + j];
    }
}

void bound_state_combine(const struct bound_shape *shape, const struct bound_state *source,
                         struct bound_state *target, bool *failed)
{
    size_t words = bound_entry_words(shape);
    const uint64_t *entry;

    if (target->most < source->most)
        target->most = source->most; /* the target has seen no row yet */
    if (shape->inline_entries) {
        combine_codes(shape, source, target);
        return;
    }
    for (size_t i = 0; i < source->count; i++) {
        entry = bound_entries(shape, source) + i * words;
        struct bound_thing thing = {.hash = entry[0],
                                    .code = bound_entry_code(entry),
                                    .bytes = shape->bytes ? bound_entry_bytes(entry) : NULL};
        uint64_t *sums = bound_state_add(shape, target, &thing, bound_entry_rows(entry), failed);
        if (!sums)
            return; /* later ones are larger still */
        for (size_t j = 0; j < shape->value_count; j++)
            sums[j] += entry[words - shape->value_count + j];
    }
}
