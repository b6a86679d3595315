/* settings.h - what SET, SHOW and RESET know: the knobs of Dither, and the handful of PostgreSQL's that drivers send.
 *
 * Dither's own steer the questions of the session. PostgreSQL's are kept and shown as they were said, and steer nothing;
 * those that would change what bytes mean (client_encoding, DateStyle ...) take only the value that is true anyway. */
#ifndef SERVE_SETTINGS_H
#define SERVE_SETTINGS_H

#include "base/buffer.h"
#include "curator/curator.h"

enum {
    SETTINGS_VALUE_BYTES = 128, /* with the NUL */
    SETTINGS_MOST = 64,
    SETTINGS_PRINTED_BYTES = SETTINGS_MOST * (SETTINGS_VALUE_BYTES + 64),
};

struct settings {
    char *values[SETTINGS_MOST]; /* what was said, by the table's order; NULL: the default */
    char user[SETTINGS_VALUE_BYTES];
    /* What follows from them. */
    struct sql_options options;
    double size, confidence; /* 0: the default */
    bool intervals, notices;
};

void settings_init(struct settings *settings, const char *user);
void settings_free(struct settings *settings);

/* NULL: back to the default. DITHER_INVALID: not a value for it; DITHER_REFUSED: there is no such setting, or it cannot
 * be set. The message is complete. */
status settings_set(struct settings *settings, const char *name, const char *value, error *why) MUST_CHECK;
void settings_reset_all(struct settings *settings);

/* NULL: there is none of this name. dither.remaining is not here: the ledger has it. */
const char *settings_get(const struct settings *settings, const char *name);

/* For SHOW ALL, and for what the client is told at start-up and at changes. */
struct setting_shown {
    const char *name, *value, *about;
    bool reported;
};
bool settings_at(const struct settings *settings, size_t index, struct setting_shown *out);
/* Whether the client is told when this one changes; its name as it is written then. */
const char *settings_reported_name(const char *name);

/* The question that these settings make of a text. dither.request_id counts for one question: it is forgotten. */
void settings_apply(const struct settings *settings, struct curator_question *question);
void settings_question_done(struct settings *settings);
/* All that steers questions and the form of their answers, and is not the default: the same text for the same session. */
void settings_print(const struct settings *settings, struct buffer *out);

#endif
