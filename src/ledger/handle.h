/* handle.h - an open ledger, and the one way in which its files change it. Between begin and end there is one thread:
 * batch.h sees to it.
 *
 *     ledger_begin   locks the store, reads what others have added, looks at the anchor and the clock, renews
 *                    in time
 *     ledger_append  adds one entry, which the state must accept
 *     ledger_end     commits and moves the anchor when something was added; otherwise lets go
 *
 * Whatever fails between begin and end leaves the handle spent: what it knows may not be what is on disk. */
#ifndef LEDGER_HANDLE_H
#define LEDGER_HANDLE_H

#include <stdatomic.h>
#include <sys/types.h>

#include "ledger/anchor.h"
#include "ledger/batch.h"
#include "ledger/look.h"

/* The last entry that is known to be on disk. */
struct confirmed {
    uint64_t number;
    struct digest hash;
};

struct ledger {
    struct batch batch;
    struct store *store;
    struct look *look;          /* under the lock of the state; may be NULL */
    pthread_mutex_t state_lock; /* from begin until just before the commit; look.c reads under it */
    struct state state;
    struct confirmed confirmed;
    bool loosens; /* what was appended since begin may allow more than what is on disk */
    struct arena arena;
    const struct ledger_clock *clock;
    const char *folder; /* of anchors */
    struct anchor_mark anchored;
    struct buffer config_text; /* the configuration that this handle was opened with */
    uint64_t policy_number;    /* the last policy entry that was found to be the same */
    pid_t process;
    atomic_bool failed;
    bool changed; /* something was appended since begin */
    struct instant now;
};

/* Fails for a handle that is spent or was inherited by a forked child. */
status ledger_usable(const struct ledger *ledger, error *why) MUST_CHECK;

bool ledger_has_failed(const struct ledger *ledger);

status ledger_begin(struct ledger *ledger, error *why) MUST_CHECK;
status ledger_append(struct ledger *ledger, struct entry *entry, error *why) MUST_CHECK;

/* Ends the transaction with the caller's result: on DITHER_OK and on a refusal what was appended is
 * committed, on anything else the handle is spent. Returns the first failure. */
status ledger_end(struct ledger *ledger, status result, error *why) MUST_CHECK;

/* Has the state looked at as it is now, with what others have added; nobody adds meanwhile. `look` changes nothing, and may
 * read texts with ledger_get. owner.c. */
status ledger_look(struct ledger *ledger, batch_work *look, void *context, error *why) MUST_CHECK;

/* DITHER_REFUSED when another process has put another policy in force since this handle was opened. */
status ledger_check_policy(struct ledger *ledger, error *why) MUST_CHECK;

/* Stores bytes under their digest. */
status ledger_put(struct ledger *ledger, const void *bytes, size_t size, struct digest *name,
                  error *why) MUST_CHECK;

/* Reads a blob; one that is gone, or is not what its name says, is a failure. */
status ledger_get(struct ledger *ledger, const struct digest *name, struct buffer *out,
                  error *why) MUST_CHECK;
status store_get_checked(struct store *store, const struct digest *name, struct buffer *out,
                         error *why) MUST_CHECK;

/* Checks what the owner declared, before any of it is written. config.c. */
status config_check(const struct ledger_config *config, error *why) MUST_CHECK;

/* Valid UTF-8 of 1 to `most` bytes. */
status config_check_text(const char *what, const char *text, size_t most, error *why) MUST_CHECK;

/* Reads the whole chain into an empty state, checking it and its anchor. `anchored` says whether there is
 * one. load.c. */
status ledger_load(struct store *store, const char *folder, struct state *state, bool *anchored,
                   error *why) MUST_CHECK;

#endif
