/* Statements for the catalogue: asked of it instead of the curator, described, and shown. They cost nothing and touch
 * nothing of the data. */
#include <string.h>

#include "serve/session_room.h"

bool lookup_concerns(const struct session *session, const char *text, const struct sql_statement *statement)
{
    size_t begin = sql_statement_question(statement);
    struct texts *texts = session->host->texts;
    if (session->host->catalogue == NULL ||
        (statement->kind != SQL_SAYS_QUESTION && statement->kind != SQL_SAYS_DECLARE))
        return false;
    struct text_known *known = texts != NULL ? texts_find(texts, text, strlen(text)) : NULL;
    if (known != NULL && known->looked)
        return known->for_catalogue;
    bool concerns = catalogue_concerns(text + begin, statement->begin + statement->length - begin);
    if (known != NULL) {
        known->looked = true;
        known->for_catalogue = concerns;
    }
    return concerns;
}

/* The types of parameters that the client left open. */
status lookup_types(const struct prepared_statement *statement, error *why)
{
    const struct sql_statement *said = &statement->statement;
    size_t count = 0, begin = sql_statement_question(said);
    uint32_t *types = NULL;
    struct arena arena;
    void *memory = NULL;
    arena_init(&arena, 1 << 20);
    status result = arena_take(&arena, (said->parameter_count + 1) * sizeof *types, &memory, why);
    types = memory;
    if (result == DITHER_OK)
        result = catalogue_parameters(statement->text + begin, said->begin + said->length - begin, types,
                                      said->parameter_count, &count, why);
    for (size_t i = 0; result == DITHER_OK && i < count && i < said->parameter_count; i++)
        if (statement->types[i] == 0)
            statement->types[i] = types[i];
    arena_free(&arena);
    return result;
}

status lookup_read_values(struct portal *portal, const struct prepared_statement *statement,
                          const struct wire_message *message, error *why)
{
    size_t count = statement->statement.parameter_count;
    struct cursor values = message->as.bind.values;
    struct wire_value value;
    void *memory = NULL;
    TRY(arena_take(&portal->arena, (count + 1) * sizeof(struct catalogue_parameter), &memory, why));
    struct catalogue_parameter *read = memory;
    for (size_t i = 0; i < count && wire_next_value(&values, &value); i++) {
        read[i].oid = statement->types[i];
        TRY(wire_read_cell(&value, read[i].oid, wire_format_at(&message->as.bind.parameter_formats, i),
                           &portal->arena, &read[i].text, why));
    }
    portal->run.looked = (struct catalogue_question){.parameters = read, .parameter_count = count};
    return DITHER_OK;
}

/* ---- The job ---- */

/* The reply moves from the job to the run, with the arena that it lives in. */
bool lookup_take(struct session *session, struct run *run)
{
    struct job *job = &session->job;
    if (job->result != DITHER_OK) {
        if (job->sqlstate[0] != '\0')
            session_failed_as(session, job->sqlstate, &job->why, job->offset);
        else /* it was not even begun */
            session_failed(session, job->result, &job->why, job->offset);
        return false;
    }
    run->reply = job->reply;
    run->has_reply = true;
    run->reply_arena = job->arena;
    arena_init(&job->arena, RUN_ARENA);
    return true;
}

static const char *setting(const void *context, const char *name)
{
    return settings_get(context, name);
}

void lookup_ask(struct session *session, struct run *run, void (*done)(struct session *session))
{
    struct job *job = &session->job;
    run->looked.text = run->question;
    run->looked.length = strlen(run->question);
    run->looked.user = session->user;
    run->looked.setting = setting;
    run->looked.context = &session->settings;
    job->looked = &run->looked;
    job->offset = statement_offset(run);
    job->sqlstate[0] = '\0';
    session->run = run;
    session_begin_job(session, JOB_LOOK_UP, done);
}

static void looked_up(struct session *session)
{
    if (lookup_take(session, session->run))
        statement_ready(session);
}

void lookup_begin(struct session *session, struct run *run)
{
    memcpy(run->tag, "SELECT", sizeof "SELECT");
    if (run->has_reply) /* since it was described */
        statement_ready(session);
    else
        lookup_ask(session, run, looked_up);
}

static void described(struct session *session)
{
    struct run *run = session->run;
    if (!lookup_take(session, run))
        return;
    session->run = NULL;
    result_write_reply_columns(session, run);
}

/* The types of an answer are known when it is there; it is kept for who goes on to ask for it. */
void lookup_describe(struct session *session, struct run *run)
{
    if (run->has_reply)
        result_write_reply_columns(session, run);
    else
        lookup_ask(session, run, described);
}
