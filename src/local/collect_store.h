/* collect_store.h - the collector's database: a SQLite file, and the few ways in which it is used.
 *
 *     state    one row: which survey, its version, the last period that is over
 *     survey   the file of every version that was collected
 *     question the key of every question of every version
 *     seen     period and retry id of what was counted, while the period is open
 *     pending  reports that are not yet folded, all of one question and period in a row
 *     kept     reports of texts, which are not counted before it is known what to count
 *     tally    the counters of a question and period, with their digest
 *     taken    how many reports of a question and period were counted, in tally and pending together
 *     refusal  how many reports had which verdict
 *
 * Write-ahead log, synced at every commit. A file is recognised by its application id. */
#ifndef LOCAL_COLLECT_STORE_H
#define LOCAL_COLLECT_STORE_H

#include <sqlite3.h>

#include "local/collect.h"

struct collect_store {
    sqlite3 *database;
    const char *path; /* borrowed */
    sqlite3_stmt *see;
    bool working; /* in a transaction */
};

enum collect_access { COLLECT_READ, COLLECT_WRITE };

/* On failure the store is closed. */
status collect_store_open(struct collect_store *store, const char *path, enum collect_access access,
                          error *why) MUST_CHECK;
void collect_store_close(struct collect_store *store);

/* Transactions; `begin` keeps out other writers, `view` sees one state. `cancel` after a failure, or when there is none. */
status collect_store_begin(struct collect_store *store, error *why) MUST_CHECK;
status collect_store_view(struct collect_store *store, error *why) MUST_CHECK;
status collect_store_commit(struct collect_store *store, error *why) MUST_CHECK;
void collect_store_cancel(struct collect_store *store);

/* A statement to be finalized by the caller, with up to four whole numbers as its parameters. */
status collect_store_prepare(struct collect_store *store, const char *sql, const int64_t *numbers, int count,
                             sqlite3_stmt **out, error *why) MUST_CHECK;

/* Runs a statement that returns nothing. */
status collect_store_run(struct collect_store *store, const char *sql, const int64_t *numbers, int count,
                         error *why) MUST_CHECK;

/* The first column of the first row; `found` false when there is no row (NULL counts as none). */
status collect_store_number(struct collect_store *store, const char *sql, const int64_t *numbers, int count,
                            int64_t *out, bool *found, error *why) MUST_CHECK;

/* What SQLite's last failure means. */
status collect_store_complain(const struct collect_store *store, error *why);

/* "is damaged: ..." */
status collect_store_damaged(const struct collect_store *store, const char *what, error *why);

/* Within a view: the counters of a question and period, and of what waits; added to the tally. */
status collect_store_load(struct collect_store *store, const struct survey_question *question, int32_t period,
                          struct local_tally *tally, error *why) MUST_CHECK;

/* Within a view: hands all reports of a text question and period to `visit`, which must find as many as were taken. */
status collect_store_replay(struct collect_store *store, const struct survey_question *question,
                            int32_t period, prefix_visit *visit, void *visitor, error *why) MUST_CHECK;

/* Within a transaction: counts all that waits, of questions of this survey. */
status collect_store_fold(struct collect_store *store, const struct survey *survey, error *why) MUST_CHECK;

/* The version that is collected now; `found` false when nothing was yet. Refuses another survey's database. */
status collect_store_named(struct collect_store *store, const struct survey *survey, int64_t *version,
                           bool *found, error *why) MUST_CHECK;

/* Whether the questions of the survey's version are those that the database has, key by key. */
status collect_store_knows(struct collect_store *store, const struct survey *survey, error *why) MUST_CHECK;

/* Within a transaction: makes the database this survey's, or finds that it is. */
status collect_store_agree(struct collect_store *store, const struct survey *survey, error *why) MUST_CHECK;

/* Whether the survey's version is still the one that is collected. */
status collect_store_current(struct collect_store *store, const struct survey *survey, error *why) MUST_CHECK;

#endif
