/* scratch_postgres.h - a PostgreSQL server for one test: made in a folder under /tmp, on a free port of
 * the loopback, stopped and removed at the end. It syncs, as a real one does. Root starts it as the user
 * postgres. */
#ifndef TESTS_SUPPORT_SCRATCH_POSTGRES_H
#define TESTS_SUPPORT_SCRATCH_POSTGRES_H

#include <stdbool.h>
#include <sys/types.h>

struct scratch_postgres {
    char folder[64];
    char connection[120]; /* for libpq */
    int port;
    pid_t server;
};

/* Whether there is a server to start (Debian's place, /usr/lib/postgresql/15/bin). */
bool scratch_postgres_available(void);

/* Fails the test when the server does not come up. `settings` are further options such as "-c fsync=off", or
 * "". */
void scratch_postgres_start(struct scratch_postgres *scratch, const char *settings);
void scratch_postgres_stop(struct scratch_postgres *scratch);

/* As if the machine had lost power, for the server: SIGQUIT, no checkpoint; then it starts again and
 * recovers. */
void scratch_postgres_crash(struct scratch_postgres *scratch);

#endif
