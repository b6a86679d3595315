/* collect.h - the collector: reports of a survey in, counted once each, and never lost once that was said.
 *
 * A report is looked at strictly (collect_verdict says what can be wrong with it), put into a batch, and the batch is written
 * to the survey's database in one transaction that is synced to disk before collect_commit returns. Only then may anybody
 * be told that it was taken. A report that comes again, because its sender did not hear so, is recognised by its retry id and
 * not counted again.
 *
 * What is kept: for every question and period the counters of its mechanism, the number of reports, and for a while the reports
 * themselves, until they are folded into the counters; apart from them the retry ids of periods that are open. A report is
 * taken only in its own period, the one before and the one after (clocks differ, and so do midnights), and a period that is
 * over stays over whatever the clock says later; so ids are forgotten when no report could come again. A survey that is asked
 * once keeps them all. `limit` of the survey bounds their number: at about 16 bytes an id, 100 million take 1.6 GB.
 * Ids are 64 random bits: among 100 million reports two have the same one with probability 0.0003, and then one is lost.
 *
 * Reports about texts are never folded, as nobody knows beforehand what to count: they stay in the file, and a search goes through them there.
 *
 * Memory: a batch (COLLECT_BATCH_*), one set of counters at a time, the database's cache. None of it grows with the number
 * of reports. Several processes may collect into one database, and estimate from it, at the same time.
 *
 * Nothing in the database is more than what people sent: it keeps their epsilon. It does not say who sent what, nor which reports
 * came from one person; while reports wait to be folded, those of one batch lie in the order of their random ids. */
#ifndef LOCAL_COLLECT_H
#define LOCAL_COLLECT_H

#include "local/survey.h"

enum {
    COLLECT_BATCH_REPORTS = 1 << 18,
    COLLECT_BATCH_BYTES = 16 << 20,
    COLLECT_FOLD_BYTES = 32 << 20, /* of reports that wait to be counted */
};

enum collect_verdict {
    COLLECT_COUNTED,
    COLLECT_REPLAYED,  /* counted before: to its sender as good as counted */
    COLLECT_MALFORMED, /* no report at all */
    COLLECT_SURVEY,    /* another survey, or other values, mechanism, epsilon than declared */
    COLLECT_VERSION,   /* an earlier version of this survey */
    COLLECT_LENGTH,    /* too short or too long for its question */
    COLLECT_RANGE,     /* right length, but nothing that the mechanism can say */
    COLLECT_PERIOD,    /* its period is over, or far ahead */
    COLLECT_FULL,      /* the survey's limit is reached */
    COLLECT_VERDICTS,
};

const char *collect_verdict_name(enum collect_verdict verdict);

/* What became of the reports of one sender. */
struct collect_counts {
    uint64_t of[COLLECT_VERDICTS];
};

struct collector;

/* Opens the survey's database, making it where there is none. DITHER_REFUSED: it belongs to another survey or a newer version, or
 * the questions of this version were declared otherwise when it was begun. DITHER_INVALID: it is no such database, or is damaged. */
status collect_open(const struct survey *survey, struct collector **out, error *why) MUST_CHECK;

/* Whatever was added and not committed is forgotten. */
void collect_close(struct collector *collector);

/* Adds one report to the batch, in bytes or as a line of text without its end; what is wrong with it at first sight is counted in
 * `counts` at once, the rest on commit, so `counts` lives until then. False, with nothing done, when the batch is full: commit and
 * add again. */
bool collect_add(struct collector *collector, const unsigned char *report, size_t bytes,
                 struct collect_counts *counts) MUST_CHECK;
bool collect_add_line(struct collector *collector, const char *line, size_t length,
                      struct collect_counts *counts) MUST_CHECK;

/* Writes the batch and empties it. On DITHER_OK all of it is on disk. Otherwise none of it is counted, the batch is empty, and the
 * counts of its senders mean nothing: they must send again. `now` is seconds since 1970. */
status collect_commit(struct collector *collector, int64_t now, error *why) MUST_CHECK;

/* Counts what waits, so that the reports themselves are gone, if it is at least so many bytes. Between commits now and then, and
 * at the end. */
status collect_fold(struct collector *collector, uint64_t least_bytes, error *why) MUST_CHECK;

/* ---- Reading, also while others collect ---- */

/* One state of the database, as of when it was opened. */
struct collect_view;
status collect_view_open(const struct survey *survey, struct collect_view **out, error *why) MUST_CHECK;
void collect_view_close(struct collect_view *view);

/* The latest period with reports of any question of the survey; false when there is none. */
status collect_view_latest(struct collect_view *view, int32_t *period, bool *found, error *why) MUST_CHECK;

/* How many reports of a question were counted. */
status collect_view_taken(struct collect_view *view, const struct survey_question *question, int32_t period,
                          uint64_t *out, error *why) MUST_CHECK;

/* The reports of a text question, for prefix_find: the context of collect_texts_replay. */
struct collect_texts {
    struct collect_view *view;
    const struct survey_question *question;
    int32_t period;
};
status collect_texts_replay(void *context, prefix_visit *visit, void *visitor, error *why) MUST_CHECK;

/* Counts into an empty tally; not of texts. */
status collect_view_tally(struct collect_view *view, const struct survey_question *question, int32_t period,
                          struct local_tally *tally, error *why) MUST_CHECK;

/* How many reports had each verdict since the database was begun; COLLECT_COUNTED is left 0. */
status collect_view_refused(struct collect_view *view, struct collect_counts *out, error *why) MUST_CHECK;

#endif
