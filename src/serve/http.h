/* http.h - JSON over HTTP/1.1 for whoever has a table of routes: method x path -> handler, with the needed role.
 *
 *     static const struct http_route routes[] = {
 *         {.method = "GET", .path = "/healthz", .needed = ROLE_NOBODY, .handle = say_healthy},
 *         {.method = "POST", .path = "/v1/ask", .needed = ROLE_ANALYST, .body = true, .handle = ask},
 *     };
 *     TRY(http_open(&(struct http_options){.place = {"127.0.0.1", 8433}, .routes = routes, ...}, &http, why));
 *     ... http_begin_stop(http); until http_is_idle(http) ... http_close(http);
 *
 * libmicrohttpd reads and writes on one thread; handlers run there and never wait. A handler replies at once, or calls
 * http_wait and has somebody reply later, from any thread. Before a handler runs, the route was found (404, 405), the
 * caller is known and has the role (401, 403, 429), and the whole body is there and is declared to be JSON (413, 415); what
 * does not pass is answered without it.
 *
 * Everything is bounded: connections, headers (32 KB), bodies, the time in which a request must arrive (a minute, however
 * slowly its bytes drip), the time in which an answer must be taken (ten minutes). Every reply says that nobody may keep it,
 * frame it or guess its type; no cookie is set or read, and no other origin is let in (no CORS header is ever sent).
 * Errors are {"error": {"code", "message", "hint", "position"}}. */
#ifndef SERVE_HTTP_H
#define SERVE_HTTP_H

#include "base/buffer.h"
#include "serve/socket.h"
#include "serve/users.h"

enum {
    HTTP_BODY_BYTES = 1 << 20, /* the usual limit of a body */
    HTTP_REQUEST_SECONDS = 60, /* for a request to arrive, from the answer before it on */
    HTTP_ANSWER_SECONDS = 600, /* for an answer to be taken */
    HTTP_CONNECTIONS = 1000,
};

struct http;
struct http_exchange; /* one request and its reply */

struct http_asker {
    char name[USERS_NAME_BYTES + 1];
    enum serve_role role;
    char address[SOCKET_ADDRESS_TEXT];
};

/* What is known of a query's parameter, for routes and for the document that describes them. */
struct http_parameter {
    const char *name, *about;
    const char *schema; /* JSON schema */
};

struct http_route {
    const char *method; /* GET (which HEAD may use too) or POST */
    const char *path;
    enum serve_role needed; /* ROLE_NOBODY: no token is looked at */
    bool body;              /* JSON comes with it; else nothing may */
    void (*handle)(struct http_exchange *exchange);
    const struct http_parameter *parameters; /* of the query; others are refused */
    size_t parameter_count;
    const void *about; /* for the owner of the table */
};

enum http_entry {
    HTTP_COME_IN,
    HTTP_UNKNOWN,   /* 401 */
    HTTP_SLOW_DOWN, /* 429: too many tries from there */
};

/* How one exchange ended, for logs and counters. */
struct http_record {
    const struct http_route *route; /* NULL: none was found */
    const struct http_asker *asker;
    int code;      /* 0: the client was gone before */
    bool complete; /* all of the reply was sent */
    int64_t milliseconds;
};

struct http_options {
    struct socket_place place;
    const char *certificate, *key; /* PEM files; NULL: no TLS */
    size_t connections;            /* at most; 0: HTTP_CONNECTIONS */
    size_t body_bytes;             /* at most; 0: HTTP_BODY_BYTES */
    uint32_t request_seconds;      /* 0: HTTP_REQUEST_SECONDS */
    uint32_t answer_seconds;       /* 0: HTTP_ANSWER_SECONDS */
    const struct http_route *routes;
    size_t route_count;
    void *context;
    /* Whose token it is; fills name and role, the address is there. NULL: routes that need a role let nobody in. */
    enum http_entry (*sign_in)(void *context, const char *token, struct http_asker *asker);
    /* An exchange is over. May be NULL. On any of our threads. */
    void (*finished)(void *context, const struct http_record *record);
};

/* Listens and answers from here on. The options' texts, routes and context stay with the caller, and outlive it. */
status http_open(const struct http_options *options, struct http **out, error *why) MUST_CHECK;
uint16_t http_port(const struct http *http);

/* Reads certificate and key again: new connections get the new ones. On failure nothing has changed. */
status http_reload_certificate(struct http *http, error *why) MUST_CHECK;

/* Nobody new comes in, and whoever asks anew is told to go elsewhere; what is under way goes on. */
void http_begin_stop(struct http *http);
bool http_is_idle(struct http *http);
/* Ends all connections. Nobody may be left who will reply. */
void http_close(struct http *http);

struct http_load {
    size_t connections; /* open */
    size_t exchanges;   /* under way */
    uint64_t requests;  /* ever */
};
struct http_load http_load(struct http *http);

/* ---- For handlers ---- */

void *http_context(const struct http_exchange *exchange);
const struct http_asker *http_asker(const struct http_exchange *exchange);
const struct buffer *http_body(const struct http_exchange *exchange);
/* NULL: there is none. They live until the reply. */
const char *http_header(const struct http_exchange *exchange, const char *name);
const char *http_query(const struct http_exchange *exchange, const char *name);

/* A header of the reply to come, beside those that every reply has. Both texts are constants of the program. */
void http_add_header(struct http_exchange *exchange, const char *name, const char *value);

/* The reply, once: `body` is taken over and left empty. A body that failed becomes a 500. */
void http_reply(struct http_exchange *exchange, int code, const char *type, struct buffer *body);

struct http_error {
    int code;         /* of HTTP */
    const char *name; /* a word for programs: "unknown_column" */
    const char *message;
    const char *hint;  /* or NULL */
    int position;      /* in characters from 1; 0: none */
    const char *state; /* SQLSTATE, or NULL */
};
void http_refuse(struct http_exchange *exchange, const struct http_error *refusal);

/* Who works on a reply. */
struct http_waiter {
    /* The client has hung up (or closed its side of the connection): the work may stop, and the reply must still come. From
     * another thread, at most once, never after the reply. */
    void (*gone)(void *work);
    /* The exchange is over. */
    void (*release)(void *work);
};
/* The reply will come from elsewhere, on any thread, and must come. */
void http_wait(struct http_exchange *exchange, const struct http_waiter *waiter, void *work);

#endif
