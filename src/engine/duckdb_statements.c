#include "engine/duckdb_statements.h"

#include <string.h>

#include "base/memory.h"
#include "engine/duckdb_hash.h"

static uint64_t hash_of(const struct buffer *text)
{
    static const struct hash_key key = {0x646974686572,
                                        0x73746174656d656e}; /* nobody gains from a collision */
    return hash_bytes(key, text->data, text->length);
}

static void forget(struct duckdb_statement *statement)
{
    duckdb_destroy_prepare(&statement->prepared);
    memory_release(statement->text, statement->length);
    *statement = (struct duckdb_statement){.text = NULL};
}

void duckdb_statements_free(struct duckdb_statements *statements)
{
    for (size_t i = 0; i < statements->count; i++)
        forget(&statements->list[i]);
    statements->count = 0;
}

const struct duckdb_statement *duckdb_statements_find(struct duckdb_statements *statements,
                                                      const struct buffer *text)
{
    uint64_t hash = hash_of(text);
    for (size_t i = 0; i < statements->count; i++) {
        struct duckdb_statement *statement = &statements->list[i];
        if (statement->hash == hash && statement->length == text->length &&
            memcmp(statement->text, text->data, text->length) == 0) {
            statement->used = ++statements->clock;
            return statement;
        }
    }
    return NULL;
}

/* A free place, or that of the one that was not used for longest. */
static struct duckdb_statement *make_room(struct duckdb_statements *statements)
{
    if (statements->count < DUCKDB_STATEMENTS)
        return &statements->list[statements->count++];
    struct duckdb_statement *oldest = &statements->list[0];
    for (size_t i = 1; i < DUCKDB_STATEMENTS; i++)
        if (statements->list[i].used < oldest->used)
            oldest = &statements->list[i];
    forget(oldest);
    return oldest;
}

const struct duckdb_statement *duckdb_statements_add(struct duckdb_statements *statements,
                                                     const struct buffer *text, bool taken,
                                                     duckdb_prepared_statement prepared)
{
    char *copy = memory_allocate(text->length);
    if (copy == NULL) {
        duckdb_destroy_prepare(&prepared);
        return NULL;
    }
    memcpy(copy, text->data, text->length);
    struct duckdb_statement *statement = make_room(statements);
    *statement = (struct duckdb_statement){.hash = hash_of(text),
                                           .text = copy,
                                           .length = text->length,
                                           .used = ++statements->clock,
                                           .prepared = prepared,
                                           .taken = taken};
    return statement;
}
