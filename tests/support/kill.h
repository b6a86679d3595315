/* kill.h - worker processes spend from one ledger as fast as they can and are killed (SIGKILL) one after
 * the other at random moments. A worker says through a pipe, in one write, what it was granted and which
 * answers it would have sent. At the end every answer that a client saw must be covered by a recorded and
 * settled charge and come back from a retry, the recorded sum must be that of the entries, no limit may be
 * passed, and no worker may have met an error of the ledger. */
#ifndef TESTS_SUPPORT_KILL_H
#define TESTS_SUPPORT_KILL_H

#include "tests/support/ledger.h"

/* `threads` of each worker share its handle: then its charges and answers are committed in batches. */
void kill_workers(struct ledger_fixture *fixture, int kills, int threads);

#endif
