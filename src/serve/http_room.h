/* http_room.h - what the files of the HTTP side share.
 *
 *     http.c           the daemon: opening, a new certificate, the end
 *     http_watch.c     its clients: who hung up, who is too slow
 *     http_route.c     which route a request is for, and whether it may
 *     http_exchange.c  one request: its body, its reply */
#ifndef SERVE_HTTP_ROOM_H
#define SERVE_HTTP_ROOM_H

#include <microhttpd.h>
#include <pthread.h>
#include <stdatomic.h>

#include "serve/http.h"

enum {
    HTTP_HEADER_BYTES = 32 * 1024,
    HTTP_PEM_BYTES = 1 << 20,
    HTTP_MOST_HEADERS = 4, /* of a reply, beside the usual ones */
};

/* One libmicrohttpd daemon: the current one, or one before a new certificate, whose clients finish. */
struct http_daemon {
    struct http *http;
    struct http_daemon *next;
    struct MHD_Daemon *mhd;
    struct buffer certificate, key;
    size_t clients;
    bool stopped; /* accepts nobody any more */
};

/* What a connection is at. The time for it counts from `since`. */
enum http_phase { HTTP_READING, HTTP_WORKING, HTTP_ANSWERING };

struct http_client {
    struct http_client *next, *previous;
    struct http_daemon *daemon;
    uint64_t number;
    int socket;
    enum http_phase phase;
    int64_t since; /* milliseconds */
    struct http_exchange *waiting;
};

struct http {
    struct http_options options;
    int listener;
    int epoll, wake; /* of the watcher; `wake` ends it */
    pthread_t watcher;
    bool watching;
    atomic_bool stopping;
    pthread_mutex_t lock; /* for all that follows, and for clients and waiting exchanges */
    struct http_daemon *daemons;
    struct http_client *clients;
    uint64_t next_client;
    size_t client_count, exchange_count;
    uint64_t request_count;
};

struct http_reply {
    bool ready;
    int code;
    const char *type;
    struct buffer body;
    struct {
        const char *name, *value;
    } headers[HTTP_MOST_HEADERS];
    size_t header_count;
};

struct http_exchange {
    struct http *http;
    struct MHD_Connection *connection;
    struct http_client *client;
    const struct http_route *route; /* NULL: none */
    struct http_asker asker;
    int64_t begun;
    struct buffer body;
    bool handled;   /* the handler was called, or there is nothing to call */
    bool suspended; /* by http_wait; for the daemon's thread alone */
    bool queued;
    uint64_t dropped; /* bytes of a body that is refused */
    struct http_reply reply;
    /* Under the lock. */
    bool waiting; /* for its reply */
    bool going;   /* `gone` is being called: the one who calls it resumes */
    const struct http_waiter *waiter;
    void *work;
};

/* ---- http_watch.c ---- */

status watch_start(struct http *http, error *why) MUST_CHECK;
void watch_stop(struct http *http);
/* A connection begins and ends: MHD_NotifyConnectionCallback. The closure is the daemon. */
void watch_connection(void *context, struct MHD_Connection *connection, void **client,
                      enum MHD_ConnectionNotificationCode what);
void watch_phase(struct http_client *client, enum http_phase phase);
/* From here on a client who hangs up is noticed; until http_reply. Under the lock. */
void watch_begin_wait(struct http_exchange *exchange);
void watch_end_wait(struct http_exchange *exchange);

/* ---- http_route.c ---- */

/* Finds the route and the asker; a refusal is a reply. */
void route_find(struct http_exchange *exchange, const char *method, const char *path);

/* ---- http_exchange.c ---- */

/* MHD_AccessHandlerCallback, MHD_RequestCompletedCallback; the closure is the daemon. */
enum MHD_Result exchange_step(void *context, struct MHD_Connection *connection, const char *path,
                              const char *method, const char *version, const char *bytes, size_t *count,
                              void **place);
void exchange_end(void *context, struct MHD_Connection *connection, void **place,
                  enum MHD_RequestTerminationCode how);

/* http.c: stops daemons whose last client has gone. From the watcher. */
void http_sweep(struct http *http);

#endif
