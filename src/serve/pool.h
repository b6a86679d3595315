/* pool.h - several curators on one dataset, so that several questions are under way at the same time. They share policy,
 * data, ledger and what is remembered (curator_join). */
#ifndef SERVE_POOL_H
#define SERVE_POOL_H

#include "curator/curator.h"

enum { POOL_MOST = 64 };

struct pool {
    struct curator *curators[POOL_MOST]; /* the first is the caller's */
    size_t count;
};

/* So many that those who wait for the disk leave the processors to the others, and that many share a sync: 32 for each
 * processor, from 16 to 64. On PostgreSQL, where each has a connection of its own: eight for each, from 4 to 32. */
size_t pool_default(const struct curator *curator);

/* `first` and count - 1 that join it; count is from 1 to POOL_MOST. */
status pool_open(struct curator *first, size_t count, struct pool *out, error *why) MUST_CHECK;
/* Closes those that joined. All zero: nothing. */
void pool_close(struct pool *pool);

#endif
