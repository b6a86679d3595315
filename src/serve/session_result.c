/* What a client sees of an answer: columns, rows, what it cost. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "curator/format.h"
#include "ledger/cost.h"
#include "serve/session_room.h"

static enum wire_format format_at(const struct run *run, size_t column)
{
    if (run->format_count == 0)
        return WIRE_TEXT;
    size_t place = run->format_count == 1 ? 0 : column;
    return place < run->format_count && run->formats[place] == WIRE_BINARY ? WIRE_BINARY : WIRE_TEXT;
}

/* The ends of an interval are whole where the column is. */
static enum sql_type end_type(const struct curator_column *column)
{
    return column->type == SQL_INTEGER ? SQL_INTEGER : SQL_REAL;
}

static bool has_ends(const struct run *run, const struct curator_column *column)
{
    return run->intervals && column->noisy;
}

/* ---- Columns ---- */

static void put_column(struct wire_column *columns, size_t *count, const struct run *run, const char *name,
                       enum sql_type type, int scale)
{
    columns[*count] =
        (struct wire_column){name, wire_oid(type), wire_modifier(type, scale), format_at(run, *count)};
    ++*count;
}

static status end_name(struct arena *arena, const char *name, const char *ending, const char **out,
                       error *why)
{
    char *text = NULL;
    void *memory = NULL;
    size_t size = strlen(name) + strlen(ending) + 1;
    TRY(arena_take(arena, size, &memory, why));
    text = memory;
    snprintf(text, size, "%s%s", name, ending);
    *out = text;
    return DITHER_OK;
}

static status make_columns(const struct run *run, const struct curator_column *columns, size_t count,
                           struct arena *arena, struct wire_column **out, size_t *out_count, error *why)
{
    void *memory = NULL;
    TRY(arena_take(arena, (3 * count + 1) * sizeof **out, &memory, why));
    struct wire_column *made = memory;
    size_t made_count = 0;
    for (size_t i = 0; i < count; i++) {
        const char *low = NULL, *high = NULL;
        put_column(made, &made_count, run, columns[i].name, columns[i].type, columns[i].scale);
        if (!has_ends(run, &columns[i]))
            continue;
        TRY(end_name(arena, columns[i].name, "_low", &low, why));
        TRY(end_name(arena, columns[i].name, "_high", &high, why));
        put_column(made, &made_count, run, low, end_type(&columns[i]), 0);
        put_column(made, &made_count, run, high, end_type(&columns[i]), 0);
    }
    *out = made;
    *out_count = made_count;
    return DITHER_OK;
}

void result_write_columns(struct session *session, const struct run *run,
                          const struct curator_column *columns, size_t count)
{
    struct arena arena;
    struct wire_column *made = NULL;
    size_t made_count = 0;
    error why;
    arena_init(&arena, 4 << 20);
    if (make_columns(run, columns, count, &arena, &made, &made_count, &why) == DITHER_OK)
        wire_write_columns(&session->output, made, made_count);
    else
        session_fatal(session, "53200", why.message);
    arena_free(&arena);
}

void result_write_reply_columns(struct session *session, const struct run *run)
{
    struct arena arena;
    void *memory = NULL;
    error why;
    arena_init(&arena, 4 << 20);
    if (arena_take(&arena, (run->reply.column_count + 1) * sizeof(struct wire_column), &memory, &why) ==
        DITHER_OK) {
        struct wire_column *made = memory;
        for (size_t i = 0; i < run->reply.column_count; i++)
            made[i] = (struct wire_column){run->reply.columns[i].name, run->reply.columns[i].oid, -1,
                                           format_at(run, i)};
        wire_write_columns(&session->output, made, run->reply.column_count);
    } else {
        session_fatal(session, "53200", why.message);
    }
    arena_free(&arena);
}

void result_write_own_columns(struct session *session, const struct run *run)
{
    if (run->has_reply)
        result_write_reply_columns(session, run);
    else if (run->answer != NULL)
        result_write_columns(session, run, run->answer->columns, run->answer->column_count);
}

/* ---- Rows ---- */

bool result_is_there(const struct run *run)
{
    return run->answer != NULL || run->has_reply;
}

static struct sql_value end_value(const struct curator_column *column, double end)
{
    struct sql_value value = {.type = end_type(column), .null = isnan(end)};
    if (value.type == SQL_REAL)
        value.real = end;
    else if (end >= -0x1p63 && end < 0x1p63)
        value.whole = (int64_t)end;
    else
        value.null = true;
    return value;
}

static size_t shown_columns(const struct run *run)
{
    size_t count = run->answer->column_count;
    for (size_t i = 0; i < run->answer->column_count; i++)
        count += has_ends(run, &run->answer->columns[i]) ? 2 : 0;
    return count;
}

static void put_ends(struct wire_out *row, const struct run *run, size_t cell,
                     const struct curator_column *column, size_t *place)
{
    struct curator_interval interval = run->answer->intervals[cell];
    struct sql_value low = {.type = end_type(column), .null = true}, high = low;
    if (interval.known) {
        low = end_value(column, format_lower(column, interval));
        high = end_value(column, format_upper(column, interval));
    }
    wire_put_value(row, &low, format_at(run, (*place)++));
    wire_put_value(row, &high, format_at(run, (*place)++));
}

static void write_reply_row(struct session *session, const struct run *run, size_t index)
{
    const struct catalogue_reply *reply = &run->reply;
    struct wire_out row = wire_begin(&session->output, 'D');
    wire_put_uint16(&row, (uint16_t)reply->column_count);
    for (size_t i = 0; i < reply->column_count; i++)
        wire_put_cell(&row, reply->cells[index * reply->column_count + i], reply->columns[i].oid,
                      format_at(run, i));
    wire_end(&row);
}

static void write_row(struct session *session, const struct run *run, size_t index)
{
    const struct curator_answer *answer = run->answer;
    struct wire_out row = wire_begin(&session->output, 'D');
    size_t place = 0;
    wire_put_uint16(&row, (uint16_t)shown_columns(run));
    for (size_t i = 0; i < answer->column_count; i++) {
        wire_put_value(&row, sql_rows_cell(&answer->rows, index, i), format_at(run, place++));
        if (has_ends(run, &answer->columns[i]))
            put_ends(&row, run, index * answer->column_count + i, &answer->columns[i], &place);
    }
    wire_end(&row);
}

/* ---- What it cost ---- */

/* The one noisy number of a one-row answer, with its interval. */
static const char *single_interval(const struct curator_answer *answer, char *text, size_t room)
{
    size_t noisy = 0, column = 0;
    for (size_t i = 0; i < answer->column_count; i++)
        if (answer->columns[i].noisy) {
            noisy++;
            column = i;
        }
    if (answer->rows.row_count != 1 || noisy != 1 || !answer->intervals[column].known)
        return NULL;
    const struct curator_column *shown = &answer->columns[column];
    snprintf(text, room, "%.60s lies between %.15g and %.15g with probability %g.", shown->name,
             format_lower(shown, answer->intervals[column]), format_upper(shown, answer->intervals[column]),
             answer->confidence);
    return text;
}

static bool is_free(struct ledger_cost cost)
{
    return decimal_is_zero(cost.epsilon) && decimal_is_zero(cost.delta) && decimal_is_zero(cost.rho);
}

void result_say_cost(struct session *session, const struct curator_answer *answer)
{
    char cost[LEDGER_COST_TEXT], left[LEDGER_COST_TEXT], message[2 * LEDGER_COST_TEXT + 40], detail[200];
    if (!session->settings.notices || (is_free(answer->cost) && !answer->cached))
        return; /* all of it is public */
    ledger_cost_print(answer->cost, answer->currency, cost);
    ledger_cost_print(answer->remaining, answer->currency, left);
    if (answer->cached)
        snprintf(message, sizeof message, "cost nothing, it was paid for before; left %s", left);
    else
        snprintf(message, sizeof message, "cost %s; left %s", cost, left);
    session_notice(session, "NOTICE", "00000", message, single_interval(answer, detail, sizeof detail));
}

/* ---- Showing ---- */

static void complete(struct session *session, struct run *run)
{
    char tag[TAG_BYTES + 24];
    if (run->asked && !run->done)
        result_say_cost(session, run->answer);
    if (strcmp(run->tag, "SELECT") == 0 || strcmp(run->tag, "FETCH") == 0)
        snprintf(tag, sizeof tag, "%s %zu", run->tag, run->shown);
    else
        snprintf(tag, sizeof tag, "%s", run->tag);
    wire_write_complete(&session->output, tag);
    shown_end(session, run);
    run->done = true;
    if (run->fetching) { /* the formats were the FETCH's */
        run->formats = NULL;
        run->format_count = 0;
    }
    run->fetching = false;
    session->run = NULL;
    session->showing = false;
}

void result_show(struct session *session)
{
    struct run *run = session->run;
    size_t count = run->has_reply        ? run->reply.row_count
                   : run->answer != NULL ? run->answer->rows.row_count
                                         : 0;
    uint64_t most = run->fetching ? run->fetched : session->rows_limit > 0 ? session->rows_limit : UINT64_MAX;
    while (run->next_row < count && run->shown < most && session->output.length < SESSION_WRITE_BYTES) {
        if (run->has_reply)
            write_reply_row(session, run, run->next_row++);
        else
            write_row(session, run, run->next_row++);
        run->shown++;
    }
    if (run->shown >= most && !run->fetching) {
        wire_write_bare(&session->output, 's');
        session->run = NULL;
        session->showing = false;
    } else if (run->next_row >= count || run->shown >= most) {
        complete(session, run);
    }
}

/* ---- Texts as answers ---- */

static status new_answer(struct curator_answer **out, error *why)
{
    struct curator_answer *answer = memory_allocate(sizeof *answer);
    struct arena *arena = memory_allocate(sizeof *arena);
    if (answer == NULL || arena == NULL) {
        memory_release(answer, sizeof *answer);
        memory_release(arena, sizeof *arena);
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    }
    arena_init(arena, RUN_ARENA);
    answer->arena = arena;
    *out = answer;
    return DITHER_OK;
}

static status fill_answer(struct curator_answer *answer, const char *const *names, size_t column_count,
                          const char *const *cells, size_t row_count, error *why)
{
    void *columns = NULL, *values = NULL;
    TRY(arena_take(answer->arena, column_count * sizeof *answer->columns, &columns, why));
    TRY(arena_take(answer->arena, row_count * column_count * sizeof(struct sql_value), &values, why));
    answer->columns = columns;
    answer->column_count = column_count;
    for (size_t i = 0; i < column_count; i++)
        answer->columns[i] = (struct curator_column){.name = names[i], .type = SQL_TEXT};
    for (size_t i = 0; i < row_count * column_count; i++) {
        char *copy = NULL;
        TRY(arena_text(answer->arena, cells[i], strlen(cells[i]), &copy, why));
        ((struct sql_value *)values)[i] = (struct sql_value){.type = SQL_TEXT, .text = copy};
    }
    answer->rows = (struct sql_rows){column_count, row_count, values};
    return DITHER_OK;
}

status result_of_cells(const char *const *names, size_t column_count, const char *const *cells,
                       size_t row_count, struct curator_answer **out, error *why)
{
    struct curator_answer *answer = NULL;
    TRY(new_answer(&answer, why));
    status result = fill_answer(answer, names, column_count, cells, row_count, why);
    if (result == DITHER_OK)
        *out = answer;
    else
        curator_answer_free(answer);
    return result;
}

enum { MOST_LINES = 100000 };

/* Cuts the copy into lines, whose beginnings are kept. */
static status cut_lines(struct arena *arena, const char *text, const char ***out, size_t *count, error *why)
{
    char *copy = NULL;
    void *memory = NULL;
    size_t lines = 1;
    for (const char *at = text; *at != '\0'; at++)
        lines += *at == '\n';
    if (lines > MOST_LINES)
        return fail(why, DITHER_INVALID, "the explanation is too long");
    TRY(arena_text(arena, text, strlen(text), &copy, why));
    TRY(arena_take(arena, lines * sizeof **out, &memory, why));
    *out = memory;
    *count = 0;
    for (char *line = copy, *end = NULL; line != NULL && *line != '\0'; line = end != NULL ? end + 1 : NULL) {
        end = strchr(line, '\n');
        if (end != NULL)
            *end = '\0';
        (*out)[(*count)++] = line;
    }
    return DITHER_OK;
}

status result_of_text(const char *name, const char *text, bool whole, struct curator_answer **out, error *why)
{
    struct arena arena;
    const char **lines = &text;
    size_t count = 1;
    arena_init(&arena, RUN_ARENA);
    status result = whole ? DITHER_OK : cut_lines(&arena, text, &lines, &count, why);
    if (result == DITHER_OK)
        result = result_of_cells(&name, 1, lines, count, out, why);
    arena_free(&arena);
    return result;
}
