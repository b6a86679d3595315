/* listen.h - the server: sockets in, sessions, a pool of curators.
 *
 * One thread waits for all sockets (epoll) and runs the sessions, which never block; a few threads, each with a curator of
 * its own, ask, from a queue that holds at most one question of each connection. A connection that waits for its
 * answer is not read from; one that does not read its answer holds 64 KB of it and no more. Who has not signed in after
 * a minute is let go, as is who reads nothing for a minute.
 *
 * HTTP (http_api.h) has threads of its own; its questions go through the same queue.
 *
 * SIGHUP: the log of questions is opened anew, certificate and policy are read again (reload.h); what cannot be read stays as it
 * was, and stderr says so.
 *
 * SIGTERM and SIGINT end it: nobody new comes in, who is idle is told, answers that are under way are finished, for half a
 * minute at most; a second signal ends it at once, and what was charged stays in the ledger. */
#ifndef SERVE_LISTEN_H
#define SERVE_LISTEN_H

#include "curator/curator.h"
#include "serve/journal.h"

/* Where clients may come. */
struct serve_ready {
    const char *address;
    uint16_t port, http_port; /* http_port 0: there is no HTTP */
};

struct serve_options {
    const char *host;              /* an address; without TLS a loopback one */
    uint16_t port, http_port;      /* 0: any that is free */
    bool no_http;                  /* the PostgreSQL protocol only */
    const char *certificate, *key; /* PEM; NULL: no TLS */
    size_t connections;            /* at most, of either protocol; 0: 1000 */
    size_t workers; /* questions under way at a time, at most POOL_MOST; 0: as many as suit the machine */
    struct journal_options journal;
    /* `dither`, whose processes run what analysts wrote (catalogue.h). NULL: this process does. */
    const char *program;
    /* Called once, when clients may come. */
    void (*ready)(void *context, const struct serve_ready *ready);
    /* Opens the policy anew, on SIGHUP; NULL: that changes nothing but certificate and log. */
    status (*reopen)(void *context, struct curator **out, error *why);
    void *context;
};

/* Before any thread is started: the signals that end the server go to nobody but serve_run. */
void serve_block_signals(void);

/* Runs until a signal comes. The curator is the server's from here on, which lets others join it and closes all. */
status serve_run(struct curator *curator, const char *users_path, const struct serve_options *options,
                 error *why) MUST_CHECK;

#endif
