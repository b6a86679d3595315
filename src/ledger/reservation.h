/* reservation.h - what ledger_reserve gives out, seen from inside. */
#ifndef LEDGER_RESERVATION_H
#define LEDGER_RESERVATION_H

#include "ledger/handle.h"
#include "ledger/json_text.h"

struct reserved_release {
    enum entry_payer payer;
    struct digest digest; /* of the stored result */
    struct buffer result; /* empty when the release must be drawn */
};

struct ledger_reservation {
    size_t size;     /* of this object */
    uint64_t number; /* of its entry; 0 for a retry */
    bool retried, settled;
    bool late;            /* another question settled one of its releases first */
    struct buffer answer; /* of a retry */
    struct ledger_cost cost;
    size_t holder; /* who asked */
    struct ledger_cost left;
    struct arena arena;
    size_t release_count;
    struct reserved_release releases[];
};

/* The holder of the analyst, who must be named in the policy and not be stopped. */
status reserve_find_asker(const struct state *state, const char *analyst, size_t *out, error *why) MUST_CHECK;

/* owner.c: what ledger_may_show asks of a state that is known to be all that there is. */
status owner_may_show(struct ledger *ledger, const char *analyst, struct ledger_cost *left,
                      error *why) MUST_CHECK;

#endif
