/* history.h - what a ledger holds, for owners and auditors: read and checked, never changed.
 *
 * Nothing here needs the policy: the ledger has it. Decimals are printed exactly. */
#ifndef LEDGER_HISTORY_H
#define LEDGER_HISTORY_H

#include "ledger/handle.h"
#include "ledger/state_json.h"

struct history;

/* Reads the chain as it is at one moment, and checks it and its anchor. `dataset` is needed only where a
 * PostgreSQL database holds several ledgers. `state_directory` as in ledger_options. */
status history_open(const char *location, const char *dataset, const char *state_directory,
                    struct history **out, error *why) MUST_CHECK;
void history_close(struct history *history);

const struct state *history_state(const struct history *history);

/* For the files that print it. */
struct store *history_store(struct history *history);

/* As state_json.h has them. */
struct history_sum history_sum(const struct history *history, size_t holder);

struct history_sum history_block(const struct history *history, size_t block);

const char *history_block_name(const struct history *history, size_t block);

/* The text of the question behind a reservation. */
status history_question(struct history *history, const struct reservation_record *record, struct buffer *out,
                        error *why) MUST_CHECK;

/* One JSON object: limits, spent, left, lifetime per dataset, block, analyst, group, and the last questions.
 */
status history_json(struct history *history, size_t questions, struct buffer *out, error *why) MUST_CHECK;

/* One line for each entry, and for each release of a reservation: with a header line, as base/csv.h writes
 * it. */
status history_csv(struct history *history, struct buffer *out, error *why) MUST_CHECK;

/* "2026-11-15T20:38:21Z" */
enum { HISTORY_TIME_TEXT = 32 };
void history_time(uint64_t wall, char text[HISTORY_TIME_TEXT]);

/* Whether the ledger is what was written: every hash, every rule, every stored text and answer, and the
 * anchor. */
struct history_verdict {
    bool sound;
    bool anchored;    /* this account has an anchor of the ledger */
    uint64_t entries; /* that are sound */
    uint64_t broken;  /* the first that is not; 0 */
    char reason[450];
    char hash[DIGEST_TEXT]; /* of the last sound entry */
};

/* A broken chain is a verdict and no failure; a file that cannot be read is a failure. */
status history_verify(const char *location, const char *dataset, const char *state_directory,
                      struct history_verdict *out, error *why) MUST_CHECK;

#endif
