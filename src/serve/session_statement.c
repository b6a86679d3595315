/* One statement, whichever way it came. */
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "serve/session_room.h"

void run_free(struct run *run)
{
    curator_answer_free(run->answer);
    if (run->has_reply)
        arena_free(&run->reply_arena);
    *run = (struct run){.text = NULL};
}

static void set_tag(struct run *run, const char *tag)
{
    snprintf(run->tag, sizeof run->tag, "%s", tag);
}

/* ---- Questions ---- */

static int characters(const char *text, size_t bytes)
{
    int count = 0;
    for (size_t i = 0; i < bytes; i++)
        count += ((unsigned char)text[i] & 0xC0) != 0x80;
    return count;
}

int statement_offset(const struct run *run)
{
    return characters(run->text, sql_statement_question(&run->statement));
}

void statement_question(struct session *session, const struct run *run, struct curator_question *out,
                        int *offset)
{
    *out = (struct curator_question){.text = run->question, .analyst = session_analyst(session)};
    settings_apply(&session->settings, out);
    out->parameters = run->parameters;
    *offset = statement_offset(run);
}

/* A job's question points into the run and the settings, which stay while it is done. */
static void begin_question_job(struct session *session, enum job_kind kind,
                               void (*done)(struct session *session))
{
    statement_question(session, session->run, &session->job.question, &session->job.offset);
    session_begin_job(session, kind, done);
}

void statement_ask(struct session *session, struct run *run, void (*done)(struct session *session))
{
    session->run = run;
    begin_question_job(session, JOB_ASK, done);
}

static void asked(struct session *session)
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
    run->asked = true;
    run->intervals = session->settings.intervals;
    set_tag(run, "SELECT");
    shown_begin(session);
    statement_ready(session);
}

static void ask(struct session *session, struct run *run)
{
    if (run->for_catalogue)
        lookup_begin(session, run);
    else
        statement_ask(session, run, asked);
}

static void explained(struct session *session)
{
    struct job *job = &session->job;
    error why;
    status result = job->result;
    if (result != DITHER_OK) {
        session_failed(session, result, &job->why, job->offset);
        return;
    }
    result = result_of_text("QUERY PLAN", job->text.data != NULL ? job->text.data : "", job->json,
                            &session->run->answer, &why);
    if (result != DITHER_OK) {
        session_failed(session, result, &why, 0);
        return;
    }
    set_tag(session->run, "EXPLAIN");
    statement_ready(session);
}

static void explain(struct session *session, struct run *run)
{
    if (run->statement.analyze) {
        session_error(session, "0A000", "ANALYZE would run the question: EXPLAIN alone spends nothing");
        return;
    }
    session->job.json = run->statement.json;
    begin_question_job(session, JOB_EXPLAIN, explained);
}

/* ---- Settings ---- */

static void tell_changed(struct session *session, const char *name)
{
    const char *reported = settings_reported_name(name);
    if (reported != NULL)
        wire_write_parameter_status(&session->output, reported, settings_get(&session->settings, name));
}

static void set(struct session *session, struct run *run)
{
    const struct sql_statement *statement = &run->statement;
    error why;
    bool transaction = strncmp(statement->name, "transaction ", 12) == 0 ||
                       strncmp(statement->name, "session characteristics", 23) == 0 ||
                       strcmp(statement->name, "transaction") == 0;
    if (statement->local && strncmp(statement->name, "dither.", 7) == 0) {
        session_error(session, "0A000",
                      "SET LOCAL is not available for dither.*: transactions are nothing here, use SET");
        return;
    }
    if (!transaction) { /* isolation of what only reads: any will do */
        status result = settings_set(&session->settings, statement->name, statement->value, &why);
        if (result != DITHER_OK) {
            const char *code = result == DITHER_INVALID               ? "22023"
                               : strstr(why.message, "unrec") != NULL ? "42704"
                                                                      : "55P02";
            session_error(session, code, why.message);
            return;
        }
        tell_changed(session, statement->name);
    }
    set_tag(run, "SET");
    statement_ready(session);
}

static void tell_all(struct session *session)
{
    struct setting_shown shown;
    for (size_t i = 0; settings_at(&session->settings, i, &shown); i++)
        if (shown.reported)
            wire_write_parameter_status(&session->output, shown.name, shown.value);
}

static void reset(struct session *session, struct run *run)
{
    error why;
    if (run->statement.name == NULL) {
        settings_reset_all(&session->settings);
        tell_all(session);
    } else if (settings_set(&session->settings, run->statement.name, NULL, &why) != DITHER_OK) {
        session_error(session, "42704", why.message);
        return;
    } else {
        tell_changed(session, run->statement.name);
    }
    set_tag(run, "RESET");
    statement_ready(session);
}

static status show_all(struct session *session, struct run *run, error *why)
{
    static const char *const names[] = {"name", "setting", "description"};
    const char *cells[3 * SETTINGS_MOST];
    struct setting_shown shown;
    size_t count = 0;
    for (; settings_at(&session->settings, count, &shown); count++) {
        cells[3 * count] = shown.name;
        cells[3 * count + 1] = shown.value;
        cells[3 * count + 2] = shown.about;
    }
    return result_of_cells(names, 3, cells, count, &run->answer, why);
}

static void shown_remaining(struct session *session)
{
    struct job *job = &session->job;
    error why;
    if (job->result != DITHER_OK) {
        session_failed(session, job->result, &job->why, 0);
        return;
    }
    if (result_of_text("dither.remaining", job->text.data, true, &session->run->answer, &why) != DITHER_OK) {
        session_failed(session, why.status, &why, 0);
        return;
    }
    statement_ready(session);
}

static void show(struct session *session, struct run *run)
{
    const char *name = run->statement.name;
    error why;
    status result = DITHER_OK;
    set_tag(run, "SHOW");
    if (name != NULL && strcmp(name, "dither.remaining") == 0) {
        session_begin_job(session, JOB_REMAINING, shown_remaining);
        return;
    }
    const char *value = name != NULL ? settings_get(&session->settings, name) : NULL;
    if (name == NULL)
        result = show_all(session, run, &why);
    else if (value == NULL)
        result = fail(&why, DITHER_REFUSED, "unrecognized configuration parameter \"%.60s\"", name);
    else
        result = result_of_text(name, value, true, &run->answer, &why);
    if (result == DITHER_OK)
        statement_ready(session);
    else
        session_failed(session, result, &why, 0);
}

static void discard(struct session *session, struct run *run)
{
    if (run->statement.all && session->transaction != 'I') {
        session_error(session, "25001", "DISCARD ALL cannot run inside a transaction block");
        return;
    }
    if (run->statement.all) {
        settings_reset_all(&session->settings);
        tell_all(session);
        (void)extended_drop_statement(session, NULL);
        (void)extended_drop_cursor(session, NULL, true);
    }
    set_tag(run, run->statement.all ? "DISCARD ALL" : "DISCARD");
    statement_ready(session);
}

static void deallocate(struct session *session, struct run *run)
{
    char message[160];
    if (!extended_drop_statement(session, run->statement.name) && run->statement.name != NULL) {
        snprintf(message, sizeof message, "prepared statement \"%.63s\" does not exist", run->statement.name);
        session_error(session, "26000", message);
        return;
    }
    set_tag(run, run->statement.name != NULL ? "DEALLOCATE" : "DEALLOCATE ALL");
    statement_ready(session);
}

/* ---- Transactions, which are nothing: what was spent is spent ---- */

static void begin(struct session *session, struct run *run)
{
    if (session->transaction != 'I')
        session_notice(session, "WARNING", "25001", "there is already a transaction in progress", NULL);
    else
        session->transaction = 'T';
    set_tag(run, "BEGIN");
    statement_ready(session);
}

static void end(struct session *session, struct run *run)
{
    bool failed = session->transaction == 'E' || run->statement.kind == SQL_SAYS_ROLLBACK;
    if (session->transaction == 'I')
        session_notice(session, "WARNING", "25P01", "there is no transaction in progress", NULL);
    session->transaction = 'I';
    (void)extended_drop_cursor(session, NULL, false);
    set_tag(run, failed ? "ROLLBACK" : "COMMIT");
    statement_ready(session);
}

static void savepoint(struct session *session, struct run *run)
{
    if (session->transaction == 'I') {
        session_error(session, "25P01", "a savepoint needs a transaction block");
        return;
    }
    if (run->statement.kind == SQL_SAYS_ROLLBACK_TO)
        session->transaction = 'T';
    set_tag(run, run->statement.kind == SQL_SAYS_ROLLBACK_TO ? "ROLLBACK" : run->statement.word);
    statement_ready(session);
}

static void unlisten(struct session *session, struct run *run)
{
    set_tag(run, "UNLISTEN");
    statement_ready(session);
}

/* ---- What there is not ---- */

static void refuse_copy(struct session *session, struct run *run)
{
    (void)run;
    session_report(
        session, &(struct wire_report){"ERROR", "0A000", "COPY is not available: it would move rows", NULL,
                                       "Ask with SELECT; psql writes answers to files with \\o or \\g.", -1});
}

static void refuse(struct session *session, struct run *run)
{
    char message[120];
    if (strcmp(run->statement.word, "PREPARE") == 0 || strcmp(run->statement.word, "EXECUTE") == 0) {
        session_report(
            session,
            &(struct wire_report){
                "ERROR", "0A000", "PREPARE and EXECUTE in SQL are not available", NULL,
                "Ask the question itself: word by word the same it costs nothing again. Drivers prepare "
                "statements by the protocol; so does psql with \\bind, from version 16 on.",
                -1});
        return;
    }
    snprintf(message, sizeof message, "%s is not available: questions only read", run->statement.word);
    session_error(session, "0A000", message);
}

/* ---- The table ---- */

static const struct statement_rule {
    void (*handle)(struct session *session, struct run *run);
    enum serve_role needed;
    bool in_failed; /* also in a transaction that failed */
} rules[] = {
    [SQL_SAYS_QUESTION] = {ask, ROLE_ANALYST, false},
    [SQL_SAYS_EXPLAIN] = {explain, ROLE_ANALYST, false},
    [SQL_SAYS_SET] = {set, ROLE_ANALYST, false},
    [SQL_SAYS_RESET] = {reset, ROLE_ANALYST, false},
    [SQL_SAYS_SHOW] = {show, ROLE_ANALYST, false},
    [SQL_SAYS_DISCARD] = {discard, ROLE_ANALYST, false},
    [SQL_SAYS_BEGIN] = {begin, ROLE_ANALYST, false},
    [SQL_SAYS_COMMIT] = {end, ROLE_ANALYST, true},
    [SQL_SAYS_ROLLBACK] = {end, ROLE_ANALYST, true},
    [SQL_SAYS_SAVEPOINT] = {savepoint, ROLE_ANALYST, false},
    [SQL_SAYS_ROLLBACK_TO] = {savepoint, ROLE_ANALYST, true},
    [SQL_SAYS_DEALLOCATE] = {deallocate, ROLE_ANALYST, false},
    [SQL_SAYS_DECLARE] = {cursor_declare, ROLE_ANALYST, false},
    [SQL_SAYS_FETCH] = {cursor_fetch, ROLE_ANALYST, false},
    [SQL_SAYS_CLOSE] = {cursor_close, ROLE_ANALYST, false},
    [SQL_SAYS_UNLISTEN] = {unlisten, ROLE_ANALYST, false},
    [SQL_SAYS_COPY] = {refuse_copy, ROLE_ANALYST, false},
    [SQL_SAYS_OTHER] = {refuse, ROLE_ANALYST, false},
};

/* The statement's own text, closed by a NUL. */
static status cut_text(struct run *run, error *why)
{
    const struct sql_statement *statement = &run->statement;
    size_t begin = sql_statement_question(statement);
    if (run->question != NULL)
        return DITHER_OK;
    return arena_text(run->arena, run->text + begin, statement->begin + statement->length - begin,
                      &run->question, why);
}

void statement_begin(struct session *session, struct run *run)
{
    const struct statement_rule *rule = &rules[run->statement.kind];
    error why;
    session->run = run;
    run->started = true;
    if (session->transaction == 'E' && !rule->in_failed) {
        session_error(session, "25P02",
                      "current transaction is aborted, commands ignored until end of transaction block");
        return;
    }
    if (session->role < rule->needed) {
        session_error(session, "42501", "this is the owner's");
        return;
    }
    if (cut_text(run, &why) != DITHER_OK) {
        session_failed(session, why.status, &why, 0);
        return;
    }
    rule->handle(session, run);
}

void statement_ready(struct session *session)
{
    struct run *run = session->run;
    if (session->simple.active)
        result_write_own_columns(session, run);
    session->showing = true;
}

/* ---- Its columns ---- */

static void described(struct session *session)
{
    struct job *job = &session->job;
    struct run *run = session->run;
    struct prepared_statement *statement = session->described;
    session->run = NULL;
    session->described = NULL;
    if (job->result != DITHER_OK) {
        session_failed(session, job->result, &job->why, job->offset);
        return;
    }
    if (statement != NULL)
        extended_write_parameters(session, statement, run->parameters.inferred);
    result_write_columns(session, run, job->columns, job->column_count);
}

static void write_text_columns(struct session *session, const struct run *run, const char *const *names,
                               size_t count)
{
    struct curator_column columns[3];
    for (size_t i = 0; i < count; i++)
        columns[i] = (struct curator_column){.name = names[i], .type = SQL_TEXT};
    result_write_columns(session, run, columns, count);
}

void statement_describe(struct session *session, struct run *run)
{
    static const char *const plan[] = {"QUERY PLAN"}, *const all[] = {"name", "setting", "description"};
    error why;
    if (result_is_there(run)) {
        result_write_own_columns(session, run);
        return;
    }
    switch (run->statement.kind) {
    case SQL_SAYS_FETCH:
        cursor_describe(session, run);
        return;
    case SQL_SAYS_QUESTION:
        if (cut_text(run, &why) != DITHER_OK) {
            session_failed(session, why.status, &why, 0);
            return;
        }
        if (run->for_catalogue) {
            lookup_describe(session, run);
            return;
        }
        run->intervals = session->settings.intervals;
        session->run = run;
        begin_question_job(session, JOB_DESCRIBE, described);
        return;
    case SQL_SAYS_EXPLAIN:
        write_text_columns(session, run, plan, 1);
        return;
    case SQL_SAYS_SHOW:
        if (run->statement.name == NULL)
            write_text_columns(session, run, all, 3);
        else
            write_text_columns(session, run, &run->statement.name, 1);
        return;
    default:
        wire_write_bare(&session->output, 'n');
    }
}
