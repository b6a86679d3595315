/* http_api.h - the HTTP side of `dither serve`: what can be asked at which path.
 *
 *     POST /v1/ask           a question, answered                  analyst
 *     POST /v1/explain       what it would cost, spending nothing  analyst
 *     GET  /v1/schema        tables and columns, by the policy     analyst
 *     GET  /v1/budget        caps, and what is left                analyst; owner: everybody's
 *     GET  /v1/history       questions and what they cost          analyst: his own; owner: all
 *     GET  /metrics          for Prometheus                        owner
 *     GET  /healthz          whether it is there                   anybody
 *     GET  /v1/openapi.json  all of this, for programs             anybody
 *
 * Whoever asks shows a bearer token of the users file. Everything that needs a curator is a job (work.h), but for a question that was
 * answered before; a client that hangs up cancels his. An `Idempotency-Key` is the ledger's request id: asked again with it, the same question gets the stored
 * answer and costs nothing. */
#ifndef SERVE_HTTP_API_H
#define SERVE_HTTP_API_H

#include "serve/http.h"
#include "serve/journal.h"
#include "serve/tick.h"
#include "serve/tries.h"
#include "serve/work.h"

struct http_api;

struct http_api_options {
    struct socket_place place;
    const char *certificate, *key; /* PEM files; NULL: no TLS */
    size_t connections;            /* 0: HTTP_CONNECTIONS */
    const char *users_path;
    struct work *work;
    struct journal *journal;
    struct tries *tries; /* may be NULL */
    struct tick *tick;   /* for the policy's step; NULL: answers leave at once */
    /* Has curator_recall asked, from any thread, of the curator that there is now; may be NULL: then each is a job. */
    status (*recall)(void *context, const struct curator_question *question, struct curator_answer **out,
                     error *why);
    /* What else is open, for /metrics; may be NULL. */
    size_t (*wire_connections)(void *context);
    void *context;
};

/* The texts and objects of the options stay with the caller, and outlive it. */
status http_api_open(const struct http_api_options *options, struct http_api **out, error *why) MUST_CHECK;
/* The daemon, for its port, its load and its end. Before http_api_close work_stop and tick_stop have given all jobs
 * back. */
struct http *http_api_daemon(struct http_api *api);
void http_api_close(struct http_api *api);

/* The table, for the document and for tests. */
const struct http_route *http_api_routes(size_t *count);

#endif
