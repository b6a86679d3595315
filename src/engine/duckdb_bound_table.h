/* duckdb_bound_table.h - byte strings, each with a number: 0, 1, 2, ... in the order in which they came. */
#ifndef ENGINE_DUCKDB_BOUND_TABLE_H
#define ENGINE_DUCKDB_BOUND_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bound_string {
    uint64_t hash;
    size_t offset; /* of its bytes in `bytes` */
    uint32_t length;
};

struct bound_table {
    struct bound_string *strings;
    size_t count, room;
    uint32_t *slots; /* number + 1, or 0; a power of two of them */
    size_t slot_count;
    char *bytes;
    size_t byte_count, byte_room;
    uint32_t longest;
};

void bound_table_init(struct bound_table *table);
void bound_table_free(struct bound_table *table);

/* Its number; false: it is not there. */
bool bound_table_find(const struct bound_table *table, const void *bytes, uint32_t length, uint32_t *number);

/* Its number, a new one if it is new. False: no memory, or 2^31 strings. */
bool bound_table_add(struct bound_table *table, const void *bytes, uint32_t length, uint32_t *number);

static inline const char *bound_table_bytes(const struct bound_table *table, size_t number, uint32_t *length)
{
    *length = table->strings[number].length;
    return table->bytes + table->strings[number].offset;
}

#endif
