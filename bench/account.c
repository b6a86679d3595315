/* How long the accountant thinks, and how far apart his two bounds are. */
#include "bench/bench.h"

#include <stdio.h>
#include <stdlib.h>

#include "account/account_plan.h"

struct sequence {
    struct release releases[2];
    size_t count;
    double delta;
};

struct work {
    const struct sequence *sequence;
    struct account_bounds epsilon;
};

static void account(void *argument, uint64_t times)
{
    struct work *work = argument;
    for (uint64_t i = 0; i < times; i++) {
        struct account_plan *plan = NULL;
        error why;
        if (account_plan_new(&plan, work->sequence->releases, work->sequence->count, &why) != DITHER_OK ||
            account_plan_epsilon(plan, work->sequence->delta, &work->epsilon, &why) != DITHER_OK) {
            fprintf(stderr, "dither_bench: %s\n", why.message);
            exit(1);
        }
        account_plan_free(plan);
    }
}

/* NAME.seconds for one question asked anew, and NAME.gap between the bounds, relative. */
static void measure(const char *name, const void *argument)
{
    struct work work = {.sequence = argument};
    double rate = bench_rate(account, &work);
    bench_report_part(name, "seconds", 1 / rate, "s");
    bench_report_part(name, "gap", (work.epsilon.upper - work.epsilon.lower) / work.epsilon.upper, "ratio");
}

static const struct sequence laplace = {{{.kind = RELEASE_LAPLACE, .scale = 10, .count = 10000}}, 1, 1e-6};
static const struct sequence gaussian = {{{.kind = RELEASE_GAUSSIAN, .scale = 20, .count = 10000}}, 1, 1e-6};
static const struct sequence subsampled = {
    {{.kind = RELEASE_GAUSSIAN, .scale = 1, .sampling = 0.01, .count = 10000}}, 1, 1e-5};
static const struct sequence mixed = {{{.kind = RELEASE_LAPLACE, .scale = 10, .count = 50},
                                       {.kind = RELEASE_GAUSSIAN, .scale = 10, .count = 50}},
                                      2,
                                      1e-6};

static const struct bench benches[] = {
    {"account.laplace_x10000", measure, &laplace},
    {"account.gaussian_x10000", measure, &gaussian},
    {"account.subsampled_gaussian_x10000", measure, &subsampled},
    {"account.mixed_100", measure, &mixed},
};
const struct bench_group bench_account = BENCH_GROUP(benches);
