/* How fast exact noise is drawn, on one core, and how much secret randomness a draw takes. */
#include "bench/bench.h"

#include <stdio.h>
#include <stdlib.h>

#include "random/discrete_gaussian.h"

enum { VECTOR = 16384 };

struct drawing {
    struct random *random;
    struct geometric geometric;
    struct discrete_gaussian gaussian;
    int64_t values[VECTOR];
};

static void must(status result, const error *why)
{
    if (result != DITHER_OK) {
        fprintf(stderr, "dither_bench: %s\n", why->message);
        exit(1);
    }
}

static void draw_geometric(void *argument, uint64_t times)
{
    struct drawing *drawing = argument;
    error why;
    for (uint64_t i = 0; i < times; i++)
        must(geometric_add(&drawing->geometric, drawing->random, drawing->values, VECTOR, &why), &why);
    bench_keep((uint64_t)drawing->values[0]);
}

static void draw_gaussian(void *argument, uint64_t times)
{
    struct drawing *drawing = argument;
    error why;
    for (uint64_t i = 0; i < times; i++)
        must(discrete_gaussian_add(&drawing->gaussian, drawing->random, drawing->values, VECTOR, &why), &why);
    bench_keep((uint64_t)drawing->values[0]);
}

static void measure(const char *name, bench_work *work, struct drawing *drawing)
{
    error why;
    must(random_open(&drawing->random, &why), &why);
    bench_report(name, VECTOR * bench_rate(work, drawing), "samples/s");
    uint64_t before = random_bytes_used(drawing->random);
    work(drawing, 1);
    bench_report_part(name, "bytes", (double)(random_bytes_used(drawing->random) - before) / VECTOR,
                      "bytes/sample");
    random_close(drawing->random);
}

static void geometric(const char *name, const void *argument)
{
    static struct drawing drawing;
    error why;
    must(geometric_init(&drawing.geometric, rational_from_double(*(const double *)argument), &why), &why);
    measure(name, draw_geometric, &drawing);
}

static void discrete_gaussian(const char *name, const void *argument)
{
    static struct drawing drawing;
    const double sigma = *(const double *)argument;
    error why;
    must(discrete_gaussian_init(&drawing.gaussian, rational_from_double(sigma * sigma), &why), &why);
    measure(name, draw_gaussian, &drawing);
}

static const double one = 1, ten = 10, hundred = 100, thousand = 1000;

static const struct bench benches[] = {
    {"noise.geometric.scale1", geometric, &one},
    {"noise.geometric.scale10", geometric, &ten},
    {"noise.geometric.scale100", geometric, &hundred},
    {"noise.geometric.scale1000", geometric, &thousand},
    {"noise.discrete_gaussian.sigma1", discrete_gaussian, &one},
    {"noise.discrete_gaussian.sigma10", discrete_gaussian, &ten},
    {"noise.discrete_gaussian.sigma100", discrete_gaussian, &hundred},
    {"noise.discrete_gaussian.sigma1000", discrete_gaussian, &thousand},
};
const struct bench_group bench_noise = BENCH_GROUP(benches);
