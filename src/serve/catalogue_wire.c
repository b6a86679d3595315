#include "serve/catalogue_wire.h"

static status nonsense(error *why)
{
    return fail(why, DITHER_INVALID, "this is not what a catalogue says");
}

static status get_text(struct cursor *body, struct arena *arena, const char **out, error *why)
{
    bool good = false;
    TRY(frame_text_copy(body, arena, out, &good, why));
    return good ? DITHER_OK : nonsense(why);
}

void catalogue_wire_put_making(struct buffer *buffer, const struct catalogue_making *making)
{
    size_t begun = frame_begin(buffer, CATALOGUE_MAKE);
    frame_put_text(buffer, making->dataset);
    frame_put_text(buffer, making->tables);
    frame_end(buffer, begun);
}

status catalogue_wire_get_making(struct cursor *body, struct arena *arena, struct catalogue_making *out,
                                 error *why)
{
    struct catalogue_making making = {.dataset = NULL};
    TRY(get_text(body, arena, &making.dataset, why));
    TRY(get_text(body, arena, &making.tables, why));
    if (cursor_left(body) > 0)
        return nonsense(why);
    *out = making;
    return DITHER_OK;
}

void catalogue_wire_put_asking(struct buffer *buffer, const struct catalogue_asking *asking)
{
    size_t begun = frame_begin(buffer, CATALOGUE_ASK);
    frame_put_text(buffer, asking->user);
    frame_put_text(buffer, asking->dataset);
    frame_put_text(buffer, asking->sql);
    frame_put_uint32(buffer, (uint32_t)asking->oid_count);
    for (size_t i = 0; i < asking->oid_count; i++)
        frame_put_uint32(buffer, asking->oids[i]);
    frame_end(buffer, begun);
}

status catalogue_wire_get_asking(struct cursor *body, struct arena *arena, struct catalogue_asking *out,
                                 error *why)
{
    struct catalogue_asking asking = {.user = NULL};
    uint32_t count = 0;
    void *room = NULL;
    TRY(get_text(body, arena, &asking.user, why));
    TRY(get_text(body, arena, &asking.dataset, why));
    TRY(get_text(body, arena, &asking.sql, why));
    if (!cursor_uint32(body, &count) || cursor_left(body) != 4 * (size_t)count)
        return nonsense(why);
    TRY(arena_take(arena, (count + (size_t)1) * sizeof *asking.oids, &room, why));
    asking.oids = room;
    asking.oid_count = count;
    for (size_t i = 0; i < count; i++)
        (void)cursor_uint32(body, &asking.oids[i]);
    *out = asking;
    return DITHER_OK;
}

void catalogue_wire_put_columns(struct buffer *buffer, const struct catalogue_reply *reply)
{
    size_t begun = frame_begin(buffer, CATALOGUE_COLUMNS);
    frame_put_uint16(buffer, (uint16_t)reply->column_count);
    for (size_t i = 0; i < reply->column_count; i++) {
        frame_put_text(buffer, reply->columns[i].name);
        frame_put_uint32(buffer, reply->columns[i].oid);
    }
    frame_end(buffer, begun);
}

status catalogue_wire_get_columns(struct cursor *body, struct arena *arena, struct catalogue_reply *out,
                                  error *why)
{
    uint16_t count = 0;
    void *room = NULL;
    if (!cursor_uint16(body, &count) || count == 0 || count > CATALOGUE_MOST_COLUMNS)
        return nonsense(why);
    TRY(arena_take(arena, count * sizeof *out->columns, &room, why));
    struct catalogue_column *columns = room;
    for (size_t i = 0; i < count; i++) {
        TRY(get_text(body, arena, &columns[i].name, why));
        if (!cursor_uint32(body, &columns[i].oid))
            return nonsense(why);
    }
    if (cursor_left(body) > 0)
        return nonsense(why);
    *out = (struct catalogue_reply){.columns = columns, .column_count = count};
    return DITHER_OK;
}

void catalogue_wire_put_cell(struct buffer *buffer, const char *cell)
{
    buffer_byte(buffer, cell != NULL);
    if (cell != NULL)
        frame_put_text(buffer, cell);
}

status catalogue_wire_get_cell(struct cursor *body, struct arena *arena, const char **out, error *why)
{
    unsigned char present = 0;
    const char *cell = NULL;
    if (!cursor_byte(body, &present) || present > 1)
        return nonsense(why);
    if (present == 1)
        TRY(get_text(body, arena, &cell, why));
    *out = cell;
    return DITHER_OK;
}

void catalogue_wire_put_end(struct buffer *buffer, unsigned char outcome)
{
    size_t begun = frame_begin(buffer, CATALOGUE_ENDED);
    buffer_byte(buffer, (char)outcome);
    frame_end(buffer, begun);
}
