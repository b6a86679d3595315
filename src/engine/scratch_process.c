/* Scratch in a process of its own: our side. Whatever comes back is a stranger's bytes: its numbers choose among our own texts,
 * its rows are read with their types checked, its words go to the owner with nothing in them that could move a terminal. */
#include <string.h>

#include "base/memory.h"
#include "engine/helper.h"
#include "engine/scratch_kind.h"
#include "engine/scratch_wire.h"

enum { COMPLAINT_BYTES = 64 << 10 };

struct process {
    struct scratch base;
    struct helper helper;
    struct scratch_wire_open limits;
    bool fresh;                 /* nobody was told yet that it is empty */
    bool filling;               /* a table, which is: */
    struct scratch_table table; /* only its columns are looked at */
    size_t rows_begun;          /* where the frame of rows begins in helper.out, plus 1; 0: none is open */
    struct buffer complaint;
};

static struct process *own(struct scratch *scratch)
{
    return (struct process *)scratch; /* its first member */
}

static void close_process(struct scratch *scratch)
{
    struct process *process = own(scratch);
    helper_free(&process->helper);
    buffer_free(&process->complaint);
    memory_release(process, sizeof *process);
}

/* ---- Starting ---- */

static status start(struct process *process, error *why)
{
    process->fresh = true;
    process->filling = false;
    process->rows_begun = 0;
    TRY(helper_start(&process->helper, why));
    scratch_wire_put_open(&process->helper.out, &process->limits);
    return helper_greet(&process->helper, why);
}

static status ready(struct scratch *scratch, bool *emptied, const char **complaint, error *why)
{
    struct process *process = own(scratch);
    struct helper *helper = &process->helper;
    if (!helper_is_well(helper))
        TRY(start(process, why));
    *emptied = process->fresh;
    *complaint = "";
    if (process->fresh && helper->fate[0] != '\0') {
        buffer_free(&process->complaint);
        buffer_init(&process->complaint, COMPLAINT_BYTES);
        buffer_text(&process->complaint, helper->fate);
        *complaint = process->complaint.data != NULL ? process->complaint.data : "";
        helper->fate[0] = '\0';
    }
    process->fresh = false;
    return DITHER_OK;
}

/* ---- How it ended ---- */

/* Printable, on one line or several. */
static void keep_complaint(struct process *process, const char *text, size_t length)
{
    buffer_free(&process->complaint);
    buffer_init(&process->complaint, COMPLAINT_BYTES);
    if (length >= COMPLAINT_BYTES)
        length = COMPLAINT_BYTES - 1;
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        buffer_byte(&process->complaint, byte >= 32 && byte != 127 ? (char)byte : byte == '\n' ? '\n' : ' ');
    }
}

static status conclude(struct process *process, struct frame *frame, size_t most_rows, error *why)
{
    struct scratch_wire_status ended;
    if (!scratch_wire_get_status(&frame->body, &ended))
        return helper_lose(&process->helper, "it sent what makes no sense", why);
    keep_complaint(process, ended.complaint, ended.complaint_length);
    if (ended.result != DITHER_OK && helper_was_late(&process->helper))
        return fail(why, DITHER_IO, SCRATCH_LOST);
    switch (ended.result) {
    case DITHER_OK:
        return DITHER_OK;
    case DITHER_INVALID:
        return fail(why, DITHER_INVALID, "the result has more than %zu rows, or they are too large",
                    most_rows);
    case DITHER_NO_MEMORY:
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    default:
        return fail(why, DITHER_IO, "the scratch database failed on the rest of the question");
    }
}

/* ---- Tables ---- */

/* Frames of no answer may be sent late, so that a small table goes in one piece. */
static status fill_begin(struct scratch *scratch, const struct scratch_table *table, error *why)
{
    struct process *process = own(scratch);
    if (process->helper.process == 0)
        return fail(why, DITHER_IO, SCRATCH_LOST);
    helper_begin(&process->helper);
    scratch_wire_put_table(&process->helper.out, table);
    process->table = *table;
    process->filling = true;
    process->rows_begun = 0;
    return DITHER_OK;
}

static status send_rows(struct process *process, error *why)
{
    if (process->rows_begun > 0)
        frame_end(&process->helper.out, process->rows_begun - 1);
    process->rows_begun = 0;
    return helper_send(&process->helper, why);
}

static status fill_row(struct scratch *scratch, const struct sql_value *cells, error *why)
{
    struct process *process = own(scratch);
    struct buffer *out = &process->helper.out;
    if (!process->filling)
        return fail(why, DITHER_IO, SCRATCH_LOST);
    if (process->rows_begun == 0)
        process->rows_begun = frame_begin(out, SCRATCH_ROWS) + 1;
    scratch_wire_put_row(out, process->table.columns, process->table.column_count, cells);
    if (out->length < SCRATCH_PIECE_BYTES && !out->failed)
        return DITHER_OK;
    helper_begin(&process->helper); /* each piece has its own time */
    return send_rows(process, why);
}

static status fill_end(struct scratch *scratch, error *why)
{
    struct process *process = own(scratch);
    struct helper *helper = &process->helper;
    struct frame frame;
    if (!process->filling)
        return fail(why, DITHER_IO, SCRATCH_LOST);
    process->filling = false;
    helper_begin(helper);
    if (process->rows_begun > 0)
        frame_end(&helper->out, process->rows_begun - 1);
    process->rows_begun = 0;
    frame_end(&helper->out, frame_begin(&helper->out, SCRATCH_FULL));
    TRY(helper_send(helper, why));
    TRY(helper_receive(helper, &frame, why));
    if (frame.kind != SCRATCH_STATUS)
        return helper_lose(helper, "it sent what was not asked for", why);
    return conclude(process, &frame, 0, why);
}

static void drop(struct scratch *scratch, const char *name)
{
    struct process *process = own(scratch);
    if (process->filling) { /* what of it was not sent yet need not be */
        buffer_free(&process->helper.out);
        buffer_init(&process->helper.out, 2 * FRAME_MOST_BYTES);
    }
    process->filling = false;
    process->rows_begun = 0;
    helper_begin(&process->helper);
    scratch_wire_put_name(&process->helper.out, name);
    (void)!helper_send(&process->helper, NULL);
}

/* ---- Questions ---- */

/* Rows arrive in pieces; how many, only the end tells. */
struct piece {
    struct sql_value *cells;
    size_t rows, room;
    struct piece *next;
};

struct result {
    const struct scratch_column *columns;
    size_t column_count, rows, most_rows;
    struct arena *arena;
    struct piece *first, **last;
};

static status make_piece(struct result *result, size_t room, struct piece **out, error *why)
{
    TRY(arena_take(result->arena, sizeof **out, (void **)out, why));
    TRY(arena_take(result->arena, room * result->column_count * sizeof *(*out)->cells,
                   (void **)&(*out)->cells, why));
    (*out)->room = room;
    *result->last = *out;
    result->last = &(*out)->next;
    return DITHER_OK;
}

/* DITHER_INVALID: it makes no sense. A cell takes a byte at least, which bounds what is made room for. */
static status read_piece(struct result *result, struct cursor *body, error *why)
{
    struct piece *piece = NULL;
    size_t room = result->column_count > 0 ? cursor_left(body) / result->column_count : 0;
    if (room > result->most_rows - result->rows)
        room = result->most_rows - result->rows;
    if (room > 4096)
        room = 4096;
    while (cursor_left(body) > 0) {
        if (result->rows == result->most_rows || result->column_count == 0)
            return fail(why, DITHER_INVALID, "more rows than were asked for");
        if (piece == NULL || piece->rows == piece->room)
            TRY(make_piece(result, room > 0 ? room : 1, &piece, why));
        TRY(scratch_wire_get_row(body, result->columns, result->column_count, result->arena,
                                 &piece->cells[piece->rows * result->column_count], why));
        piece->rows++;
        result->rows++;
    }
    return DITHER_OK;
}

static status join_pieces(const struct result *result, struct sql_rows *out, error *why)
{
    struct sql_value *cells = NULL;
    TRY(arena_take(result->arena, result->rows * result->column_count * sizeof *cells, (void **)&cells, why));
    struct sql_value *next = cells;
    for (const struct piece *piece = result->first; piece != NULL; piece = piece->next) {
        if (piece->rows > 0)
            memcpy(next, piece->cells, piece->rows * result->column_count * sizeof *cells);
        next += piece->rows * result->column_count;
    }
    *out = (struct sql_rows){.column_count = result->column_count, .row_count = result->rows, .cells = cells};
    return DITHER_OK;
}

static status receive_rows(struct process *process, struct result *result, error *why)
{
    struct helper *helper = &process->helper;
    for (;;) {
        struct frame frame;
        TRY(helper_receive(helper, &frame, why));
        if (frame.kind == SCRATCH_STATUS)
            return conclude(process, &frame, result->most_rows, why);
        if (frame.kind != SCRATCH_ROWS)
            return helper_lose(helper, "it sent what was not asked for", why);
        error inner;
        status got = read_piece(result, &frame.body, &inner);
        if (got == DITHER_NO_MEMORY) { /* ours; what is still on its way is not worth waiting for */
            (void)helper_lose(helper, "there was no memory for what it sent", why);
            return fail(why, got, "out of memory");
        }
        if (got != DITHER_OK)
            return helper_lose(helper, "it sent rows that make no sense, or too many", why);
    }
}

static status query(struct scratch *scratch, const char *sql, const struct scratch_column *columns,
                    size_t column_count, size_t most_rows, struct arena *arena, struct sql_rows *out,
                    error *why)
{
    struct process *process = own(scratch);
    struct helper *helper = &process->helper;
    struct result result = {
        .columns = columns, .column_count = column_count, .most_rows = most_rows, .arena = arena};
    result.last = &result.first;
    keep_complaint(process, "", 0);
    helper_begin(helper);
    scratch_wire_put_query(&helper->out, &(struct scratch_wire_query){.number = helper->number,
                                                                      .most_rows = most_rows,
                                                                      .columns = columns,
                                                                      .column_count = column_count,
                                                                      .sql = sql});
    TRY(helper_send(helper, why));
    TRY(receive_rows(process, &result, why));
    return join_pieces(&result, out, why);
}

static const char *complaint(const struct scratch *scratch)
{
    const struct process *process = (const struct process *)scratch;
    if (process->complaint.data == NULL || process->complaint.failed)
        return process->helper.fate;
    return process->complaint.data;
}

static void interrupt(struct scratch *scratch)
{
    helper_interrupt(&own(scratch)->helper);
}

static const struct scratch_kind process_kind = {
    .close = close_process,
    .ready = ready,
    .fill_begin = fill_begin,
    .fill_row = fill_row,
    .fill_end = fill_end,
    .drop = drop,
    .query = query,
    .complaint = complaint,
    .interrupt = interrupt,
};

status scratch_process_open(const struct scratch_options *options, struct scratch **out, error *why)
{
    struct process *process = memory_allocate(sizeof *process);
    if (process == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    process->base.kind = &process_kind;
    process->limits =
        (struct scratch_wire_open){.memory_bytes = options->memory_bytes, .threads = options->threads};
    buffer_init(&process->complaint, COMPLAINT_BYTES);
    helper_init(&process->helper, &(struct helper_options){.program = options->program,
                                                           .command = "scratch-worker",
                                                           .lost = SCRATCH_LOST,
                                                           .seconds = options->seconds});
    status result = options->later ? DITHER_OK : start(process, why);
    if (result != DITHER_OK) {
        if (process->helper.fate[0] != '\0')
            (void)fail(why, result, "the process for the rest of questions does not start: %s",
                       process->helper.fate);
        close_process(&process->base);
        return result;
    }
    *out = &process->base;
    return DITHER_OK;
}
