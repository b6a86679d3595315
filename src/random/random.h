/* random.h - a stream of secret bits.
 *
 * AES-256 in counter mode, keyed by getrandom(2). Each refill of the buffer replaces the key with bytes that
 * nobody else sees, so that what was drawn before cannot be recomputed from memory; every RANDOM_RESEED_BYTES
 * fresh entropy is asked for. The buffer lies in memory that the kernel wipes in a forked child, and is left
 * out of core dumps; a child starts with a new key.
 *
 * Missing entropy is DITHER_NO_ENTROPY and stays so: a stream that failed once never gives bits again. There
 * is no fallback. A stream belongs to one thread. The only seam is `random_open_source`, with which tests
 * supply bytes of their own; nothing in the library calls it with anything but the system's source. */
#ifndef RANDOM_RANDOM_H
#define RANDOM_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum {
    RANDOM_BUFFER_WORDS = 4096, /* 32 KiB a refill; the most that one take may ask for */
    RANDOM_RESEED_BYTES = 64 << 20,
};

/* Where bytes come from. `refill` writes `count` bytes or fails; `close` may be NULL. */
struct random_source {
    status (*refill)(void *state, unsigned char *bytes, size_t count, error *why);
    void (*close)(void *state);
    void *state;
};

struct random;

status random_open(struct random **out, error *why) MUST_CHECK;
status random_open_source(struct random_source source, struct random **out, error *why) MUST_CHECK;
void random_close(struct random *random);

/* `count` fresh words that stay readable until the next call on this stream; count <= RANDOM_BUFFER_WORDS. */
status random_take(struct random *random, size_t count, const uint64_t **words, error *why) MUST_CHECK;

/* One fresh word. */
status random_word(struct random *random, uint64_t *word, error *why) MUST_CHECK;

/* How many bytes were handed out so far. */
uint64_t random_bytes_used(const struct random *random);

#endif
