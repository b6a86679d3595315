/* Feeds arbitrary bytes, frame by frame, to both sides of what passes between the server and its workers: what a scratch is told and
 * says, what a catalogue is told and says. What is accepted and written again must be accepted again, as the same bytes. */
#include <stdlib.h>
#include <string.h>

#include "engine/scratch_wire.h"
#include "serve/catalogue_wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static void same_again(const struct cursor *body, const struct buffer *again)
{
    size_t count = cursor_left(body);
    if (again->failed || again->length != count + FRAME_HEAD_BYTES ||
        (count > 0 && memcmp(again->data + FRAME_HEAD_BYTES, body->next, count) != 0))
        abort();
}

static void read_requests(struct cursor body, struct arena *arena)
{
    struct scratch_table table;
    struct scratch_wire_query query;
    struct catalogue_asking asking;
    struct catalogue_making making;
    struct buffer again;
    struct cursor at = body;
    buffer_init(&again, 2 * FRAME_MOST_BYTES);
    if (scratch_wire_get_table(&at, arena, &table, NULL) == DITHER_OK) {
        scratch_wire_put_table(&again, &table);
        same_again(&body, &again);
    }
    buffer_clear(&again);
    at = body;
    if (scratch_wire_get_query(&at, arena, &query, NULL) == DITHER_OK) {
        scratch_wire_put_query(&again, &query);
        same_again(&body, &again);
    }
    buffer_clear(&again);
    at = body;
    if (catalogue_wire_get_asking(&at, arena, &asking, NULL) == DITHER_OK) {
        catalogue_wire_put_asking(&again, &asking);
        same_again(&body, &again);
    }
    at = body;
    (void)!catalogue_wire_get_making(&at, arena, &making, NULL);
    buffer_free(&again);
}

static void read_replies(struct cursor body, struct arena *arena)
{
    static const struct scratch_column columns[] = {{SQL_BOOLEAN, 0},  {SQL_INTEGER, 0},   {SQL_TEXT, 0},
                                                    {SQL_REAL, 0},     {SQL_DECIMAL, 2},   {SQL_DATE, 0},
                                                    {SQL_INTERVAL, 0}, {SQL_TIMESTAMP, 0}, {SQL_UNKNOWN, 0}};
    struct sql_value cells[9];
    struct scratch_wire_status ended;
    struct catalogue_reply reply;
    const char *cell = NULL;
    struct buffer again;
    struct cursor at = body;
    buffer_init(&again, 2 * FRAME_MOST_BYTES);
    while (cursor_left(&at) > 0) {
        const unsigned char *begun = at.next;
        buffer_clear(&again);
        if (scratch_wire_get_row(&at, columns, 9, arena, cells, NULL) != DITHER_OK)
            break;
        scratch_wire_put_row(&again, columns, 9, cells);
        if (again.length != (size_t)(at.next - begun) || memcmp(again.data, begun, again.length) != 0)
            abort();
    }
    at = body;
    while (cursor_left(&at) > 0 && catalogue_wire_get_cell(&at, arena, &cell, NULL) == DITHER_OK)
        continue;
    at = body;
    (void)scratch_wire_get_status(&at, &ended);
    at = body;
    (void)!catalogue_wire_get_columns(&at, arena, &reply, NULL);
    buffer_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    struct frame frame;
    size_t size = 0;
    while (frame_read(bytes, count, &frame, &size) == FRAME_WHOLE) {
        struct arena arena;
        if (size > count || size < FRAME_HEAD_BYTES)
            abort();
        arena_init(&arena, 1 << 24);
        read_requests(frame.body, &arena);
        read_replies(frame.body, &arena);
        arena_free(&arena);
        bytes += size;
        count -= size;
    }
    return 0;
}
