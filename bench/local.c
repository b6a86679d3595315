/* Local privacy: how fast clients randomise and a collector counts, how fast the two transforms are. */
#include "bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/local_pool.h"
#include "bench/must.h"
#include "local/transform.h"

enum {
    SMALL = 1024,
    LARGE = 1000000,
    REPORTS = 10000000, /* all there at once, and all different */
    RUNS = 7,
};

/* What cannot be 10 million: reports of 125,000 bytes, and those that take minutes to count (olh looks at every value for each). */
enum { LARGE_BITS = 2000, LARGE_HASHED = 2000 };
static const double LONG_SECONDS = 3; /* no further run after so much time */

static void randomise(void *argument, uint64_t times)
{
    struct local_pool *pool = argument;
    error why;
    for (uint64_t i = 0; i < times; i++)
        must(local_oracle_randomise(&pool->oracle, (uint32_t)(i % pool->oracle.setting.domain), pool->random,
                                    pool->reports, &why),
             &why);
}

static void count(struct local_pool *pool)
{
    error why;
    must(local_tally_add(&pool->tally, &pool->oracle, pool->reports, pool->count * pool->oracle.report_bytes,
                         &why),
         &why);
}

static uint32_t domain_of(const char *name)
{
    return strstr(name, "d1024") != NULL ? SMALL : LARGE;
}

/* local.NAME.client.d1024 or .d1000000: the oracle's name is the argument. */
static void client(const char *name, const void *argument)
{
    struct local_pool pool;
    local_pool_open(&pool, argument, domain_of(name), 1);
    bench_report(name, bench_rate(randomise, &pool), "reports/s");
    local_pool_close(&pool);
}

static size_t reports_of(const char *oracle, uint32_t domain)
{
    struct local_oracle made;
    const struct local_setting setting = {.domain = domain, .epsilon = 1};
    error why;
    must(local_oracle_init(&made, local_oracle_kind_named(oracle), &setting, &why), &why);
    if (domain == LARGE && made.report_bytes >= LARGE / 8)
        return LARGE_BITS;
    return domain == LARGE && strcmp(oracle, "olh") == 0 ? LARGE_HASHED : REPORTS;
}

/* local.NAME.aggregate.d1024 or .d1000000: the pool from its first report to its last, the median of several times. */
static void aggregate(const char *name, const void *argument)
{
    struct local_pool pool;
    double seconds[RUNS], all = 0;
    size_t runs = 0;
    local_pool_open(&pool, argument, domain_of(name),
                    bench_is_quick() ? 8 : reports_of(argument, domain_of(name)));
    while (runs < RUNS && all < LONG_SECONDS) {
        double begun = bench_clock_seconds();
        count(&pool);
        seconds[runs] = bench_clock_seconds() - begun;
        all += seconds[runs++];
    }
    bench_report(name, (double)pool.count / bench_median(seconds, runs), "reports/s");
    bench_report_part(name, "reports", (double)pool.count, "reports");
    bench_report_part(name, "memory", (double)pool.oracle.cells * sizeof(uint64_t), "bytes");
    local_pool_close(&pool);
}

static void olh_decode(const char *name, const void *argument)
{
    (void)argument;
    struct local_pool pool;
    local_pool_open(&pool, "olh", 1000, bench_is_quick() ? 8 : 1000000);
    double begun = bench_clock_seconds();
    count(&pool);
    bench_report(name, bench_clock_seconds() - begun, "s");
    bench_report_part(name, "memory", (double)pool.oracle.cells * sizeof(uint64_t), "bytes");
    local_pool_close(&pool);
}

static void transform(const char *name, const void *argument)
{
    (void)argument;
    size_t size = bench_is_quick() ? 1024 : 1 << 20;
    double *numbers = must_allocate(size * sizeof *numbers), times[5];
    for (int run = 0; run < 5; run++) {
        for (size_t i = 0; i < size; i++)
            numbers[i] = (double)(i % 1000);
        double begun = bench_clock_seconds();
        walsh_hadamard(numbers, size);
        times[run] = bench_clock_seconds() - begun;
    }
    bench_keep((uint64_t)numbers[1]);
    bench_report(name, bench_median(times, 5), "s");
    bench_report_part(name, "memory", (double)(size * sizeof *numbers), "bytes");
    free(numbers);
}

#define ORACLE(name)                                                                                         \
    {"local." name ".client.d1024", client, name}, {"local." name ".client.d1000000", client, name},         \
        {"local." name ".aggregate.d1024", aggregate, name},                                                 \
    {                                                                                                        \
        "local." name ".aggregate.d1000000", aggregate, name                                                 \
    }

static const struct bench benches[] = {
    ORACLE("grr"),
    ORACLE("sue"),
    ORACLE("oue"),
    ORACLE("olh"),
    ORACLE("ss"),
    ORACLE("hadamard"),
    ORACLE("pgr"),
    ORACLE("cms"),
    ORACLE("hcms"),
    ORACLE("rappor"),
    {"local.olh.decode_1e6x1e3.seconds", olh_decode, NULL},
    {"local.fwht_2e20.seconds", transform, NULL},
};
const struct bench_group bench_local = BENCH_GROUP(benches);
