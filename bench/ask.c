/* What privacy costs in the engine: the time of a release over that of the plain query on the same rows.
 *
 *     ask.one_row.*       one row of each unit, proved: 10 million rows, 50 groups
 *     ask.many_rows.*     5 million rows of 1 million units, 50 groups, of which a unit may be in 3
 *
 * ..._text has text keys, ..._50m has 50 million rows. `.ratio` is to the plain query; `.vs_sql` to the best
 * plain SQL that bounds as we do (key and hash in one number, a window over it); `.vs_group_by_unit` to
 * SELECT unit, count(*) GROUP BY unit, the least that any bounding has to do. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/ask_data.h"
#include "bench/bench.h"

static void run_release(void *argument, uint64_t times)
{
    struct ask_data *data = argument;
    for (uint64_t i = 0; i < times; i++)
        ask_data_release(data);
}

static void run_plain(void *argument, uint64_t times)
{
    struct ask_data *data = argument;
    for (uint64_t i = 0; i < times; i++)
        ask_data_query(data, data->plain);
}

struct setting {
    const char *suffix; /* "", "_text", "_50m" */
    struct ask_size size;
    bool sum, text, one_row;
};

/* ask.many_rows.sum.ratio_text and "vs_sql" -> ask.many_rows.sum.vs_sql_text */
static void report(const char *name, const char *what, const char *suffix, double value, const char *unit)
{
    char full[96];
    snprintf(full, sizeof full, "%.*s.%s%s", (int)(strrchr(name, '.') - name), name, what, suffix);
    bench_report(full, value, unit);
}

/* `name` is that of the ratio; the others are like it. */
static void measure_ratio(const char *name, const void *argument)
{
    const struct setting *setting = argument;
    struct ask_data data;
    double seconds;

    ask_data_open(&data, &setting->size);
    ask_data_prepare(&data, setting->sum, setting->text, setting->one_row);
    double ratio = bench_ratio(run_release, run_plain, &data, &seconds);
    report(name, "ratio", setting->suffix, ratio, "ratio");
    report(name, "seconds", setting->suffix, seconds, "s");
    if (!setting->one_row && setting->sum) {
        ask_data_plain_bounding(&data);
        report(name, "vs_sql", setting->suffix, bench_ratio(run_release, run_plain, &data, NULL), "ratio");
        ask_data_plain_units(&data);
        report(name, "vs_group_by_unit", setting->suffix, bench_ratio(run_release, run_plain, &data, NULL),
               "ratio");
    }
    ask_data_close(&data);
}

/* How time and memory grow with the rows: 1 : 10 : 100. */
static void measure_growth(const char *name, const void *argument)
{
    const struct setting *setting = argument;

    for (uint64_t times = 1; times <= 100; times *= 10) {
        struct ask_size size = {setting->size.rows * times, setting->size.units * times};
        struct ask_data data;
        char what[64];
        double seconds;

        ask_data_open(&data, &size);
        ask_data_prepare(&data, setting->sum, setting->text, setting->one_row);
        (void)bench_ratio(run_release, run_plain, &data, &seconds);
        snprintf(what, sizeof what, "x%u.seconds", (unsigned)times);
        report(name, what, "", seconds, "s");
        snprintf(what, sizeof what, "x%u.bytes", (unsigned)times);
        report(name, what, "", ask_data_peak_bytes(&data), "bytes");
        ask_data_close(&data);
    }
}

#define MILLION 1000000

static const struct setting one_row_count = {
    .suffix = "", .size = {10 * MILLION, 10 * MILLION}, .one_row = true};
static const struct setting one_row_sum = {
    .suffix = "", .size = {10 * MILLION, 10 * MILLION}, .one_row = true, .sum = true};
static const struct setting one_row_sum_text = {
    .suffix = "_text", .size = {10 * MILLION, 10 * MILLION}, .one_row = true, .sum = true, .text = true};
static const struct setting one_row_sum_50m = {
    .suffix = "_50m", .size = {50 * MILLION, 50 * MILLION}, .one_row = true, .sum = true};
static const struct setting many_rows_count = {.suffix = "", .size = {5 * MILLION, MILLION}};
static const struct setting many_rows_sum = {.suffix = "", .size = {5 * MILLION, MILLION}, .sum = true};
static const struct setting many_rows_sum_text = {
    .suffix = "_text", .size = {5 * MILLION, MILLION}, .sum = true, .text = true};
static const struct setting many_rows_sum_50m = {
    .suffix = "_50m", .size = {50 * MILLION, 10 * MILLION}, .sum = true};
static const struct setting growth = {.suffix = "", .size = {MILLION / 5, MILLION / 25}, .sum = true};

static const struct bench benches[] = {
    {"ask.one_row.count.ratio", measure_ratio, &one_row_count},
    {"ask.one_row.sum.ratio", measure_ratio, &one_row_sum},
    {"ask.one_row.sum.ratio_text", measure_ratio, &one_row_sum_text},
    {"ask.one_row.sum.ratio_50m", measure_ratio, &one_row_sum_50m},
    {"ask.many_rows.count.ratio", measure_ratio, &many_rows_count},
    {"ask.many_rows.sum.ratio", measure_ratio, &many_rows_sum},
    {"ask.many_rows.sum.ratio_text", measure_ratio, &many_rows_sum_text},
    {"ask.many_rows.sum.ratio_50m", measure_ratio, &many_rows_sum_50m},
    {"ask.growth.rows", measure_growth, &growth},
};
const struct bench_group bench_ask = BENCH_GROUP(benches);
