/* status.h - how a function says that it failed, and why.
 *
 * A function that can fail returns a `status` and takes an `error *` that the caller owns. On failure the
 * error holds one line of plain text that says what is wrong and where; outputs are untouched. The error may
 * be NULL for a caller who only wants to know whether it worked. Messages never contain a value of a private
 * row: they may name parameters, columns and files, which are public. */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

#include "dither.h"

typedef dither_status status;
typedef dither_error error;

#define MUST_CHECK __attribute__((warn_unused_result))

/* Writes the message, forgets any position, and returns `code`, so that a caller can `return fail(...)`. */
status fail(error *why, status code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Leaves the function with the status of `expression` unless it is DITHER_OK. */
#define TRY(expression)                                                                                      \
    do {                                                                                                     \
        status try_status = (expression);                                                                    \
        if (try_status != DITHER_OK)                                                                         \
            return try_status;                                                                               \
    } while (0)

#endif
