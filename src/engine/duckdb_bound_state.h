/* duckdb_bound_state.h - the few things of one owner that are kept: the smallest by keyed hash, with sums.
 *
 * An owner is a unit, and the things are its groups; or a unit's group, and the things are its values or
 * rows. A state holds at most `most` entries, sorted by hash, ties by the thing's own value, and in each the
 * number of rows and the sums of up to BOUND_VALUES columns. A thing that is pushed out can never come back,
 * for the order is fixed; so what is kept at the end is the same for every order of rows and every split
 * over threads, and the sums of what is kept are complete.
 *
 * A thing is a code (a number below 2^32) or bytes. Sums are kept modulo 2^64: exact while a unit has fewer
 * than 2^32 rows of at most 2^31 each, deterministic and without harm beyond, because what a unit contributes
 * is clamped later. The number of rows stops at 2^32 - 1.
 *
 * States with little in them lie inline in DuckDB's hash table; others on the heap. The memory is not wiped
 * when it is freed: DuckDB itself keeps the same values in memory that it does not wipe, and a pass over
 * all states would cost as much as the work. */
#ifndef ENGINE_DUCKDB_BOUND_STATE_H
#define ENGINE_DUCKDB_BOUND_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BOUND_VALUES = 8, BOUND_ENTRY_WORDS = 3 + BOUND_VALUES };

struct bound_shape {
    uint32_t value_count;
    uint32_t inline_entries; /* 0: on the heap, as bytes always are */
    bool bytes;              /* things are bytes; else codes */
};

struct bound_state {
    uint32_t count, most;
    uint64_t words[]; /* the entries; or, on the heap: their address, and for how many there is room */
};

/* A thing, on its way in. */
struct bound_thing {
    uint64_t hash;
    uint32_t code;     /* or the number of bytes */
    const void *bytes; /* or NULL */
};

/* Words of an entry: hash; code or length above the number of rows; for bytes their address; the sums. */
static inline size_t bound_entry_words(const struct bound_shape *shape)
{
    return 2 + (size_t)shape->bytes + shape->value_count;
}

size_t bound_state_size(const struct bound_shape *shape);
void bound_state_init(struct bound_state *state);
/* DuckDB does not tell which function a state belongs to when it is destroyed; so it says itself, in the upper
 * half of words[1], how many words its entries of bytes have (0: codes). Not for inline states. */
void bound_state_free(struct bound_state *state);

static inline uint64_t *bound_entries(const struct bound_shape *shape, const struct bound_state *state)
{
    return shape->inline_entries ? (uint64_t *)(uintptr_t)state->words
                                 : (uint64_t *)(uintptr_t)state->words[0];
}

static inline uint32_t bound_entry_code(const uint64_t *entry)
{
    return (uint32_t)(entry[1] >> 32);
}

static inline uint32_t bound_entry_rows(const uint64_t *entry)
{
    return (uint32_t)entry[1];
}

static inline const void *bound_entry_bytes(const uint64_t *entry)
{
    return (const void *)(uintptr_t)entry[2];
}

/* The sums of the entry for the thing, made if it is among the smallest; and adds `rows` to its rows. NULL:
 * not kept, or `*failed` for want of memory. */
uint64_t *bound_state_add(const struct bound_shape *shape, struct bound_state *state,
                          const struct bound_thing *thing, uint32_t rows, bool *failed);

/* The same for codes in inline states, for the inner loop over rows: `words` of an entry is a constant there, and
 * the compiler makes straight code of it. */
static inline uint64_t *bound_state_add_code(size_t words, struct bound_state *state, uint64_t hash,
                                             uint32_t code, uint32_t rows)
{
    uint64_t *entries = state->words, packed = (uint64_t)code << 32;
    size_t count = state->count, place = 0;

    while (place < count &&
           (entries[place * words] < hash ||
            (entries[place * words] == hash && bound_entry_code(entries + place * words) < code)))
        place++;
    uint64_t *entry = entries + place * words;
    if (place == count || entry[0] != hash || bound_entry_code(entry) != code) {
        if (place >= state->most)
            return NULL;
        if (count < state->most)
            state->count = (uint32_t)++count;
        for (size_t i = count * words; i-- > (place + 1) * words;)
            entries[i] = entries[i - words];
        for (size_t i = 2; i < words; i++)
            entry[i] = 0;
        entry[0] = hash;
        entry[1] = packed;
    }
    uint64_t sum = (entry[1] & UINT32_MAX) + rows;
    entry[1] = packed | (sum < UINT32_MAX ? sum : UINT32_MAX);
    return entry + 2;
}

/* Adds all that `source` holds to `target`. */
void bound_state_combine(const struct bound_shape *shape, const struct bound_state *source,
                         struct bound_state *target, bool *failed);

#endif
