/* http_question.h - the body of /v1/ask and /v1/explain: JSON -> a question.
 *
 *     {"question": "SELECT count(*) FROM visits WHERE day > $1", "parameters": ["2026-01-01"], "epsilon": 0.5}
 *
 * Beside the question: epsilon, delta, rho, error, size, confidence, max_groups, max_rows, other, non_negative, as the
 * settings dither.* of a session (settings.h) and the options of `dither ask`; null is as if it were not there. Other members
 * are refused: a misspelt "epsilon" must not cost what the policy says. A number is taken in the fewest digits that give it
 * back, so that 0.1 is exactly a tenth. A parameter that is a text is like a literal in quotes. */
#ifndef SERVE_HTTP_QUESTION_H
#define SERVE_HTTP_QUESTION_H

#include "base/arena.h"
#include "serve/settings.h"

struct http_question {
    struct settings settings;
    struct arena arena;
    struct curator_question question; /* points into both */
    bool read;
};

enum { HTTP_MOST_PARAMETERS = 1000, HTTP_REQUEST_ID_BYTES = 200 };

/* DITHER_INVALID: the message says what is wrong. `request` is a header's value, or NULL; quotes around it, as RFC 8941 has
 * them, are not part of it. */
status http_question_read(struct http_question *question, const struct buffer *body, const char *request,
                          error *why) MUST_CHECK;
void http_question_free(struct http_question *question);

#endif
