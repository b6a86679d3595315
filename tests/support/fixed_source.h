/* fixed_source.h - random sources that are not random: for tests alone.
 *
 * fixed_source(seed): SplitMix64, the same words for the same seed on every machine.
 * script_source(words): hands out exactly these words, one refill being padded by zeros, and fails when a
 * refill starts beyond their end. */
#ifndef TESTS_SUPPORT_FIXED_SOURCE_H
#define TESTS_SUPPORT_FIXED_SOURCE_H

#include "random/random.h"

/* Never fails; aborts the test if memory runs out. Close with random_close. */
struct random *fixed_source(uint64_t seed);

/* A stream whose first words are those given; the words must outlive it. */
struct random *script_source(const uint64_t *words, size_t count);

#endif
