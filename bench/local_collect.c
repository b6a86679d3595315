/* The collector as a whole: reports checked, recognised as new, written, synced, folded; from a file's bytes, and over HTTP. */
#include "bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/must.h"
#include "local/collect.h"
#include "local/survey_report.h"

enum { VALUES = 1024 };

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
    unsigned char report[REPORT_HEAD + VALUES / 8];
    double begun = bench_clock_seconds();
    for (uint64_t i = 0; i < people; i++) {
        const struct report_head head = {survey_file->questions[0].key, 0, i * UINT64_C(0x9e3779b97f4a7c15)};
        report_head_write(&head, report);
        memset(report + REPORT_HEAD, (int)(i & 0xff), VALUES / 8);
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

static const struct bench benches[] = {
    {"local.collect.oue.d1024", collect, NULL},
};
const struct bench_group bench_local_collect = BENCH_GROUP(benches);
