#include "tests/support/session_client.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

/* ---- A backend: answers with rows 1, 2, 3 ...; tells what it was asked ---- */

struct buffer backend_told;
size_t backend_rows = 2;
const char *backend_fails_with;
int backend_fails_at;

static void tell(const char *what, const struct curator_question *question)
{
    char epsilon[DECIMAL_TEXT];
    decimal_print(question->settings.epsilon, epsilon);
    buffer_format(&backend_told, "%s(%s as %s epsilon %s", what, question->text,
                  question->analyst != NULL ? question->analyst : "owner", epsilon);
    if (question->request != NULL)
        buffer_format(&backend_told, " request %s", question->request);
    for (size_t i = 0; question->parameters.values != NULL && i < question->parameters.count; i++) {
        const struct sql_value *value = &question->parameters.values[i];
        buffer_format(&backend_told, " $%zu=%d:%s%lld", i + 1, (int)value->type,
                      value->null           ? "null"
                      : value->text != NULL ? value->text
                                            : "",
                      (long long)value->whole);
    }
    buffer_text(&backend_told, ") ");
}

static struct curator_column columns[2] = {{.name = "region", .type = SQL_TEXT},
                                           {.name = "n", .type = SQL_INTEGER, .noisy = true}};

static status fake_ask(void *context, const struct curator_question *question, struct curator_answer **out,
                       error *why)
{
    (void)context;
    tell("ask", question);
    if (backend_fails_with != NULL) {
        (void)fail(why, DITHER_INVALID, "%s", backend_fails_with);
        why->position = backend_fails_at;
        backend_fails_with = NULL;
        return DITHER_INVALID;
    }
    struct curator_answer *answer = memory_allocate(sizeof *answer);
    answer->arena = memory_allocate(sizeof *answer->arena);
    arena_init(answer->arena, 64 << 20);
    void *cells = NULL, *intervals = NULL;
    assert_int_equal(arena_take(answer->arena, 2 * backend_rows * sizeof(struct sql_value) + 1, &cells, why),
                     DITHER_OK);
    assert_int_equal(
        arena_take(answer->arena, 2 * backend_rows * sizeof(struct curator_interval) + 1, &intervals, why),
        DITHER_OK);
    for (size_t i = 0; i < backend_rows; i++) {
        ((struct sql_value *)cells)[2 * i] =
            (struct sql_value){.type = SQL_TEXT, .text = "north", .null = i == 1};
        ((struct sql_value *)cells)[2 * i + 1] =
            (struct sql_value){.type = SQL_INTEGER, .whole = 10 * ((int64_t)i + 1)};
        ((struct curator_interval *)intervals)[2 * i + 1] =
            (struct curator_interval){true, 7.5 + (double)i, 12.5};
    }
    answer->columns = columns;
    answer->column_count = 2;
    answer->rows = (struct sql_rows){2, backend_rows, cells};
    answer->intervals = intervals;
    answer->confidence = 0.95;
    answer->currency = LEDGER_PURE;
    answer->cost = answer->remaining = ledger_cost_zero();
    assert_int_equal(decimal_parse("0.1", &answer->cost.epsilon, NULL), DITHER_OK);
    assert_int_equal(decimal_parse("9.9", &answer->remaining.epsilon, NULL), DITHER_OK);
    *out = answer;
    return DITHER_OK;
}

static status fake_describe(void *context, const struct curator_question *question, struct arena *arena,
                            struct curator_column **out, size_t *count, error *why)
{
    (void)context, (void)arena, (void)why;
    tell("describe", question);
    for (size_t i = 0; question->parameters.inferred != NULL && i < question->parameters.count; i++)
        question->parameters.inferred[i] = i == 2 ? SQL_DATE : SQL_UNKNOWN;
    *out = columns;
    *count = 2;
    return DITHER_OK;
}

static status fake_explain(void *context, const struct curator_question *question, bool json,
                           struct buffer *out, error *why)
{
    (void)context;
    tell(json ? "explain json" : "explain", question);
    buffer_text(out, "cost: nothing\nplan\n");
    return buffer_check(out, why);
}

static status fake_remaining(void *context, const char *analyst, struct buffer *out, error *why)
{
    (void)context;
    buffer_format(out, "%s has plenty", analyst != NULL ? analyst : "owner");
    return buffer_check(out, why);
}

static const struct serve_backend backend = {
    .ask = fake_ask, .describe = fake_describe, .explain = fake_explain, .remaining = fake_remaining};

/* ---- A test_host ---- */

static struct users *everybody;
static struct random *stream;
uint32_t host_cancelled;

static const struct users *give_users(void *context)
{
    (void)context;
    return everybody;
}

static void note_cancel(void *context, uint32_t process, uint32_t secret)
{
    (void)context, (void)secret;
    host_cancelled = process;
}

struct session_host test_host = {
    .backend = &backend, .dataset = "hospital", .users = give_users, .cancel = note_cancel};

int set_up_session(void **state)
{
    (void)state;
    error why;
    buffer_init(&backend_told, 1 << 20);
    if (random_open(&stream, &why) != DITHER_OK || users_new(stream, &everybody, &why) != DITHER_OK)
        return -1;
    everybody->iterations = SCRAM_LEAST_ITERATIONS;
    test_host.random = stream;
    if (users_set(everybody, "alice", ROLE_ANALYST, "pencil", stream, &why) != DITHER_OK ||
        users_set(everybody, "bob", ROLE_ANALYST, "pencil", stream, &why) != DITHER_OK ||
        users_set(everybody, "olga", ROLE_OWNER, "pencil", stream, &why) != DITHER_OK)
        return -1;
    return 0;
}

int tear_down_session(void **state)
{
    (void)state;
    users_free(everybody);
    random_close(stream);
    buffer_free(&backend_told);
    return 0;
}

/* ---- A client ---- */

/* Lets the session run until it wants input or the end; output is taken in pieces, as a slow reader would. */
void client_run(struct client *client)
{
    for (;;) {
        client->wants = session_step(client->session);
        const struct buffer *out = session_output(client->session);
        size_t piece = out->length < 1000 ? out->length : 1000;
        assert_true(out->length < SESSION_WRITE_BYTES + 10000);
        if (client->wants == SESSION_WORK) {
            if (!session_recall(client->session, NULL, &(struct ledger_sight){NULL}))
                session_work(client->session, NULL);
            journal_flush(test_host.journal);
        } else if (out->length > 0) {
            buffer_append(&client->received, out->data, piece);
            session_written(client->session, piece);
        } else if (client->wants != SESSION_FLUSH) {
            return;
        }
    }
}

/* In pieces of a few bytes, so that messages arrive broken. */
void client_send_bytes(struct client *client, const void *bytes, size_t count)
{
    for (size_t at = 0; at < count && client->wants == SESSION_INPUT; at += 7) {
        session_input(client->session, (const char *)bytes + at, count - at < 7 ? count - at : 7);
        client_run(client);
    }
}

void client_send(struct client *client, char kind, const void *body, size_t count)
{
    struct buffer out;
    buffer_init(&out, 2 << 20);
    struct wire_out message = wire_begin(&out, kind);
    wire_put_bytes(&message, body, count);
    wire_end(&message);
    client_send_bytes(client, out.data, out.length);
    buffer_free(&out);
}

void client_connect(struct client *client)
{
    error why;
    *client = (struct client){.wants = SESSION_INPUT};
    buffer_init(&client->received, 64 << 20);
    assert_int_equal(session_new(&test_host, 7, &client->session, &why), DITHER_OK);
    client_run(client);
}

void client_disconnect(struct client *client)
{
    session_free(client->session);
    buffer_free(&client->received);
}

void client_start_up(struct client *client, uint32_t version, const char *parameters, size_t count)
{
    struct buffer out;
    buffer_init(&out, 1 << 20);
    struct wire_out whole = {.buffer = &out};
    wire_put_uint32(&whole, (uint32_t)(count + 8));
    wire_put_uint32(&whole, version);
    wire_put_bytes(&whole, parameters, count);
    client_send_bytes(client, out.data, out.length);
    buffer_free(&out);
}

/* What was received, as text: a letter a message, with the texts and small numbers in it. Then it is forgotten. */
const char *client_received(struct client *client)
{
    static char text[20000];
    struct buffer out;
    buffer_init(&out, 64 << 20);
    struct cursor cursor = cursor_over(client->received.data, client->received.length);
    unsigned char kind = 0;
    uint32_t length = 0;
    const unsigned char *body = NULL;
    while (cursor_byte(&cursor, &kind) && cursor_uint32(&cursor, &length) &&
           cursor_take(&cursor, length - 4, &body)) {
        if (kind == 'S' || kind == 'K')
            continue; /* looked at elsewhere */
        buffer_format(&out, "%c[", kind);
        for (uint32_t i = 0; i < length - 4; i++)
            if (body[i] >= 32 && body[i] < 127)
                buffer_byte(&out, (char)body[i]);
            else if (body[i] == 0 && i > 0 && body[i - 1] >= 32 && body[i - 1] < 127)
                buffer_byte(&out, '|');
        buffer_text(&out, "] ");
    }
    assert_int_equal(cursor_left(&cursor), 0);
    snprintf(text, sizeof text, "%s", out.data != NULL ? out.data : "");
    buffer_free(&out);
    buffer_free(&client->received);
    return text;
}

void client_expect(struct client *client, const char *wanted)
{
    const char *text = client_received(client);
    if (strcmp(text, wanted) != 0)
        fail_msg("received %s\n  wanted %s", text, wanted);
}

void expect_told(const char *wanted)
{
    assert_string_equal(backend_told.data != NULL ? backend_told.data : "", wanted);
    buffer_clear(&backend_told);
}

void expect_in(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("%s is not in %s", part, text);
}

/* ---- Signing in, from the client's side ---- */

static void hmac(const void *key, const char *text, unsigned char out[32])
{
    unsigned int size = 0;
    assert_non_null(HMAC(EVP_sha256(), key, 32, (const unsigned char *)text, strlen(text), out, &size));
}

/* SCRAM without channel binding. The server's first message is the last thing received. */
void client_sign_in(struct client *client, const char *password)
{
    char body[400], first[400], words[1200], without[400], salt64[64], nonce[100], proof64[64];
    unsigned char salt[64], salted[32], key[32], stored[32], proof[32];
    unsigned int size = 0, iterations = 0;
    size_t salt_size = 0;
    buffer_free(&client->received);
    int length =
        snprintf(body, sizeof body, "%s%c%c%c%c%c%s", "SCRAM-SHA-256", 0, 0, 0, 0, 16, "n,,n=,r=fyko+d2l");
    client_send(client, 'p', body, (size_t)length);
    assert_true(client->received.length > 9 && client->received.data[8] == WIRE_SASL_CONTINUE);
    snprintf(first, sizeof first, "%.*s", (int)(client->received.length - 9), client->received.data + 9);
    assert_int_equal(sscanf(first, "r=%99[^,],s=%63[^,],i=%u", nonce, salt64, &iterations), 3);
    assert_true(scram_base64_parse(salt64, strlen(salt64), salt, sizeof salt, &salt_size));
    snprintf(without, sizeof without, "c=biws,r=%s", nonce);
    snprintf(words, sizeof words, "n=,r=fyko+d2l,%s,%s", first, without);
    PKCS5_PBKDF2_HMAC(password, (int)strlen(password), salt, (int)salt_size, (int)iterations, EVP_sha256(),
                      32, salted);
    hmac(salted, "Client Key", key);
    EVP_Digest(key, 32, stored, &size, EVP_sha256(), NULL);
    hmac(stored, words, proof);
    for (int i = 0; i < 32; i++)
        proof[i] ^= key[i];
    scram_base64_print(proof, 32, proof64);
    length = snprintf(body, sizeof body, "%s,p=%s", without, proof64);
    buffer_free(&client->received);
    client_send(client, 'p', body, (size_t)length);
}

struct client client_signed_in(void)
{
    struct client client;
    client_connect(&client);
    STARTUP("user\0alice\0database\0hospital\0");
    client_sign_in(&client, "pencil");
    assert_int_equal(client.wants, SESSION_INPUT);
    assert_true(session_is_known(client.session));
    buffer_free(&client.received);
    buffer_clear(&backend_told);
    return client;
}

void client_query(struct client *client, const char *text)
{
    client_send(client, 'Q', text, strlen(text) + 1);
}
