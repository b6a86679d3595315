/* anchor.h - what a ledger was seen to hold, kept apart from it.
 *
 * The chain shows an edited entry; it cannot show that the last entries, or all of them, are gone. So
 * whoever writes to a ledger notes its last hash and totals in a small file of his own, in
 * $XDG_STATE_HOME/dither (by default ~/.local/state/dither), one for each ledger, named by the ledger's
 * random id.
 *
 * The rule. Let A be the number of the anchor's entry and L that of the ledger's last one.
 *  - The anchor is written after the entry is durable and before the caller is told so. Hence A <= L
 *    always, and A < L only for entries whose writer died (or is still) between the two steps, lost its
 *    power just then, or wrote under another account. Such entries are spent like all others; the next
 *    writer moves the anchor past them. That is the whole recovery.
 *  - Several writers move it under a lock, forward only.
 *  - Opening refuses a ledger with L < A (it was shortened, or an old copy was put back), and one whose
 *    entry A has another hash (it was rewritten), and an absent or empty ledger for whose place and
 *    dataset there is an anchor (deleting a file does not refill a budget). A ledger without an anchor,
 *    from another machine or account, gets one.
 *  - Every transaction looks again, under the ledger's lock, where A <= L must hold: two handles on two copies
 *    of a ledger would each spend the whole budget. The second to come finds the other's entry in the anchor
 *    and is refused.
 *  - A failure to write it is a failure of the ledger: the charge stays, and no answer leaves. */
#ifndef LEDGER_ANCHOR_H
#define LEDGER_ANCHOR_H

#include "ledger/state.h"

struct anchor {
    char id[ENTRY_ID_TEXT];
    const char *dataset, *location; /* in the arena */
    uint64_t number;
    struct digest hash;
    struct ledger_cost spent; /* over the lifetime, on the block that lost most */
};

/* The folder of anchors: the given one, or the default of this account. `out` lies in the arena. */
status anchor_folder(const char *given, struct arena *arena, const char **out, error *why) MUST_CHECK;

/* The anchor of the ledger with this id; `found` is false when there is none. */
status anchor_read(const char *folder, const char *id, struct arena *arena, struct anchor *out, bool *found,
                   error *why) MUST_CHECK;

/* DITHER_REFUSED when some anchor says that there was a ledger of this dataset at this place; its id is not
 * `id`. */
status anchor_refuse_absent(const char *folder, const char *location, const char *dataset, const char *id,
                            error *why) MUST_CHECK;

/* The last anchor that was found to agree with the chain; zero bytes at first. */
struct anchor_mark {
    uint64_t number;
    struct digest hash;
};

/* Under the ledger's lock, the state being all that is there: DITHER_REFUSED when the anchor knows of entries
 * that are not in this chain. */
status anchor_check(const char *folder, struct store *store, const struct state *state,
                    struct anchor_mark *last, error *why) MUST_CHECK;

/* Moves the anchor forward to the state's last entry, and syncs it. An anchor that is further on is left
 * alone, except that a new location is noted. DITHER_REFUSED when it has the same number and another hash. */
status anchor_advance(const char *folder, const char *location, const struct state *state,
                      error *why) MUST_CHECK;

#endif
