/* labels.h - what each number of an answer is about: a bucket, a threshold, a cell of a marginal, a key. */
#ifndef CLI_LABELS_H
#define CLI_LABELS_H

#include "cli/answer.h"

/* Appends the name of number `index`: "[1000, 2000)", "<= 5", "1=0 3=1" (column=category), the key, or "1",
 * "2", ... */
void label_print(const struct answer *answer, size_t index, struct buffer *label);

#endif
