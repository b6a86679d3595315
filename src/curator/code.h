/* code.h - noisy tables and answers as bytes, for the ledger: versioned, and the same on every machine.
 *
 * Numbers are in network order. What is read back was written by a curator before, but lies in a file: it is
 * read with care, and DITHER_IO says that it is not what was written. */
#ifndef CURATOR_CODE_H
#define CURATOR_CODE_H

#include "base/buffer.h"
#include "base/cursor.h"
#include "curator/curator.h"

void code_write_rows(struct buffer *out, const struct sql_rows *rows);
status code_read_rows(struct ledger_bytes bytes, struct arena *arena, struct sql_rows *out,
                      error *why) MUST_CHECK;

/* Everything but what is left of the budget. */
void code_write_answer(struct buffer *out, const struct curator_answer *answer);
/* That the question's releases were drawn and the rest of it failed: its text. */
void code_write_failure(struct buffer *out, const char *message);
/* Into answer->arena. A stored failure is DITHER_INVALID with its text. */
status code_read_answer(struct ledger_bytes bytes, struct curator_answer *answer, error *why) MUST_CHECK;

#endif
