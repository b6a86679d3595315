/* A session over bytes, with a client that is written here (messages by hand, SCRAM by RFC 5802) and a backend that
 * stands in for the curator: start-up, sign-in, both query protocols, errors and where they leave the session, portals,
 * parameters, settings, transactions, limits. What goes out is shown as a letter for each message with its content. */
#include "tests/support/test.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "serve/session.h"
#include "serve/wire_write.h"

/* ---- A backend: answers with rows 1, 2, 3 ...; tells what it was asked ---- */

static struct buffer told; /* the calls */
static size_t rows_to_give = 2;
static const char *fail_with; /* the next ask fails so */
static int fail_position;

static void tell(const char *what, const struct curator_question *question)
{
    char epsilon[DECIMAL_TEXT];
    decimal_print(question->settings.epsilon, epsilon);
    buffer_format(&told, "%s(%s as %s epsilon %s", what, question->text,
                  question->analyst != NULL ? question->analyst : "owner", epsilon);
    if (question->request != NULL)
        buffer_format(&told, " request %s", question->request);
    for (size_t i = 0; question->parameters.values != NULL && i < question->parameters.count; i++) {
        const struct sql_value *value = &question->parameters.values[i];
        buffer_format(&told, " $%zu=%d:%s%lld", i + 1, (int)value->type,
                      value->null           ? "null"
                      : value->text != NULL ? value->text
                                            : "",
                      (long long)value->whole);
    }
    buffer_text(&told, ") ");
}

static struct curator_column columns[2] = {{.name = "region", .type = SQL_TEXT},
                                           {.name = "n", .type = SQL_INTEGER, .noisy = true}};

static status fake_ask(void *context, const struct curator_question *question, struct curator_answer **out,
                       error *why)
{
    (void)context;
    tell("ask", question);
    if (fail_with != NULL) {
        (void)fail(why, DITHER_INVALID, "%s", fail_with);
        why->position = fail_position;
        fail_with = NULL;
        return DITHER_INVALID;
    }
    struct curator_answer *answer = memory_allocate(sizeof *answer);
    answer->arena = memory_allocate(sizeof *answer->arena);
    arena_init(answer->arena, 64 << 20);
    void *cells = NULL, *intervals = NULL;
    assert_int_equal(arena_take(answer->arena, 2 * rows_to_give * sizeof(struct sql_value) + 1, &cells, why),
                     DITHER_OK);
    assert_int_equal(
        arena_take(answer->arena, 2 * rows_to_give * sizeof(struct curator_interval) + 1, &intervals, why),
        DITHER_OK);
    for (size_t i = 0; i < rows_to_give; i++) {
        ((struct sql_value *)cells)[2 * i] =
            (struct sql_value){.type = SQL_TEXT, .text = "north", .null = i == 1};
        ((struct sql_value *)cells)[2 * i + 1] =
            (struct sql_value){.type = SQL_INTEGER, .whole = 10 * ((int64_t)i + 1)};
        ((struct curator_interval *)intervals)[2 * i + 1] =
            (struct curator_interval){true, 7.5 + (double)i, 12.5};
    }
    answer->columns = columns;
    answer->column_count = 2;
    answer->rows = (struct sql_rows){2, rows_to_give, cells};
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

static const struct serve_backend backend = {fake_ask, fake_describe, fake_explain, fake_remaining};

/* ---- A host ---- */

static struct users *everybody;
static struct random *stream;
static uint32_t cancelled_process;

static const struct users *give_users(void *context)
{
    (void)context;
    return everybody;
}

static void note_cancel(void *context, uint32_t process, uint32_t secret)
{
    (void)context, (void)secret;
    cancelled_process = process;
}

static struct session_host host = {
    .backend = &backend, .dataset = "hospital", .users = give_users, .cancel = note_cancel};

static int set_up(void **state)
{
    (void)state;
    error why;
    buffer_init(&told, 1 << 20);
    if (random_open(&stream, &why) != DITHER_OK || users_new(stream, &everybody, &why) != DITHER_OK)
        return -1;
    everybody->iterations = SCRAM_LEAST_ITERATIONS;
    host.random = stream;
    if (users_set(everybody, "alice", ROLE_ANALYST, "pencil", stream, &why) != DITHER_OK ||
        users_set(everybody, "olga", ROLE_OWNER, "pencil", stream, &why) != DITHER_OK)
        return -1;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    users_free(everybody);
    random_close(stream);
    buffer_free(&told);
    return 0;
}

/* ---- A client ---- */

struct client {
    struct session *session;
    struct buffer received; /* all bytes, until they are looked at */
    enum session_wants wants;
};

/* Lets the session run until it wants input or the end; output is taken in pieces, as a slow reader would. */
static void run(struct client *client)
{
    for (;;) {
        client->wants = session_step(client->session);
        const struct buffer *out = session_output(client->session);
        size_t piece = out->length < 1000 ? out->length : 1000;
        assert_true(out->length < SESSION_WRITE_BYTES + 10000);
        if (client->wants == SESSION_WORK) {
            session_work(client->session, NULL);
        } else if (out->length > 0) {
            buffer_append(&client->received, out->data, piece);
            session_written(client->session, piece);
        } else if (client->wants != SESSION_FLUSH) {
            return;
        }
    }
}

/* In pieces of a few bytes, so that messages arrive broken. */
static void send_bytes(struct client *client, const void *bytes, size_t count)
{
    for (size_t at = 0; at < count && client->wants == SESSION_INPUT; at += 7) {
        session_input(client->session, (const char *)bytes + at, count - at < 7 ? count - at : 7);
        run(client);
    }
}

static void send_message(struct client *client, char kind, const void *body, size_t count)
{
    struct buffer out;
    buffer_init(&out, 2 << 20);
    struct wire_out message = wire_begin(&out, kind);
    wire_put_bytes(&message, body, count);
    wire_end(&message);
    send_bytes(client, out.data, out.length);
    buffer_free(&out);
}

static void connect_client(struct client *client)
{
    error why;
    *client = (struct client){.wants = SESSION_INPUT};
    buffer_init(&client->received, 64 << 20);
    assert_int_equal(session_new(&host, 7, &client->session, &why), DITHER_OK);
    run(client);
}

static void disconnect(struct client *client)
{
    session_free(client->session);
    buffer_free(&client->received);
}

static void start_up(struct client *client, uint32_t version, const char *parameters, size_t count)
{
    struct buffer out;
    buffer_init(&out, 1 << 20);
    struct wire_out whole = {.buffer = &out};
    wire_put_uint32(&whole, (uint32_t)(count + 8));
    wire_put_uint32(&whole, version);
    wire_put_bytes(&whole, parameters, count);
    send_bytes(client, out.data, out.length);
    buffer_free(&out);
}

/* What was received, as text: a letter a message, with the texts and small numbers in it. Then it is forgotten. */
static const char *received(struct client *client)
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

static void expect_received(struct client *client, const char *wanted)
{
    const char *text = received(client);
    if (strcmp(text, wanted) != 0)
        fail_msg("received %s\n  wanted %s", text, wanted);
}

static void expect_told(const char *wanted)
{
    assert_string_equal(told.data != NULL ? told.data : "", wanted);
    buffer_clear(&told);
}

static void expect_in(const char *text, const char *part)
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
static void sign_in(struct client *client, const char *password)
{
    char body[400], first[400], words[1200], without[400], salt64[64], nonce[100], proof64[64];
    unsigned char salt[64], salted[32], key[32], stored[32], proof[32];
    unsigned int size = 0, iterations = 0;
    size_t salt_size = 0;
    buffer_free(&client->received);
    int length =
        snprintf(body, sizeof body, "%s%c%c%c%c%c%s", "SCRAM-SHA-256", 0, 0, 0, 0, 16, "n,,n=,r=fyko+d2l");
    send_message(client, 'p', body, (size_t)length);
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
    send_message(client, 'p', body, (size_t)length);
}

#define STARTUP(text) start_up(&client, 196608, text, sizeof text)

static struct client signed_in(void)
{
    struct client client;
    connect_client(&client);
    STARTUP("user\0alice\0database\0hospital\0");
    sign_in(&client, "pencil");
    assert_int_equal(client.wants, SESSION_INPUT);
    assert_true(session_is_known(client.session));
    buffer_free(&client.received);
    buffer_clear(&told);
    return client;
}

static void query(struct client *client, const char *text)
{
    send_message(client, 'Q', text, strlen(text) + 1);
}

/* ---- Tests ---- */

static void a_client_starts_up_and_signs_in(void **state)
{
    (void)state;
    struct client client;
    connect_client(&client);
    STARTUP("user\0alice\0application_name\0test\0");
    expect_received(&client, "R[SCRAM-SHA-256|] ");
    sign_in(&client, "pencil");
    /* before it is forgotten: what the server says of itself */
    expect_in(memmem(client.received.data, client.received.length, "server_version\0", 15), "server_version");
    assert_non_null(memmem(client.received.data, client.received.length, "client_encoding\0UTF8", 21));
    assert_non_null(memmem(client.received.data, client.received.length, "application_name\0test", 22));
    assert_non_null(memmem(client.received.data, client.received.length, "DateStyle\0ISO, MDY", 19));
    const char *text = received(&client);
    expect_in(text, "R[v=");
    expect_in(text, "R[] Z[I] ");
    disconnect(&client);
}

static void a_wrong_name_and_a_wrong_password_are_refused_alike(void **state)
{
    (void)state;
    struct client client;
    connect_client(&client);
    STARTUP("user\0alice\0");
    sign_in(&client, "pencils");
    assert_int_equal(client.wants, SESSION_CLOSE);
    expect_received(&client, "E[SFATAL|VFATAL|C28P01|Mpassword authentication failed for user \"alice\"|] ");
    disconnect(&client);
    connect_client(&client);
    STARTUP("user\0zoe\0");
    sign_in(&client, "pencil");
    assert_int_equal(client.wants, SESSION_CLOSE);
    assert_false(session_is_known(client.session));
    expect_received(&client, "E[SFATAL|VFATAL|C28P01|Mpassword authentication failed for user \"zoe\"|] ");
    disconnect(&client);
}

static void nothing_is_answered_before_the_sign_in(void **state)
{
    (void)state;
    struct client client;
    connect_client(&client);
    STARTUP("user\0alice\0");
    (void)received(&client);
    query(&client, "SELECT 1");
    assert_int_equal(client.wants, SESSION_CLOSE);
    expect_in(received(&client), "C08P01");
    disconnect(&client);
    connect_client(&client);
    send_bytes(&client, "GET / HTTP/1.1\r\n\r\n", 18);
    assert_int_equal(client.wants, SESSION_CLOSE);
    disconnect(&client);
    /* a large message of somebody who is not known */
    connect_client(&client);
    STARTUP("user\0alice\0");
    send_bytes(&client, "p\0\1\0\0", 5);
    assert_int_equal(client.wants, SESSION_CLOSE);
    disconnect(&client);
    expect_told("");
}

static void databases_options_and_versions(void **state)
{
    (void)state;
    struct client client;
    connect_client(&client);
    STARTUP("user\0alice\0database\0shop\0");
    expect_in(received(&client),
              "C3D000|Mdatabase \"shop\" does not exist|HThe database is called \"hospital\".");
    disconnect(&client);
    connect_client(&client);
    STARTUP("user\0alice\0replication\0true\0");
    expect_in(received(&client), "there is no replication");
    disconnect(&client);
    connect_client(&client);
    STARTUP("user\0alice\0client_encoding\0LATIN1\0");
    expect_in(received(&client), "client_encoding is always UTF8 here");
    disconnect(&client);
    connect_client(&client);
    start_up(&client, 196610, "user\0alice\0_pq_.magic\0x\0", 25);
    expect_received(&client, "v[_pq_.magic|] R[SCRAM-SHA-256|] ");
    disconnect(&client);
    connect_client(&client);
    STARTUP("user\0alice\0options\0-c dither.epsilon=0.25 -c geqo=off\0");
    expect_in(received(&client), "unrecognized configuration parameter \"geqo\"");
    disconnect(&client);
    connect_client(&client);
    STARTUP("user\0alice\0options\0-c dither.epsilon=0.25\0");
    sign_in(&client, "pencil");
    query(&client, "SELECT 1");
    expect_told("ask(SELECT 1 as alice epsilon 0.25) ");
    disconnect(&client);
}

static void tls_is_asked_for_and_nothing_slips_in_before_it(void **state)
{
    (void)state;
    struct client client;
    static const char request[] = "\0\0\0\x08\x04\xd2\x16\x2f", gss[] = "\0\0\0\x08\x04\xd2\x16\x30";
    connect_client(&client);
    send_bytes(&client, request, 8);
    assert_memory_equal(client.received.data, "N", 1);
    send_bytes(&client, gss, 8);
    assert_memory_equal(client.received.data, "NN", 2);
    buffer_free(&client.received);
    STARTUP("user\0alice\0");
    expect_received(&client, "R[SCRAM-SHA-256|] ");
    disconnect(&client);
    host.tls = true;
    host.binding_size = 4;
    connect_client(&client); /* without TLS nobody comes in */
    STARTUP("user\0alice\0");
    expect_in(received(&client), "connect with TLS");
    disconnect(&client);
    connect_client(&client);
    send_bytes(&client, request, 8);
    assert_int_equal(client.wants, SESSION_TLS);
    assert_memory_equal(client.received.data, "S", 1);
    buffer_free(&client.received);
    session_encrypted(client.session);
    client.wants = SESSION_INPUT;
    STARTUP("user\0alice\0");
    expect_received(&client, "R[SCRAM-SHA-256-PLUS|SCRAM-SHA-256|] ");
    disconnect(&client);
    connect_client(&client); /* a byte too many */
    session_input(client.session, "\0\0\0\x08\x04\xd2\x16\x2fX", 9);
    run(&client);
    assert_int_equal(client.wants, SESSION_CLOSE);
    expect_in(received(&client), "bytes came before the TLS handshake");
    disconnect(&client);
    host.tls = false;
}

static void a_cancel_request_is_passed_on_and_not_answered(void **state)
{
    (void)state;
    struct client client;
    connect_client(&client);
    cancelled_process = 0;
    send_bytes(&client, "\0\0\0\x10\x04\xd2\x16\x2e\0\0\0\x05\0\0\0\x09", 16);
    assert_int_equal(client.wants, SESSION_CLOSE);
    assert_int_equal(cancelled_process, 5);
    expect_received(&client, "");
    assert_true(session_has_key(client.session, 7, 0) || !session_has_key(client.session, 8, 0));
    disconnect(&client);
}

#define COST "N[SNOTICE|VNOTICE|C00000|Mcost epsilon 0.1; left epsilon 9.9|] "

static void a_query_is_answered_with_its_cost(void **state)
{
    (void)state;
    struct client client = signed_in();
    query(&client, "SELECT region, n FROM t;");
    expect_told("ask(SELECT region, n FROM t as alice epsilon 0) ");
    const char *text = received(&client);
    expect_in(text, "T[region");
    expect_in(text, COST "C[SELECT 2|] Z[I] ");
    /* several statements, and none */
    query(&client, "SET dither.epsilon = 0.5; SELECT 1; ; SHOW dither.epsilon");
    text = received(&client);
    expect_in(text, "C[SET|] T[");
    expect_in(text, "C[SELECT 2|] T[dither.epsilon");
    expect_in(text, "D[0.5] C[SHOW|] Z[I] ");
    expect_told("ask(SELECT 1 as alice epsilon 0.5) ");
    query(&client, "");
    expect_received(&client, "I[] Z[I] ");
    /* one row and one noisy number: its interval is said too */
    rows_to_give = 1;
    query(&client, "SELECT 1");
    expect_in(received(&client), "Dn lies between 7 and 13 with probability 0.95.");
    query(&client, "SET dither.notices = off; SELECT 1");
    assert_null(strstr(received(&client), "NOTICE"));
    rows_to_give = 2;
    disconnect(&client);
}

static void errors_have_a_code_a_place_and_a_hint(void **state)
{
    (void)state;
    struct client client = signed_in();
    fail_with = "column \"agee\" does not exist; did you mean \"age\"?";
    fail_position = 7;
    query(&client, "SELECT '\xc3\xa4'; SELECT agee FROM t; SELECT 3");
    expect_told("ask(SELECT '\xc3\xa4' as alice epsilon 0) "); /* fails at the first: the rest is not run */
    expect_in(received(&client),
              "E[SERROR|VERROR|C42703|Mcolumn \"agee\" does not exist|Hdid you mean \"age\"?|P8|] Z[I] ");
    query(&client, "SELECT 1");
    fail_with = "syntax error at or near \"x\"";
    buffer_clear(&told);
    (void)received(&client);
    query(&client, "SELECT 1; SELECT x x x");
    disconnect(&client);
    client = signed_in();
    fail_with = NULL;
    query(&client, "SET = 1");
    expect_in(received(&client), "C42601|Msyntax error at or near \"=\"|P5|] Z[I] ");
    query(&client, "DROP TABLE patients");
    expect_in(received(&client), "C0A000|MDROP is not available: questions only read|] Z[I] ");
    query(&client, "COPY t FROM STDIN");
    expect_in(received(&client), "COPY is not available");
    query(&client, "EXPLAIN ANALYZE SELECT 1");
    expect_in(received(&client), "ANALYZE would run the question");
    query(&client, "SET nothing.such = 1");
    expect_in(received(&client), "C42704");
    query(&client, "SET dither.epsilon = -1");
    expect_in(received(&client), "C22023|Mdither.epsilon");
    expect_told("");
    disconnect(&client);
}

static void positions_count_characters_of_the_whole_text(void **state)
{
    (void)state;
    struct client client = signed_in();
    query(&client, "SET dither.notices = off");
    (void)received(&client);
    fail_position = 7;
    fail_with = "no";
    query(&client, "/* \xc3\xa4 */ SELECT x");
    expect_in(received(&client), "|P16|"); /* eight characters before the SELECT, and from 1 */
    buffer_clear(&told);
    disconnect(&client);
}

static void explain_and_show(void **state)
{
    (void)state;
    struct client client = signed_in();
    query(&client, "EXPLAIN SELECT 1");
    expect_told("explain(SELECT 1 as alice epsilon 0) ");
    expect_in(received(&client), "D[cost: nothing] D[plan] C[EXPLAIN|] Z[I] ");
    query(&client, "EXPLAIN (FORMAT JSON) SELECT 1");
    expect_told("explain json(SELECT 1 as alice epsilon 0) ");
    expect_in(received(&client), "D[cost: nothingplan] C[EXPLAIN|] ");
    query(&client, "SHOW dither.remaining");
    expect_in(received(&client), "D[alice has plenty] C[SHOW|] ");
    query(&client, "SHOW ALL");
    expect_in(received(&client), "server_version");
    query(&client, "SHOW session_authorization");
    expect_in(received(&client), "D[alice]");
    query(&client, "SHOW nothing");
    expect_in(received(&client), "C42704");
    disconnect(&client);
}

static void the_owner_is_not_an_analyst(void **state)
{
    (void)state;
    struct client client;
    connect_client(&client);
    STARTUP("user\0olga\0database\0olga\0");
    sign_in(&client, "pencil");
    buffer_clear(&told);
    query(&client, "SELECT 1");
    expect_told("ask(SELECT 1 as owner epsilon 0) ");
    disconnect(&client);
}

static void transactions_are_nothing_but_remembered(void **state)
{
    (void)state;
    struct client client = signed_in();
    query(&client, "BEGIN");
    expect_received(&client, "C[BEGIN|] Z[T] ");
    query(&client, "SELECT 1");
    expect_in(received(&client), "C[SELECT 2|] Z[T] ");
    fail_with = "no";
    fail_position = -1;
    query(&client, "SELECT 2");
    expect_in(received(&client), "] Z[E] ");
    buffer_clear(&told);
    query(&client, "SELECT 3");
    expect_in(received(&client), "C25P02");
    expect_told("");
    query(&client, "COMMIT");
    expect_received(&client, "C[ROLLBACK|] Z[I] ");
    query(&client, "ROLLBACK");
    expect_in(received(&client), "C25P01");
    query(&client, "BEGIN; SAVEPOINT a; RELEASE a; ROLLBACK TO a; END");
    expect_received(&client, "C[BEGIN|] C[SAVEPOINT|] C[RELEASE|] C[ROLLBACK|] C[COMMIT|] Z[I] ");
    disconnect(&client);
}

static void settings_are_set_told_and_reset(void **state)
{
    (void)state;
    struct client client = signed_in();
    query(&client, "SET application_name = 'me'");
    assert_non_null(memmem(client.received.data, client.received.length, "application_name\0me", 20));
    (void)received(&client);
    query(&client,
          "SET dither.request_id = 'r1'; SET dither.epsilon TO 2; SELECT 1; SELECT 2; DISCARD ALL; SELECT 3");
    expect_told("ask(SELECT 1 as alice epsilon 2 request r1) ask(SELECT 2 as alice epsilon 2) ask(SELECT 3 "
                "as alice epsilon 0) ");
    (void)received(&client);
    query(&client, "SET dither.intervals = on; SELECT 1");
    const char *text = received(&client);
    expect_in(text, "n_low");
    expect_in(text, "n_high");
    expect_in(text, "D[north|10|7|13]"); /* 10 lies between 7.5 and 12.5, outwards 7 and 13 */
    query(&client, "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY; SET extra_float_digits = 3; SET "
                   "datestyle = 'ISO'");
    expect_received(&client, "C[SET|] C[SET|] C[SET|] Z[I] ");
    query(&client, "SET standard_conforming_strings = off");
    expect_in(received(&client), "C22023");
    query(&client, "SET server_version = '9'");
    expect_in(received(&client), "C55P02");
    query(&client, "SET dither.confidence = 0.95; SET dither.max_rows = 3; RESET ALL; SHOW dither.max_rows");
    expect_in(received(&client), "C[RESET|] ");
    disconnect(&client);
}

/* ---- The extended protocol ---- */

#define SEND(kind, text) send_message(&client, kind, text, sizeof text - 1)

static void a_prepared_question_is_bound_and_asked(void **state)
{
    (void)state;
    struct client client = signed_in();
    SEND('P', "s1\0SELECT $1, $2\0\0\1\0\0\0\x17");
    SEND('D', "Ss1\0");
    SEND('B', "\0s1\0\0\2\0\1\0\0\0\2\0\0\0\4\0\0\0\x2a\0\0\0\3o'x\0\0");
    SEND('D', "P\0");
    SEND('E', "\0\0\0\0\0");
    SEND('S', "");
    expect_told("describe(SELECT $1, $2 as alice epsilon 0 $1=2:null0 $2=0:null0) "
                "describe(SELECT $1, $2 as alice epsilon 0 $1=2:42 $2=0:o'x0) "
                "ask(SELECT $1, $2 as alice epsilon 0 $1=2:42 $2=0:o'x0) ");
    const char *text = received(&client);
    expect_in(text, "1[] t[] T[region");
    expect_in(text, "2[] T[region");
    expect_in(text, COST "C[SELECT 2|] Z[I] ");
    /* the statement is there for the next time; closed, it is not */
    SEND('C', "Ss1\0");
    SEND('B', "\0s1\0\0\0\0\0\0\0");
    SEND('E', "\0\0\0\0\0");
    SEND('S', "");
    expect_received(&client, "3[] E[SERROR|VERROR|C26000|Mprepared statement \"s1\" does not exist|] Z[I] ");
    disconnect(&client);
}

static void results_are_binary_where_that_is_asked_for(void **state)
{
    (void)state;
    struct client client = signed_in();
    SEND('P', "\0SELECT 1\0\0\0");
    SEND('B', "\0\0\0\0\0\0\0\2\0\0\0\1");
    SEND('E', "\0\0\0\0\0");
    SEND('S', "");
    assert_non_null(memmem(client.received.data, client.received.length,
                           "D\0\0\0\x1b\0\2\0\0\0\5north\0\0\0\x08\0\0\0\0\0\0\0\x0a", 28));
    disconnect(&client);
}

static void a_portal_gives_its_rows_in_portions_and_asks_once(void **state)
{
    (void)state;
    struct client client = signed_in();
    rows_to_give = 5;
    query(&client, "BEGIN; SET dither.notices = off");
    (void)received(&client);
    SEND('P', "\0SELECT 1\0\0\0");
    SEND('B', "p1\0\0\0\0\0\0\0\0");
    SEND('E', "p1\0\0\0\0\2");
    SEND('S', "");
    expect_received(&client, "1[] 2[] D[north|10] D[20] s[] Z[T] ");
    SEND('E', "p1\0\0\0\0\2");
    SEND('E', "p1\0\0\0\0\2");
    SEND('E', "p1\0\0\0\0\2");
    SEND('S', "");
    expect_received(&client, "D[north|30] D[north|40] s[] D[north|50] C[SELECT 1|] C[SELECT 0|] Z[T] ");
    query(&client, "COMMIT");
    (void)received(&client);
    SEND('E', "p1\0\0\0\0\0");
    SEND('S', "");
    expect_in(received(&client), "C34000");
    expect_told("ask(SELECT 1 as alice epsilon 0) ");
    rows_to_give = 2;
    disconnect(&client);
}

static void after_an_error_all_is_skipped_until_sync(void **state)
{
    (void)state;
    struct client client = signed_in();
    SEND('P', "\0SELECT 1; SELECT 2\0\0\0");
    SEND('B', "\0\0\0\0\0\0\0\0");
    SEND('E', "\0\0\0\0\0");
    query(&client, "SELECT 3");
    SEND('S', "");
    expect_in(received(&client), "one statement only can be prepared");
    expect_told("");
    SEND('P', "\0SELECT $1\0\0\1\0\0\3\xf8"); /* an array of bigint */
    SEND('B', "\0\0\0\0\0\1\0\0\0\3{1}\0\0");
    SEND('S', "");
    expect_in(received(&client), "C0A000|Mparameters of the type 1016");
    SEND('P', "\0SELECT $1\0\0\1\0\0\0\x14");
    SEND('B', "\0\0\0\0\0\1\0\0\0\3abc\0\0");
    SEND('S', "");
    expect_in(received(&client), "C22P02");
    SEND('B', "\0\0\0\0\0\0\0\0");
    SEND('S', "");
    expect_in(received(&client), "supplies 0 parameters, but the statement requires 1");
    SEND('P', "\0\0\0\0");
    SEND('B', "\0\0\0\0\0\0\0\0");
    SEND('D', "P\0");
    SEND('E', "\0\0\0\0\0");
    SEND('H', "");
    SEND('S', "");
    expect_received(&client, "1[] 2[] n[] I[] Z[I] ");
    SEND('P', "\0SET dither.epsilon = 3\0\0\0");
    SEND('B', "\0\0\0\0\0\0\0\0");
    SEND('D', "P\0");
    SEND('E', "\0\0\0\0\0");
    SEND('S', "");
    expect_received(&client, "1[] 2[] n[] C[SET|] Z[I] ");
    SEND('F', "\0\0\0\0");
    expect_in(received(&client), "function calls are not available");
    disconnect(&client);
}

static void there_is_a_limit_to_everything(void **state)
{
    (void)state;
    struct client client = signed_in();
    char parse[64];
    for (int i = 0; i <= SESSION_MOST_STATEMENTS; i++) {
        int length = snprintf(parse, sizeof parse, "s%d%cSELECT 1%c%c%c", i, 0, 0, 0, 0);
        send_message(&client, 'P', parse, (size_t)length);
    }
    SEND('S', "");
    expect_in(received(&client) + 256 * 4, "too many prepared statements");
    query(&client, "DEALLOCATE ALL");
    expect_received(&client, "C[DEALLOCATE ALL|] Z[I] ");
    /* a large answer goes out in pieces (see run) */
    rows_to_give = 50000;
    query(&client, "SELECT 1");
    assert_true(client.received.length > 1000000);
    buffer_free(&client.received);
    rows_to_give = 2;
    /* a question that is too long; ten thousand parameters */
    char *text = malloc(200000);
    assert_non_null(text);
    memset(text, ' ', 200000);
    memcpy(text, "SELECT 1", 8);
    text[199999] = '\0';
    query(&client, text);
    expect_in(received(&client), "C54000");
    int at = snprintf(text, 200000, "%cSELECT 1 IN ($1", 0);
    for (int i = 2; i <= 9000; i++)
        at += snprintf(text + at, 10, ",$%d", i);
    at += snprintf(text + at, 10, ")%c%c%c", 0, 0, 0);
    send_message(&client, 'P', text, (size_t)at);
    struct buffer bind;
    buffer_init(&bind, 1 << 20);
    buffer_append(&bind, "\0\0\0\0\x23\x28", 6);
    for (int i = 0; i < 9000; i++)
        buffer_append(&bind, "\0\0\0\1x", 5);
    buffer_append(&bind, "\0\0", 2);
    send_message(&client, 'B', bind.data, bind.length);
    buffer_free(&bind);
    SEND('S', "");
    expect_received(&client, "1[] 2[] Z[I] ");
    free(text);
    SEND('X', "");
    assert_int_equal(client.wants, SESSION_CLOSE);
    disconnect(&client);
}

static void what_waits_can_be_cancelled_and_an_idle_session_dismissed(void **state)
{
    (void)state;
    struct client client = signed_in();
    session_input(client.session, "Q\0\0\0\x0dSELECT 1\0", 14);
    assert_int_equal(session_step(client.session), SESSION_WORK);
    assert_false(session_is_idle(client.session));
    session_refuse(client.session, "interrupted; nothing was charged");
    run(&client);
    expect_in(received(&client), "C57014|Minterrupted; nothing was charged|] Z[I] ");
    expect_told("");
    assert_true(session_is_idle(client.session));
    session_dismiss(client.session);
    run(&client);
    assert_int_equal(client.wants, SESSION_CLOSE);
    expect_in(received(&client), "C57P01");
    disconnect(&client);
}

/* Every allocation of a conversation fails once: the client is told, or is let go; nothing is lost or leaks. */
static void no_memory_harms_nothing(void **state)
{
    (void)state;
    bool reached = true;
    for (uint64_t n = 1; reached && n < 400; n++) {
        struct client client = signed_in();
        memory_fail_at(n);
        session_input(client.session, "Q\0\0\0\x1aSHOW ALL; SET a.b = 1\0", 27);
        while ((client.wants = session_step(client.session)) == SESSION_FLUSH)
            session_written(client.session, session_output(client.session)->length);
        reached = memory_has_failed();
        memory_fail_at(0);
        assert_true(client.wants == SESSION_INPUT || client.wants == SESSION_CLOSE);
        disconnect(&client);
    }
    assert_false(reached);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_client_starts_up_and_signs_in),
        cmocka_unit_test(a_wrong_name_and_a_wrong_password_are_refused_alike),
        cmocka_unit_test(nothing_is_answered_before_the_sign_in),
        cmocka_unit_test(databases_options_and_versions),
        cmocka_unit_test(tls_is_asked_for_and_nothing_slips_in_before_it),
        cmocka_unit_test(a_cancel_request_is_passed_on_and_not_answered),
        cmocka_unit_test(a_query_is_answered_with_its_cost),
        cmocka_unit_test(errors_have_a_code_a_place_and_a_hint),
        cmocka_unit_test(positions_count_characters_of_the_whole_text),
        cmocka_unit_test(explain_and_show),
        cmocka_unit_test(the_owner_is_not_an_analyst),
        cmocka_unit_test(transactions_are_nothing_but_remembered),
        cmocka_unit_test(settings_are_set_told_and_reset),
        cmocka_unit_test(a_prepared_question_is_bound_and_asked),
        cmocka_unit_test(results_are_binary_where_that_is_asked_for),
        cmocka_unit_test(a_portal_gives_its_rows_in_portions_and_asks_once),
        cmocka_unit_test(after_an_error_all_is_skipped_until_sync),
        cmocka_unit_test(there_is_a_limit_to_everything),
        cmocka_unit_test(what_waits_can_be_cancelled_and_an_idle_session_dismissed),
        cmocka_unit_test(no_memory_harms_nothing),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
