/* local_pool.h - reports to be counted: all different, made by the oracle's own client, at once in memory. */
#ifndef BENCH_LOCAL_POOL_H
#define BENCH_LOCAL_POOL_H

#include "local/oracle.h"

struct local_pool {
    struct local_oracle oracle; /* at epsilon 1 */
    struct local_tally tally;
    struct random *random;
    unsigned char
        *reports; /* aligned, in huge pages where the system has some, as a collector's buffers are */
    size_t count, bytes;
};

/* `count` people with the values 0, 1, 2 ... in turn report, on all processors. */
void local_pool_open(struct local_pool *pool, const char *oracle, uint32_t domain, size_t count);
void local_pool_close(struct local_pool *pool);

#endif
