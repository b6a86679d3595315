/* The catalogue's database behind frames; the process is shut in before the first table is made. */
#include "serve/catalogue_worker.h"

#include <string.h>

#include "engine/helper_loop.h"
#include "serve/catalogue_parts.h"
#include "serve/catalogue_wire.h"

struct worker {
    struct duckdb_instance instance;
    bool made;
};

static bool open_worker(void *context, struct cursor *body)
{
    struct worker *worker = context;
    error why;
    return cursor_left(body) == 0 && helper_loop_limit(CATALOGUE_MEMORY_BYTES, 1, &why) == DITHER_OK &&
           catalogue_open_instance(&worker->instance, &why) == DITHER_OK;
}

/* A question gives up by itself. */
static void interrupt(void *context)
{
    (void)context;
}

static bool make(struct worker *worker, struct cursor *body, struct arena *arena, struct buffer *out)
{
    struct catalogue_making making;
    error why;
    if (worker->made || catalogue_wire_get_making(body, arena, &making, &why) != DITHER_OK)
        return false;
    status result = catalogue_make(&worker->instance, making.dataset, making.tables, &why);
    worker->made = true;
    catalogue_wire_put_end(out, result == DITHER_OK ? CATALOGUE_ANSWERED : CATALOGUE_BROKEN);
    return true;
}

static bool send_reply(const struct catalogue_reply *reply, struct buffer *out)
{
    size_t count = reply->row_count * reply->column_count;
    catalogue_wire_put_columns(out, reply);
    size_t begun = frame_begin(out, CATALOGUE_ROWS);
    for (size_t i = 0; i < count; i++) {
        catalogue_wire_put_cell(out, reply->cells[i]);
        if (out->length < CATALOGUE_PIECE_BYTES)
            continue;
        frame_end(out, begun);
        if (!helper_loop_flush(out))
            return false;
        begun = frame_begin(out, CATALOGUE_ROWS);
    }
    frame_end(out, begun);
    return !out->failed;
}

static bool answer(struct worker *worker, struct cursor *body, struct arena *arena, struct buffer *out)
{
    struct catalogue_asking asking;
    struct catalogue_reply reply;
    char sqlstate[6] = "";
    error why;
    if (!worker->made || catalogue_wire_get_asking(body, arena, &asking, &why) != DITHER_OK)
        return false;
    const struct catalogue_question question = {.user = asking.user};
    struct catalogue_rewrite rewrite = {.arena = arena,
                                        .question = &question,
                                        .dataset = asking.dataset,
                                        .why = &why,
                                        .sqlstate = sqlstate,
                                        .oids = asking.oids,
                                        .oid_count = asking.oid_count};
    memcpy(sqlstate, "XX000", 6);
    status result = catalogue_execute(&worker->instance, &rewrite, asking.sql, &reply);
    if (result == DITHER_OK && !send_reply(&reply, out))
        return false;
    enum catalogue_outcome outcome = result == DITHER_OK ? CATALOGUE_ANSWERED : catalogue_outcome(sqlstate);
    catalogue_wire_put_end(out, (unsigned char)outcome);
    return true;
}

static bool handle(void *context, struct frame *frame, struct buffer *out)
{
    struct arena arena;
    bool sense = false;
    arena_init(&arena, (size_t)1 << 29);
    if (frame->kind == CATALOGUE_MAKE)
        sense = make(context, &frame->body, &arena, out);
    else if (frame->kind == CATALOGUE_ASK)
        sense = answer(context, &frame->body, &arena, out);
    arena_free(&arena);
    return sense;
}

static const struct helper_work work = {.open = open_worker, .handle = handle, .interrupt = interrupt};

status catalogue_worker(error *why)
{
    static struct worker worker;
    return helper_loop(&work, &worker, why);
}
