/* dither_bound_G_V('KEY', most, owner, thing, v1, ... vV) -> BLOB, an aggregate: the `most` things of an owner
 * with the smallest keyed hash of (owner, thing), each with its number of rows and its sums of the values.
 *
 * GROUP BY the owner, which is also an argument because the hash needs it. G entries lie inline in the hash
 * table (0: on the heap); V is 0, 1, 2, 4 or 8. Owner: BIGINT or BLOB. Thing: BIGINT, a code below 2^32, whose
 * NULL leaves the row out; or BLOB. A value that is NULL adds nothing.
 *
 * The result is the entries one after the other: a word with the code or length above the number of rows, the
 * sums, and the bytes. Codes come from public domains (their order is public), so hashing the code is hashing
 * the value. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "engine/duckdb_bound.h"
#include "engine/duckdb_bound_entries.h"
#include "engine/duckdb_bound_state.h"
#include "engine/duckdb_hash.h"

enum { ARGUMENT_KEY, ARGUMENT_MOST, ARGUMENT_OWNER, ARGUMENT_THING, ARGUMENT_VALUES };
enum { MOST_ROWS = 2048, AHEAD = 12, CACHE_LINE = 64 };

/* What a registered function is told of itself. */
struct kind {
    struct bound_shape shape;
    bool owner_bytes;
};

static const struct kind *kind_of(duckdb_function_info info)
{
    return duckdb_aggregate_function_get_extra_info(info);
}

static idx_t state_size(duckdb_function_info info)
{
    return bound_state_size(&kind_of(info)->shape);
}

static void state_init(duckdb_function_info info, duckdb_aggregate_state state)
{
    (void)info;
    bound_state_init((struct bound_state *)state);
}

static void state_destroy(duckdb_aggregate_state *states, idx_t count)
{
    for (idx_t i = 0; i < count; i++)
        bound_state_free((struct bound_state *)states[i]);
}

/* ---- Rows in ---- */

struct value_column {
    const int64_t *data;
    const uint64_t *validity;
};

struct batch {
    struct hash_key key;
    uint32_t most;
    size_t count, value_count;
    const uint64_t *owner_validity, *thing_validity;
    struct value_column values[BOUND_VALUES];
};

static uint64_t word_of(struct hash_key key, const void *data, bool bytes, size_t row)
{
    if (!bytes)
        return ((const uint64_t *)data)[row];
    uint32_t length;
    const char *text = bound_text((const duckdb_string_t *)data + row, &length);
    return hash_bytes(key, text, length);
}

BOUND_WIDE_VECTORS static void hash_numbers(struct hash_key key, const uint64_t *restrict owners,
                                            const uint64_t *restrict things, uint64_t *restrict hashes,
                                            size_t count)
{
    for (size_t i = 0; i < count; i++)
        hashes[i] = hash_words(key, owners[i], things[i]);
}

/* The hash of every row: a loop of its own, without branches for plain numbers. */
static void hash_rows(const struct kind *kind, const struct batch *batch, const void *owners,
                      const void *things, uint64_t *hashes)
{
    if (!kind->owner_bytes && !kind->shape.bytes) {
        hash_numbers(batch->key, owners, things, hashes, batch->count);
        return;
    }
    for (size_t i = 0; i < batch->count; i++)
        if (bound_is_valid(batch->owner_validity, i) && bound_is_valid(batch->thing_validity, i))
            hashes[i] = hash_words(batch->key, word_of(batch->key, owners, kind->owner_bytes, i),
                                   word_of(batch->key, things, kind->shape.bytes, i));
}

static struct bound_thing thing_of(const struct kind *kind, const void *things, size_t row, uint64_t hash)
{
    struct bound_thing thing = {.hash = hash};

    if (kind->shape.bytes)
        thing.bytes = bound_text((const duckdb_string_t *)things + row, &thing.code);
    else
        thing.code = (uint32_t)((const uint64_t *)things)[row];
    return thing;
}

static void add_values(const struct batch *batch, size_t row, uint64_t *sums)
{
    for (size_t j = 0; j < batch->value_count; j++)
        if (bound_is_valid(batch->values[j].validity, row))
            sums[j] += (uint64_t)batch->values[j].data[row];
}

static struct batch batch_of(const struct kind *kind, duckdb_data_chunk input)
{
    struct batch batch = {.count = duckdb_data_chunk_get_size(input),
                          .value_count = kind->shape.value_count,
                          .owner_validity = bound_validity(input, ARGUMENT_OWNER),
                          .thing_validity = bound_validity(input, ARGUMENT_THING)};
    uint32_t length;
    const char *key = bound_text(bound_data(input, ARGUMENT_KEY), &length);
    int64_t most = *(const int64_t *)bound_data(input, ARGUMENT_MOST);
    int64_t limit = kind->shape.inline_entries ? kind->shape.inline_entries : UINT32_MAX;

    batch.key = hash_key_read(key, length);
    batch.most = (uint32_t)(most < 0 ? 0 : most > limit ? limit : most);
    for (size_t j = 0; j < batch.value_count; j++)
        batch.values[j] = (struct value_column){bound_data(input, ARGUMENT_VALUES + j),
                                                bound_validity(input, ARGUMENT_VALUES + j)};
    return batch;
}

static void prefetch(duckdb_aggregate_state *states, size_t row, size_t count)
{
    if (row + AHEAD >= count) /* states lie all over a large hash table */
        return;
    __builtin_prefetch(states[row + AHEAD], 1);
    __builtin_prefetch((char *)states[row + AHEAD] + CACHE_LINE, 1);
}

static inline __attribute__((always_inline)) void add_codes(const struct batch *batch, const uint64_t *things,
                                                            const uint64_t *hashes, size_t words,
                                                            duckdb_aggregate_state *states)
{
    for (size_t i = 0; i < batch->count; i++) {
        prefetch(states, i, batch->count);
        if (!bound_is_valid(batch->owner_validity, i) || !bound_is_valid(batch->thing_validity, i))
            continue;
        struct bound_state *state = (struct bound_state *)states[i];
        state->most = batch->most;
        uint64_t *sums = bound_state_add_code(words, state, hashes[i], (uint32_t)things[i], 1);
        for (size_t j = 0; sums && j < words - 2; j++)
            if (bound_is_valid(batch->values[j].validity, i))
                sums[j] += (uint64_t)batch->values[j].data[i];
    }
}

/* The common sizes have code of their own. */
static void add_inline(const struct batch *batch, const uint64_t *things, const uint64_t *hashes,
                       duckdb_aggregate_state *states)
{
    switch (batch->value_count) {
    case 0:
        add_codes(batch, things, hashes, 2, states);
        return;
    case 1:
        add_codes(batch, things, hashes, 3, states);
        return;
    case 2:
        add_codes(batch, things, hashes, 4, states);
        return;
    default:
        add_codes(batch, things, hashes, 2 + batch->value_count, states);
        return;
    }
}

static bool add_on_heap(const struct kind *kind, const struct batch *batch, const void *things,
                        const uint64_t *hashes, duckdb_aggregate_state *states)
{
    bool failed = false;

    for (size_t i = 0; i < batch->count; i++) {
        prefetch(states, i, batch->count);
        if (!bound_is_valid(batch->owner_validity, i) || !bound_is_valid(batch->thing_validity, i))
            continue;
        struct bound_state *state = (struct bound_state *)states[i];
        struct bound_thing thing = thing_of(kind, things, i, hashes[i]);
        state->most = batch->most;
        uint64_t *sums = bound_state_add(&kind->shape, state, &thing, 1, &failed);
        if (sums)
            add_values(batch, i, sums);
    }
    return !failed;
}

static void update(duckdb_function_info info, duckdb_data_chunk input, duckdb_aggregate_state *states)
{
    const struct kind *kind = kind_of(info);
    uint64_t hashes[MOST_ROWS];

    if (duckdb_data_chunk_get_size(input) == 0)
        return;
    const struct batch batch = batch_of(kind, input);
    const void *owners = bound_data(input, ARGUMENT_OWNER), *things = bound_data(input, ARGUMENT_THING);
    if (batch.count > MOST_ROWS) { /* DuckDB's vectors have 2048 rows in every build that there is */
        duckdb_aggregate_function_set_error(info, "vectors of more than 2048 rows");
        return;
    }
    hash_rows(kind, &batch, owners, things, hashes);
    if (kind->shape.inline_entries)
        add_inline(&batch, things, hashes, states);
    else if (!add_on_heap(kind, &batch, things, hashes, states))
        duckdb_aggregate_function_set_error(info, "no memory");
}

static void combine(duckdb_function_info info, duckdb_aggregate_state *source, duckdb_aggregate_state *target,
                    idx_t count)
{
    const struct kind *kind = kind_of(info);
    bool failed = false;

    for (idx_t i = 0; i < count; i++) {
        prefetch(target, i, count);
        bound_state_combine(&kind->shape, (const struct bound_state *)source[i],
                            (struct bound_state *)target[i], &failed);
    }
    if (failed)
        duckdb_aggregate_function_set_error(info, "no memory");
}

/* ---- Entries out ---- */

enum { RESULT_LIMIT = 1 << 30 };

static void write_state(const struct bound_shape *shape, const struct bound_state *state, struct buffer *out)
{
    size_t words = bound_entry_words(shape);
    const uint64_t *entries = bound_entries(shape, state);

    for (size_t i = 0; i < state->count; i++) {
        const uint64_t *entry = entries + i * words;
        buffer_append(out, entry + 1, sizeof *entry);
        buffer_append(out, entry + (words - shape->value_count), shape->value_count * sizeof *entry);
        if (shape->bytes)
            buffer_append(out, bound_entry_bytes(entry), bound_entry_code(entry));
    }
}

/* Codes: an entry without its hash is its result. */
static void write_codes(const struct bound_shape *shape, const struct bound_state *state, uint64_t *out)
{
    size_t words = bound_entry_words(shape);
    const uint64_t *entries = bound_entries(shape, state);

    for (size_t i = 0; i < state->count; i++)
        memcpy(out + i * (words - 1), entries + i * words + 1, (words - 1) * sizeof *out);
}

static void finalize(duckdb_function_info info, duckdb_aggregate_state *states, duckdb_vector result,
                     idx_t count, idx_t offset)
{
    const struct kind *kind = kind_of(info);
    uint64_t room[4 * BOUND_ENTRY_WORDS];
    struct buffer bytes;

    buffer_init(&bytes, RESULT_LIMIT);
    for (idx_t i = 0; i < count && !bytes.failed; i++) {
        const struct bound_state *state = (const struct bound_state *)states[i];
        if (kind->shape.inline_entries) {
            write_codes(&kind->shape, state, room);
            duckdb_vector_assign_string_element_len(result, offset + i, (const char *)room,
                                                    state->count * (bound_entry_words(&kind->shape) - 1) *
                                                        sizeof *room);
            continue;
        }
        bytes.length = 0;
        write_state(&kind->shape, state, &bytes);
        duckdb_vector_assign_string_element_len(result, offset + i, bytes.data ? bytes.data : "",
                                                bytes.length);
    }
    if (bytes.failed)
        duckdb_aggregate_function_set_error(info, "no memory");
    buffer_free(&bytes);
}

/* ---- Registering ---- */

static void add_parameter(duckdb_aggregate_function function, duckdb_type id)
{
    duckdb_logical_type type = duckdb_create_logical_type(id);
    duckdb_aggregate_function_add_parameter(function, type);
    duckdb_destroy_logical_type(&type);
}

static status add_kind(duckdb_aggregate_function_set set, const char *name, struct kind shape, error *why)
{
    struct kind *kind = malloc(sizeof *kind);
    duckdb_aggregate_function function = duckdb_create_aggregate_function();
    duckdb_logical_type blob = duckdb_create_logical_type(DUCKDB_TYPE_BLOB);
    duckdb_state state = DuckDBError;

    if (kind && function && blob) {
        *kind = shape;
        duckdb_aggregate_function_set_name(function, name);
        add_parameter(function, DUCKDB_TYPE_VARCHAR);
        add_parameter(function, DUCKDB_TYPE_BIGINT);
        add_parameter(function, shape.owner_bytes ? DUCKDB_TYPE_BLOB : DUCKDB_TYPE_BIGINT);
        add_parameter(function, shape.shape.bytes ? DUCKDB_TYPE_BLOB : DUCKDB_TYPE_BIGINT);
        for (uint32_t i = 0; i < shape.shape.value_count; i++)
            add_parameter(function, DUCKDB_TYPE_BIGINT);
        duckdb_aggregate_function_set_return_type(function, blob);
        duckdb_aggregate_function_set_special_handling(function);
        duckdb_aggregate_function_set_functions(function, state_size, state_init, update, combine, finalize);
        if (!shape.shape.inline_entries)
            duckdb_aggregate_function_set_destructor(function, state_destroy);
        duckdb_aggregate_function_set_extra_info(function, kind, free);
        kind = NULL;
        state = duckdb_add_aggregate_function_to_set(set, function);
    }
    free(kind);
    duckdb_destroy_logical_type(&blob);
    duckdb_destroy_aggregate_function(&function);
    return state == DuckDBSuccess ? DITHER_OK : fail(why, DITHER_IO, "DuckDB does not take %s", name);
}

static status add_overloads(duckdb_aggregate_function_set set, const char *name, struct bound_shape shape,
                            error *why)
{
    for (int bytes = 0; bytes < (shape.inline_entries ? 1 : 2); bytes++)
        for (int owner_bytes = 0; owner_bytes < 2; owner_bytes++) {
            struct kind kind = {.shape = shape, .owner_bytes = owner_bytes};
            kind.shape.bytes = bytes;
            TRY(add_kind(set, name, kind, why));
        }
    return DITHER_OK;
}

static status register_shape(duckdb_connection connection, struct bound_shape shape, error *why)
{
    char name[64];
    snprintf(name, sizeof name, "dither_bound_%u_%u", shape.inline_entries, shape.value_count);
    duckdb_aggregate_function_set set = duckdb_create_aggregate_function_set(name);
    status result = add_overloads(set, name, shape, why);

    if (result == DITHER_OK && duckdb_register_aggregate_function_set(connection, set) != DuckDBSuccess)
        result = fail(why, DITHER_IO, "DuckDB does not take %s", name);
    duckdb_destroy_aggregate_function_set(&set);
    return result;
}

status duckdb_choose_register(duckdb_connection connection, error *why)
{
    for (size_t i = 0; i < BOUND_INLINE_SIZES; i++)
        for (size_t j = 0; j < BOUND_VALUE_SIZES; j++)
            TRY(register_shape(connection,
                               (struct bound_shape){.inline_entries = bound_inline_sizes[i],
                                                    .value_count = bound_value_sizes[j]},
                               why));
    return DITHER_OK;
}
