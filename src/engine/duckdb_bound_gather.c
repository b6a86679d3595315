#include "engine/duckdb_bound_gather.h"

#include <stdlib.h>
#include <string.h>

#include "engine/duckdb_bound.h"
#include "engine/duckdb_bound_entries.h"
#include "engine/duckdb_bound_table.h"
#include "engine/duckdb_steps.h"

/* What one thread, and in the end the query, has added up. There are as many as threads, so it lies on the
 * heap. 128 bits: 2^64 units of 2^63 each do not overflow. */
struct sums {
    struct gather_specification specification;
    struct bound_table keys; /* bytes */
    int128_t *totals;        /* for each group: units, measures */
    size_t group_room;
};

struct gather_state {
    struct sums *sums; /* NULL until the first row */
};

static size_t words_of(const struct sums *sums)
{
    return 1 + sums->specification.measure_count;
}

static size_t group_count(const struct sums *sums)
{
    return sums->specification.bytes ? sums->keys.count : sums->specification.code_count;
}

static bool grow_groups(struct sums *sums, size_t needed)
{
    if (needed <= sums->group_room)
        return true;
    size_t room = needed < 2 * sums->group_room ? 2 * sums->group_room : needed;
    size_t words = words_of(sums);
    int128_t *totals = realloc(sums->totals, room * words * sizeof *totals);
    if (!totals)
        return false;
    memset(totals + sums->group_room * words, 0, (room - sums->group_room) * words * sizeof *totals);
    sums->totals = totals;
    sums->group_room = room;
    return true;
}

static void sums_free(struct sums *sums)
{
    if (!sums)
        return;
    bound_table_free(&sums->keys);
    free(sums->totals);
    free(sums);
}

static struct sums *sums_new(const struct gather_specification *specification)
{
    struct sums *sums = calloc(1, sizeof *sums);

    if (!sums)
        return NULL;
    sums->specification = *specification;
    bound_table_init(&sums->keys);
    if (!grow_groups(sums, specification->bytes ? 64 : (size_t)specification->code_count + 1)) {
        sums_free(sums);
        return NULL;
    }
    return sums;
}

/* The totals of a group; NULL: no memory, or (never) a code beyond the last. */
static int128_t *totals_of(struct sums *sums, const void *bytes, uint32_t code)
{
    uint32_t group = code;

    if (sums->specification.bytes) {
        if (!bound_table_add(&sums->keys, bytes, code, &group) || !grow_groups(sums, (size_t)group + 1))
            return NULL;
    } else if (code >= sums->specification.code_count) {
        return NULL;
    }
    return sums->totals + group * words_of(sums);
}

static void add_entry(const struct gather_specification *specification, const struct bound_entry *entry,
                      int128_t *totals)
{
    size_t value = 0;

    totals[0]++;
    for (size_t i = 0; i < specification->measure_count; i++) {
        const struct gather_measure *measure = &specification->measures[i];
        int128_t sum = 1;
        uint32_t rows = entry->rows;

        switch (measure->kind) {
        case GATHER_UNITS:
            rows = 0;
            break;
        case GATHER_ROWS:
            sum = rows;
            break;
        case GATHER_VALUE:
            sum = bound_entry_sum(entry, value++);
            break;
        case GATHER_PAIR:
            sum = (int128_t)bound_entry_sum(entry, value) * ((int128_t)1 << STEPS_LOW_BITS) +
                  bound_entry_sum(entry, value + 1);
            value += 2;
            break;
        }
        totals[1 + i] +=
            gather_contribution(sum, rows, specification->most_rows, measure->lower, measure->upper);
    }
}

static bool add_owner(struct sums *sums, const duckdb_string_t *owner)
{
    uint32_t length;
    const char *text = bound_text(owner, &length);
    struct bound_reader reader = {.next = text,
                                  .end = text + length,
                                  .value_count = sums->specification.value_count,
                                  .bytes = sums->specification.bytes};
    struct bound_entry entry;

    while (bound_read_entry(&reader, &entry)) {
        int128_t *totals = totals_of(sums, entry.bytes, entry.code);
        if (!totals)
            return false;
        add_entry(&sums->specification, &entry, totals);
    }
    return true;
}

static idx_t state_size(duckdb_function_info info)
{
    (void)info;
    return sizeof(struct gather_state);
}

static void state_init(duckdb_function_info info, duckdb_aggregate_state state)
{
    (void)info;
    ((struct gather_state *)state)->sums = NULL;
}

static void state_destroy(duckdb_aggregate_state *states, idx_t count)
{
    for (idx_t i = 0; i < count; i++) {
        struct gather_state *state = (struct gather_state *)states[i];
        sums_free(state->sums);
        state->sums = NULL;
    }
}

static void update(duckdb_function_info info, duckdb_data_chunk input, duckdb_aggregate_state *states)
{
    const duckdb_string_t *owners = bound_data(input, 1);
    struct gather_specification specification;
    size_t count = duckdb_data_chunk_get_size(input);
    uint32_t length;

    if (count == 0)
        return;
    const char *text = bound_text(bound_data(input, 0), &length);
    if (!gather_read(text, length, &specification)) {
        duckdb_aggregate_function_set_error(info, "dither_gather: not a specification");
        return;
    }
    for (size_t i = 0; i < count; i++) {
        struct gather_state *state = (struct gather_state *)states[i];
        if (!state->sums)
            state->sums = sums_new(&specification);
        if (!state->sums || !add_owner(state->sums, &owners[i])) {
            duckdb_aggregate_function_set_error(info, "no memory");
            return;
        }
    }
}

static bool add_sums(const struct sums *source, struct sums *target)
{
    size_t words = words_of(source);

    for (size_t i = 0; i < group_count(source); i++) {
        uint32_t code = (uint32_t)i;
        const char *bytes = source->specification.bytes ? bound_table_bytes(&source->keys, i, &code) : NULL;
        int128_t *totals = totals_of(target, bytes, code);
        if (!totals)
            return false;
        for (size_t j = 0; j < words; j++)
            totals[j] += source->totals[i * words + j];
    }
    return true;
}

static void combine(duckdb_function_info info, duckdb_aggregate_state *source, duckdb_aggregate_state *target,
                    idx_t count)
{
    for (idx_t i = 0; i < count; i++) {
        const struct sums *from = ((const struct gather_state *)source[i])->sums;
        struct gather_state *to = (struct gather_state *)target[i];
        if (!from)
            continue;
        if (!to->sums)
            to->sums = sums_new(&from->specification);
        if (!to->sums || !add_sums(from, to->sums)) {
            duckdb_aggregate_function_set_error(info, "no memory");
            return;
        }
    }
}

/* The result's bytes: malloc'ed; NULL without memory. */
static char *write_sums(const struct sums *sums, size_t *length)
{
    size_t words = words_of(sums), groups = group_count(sums);
    size_t room = groups * words * sizeof(int64_t) + groups * sizeof(uint32_t) + sums->keys.byte_count + 1;
    char *bytes = malloc(room), *next = bytes;

    if (!bytes)
        return NULL;
    for (size_t i = 0; i < groups; i++) {
        if (sums->specification.bytes) {
            uint32_t key_length;
            const char *key = bound_table_bytes(&sums->keys, i, &key_length);
            memcpy(next, &key_length, sizeof key_length);
            memcpy(next + sizeof key_length, key, key_length);
            next += sizeof key_length + key_length;
        }
        for (size_t j = 0; j < words; j++, next += sizeof(int64_t)) {
            int64_t number = gather_saturate(sums->totals[i * words + j]);
            memcpy(next, &number, sizeof number);
        }
    }
    *length = (size_t)(next - bytes);
    return bytes;
}

static void finalize(duckdb_function_info info, duckdb_aggregate_state *states, duckdb_vector result,
                     idx_t count, idx_t offset)
{
    for (idx_t i = 0; i < count; i++) {
        const struct sums *sums = ((const struct gather_state *)states[i])->sums;
        size_t length = 0;
        char *bytes = sums ? write_sums(sums, &length) : NULL;

        if (sums && (!bytes || length > UINT32_MAX))
            duckdb_aggregate_function_set_error(info, "no memory");
        else
            duckdb_vector_assign_string_element_len(result, offset + i, bytes ? bytes : "", length);
        free(bytes);
    }
}

status duckdb_gather_register(duckdb_connection connection, error *why)
{
    duckdb_aggregate_function function = duckdb_create_aggregate_function();
    duckdb_logical_type text = duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR);
    duckdb_logical_type blob = duckdb_create_logical_type(DUCKDB_TYPE_BLOB);

    duckdb_aggregate_function_set_name(function, "dither_gather");
    duckdb_aggregate_function_add_parameter(function, text);
    duckdb_aggregate_function_add_parameter(function, blob);
    duckdb_aggregate_function_set_return_type(function, blob);
    duckdb_aggregate_function_set_functions(function, state_size, state_init, update, combine, finalize);
    duckdb_aggregate_function_set_destructor(function, state_destroy);
    duckdb_state state = duckdb_register_aggregate_function(connection, function);
    duckdb_destroy_logical_type(&text);
    duckdb_destroy_logical_type(&blob);
    duckdb_destroy_aggregate_function(&function);
    return state == DuckDBSuccess ? DITHER_OK : fail(why, DITHER_IO, "DuckDB does not take dither_gather");
}
