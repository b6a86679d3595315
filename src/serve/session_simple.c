/* Query: a text with statements, one after the other; the first error ends them. */
#include <string.h>

#include "serve/session_room.h"

void simple_end(struct session *session)
{
    struct simple_query *simple = &session->simple;
    run_free(&simple->run);
    arena_free(&simple->arena);
    *simple = (struct simple_query){.active = false};
    session->run = NULL;
    session->showing = false;
    if (session->transaction == 'I')
        extended_drop_portals(session, false);
    wire_write_ready(&session->output, session->transaction);
}

static status read_text(struct session *session, const char *query, error *why)
{
    struct simple_query *simple = &session->simple;
    char *text = NULL;
    TRY(arena_text(&simple->arena, query, strlen(query), &text, why));
    simple->text = text;
    return session_statements(session, text, &simple->arena, &simple->statements, &simple->count, why);
}

void simple_begin(struct session *session, const struct wire_message *message)
{
    struct simple_query *simple = &session->simple;
    error why;
    *simple = (struct simple_query){.active = true};
    arena_init(&simple->arena, RUN_ARENA);
    status result = read_text(session, message->as.query, &why);
    if (result != DITHER_OK)
        session_failed(session, result, &why, 0);
    else if (simple->count == 0)
        wire_write_bare(&session->output, 'I');
}

/* Called when nothing is under way. */
void simple_next(struct session *session)
{
    struct simple_query *simple = &session->simple;
    if (simple->next == simple->count) {
        simple_end(session);
        return;
    }
    const struct sql_statement *statement = &simple->statements[simple->next++];
    run_free(&simple->run);
    simple->run = (struct run){.text = simple->text, .statement = *statement, .arena = &simple->arena};
    simple->run.for_catalogue = lookup_concerns(session, simple->text, statement);
    session->rows_limit = 0;
    statement_begin(session, &simple->run);
}
