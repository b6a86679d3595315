/* All frequency oracles on one survey (Zipf's law over 1024 values, epsilon 1): the error that was found beside the one that is stated. */
#include "bench/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/local_pool.h"
#include "bench/must.h"

enum { VALUES = 1024 };

/* The first value of each of `people` shares of Zipf's law, in turn. */
static void zipf(double *truth, uint32_t *values, size_t people)
{
    double sum = 0, before = 0;
    for (uint32_t v = 0; v < VALUES; v++)
        sum += 1. / (v + 1);
    size_t given = 0;
    for (uint32_t v = 0; v < VALUES; v++) {
        before += 1. / (v + 1) / sum;
        size_t end = v + 1 == VALUES ? people : (size_t)(before * (double)people);
        truth[v] = (double)(end - given);
        while (given < end)
            values[given++] = v;
    }
}

/* One line of the comparison. */
struct row {
    const char *oracle; /* NULL: not measured yet */
    double found, stated,
        worst; /* standard errors of a share; the largest error of a value in standard errors */
    double report_bytes, memory_bytes; /* of the collector */
    double client_seconds, count_seconds, estimate_seconds;
};

static const char *const oracles[] = {"grr",      "sue", "oue", "olh",  "ss",
                                      "hadamard", "pgr", "cms", "hcms", "rappor"};
enum { ORACLES = sizeof oracles / sizeof oracles[0] };
static struct row rows[ORACLES];

static void compare_estimates(const struct local_estimate *estimates, const double *truth, double people,
                              struct row *row)
{
    double squares = 0, stated = 0;
    for (int v = 0; v < VALUES; v++) {
        double off = estimates[v].count - truth[v];
        squares += off * off;
        stated += estimates[v].variance;
        row->worst = fmax(row->worst, fabs(off) / sqrt(estimates[v].variance));
    }
    row->found = sqrt(squares / VALUES) / people;
    row->stated = sqrt(stated / VALUES) / people;
}

/* Everybody reports, all reports are counted, everything is estimated; each step with its time. */
static struct row ask_everybody(const char *name)
{
    static struct local_pool pool;
    static struct local_estimate estimates[VALUES];
    static double truth[VALUES];
    size_t people = bench_is_quick() ? 1000 : 100000;
    uint32_t *values = must_allocate(people * sizeof *values);
    error why;
    local_pool_open(&pool, name, VALUES, 1);
    zipf(truth, values, people);
    size_t bytes = pool.oracle.report_bytes;
    unsigned char *reports = must_allocate(people * bytes);
    double begun = bench_clock_seconds();
    for (size_t i = 0; i < people; i++)
        must(local_oracle_randomise(&pool.oracle, values[i], pool.random, reports + i * bytes, &why), &why);
    double made = bench_clock_seconds();
    must(local_tally_add(&pool.tally, &pool.oracle, reports, people * bytes, &why), &why);
    double counted = bench_clock_seconds();
    must(local_tally_estimate(&pool.tally, &pool.oracle, .95, estimates, &why), &why);
    struct row row = {.oracle = name,
                      .report_bytes = (double)bytes,
                      .memory_bytes = (double)pool.oracle.cells * sizeof(uint64_t),
                      .client_seconds = made - begun,
                      .count_seconds = counted - made,
                      .estimate_seconds = bench_clock_seconds() - counted};
    compare_estimates(estimates, truth, (double)people, &row);
    local_pool_close(&pool);
    free(values);
    free(reports);
    return row;
}

static struct row *row_of(const char *name)
{
    for (int i = 0; i < ORACLES; i++)
        if (strcmp(oracles[i], name) == 0) {
            if (rows[i].oracle == NULL)
                rows[i] = ask_everybody(oracles[i]);
            return &rows[i];
        }
    return NULL;
}

static void survey(const char *name, const void *argument)
{
    const struct row *row = row_of(argument);
    bench_report(name, row->found, "share");
    bench_report_part(name, "stated", row->stated, "share");
    bench_report_part(name, "report", row->report_bytes, "bytes");
}

/* All oracles on the one survey, as a table; its figure is the largest ratio of an error that was found to the one that is stated. */
static void compare(const char *name, const void *argument)
{
    (void)argument;
    double ratio = 0;
    printf("\nAll frequency oracles on one survey: Zipf's law over %d values, epsilon 1, %d people\n", VALUES,
           bench_is_quick() ? 1000 : 100000);
    printf("%-9s %11s %11s %6s %12s %13s %8s %8s %9s\n", "oracle", "error found", "stated", "worst",
           "report bytes", "counter bytes", "client s", "count s", "decode s");
    for (int i = 0; i < ORACLES; i++) {
        const struct row *row = row_of(oracles[i]);
        printf("%-9s %11.6f %11.6f %6.2f %12.0f %13.0f %8.4f %8.4f %9.4f\n", row->oracle, row->found,
               row->stated, row->worst, row->report_bytes, row->memory_bytes, row->client_seconds,
               row->count_seconds, row->estimate_seconds);
        ratio = fmax(ratio, row->found / row->stated);
    }
    puts("(errors are of a share, root mean square over the values; worst: the largest error of a value, in "
         "its own\n"
         "standard errors)\n");
    bench_report(name, ratio, "ratio");
}

#define ERROR(name)                                                                                          \
    {                                                                                                        \
        "local." name ".error.zipf1024", survey, name                                                        \
    }

static const struct bench benches[] = {
    ERROR("grr"),
    ERROR("sue"),
    ERROR("oue"),
    ERROR("olh"),
    ERROR("ss"),
    ERROR("hadamard"),
    ERROR("pgr"),
    ERROR("cms"),
    ERROR("hcms"),
    ERROR("rappor"),
    {"local.compare.zipf1024", compare, NULL},
};
const struct bench_group bench_local_compare = BENCH_GROUP(benches);
