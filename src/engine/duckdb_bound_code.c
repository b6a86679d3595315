/* Keys with a public domain become small numbers in the engine.
 *
 *     dither_code(x, table VARCHAR) -> BIGINT            the place of x in the table, or NULL
 *     dither_code_range(x, lower BIGINT, upper BIGINT, null_code BIGINT) -> BIGINT
 *                                                        x - lower within the bounds; else NULL
 *
 * The table is a constant: values packed (duckdb_bound_pack.h), each after its length in 32 bits, all in
 * hexadecimal digits; it is read once, when the query is bound. NULL has the place that the table gives it, or
 * null_code unless that is negative. What has no place makes no row of the result, so it is left out before
 * bounding: a unit's groups are chosen among those that can be shown. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "engine/duckdb_bound.h"
#include "engine/duckdb_bound_pack.h"
#include "engine/duckdb_bound_table.h"

enum { CELL_LIMIT = 1 << 30 };

/* Bind data: copied with the plan, so it is counted. */
struct codes {
    atomic_size_t owners;
    struct bound_table table;
};

static void *codes_copy(void *data)
{
    struct codes *codes = data;
    atomic_fetch_add(&codes->owners, 1);
    return codes;
}

static void codes_free(void *data)
{
    struct codes *codes = data;
    if (!codes || atomic_fetch_sub(&codes->owners, 1) != 1)
        return;
    bound_table_free(&codes->table);
    free(codes);
}

static int digit_value(char digit)
{
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

/* Turns the digits into bytes where they stand; the number of bytes. Stops at the first that is none, so that
 * the stand-in DOMAIN of explain is an empty table. */
static size_t read_digits(char *text)
{
    size_t count = 0;

    for (;; count++) {
        int high = digit_value(text[2 * count]), low = high < 0 ? -1 : digit_value(text[2 * count + 1]);
        if (low < 0)
            return count;
        text[count] = (char)(unsigned char)(16 * high + low);
    }
}

static bool read_table(char *text, struct bound_table *table)
{
    size_t count = read_digits(text), place = 0;
    uint32_t length, number;

    while (count - place >= sizeof length) {
        memcpy(&length, text + place, sizeof length);
        place += sizeof length;
        if (count - place < length || !bound_table_add(table, text + place, length, &number))
            return false;
        place += length;
    }
    return true;
}

/* The constant argument's text, to be freed by duckdb_free; NULL: it is not constant. */
static char *constant_text(duckdb_bind_info info, idx_t index)
{
    duckdb_expression expression = duckdb_scalar_function_bind_get_argument(info, index);
    duckdb_client_context context = NULL;
    duckdb_value value = NULL;
    char *text = NULL;

    duckdb_scalar_function_get_client_context(info, &context);
    if (duckdb_expression_is_foldable(expression)) {
        duckdb_error_data failure = duckdb_expression_fold(context, expression, &value);
        if (!duckdb_error_data_has_error(failure))
            text = duckdb_get_varchar(value);
        duckdb_destroy_error_data(&failure);
        if (value)
            duckdb_destroy_value(&value);
    }
    duckdb_destroy_client_context(&context);
    duckdb_destroy_expression(&expression);
    return text;
}

static void code_bind(duckdb_bind_info info)
{
    char *text = constant_text(info, 1);
    struct codes *codes = calloc(1, sizeof *codes);

    if (codes) {
        atomic_init(&codes->owners, 1);
        bound_table_init(&codes->table);
    }
    if (text && codes && read_table(text, &codes->table)) {
        duckdb_scalar_function_set_bind_data(info, codes, codes_free);
        duckdb_scalar_function_set_bind_data_copy(info, codes_copy);
    } else {
        codes_free(codes);
        duckdb_scalar_function_bind_set_error(info, "dither_code: not a table");
    }
    duckdb_free(text);
}

static void code_callback(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    const struct codes *codes = duckdb_scalar_function_get_bind_data(info);
    struct pack_column column = pack_column_of(duckdb_data_chunk_get_vector(input, 0));
    int64_t *result = duckdb_vector_get_data(output);
    struct buffer bytes;

    buffer_init(&bytes, CELL_LIMIT);
    for (idx_t i = 0; i < duckdb_data_chunk_get_size(input); i++) {
        uint32_t code;
        bytes.length = 0;
        pack_cell(&column, i, &bytes);
        if (!bytes.failed && bound_table_find(&codes->table, bytes.data, (uint32_t)bytes.length, &code))
            result[i] = code;
        else
            bound_set_null(output, i);
    }
    if (bytes.failed)
        duckdb_scalar_function_set_error(info, "no memory");
    buffer_free(&bytes);
}

struct code_range {
    int64_t lower, upper, null_code;
};

/* BIGINT without NULLs, as most keys are: no branch but for what is outside. */
static bool code_plain(const int64_t *values, const struct code_range *range, int64_t *result, size_t count)
{
    uint64_t width = (uint64_t)range->upper - (uint64_t)range->lower;
    bool outside = false;

    for (size_t i = 0; i < count; i++) {
        uint64_t code = (uint64_t)values[i] - (uint64_t)range->lower;
        result[i] = (int64_t)code;
        outside |= code > width;
    }
    return !outside;
}

static void range_callback(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    size_t count = duckdb_data_chunk_get_size(input);
    struct pack_column column = pack_column_of(duckdb_data_chunk_get_vector(input, 0));
    int64_t *result = duckdb_vector_get_data(output), value = 0;

    (void)info;
    if (count == 0)
        return;
    const struct code_range range = {*(const int64_t *)bound_data(input, 1),
                                     *(const int64_t *)bound_data(input, 2),
                                     *(const int64_t *)bound_data(input, 3)};
    if (column.type == DUCKDB_TYPE_BIGINT && !column.validity &&
        code_plain(column.data, &range, result, count))
        return;
    for (size_t i = 0; i < count; i++) {
        bool valid = bound_is_valid(column.validity, i);
        if (valid && pack_whole(&column, i, &value) && value >= range.lower && value <= range.upper)
            result[i] = value - range.lower;
        else if (!valid && range.null_code >= 0)
            result[i] = range.null_code;
        else
            bound_set_null(output, i);
    }
}

status duckdb_code_register(duckdb_connection connection, error *why)
{
    static const duckdb_type table[] = {DUCKDB_TYPE_ANY, DUCKDB_TYPE_VARCHAR};
    static const duckdb_type range[] = {DUCKDB_TYPE_ANY, DUCKDB_TYPE_BIGINT, DUCKDB_TYPE_BIGINT,
                                        DUCKDB_TYPE_BIGINT};
    const struct bound_function functions[] = {
        {.name = "dither_code",
         .parameters = table,
         .parameter_count = 2,
         .sees_nulls = true,
         .callback = code_callback,
         .bind = code_bind},
        {.name = "dither_code_range",
         .parameters = range,
         .parameter_count = 4,
         .sees_nulls = true,
         .callback = range_callback},
    };

    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        TRY(bound_register_function(connection, &functions[i], DUCKDB_TYPE_BIGINT, why));
    return DITHER_OK;
}
