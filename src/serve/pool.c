#include "serve/pool.h"

#include <assert.h>
#include <unistd.h>

enum { FOR_EACH_PROCESSOR = 8, FEWEST = 4, DEFAULT_MOST = 32 };

size_t pool_default(void)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t wanted = processors > 0 ? (size_t)processors * FOR_EACH_PROCESSOR : FEWEST;
    return wanted < FEWEST ? FEWEST : wanted > DEFAULT_MOST ? DEFAULT_MOST : wanted;
}

status pool_open(struct curator *first, size_t count, struct pool *out, error *why)
{
    struct pool pool = {.curators = {first}, .count = 1};
    assert(count >= 1 && count <= POOL_MOST);
    for (; pool.count < count; pool.count++) {
        status result = curator_join(first, &pool.curators[pool.count], why);
        if (result != DITHER_OK) {
            pool_close(&pool);
            return result;
        }
    }
    *out = pool;
    return DITHER_OK;
}

void pool_close(struct pool *pool)
{
    while (pool->count > 1)
        curator_close(pool->curators[--pool->count]);
}
