/* Cursors of SQL: DECLARE asks the question and keeps its answer as a portal, FETCH shows the next rows of it. What it costs
 * is said, and spent, at DECLARE. An answer is read forward alone: that is what drivers do. */
#include <stdio.h>
#include <string.h>

#include "serve/session_room.h"

static struct portal *find_cursor(struct session *session, const char *name)
{
    struct portal *portal = extended_find_portal(session, name);
    if (portal != NULL && portal->cursor)
        return portal;
    char message[160];
    snprintf(message, sizeof message, "cursor \"%.63s\" does not exist", name);
    session_error(session, "34000", message);
    return NULL;
}

/* ---- DECLARE ---- */

static struct portal *add_cursor(struct session *session, const struct run *run)
{
    struct portal *portal = extended_add_portal(session, run->statement.name);
    if (portal == NULL)
        return NULL;
    portal->cursor = true;
    portal->hold = run->statement.hold;
    portal->run.arena = &portal->arena;
    portal->run.started = true;
    return portal;
}

/* The result moves from the statement to the portal. */
static void keep_result(struct session *session, struct run *run)
{
    struct portal *portal = add_cursor(session, run);
    if (portal == NULL)
        return; /* told; what was asked was charged, as for any client that goes away */
    portal->run.answer = run->answer;
    portal->run.intervals = run->intervals;
    portal->run.has_reply = run->has_reply;
    portal->run.reply = run->reply;
    portal->run.reply_arena = run->reply_arena;
    run->answer = NULL;
    run->has_reply = false;
    memcpy(run->tag, "DECLARE CURSOR", sizeof "DECLARE CURSOR");
    statement_ready(session);
}

static void declared(struct session *session)
{
    struct job *job = &session->job;
    struct run *run = session->run;
    settings_question_done(&session->settings);
    if (job->result != DITHER_OK) {
        session_failed(session, job->result, &job->why, job->offset);
        return;
    }
    run->answer = job->answer;
    job->answer = NULL;
    run->intervals = session->settings.intervals;
    result_say_cost(session, run->answer);
    keep_result(session, run);
}

static void declared_lookup(struct session *session)
{
    if (lookup_take(session, session->run))
        keep_result(session, session->run);
}

void cursor_declare(struct session *session, struct run *run)
{
    if (session->transaction == 'I' && !run->statement.hold) {
        session_error(session, "25P01", "DECLARE CURSOR can only be used in transaction blocks");
        return;
    }
    if (!extended_room_for_portal(session, run->statement.name)) /* before anything is spent */
        return;
    if (run->for_catalogue)
        lookup_ask(session, run, declared_lookup);
    else
        statement_ask(session, run, declared);
}

/* ---- FETCH, MOVE, CLOSE ---- */

static void move(struct session *session, struct run *run, struct run *moved)
{
    size_t count = moved->has_reply ? moved->reply.row_count : moved->answer->rows.row_count;
    uint64_t left = count - moved->next_row, step = run->statement.rows < left ? run->statement.rows : left;
    moved->next_row += (size_t)step;
    snprintf(run->tag, sizeof run->tag, "MOVE %llu", (unsigned long long)step);
    statement_ready(session);
}

void cursor_fetch(struct session *session, struct run *run)
{
    struct portal *portal = find_cursor(session, run->statement.name);
    if (portal == NULL)
        return;
    if (run->statement.backward) {
        session_error(session, "55000", "cursor can only scan forward");
        return;
    }
    struct run *source = &portal->run;
    if (run->statement.move) {
        move(session, run, source);
        return;
    }
    uint32_t limit = session->rows_limit;
    source->fetching = true;
    source->fetched = limit > 0 && limit < run->statement.rows ? limit : run->statement.rows;
    source->shown = 0;
    source->formats = run->formats;
    source->format_count = run->format_count;
    memcpy(source->tag, "FETCH", sizeof "FETCH");
    session->run = source;
    statement_ready(session);
}

void cursor_close(struct session *session, struct run *run)
{
    const char *name = run->statement.name;
    if (name != NULL && find_cursor(session, name) == NULL)
        return;
    (void)extended_drop_cursor(session, name, true);
    snprintf(run->tag, sizeof run->tag, "CLOSE CURSOR%s", name == NULL ? " ALL" : "");
    statement_ready(session);
}

void cursor_describe(struct session *session, const struct run *run)
{
    struct portal *portal = find_cursor(session, run->statement.name);
    if (portal == NULL)
        return;
    struct run shown = portal->run;
    shown.formats = run->formats;
    shown.format_count = run->format_count;
    if (run->statement.move)
        wire_write_bare(&session->output, 'n');
    else
        result_write_own_columns(session, &shown);
}
