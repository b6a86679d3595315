#include "bench/local_pool.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/must.h"

enum { HUGE_PAGE = 2 << 20, THREADS = 8, FEW = 1000 };

struct share {
    const struct local_pool *pool;
    size_t first, end;
};

static void *make_share(void *argument)
{
    const struct share *share = argument;
    const struct local_oracle *oracle = &share->pool->oracle;
    struct random *random = NULL;
    error why;
    must(random_open(&random, &why), &why);
    for (size_t i = share->first; i < share->end; i++)
        must(local_oracle_randomise(oracle, (uint32_t)(i % oracle->setting.domain), random,
                                    share->pool->reports + i * oracle->report_bytes, &why),
             &why);
    random_close(random);
    return NULL;
}

static void make_reports(const struct local_pool *pool)
{
    struct share shares[THREADS];
    pthread_t threads[THREADS];
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t count = pool->count < FEW || processors < 1 ? 1
                   : processors < THREADS              ? (size_t)processors
                                                       : THREADS;
    for (size_t t = 0; t < count; t++) {
        shares[t] = (struct share){pool, pool->count * t / count, pool->count * (t + 1) / count};
        if (t > 0 && pthread_create(&threads[t], NULL, make_share, &shares[t]) != 0)
            exit(1);
    }
    make_share(&shares[0]);
    for (size_t t = 1; t < count; t++)
        pthread_join(threads[t], NULL);
}

void local_pool_open(struct local_pool *pool, const char *oracle, uint32_t domain, size_t count)
{
    const struct local_setting setting = {.domain = domain, .epsilon = 1};
    error why;
    must(local_oracle_init(&pool->oracle, local_oracle_kind_named(oracle), &setting, &why), &why);
    must(local_tally_init(&pool->tally, &pool->oracle, &why), &why);
    must(random_open(&pool->random, &why), &why);
    pool->count = count;
    pool->bytes = (count * pool->oracle.report_bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    pool->reports = aligned_alloc(HUGE_PAGE, pool->bytes);
    if (pool->reports == NULL)
        must(fail(&why, DITHER_NO_MEMORY, "no memory for %zu reports", count), &why);
    (void)madvise(pool->reports, pool->bytes, MADV_HUGEPAGE);
    make_reports(pool);
}

void local_pool_close(struct local_pool *pool)
{
    local_tally_free(&pool->tally);
    random_close(pool->random);
    free(pool->reports);
}
