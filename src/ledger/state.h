/* state.h - what the chain adds up to.
 *
 * The state is a function of the entries and of nothing else. `state_apply` checks each entry against the
 * state before it: the hash, the number, and the rules (a charge within every limit that was in force, a
 * renewal whose time was witnessed, a settlement of an open reservation ...). So opening a ledger is also
 * auditing it: a chain that was forged with correct hashes but spends more than allowed is found too. */
#ifndef LEDGER_STATE_H
#define LEDGER_STATE_H

#include "ledger/entry.h"
#include "ledger/index.h"
#include "ledger/spending.h"
#include "ledger/store.h"

enum holder_kind {
    HOLDER_DATASET,
    HOLDER_OWNER,
    HOLDER_ANALYST,
    HOLDER_GROUP,
};

enum { HOLDER_DATASET_PLACE = 0, HOLDER_OWNER_PLACE = 1 }; /* the first two of state.holders */

struct holder {
    enum holder_kind kind;
    const char *name;         /* NULL for dataset and owner */
    size_t place;             /* in the configuration's analysts or groups; SIZE_MAX: no longer named there */
    struct spending spending; /* empty until something is spent */
    const char *stopped;      /* the reason, or NULL */
};

struct reservation_record {
    uint64_t number; /* of its entry */
    uint64_t wall;
    size_t holder; /* who asked */
    const char *request;
    struct digest question, settings;
    struct ledger_cost cost; /* to the analyst, on the block that costs most */
    struct digest *releases;
    enum entry_payer *payers;
    size_t release_count;
    bool settled;
    struct digest answer;
};

struct state {
    struct arena arena; /* names, records, the configuration */
    uint64_t number;    /* of the last entry; 0: there is none */
    struct digest hash;
    char id[ENTRY_ID_TEXT];

    bool configured;
    struct ledger_config config;                     /* in force */
    uint64_t policy_number;                          /* the entry that put it in force */
    size_t block_count;                              /* with rest */
    struct ledger_cost *bill_dataset, *bill_analyst; /* scratch: what a question charges, block by block */

    struct witness witness;
    uint64_t window, window_start; /* witnessed nanoseconds when it began */

    struct holder *holders;
    size_t holder_count, holder_capacity;
    struct index holder_index;

    struct reservation_record *reservations;
    size_t reservation_count, reservation_capacity;
    struct index requests; /* request id -> reservation */

    struct digest *results;
    size_t result_count, result_capacity;
    struct index stored; /* release -> the first result that was settled */
    struct index seen;   /* analyst and release -> the result that he was shown */
};

void state_init(struct state *state);
void state_free(struct state *state);

/* Takes the next row of the chain. DITHER_REFUSED: it does not follow, and the message says why; the state
 * must not be used further then, nor after any other failure. */
status state_apply(struct state *state, const struct store_row *row, error *why) MUST_CHECK;

/* The holder, or SIZE_MAX. */
status state_find_holder(const struct state *state, enum holder_kind kind, const char *name, size_t *out,
                         error *why) MUST_CHECK;

/* The same, made when it is not there. */
status state_make_holder(struct state *state, enum holder_kind kind, const char *name, size_t *out,
                         error *why) MUST_CHECK;

/* The reservation of this entry, or NULL. */
struct reservation_record *state_find_reservation(const struct state *state, uint64_t number);

/* Where a release stands for this holder: its payer, and, unless it must be drawn, its stored result. */
status state_find_result(const struct state *state, size_t holder, const struct digest *release,
                         enum entry_payer *payer, struct digest *result, error *why) MUST_CHECK;

/* The reservation made under a request id, or NULL. */
status state_find_request(const struct state *state, const char *request, struct reservation_record **out,
                          error *why) MUST_CHECK;

/* The length of a window in witnessed nanoseconds; 0: never renewed. */
uint64_t state_window_length(enum ledger_renewal renewal);

/* Makes room for one more element; `items` may move. */
status state_room(void **items, size_t *capacity, size_t count, size_t size, error *why) MUST_CHECK;

/* ---- The rules, each in a file of its own ---- */

/* policy.c: may this configuration follow the one in force? And what it does to the spending. */
status policy_check(const struct state *state, const struct entry *entry, error *why) MUST_CHECK;
status policy_apply(struct state *state, const struct entry *entry, error *why) MUST_CHECK;

/* bill.c: what the reservation charges, into state->bill_*; then whether it fits everybody's limits. */
status bill_compute(struct state *state, const struct entry *entry, size_t holder, error *why) MUST_CHECK;
status bill_check(const struct state *state, size_t holder, error *why) MUST_CHECK;
status bill_apply(struct state *state, size_t holder, error *why) MUST_CHECK;
struct ledger_cost bill_cost(const struct state *state);

/* The limit that the policy sets for a holder; zero for one that it no longer names. */
struct ledger_cost bill_limit(const struct state *state, size_t holder);

/* What is left for this holder on the blocks marked in `touched` (NULL: all): limit by limit, the least. */
struct ledger_cost bill_left(const struct state *state, size_t holder, const bool *touched);

/* question.c: reservations and settlements. */
status question_reserve(struct state *state, const struct entry *entry, error *why) MUST_CHECK;
status question_settle(struct state *state, const struct entry *entry, error *why) MUST_CHECK;

#endif
