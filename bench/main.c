/* dither_bench: runs the benchmarks, prints a table and writes it as JSON.
 *
 * Every bench/NAME.c defines `const struct bench_group bench_NAME`; a line here lets it in: group(NAME) */
#define GROUPS(group)                                                                                        \
    group(account) group(ask) group(cached) group(local) group(local_collect) group(local_compare)           \
        group(local_more) group(noise) group(postgres) group(scratch) group(serve)

#include "bench/bench.h"
#include "bench/measure.h"

#include <errno.h>
#include <getopt.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DECLARE(name) extern const struct bench_group bench_##name;
#define ADDRESS(name) &bench_##name,

GROUPS(DECLARE)
static const struct bench_group *const groups[] = {GROUPS(ADDRESS) NULL};

static json_t *results;

void bench_report(const char *name, double value, const char *unit)
{
    json_t *result = json_pack("{s:s, s:f, s:s}", "name", name, "value", value, "unit", unit);

    if (!result || json_array_append_new(results, result) != 0) {
        fprintf(stderr, "dither_bench: %s: no such number can be written as JSON, or no memory\n", name);
        exit(1);
    }
    printf("%-48s %14.6g  %s\n", name, value, unit);
    fflush(stdout);
}

void bench_report_part(const char *name, const char *part, double value, const char *unit)
{
    char whole[120];
    snprintf(whole, sizeof whole, "%s.%s", name, part);
    bench_report(whole, value, unit);
}

/* Calls `visit` for every benchmark whose name begins with `prefix`; returns how many there were. */
static size_t for_each(const char *prefix, void (*visit)(const struct bench *))
{
    size_t visited = 0;

    for (const struct bench_group *const *group = groups; *group; group++)
        for (size_t i = 0; i < (*group)->count; i++) {
            const struct bench *bench = &(*group)->benches[i];
            if (strncmp(bench->name, prefix, strlen(prefix)) == 0) {
                visit(bench);
                visited++;
            }
        }
    return visited;
}

static void print_name(const struct bench *bench)
{
    puts(bench->name);
}

static void run(const struct bench *bench)
{
    bench->run(bench->name, bench->argument);
}

/* Writes beside the file and renames, so that a reader never sees half of it. */
static bool write_results(const char *path)
{
    char unfinished[4096];

    if (snprintf(unfinished, sizeof(unfinished), "%s.new", path) >= (int)sizeof(unfinished)) {
        errno = ENAMETOOLONG;
        return false;
    }
    return json_dump_file(results, unfinished, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) == 0 &&
           rename(unfinished, path) == 0;
}

static const char usage[] = "usage: dither_bench [--only PREFIX] [--list] [--quick] [--output FILE]\n"
                            "  --only PREFIX   only the benchmarks whose names begin so\n"
                            "  --list          print the names and stop\n"
                            "  --quick         do everything once: a test that the benchmarks work\n"
                            "  --output FILE   write the results there as JSON\n";

int main(int argc, char **argv)
{
    static const struct option options[] = {
        {"only", required_argument, NULL, 'p'}, {"list", no_argument, NULL, 'l'},
        {"quick", no_argument, NULL, 'q'},      {"output", required_argument, NULL, 'o'},
        {"help", no_argument, NULL, 'h'},       {NULL, 0, NULL, 0},
    };
    const char *only = "";
    const char *output = NULL;
    bool list = false;

    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (option) {
        case 'p':
            only = optarg;
            break;
        case 'l':
            list = true;
            break;
        case 'q':
            measure_quickly();
            break;
        case 'o':
            output = optarg;
            break;
        case 'h':
            fputs(usage, stdout);
            return 0;
        default:
            fputs(usage, stderr);
            return 2;
        }
    }
    if (optind != argc) {
        fputs(usage, stderr);
        return 2;
    }
    if (list) {
        for_each(only, print_name);
        return 0;
    }

    results = json_array();
    printf("%-48s %14s  %s\n", "name", "value", "unit");
    if (for_each(only, run) == 0 && *only) {
        fprintf(stderr, "dither_bench: no benchmark's name begins with %s\n", only);
        return 1;
    }
    if (output && !write_results(output)) {
        fprintf(stderr, "dither_bench: %s: %s\n", output, strerror(errno));
        return 1;
    }
    json_decref(results);
    return 0;
}
