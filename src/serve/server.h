/* server.h - what the files of the server share: listen.c waits, connection.c moves bytes, work.c asks. */
#ifndef SERVE_SERVER_H
#define SERVE_SERVER_H

#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>

#include "serve/listen.h"
#include "serve/session.h"
#include "serve/tls.h"

enum {
    SIGN_IN_SECONDS = 60,
    STALLED_SECONDS = 60,
    SHUTDOWN_SECONDS = 30,
    DEFAULT_CONNECTIONS = 1000,
};

struct server;

struct connection {
    struct server *server;
    struct connection *next, *previous; /* all of them */
    struct connection *waiting;         /* the next in a queue */
    int socket;
    bool watched;    /* the socket is in epoll */
    uint32_t events; /* for what */
    SSL *tls;        /* NULL: plain */
    bool handshaking;
    bool working; /* the session belongs to the worker */
    struct session *session;
    int64_t begun, moved; /* seconds: accepted; last byte */
};

/* First in, first out. */
struct queue {
    struct connection *first, *last;
};

/* One thread that asks the curator. */
struct worker {
    pthread_t thread;
    bool started;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    struct queue jobs, done;
    struct connection *current;
    struct curator *curator;
    bool stop;
    int notify; /* an eventfd that says that something is done */
};

struct server {
    struct session_host host;
    struct worker worker;
    SSL_CTX *tls;
    const char *users_path;
    struct users *users;
    struct stat users_facts;
    int listener, epoll, signals;
    struct connection *connections;
    size_t count, most;
    uint32_t next_process;
    bool stopping, listening;
    int64_t stop_at;
};

/* Seconds of a clock that only goes forward. */
int64_t server_now(void);

/* ---- work.c ---- */

status worker_start(struct worker *worker, struct curator *curator, error *why) MUST_CHECK;
/* Waits for what is under way, which is interrupted. */
void worker_stop(struct worker *worker);
void worker_add(struct worker *worker, struct connection *connection);
/* The next one whose work is done; NULL: none. */
struct connection *worker_take_done(struct worker *worker);
/* Stops the connection's question, whether it waits or runs. */
void worker_cancel(struct worker *worker, struct connection *connection);

/* ---- connection.c ---- */

status connection_new(struct server *server, int socket, error *why) MUST_CHECK;
/* As far as it goes without waiting; it may be gone afterwards. */
void connection_drive(struct connection *connection);
void connection_free(struct connection *connection);

#endif
