/* Timing: medians, because the mean of a few runs on a busy machine tells about the machine. */
#include "bench/bench.h"
#include "bench/measure.h"

#include <assert.h>
#include <stdlib.h>
#include <time.h>

static struct {
    size_t runs;
    double run_seconds;
} effort = {.runs = 7, .run_seconds = 0.1};

void measure_quickly(void)
{
    effort.runs = 1;
    effort.run_seconds = 1e-6; /* not nothing: a rate divides by it */
}

bool bench_is_quick(void)
{
    return effort.runs == 1;
}

double bench_clock_seconds(void)
{
    struct timespec now;

    int failed = clock_gettime(CLOCK_MONOTONIC, &now);
    assert(!failed);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;

    return (a > b) - (a < b);
}

double bench_median(double *values, size_t count)
{
    assert(count > 0);
    qsort(values, count, sizeof(values[0]), compare_doubles);
    return count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static double seconds_of(bench_work *work, void *argument, uint64_t times)
{
    double start = bench_clock_seconds();

    work(argument, times);
    return bench_clock_seconds() - start;
}

/* The least power of two of repetitions that keeps the clock busy for long enough; also warms up. */
static uint64_t enough_times(bench_work *work, void *argument)
{
    uint64_t times = 1;

    while (seconds_of(work, argument, times) < effort.run_seconds)
        times *= 2;
    return times;
}

enum { MOST_RUNS = 7 };

double bench_rate(bench_work *work, void *argument)
{
    double seconds[MOST_RUNS];

    assert(effort.runs <= MOST_RUNS);
    uint64_t times = enough_times(work, argument);
    for (size_t run = 0; run < effort.runs; run++)
        seconds[run] = seconds_of(work, argument, times);
    return (double)times / bench_median(seconds, effort.runs);
}

double bench_ratio(bench_work *work, bench_work *plain, void *argument, double *work_seconds)
{
    double of_work[MOST_RUNS];
    double of_plain[MOST_RUNS];

    assert(effort.runs <= MOST_RUNS);
    plain(argument, 1);
    work(argument, 1);
    for (size_t run = 0; run < effort.runs; run++) {
        of_plain[run] = seconds_of(plain, argument, 1);
        of_work[run] = seconds_of(work, argument, 1);
    }
    double median = bench_median(of_work, effort.runs);
    if (work_seconds)
        *work_seconds = median;
    return median / bench_median(of_plain, effort.runs);
}
