/* A scratch in this process, behind frames; the process is shut in before the first of them. */
#include "engine/scratch_worker.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "engine/helper_loop.h"
#include "engine/scratch.h"
#include "engine/scratch_wire.h"

/* Of a result, beside DuckDB's own limit. */
#define ARENA_BYTES ((size_t)1 << 30)

struct worker {
    struct scratch *scratch;
    struct scratch_table table; /* that is being filled */
    struct arena table_arena;
    status filled; /* how it goes; what failed is told at the end */
    bool filling;
};

static bool open_worker(void *context, struct cursor *body)
{
    struct worker *worker = context;
    struct scratch_wire_open open;
    error why;
    if (!scratch_wire_get_open(body, &open) ||
        helper_loop_limit(open.memory_bytes, open.threads, &why) != DITHER_OK)
        return false;
    const struct scratch_options options = {.memory_bytes = open.memory_bytes, .threads = open.threads};
    return scratch_open(&options, &worker->scratch, &why) == DITHER_OK;
}

static void interrupt(void *context)
{
    struct worker *worker = context;
    scratch_interrupt(worker->scratch);
}

/* DuckDB's words may have been cut within a character. */
static void put_status(struct buffer *out, status result, const char *complaint)
{
    char plain[4096];
    if (utf8_valid(complaint, strlen(complaint))) {
        scratch_wire_put_status(out, result, complaint);
        return;
    }
    snprintf(plain, sizeof plain, "%s", complaint);
    for (char *at = plain; *at != '\0'; at++)
        if ((unsigned char)*at >= 128)
            *at = '?';
    scratch_wire_put_status(out, result, plain);
}

static status known(status result)
{
    return result == DITHER_OK || result == DITHER_INVALID || result == DITHER_NO_MEMORY ? result : DITHER_IO;
}

/* ---- Tables ---- */

static void end_table(struct worker *worker)
{
    if (worker->filling)
        arena_free(&worker->table_arena);
    worker->filling = false;
}

static bool begin_table(struct worker *worker, struct cursor *body)
{
    error why;
    end_table(worker);
    arena_init(&worker->table_arena, 4 * FRAME_MOST_BYTES);
    worker->filling = true;
    if (scratch_wire_get_table(body, &worker->table_arena, &worker->table, &why) != DITHER_OK)
        return false;
    worker->filled = scratch_fill_begin(worker->scratch, &worker->table, &why);
    return true;
}

static status add_rows(struct worker *worker, struct cursor *body, struct arena *arena, bool *sense,
                       error *why)
{
    struct sql_value *cells = NULL;
    size_t count = worker->table.column_count;
    TRY(arena_take(arena, count * sizeof *cells, (void **)&cells, why));
    while (cursor_left(body) > 0) {
        status got = scratch_wire_get_row(body, worker->table.columns, count, arena, cells, why);
        *sense = got != DITHER_INVALID;
        TRY(got);
        TRY(scratch_fill_row(worker->scratch, cells, why));
    }
    return DITHER_OK;
}

static bool take_rows(struct worker *worker, struct cursor *body)
{
    struct arena arena;
    bool sense = true;
    error why;
    if (!worker->filling)
        return false;
    if (worker->filled != DITHER_OK)
        return true;
    arena_init(&arena, ARENA_BYTES);
    worker->filled = add_rows(worker, body, &arena, &sense, &why);
    arena_free(&arena);
    return sense;
}

static bool finish_table(struct worker *worker, struct buffer *out)
{
    error why;
    if (!worker->filling)
        return false;
    if (worker->filled == DITHER_OK)
        worker->filled = scratch_fill_end(worker->scratch, &why);
    put_status(out, known(worker->filled), scratch_complaint(worker->scratch));
    end_table(worker);
    return true;
}

static bool drop_table(struct worker *worker, struct cursor *body)
{
    struct arena arena;
    const char *name = NULL;
    bool good = false;
    error why;
    arena_init(&arena, FRAME_MOST_BYTES);
    good = frame_text_copy(body, &arena, &name, &good, &why) == DITHER_OK && good && cursor_left(body) == 0;
    if (good)
        scratch_drop(worker->scratch, name);
    end_table(worker);
    arena_free(&arena);
    return good;
}

/* ---- Questions ---- */

static status send_rows(const struct scratch_wire_query *query, const struct sql_rows *rows,
                        struct buffer *out)
{
    size_t begun = frame_begin(out, SCRATCH_ROWS);
    for (size_t row = 0; row < rows->row_count; row++) {
        size_t before = out->length;
        scratch_wire_put_row(out, query->columns, query->column_count, sql_rows_cell(rows, row, 0));
        if (out->length - before > SCRATCH_ROW_BYTES)
            return DITHER_INVALID;
        if (out->length < SCRATCH_PIECE_BYTES || row + 1 == rows->row_count)
            continue;
        frame_end(out, begun);
        if (!helper_loop_flush(out))
            return DITHER_IO;
        begun = frame_begin(out, SCRATCH_ROWS);
    }
    frame_end(out, begun);
    return out->failed ? DITHER_NO_MEMORY : DITHER_OK;
}

/* What was begun of a frame and not sent is forgotten. */
static void begin_anew(struct buffer *out)
{
    buffer_free(out);
    buffer_init(out, 2 * FRAME_MOST_BYTES);
}

static bool answer(struct worker *worker, struct cursor *body, struct buffer *out)
{
    struct arena arena;
    struct scratch_wire_query query;
    struct sql_rows rows;
    error why;
    arena_init(&arena, ARENA_BYTES);
    bool sense = scratch_wire_get_query(body, &arena, &query, &why) == DITHER_OK;
    if (sense) {
        helper_loop_runs(query.number);
        status result = scratch_query(worker->scratch, query.sql, query.columns, query.column_count,
                                      query.most_rows, &arena, &rows, &why);
        helper_loop_runs(0);
        if (result == DITHER_OK)
            result = send_rows(&query, &rows, out);
        if (result != DITHER_OK)
            begin_anew(out);
        put_status(out, known(result), result == DITHER_OK ? "" : scratch_complaint(worker->scratch));
    }
    arena_free(&arena);
    return sense;
}

static bool handle(void *context, struct frame *frame, struct buffer *out)
{
    struct worker *worker = context;
    switch (frame->kind) {
    case SCRATCH_TABLE:
        return begin_table(worker, &frame->body);
    case SCRATCH_ROWS:
        return take_rows(worker, &frame->body);
    case SCRATCH_FULL:
        return finish_table(worker, out);
    case SCRATCH_DROP:
        return drop_table(worker, &frame->body);
    case SCRATCH_QUERY:
        return answer(worker, &frame->body, out);
    default:
        return false;
    }
}

static const struct helper_work work = {.open = open_worker, .handle = handle, .interrupt = interrupt};

status scratch_worker(error *why)
{
    static struct worker worker;
    return helper_loop(&work, &worker, why);
}
