/* Local privacy beyond one value asked once: how fast clients make reports about numbers, strings and repeated questions, how fast they
 * are counted or searched, and how far numbers' estimates are from the truth, beside what is stated. */
#include "bench/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/must.h"
#include "local/lasting.h"
#include "local/numeric.h"
#include "local/prefix.h"

enum { POOL = 1 << 20, WORDS = 1000 };

/* ---- Numbers ---- */

struct numbers {
    struct local_numeric numeric;
    struct local_tally tally;
    struct random *random;
    unsigned char *reports;
    size_t count;
};

static void open_numbers(struct numbers *work, const char *name, double epsilon)
{
    const struct local_numeric_setting setting = {0, 100, epsilon, 0};
    error why;
    must(local_numeric_init(&work->numeric, local_numeric_kind_named(name), &setting, &why), &why);
    must(local_numeric_tally(&work->tally, &work->numeric, &why), &why);
    must(random_open(&work->random, &why), &why);
    work->count = bench_is_quick() ? 1000 : POOL;
    work->reports = must_allocate(4 * work->count);
}

static void close_numbers(struct numbers *work)
{
    local_tally_free(&work->tally);
    random_close(work->random);
    free(work->reports);
}

/* A density that rises in a straight line: the quantile q lies at 100 sqrt(q), the mean at 200/3. */
static double number_of(size_t person, size_t people)
{
    return 100 * sqrt(((double)person + 0.5) / (double)people);
}

static void make_numbers(void *argument, uint64_t times)
{
    struct numbers *work = argument;
    error why;
    for (uint64_t i = 0; i < times; i++)
        must(local_numeric_randomise(&work->numeric, (double)(i % 100) + 0.25, work->random,
                                     work->reports + 4 * (i % work->count), &why),
             &why);
}

static void count_numbers(void *argument, uint64_t times)
{
    struct numbers *work = argument;
    error why;
    for (uint64_t i = 0; i < times; i++)
        must(local_numeric_add(&work->tally, &work->numeric, work->reports, 4 * work->count, &why), &why);
}

static void number_client(const char *name, const void *argument)
{
    static struct numbers work;
    open_numbers(&work, argument, 1);
    bench_report(name, bench_rate(make_numbers, &work), "reports/s");
    close_numbers(&work);
}

static void number_aggregate(const char *name, const void *argument)
{
    static struct numbers work;
    open_numbers(&work, argument, 1);
    make_numbers(&work, work.count);
    bench_report(name, (double)work.count * bench_rate(count_numbers, &work), "reports/s");
    bench_report_part(name, "memory", (double)work.numeric.outputs * sizeof(uint64_t), "bytes");
    close_numbers(&work);
}

/* The mean of 100,000 people at epsilon 1, in parts of the range. */
static void number_error(const char *name, const void *argument)
{
    static struct numbers work;
    struct local_figure mean;
    error why;
    open_numbers(&work, argument, 1);
    size_t people = bench_is_quick() ? 1000 : 100000;
    for (size_t person = 0; person < people; person++) {
        must(local_numeric_randomise(&work.numeric, number_of(person, people), work.random, work.reports,
                                     &why),
             &why);
        must(local_numeric_add(&work.tally, &work.numeric, work.reports, 4, &why), &why);
    }
    must(local_numeric_mean(&work.tally, &work.numeric, 0.95, &mean, &why), &why);
    bench_report(name, fabs(mean.value - 200. / 3) / 100, "share");
    bench_report_part(name, "stated", mean.standard_error / 100, "share");
    close_numbers(&work);
}

/* The distribution of a million reports on 1024 steps, and how far its quantiles lie from the true ones, in parts of the range. */
static void wave_distribution(const char *name, const void *argument)
{
    static struct numbers work;
    static double shares[NUMERIC_STEPS + 1];
    error why;
    open_numbers(&work, argument, 1);
    for (size_t person = 0; person < work.count; person++)
        must(local_numeric_randomise(&work.numeric, number_of(person, work.count), work.random,
                                     work.reports + 4 * person, &why),
             &why);
    count_numbers(&work, 1);
    double begun = bench_clock_seconds(), off = 0;
    must(local_numeric_distribution(&work.tally, &work.numeric, true, shares, &why), &why);
    bench_report(name, bench_clock_seconds() - begun, "s");
    for (int i = 0; i < 100; i++)
        off +=
            fabs(local_numeric_quantile(&work.numeric, shares, (i + .5) / 100) - 100 * sqrt((i + .5) / 100)) /
            100;
    bench_report_part(name, "error", off / 100, "share");
    close_numbers(&work);
}

/* ---- Repeated questions ---- */

struct memory {
    struct local_lasting lasting;
    struct random *random;
    unsigned char identity[256], memo[256], report[512];
};

static void repeat(void *argument, uint64_t times)
{
    struct memory *work = argument;
    error why;
    for (uint64_t i = 0; i < times; i++)
        must(work->lasting.kind->report(&work->lasting, work->identity, work->memo, work->random,
                                        work->report, &why),
             &why);
}

/* Reports from a memo that is there; 1024 values. */
static void lasting_client(const char *name, const void *argument)
{
    static struct memory work;
    const struct local_lasting_kind *kind = local_lasting_kind_named(argument);
    const struct local_lasting_setting setting = {
        .domain = 1024, .epsilon = 1, .permanent = strcmp(argument, "dbitflip") == 0 ? 0 : 2};
    error why;
    must(local_lasting_init(&work.lasting, kind, &setting, &why), &why);
    must(random_open(&work.random, &why), &why);
    must(kind->identify(&work.lasting, work.random, work.identity, &why), &why);
    uint32_t key = kind->key(&work.lasting, work.identity, 7);
    must(kind->memorise(&work.lasting, work.identity, key, work.random, work.memo, &why), &why);
    bench_report(name, bench_rate(repeat, &work), "reports/s");
    random_close(work.random);
}

/* ---- Strings ---- */

/* Word k of Zipf's law, k from 1, in turn. */
static size_t word_of(size_t person, size_t people)
{
    static double before[WORDS + 1];
    if (before[WORDS] == 0)
        for (int k = 1; k <= WORDS; k++)
            before[k] = before[k - 1] + 1. / k;
    double at = ((double)person + 0.5) / (double)people * before[WORDS];
    size_t low = 0, high = WORDS;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        *(before[middle] <= at ? &low : &high) = middle;
    }
    return low;
}

/* 200,000 people, words of 8 bytes by Zipf's law over 1000, epsilon 4: the time of the search, and how many of the ten most frequent
 * it finds. */
static void prefix_survey(const char *name, const void *argument)
{
    (void)argument;
    static struct prefix_hitter found[64];
    const struct prefix_setting setting = {.epsilon = 4, .length = 8};
    const struct prefix_search search = {.keep = 64, .confidence = 0.95};
    size_t people = bench_is_quick() ? 2000 : 200000;
    struct prefix prefix;
    struct prefix_found told;
    struct random *random = NULL;
    error why;
    must(prefix_init(&prefix, &setting, &why), &why);
    must(random_open(&random, &why), &why);
    unsigned char *reports = must_allocate(people * prefix.report_bytes);
    for (size_t person = 0; person < people; person++) {
        char word[24];
        int length = snprintf(word, sizeof word, "w%07zu", word_of(person, people) * 7919 % 10000000);
        must(prefix_randomise(&prefix, word, (size_t)length, random, reports + person * prefix.report_bytes,
                              &why),
             &why);
    }
    double begun = bench_clock_seconds(), hits = 0;
    struct prefix_reports all = {reports, people * prefix.report_bytes};
    must(prefix_find(&(struct prefix_source){prefix_replay_memory, &all}, &prefix, &search, found, &told,
                     &why),
         &why);
    bench_report(name, bench_clock_seconds() - begun, "s");
    for (size_t top = 0; top < 10; top++) {
        char word[24];
        snprintf(word, sizeof word, "w%07zu", top * 7919 % 10000000);
        for (size_t i = 0; i < told.count; i++)
            hits += strcmp(found[i].text, word) == 0;
    }
    bench_report_part(name, "found", hits, "of 10");
    free(reports);
    random_close(random);
}

#define NUMBER(name)                                                                                         \
    {"local." name ".client.steps1024", number_client, name},                                                \
        {"local." name ".aggregate.steps1024", number_aggregate, name},                                      \
    {                                                                                                        \
        "local." name ".error.mean", number_error, name                                                      \
    }
#define LASTING(name)                                                                                        \
    {                                                                                                        \
        "local." name ".repeat.d1024", lasting_client, name                                                  \
    }

static const struct bench benches[] = {
    NUMBER("duchi"),
    NUMBER("piecewise"),
    NUMBER("hybrid"),
    NUMBER("wave"),
    {"local.wave.distribution.steps1024", wave_distribution, "wave"},
    LASTING("lgrr"),
    LASTING("lsue"),
    LASTING("losue"),
    LASTING("biloloha"),
    LASTING("ololoha"),
    LASTING("dbitflip"),
    {"local.prefix.search.words1000", prefix_survey, NULL},
};
const struct bench_group bench_local_more = BENCH_GROUP(benches);
