/* Local privacy: how fast clients randomise and a collector counts, how fast the two transforms are, and what all oracles make
 * of one survey (Zipf's law over 1024 values, epsilon 1): the error that was found beside the one that is stated. */
#include "bench/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/must.h"
#include "local/oracle.h"
#include "local/transform.h"

enum {
    POOL_BYTES = 32 << 20, /* of different reports that are counted again and again */
    SMALL = 1024,
    LARGE = 1000000,
};

struct work {
    struct local_oracle oracle;
    struct local_tally tally;
    struct random *random;
    unsigned char *reports;
    size_t count; /* of reports in the pool */
};

static void make(struct work *work, const char *name, uint32_t domain, size_t most)
{
    const struct local_setting setting = {.domain = domain, .epsilon = 1};
    error why;
    must(local_oracle_init(&work->oracle, local_oracle_kind_named(name), &setting, &why), &why);
    must(local_tally_init(&work->tally, &work->oracle, &why), &why);
    must(random_open(&work->random, &why), &why);
    size_t bytes = work->oracle.report_bytes;
    work->count = POOL_BYTES / bytes < most ? POOL_BYTES / bytes : most;
    if (bench_is_quick())
        work->count = work->count < 8 ? work->count : 8;
    work->reports = must_allocate(work->count * bytes);
    for (size_t i = 0; i < work->count; i++)
        must(local_oracle_randomise(&work->oracle, (uint32_t)i % domain, work->random,
                                    work->reports + i * bytes, &why),
             &why);
}

static void drop(struct work *work)
{
    local_tally_free(&work->tally);
    random_close(work->random);
    free(work->reports);
}

static void randomise(void *argument, uint64_t times)
{
    struct work *work = argument;
    error why;
    for (uint64_t i = 0; i < times; i++)
        must(local_oracle_randomise(&work->oracle, (uint32_t)(i % work->oracle.setting.domain), work->random,
                                    work->reports, &why),
             &why);
}

static void count(void *argument, uint64_t times)
{
    struct work *work = argument;
    error why;
    for (uint64_t i = 0; i < times; i++)
        must(local_tally_add(&work->tally, &work->oracle, work->reports,
                             work->count * work->oracle.report_bytes, &why),
             &why);
}

/* local.NAME.client.d1024 and local.NAME.aggregate.d1024 or .d1000000: the oracle's name is the argument. */
static void client(const char *name, const void *argument)
{
    static struct work work;
    make(&work, argument, strstr(name, "d1024") != NULL ? SMALL : LARGE, 1);
    bench_report(name, bench_rate(randomise, &work), "reports/s");
    drop(&work);
}

static void aggregate(const char *name, const void *argument)
{
    static struct work work;
    bool small = strstr(name, "d1024") != NULL;
    bool hashed = strcmp(argument, "olh") == 0;
    make(&work, argument, small ? SMALL : LARGE, hashed ? (small ? 20000 : 20) : 1000000);
    bench_report(name, (double)work.count * bench_rate(count, &work), "reports/s");
    char memory[80];
    snprintf(memory, sizeof memory, "%s.memory", name);
    bench_report(memory, (double)work.oracle.cells * sizeof(uint64_t), "bytes");
    drop(&work);
}

static void olh_decode(const char *name, const void *argument)
{
    (void)argument;
    static struct work work;
    make(&work, "olh", 1000, 1000000);
    double begun = bench_clock_seconds();
    count(&work, 1);
    bench_report(name, bench_clock_seconds() - begun, "s");
    drop(&work);
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
    free(numbers);
}

/* ---- One survey for all ---- */

/* The first value of each of `people` shares of Zipf's law, in turn. */
static void zipf(double *truth, uint32_t *values, size_t people)
{
    double sum = 0, before = 0;
    for (uint32_t v = 0; v < SMALL; v++)
        sum += 1. / (v + 1);
    size_t given = 0;
    for (uint32_t v = 0; v < SMALL; v++) {
        before += 1. / (v + 1) / sum;
        size_t end = v + 1 == SMALL ? people : (size_t)(before * (double)people);
        truth[v] = (double)(end - given);
        while (given < end)
            values[given++] = v;
    }
}

static void survey(const char *name, const void *argument)
{
    static struct work work;
    static struct local_estimate estimates[SMALL];
    static double truth[SMALL];
    size_t people = bench_is_quick() ? 1000 : 100000;
    uint32_t *values = must_allocate(people * sizeof *values);
    error why;
    make(&work, argument, SMALL, 1);
    zipf(truth, values, people);
    for (size_t i = 0; i < people; i++) {
        must(local_oracle_randomise(&work.oracle, values[i], work.random, work.reports, &why), &why);
        must(local_tally_add(&work.tally, &work.oracle, work.reports, work.oracle.report_bytes, &why), &why);
    }
    must(local_tally_estimate(&work.tally, &work.oracle, .95, estimates, &why), &why);
    double squares = 0, stated = 0;
    for (int v = 0; v < SMALL; v++) {
        squares += (estimates[v].count - truth[v]) * (estimates[v].count - truth[v]);
        stated += estimates[v].variance;
    }
    char other[80];
    bench_report(name, sqrt(squares / SMALL) / (double)people, "share");
    snprintf(other, sizeof other, "%s.stated", name);
    bench_report(other, sqrt(stated / SMALL) / (double)people, "share");
    snprintf(other, sizeof other, "%s.report", name);
    bench_report(other, (double)work.oracle.report_bytes, "bytes");
    drop(&work);
    free(values);
}

#define ORACLE(name)                                                                                         \
    {"local." name ".client.d1024", client, name}, {"local." name ".client.d1000000", client, name},         \
        {"local." name ".aggregate.d1024", aggregate, name},                                                 \
        {"local." name ".aggregate.d1000000", aggregate, name},                                              \
    {                                                                                                        \
        "local." name ".error.zipf1024", survey, name                                                        \
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
