/* reload.h - another policy while the server runs: a new curator is opened beside the old one, and then takes its place.
 *
 *     SIGHUP       reload_begin: a thread opens the new curator, its pool and its catalogue. Meanwhile the old ones answer
 *     it is open   the thread that waits for sockets puts them in place of the old ones (reload_step), and the thread has
 *                  every worker change over between two jobs
 *     all have     the old ones are closed
 *
 * Sessions and connections stay. What cannot be opened is said on stderr, and the old policy stays; so it does when the
 * dataset has another name: that is another ledger, and needs another server. What was spent is the ledger's, and no
 * policy makes it less. From the moment that the new limits are in the ledger until a worker has changed over, what it asks
 * of the old ones is refused with the advice to ask again, and not charged. */
#ifndef SERVE_RELOAD_H
#define SERVE_RELOAD_H

#include <pthread.h>
#include <stdatomic.h>

#include "serve/catalogue.h"
#include "serve/pool.h"

struct server;

enum reload_stage {
    RELOAD_OPENING,
    RELOAD_OPENED,  /* the fresh ones wait to be put in place */
    RELOAD_CHANGED, /* they are in place; the old ones are here */
    RELOAD_DONE,
    RELOAD_FAILED,
};

struct reload {
    bool running, again; /* again: another signal came meanwhile */
    atomic_bool quit;    /* the server ends */
    _Atomic(enum reload_stage) stage;
    pthread_t thread;
    struct pool pool; /* fresh, then old; its first curator too */
    struct catalogue *catalogue;
    error why;
};

void reload_begin(struct server *server);
/* Goes on when the thread has got somewhere. */
void reload_step(struct server *server);
/* Before the workers are stopped; what is left in `reload` is closed by reload_close afterwards. */
void reload_quit(struct server *server);
void reload_close(struct server *server);

#endif
