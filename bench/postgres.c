/* What privacy costs on PostgreSQL: 5 million rows, 50 groups; scratch servers, two cores shared by all of them.
 *
 *     postgres.one_row.sum.ratio        one row of each unit, proved, to the plain sum
 *     postgres.many_rows.sum.ratio      1 million units, each in at most 3 groups, to the plain sum
 *     postgres.many_rows.sum.vs_hand    the same to the best two-level aggregate that one writes by hand: it clamps and
 *                                       bounds as we do, but adds up doubles, in whatever order
 *     cluster.many_rows.sum.speedup     the same on one server over a coordinator and two shards */
#include <stdio.h>

#include "bench/bench.h"
#include "bench/postgres_data.h"

static const char one_row[] = "SELECT k, sum(v) FROM people GROUP BY k";
static const char many_rows[] = "SELECT k, sum(v) FROM visits GROUP BY k";
static const char plain_one_row[] = "SELECT k, sum(v) FROM public.people GROUP BY k";
static const char plain_many_rows[] = "SELECT k, sum(v) FROM public.visits GROUP BY k";
static const char by_hand[] = "SELECT k, sum(s) FROM (SELECT k, least(greatest(s, 0), 100000) AS s, "
                              "row_number() OVER (PARTITION BY u ORDER BY "
                              "hashint8extended(k, u)) AS place FROM (SELECT u, k, sum(least(greatest(v, 0), "
                              "5000)) AS s FROM public.visits "
                              "GROUP BY u, k) AS inside) AS bounded WHERE place <= 3 GROUP BY k";

static void run_release(void *argument, uint64_t times)
{
    for (uint64_t i = 0; i < times; i++)
        postgres_data_release(argument);
}

static void run_plain(void *argument, uint64_t times)
{
    struct postgres_data *data = argument;
    for (uint64_t i = 0; i < times; i++)
        postgres_data_query(data, data->plain);
}

static uint64_t rows(void)
{
    return bench_is_quick() ? 20000 : 5000000;
}

static bool skips(const char *name)
{
    if (!postgres_data_available())
        fprintf(stderr, "dither_bench: %s: there is no PostgreSQL to start\n", name);
    return !postgres_data_available();
}

static void measure_one_row(const char *name, const void *unused)
{
    struct postgres_data data;
    double seconds = 0;
    (void)unused;
    if (skips(name))
        return;
    postgres_data_open(&data, false, rows(), rows() / 5);
    postgres_data_prepare(&data, one_row);
    data.plain = plain_one_row;
    bench_report(name, bench_ratio(run_release, run_plain, &data, &seconds), "ratio");
    bench_report("postgres.one_row.sum.seconds", seconds, "s");
    postgres_data_close(&data);
}

static void measure_many_rows(const char *name, const void *unused)
{
    struct postgres_data data;
    double seconds = 0;
    (void)unused;
    if (skips(name))
        return;
    postgres_data_open(&data, false, rows(), rows() / 5);
    postgres_data_prepare(&data, many_rows);
    data.plain = by_hand;
    bench_report(name, bench_ratio(run_release, run_plain, &data, &seconds), "ratio");
    bench_report("postgres.many_rows.sum.seconds", seconds, "s");
    data.plain = plain_many_rows;
    bench_report("postgres.many_rows.sum.ratio", bench_ratio(run_release, run_plain, &data, NULL), "ratio");
    postgres_data_close(&data);
}

struct pair {
    struct postgres_data one, three;
};

static void run_one(void *argument, uint64_t times)
{
    run_release(&((struct pair *)argument)->one, times);
}

static void run_three(void *argument, uint64_t times)
{
    run_release(&((struct pair *)argument)->three, times);
}

static void measure_cluster(const char *name, const void *unused)
{
    static struct pair pair;
    (void)unused;
    if (skips(name))
        return;
    postgres_data_open(&pair.one, false, rows(), rows() / 5);
    postgres_data_open(&pair.three, true, rows(), rows() / 5);
    postgres_data_prepare(&pair.one, many_rows);
    postgres_data_prepare(&pair.three, many_rows);
    bench_report(name, bench_ratio(run_one, run_three, &pair, NULL), "ratio");
    postgres_data_close(&pair.one);
    postgres_data_close(&pair.three);
}

static const struct bench benches[] = {
    {"postgres.one_row.sum.ratio", measure_one_row, NULL},
    {"postgres.many_rows.sum.vs_hand", measure_many_rows, NULL},
    {"cluster.many_rows.sum.speedup", measure_cluster, NULL},
};
const struct bench_group bench_postgres = BENCH_GROUP(benches);
