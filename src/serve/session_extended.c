/* Parse, Bind, Describe, Execute, Close, Sync, Flush. A portal has a copy of all that it needs of its statement. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "serve/session_room.h"

/* ---- Lists ---- */

static struct prepared_statement *find_statement(const struct session *session, const char *name)
{
    struct prepared_statement *found = session->statements;
    while (found != NULL && strcmp(found->name, name) != 0)
        found = found->next;
    return found;
}

struct portal *extended_find_portal(const struct session *session, const char *name)
{
    struct portal *found = session->portals;
    while (found != NULL && strcmp(found->name, name) != 0)
        found = found->next;
    return found;
}

static void free_statement(struct prepared_statement *statement)
{
    arena_free(&statement->arena);
    memory_release(statement, sizeof *statement);
}

static void free_portal(struct portal *portal)
{
    run_free(&portal->run);
    arena_free(&portal->arena);
    memory_release(portal, sizeof *portal);
}

bool extended_drop_statement(struct session *session, const char *name)
{
    bool found = false;
    for (struct prepared_statement **at = &session->statements; *at != NULL;) {
        struct prepared_statement *statement = *at;
        if (name != NULL && strcmp(statement->name, name) != 0) {
            at = &statement->next;
            continue;
        }
        *at = statement->next;
        session->statement_count--;
        session->statement_bytes -= statement->size;
        free_statement(statement);
        found = true;
    }
    return found;
}

/* Never the one that runs. */
static bool drop_chosen(struct session *session, const char *name, bool cursors, bool held)
{
    bool found = false;
    for (struct portal **at = &session->portals; *at != NULL;) {
        struct portal *portal = *at;
        bool chosen = (name == NULL || strcmp(portal->name, name) == 0) && (portal->cursor || !cursors) &&
                      (held || !portal->hold);
        if (!chosen) {
            at = &portal->next;
            continue;
        }
        assert(session->run != &portal->run);
        *at = portal->next;
        session->portal_count--;
        free_portal(portal);
        found = true;
    }
    return found;
}

static void drop_portal(struct session *session, const char *name)
{
    (void)drop_chosen(session, name, false, true);
}

bool extended_drop_cursor(struct session *session, const char *name, bool held)
{
    return drop_chosen(session, name, true, held);
}

void extended_drop_portals(struct session *session, bool held)
{
    session->run = NULL;
    (void)drop_chosen(session, NULL, false, held);
}

static void no_such(struct session *session, const char *what, const char *code, const char *name)
{
    char message[160];
    snprintf(message, sizeof message, "%s \"%.63s\" does not exist", what, name);
    session_error(session, code, message);
}

static bool name_fits(struct session *session, const char *name)
{
    if (strlen(name) < NAME_BYTES)
        return true;
    session_error(session, "42622", "the name is too long");
    return false;
}

/* ---- Parse ---- */

static status read_types(struct prepared_statement *statement, const struct wire_message *message, error *why)
{
    void *types = NULL;
    size_t count = statement->statement.parameter_count;
    struct cursor declared = message->as.parse.types;
    if (count > UINT16_MAX)
        return fail(why, DITHER_INVALID, "there are too many parameters");
    TRY(arena_take(&statement->arena, count * sizeof *statement->types + 1, &types, why));
    statement->types = types;
    for (size_t i = 0; i < count && cursor_uint32(&declared, &statement->types[i]);)
        i++;
    return DITHER_OK;
}

static status read_statement(const struct session *session, struct prepared_statement *statement,
                             const struct wire_message *message, error *why)
{
    const struct sql_statement *list = NULL;
    size_t count = 0;
    char *text = NULL;
    const char *query = message->as.parse.query;
    TRY(arena_text(&statement->arena, query, strlen(query), &text, why));
    statement->text = text;
    statement->size = strlen(text);
    TRY(session_statements(session, text, &statement->arena, &list, &count, why));
    if (count > 1)
        return fail(why, DITHER_INVALID, "syntax error: one statement only can be prepared");
    statement->empty = count == 0;
    if (count == 1)
        statement->statement = list[0];
    return read_types(statement, message, why);
}

static bool room_for_statement(struct session *session, const char *name)
{
    if (name[0] != '\0' && find_statement(session, name) != NULL) {
        char message[160];
        snprintf(message, sizeof message, "prepared statement \"%s\" already exists", name);
        session_error(session, "42P05", message);
        return false;
    }
    if (session->statement_count >= SESSION_MOST_STATEMENTS ||
        session->statement_bytes > SESSION_STATEMENT_BYTES) {
        session_error(session, "53400", "too many prepared statements: close some (DEALLOCATE)");
        return false;
    }
    return true;
}

void extended_parse(struct session *session, const struct wire_message *message)
{
    const char *name = message->as.parse.statement;
    error why = {.position = -1};
    if (name[0] == '\0')
        (void)extended_drop_statement(session, "");
    if (!name_fits(session, name) || !room_for_statement(session, name))
        return;
    struct prepared_statement *statement = memory_allocate(sizeof *statement);
    status result = statement == NULL ? fail(&why, DITHER_NO_MEMORY, "out of memory") : DITHER_OK;
    if (result == DITHER_OK) {
        arena_init(&statement->arena, RUN_ARENA);
        snprintf(statement->name, sizeof statement->name, "%s", name);
        result = read_statement(session, statement, message, &why);
    }
    if (result == DITHER_OK && !statement->empty &&
        lookup_concerns(session, statement->text, &statement->statement)) {
        statement->for_catalogue = true;
        result = lookup_types(statement, &why);
    }
    if (result != DITHER_OK) {
        if (statement != NULL)
            free_statement(statement);
        session_failed(session, result, &why, 0);
        return;
    }
    statement->next = session->statements;
    session->statements = statement;
    session->statement_count++;
    session->statement_bytes += statement->size;
    wire_write_bare(&session->output, '1');
}

/* ---- Bind ---- */

static status read_values(struct portal *portal, const struct prepared_statement *statement,
                          const struct wire_message *message, error *why)
{
    size_t count = statement->statement.parameter_count;
    struct cursor values = message->as.bind.values;
    struct wire_value value;
    void *memory = NULL;
    if (message->as.bind.value_count != count)
        return fail(why, DITHER_INVALID,
                    "bind message supplies %u parameters, but the statement requires %zu",
                    message->as.bind.value_count, count);
    if (statement->for_catalogue)
        return lookup_read_values(portal, statement, message, why);
    TRY(arena_take(&portal->arena, (count + 1) * sizeof(struct sql_value), &memory, why));
    struct sql_value *read = memory;
    for (size_t i = 0; i < count && wire_next_value(&values, &value); i++)
        TRY(wire_read_value(&value, statement->types[i],
                            wire_format_at(&message->as.bind.parameter_formats, i), &portal->arena, &read[i],
                            why));
    if (count > 0)
        portal->run.parameters = (struct sql_parameters){.values = read, .count = count};
    return DITHER_OK;
}

static status read_formats(struct portal *portal, const struct wire_message *message, error *why)
{
    const struct wire_formats *formats = &message->as.bind.result_formats;
    void *memory = NULL;
    TRY(arena_take(&portal->arena, (formats->count + (size_t)1) * sizeof(uint16_t), &memory, why));
    uint16_t *read = memory;
    for (size_t i = 0; i < formats->count; i++)
        read[i] = (uint16_t)wire_format_at(formats, i);
    portal->run.formats = read;
    portal->run.format_count = formats->count;
    return DITHER_OK;
}

static status copy_statement(struct portal *portal, const struct prepared_statement *statement, error *why)
{
    char *text = NULL;
    struct run *run = &portal->run;
    TRY(arena_text(&portal->arena, statement->text, statement->size, &text, why));
    run->text = text;
    run->arena = &portal->arena;
    run->statement = statement->statement;
    run->for_catalogue = statement->for_catalogue;
    portal->empty = statement->empty;
    /* its names point into the statement's arena */
    const char **names[] = {&run->statement.name, &run->statement.value};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (*names[i] == NULL)
            continue;
        TRY(arena_text(&portal->arena, *names[i], strlen(*names[i]), &text, why));
        *names[i] = text;
    }
    return DITHER_OK;
}

static struct portal *new_portal(const char *name)
{
    struct portal *portal = memory_allocate(sizeof *portal);
    if (portal == NULL)
        return NULL;
    arena_init(&portal->arena, RUN_ARENA);
    snprintf(portal->name, sizeof portal->name, "%s", name);
    return portal;
}

static size_t kept_bytes(const struct session *session)
{
    size_t bytes = 0;
    for (const struct portal *portal = session->portals; portal != NULL; portal = portal->next) {
        bytes += portal->run.answer != NULL && portal->run.answer->arena != NULL
                     ? portal->run.answer->arena->taken
                     : 0;
        bytes += portal->run.has_reply ? portal->run.reply_arena.taken : 0;
    }
    return bytes;
}

bool extended_room_for_portal(struct session *session, const char *name)
{
    if (name[0] == '\0')
        drop_portal(session, "");
    if (!name_fits(session, name))
        return false;
    if (extended_find_portal(session, name) != NULL) {
        char message[160];
        snprintf(message, sizeof message, "cursor \"%.63s\" already exists", name);
        session_error(session, "42P03", message);
        return false;
    }
    if (session->portal_count >= SESSION_MOST_STATEMENTS) {
        session_error(session, "53400", "too many portals: close some");
        return false;
    }
    if (kept_bytes(session) > SESSION_KEPT_BYTES) {
        session_error(session, "53400", "the open answers take too much memory: close some");
        return false;
    }
    return true;
}

struct portal *extended_add_portal(struct session *session, const char *name)
{
    if (!extended_room_for_portal(session, name))
        return NULL;
    struct portal *portal = new_portal(name);
    if (portal == NULL) {
        session_error(session, "53200", "out of memory");
        return NULL;
    }
    portal->next = session->portals;
    session->portals = portal;
    session->portal_count++;
    return portal;
}

void extended_bind(struct session *session, const struct wire_message *message)
{
    const struct prepared_statement *statement = find_statement(session, message->as.bind.statement);
    error why = {.position = -1};
    if (statement == NULL) {
        no_such(session, "prepared statement", "26000", message->as.bind.statement);
        return;
    }
    if (!extended_room_for_portal(session, message->as.bind.portal))
        return;
    struct portal *portal = new_portal(message->as.bind.portal);
    status result = portal == NULL ? fail(&why, DITHER_NO_MEMORY, "out of memory") : DITHER_OK;
    if (result == DITHER_OK)
        result = copy_statement(portal, statement, &why);
    if (result == DITHER_OK)
        result = read_values(portal, statement, message, &why);
    if (result == DITHER_OK)
        result = read_formats(portal, message, &why);
    if (result != DITHER_OK) {
        if (portal != NULL)
            free_portal(portal);
        session_error(session,
                      result == DITHER_INVALID   ? "22P02"
                      : result == DITHER_REFUSED ? "0A000"
                                                 : "53200",
                      why.message);
        return;
    }
    portal->next = session->portals;
    session->portals = portal;
    session->portal_count++;
    wire_write_bare(&session->output, '2');
}

/* ---- Describe ---- */

void extended_write_parameters(struct session *session, struct prepared_statement *statement,
                               const enum sql_type *inferred)
{
    for (size_t i = 0; inferred != NULL && i < statement->statement.parameter_count; i++)
        if (statement->types[i] == 0 && inferred[i] != SQL_UNKNOWN)
            statement->types[i] = wire_oid(inferred[i]);
    struct wire_out out = wire_begin(&session->output, 't');
    wire_put_uint16(&out, (uint16_t)statement->statement.parameter_count);
    for (size_t i = 0; i < statement->statement.parameter_count; i++)
        wire_put_uint32(&out, statement->types[i] != 0 ? statement->types[i] : WIRE_OID_TEXT);
    wire_end(&out);
}

/* A statement is described with unknown values, as a portal of its own that holds NULLs. What parameters are is known when
 * the question is planned. */
static void describe_statement(struct session *session, struct prepared_statement *statement)
{
    static const struct wire_value null = {.null = true};
    struct portal *portal = new_portal("");
    error why = {.position = -1};
    void *memory = NULL, *inferred = NULL;
    size_t count = statement->statement.parameter_count;
    status result = portal == NULL ? fail(&why, DITHER_NO_MEMORY, "out of memory") : DITHER_OK;
    if (result == DITHER_OK)
        result = copy_statement(portal, statement, &why);
    if (result == DITHER_OK)
        result = arena_take(&portal->arena, (count + 1) * sizeof(struct sql_value), &memory, &why);
    if (result == DITHER_OK)
        result = arena_take(&portal->arena, (count + 1) * sizeof(enum sql_type), &inferred, &why);
    for (size_t i = 0; i < count && result == DITHER_OK && !statement->for_catalogue; i++)
        result = wire_read_value(&null, statement->types[i], WIRE_TEXT, &portal->arena,
                                 (struct sql_value *)memory + i, &why);
    if (result != DITHER_OK) {
        if (portal != NULL)
            free_portal(portal);
        session_failed(session, result, &why, 0);
        return;
    }
    if (count > 0)
        portal->run.parameters = (struct sql_parameters){memory, count, inferred};
    drop_portal(session, "");
    portal->next = session->portals;
    session->portals = portal;
    session->portal_count++;
    if (statement->statement.kind == SQL_SAYS_QUESTION && !statement->for_catalogue)
        session->described = statement;
    else
        extended_write_parameters(session, statement, NULL);
    statement_describe(session, &portal->run);
}

static void describe_by_name(struct session *session, const char *name)
{
    struct prepared_statement *statement = find_statement(session, name);
    if (statement == NULL) {
        no_such(session, "prepared statement", "26000", name);
    } else if (statement->empty) {
        extended_write_parameters(session, statement, NULL);
        wire_write_bare(&session->output, 'n');
    } else {
        describe_statement(session, statement);
    }
}

void extended_describe(struct session *session, const struct wire_message *message)
{
    if (!message->as.object.portal) {
        describe_by_name(session, message->as.object.name);
        return;
    }
    struct portal *portal = extended_find_portal(session, message->as.object.name);
    if (portal == NULL)
        no_such(session, "portal", "34000", message->as.object.name);
    else if (portal->empty)
        wire_write_bare(&session->output, 'n');
    else
        statement_describe(session, &portal->run);
}

/* ---- Execute, Close, Sync, Flush ---- */

void extended_execute(struct session *session, const struct wire_message *message)
{
    struct portal *portal = extended_find_portal(session, message->as.execute.portal);
    if (portal == NULL) {
        no_such(session, "portal", "34000", message->as.execute.portal);
        return;
    }
    if (portal->empty) {
        wire_write_bare(&session->output, 'I');
        return;
    }
    session->rows_limit = message->as.execute.rows;
    portal->run.shown = 0;
    if (!portal->run.started) {
        statement_begin(session, &portal->run);
    } else if (result_is_there(&portal->run)) { /* more rows of the same answer: nothing is asked twice */
        session->run = &portal->run;
        session->showing = true;
    } else {
        session_error(session, "55000", "the portal was run already");
    }
}

void extended_close(struct session *session, const struct wire_message *message)
{
    if (message->as.object.portal)
        drop_portal(session, message->as.object.name);
    else
        (void)extended_drop_statement(session, message->as.object.name);
    wire_write_bare(&session->output, '3');
}

void extended_sync(struct session *session, const struct wire_message *message)
{
    (void)message;
    if (session->transaction == 'I')
        extended_drop_portals(session, false);
    session->state = STATE_READY;
    wire_write_ready(&session->output, session->transaction);
}

/* What is written goes out as soon as nothing else is to be done anyway. */
void extended_flush(struct session *session, const struct wire_message *message)
{
    (void)session;
    (void)message;
}
