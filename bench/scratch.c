/* What follows a release, for a table of four rows: put it into scratch, ask, drop it.
 *
 *     scratch.inside.seconds    in this process, as for `ask`
 *     scratch.process.seconds   in a process of its own, as under `serve` */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/bench.h"
#include "engine/scratch.h"

static void give_up(const char *why)
{
    fprintf(stderr, "dither_bench: scratch: %s\n", why);
    exit(1);
}

static void work(void *argument, uint64_t times)
{
    static const struct scratch_column columns[] = {{SQL_TEXT, 0}, {SQL_INTEGER, 0}};
    struct sql_value cells[8];
    const struct sql_rows rows = {.column_count = 2, .row_count = 4, .cells = cells};
    struct sql_rows answer;
    struct arena arena;
    error why;
    for (int64_t i = 0; i < 4; i++) {
        cells[2 * i] = (struct sql_value){.type = SQL_TEXT, .text = "north"};
        cells[2 * i + 1] = (struct sql_value){.type = SQL_INTEGER, .whole = i};
    }
    for (uint64_t i = 0; i < times; i++) {
        arena_init(&arena, 1 << 20);
        if (scratch_put(argument, "release_1", columns, &rows, &why) != DITHER_OK ||
            scratch_query(argument, "SELECT c0, c1 FROM release_1 WHERE c1 > 1 ORDER BY c1 DESC", columns, 2,
                          100, &arena, &answer, &why) != DITHER_OK)
            give_up(why.message);
        bench_keep(answer.row_count);
        scratch_drop(argument, "release_1");
        arena_free(&arena);
    }
}

/* The program beside the bench: build/bench/dither_bench, build/dither. */
static void find_program(char *path, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", path, size - 1);
    if (length <= 0)
        give_up("where is it?");
    path[length] = '\0';
    for (int i = 0; i < 2; i++) {
        char *slash = strrchr(path, '/');
        if (slash != NULL)
            *slash = '\0';
    }
    strncat(path, "/dither", size - strlen(path) - 1);
}

static void run(const char *name, const void *argument)
{
    char program[4096] = "";
    struct scratch *scratch = NULL;
    error why;
    find_program(program, sizeof program);
    const struct scratch_options options = {.threads = 1, .program = argument != NULL ? program : NULL};
    if (scratch_open(&options, &scratch, &why) != DITHER_OK)
        give_up(why.message);
    bench_report(name, 1 / bench_rate(work, scratch), "s");
    scratch_close(scratch);
}

static const struct bench benches[] = {{"scratch.inside.seconds", run, NULL},
                                       {"scratch.process.seconds", run, "process"}};
const struct bench_group bench_scratch = BENCH_GROUP(benches);
