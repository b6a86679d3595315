/* The bench: measures how fast we are, under names that stay the same so that versions can be compared.
 *
 * A file bench/NAME.c defines `const struct bench_group bench_NAME` and has one line in bench/main.c:
 *
 *     static void draw(void *generator, uint64_t times)
 *     {
 *         for (uint64_t i = 0; i < times; i++)
 *             bench_keep((uint64_t)geometric_draw(generator));
 *     }
 *
 *     static void geometric(const char *name, const void *argument)
 *     {
 *         ...
 *         bench_report(name, bench_rate(draw, &generator), "samples/s");
 *     }
 *
 *     static const struct bench benches[] = {{"noise.geometric.scale1000", geometric, NULL}};
 *     const struct bench_group bench_noise = BENCH_GROUP(benches);
 */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One benchmark. `run` sets up what it needs, measures, and reports under its own name; it may report further
 * values under names that begin with its own. */
struct bench {
    const char *name; /* room.thing.variant, lower case */
    void (*run)(const char *name, const void *argument);
    const void *argument;
};

struct bench_group {
    const struct bench *benches;
    size_t count;
};

#define BENCH_GROUP(array)                                                                                   \
    {                                                                                                        \
        .benches = (array), .count = sizeof(array) / sizeof((array)[0])                                      \
    }

/* Work to be measured: does its thing `times` times. */
typedef void bench_work(void *argument, uint64_t times);

/* Puts a result into the table and into the JSON. Units: "samples/s", "questions/s", "s", "bytes", "ratio".
 */
void bench_report(const char *name, double value, const char *unit);
/* A further figure of the same row: "NAME.PART". */
void bench_report_part(const char *name, const char *part, double value, const char *unit);

/* How often `work` is done in a second: the median of several runs, each long enough for the clock. */
double bench_rate(bench_work *work, void *argument);

/* How many times longer `work` takes than `plain`, each done once a run: the two alternate, and the ratio is
 * that of their medians. Where `work_seconds` is not NULL it receives the median time of `work`. */
double bench_ratio(bench_work *work, bench_work *plain, void *argument, double *work_seconds);

/* Whether everything is done once, to show that it works: then small data will do. */
bool bench_is_quick(void);

/* Seconds on a clock that only goes forward. */
double bench_clock_seconds(void);

/* The middle of `count` > 0 values (of an even number, the mean of the middle two). Sorts them. */
double bench_median(double *values, size_t count);

/* Makes the compiler believe that `value` is used. */
static inline void bench_keep(uint64_t value)
{
    __asm__ volatile("" : : "r"(value) : "memory");
}

#endif
