/* audit_link.h - asking a server, as a client does.
 *
 * What answers state of their noise is not in PostgreSQL's protocol; EXPLAIN (FORMAT JSON) has it, which spends nothing. */
#ifndef ATTACK_AUDIT_LINK_H
#define ATTACK_AUDIT_LINK_H

#include "attack/audit_parts.h"
#include "base/postgres.h"

struct audit_link {
    PGconn *connection;
};

status audit_link_open(const char *where, struct audit_link *out, error *why) MUST_CHECK;
void audit_link_close(struct audit_link *link);

/* What EXPLAIN says. False in `answers`: the server refuses the question. */
struct audit_stated {
    bool answers, synthetic;
    bool hidden;               /* some keys are not public */
    struct audit_column noise; /* of the last column, where it is one measure's; else mechanism is "" */
};
status audit_link_explain(struct audit_link *link, const char *sql, struct audit_stated *out,
                          error *why) MUST_CHECK;

/* epsilon, or rho: as the server's budget has it. */
status audit_link_left(struct audit_link *link, bool *rho, struct decimal *out, error *why) MUST_CHECK;
status audit_link_amount(struct audit_link *link, bool rho, const char *amount, error *why) MUST_CHECK;

/* The rows as text, cleared with PQclear; NULL: refused, and the SQLSTATE says why. */
status audit_link_ask(struct audit_link *link, const char *sql, PGresult **out, char state[6],
                      error *why) MUST_CHECK;

#endif
