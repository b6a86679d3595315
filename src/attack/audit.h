/* audit.h - does Dither keep its promise? Found out from outside, by asking.
 *
 *     audit_run(&(struct audit_options){.policy = "hospital.yaml", .size = AUDIT_FULL}, &report, why);
 *     audit_report_text(report, &out);
 *     convicted = audit_report_convicts(report);
 *     audit_report_free(report);
 *
 * The auditor reads the policy for names, types, ranges and joins, makes data of its own for them in a scratch folder, and asks
 * questions through the same calls as everybody. It never opens the owner's data. What it looks at: how far one person moves
 * answers that have next to no noise (sensitivity), whether the noise has the law that the answers state (shape), what can be
 * guessed about people from one answer (guesses) and from events (events), whether answers lie on the stated grid (grid), which
 * keys are shown (keys), and whether the ledger agrees with what was said and given (budget, blocks, failing).
 *
 * Noise is random, so an honest build is convicted with a probability of at most `error`, over all tests of a run together; the
 * auditor's own choices follow from `seed`. An acquittal proves nothing beyond the questions that were asked: a bound that was
 * found is a lower bound on the true epsilon. docs/audit.md says what cannot be seen from outside. */
#ifndef ATTACK_AUDIT_H
#define ATTACK_AUDIT_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/status.h"

enum audit_size {
    AUDIT_FULL,  /* minutes */
    AUDIT_SHORT, /* seconds: for a test suite */
};

enum audit_check {
    AUDIT_SENSITIVITY,
    AUDIT_SHAPE,
    AUDIT_GUESSES,
    AUDIT_EVENTS,
    AUDIT_GRID,
    AUDIT_KEYS,
    AUDIT_BUDGET,
    AUDIT_BLOCKS,
    AUDIT_FAILING,
    AUDIT_CHECKS,
};
/* "sensitivity", "shape" ...; NULL beyond the last. Grid is looked at with shape, events with guesses. */
const char *audit_check_name(enum audit_check check);

struct audit_options {
    const char *policy; /* of the dataset to audit */
    const char *server; /* or a libpq connection string or URL: the server to audit; else NULL */
    enum audit_size size;
    uint64_t seed;
    double error;                       /* 0: one in a thousand */
    unsigned only;                      /* bit c: make check c; 0: all of them */
    bool first;                         /* end with the first conviction */
    void (*tell)(void *, const char *); /* progress, in a line; may be NULL */
    void *context;
    const volatile sig_atomic_t *stop; /* not 0: end soon, with DITHER_REFUSED; may be NULL */
};

struct audit_report;

/* Of a server, whose data cannot be exchanged, the law of the noise, the grid and the budget are looked at; its policy must say
 * `synthetic: true`, or nothing is asked (DITHER_REFUSED). All of its budget may be spent.
 * DITHER_OK when all was looked at, whatever was found. */
status audit_run(const struct audit_options *options, struct audit_report **out, error *why) MUST_CHECK;
void audit_report_free(struct audit_report *report);

bool audit_report_convicts(const struct audit_report *report);
/* "sensitivity: SELECT ...: one person moves it by 12, the noise is made for 6": the first that was found; NULL: none. */
const char *audit_report_first(const struct audit_report *report);

void audit_report_text(const struct audit_report *report, struct buffer *out);
void audit_report_json(const struct audit_report *report, struct buffer *out);
void audit_report_html(const struct audit_report *report, struct buffer *out);

#endif
