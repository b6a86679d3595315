/* server.h - what the files of the server share: listen.c waits, connection.c moves bytes; work.h asks. */
#ifndef SERVE_SERVER_H
#define SERVE_SERVER_H

#include <pthread.h>
#include <stdatomic.h>

#include "serve/http_api.h"
#include "serve/listen.h"
#include "serve/pool.h"
#include "serve/reload.h"
#include "serve/session.h"
#include "serve/tick.h"
#include "serve/tls.h"
#include "serve/users_watch.h"
#include "serve/work.h"

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
    struct connection *finished;        /* the next one whose work is done */
    int socket;
    bool watched;    /* the socket is in epoll */
    bool drained;    /* all that had come was read */
    uint32_t events; /* for what */
    SSL *tls;        /* NULL: plain */
    bool handshaking;
    bool working;                  /* the session belongs to a worker */
    bool asking, recalled;         /* it is in a round of questions; it got its answer there */
    struct connection *asked_next; /* in the round */
    struct work_job job;
    struct tick_wait held; /* its answer, until the clock ticks */
    int64_t asked;         /* milliseconds: when the work began */
    uint64_t step;         /* of the clock; 0: the answer leaves at once */
    struct session *session;
    int64_t begun, moved; /* seconds: accepted; last byte */
    bool ended;           /* it is in the list below, and must not be touched */
};

/* Those whose work is done, from the workers' threads to the one that waits. */
struct finished {
    pthread_mutex_t lock;
    struct connection *first, *last;
    int notify; /* an eventfd that says that there is one */
};

struct server {
    struct session_host host;
    struct pool pool; /* with its first curator; changed by the thread that waits for sockets alone */
    pthread_mutex_t pool_lock; /* for the others, and to change it */
    struct reload reload;
    const struct serve_options *options;
    char dataset[LEDGER_NAME_BYTES + 1];
    struct work *work;
    struct finished finished;
    SSL_CTX *tls;
    const char *users_path;
    struct users_watch users;
    struct journal *journal;
    struct tries *tries;
    struct tick *tick;
    struct http_api *api; /* NULL: there is no HTTP */
    int listener, epoll, signals;
    struct connection *connections, *ended;  /* ended: freed when no event that was reported can be theirs */
    struct connection *asking, *last_asking; /* the round of questions, in the order in which they came */
    atomic_size_t count;
    size_t most;
    uint32_t next_process;
    bool stopping, listening;
    int64_t stop_at;
};

/* Seconds of a clock that only goes forward. */
int64_t server_now(void);

/* ---- connection.c ---- */

status connection_new(struct server *server, int socket, error *why) MUST_CHECK;
/* As far as it goes without waiting; it may be gone afterwards. */
void connection_drive(struct connection *connection);
/* Answers one question of each who has asked: at once those that were answered before, the others by the workers. To be called
 * when all that could be read is read; until then they wait. */
void connection_answer_round(struct server *server);
/* The next one whose work is done; NULL: none. */
struct connection *connection_take_finished(struct server *server);
/* Its memory stays until connection_bury, for events that were reported with the one that ended it. */
void connection_free(struct connection *connection);
void connection_bury(struct server *server);

#endif
