#include "curator/code.h"

#include <string.h>

enum {
    CODE_VERSION = 1,
    CODE_ROWS = 'r',
    CODE_ANSWER = 'a',
    CODE_FAILURE = 'f',
    NULL_BIT = 0x80, /* of a cell's type byte */
    MOST_COLUMNS = 1 << 16,
};

/* ---- Numbers and texts ---- */

static void write_uint64(struct buffer *out, uint64_t value)
{
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(value >> (56 - 8 * i));
    buffer_append(out, bytes, sizeof bytes);
}

static bool read_uint64(struct cursor *in, uint64_t *out)
{
    uint32_t high = 0, low = 0;
    if (!cursor_uint32(in, &high) || !cursor_uint32(in, &low))
        return false;
    *out = (uint64_t)high << 32 | low;
    return true;
}

static void write_double(struct buffer *out, double value)
{
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    write_uint64(out, bits);
}

static bool read_double(struct cursor *in, double *out)
{
    uint64_t bits = 0;
    if (!read_uint64(in, &bits))
        return false;
    memcpy(out, &bits, sizeof bits);
    return true;
}

static void write_text(struct buffer *out, const char *text)
{
    size_t length = strlen(text);
    write_uint64(out, length);
    buffer_append(out, text, length);
}

static status damaged(error *why)
{
    return fail(why, DITHER_IO, "a stored answer in the ledger cannot be read");
}

static status read_text(struct cursor *in, struct arena *arena, const char **out, error *why)
{
    uint64_t length = 0;
    const unsigned char *bytes = NULL;
    char *text = NULL;
    if (!read_uint64(in, &length) || length > cursor_left(in) || !cursor_take(in, (size_t)length, &bytes))
        return damaged(why);
    TRY(arena_text(arena, (const char *)bytes, (size_t)length, &text, why));
    *out = text;
    return DITHER_OK;
}

static void write_head(struct buffer *out, char kind)
{
    buffer_byte(out, CODE_VERSION);
    buffer_byte(out, kind);
}

static bool read_head(struct cursor *in, unsigned char *kind)
{
    return cursor_match(in, CODE_VERSION) && cursor_byte(in, kind);
}

/* ---- Rows ---- */

static void write_cell(struct buffer *out, const struct sql_value *value)
{
    buffer_byte(out, (char)((unsigned)value->type | (value->null ? NULL_BIT : 0u)));
    if (value->null)
        return;
    if (value->type == SQL_TEXT)
        write_text(out, value->text);
    else if (value->type == SQL_REAL)
        write_double(out, value->real);
    else
        write_uint64(out, (uint64_t)value->whole);
    if (value->type == SQL_DECIMAL)
        buffer_byte(out, (char)value->scale);
    if (value->type == SQL_INTERVAL)
        write_uint64(out, (uint64_t)(uint32_t)value->months << 32 | (uint32_t)value->days);
}

static status read_rest_of_cell(struct cursor *in, struct sql_value *value, error *why)
{
    unsigned char scale = 0;
    uint64_t whole = 0;
    if (value->type == SQL_DECIMAL) {
        if (!cursor_byte(in, &scale))
            return damaged(why);
        value->scale = scale;
    } else if (value->type == SQL_INTERVAL) {
        if (!read_uint64(in, &whole))
            return damaged(why);
        value->months = (int32_t)(uint32_t)(whole >> 32);
        value->days = (int32_t)(uint32_t)whole;
    }
    return DITHER_OK;
}

static status read_cell(struct cursor *in, struct arena *arena, struct sql_value *value, error *why)
{
    unsigned char type = 0;
    uint64_t whole = 0;
    if (!cursor_byte(in, &type) || (type & ~NULL_BIT) > SQL_INTERVAL)
        return damaged(why);
    *value = (struct sql_value){.type = (enum sql_type)(type & ~NULL_BIT), .null = (type & NULL_BIT) != 0};
    if (value->null)
        return DITHER_OK;
    if (value->type == SQL_TEXT)
        return read_text(in, arena, &value->text, why);
    if (value->type == SQL_REAL)
        return read_double(in, &value->real) ? DITHER_OK : damaged(why);
    if (!read_uint64(in, &whole))
        return damaged(why);
    value->whole = (int64_t)whole;
    return read_rest_of_cell(in, value, why);
}

static void write_table(struct buffer *out, const struct sql_rows *rows)
{
    write_uint64(out, rows->column_count);
    write_uint64(out, rows->row_count);
    for (size_t i = 0; i < rows->column_count * rows->row_count; i++)
        write_cell(out, &rows->cells[i]);
}

static status read_table(struct cursor *in, struct arena *arena, struct sql_rows *out, error *why)
{
    uint64_t columns = 0, rows = 0;
    void *cells = NULL;
    if (!read_uint64(in, &columns) || !read_uint64(in, &rows) || columns > MOST_COLUMNS ||
        rows > LEDGER_ANSWER_BYTES || columns * rows > cursor_left(in))
        return damaged(why);
    TRY(arena_take(arena, (size_t)(columns * rows) * sizeof(struct sql_value), &cells, why));
    for (size_t i = 0; i < columns * rows; i++)
        TRY(read_cell(in, arena, &((struct sql_value *)cells)[i], why));
    *out = (struct sql_rows){.column_count = (size_t)columns, .row_count = (size_t)rows, .cells = cells};
    return DITHER_OK;
}

void code_write_rows(struct buffer *out, const struct sql_rows *rows)
{
    write_head(out, CODE_ROWS);
    write_table(out, rows);
}

status code_read_rows(struct ledger_bytes bytes, struct arena *arena, struct sql_rows *out, error *why)
{
    struct cursor in = cursor_over(bytes.data, bytes.size);
    unsigned char kind = 0;
    if (!read_head(&in, &kind) || kind != CODE_ROWS)
        return damaged(why);
    TRY(read_table(&in, arena, out, why));
    return cursor_left(&in) == 0 ? DITHER_OK : damaged(why);
}

/* ---- Answers ---- */

static void write_column(struct buffer *out, const struct curator_column *column)
{
    const struct curator_noise *noise = &column->noise;
    write_text(out, column->name);
    buffer_byte(out, (char)column->type);
    buffer_byte(out, (char)column->scale);
    buffer_byte(out, column->noisy);
    write_text(out, noise->mechanism != NULL ? noise->mechanism : "");
    write_double(out, noise->scale);
    write_double(out, noise->grid);
    write_double(out, noise->epsilon);
    write_double(out, noise->delta);
    write_double(out, noise->rho);
}

static status read_column(struct cursor *in, struct arena *arena, struct curator_column *column, error *why)
{
    unsigned char type = 0, scale = 0, noisy = 0;
    struct curator_noise *noise = &column->noise;
    TRY(read_text(in, arena, &column->name, why));
    if (!cursor_byte(in, &type) || type > SQL_INTERVAL || !cursor_byte(in, &scale) ||
        !cursor_byte(in, &noisy))
        return damaged(why);
    column->type = (enum sql_type)type;
    column->scale = scale;
    column->noisy = noisy != 0;
    TRY(read_text(in, arena, &noise->mechanism, why));
    if (noise->mechanism[0] == '\0')
        noise->mechanism = NULL;
    if (!read_double(in, &noise->scale) || !read_double(in, &noise->grid) ||
        !read_double(in, &noise->epsilon) || !read_double(in, &noise->delta) || !read_double(in, &noise->rho))
        return damaged(why);
    return DITHER_OK;
}

static void write_decimal(struct buffer *out, struct decimal value)
{
    write_uint64(out, (uint64_t)(value.units >> 64));
    write_uint64(out, (uint64_t)value.units);
}

static bool read_decimal(struct cursor *in, struct decimal *value)
{
    uint64_t high = 0, low = 0;
    if (!read_uint64(in, &high) || !read_uint64(in, &low))
        return false;
    value->units = (uint128_t)high << 64 | low;
    return true;
}

void code_write_answer(struct buffer *out, const struct curator_answer *answer)
{
    write_head(out, CODE_ANSWER);
    write_uint64(out, answer->column_count);
    for (size_t i = 0; i < answer->column_count; i++)
        write_column(out, &answer->columns[i]);
    write_table(out, &answer->rows);
    for (size_t i = 0; i < answer->rows.row_count * answer->column_count; i++) {
        buffer_byte(out, answer->intervals[i].known);
        if (answer->intervals[i].known) {
            write_double(out, answer->intervals[i].lower);
            write_double(out, answer->intervals[i].upper);
        }
    }
    write_double(out, answer->confidence);
    buffer_byte(out, (char)answer->currency);
    write_decimal(out, answer->cost.epsilon);
    write_decimal(out, answer->cost.delta);
    write_decimal(out, answer->cost.rho);
    buffer_byte(out, answer->cached);
}

void code_write_failure(struct buffer *out, const char *message)
{
    write_head(out, CODE_FAILURE);
    write_text(out, message);
}

static status read_intervals(struct cursor *in, struct curator_answer *answer, error *why)
{
    size_t count = answer->rows.row_count * answer->column_count;
    void *room = NULL;
    TRY(arena_take(answer->arena, count * sizeof(struct curator_interval), &room, why));
    struct curator_interval *intervals = room;
    for (size_t i = 0; i < count; i++) {
        unsigned char known = 0;
        if (!cursor_byte(in, &known))
            return damaged(why);
        intervals[i].known = known != 0;
        if (known != 0 && (!read_double(in, &intervals[i].lower) || !read_double(in, &intervals[i].upper)))
            return damaged(why);
    }
    answer->intervals = intervals;
    return DITHER_OK;
}

static status read_cost(struct cursor *in, struct curator_answer *answer, error *why)
{
    unsigned char currency = 0, cached = 0;
    if (!read_double(in, &answer->confidence) || !cursor_byte(in, &currency) ||
        currency > LEDGER_CONCENTRATED || !read_decimal(in, &answer->cost.epsilon) ||
        !read_decimal(in, &answer->cost.delta) || !read_decimal(in, &answer->cost.rho) ||
        !cursor_byte(in, &cached) || cursor_left(in) != 0)
        return damaged(why);
    answer->currency = (enum ledger_currency)currency;
    answer->cached = cached != 0;
    return DITHER_OK;
}

static status read_failure(struct cursor *in, struct arena *arena, error *why)
{
    const char *message = NULL;
    TRY(read_text(in, arena, &message, why));
    return fail(why, DITHER_INVALID, "%s", message);
}

status code_read_answer(struct ledger_bytes bytes, struct curator_answer *answer, error *why)
{
    struct cursor in = cursor_over(bytes.data, bytes.size);
    unsigned char kind = 0;
    uint64_t columns = 0;
    void *room = NULL;
    if (!read_head(&in, &kind) || (kind != CODE_ANSWER && kind != CODE_FAILURE))
        return damaged(why);
    if (kind == CODE_FAILURE)
        return read_failure(&in, answer->arena, why);
    if (!read_uint64(&in, &columns) || columns > MOST_COLUMNS)
        return damaged(why);
    TRY(arena_take(answer->arena, (size_t)columns * sizeof *answer->columns, &room, why));
    answer->columns = room;
    answer->column_count = (size_t)columns;
    for (size_t i = 0; i < columns; i++)
        TRY(read_column(&in, answer->arena, &answer->columns[i], why));
    TRY(read_table(&in, answer->arena, &answer->rows, why));
    if (answer->rows.column_count != answer->column_count)
        return damaged(why);
    TRY(read_intervals(&in, answer, why));
    return read_cost(&in, answer, why);
}
