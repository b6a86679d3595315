/* The catalogue's database in a process of its own: our side. Its questions are the analyst's own SQL, rewritten name by name, so
 * that they must not run where private rows can be reached; what comes back is read as a stranger's bytes. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/helper.h"
#include "serve/catalogue_parts.h"
#include "serve/catalogue_wire.h"

#define DOES_NOT_ANSWER "the catalogue's database does not answer"

enum { FIRST_ROWS = 64 };

/* One question at a time. */
struct catalogue_process {
    pthread_mutex_t lock;
    struct helper helper;
    struct buffer tables; /* SQL, for the next one if this one dies */
    const char *dataset;
    char *program;
};

/* ---- Starting ---- */

static status start(struct catalogue_process *process, error *why)
{
    struct helper *helper = &process->helper;
    struct frame frame;
    unsigned char outcome = 0;
    TRY(helper_start(helper, why));
    frame_end(&helper->out, frame_begin(&helper->out, CATALOGUE_OPEN));
    TRY(helper_greet(helper, why));
    catalogue_wire_put_making(&helper->out,
                              &(struct catalogue_making){process->dataset, process->tables.data});
    TRY(helper_send(helper, why));
    TRY(helper_receive(helper, &frame, why));
    if (frame.kind != CATALOGUE_ENDED || !cursor_byte(&frame.body, &outcome) || outcome != CATALOGUE_ANSWERED)
        return helper_lose(helper, "it could not make its tables", why);
    return DITHER_OK;
}

status catalogue_process_open(const char *program, const char *dataset, const struct sql_catalogue *tables,
                              struct catalogue_process **out, error *why)
{
    struct catalogue_process *process = memory_allocate(sizeof *process);
    if (process == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    pthread_mutex_init(&process->lock, NULL);
    process->dataset = dataset;
    process->program = strdup(program);
    helper_init(
        &process->helper,
        &(struct helper_options){.program = process->program,
                                 .command = "catalogue-worker",
                                 .lost = DOES_NOT_ANSWER,
                                 .seconds = 2 * CATALOGUE_MOST_SECONDS /* it gives up by itself before */});
    status result = process->program != NULL ? catalogue_print(tables, &process->tables, why)
                                             : fail(why, DITHER_NO_MEMORY, "out of memory");
    if (result == DITHER_OK)
        result = start(process, why);
    if (result != DITHER_OK) {
        catalogue_process_close(process);
        return result;
    }
    *out = process;
    return DITHER_OK;
}

void catalogue_process_close(struct catalogue_process *process)
{
    if (process == NULL)
        return;
    helper_free(&process->helper);
    buffer_free(&process->tables);
    pthread_mutex_destroy(&process->lock);
    free(process->program);
    memory_release(process, sizeof *process);
}

/* ---- Asking ---- */

struct reading {
    struct catalogue_rewrite *rewrite;
    struct catalogue_reply reply;
    const char **cells;
    size_t cell_count, cell_room;
};

static status make_room(struct reading *reading, error *why)
{
    size_t wanted =
        reading->cell_room > 0 ? 2 * reading->cell_room : FIRST_ROWS * reading->reply.column_count;
    void *room = NULL;
    if (reading->cell_count < reading->cell_room)
        return DITHER_OK;
    if (reading->cell_count >= (size_t)CATALOGUE_MOST_ROWS * reading->reply.column_count)
        return fail(why, DITHER_INVALID, "more rows than were asked for");
    TRY(arena_take(reading->rewrite->arena, wanted * sizeof *reading->cells, &room, why));
    if (reading->cell_count > 0)
        memcpy(room, reading->cells, reading->cell_count * sizeof *reading->cells);
    reading->cells = room;
    reading->cell_room = wanted;
    return DITHER_OK;
}

static status read_cells(struct reading *reading, struct cursor *body, error *why)
{
    if (reading->reply.column_count == 0)
        return fail(why, DITHER_INVALID, "rows without columns");
    while (cursor_left(body) > 0) {
        TRY(make_room(reading, why));
        TRY(catalogue_wire_get_cell(body, reading->rewrite->arena, &reading->cells[reading->cell_count],
                                    why));
        reading->cell_count++;
    }
    return DITHER_OK;
}

/* DITHER_INVALID: it makes no sense; `ended` when it was the last frame. */
static status read_frame(struct reading *reading, struct frame *frame, unsigned char *outcome, bool *ended,
                         error *why)
{
    switch (frame->kind) {
    case CATALOGUE_COLUMNS:
        return reading->reply.column_count == 0
                   ? catalogue_wire_get_columns(&frame->body, reading->rewrite->arena, &reading->reply, why)
                   : fail(why, DITHER_INVALID, "columns twice");
    case CATALOGUE_ROWS:
        return read_cells(reading, &frame->body, why);
    case CATALOGUE_ENDED:
        *ended = true;
        if (!cursor_byte(&frame->body, outcome) || *outcome >= CATALOGUE_OUTCOMES)
            return fail(why, DITHER_INVALID, "an end of no kind");
        if (*outcome == CATALOGUE_ANSWERED &&
            (reading->reply.column_count == 0 || reading->cell_count % reading->reply.column_count != 0))
            return fail(why, DITHER_INVALID, "half a row");
        return DITHER_OK;
    default:
        return fail(why, DITHER_INVALID, "an unknown frame");
    }
}

static status receive(struct catalogue_process *process, struct reading *reading, error *why)
{
    bool ended = false;
    unsigned char outcome = 0;
    while (!ended) {
        struct frame frame;
        error inner;
        TRY(helper_receive(&process->helper, &frame, why));
        status got = read_frame(reading, &frame, &outcome, &ended, &inner);
        if (got != DITHER_OK) {
            (void)helper_lose(&process->helper, "it sent what makes no sense", why);
            return got == DITHER_NO_MEMORY ? fail(why, got, "out of memory") : DITHER_IO;
        }
    }
    return outcome == CATALOGUE_ANSWERED ? DITHER_OK : catalogue_refuse_as(reading->rewrite, outcome);
}

static status ask(struct catalogue_process *process, struct catalogue_rewrite *rewrite, const char *sql,
                  struct reading *reading)
{
    struct helper *helper = &process->helper;
    if (!helper_is_well(helper))
        TRY(start(process, rewrite->why));
    helper_begin(helper);
    catalogue_wire_put_asking(&helper->out, &(struct catalogue_asking){.user = rewrite->question->user,
                                                                       .dataset = process->dataset,
                                                                       .sql = sql,
                                                                       .oids = rewrite->oids,
                                                                       .oid_count = rewrite->oid_count});
    TRY(helper_send(helper, rewrite->why));
    return receive(process, reading, rewrite->why);
}

status catalogue_process_ask(struct catalogue_process *process, struct catalogue_rewrite *rewrite,
                             const char *sql, struct catalogue_reply *out)
{
    struct reading reading = {.rewrite = rewrite};
    pthread_mutex_lock(&process->lock);
    status result = ask(process, rewrite, sql, &reading);
    pthread_mutex_unlock(&process->lock);
    if (result == DITHER_OK) {
        *out = reading.reply;
        out->cells = reading.cells;
        out->row_count = reading.cell_count / reading.reply.column_count;
    }
    return result;
}
