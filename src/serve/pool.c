#include "serve/pool.h"

#include <assert.h>
#include <unistd.h>

enum {
    FOR_EACH_PROCESSOR = 32,
    FEWEST = 16,
    DEFAULT_MOST = 64,
    CONNECTIONS_FOR_EACH = 8,
    CONNECTIONS_MOST = 32
};

static size_t within(size_t wanted, size_t least, size_t most)
{
    return wanted < least ? least : wanted > most ? most : wanted;
}

size_t pool_default(const struct curator *curator)
{
    long found = sysconf(_SC_NPROCESSORS_ONLN);
    size_t processors = found > 0 ? (size_t)found : 1;
    if (curator_policy(curator)->engine.kind == POLICY_ENGINE_POSTGRES)
        return within(processors * CONNECTIONS_FOR_EACH, 4, CONNECTIONS_MOST);
    return within(processors * FOR_EACH_PROCESSOR, FEWEST, DEFAULT_MOST);
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
