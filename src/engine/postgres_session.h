/* postgres_session.h - one connection to a PostgreSQL server, as Dither wants it.
 *
 * A session is read-only, sees pg_catalog and nothing else without naming its schema, writes dates and numbers in one
 * form, and ends a statement that runs for too long. What the server says is kept in `complaint`: it may hold private
 * values, and is for the owner alone; what goes to `why` is ours. */
#ifndef ENGINE_POSTGRES_SESSION_H
#define ENGINE_POSTGRES_SESSION_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include <libpq-fe.h>

#include "base/buffer.h"

struct postgres_session {
    const char *place; /* the connection string; never in a message: it may hold a password */
    PGconn *connection;
    PGcancel *cancel; /* for other threads, under the lock */
    pthread_mutex_t lock;
    atomic_bool stopped; /* an interrupt came since the question began */
    struct buffer complaint;
};

enum { POSTGRES_OLDEST = 130000 };

/* Connects. The search path is still the owner's: postgres_session_fix ends that. On failure there is nothing to
 * close. */
status postgres_session_open(struct postgres_session *session, const char *place, error *why) MUST_CHECK;
void postgres_session_close(struct postgres_session *session);
status postgres_session_fix(struct postgres_session *session, error *why) MUST_CHECK;

/* Whether the connection is gone. */
bool postgres_session_is_lost(const struct postgres_session *session);
/* A new connection in place of the lost one, fixed. */
status postgres_session_reopen(struct postgres_session *session, error *why) MUST_CHECK;

/* From any thread. */
void postgres_session_interrupt(struct postgres_session *session);

/* Runs one statement, with parameters as text; the result is text, and the caller's to clear. `out` may be NULL. On
 * failure: DITHER_IO, "PostgreSQL failed while DOING", and a complaint. */
status postgres_session_ask(struct postgres_session *session, const char *sql, const char *const *values,
                            size_t count, const char *doing, PGresult **out, error *why) MUST_CHECK;

/* Remembers what went wrong, in place of what was remembered; NULL: nothing. */
void postgres_session_complain(struct postgres_session *session, const char *text);

#endif
