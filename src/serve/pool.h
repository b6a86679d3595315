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

/* So many that those who wait for the disk leave the processors to the others: eight for each, at least four. */
size_t pool_default(void);

/* `first` and count - 1 that join it; count is from 1 to POOL_MOST. */
status pool_open(struct curator *first, size_t count, struct pool *out, error *why) MUST_CHECK;
/* Closes those that joined. All zero: nothing. */
void pool_close(struct pool *pool);

#endif
