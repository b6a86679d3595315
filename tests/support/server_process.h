/* server_process.h - a server in a process of its own, on a small hospital whose noise is nothing much, for tests that load,
 * stop and kill it. The test itself opens no engine, so that it may fork. */
#ifndef TESTS_SUPPORT_SERVER_PROCESS_H
#define TESTS_SUPPORT_SERVER_PROCESS_H

#include <libpq-fe.h>
#include <sys/types.h>

#include "tests/support/small_hospital.h"

struct server_process {
    struct small_hospital hospital;
    char state[100]; /* of the ledger's anchor */
    pid_t process;
    int port; /* the same after each start */
};

/* The files; alice may come in, with the password pencil. No server yet. */
void server_process_make(struct server_process *server);
void server_process_remove(struct server_process *server);

void server_process_start(struct server_process *server, size_t connections);
/* Gracefully; fails the test unless it ends with 0. */
void server_process_stop(struct server_process *server);
void server_process_kill(struct server_process *server);

/* NULL: it cannot be connected to now. */
PGconn *server_process_connect(const struct server_process *server);

#endif
