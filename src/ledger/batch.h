/* batch.h - one transaction, one sync and one step of the anchor for all that several threads ask at the same moment.
 *
 * Whoever comes when nobody is at work leads: he takes everything that waits, his own work among it, and does it in the
 * order of arrival between ledger_begin and ledger_end. What arrives meanwhile waits, and goes into the next
 * transaction together: the first of those is told to lead it. Nobody is told anything before the commit and the anchor
 * of his batch are durable, and nobody is woken for anything else.
 *
 *  - Each work is checked against the state with all earlier ones in it, so that no limit is passed by two at once.
 *  - A work that is refused has appended nothing; the others of its batch do not notice.
 *  - A batch that fails to begin, to write or to commit fails for everybody in it, refusals too: they may have been
 *    refused for the sake of a charge that is not there. As everywhere, the handle is spent then. */
#ifndef LEDGER_BATCH_H
#define LEDGER_BATCH_H

#include <pthread.h>

#include "base/status.h"

struct ledger;
struct batch_act;

struct batch {
    pthread_mutex_t lock;
    struct batch_act *first, *last; /* waiting */
    size_t waiting;
    bool leading; /* somebody is at work, or was told to be */
    bool made;
};

status batch_init(struct batch *batch, error *why) MUST_CHECK;
void batch_free(struct batch *batch);

/* What is done under the ledger's lock. It appends and reads; it does not begin or end. May be run by another thread,
 * while the one that asked for it waits. */
typedef status batch_work(struct ledger *ledger, void *context, error *why);

status batch_do(struct ledger *ledger, batch_work *work, void *context, error *why) MUST_CHECK;

#endif
