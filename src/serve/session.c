#include "serve/session_room.h"

#include <openssl/crypto.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/monotonic.h"
#include "serve/failure.h"

/* ---- The table: state x message -> handler, and who may ---- */

typedef void (*message_handler)(struct session *session, const struct wire_message *message);

static void terminate(struct session *session, const struct wire_message *message)
{
    (void)message;
    session->state = STATE_CLOSED;
}

static void drop(struct session *session, const struct wire_message *message)
{
    (void)session;
    (void)message;
}

static void refuse_function(struct session *session, const struct wire_message *message)
{
    (void)message;
    session_error(session, "0A000", "function calls are not available: ask in SQL");
    session->state = STATE_READY; /* a call is answered by ReadyForQuery, as a Query is */
    wire_write_ready(&session->output, session->transaction);
}

static const struct rule {
    enum session_state state;
    enum wire_kind kind;
    enum serve_role needed;
    message_handler handle;
} rules[] = {
    {STATE_SIGN_IN, WIRE_PASSWORD, ROLE_NOBODY, start_first},
    {STATE_SIGN_IN, WIRE_TERMINATE, ROLE_NOBODY, terminate},
    {STATE_PROOF, WIRE_PASSWORD, ROLE_NOBODY, start_proof},
    {STATE_PROOF, WIRE_TERMINATE, ROLE_NOBODY, terminate},
    {STATE_READY, WIRE_QUERY, ROLE_ANALYST, simple_begin},
    {STATE_READY, WIRE_PARSE, ROLE_ANALYST, extended_parse},
    {STATE_READY, WIRE_BIND, ROLE_ANALYST, extended_bind},
    {STATE_READY, WIRE_DESCRIBE, ROLE_ANALYST, extended_describe},
    {STATE_READY, WIRE_EXECUTE, ROLE_ANALYST, extended_execute},
    {STATE_READY, WIRE_CLOSE, ROLE_ANALYST, extended_close},
    {STATE_READY, WIRE_SYNC, ROLE_ANALYST, extended_sync},
    {STATE_READY, WIRE_FLUSH, ROLE_ANALYST, extended_flush},
    {STATE_READY, WIRE_FUNCTION_CALL, ROLE_ANALYST, refuse_function},
    {STATE_READY, WIRE_COPY_DATA, ROLE_ANALYST, drop}, /* of a COPY that was refused */
    {STATE_READY, WIRE_COPY_DONE, ROLE_ANALYST, drop},
    {STATE_READY, WIRE_COPY_FAIL, ROLE_ANALYST, drop},
    {STATE_READY, WIRE_TERMINATE, ROLE_ANALYST, terminate},
    {STATE_SKIPPING, WIRE_SYNC, ROLE_ANALYST, extended_sync},
    {STATE_SKIPPING, WIRE_TERMINATE, ROLE_ANALYST, terminate},
    {STATE_SKIPPING, WIRE_QUERY, ROLE_ANALYST, drop},
    {STATE_SKIPPING, WIRE_PARSE, ROLE_ANALYST, drop},
    {STATE_SKIPPING, WIRE_BIND, ROLE_ANALYST, drop},
    {STATE_SKIPPING, WIRE_DESCRIBE, ROLE_ANALYST, drop},
    {STATE_SKIPPING, WIRE_EXECUTE, ROLE_ANALYST, drop},
    {STATE_SKIPPING, WIRE_CLOSE, ROLE_ANALYST, drop},
    {STATE_SKIPPING, WIRE_FLUSH, ROLE_ANALYST, drop},
    {STATE_SKIPPING, WIRE_FUNCTION_CALL, ROLE_ANALYST, drop},
    {STATE_SKIPPING, WIRE_COPY_DATA, ROLE_ANALYST, drop},
    {STATE_SKIPPING, WIRE_COPY_DONE, ROLE_ANALYST, drop},
    {STATE_SKIPPING, WIRE_COPY_FAIL, ROLE_ANALYST, drop},
};

static void dispatch(struct session *session, const struct wire_message *message)
{
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        const struct rule *rule = &rules[i];
        if (rule->state != session->state || rule->kind != message->kind)
            continue;
        if (session->role >= rule->needed)
            rule->handle(session, message);
        else
            session_fatal(session, "28000", "sign in first");
        return;
    }
    session_fatal(session, "08P01", "this message is not expected now");
}

/* ---- Life ---- */

status session_new(const struct session_host *host, uint32_t process, struct session **out, error *why)
{
    uint64_t word = 0;
    TRY(random_word(host->random, &word, why));
    struct session *session = memory_allocate(sizeof *session);
    if (session == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    session->host = host;
    session->process = process;
    session->secret = (uint32_t)word;
    session->transaction = 'I';
    buffer_init(&session->input, WIRE_MESSAGE_BYTES + SESSION_READ_BYTES);
    buffer_init(&session->output, OUTPUT_BYTES);
    buffer_init(&session->job.text, 16 << 20);
    arena_init(&session->job.arena, RUN_ARENA);
    *out = session;
    return DITHER_OK;
}

static void job_clear(struct job *job)
{
    curator_answer_free(job->answer);
    buffer_free(&job->text);
    arena_free(&job->arena);
    job->answer = NULL;
    job->kind = JOB_NONE;
    job->finished = job->recalled = false;
}

void session_free(struct session *session)
{
    if (session == NULL)
        return;
    job_clear(&session->job);
    if (session->simple.active)
        simple_end(session);
    extended_drop_portals(session, true);
    (void)extended_drop_statement(session, NULL);
    settings_free(&session->settings);
    if (session->scram != NULL)
        memory_release(session->scram, sizeof *session->scram);
    buffer_free(&session->input);
    buffer_free(&session->output);
    memory_release(session, sizeof *session);
}

/* ---- Bytes ---- */

/* Drops the first bytes; what is empty gives its memory back, so that an idle session is small. */
static void drop_front(struct buffer *buffer, size_t count)
{
    if (count >= buffer->length) {
        bool failed = buffer->failed;
        buffer_free(buffer);
        buffer->failed = failed;
        return;
    }
    memmove(buffer->data, buffer->data + count, buffer->length - count);
    buffer->length -= count;
    buffer->data[buffer->length] = '\0';
}

void session_input(struct session *session, const void *bytes, size_t count)
{
    drop_front(&session->input, session->consumed);
    session->consumed = 0;
    buffer_append(&session->input, bytes, count);
}

const struct buffer *session_output(const struct session *session)
{
    return &session->output;
}

void session_written(struct session *session, size_t count)
{
    if (session->run != NULL)
        session->run->keeping = false; /* its beginning is gone */
    drop_front(&session->output, count);
}

/* ---- Steps ---- */

/* The next message; false: it is not all there yet. */
static bool take_message(struct session *session)
{
    struct wire_message message;
    size_t used = 0;
    error why;
    size_t limit = session->role == ROLE_NOBODY ? WIRE_SIGN_IN_BYTES : WIRE_MESSAGE_BYTES;
    const char *bytes = session->input.data != NULL ? session->input.data + session->consumed : "";
    switch (
        wire_read_message(bytes, session->input.length - session->consumed, limit, &message, &used, &why)) {
    case WIRE_MORE:
        return false;
    case WIRE_BROKEN:
        session_fatal(session, "08P01", why.message);
        return true;
    case WIRE_DONE:
        break;
    }
    dispatch(session, &message); /* which copies what it keeps */
    session->consumed += used;
    return true;
}

static bool take_opening(struct session *session)
{
    size_t before = session->consumed;
    start_open(session);
    return session->consumed != before || session->state != STATE_OPENING;
}

enum session_wants session_step(struct session *session)
{
    for (;;) {
        if (session->input.failed || session->output.failed)
            session->state = STATE_CLOSED; /* no memory: nothing sensible can be said any more */
        if (session->state == STATE_CLOSED)
            return SESSION_CLOSE;
        if (session->wants_tls)
            return SESSION_TLS;
        if (session->job.kind != JOB_NONE && !session->job.finished)
            return SESSION_WORK;
        if (session->job.finished) {
            session->job.done(session);
            job_clear(&session->job);
            continue;
        }
        if (session->output.length >= SESSION_WRITE_BYTES)
            return SESSION_FLUSH;
        if (session->showing) {
            result_show(session);
            continue;
        }
        if (session->simple.active) {
            simple_next(session);
            continue;
        }
        if (session->state == STATE_OPENING ? !take_opening(session) : !take_message(session))
            return session->output.length > 0 ? SESSION_FLUSH : SESSION_INPUT;
    }
}

/* ---- Texts ---- */

status session_statements(const struct session *session, const char *text, struct arena *arena,
                          const struct sql_statement **out, size_t *count, error *why)
{
    struct texts *texts = session->host->texts;
    size_t length = strlen(text);
    const struct text_known *known = texts != NULL ? texts_find(texts, text, length) : NULL;
    void *room = NULL;
    if (known == NULL) {
        TRY(sql_statements(text, length, arena, out, count, why));
        if (texts != NULL && *count == 1)
            texts_keep(texts, text, length, *out);
        return DITHER_OK;
    }
    TRY(arena_take(arena, sizeof **out, &room, why));
    *(struct sql_statement *)room = known->statement;
    *out = room;
    *count = 1;
    return DITHER_OK;
}

/* ---- Work ---- */

void session_begin_job(struct session *session, enum job_kind kind, void (*done)(struct session *session))
{
    session->job.kind = kind;
    session->job.done = done;
    session->job.begun = monotonic_milliseconds();
}

static status do_job(struct session *session, void *context, struct job *job)
{
    const struct serve_backend *backend = session->host->backend;
    switch (job->kind) {
    case JOB_ASK:
        return backend->ask(context, &job->question, &job->answer, &job->why);
    case JOB_DESCRIBE:
        return backend->describe(context, &job->question, &job->arena, &job->columns, &job->column_count,
                                 &job->why);
    case JOB_EXPLAIN:
        return backend->explain(context, &job->question, job->json, &job->text, &job->why);
    case JOB_REMAINING:
        return backend->remaining(context, session_analyst(session), &job->text, &job->why);
    case JOB_LOOK_UP:
        return catalogue_answer(session->host->catalogue, job->looked, &job->arena, &job->reply,
                                job->sqlstate, &job->why);
    case JOB_NONE:
        break;
    }
    return fail(&job->why, DITHER_INVALID, "there is nothing to do");
}

void session_note(struct session *session, const struct curator_answer *answer)
{
    struct job *job = &session->job;
    if (job->kind != JOB_ASK && job->kind != JOB_EXPLAIN)
        return;
    journal_add(session->host->journal,
                &(struct journal_question){.via = JOURNAL_WIRE,
                                           .deed = job->kind == JOB_ASK ? JOURNAL_ASK : JOURNAL_EXPLAIN,
                                           .who = session->user,
                                           .role = session->role,
                                           .question = &job->question,
                                           .result = job->result,
                                           .why = &job->why,
                                           .answer = answer,
                                           .milliseconds = monotonic_milliseconds() - job->begun});
}

/* Its line is still to be flushed. */
static void finish_job(struct session *session, status result)
{
    session->job.result = result;
    session->job.finished = true;
    session_note(session, session->job.answer);
}

void session_work(struct session *session, void *backend_context)
{
    finish_job(session, do_job(session, backend_context, &session->job));
    journal_flush(session->host->journal);
}

bool session_recall(struct session *session, void *backend_context, struct ledger_sight *sight)
{
    struct job *job = &session->job;
    const struct serve_backend *backend = session->host->backend;
    if (job->kind != JOB_ASK || backend->recall == NULL)
        return false;
    if (shown_again(session, backend_context, sight)) {
        job_clear(job);
        return true;
    }
    status result = backend->recall(backend_context, &job->question, sight, &job->answer, &job->why);
    job->recalled = result == DITHER_OK && job->answer != NULL;
    if (result != DITHER_OK || job->answer != NULL)
        finish_job(session, result);
    return job->finished;
}

void session_refuse(struct session *session, const char *words)
{
    finish_job(session, fail(&session->job.why, DITHER_REFUSED, "%s", words));
    journal_flush(session->host->journal);
}

/* ---- Errors ---- */

static void after_error(struct session *session)
{
    if (session->transaction == 'T')
        session->transaction = 'E';
    session->run = NULL;
    session->described = NULL;
    session->showing = false;
    if (session->simple.active)
        simple_end(session);
    else
        session->state = STATE_SKIPPING;
}

void session_report(struct session *session, const struct wire_report *report)
{
    wire_write_report(&session->output, report);
    after_error(session);
}

void session_error(struct session *session, const char *code, const char *message)
{
    session_report(session, &(struct wire_report){"ERROR", code, message, NULL, NULL, -1});
}

void session_fatal(struct session *session, const char *code, const char *message)
{
    wire_write_report(&session->output, &(struct wire_report){"FATAL", code, message, NULL, NULL, -1});
    session->state = STATE_CLOSED;
}

void session_notice(struct session *session, const char *severity, const char *code, const char *message,
                    const char *detail)
{
    wire_write_report(&session->output, &(struct wire_report){severity, code, message, detail, NULL, -1});
}

void session_failed_as(struct session *session, const char *code, const error *why, int offset)
{
    struct failure_text text;
    failure_split(why->status, why, &text);
    session_report(session,
                   &(struct wire_report){.severity = "ERROR",
                                         .code = code,
                                         .message = text.message,
                                         .hint = text.hint,
                                         .position = why->position >= 0 ? why->position + offset : -1});
}

void session_failed(struct session *session, status result, const error *why, int offset)
{
    session_failed_as(session, failure_of(result, why).state, why, offset);
}

/* ---- What the host asks ---- */

const char *session_analyst(const struct session *session)
{
    return session->role == ROLE_OWNER ? NULL : session->user;
}

void session_set_address(struct session *session, const char *address)
{
    snprintf(session->address, sizeof session->address, "%s", address);
}

void session_encrypted(struct session *session)
{
    session->encrypted = true;
    session->wants_tls = false;
}

bool session_has_key(const struct session *session, uint32_t process, uint32_t secret)
{
    return session->process == process && CRYPTO_memcmp(&session->secret, &secret, sizeof secret) == 0;
}

bool session_asks(const struct session *session)
{
    return session->job.kind == JOB_ASK;
}

bool session_is_known(const struct session *session)
{
    return session->role != ROLE_NOBODY;
}

bool session_is_idle(const struct session *session)
{
    return session->job.kind == JOB_NONE && !session->showing && !session->simple.active;
}

void session_dismiss(struct session *session)
{
    if (session->state != STATE_CLOSED && session->state != STATE_OPENING)
        session_fatal(session, "57P01", "the server is going away");
    session->state = STATE_CLOSED;
}
