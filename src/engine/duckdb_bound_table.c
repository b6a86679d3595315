#include "engine/duckdb_bound_table.h"

#include <stdlib.h>
#include <string.h>

#include "engine/duckdb_hash.h"

enum { FIRST_SLOTS = 64, FIRST_BYTES = 1024 };

/* Not secret: this table says where a string is, not which one is chosen. */
static const struct hash_key table_key = {0x646974686572, 0x7461626c65};

void bound_table_init(struct bound_table *table)
{
    memset(table, 0, sizeof *table);
}

void bound_table_free(struct bound_table *table)
{
    free(table->strings);
    free(table->slots);
    free(table->bytes);
    bound_table_init(table);
}

/* The slot that holds the string, or the empty one where it would go. */
static size_t find_slot(const struct bound_table *table, uint64_t hash, const void *bytes, uint32_t length)
{
    size_t slot = hash & (table->slot_count - 1);

    for (; table->slots[slot]; slot = (slot + 1) & (table->slot_count - 1)) {
        const struct bound_string *string = &table->strings[table->slots[slot] - 1];
        if (string->hash == hash && string->length == length &&
            (length == 0 || memcmp(table->bytes + string->offset, bytes, length) == 0))
            break;
    }
    return slot;
}

bool bound_table_find(const struct bound_table *table, const void *bytes, uint32_t length, uint32_t *number)
{
    if (table->count == 0 || length > table->longest)
        return false;
    size_t slot = find_slot(table, hash_bytes(table_key, bytes, length), bytes, length);
    if (!table->slots[slot])
        return false;
    *number = table->slots[slot] - 1;
    return true;
}

static bool grow_slots(struct bound_table *table)
{
    if (table->count < table->slot_count / 2)
        return true;
    size_t slot_count = table->slot_count ? 2 * table->slot_count : FIRST_SLOTS;
    uint32_t *slots = calloc(slot_count, sizeof *slots);
    if (!slots)
        return false;
    free(table->slots);
    table->slots = slots;
    table->slot_count = slot_count;
    for (size_t i = 0; i < table->count; i++) {
        size_t slot = table->strings[i].hash & (slot_count - 1);
        while (slots[slot])
            slot = (slot + 1) & (slot_count - 1);
        slots[slot] = (uint32_t)i + 1;
    }
    return true;
}

static bool grow(void **memory, size_t size, size_t *room, size_t needed, size_t first)
{
    if (needed <= *room)
        return true;
    size_t larger = *room ? 2 * *room : first;
    if (larger < needed)
        larger = needed;
    void *grown = realloc(*memory, larger * size);
    if (!grown)
        return false;
    *memory = grown;
    *room = larger;
    return true;
}

bool bound_table_add(struct bound_table *table, const void *bytes, uint32_t length, uint32_t *number)
{
    uint64_t hash = hash_bytes(table_key, bytes, length);

    if (table->count >= INT32_MAX || !grow_slots(table))
        return false;
    size_t slot = find_slot(table, hash, bytes, length);
    if (table->slots[slot]) {
        *number = table->slots[slot] - 1;
        return true;
    }
    if (!grow((void **)&table->strings, sizeof *table->strings, &table->room, table->count + 1,
              FIRST_SLOTS) ||
        !grow((void **)&table->bytes, 1, &table->byte_room, table->byte_count + length + 1, FIRST_BYTES))
        return false;
    table->strings[table->count] = (struct bound_string){hash, table->byte_count, length};
    if (length)
        memcpy(table->bytes + table->byte_count, bytes, length);
    table->byte_count += length;
    if (length > table->longest)
        table->longest = length;
    *number = (uint32_t)table->count++;
    table->slots[slot] = *number + 1;
    return true;
}
