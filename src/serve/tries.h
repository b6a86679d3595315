/* tries.h - signing in by guessing is slow: how many failures an address may have.
 *
 * Each failure of an address fills a bucket that leaks; while it is full nobody signs in from there. There is one bucket for
 * the address, and a smaller one for the address with the name that was tried:
 *
 *     address and name   TRIES_OF_NAME failures at once, then one in TRIES_SECONDS
 *     address            TRIES_OF_ADDRESS failures at once, then ten times as fast
 *
 * Every bucket belongs to an address, so that whoever guesses keeps nobody else out who comes from elsewhere. An IPv6 address
 * counts by its first 64 bits: the rest is its holder's to choose. Memory is fixed: buckets share TRIES_PLACES places by a
 * keyed hash, and the emptiest makes room. May be used from any thread. */
#ifndef SERVE_TRIES_H
#define SERVE_TRIES_H

#include "random/random.h"

enum {
    TRIES_OF_NAME = 5,
    TRIES_OF_ADDRESS = 50,
    TRIES_SECONDS = 10,
    TRIES_PLACES = 4096,
};

struct tries;

/* `clock`: milliseconds that only go forward; NULL: the system's. */
status tries_new(struct random *random, int64_t (*clock)(void), struct tries **out, error *why) MUST_CHECK;
void tries_free(struct tries *tries);

/* Whether somebody at this address (as socket_print_address has it) may try to be `name` now; NULL: no name is known before
 * the try. NULL for the tries: always. */
bool tries_may(struct tries *tries, const char *address, const char *name);
void tries_failed(struct tries *tries, const char *address, const char *name);
/* The name's bucket is empty again; the address's is not: others may guess from there. */
void tries_succeeded(struct tries *tries, const char *address, const char *name);

#endif
