/* How long a whole question takes inside a running process when nothing has to be drawn.
 *
 *     ask.cached.seconds   the same analyst asks the same again
 *     ask.stored.seconds   he asks it in other words: parse, plan, price, two entries in the ledger (each synced to
 *                          disk), post-processing, answer */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/bench.h"
#include "curator/curator.h"

enum { PEOPLE = 10000, RUNS = 200 };

struct house {
    char folder[64], policy[96], state[96];
    struct curator *curator;
};

static void give_up(const char *what, const char *why)
{
    fprintf(stderr, "dither_bench: %s: %s\n", what, why);
    exit(1);
}

static FILE *file_in(const struct house *house, const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", house->folder, name);
    FILE *file = fopen(path, "w");
    if (file == NULL)
        give_up(path, "cannot be written");
    return file;
}

static void write_files(const struct house *house)
{
    FILE *file = file_in(house, "people.csv");
    fputs("id,region\n", file);
    for (int i = 0; i < PEOPLE; i++)
        fprintf(file, "%d,r%d\n", i, i % 4);
    fclose(file);
    file = file_in(house, "policy.yaml");
    fputs("dataset: cached\n"
          "tables:\n"
          "  people:\n"
          "    source: people.csv\n"
          "    unit: id\n"
          "    rows_per_unit: 1\n"
          "    columns:\n"
          "      id: {type: integer}\n"
          "      region: {type: text, values: [r0, r1, r2, r3]}\n"
          "budget: {epsilon: 10, per_question: 0.1}\n",
          file);
    fclose(file);
}

static void ask(struct house *house, const char *text)
{
    struct curator_question question = {.text = text};
    struct curator_answer *answer = NULL;
    error why;
    if (curator_ask(house->curator, &question, &answer, &why) != DITHER_OK)
        give_up("ask.cached", why.message);
    bench_keep(answer->rows.row_count);
    curator_answer_free(answer);
}

/* `words`: a different text each time. */
static double ask_again(struct house *house, bool words)
{
    double seconds[RUNS];
    size_t runs = bench_is_quick() ? 2 : RUNS;
    for (size_t i = 0; i < runs; i++) {
        char text[128];
        snprintf(text, sizeof text, "SELECT region, count(*) AS n%zu FROM people GROUP BY region",
                 words ? i + 1 : 0);
        double begun = bench_clock_seconds();
        ask(house, text);
        seconds[i] = bench_clock_seconds() - begun;
    }
    return bench_median(seconds, runs);
}

static void cached(const char *name, const void *argument)
{
    struct house house = {.folder = "/tmp/dither-bench-XXXXXX"};
    char command[96];
    error why;
    if (mkdtemp(house.folder) == NULL)
        give_up(name, "no folder can be made");
    snprintf(house.policy, sizeof house.policy, "%s/policy.yaml", house.folder);
    snprintf(house.state, sizeof house.state, "%s/state", house.folder);
    write_files(&house);
    if (curator_open(house.policy, &(struct curator_options){.state_directory = house.state}, &house.curator,
                     &why) != DITHER_OK)
        give_up(name, why.message);
    ask(&house, "SELECT region, count(*) AS n0 FROM people GROUP BY region"); /* this one is drawn */
    bench_report(name, ask_again(&house, argument != NULL), "s");
    curator_close(house.curator);
    snprintf(command, sizeof command, "rm -rf '%s'", house.folder);
    if (system(command) != 0)
        give_up(name, "its folder stays behind");
}

static const struct bench benches[] = {
    {"ask.cached.seconds", cached, NULL},
    {"ask.stored.seconds", cached, "words"},
};
const struct bench_group bench_cached = BENCH_GROUP(benches);
