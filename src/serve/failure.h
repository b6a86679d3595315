/* failure.h - what a failed question is called: a SQLSTATE for the wire, a status and a word for HTTP. */
#ifndef SERVE_FAILURE_H
#define SERVE_FAILURE_H

#include "base/status.h"

struct failure {
    const char *state; /* SQLSTATE */
    int http;
    const char *word; /* for programs: "unknown_column" */
};

struct failure failure_of(status result, const error *why);

/* The message without its hint, which follows "; did you mean "; NULL: there is none. What is about the server's own files has
 * one text. */
struct failure_text {
    char message[sizeof((error *)0)->message];
    const char *hint; /* points into `message` */
};
void failure_split(status result, const error *why, struct failure_text *out);

/* Every failure that there is, for the document of the HTTP side; NULL behind the last. */
const struct failure *failure_at(size_t index);

#endif
