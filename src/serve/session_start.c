/* From the first packet to the first ReadyForQuery. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "serve/session_room.h"

/* ---- The first packet ---- */

static void answer_tls(struct session *session)
{
    if (!session->host->tls || session->encrypted) {
        buffer_byte(&session->output, 'N');
        return;
    }
    /* Bytes that came with the request were not encrypted, whoever sent them: they must not be taken for the client's. */
    if (session->input.length > session->consumed) {
        session_fatal(session, "08P01", "bytes came before the TLS handshake");
        return;
    }
    buffer_byte(&session->output, 'S');
    session->wants_tls = true;
}

/* The newest minor version that we speak is 0, and there is no option of the protocol. */
static void negotiate(struct session *session, struct cursor parameters, uint16_t minor)
{
    const char *name = NULL, *value = NULL;
    uint32_t unknown = 0;
    struct cursor again = parameters;
    while (wire_next_parameter(&again, &name, &value))
        unknown += strncmp(name, "_pq_.", 5) == 0;
    if (minor == 0 && unknown == 0)
        return;
    struct wire_out out = wire_begin(&session->output, 'v');
    wire_put_uint32(&out, 3 << 16);
    wire_put_uint32(&out, unknown);
    while (wire_next_parameter(&parameters, &name, &value))
        if (strncmp(name, "_pq_.", 5) == 0)
            wire_put_text(&out, name);
    wire_end(&out);
}

static void refuse_database(struct session *session, const char *name)
{
    char message[200], hint[200];
    snprintf(message, sizeof message, "database \"%.63s\" does not exist", name);
    snprintf(hint, sizeof hint, "The database is called \"%.63s\".", session->host->dataset);
    wire_write_report(&session->output, &(struct wire_report){"FATAL", "3D000", message, NULL, hint, -1});
    session->state = STATE_CLOSED;
}

/* -c name=value -c name=value; a blank ends a value. */
static status set_options(struct session *session, const char *text, error *why)
{
    char copy[512], *rest = NULL;
    if (strlen(text) >= sizeof copy)
        return fail(why, DITHER_INVALID, "the options are too long");
    snprintf(copy, sizeof copy, "%s", text);
    for (char *word = strtok_r(copy, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        if (strcmp(word, "-c") == 0)
            continue;
        char *name = strncmp(word, "--", 2) == 0 ? word + 2 : strncmp(word, "-c", 2) == 0 ? word + 2 : word;
        char *value = strchr(name, '=');
        if (value == NULL)
            return fail(why, DITHER_INVALID, "the options are not understood");
        *value++ = '\0';
        TRY(settings_set(&session->settings, name, value, why));
    }
    return DITHER_OK;
}

static status take_parameter(struct session *session, const char *name, const char *value, error *why)
{
    if (strcmp(name, "user") == 0 || strcmp(name, "database") == 0 || strncmp(name, "_pq_.", 5) == 0)
        return DITHER_OK;
    if (strcmp(name, "replication") == 0) {
        bool off = strcmp(value, "false") == 0 || strcmp(value, "off") == 0 || strcmp(value, "0") == 0;
        return off ? DITHER_OK : fail(why, DITHER_REFUSED, "there is no replication");
    }
    if (strcmp(name, "options") == 0)
        return set_options(session, value, why);
    return settings_set(&session->settings, name, value, why);
}

static void offer_sign_in(struct session *session)
{
    static const char both[] = SCRAM_PLUS "\0" SCRAM_PLAIN "\0", plain[] = SCRAM_PLAIN "\0";
    if (session->encrypted)
        wire_write_authentication(&session->output, WIRE_SASL, both, sizeof both);
    else
        wire_write_authentication(&session->output, WIRE_SASL, plain, sizeof plain);
    session->state = STATE_SIGN_IN;
}

static void start_up(struct session *session, const struct wire_opening *opening)
{
    const char *name = NULL, *value = NULL, *user = "", *database = NULL;
    struct cursor parameters = opening->parameters;
    error why;
    if (session->host->tls && !session->encrypted) {
        session_fatal(session, "28000", "connect with TLS (sslmode=require)");
        return;
    }
    while (wire_next_parameter(&parameters, &name, &value)) {
        user = strcmp(name, "user") == 0 ? value : user;
        database = strcmp(name, "database") == 0 ? value : database;
    }
    if (users_check_name(user, NULL) != DITHER_OK) {
        session_fatal(session, "28000", "no user of the database is named");
        return;
    }
    if (!tries_may(session->host->tries, session->address, user)) {
        session_fatal(session, "28000",
                      "too many failed sign-ins came from this address; wait, and try again");
        return;
    }
    snprintf(session->user, sizeof session->user, "%s", user);
    settings_init(&session->settings, user);
    if (database != NULL && strcmp(database, session->host->dataset) != 0 && strcmp(database, user) != 0) {
        refuse_database(session, database);
        return;
    }
    parameters = opening->parameters;
    while (wire_next_parameter(&parameters, &name, &value))
        if (take_parameter(session, name, value, &why) != DITHER_OK) {
            session_fatal(session, "22023", why.message);
            return;
        }
    negotiate(session, opening->parameters, opening->minor);
    offer_sign_in(session);
}

void start_open(struct session *session)
{
    struct wire_opening opening;
    size_t used = 0;
    error why;
    const char *bytes = session->input.data != NULL ? session->input.data + session->consumed : "";
    switch (wire_read_opening(bytes, session->input.length - session->consumed, &opening, &used, &why)) {
    case WIRE_MORE:
        return;
    case WIRE_BROKEN:
        session_fatal(session, "08P01", why.message);
        return;
    case WIRE_DONE:
        break;
    }
    session->consumed += used;
    switch (opening.kind) {
    case WIRE_TLS_REQUEST:
        answer_tls(session);
        return;
    case WIRE_GSS_REQUEST:
        buffer_byte(&session->output, 'N');
        return;
    case WIRE_CANCEL_REQUEST:
        session->host->cancel(session->host->context, opening.process, opening.secret);
        session->state = STATE_CLOSED; /* without an answer, whatever came of it */
        return;
    case WIRE_STARTUP:
        start_up(session, &opening);
    }
}

/* ---- Signing in ---- */

static void refuse_sign_in(struct session *session, status result, const error *why)
{
    char message[200];
    if (result == DITHER_REFUSED && strcmp(why->message, SCRAM_REFUSED) == 0) {
        tries_failed(session->host->tries, session->address, session->user);
        snprintf(message, sizeof message, "password authentication failed for user \"%s\"", session->user);
        session_fatal(session, "28P01", message);
    } else {
        session_fatal(session, result == DITHER_INVALID ? "08P01" : "28000", why->message);
    }
}

static status set_up_scram(struct session *session, bool plus, error *why)
{
    const struct session_host *host = session->host;
    struct scram_setup setup = {.plus = plus, .offered = session->encrypted};
    unsigned char nonce[SCRAM_NONCE_BYTES];
    TRY(users_verifier(host->users(host->context), session->user, &setup.verifier, &setup.known,
                       &session->promised, why));
    TRY(users_random(host->random, nonce, sizeof nonce, why));
    scram_base64_print(nonce, sizeof nonce, setup.nonce);
    memcpy(setup.binding, host->binding, host->binding_size);
    setup.binding_size = host->binding_size;
    session->scram = memory_allocate(sizeof *session->scram);
    if (session->scram == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    scram_begin(session->scram, &setup);
    return DITHER_OK;
}

static status answer_first(struct session *session, const struct wire_message *message, struct buffer *out,
                           error *why)
{
    struct wire_sasl_first first;
    if (!wire_read_sasl_first(message->as.sign_in, &first) || !first.given)
        return fail(why, DITHER_INVALID, "the SASL message is not well-formed");
    bool plus = strcmp(first.mechanism, SCRAM_PLUS) == 0;
    if (!(plus && session->encrypted) && strcmp(first.mechanism, SCRAM_PLAIN) != 0)
        return fail(why, DITHER_INVALID, "this SASL mechanism was not offered");
    TRY(set_up_scram(session, plus, why));
    TRY(scram_answer_first(session->scram, first.response, first.size, out, why));
    return buffer_check(out, why);
}

void start_first(struct session *session, const struct wire_message *message)
{
    struct buffer out;
    error why;
    buffer_init(&out, 4096);
    status result = answer_first(session, message, &out, &why);
    if (result == DITHER_OK) {
        wire_write_authentication(&session->output, WIRE_SASL_CONTINUE, out.data, out.length);
        session->state = STATE_PROOF;
    } else {
        refuse_sign_in(session, result, &why);
    }
    buffer_free(&out);
}

static void welcome(struct session *session)
{
    struct setting_shown shown;
    wire_write_authentication(&session->output, WIRE_AUTHENTICATED, NULL, 0);
    for (size_t i = 0; settings_at(&session->settings, i, &shown); i++)
        if (shown.reported)
            wire_write_parameter_status(&session->output, shown.name, shown.value);
    wire_write_key(&session->output, session->process, session->secret);
    wire_write_ready(&session->output, session->transaction);
    session->state = STATE_READY;
}

void start_proof(struct session *session, const struct wire_message *message)
{
    struct buffer out;
    error why;
    struct cursor body = message->as.sign_in;
    buffer_init(&out, 4096);
    status result = scram_answer_final(session->scram, body.next, cursor_left(&body), &out, &why);
    memory_release(session->scram, sizeof *session->scram);
    session->scram = NULL;
    if (result == DITHER_OK) {
        wire_write_authentication(&session->output, WIRE_SASL_FINAL, out.data, out.length);
        session->role = session->promised;
        tries_succeeded(session->host->tries, session->address, session->user);
        welcome(session);
    } else {
        refuse_sign_in(session, result, &why);
    }
    buffer_free(&out);
}
