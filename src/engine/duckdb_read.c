#include "engine/duckdb_read.h"

#include <string.h>

__extension__ typedef __int128 wide;

void duckdb_column_reader_init(duckdb_data_chunk chunk, size_t column, struct duckdb_column_reader *out)
{
    duckdb_vector vector = duckdb_data_chunk_get_vector(chunk, column);
    duckdb_logical_type type = duckdb_vector_get_column_type(vector);
    out->type = out->physical = duckdb_get_type_id(type);
    out->scale = 0;
    if (out->type == DUCKDB_TYPE_DECIMAL) {
        out->physical = duckdb_decimal_internal_type(type);
        out->scale = duckdb_decimal_scale(type);
    }
    duckdb_destroy_logical_type(&type);
    out->data = duckdb_vector_get_data(vector);
    out->validity = duckdb_vector_get_validity(vector);
}

static wide wide_of(duckdb_hugeint value)
{
    return (wide)value.upper * ((wide)1 << 64) + (wide)value.lower;
}

/* A whole number as DuckDB stores it. False: it is none. */
static bool read_whole(const struct duckdb_column_reader *reader, idx_t row, wide *out)
{
    switch (reader->physical) {
    case DUCKDB_TYPE_BOOLEAN:
        *out = ((const bool *)reader->data)[row];
        return true;
    case DUCKDB_TYPE_TINYINT:
        *out = ((const int8_t *)reader->data)[row];
        return true;
    case DUCKDB_TYPE_SMALLINT:
        *out = ((const int16_t *)reader->data)[row];
        return true;
    case DUCKDB_TYPE_INTEGER:
    case DUCKDB_TYPE_DATE:
        *out = ((const int32_t *)reader->data)[row];
        return true;
    case DUCKDB_TYPE_BIGINT:
    case DUCKDB_TYPE_TIMESTAMP:
        *out = ((const int64_t *)reader->data)[row];
        return true;
    case DUCKDB_TYPE_UTINYINT:
        *out = ((const uint8_t *)reader->data)[row];
        return true;
    case DUCKDB_TYPE_USMALLINT:
        *out = ((const uint16_t *)reader->data)[row];
        return true;
    case DUCKDB_TYPE_UINTEGER:
        *out = ((const uint32_t *)reader->data)[row];
        return true;
    case DUCKDB_TYPE_UBIGINT:
        *out = (wide)((const uint64_t *)reader->data)[row];
        return true;
    case DUCKDB_TYPE_HUGEINT:
        *out = wide_of(((const duckdb_hugeint *)reader->data)[row]);
        return true;
    default:
        return false;
    }
}

static bool is_number(duckdb_type type)
{
    return (type >= DUCKDB_TYPE_TINYINT && type <= DUCKDB_TYPE_UBIGINT) || type == DUCKDB_TYPE_HUGEINT ||
           type == DUCKDB_TYPE_DECIMAL;
}

static int64_t saturate(wide value)
{
    return value > INT64_MAX ? INT64_MAX : value < INT64_MIN ? INT64_MIN : (int64_t)value;
}

/* From one number of decimals to another, half away from zero, saturating on the way. */
static int64_t rescale(wide value, int from, int to)
{
    const wide most = (wide)1 << 100;
    for (; from < to && value < most && value > -most; from++)
        value *= 10;
    wide divisor = 1;
    for (; from > to; from--)
        divisor *= 10;
    wide half = divisor / 2;
    return saturate(divisor == 1 ? value
                                 : (value >= 0 ? value / divisor + (value % divisor >= half)
                                               : value / divisor - (-(value % divisor) >= half)));
}

static bool read_real(const struct duckdb_column_reader *reader, idx_t row, double *out)
{
    wide whole = 0;
    if (reader->type == DUCKDB_TYPE_DOUBLE) {
        *out = ((const double *)reader->data)[row];
        return true;
    }
    if (reader->type == DUCKDB_TYPE_FLOAT) {
        *out = (double)((const float *)reader->data)[row];
        return true;
    }
    if (!is_number(reader->type) || !read_whole(reader, row, &whole))
        return false;
    double power = 1;
    for (int i = 0; i < reader->scale; i++)
        power *= 10;
    *out = (double)whole / power;
    return true;
}

static status read_text(const struct duckdb_column_reader *reader, idx_t row, struct arena *arena,
                        const char **out, error *why)
{
    duckdb_string_t *string = &((duckdb_string_t *)reader->data)[row];
    const char *from = duckdb_string_t_data(string);
    size_t length = duckdb_string_t_length(*string), holes = 0;
    for (size_t i = 0; i < length; i++)
        holes += from[i] == '\0';
    char *text = NULL;
    if (holes == 0) {
        TRY(arena_text(arena, from, length, &text, why));
        *out = text;
        return DITHER_OK;
    }
    TRY(arena_take(arena, length + 2 * holes + 1, (void **)&text, why));
    *out = text;
    for (size_t i = 0; i < length; i++) {
        if (from[i] != '\0')
            *text++ = from[i];
        else
            text = memcpy(text, "\xEF\xBF\xBD", 3), text += 3;
    }
    return DITHER_OK;
}

static bool read_interval(const struct duckdb_column_reader *reader, idx_t row, struct sql_value *out)
{
    if (reader->type != DUCKDB_TYPE_INTERVAL)
        return false;
    duckdb_interval interval = ((const duckdb_interval *)reader->data)[row];
    out->months = interval.months;
    out->days = interval.days;
    out->whole = interval.micros;
    return true;
}

/* Everything but text. False: DuckDB's type is another. */
static bool read_plain(const struct duckdb_column_reader *reader, idx_t row, struct sql_value *out)
{
    wide whole = 0;
    duckdb_type type = reader->type;
    if (out->type == SQL_REAL)
        return read_real(reader, row, &out->real);
    if (out->type == SQL_INTERVAL)
        return read_interval(reader, row, out);
    if (!read_whole(reader, row, &whole))
        return false;
    out->whole = rescale(whole, reader->scale, out->type == SQL_DECIMAL ? out->scale : 0);
    switch (out->type) {
    case SQL_BOOLEAN:
        return type == DUCKDB_TYPE_BOOLEAN;
    case SQL_DATE:
        return type == DUCKDB_TYPE_DATE;
    case SQL_TIMESTAMP:
        return type == DUCKDB_TYPE_TIMESTAMP;
    case SQL_INTEGER:
    case SQL_DECIMAL:
        return is_number(type);
    default:
        return false;
    }
}

status duckdb_read_cell(const struct duckdb_column_reader *reader, idx_t row,
                        const struct scratch_column *wanted, struct arena *arena, struct sql_value *out,
                        error *why)
{
    struct sql_value value = {.type = wanted->type, .scale = wanted->scale};
    value.null = reader->type == DUCKDB_TYPE_SQLNULL || duckdb_column_is_null(reader, row);
    bool fits = true;
    if (value.null)
        ;
    else if (wanted->type != SQL_TEXT && wanted->type != SQL_UNKNOWN)
        fits = read_plain(reader, row, &value);
    else if ((fits = reader->type == DUCKDB_TYPE_VARCHAR))
        TRY(read_text(reader, row, arena, &value.text, why));
    if (!fits)
        return fail(why, DITHER_IO, "DuckDB gave a column of type %d where %s was expected",
                    (int)reader->type, sql_type_name(wanted->type));
    *out = value;
    return DITHER_OK;
}

/* Rows arrive in pieces; how many, only the last one tells. */
struct piece {
    struct sql_value *cells;
    size_t rows;
    struct piece *next;
};

static status read_chunk(duckdb_data_chunk chunk, const struct scratch_column *columns, size_t column_count,
                         struct arena *arena, struct piece **out, error *why)
{
    struct piece *piece = NULL;
    size_t rows = duckdb_data_chunk_get_size(chunk);
    TRY(arena_take(arena, sizeof *piece, (void **)&piece, why));
    TRY(arena_take(arena, rows * column_count * sizeof *piece->cells, (void **)&piece->cells, why));
    piece->rows = rows;
    for (size_t column = 0; column < column_count; column++) {
        struct duckdb_column_reader reader;
        duckdb_column_reader_init(chunk, column, &reader);
        for (size_t row = 0; row < rows; row++)
            TRY(duckdb_read_cell(&reader, row, &columns[column], arena,
                                 &piece->cells[row * column_count + column], why));
    }
    *out = piece;
    return DITHER_OK;
}

static status join_pieces(const struct piece *first, size_t rows, size_t column_count, struct arena *arena,
                          struct sql_rows *out, error *why)
{
    struct sql_value *cells = first != NULL && first->next == NULL ? first->cells : NULL;
    if (cells == NULL) {
        TRY(arena_take(arena, rows * column_count * sizeof *cells, (void **)&cells, why));
        struct sql_value *next = cells;
        for (; first != NULL; next += first->rows * column_count, first = first->next)
            if (first->rows > 0 && column_count > 0)
                memcpy(next, first->cells, first->rows * column_count * sizeof *cells);
    }
    *out = (struct sql_rows){.column_count = column_count, .row_count = rows, .cells = cells};
    return DITHER_OK;
}

status duckdb_read_rows(duckdb_result *result, const struct scratch_column *columns, size_t column_count,
                        size_t most_rows, struct arena *arena, struct sql_rows *out, error *why)
{
    if (duckdb_column_count(result) != column_count)
        return fail(why, DITHER_IO, "DuckDB gave %zu columns where %zu were expected",
                    (size_t)duckdb_column_count(result), column_count);
    struct piece *first = NULL, **last = &first;
    size_t rows = 0;
    for (duckdb_data_chunk chunk = NULL; (chunk = duckdb_fetch_chunk(*result)) != NULL;) {
        rows += duckdb_data_chunk_get_size(chunk);
        status got = rows > most_rows
                         ? fail(why, DITHER_INVALID, "the result has more than %zu rows", most_rows)
                         : read_chunk(chunk, columns, column_count, arena, last, why);
        duckdb_destroy_data_chunk(&chunk);
        TRY(got);
        last = &(*last)->next;
    }
    const char *complaint = duckdb_result_error(result);
    if (complaint != NULL && *complaint != '\0')
        return fail(why, DITHER_IO, "DuckDB failed while it computed a result");
    return join_pieces(first, rows, column_count, arena, out, why);
}
