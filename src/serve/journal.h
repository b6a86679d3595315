/* journal.h - the log of questions: one line of JSON for each, for the owner.
 *
 *     {"time": "2026-11-16T02:46:42Z", "via": "http", "who": "alice", "role": "analyst", "did": "ask",
 *      "question": "SELECT count(*) FROM patients", "outcome": "answered", "cost": {"epsilon": 0.1, "delta": 0},
 *      "seconds": 0.1}
 *
 * Who, when, what was asked (unless the owner wants no texts), what it cost and what came of it; never a value of an answer,
 * never what a data source said. Times are rounded up to a tenth of a second. The file is its owner's alone (0600), and is
 * opened anew by journal_reopen after somebody has moved it away. What cannot be written is lost, and stderr says so once:
 * the ledger, not this, is the record of what was spent.
 *
 * It also counts, for /metrics. May be used from any thread. */
#ifndef SERVE_JOURNAL_H
#define SERVE_JOURNAL_H

#include "curator/curator.h"
#include "serve/users.h"

struct journal;

enum journal_via { JOURNAL_WIRE, JOURNAL_HTTP };
enum journal_deed { JOURNAL_ASK, JOURNAL_EXPLAIN };
enum journal_outcome {
    JOURNAL_ANSWERED,
    JOURNAL_CACHED,      /* answered, and paid for before by the same asker */
    JOURNAL_REFUSED,     /* it may not be asked, or not any more */
    JOURNAL_FAILED,      /* the data source, the machine */
    JOURNAL_INTERRUPTED, /* by the asker, or by the server's end */
};
enum { JOURNAL_VIAS = 2, JOURNAL_DEEDS = 2, JOURNAL_OUTCOMES = 5 };

extern const char *const journal_via_names[JOURNAL_VIAS];
extern const char *const journal_deed_names[JOURNAL_DEEDS];
extern const char *const journal_outcome_names[JOURNAL_OUTCOMES];

struct journal_options {
    const char *path; /* NULL: nothing is written, only counted */
    bool no_text;     /* without the questions */
};

status journal_open(const struct journal_options *options, struct journal **out, error *why) MUST_CHECK;
void journal_close(struct journal *journal);
/* On failure the old file stays in use. */
status journal_reopen(struct journal *journal, error *why) MUST_CHECK;

struct journal_question {
    enum journal_via via;
    enum journal_deed deed;
    const char *who;
    enum serve_role role;
    const struct curator_question *question;
    status result;
    const error *why;                    /* where it failed; its code is written, not its text */
    const struct curator_answer *answer; /* of one that was answered; or NULL */
    int64_t milliseconds;
};
/* NULL for the journal: nothing. */
void journal_note(struct journal *journal, const struct journal_question *entry);
/* The same for several: their lines are added, and then written together. The caller flushes before any of the answers
 * leaves, so that no answer is ever without its line. */
void journal_add(struct journal *journal, const struct journal_question *entry);
void journal_flush(struct journal *journal);

struct journal_counts {
    uint64_t questions[JOURNAL_VIAS][JOURNAL_DEEDS][JOURNAL_OUTCOMES];
    uint64_t lost; /* lines that could not be written */
};
struct journal_counts journal_counts(struct journal *journal);

#endif
