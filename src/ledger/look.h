/* look.h - a second pair of eyes on a ledger's file: which entry is the last on disk, read beside the transactions of
 * the store itself. Costs a few microseconds, and writes nothing. */
#ifndef LEDGER_LOOK_H
#define LEDGER_LOOK_H

#include "ledger/store.h"

struct look;

/* `out` is NULL for a store that has no such thing (PostgreSQL: there each look would be a journey). */
status look_open(const struct store *store, struct look **out, error *why) MUST_CHECK;
void look_close(struct look *look);

/* Of all that was committed when the call began, by whomever. False: it cannot be told now. */
bool look_last(struct look *look, uint64_t *number, struct digest *hash) MUST_CHECK;

#endif
