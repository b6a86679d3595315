/* duckdb_bound_entries.h - the bytes that dither_bound_G_V returns for one owner, read entry by entry. */
#ifndef ENGINE_DUCKDB_BOUND_ENTRIES_H
#define ENGINE_DUCKDB_BOUND_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* G and V in the names of the functions that are registered. */
enum { BOUND_INLINE_SIZES = 4, BOUND_VALUE_SIZES = 5 };
static const uint32_t bound_inline_sizes[BOUND_INLINE_SIZES] = {1, 2, 3, 0};
static const uint32_t bound_value_sizes[BOUND_VALUE_SIZES] = {0, 1, 2, 4, 8};

struct bound_reader {
    const char *next, *end;
    uint32_t value_count;
    bool bytes;
};

struct bound_entry {
    uint32_t code; /* or the number of bytes */
    uint32_t rows;
    const char *sums; /* value_count words, not aligned */
    const char *bytes;
};

static inline int64_t bound_entry_sum(const struct bound_entry *entry, size_t index)
{
    int64_t sum;
    memcpy(&sum, entry->sums + index * sizeof sum, sizeof sum);
    return sum;
}

/* False at the end. */
static inline bool bound_read_entry(struct bound_reader *reader, struct bound_entry *out)
{
    size_t fixed = (1 + (size_t)reader->value_count) * sizeof(uint64_t);
    uint64_t word;

    if ((size_t)(reader->end - reader->next) < fixed)
        return false;
    memcpy(&word, reader->next, sizeof word);
    *out = (struct bound_entry){.code = (uint32_t)(word >> 32),
                                .rows = (uint32_t)word,
                                .sums = reader->next + sizeof word,
                                .bytes = reader->next + fixed};
    reader->next += fixed;
    if (!reader->bytes)
        return true;
    if ((size_t)(reader->end - reader->next) < out->code)
        return false;
    reader->next += out->code;
    return true;
}

#endif
