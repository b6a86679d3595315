/* system_source.h - the source behind random_open: AES-256-CTR keyed by getrandom(2). */
#ifndef RANDOM_SYSTEM_SOURCE_H
#define RANDOM_SYSTEM_SOURCE_H

#include "random/random.h"

/* How the kernel is asked for entropy; tests make the n-th call fail. Writes all `count` bytes or returns
 * false. */
typedef bool (*entropy_function)(void *bytes, size_t count);

/* The kernel's. */
bool system_entropy(void *bytes, size_t count);

/* A source that owns its state; random_close closes it. */
status system_source_open(entropy_function entropy, struct random_source *out, error *why) MUST_CHECK;

#endif
