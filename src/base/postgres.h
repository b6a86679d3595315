/* postgres.h - the few steps that everybody who speaks to a PostgreSQL server shares.
 *
 * Messages repeat what the server said. That is right for the owner, whose server it is; whoever sends
 * statements that touch private rows must replace the message before an analyst sees it. */
#ifndef BASE_POSTGRES_H
#define BASE_POSTGRES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libpq-fe.h>

#include "base/status.h"

/* A parameter of a statement: $1, $2, ... `binary` as the type's binary form (bytea: the bytes themselves),
 * else text. */
struct postgres_value {
    const void *data;
    size_t size; /* of binary data */
    bool binary;
};

/* Connects, with client encoding UTF-8 and no notices on stderr. Close with PQfinish. */
status postgres_connect(const char *connection, PGconn **out, error *why) MUST_CHECK;

/* Runs one or more statements without parameters whose rows nobody wants. */
status postgres_run(PGconn *connection, const char *sql, error *why) MUST_CHECK;

/* Runs one statement; the result, in binary, is cleared with PQclear. */
status postgres_query(PGconn *connection, const char *sql, const struct postgres_value *values, size_t count,
                      PGresult **out, error *why) MUST_CHECK;

/* Says what the server said: DITHER_REFUSED when a lock was waited for too long, else DITHER_IO. `result` may
 * be NULL. */
status postgres_complain(PGconn *connection, const PGresult *result, error *why);

/* An int8 or a text of the result, which must be there and not NULL. */
int64_t postgres_int8(const PGresult *result, int row, int column);

#endif
