#include "engine/duckdb_bound_pack.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/rational.h"

/* The byte before each value. */
enum { PACK_NULL, PACK_WHOLE, PACK_REAL, PACK_TEXT, PACK_INTERVAL };

#define DAY_MICROSECONDS ((int128_t)86400000000)
enum { MONTH_DAYS = 30 }; /* when intervals are compared, as in PostgreSQL */

/* ---- Writing: little end first, as all machines that DuckDB runs on have it ---- */

static void write_tagged(struct buffer *out, uint8_t tag, const void *bytes, size_t count)
{
    buffer_append(out, &tag, 1);
    buffer_append(out, bytes, count);
}

static void write_real(struct buffer *out, double value)
{
    if (isnan(value))
        value = NAN;
    if (value == 0)
        value = 0; /* the sign goes */
    write_tagged(out, PACK_REAL, &value, sizeof value);
}

static void write_text(struct buffer *out, const char *text, size_t length)
{
    const char *nul = length ? memchr(text, 0, length) : NULL;
    uint32_t kept = (uint32_t)(nul ? (size_t)(nul - text) : length);

    write_tagged(out, PACK_TEXT, &kept, sizeof kept);
    buffer_append(out, text, kept);
}

static void write_interval(struct buffer *out, int32_t months, int32_t days, int64_t microseconds)
{
    int128_t total = microseconds + DAY_MICROSECONDS * (days + (int128_t)MONTH_DAYS * months);
    int64_t parts[3] = {(int64_t)(total / (DAY_MICROSECONDS * MONTH_DAYS)),
                        (int64_t)(total / DAY_MICROSECONDS % MONTH_DAYS),
                        (int64_t)(total % DAY_MICROSECONDS)};
    write_tagged(out, PACK_INTERVAL, parts, sizeof parts);
}

struct pack_column pack_column_of(duckdb_vector vector)
{
    struct pack_column column = {.data = duckdb_vector_get_data(vector),
                                 .validity = duckdb_vector_get_validity(vector)};
    duckdb_logical_type type = duckdb_vector_get_column_type(vector);

    column.type = duckdb_get_type_id(type);
    if (column.type == DUCKDB_TYPE_DECIMAL)
        column.type = duckdb_decimal_internal_type(type);
    else if (column.type == DUCKDB_TYPE_DATE)
        column.type = DUCKDB_TYPE_INTEGER;
    else if (column.type == DUCKDB_TYPE_TIMESTAMP || column.type == DUCKDB_TYPE_TIMESTAMP_TZ)
        column.type = DUCKDB_TYPE_BIGINT;
    duckdb_destroy_logical_type(&type);
    return column;
}

static int64_t saturate_hugeint(duckdb_hugeint value)
{
    if (value.upper == 0 && value.lower <= INT64_MAX)
        return (int64_t)value.lower;
    if (value.upper == -1 && value.lower > INT64_MAX)
        return (int64_t)value.lower;
    return value.upper < 0 ? INT64_MIN : INT64_MAX;
}

bool pack_whole(const struct pack_column *column, size_t row, int64_t *out)
{
    if (!bound_is_valid(column->validity, row))
        return false;
    switch (column->type) {
    case DUCKDB_TYPE_BOOLEAN:
        *out = ((const bool *)column->data)[row];
        return true;
    case DUCKDB_TYPE_TINYINT:
        *out = ((const int8_t *)column->data)[row];
        return true;
    case DUCKDB_TYPE_SMALLINT:
        *out = ((const int16_t *)column->data)[row];
        return true;
    case DUCKDB_TYPE_INTEGER:
        *out = ((const int32_t *)column->data)[row];
        return true;
    case DUCKDB_TYPE_BIGINT:
        *out = ((const int64_t *)column->data)[row];
        return true;
    case DUCKDB_TYPE_HUGEINT:
        *out = saturate_hugeint(((const duckdb_hugeint *)column->data)[row]);
        return true;
    default:
        return false;
    }
}

void pack_cell(const struct pack_column *column, size_t row, struct buffer *out)
{
    int64_t whole;

    if (!bound_is_valid(column->validity, row)) {
        buffer_byte(out, PACK_NULL);
    } else if (pack_whole(column, row, &whole)) {
        write_tagged(out, PACK_WHOLE, &whole, sizeof whole);
    } else if (column->type == DUCKDB_TYPE_DOUBLE) {
        write_real(out, ((const double *)column->data)[row]);
    } else if (column->type == DUCKDB_TYPE_VARCHAR || column->type == DUCKDB_TYPE_BLOB) {
        uint32_t length;
        const char *text = bound_text((const duckdb_string_t *)column->data + row, &length);
        if (column->type == DUCKDB_TYPE_VARCHAR) {
            write_text(out, text, length);
        } else { /* bytes packed before: a key inside the name of a larger thing */
            write_tagged(out, PACK_TEXT, &length, sizeof length);
            buffer_append(out, text, length);
        }
    } else if (column->type == DUCKDB_TYPE_INTERVAL) {
        const duckdb_interval *interval = (const duckdb_interval *)column->data + row;
        write_interval(out, interval->months, interval->days, interval->micros);
    } else {
        buffer_byte(out, PACK_NULL);
    }
}

void pack_value(const struct sql_value *value, struct buffer *out)
{
    if (value->null) {
        buffer_byte(out, PACK_NULL);
        return;
    }
    switch (value->type) {
    case SQL_REAL:
        write_real(out, value->real);
        return;
    case SQL_TEXT:
        write_text(out, value->text, strlen(value->text));
        return;
    case SQL_INTERVAL:
        write_interval(out, value->months, value->days, value->whole);
        return;
    case SQL_UNKNOWN:
        buffer_byte(out, PACK_NULL);
        return;
    default:
        write_tagged(out, PACK_WHOLE, &value->whole, sizeof value->whole);
        return;
    }
}

/* ---- Reading back what was written above, and nothing else ---- */

static status take(const uint8_t **bytes, const uint8_t *end, void *out, size_t count, error *why)
{
    if ((size_t)(end - *bytes) < count)
        return fail(why, DITHER_IO, "packed values end too early");
    memcpy(out, *bytes, count);
    *bytes += count;
    return DITHER_OK;
}

static status read_text(const uint8_t **bytes, const uint8_t *end, struct arena *arena, const char **out,
                        error *why)
{
    uint32_t length = 0;
    char *text;

    TRY(take(bytes, end, &length, sizeof length, why));
    if ((size_t)(end - *bytes) < length)
        return fail(why, DITHER_IO, "packed values end too early");
    TRY(arena_text(arena, (const char *)*bytes, length, &text, why));
    *bytes += length;
    *out = text;
    return DITHER_OK;
}

status pack_read(const uint8_t **bytes, const uint8_t *end, enum sql_type type, int scale,
                 struct arena *arena, struct sql_value *out, error *why)
{
    struct sql_value value = {.type = type, .scale = scale};
    uint8_t tag = PACK_NULL;
    int64_t parts[3] = {0};

    TRY(take(bytes, end, &tag, 1, why));
    switch (tag) {
    case PACK_NULL:
        value.null = true;
        break;
    case PACK_WHOLE:
        TRY(take(bytes, end, &value.whole, sizeof value.whole, why));
        break;
    case PACK_REAL:
        TRY(take(bytes, end, &value.real, sizeof value.real, why));
        break;
    case PACK_TEXT:
        TRY(read_text(bytes, end, arena, &value.text, why));
        break;
    case PACK_INTERVAL:
        TRY(take(bytes, end, parts, sizeof parts, why));
        value.months = (int32_t)parts[0];
        value.days = (int32_t)parts[1];
        value.whole = parts[2];
        break;
    default:
        return fail(why, DITHER_IO, "packed values of no known kind");
    }
    *out = value;
    return DITHER_OK;
}

/* ---- The function ---- */

enum { MOST_COLUMNS = 64, PACK_LIMIT = 1 << 30 };

static void pack_callback(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    size_t rows = duckdb_data_chunk_get_size(input), columns = duckdb_data_chunk_get_column_count(input);
    struct pack_column sources[MOST_COLUMNS];
    struct buffer bytes;

    assert(columns <= MOST_COLUMNS);
    for (size_t i = 0; i < columns; i++)
        sources[i] = pack_column_of(duckdb_data_chunk_get_vector(input, i));
    buffer_init(&bytes, PACK_LIMIT);
    for (size_t row = 0; row < rows; row++) {
        bytes.length = 0;
        for (size_t i = 0; i < columns; i++)
            pack_cell(&sources[i], row, &bytes);
        if (bytes.failed) {
            duckdb_scalar_function_set_error(info, "no memory");
            break;
        }
        duckdb_vector_assign_string_element_len(output, row, bytes.data ? bytes.data : "", bytes.length);
    }
    buffer_free(&bytes);
}

status duckdb_pack_register(duckdb_connection connection, error *why)
{
    const struct bound_function function = {
        .name = "dither_pack", .any = true, .sees_nulls = true, .callback = pack_callback};
    return bound_register_function(connection, &function, DUCKDB_TYPE_BLOB, why);
}
