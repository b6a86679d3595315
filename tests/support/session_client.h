/* session_client.h - a session over bytes, for tests: a client that is written here (messages by hand, SCRAM by RFC 5802),
 * and a backend that stands in for the curator, answers with rows 10, 20, 30 ... and tells what it was asked. */
#ifndef TESTS_SUPPORT_SESSION_CLIENT_H
#define TESTS_SUPPORT_SESSION_CLIENT_H

#include "tests/support/test.h"

#include "base/buffer.h"
#include "serve/session.h"
#include "serve/wire_write.h"

/* ---- The backend and the host ---- */

extern struct buffer backend_told;     /* the calls */
extern size_t backend_rows;            /* 2, unless a test says more */
extern const char *backend_fails_with; /* the next ask fails so */
extern int backend_fails_at;           /* a position */
extern uint32_t host_cancelled;        /* the process that was asked to stop */
extern struct session_host test_host;

/* Of a group of tests: alice and bob are analysts and olga is the owner; the password is pencil. */
int set_up_session(void **state);
int tear_down_session(void **state);

/* The calls since the last time; then they are forgotten. */
void expect_told(const char *wanted);
void expect_in(const char *text, const char *part);

/* ---- The client ---- */

struct client {
    struct session *session;
    struct buffer received; /* all bytes, until they are looked at */
    enum session_wants wants;
};

void client_connect(struct client *client);
void client_disconnect(struct client *client);
void client_start_up(struct client *client, uint32_t version, const char *parameters, size_t count);
#define STARTUP(text) client_start_up(&client, 196608, text, sizeof text)
/* SCRAM without channel binding. */
void client_sign_in(struct client *client, const char *password);
/* As alice. */
struct client client_signed_in(void);

/* Lets the session run until it wants input or the end; output is taken in pieces, as a slow reader would. */
void client_run(struct client *client);
/* In pieces of a few bytes, so that messages arrive broken. */
void client_send_bytes(struct client *client, const void *bytes, size_t count);
void client_send(struct client *client, char kind, const void *body, size_t count);
#define SEND(kind, text) client_send(&client, kind, text, sizeof text - 1)
void client_query(struct client *client, const char *text);

/* What was received, as text: a letter a message, with the texts and small numbers in it. Then it is forgotten. */
const char *client_received(struct client *client);
void client_expect(struct client *client, const char *wanted);

#define COST "N[SNOTICE|VNOTICE|C00000|Mcost epsilon 0.1; left epsilon 9.9|] "

#endif
