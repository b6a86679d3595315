/* Local privacy: how fast clients randomise and a collector counts, how fast the two transforms are, and what all oracles make
 * of one survey (Zipf's law over 1024 values, epsilon 1): the error that was found beside the one that is stated. */
#include "bench/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/must.h"
#include "local/collect.h"
#include "local/oracle.h"
#include "local/survey_report.h"
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
    for (int v = 0; v < SMALL; v++) {
        double off = estimates[v].count - truth[v];
        squares += off * off;
        stated += estimates[v].variance;
        row->worst = fmax(row->worst, fabs(off) / sqrt(estimates[v].variance));
    }
    row->found = sqrt(squares / SMALL) / people;
    row->stated = sqrt(stated / SMALL) / people;
}

/* Everybody reports, all reports are counted, everything is estimated; each step with its time. */
static struct row ask_everybody(const char *name)
{
    static struct work work;
    static struct local_estimate estimates[SMALL];
    static double truth[SMALL];
    size_t people = bench_is_quick() ? 1000 : 100000;
    uint32_t *values = must_allocate(people * sizeof *values);
    error why;
    make(&work, name, SMALL, 1);
    zipf(truth, values, people);
    size_t bytes = work.oracle.report_bytes;
    unsigned char *reports = must_allocate(people * bytes);
    double begun = bench_clock_seconds();
    for (size_t i = 0; i < people; i++)
        must(local_oracle_randomise(&work.oracle, values[i], work.random, reports + i * bytes, &why), &why);
    double made = bench_clock_seconds();
    must(local_tally_add(&work.tally, &work.oracle, reports, people * bytes, &why), &why);
    double counted = bench_clock_seconds();
    must(local_tally_estimate(&work.tally, &work.oracle, .95, estimates, &why), &why);
    struct row row = {.oracle = name,
                      .report_bytes = (double)bytes,
                      .memory_bytes = (double)work.oracle.cells * sizeof(uint64_t),
                      .client_seconds = made - begun,
                      .count_seconds = counted - made,
                      .estimate_seconds = bench_clock_seconds() - counted};
    compare_estimates(estimates, truth, (double)people, &row);
    drop(&work);
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
    char other[80];
    bench_report(name, row->found, "share");
    snprintf(other, sizeof other, "%s.stated", name);
    bench_report(other, row->stated, "share");
    snprintf(other, sizeof other, "%s.report", name);
    bench_report(other, row->report_bytes, "bytes");
}

/* All oracles on the one survey, as a table; its figure is the largest ratio of an error that was found to the one that is stated. */
static void compare(const char *name, const void *argument)
{
    (void)argument;
    double ratio = 0;
    printf("\nAll frequency oracles on one survey: Zipf's law over %d values, epsilon 1, %d people\n", SMALL,
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

/* ---- The collector: checked, written, synced, folded ---- */

static void collect(const char *name, const void *argument)
{
    (void)argument;
    static const char text[] = "survey: bench\nquestions:\n  q: {domain: 1024, mechanism: oue, epsilon: 1}\n";
    char folder[] = "/tmp/dither-bench-XXXXXX", path[100], command[100];
    size_t people = bench_is_quick() ? 1000 : 1000000;
    struct arena arena;
    const struct survey *survey_file = NULL;
    struct collector *collector = NULL;
    struct collect_counts counts = {0};
    error why;
    arena_init(&arena, (size_t)16 << 20);
    if (mkdtemp(folder) == NULL)
        exit(1);
    snprintf(path, sizeof path, "%s/bench.yaml", folder);
    must(survey_parse(text, sizeof text - 1, path, &arena, &survey_file, &why), &why);
    must(collect_open(survey_file, &collector, &why), &why);
    unsigned char report[REPORT_HEAD + SMALL / 8];
    double begun = bench_clock_seconds();
    for (uint64_t i = 0; i < people; i++) {
        const struct report_head head = {survey_file->questions[0].key, 0, i * UINT64_C(0x9e3779b97f4a7c15)};
        report_head_write(&head, report);
        memset(report + REPORT_HEAD, (int)(i & 0xff), SMALL / 8);
        while (!collect_add(collector, report, sizeof report, &counts)) {
            must(collect_commit(collector, 0, &why), &why);
            must(collect_fold(collector, COLLECT_FOLD_BYTES, &why), &why);
        }
    }
    must(collect_commit(collector, 0, &why), &why);
    must(collect_fold(collector, 0, &why), &why);
    bench_report(name, (double)counts.of[COLLECT_COUNTED] / (bench_clock_seconds() - begun), "reports/s");
    collect_close(collector);
    arena_free(&arena);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command) != 0)
        exit(1);
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
    {"local.collect.oue.d1024", collect, NULL},
    {"local.compare.zipf1024", compare, NULL},
};
const struct bench_group bench_local = BENCH_GROUP(benches);
