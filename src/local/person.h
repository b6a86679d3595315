/* person.h - what a client remembers for life: its memos, what it has spent, and the most that it will ever spend.
 *
 * The cap belongs to the person. It is set when the file is made, may be lowered later and never raised, and no survey has a say
 * in it: a report that would pass it is refused. Spending and memo are on the disk before the report is made, so a report that
 * was seen by anybody is always paid for. A memo that is lost, or was made for another setting of the survey, is drawn anew and
 * paid for anew. Who deletes the file deletes the account: then nobody knows what was spent.
 * What is counted is what reports tell about values. That a value changed, and when, memos do not hide (lasting.h), and no cap counts it.
 *
 * The file is private (mode 0600), a line of text per record, and only ever grows at its end:
 *
 *     dither person 1
 *     cap 10 CHECK                          the lifetime cap; later ones can only be lower
 *     spend 2 CHECK                         epsilon that was spent
 *     identity SURVEY HEX CHECK             what a survey's client has drawn for life (lasting.h)
 *     memo SURVEY KEY HEX CHECK             the memo of a key
 *
 * CHECK is the FNV-1a hash (64 bits, 16 digits) of the line before it; SURVEY is the survey's name, a slash, and the hash of its setting. A
 * last line without an end was being written when the client died: no report followed, and it is cut off. A memo or identity whose
 * check is wrong counts as lost; any other such line makes the file unreadable, as what was spent is not known then. */
#ifndef LOCAL_PERSON_H
#define LOCAL_PERSON_H

#include "local/lasting.h"

enum {
    PERSON_SURVEY_NAME = 64,      /* longest name: letters, digits, '.', '_', '-' */
    PERSON_FILE_LIMIT = 64 << 20, /* bytes */
};

struct person;

struct person_account {
    double cap, spent; /* spent is rounded up */
    size_t memos;
};

/* Makes the file; DITHER_REFUSED when there is one. 0 < cap. */
status person_create(const char *path, double cap, error *why) MUST_CHECK;

/* Reads it and keeps others out until it is closed; waits for one who has it open. */
status person_open(struct person **out, const char *path, error *why) MUST_CHECK;
void person_close(struct person *person);

struct person_account person_account(const struct person *person);

/* DITHER_INVALID for a cap that is not lower. What was spent may be above it: then nothing more is. */
status person_lower_cap(struct person *person, double cap, error *why) MUST_CHECK;

/* Spends epsilon on a fresh report that is about to be made. DITHER_REFUSED, with nothing spent, when the cap would be passed. */
status person_spend(struct person *person, double epsilon, error *why) MUST_CHECK;

/* One report about the value (below the domain), from its memo; a memo that is not there is drawn and paid for. On failure the report
 * is zero. */
status person_report(struct person *person, const char *survey, const struct local_lasting *lasting,
                     uint32_t value, struct random *random, unsigned char *report, error *why) MUST_CHECK;

#endif
