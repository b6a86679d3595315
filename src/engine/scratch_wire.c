#include "engine/scratch_wire.h"

#include <string.h>

static status nonsense(error *why)
{
    return fail(why, DITHER_INVALID, "this is not what a scratch database says");
}

/* ---- Opening, dropping, ending ---- */

void scratch_wire_put_open(struct buffer *buffer, const struct scratch_wire_open *open)
{
    size_t begun = frame_begin(buffer, SCRATCH_OPEN);
    frame_put_uint64(buffer, open->memory_bytes);
    frame_put_uint32(buffer, open->threads);
    frame_end(buffer, begun);
}

bool scratch_wire_get_open(struct cursor *body, struct scratch_wire_open *out)
{
    return frame_uint64(body, &out->memory_bytes) && cursor_uint32(body, &out->threads) &&
           cursor_left(body) == 0;
}

void scratch_wire_put_name(struct buffer *buffer, const char *name)
{
    size_t begun = frame_begin(buffer, SCRATCH_DROP);
    frame_put_text(buffer, name);
    frame_end(buffer, begun);
}

void scratch_wire_put_status(struct buffer *buffer, status result, const char *complaint)
{
    size_t begun = frame_begin(buffer, SCRATCH_STATUS);
    buffer_byte(buffer, (char)result);
    frame_put_text(buffer, complaint);
    frame_end(buffer, begun);
}

/* Of the ways to fail, those that a scratch has. */
bool scratch_wire_get_status(struct cursor *body, struct scratch_wire_status *out)
{
    unsigned char code = 0;
    if (!cursor_byte(body, &code) || !frame_text(body, &out->complaint, &out->complaint_length) ||
        cursor_left(body) > 0)
        return false;
    out->result = (status)code;
    return code == DITHER_OK || code == DITHER_INVALID || code == DITHER_IO || code == DITHER_NO_MEMORY;
}

/* ---- Columns ---- */

static void put_columns(struct buffer *buffer, const struct scratch_column *columns, size_t count)
{
    if (count > SCRATCH_MOST_COLUMNS)
        buffer->failed = buffer->too_long = true;
    frame_put_uint16(buffer, (uint16_t)count);
    for (size_t i = 0; i < count; i++) {
        buffer_byte(buffer, (char)columns[i].type);
        buffer_byte(buffer, (char)columns[i].scale);
    }
}

static status get_columns(struct cursor *body, struct arena *arena, const struct scratch_column **out,
                          size_t *count, error *why)
{
    uint16_t number = 0;
    void *room = NULL;
    if (!cursor_uint16(body, &number) || number > SCRATCH_MOST_COLUMNS || cursor_left(body) < 2 * number)
        return nonsense(why);
    TRY(arena_take(arena, number * sizeof **out, &room, why));
    struct scratch_column *columns = room;
    for (size_t i = 0; i < number; i++) {
        unsigned char type = 0, scale = 0;
        if (!cursor_byte(body, &type) || !cursor_byte(body, &scale) || type > SQL_INTERVAL || scale > 18)
            return nonsense(why);
        columns[i] = (struct scratch_column){(enum sql_type)type, scale};
    }
    *out = columns;
    *count = number;
    return DITHER_OK;
}

static status get_text(struct cursor *body, struct arena *arena, const char **out, error *why)
{
    bool good = false;
    TRY(frame_text_copy(body, arena, out, &good, why));
    return good ? DITHER_OK : nonsense(why);
}

/* ---- Tables and questions ---- */

void scratch_wire_put_table(struct buffer *buffer, const struct scratch_table *table)
{
    size_t begun = frame_begin(buffer, SCRATCH_TABLE);
    frame_put_text(buffer, table->name);
    put_columns(buffer, table->columns, table->column_count);
    buffer_byte(buffer, table->names != NULL);
    for (size_t i = 0; table->names != NULL && i < table->column_count; i++)
        frame_put_text(buffer, table->names[i]);
    frame_end(buffer, begun);
}

status scratch_wire_get_table(struct cursor *body, struct arena *arena, struct scratch_table *out, error *why)
{
    struct scratch_table table = {.name = NULL};
    unsigned char named = 0;
    void *room = NULL;
    TRY(get_text(body, arena, &table.name, why));
    TRY(get_columns(body, arena, &table.columns, &table.column_count, why));
    if (table.column_count == 0 || !cursor_byte(body, &named) || named > 1)
        return nonsense(why);
    TRY(arena_take(arena, table.column_count * sizeof *table.names, &room, why));
    const char **names = room;
    for (size_t i = 0; named == 1 && i < table.column_count; i++)
        TRY(get_text(body, arena, &names[i], why));
    if (cursor_left(body) > 0)
        return nonsense(why);
    table.names = named == 1 ? names : NULL;
    *out = table;
    return DITHER_OK;
}

void scratch_wire_put_query(struct buffer *buffer, const struct scratch_wire_query *query)
{
    size_t begun = frame_begin(buffer, SCRATCH_QUERY);
    frame_put_uint32(buffer, query->number);
    frame_put_uint64(buffer, query->most_rows);
    put_columns(buffer, query->columns, query->column_count);
    frame_put_text(buffer, query->sql);
    frame_end(buffer, begun);
}

status scratch_wire_get_query(struct cursor *body, struct arena *arena, struct scratch_wire_query *out,
                              error *why)
{
    struct scratch_wire_query query = {.number = 0};
    if (!cursor_uint32(body, &query.number) || !frame_uint64(body, &query.most_rows))
        return nonsense(why);
    TRY(get_columns(body, arena, &query.columns, &query.column_count, why));
    TRY(get_text(body, arena, &query.sql, why));
    if (cursor_left(body) > 0)
        return nonsense(why);
    *out = query;
    return DITHER_OK;
}

/* ---- Rows ---- */

static void put_cell(struct buffer *buffer, const struct scratch_column *column,
                     const struct sql_value *value)
{
    uint64_t bits = 0;
    bool text = column->type == SQL_TEXT || column->type == SQL_UNKNOWN;
    buffer_byte(buffer, !value->null && !(text && value->text == NULL));
    if (value->null || (text && value->text == NULL))
        return;
    switch (column->type) {
    case SQL_TEXT:
    case SQL_UNKNOWN:
        frame_put_text(buffer, value->text);
        return;
    case SQL_BOOLEAN:
        buffer_byte(buffer, value->whole != 0);
        return;
    case SQL_REAL:
        memcpy(&bits, &value->real, sizeof bits);
        frame_put_uint64(buffer, bits);
        return;
    case SQL_INTERVAL:
        frame_put_uint32(buffer, (uint32_t)value->months);
        frame_put_uint32(buffer, (uint32_t)value->days);
        frame_put_uint64(buffer, (uint64_t)value->whole);
        return;
    case SQL_DATE:
    case SQL_INTEGER:
    case SQL_DECIMAL:
    case SQL_TIMESTAMP:
        frame_put_uint64(buffer, (uint64_t)value->whole);
        return;
    }
}

void scratch_wire_put_row(struct buffer *buffer, const struct scratch_column *columns, size_t column_count,
                          const struct sql_value *cells)
{
    for (size_t i = 0; i < column_count; i++)
        put_cell(buffer, &columns[i], &cells[i]);
}

static bool get_interval(struct cursor *body, struct sql_value *out)
{
    uint32_t months = 0, days = 0;
    uint64_t whole = 0;
    if (!cursor_uint32(body, &months) || !cursor_uint32(body, &days) || !frame_uint64(body, &whole))
        return false;
    out->months = (int32_t)months;
    out->days = (int32_t)days;
    out->whole = (int64_t)whole;
    return true;
}

static bool get_plain(struct cursor *body, struct sql_value *out)
{
    unsigned char truth = 0;
    uint64_t bits = 0;
    switch (out->type) {
    case SQL_BOOLEAN:
        if (!cursor_byte(body, &truth) || truth > 1)
            return false;
        out->whole = truth;
        return true;
    case SQL_INTERVAL:
        return get_interval(body, out);
    case SQL_REAL:
        if (!frame_uint64(body, &bits))
            return false;
        memcpy(&out->real, &bits, sizeof bits);
        return true;
    default:
        if (!frame_uint64(body, &bits))
            return false;
        out->whole = (int64_t)bits;
        return out->type != SQL_DATE || (out->whole >= INT32_MIN && out->whole <= INT32_MAX);
    }
}

static status get_cell(struct cursor *body, const struct scratch_column *column, struct arena *arena,
                       struct sql_value *out, error *why)
{
    unsigned char present = 0;
    struct sql_value value = {.type = column->type, .scale = column->scale};
    if (!cursor_byte(body, &present) || present > 1)
        return nonsense(why);
    value.null = present == 0;
    if (!value.null && (column->type == SQL_TEXT || column->type == SQL_UNKNOWN))
        TRY(get_text(body, arena, &value.text, why));
    else if (!value.null && !get_plain(body, &value))
        return nonsense(why);
    *out = value;
    return DITHER_OK;
}

status scratch_wire_get_row(struct cursor *body, const struct scratch_column *columns, size_t column_count,
                            struct arena *arena, struct sql_value *cells, error *why)
{
    for (size_t i = 0; i < column_count; i++)
        TRY(get_cell(body, &columns[i], arena, &cells[i], why));
    return DITHER_OK;
}
