/* dither_kept(b BLOB, thing BLOB), dither_kept_code(b BLOB, code BIGINT) -> BOOLEAN: whether the thing is among the entries that
 * dither_bound_G_0 kept.
 *
 * dither_hash('KEY', owner BIGINT or BLOB, thing BIGINT or BLOB) -> UBIGINT: the hash by which it keeps them.
 * For tests, which choose once more in plain SQL. */
#include "engine/duckdb_bound.h"
#include "engine/duckdb_bound_entries.h"
#include "engine/duckdb_hash.h"

static bool holds_code(const duckdb_string_t *list, int64_t code)
{
    uint32_t length;
    const char *text = bound_text(list, &length);
    struct bound_reader reader = {.next = text, .end = text + length};
    struct bound_entry entry;

    while (bound_read_entry(&reader, &entry))
        if (entry.code == code)
            return true;
    return false;
}

static bool holds_bytes(const duckdb_string_t *list, const duckdb_string_t *thing)
{
    uint32_t length, wanted_length;
    const char *text = bound_text(list, &length), *wanted = bound_text(thing, &wanted_length);
    struct bound_reader reader = {.next = text, .end = text + length, .bytes = true};
    struct bound_entry entry;

    while (bound_read_entry(&reader, &entry))
        if (entry.code == wanted_length && memcmp(entry.bytes, wanted, wanted_length) == 0)
            return true;
    return false;
}

static void kept_codes(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    const duckdb_string_t *lists = bound_data(input, 0);
    const int64_t *codes = bound_data(input, 1);
    bool *kept = duckdb_vector_get_data(output);

    (void)info;
    for (idx_t i = 0; i < duckdb_data_chunk_get_size(input); i++)
        kept[i] = bound_is_valid(bound_validity(input, 0), i) &&
                  bound_is_valid(bound_validity(input, 1), i) && holds_code(&lists[i], codes[i]);
}

static void kept_bytes(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    const duckdb_string_t *lists = bound_data(input, 0), *things = bound_data(input, 1);
    bool *kept = duckdb_vector_get_data(output);

    (void)info;
    for (idx_t i = 0; i < duckdb_data_chunk_get_size(input); i++)
        kept[i] = bound_is_valid(bound_validity(input, 0), i) &&
                  bound_is_valid(bound_validity(input, 1), i) && holds_bytes(&lists[i], &things[i]);
}

static uint64_t word_of(struct hash_key key, duckdb_data_chunk input, size_t column, size_t row)
{
    duckdb_vector vector = duckdb_data_chunk_get_vector(input, column);
    duckdb_logical_type type = duckdb_vector_get_column_type(vector);
    bool bytes = duckdb_get_type_id(type) == DUCKDB_TYPE_BLOB;
    uint32_t length;

    duckdb_destroy_logical_type(&type);
    if (!bytes)
        return ((const uint64_t *)duckdb_vector_get_data(vector))[row];
    const char *text = bound_text((const duckdb_string_t *)duckdb_vector_get_data(vector) + row, &length);
    return hash_bytes(key, text, length);
}

static void hash_callback(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    const duckdb_string_t *keys = bound_data(input, 0);
    uint64_t *hashes = duckdb_vector_get_data(output);

    (void)info;
    for (idx_t i = 0; i < duckdb_data_chunk_get_size(input); i++) {
        uint32_t length;
        const char *digits = bound_text(&keys[i], &length);
        struct hash_key key = hash_key_read(digits, length);
        if (bound_is_valid(bound_validity(input, 1), i) && bound_is_valid(bound_validity(input, 2), i))
            hashes[i] = hash_words(key, word_of(key, input, 1, i), word_of(key, input, 2, i));
        else
            bound_set_null(output, i);
    }
}

status duckdb_kept_register(duckdb_connection connection, error *why)
{
    static const duckdb_type codes[] = {DUCKDB_TYPE_BLOB, DUCKDB_TYPE_BIGINT};
    static const duckdb_type bytes[] = {DUCKDB_TYPE_BLOB, DUCKDB_TYPE_BLOB};
    static const duckdb_type any[] = {DUCKDB_TYPE_VARCHAR, DUCKDB_TYPE_ANY, DUCKDB_TYPE_ANY};
    const struct bound_function kept_code = {
        .name = "dither_kept_code", .parameters = codes, .parameter_count = 2, .callback = kept_codes};
    const struct bound_function kept = {
        .name = "dither_kept", .parameters = bytes, .parameter_count = 2, .callback = kept_bytes};
    const struct bound_function hash = {.name = "dither_hash",
                                        .parameters = any,
                                        .parameter_count = 3,
                                        .sees_nulls = true,
                                        .callback = hash_callback};

    TRY(bound_register_function(connection, &kept_code, DUCKDB_TYPE_BOOLEAN, why));
    TRY(bound_register_function(connection, &kept, DUCKDB_TYPE_BOOLEAN, why));
    return bound_register_function(connection, &hash, DUCKDB_TYPE_UBIGINT, why);
}
