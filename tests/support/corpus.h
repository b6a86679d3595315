/* corpus.h - the files under tests/base/corpus/FOLDER, each named accept-... or refuse-... after what must
 * happen. */
#ifndef TESTS_SUPPORT_CORPUS_H
#define TESTS_SUPPORT_CORPUS_H

#include <stdbool.h>
#include <stddef.h>

/* Calls `replay` for every file, in no particular order; fails the test when there are fewer than `least`. */
typedef void (*corpus_replay)(const char *name, const char *bytes, size_t count, bool accept);
void corpus_walk(const char *folder, size_t least, corpus_replay replay);

#endif
