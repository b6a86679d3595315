/* An app that asks its user the same thing every day, and remembers its first noisy answers, so that a year of reports tells no more
 * about a mood than its memo does:
 *
 *     cc local_again.c $(pkg-config --cflags --libs dither)
 *     ./a.out STATE VALUE >> reports.txt       (without them: mood.state, and 1: good)
 *
 * The question was printed by `dither local survey examples/mood/mood.yaml --code`. The state is the account and the memory, as they lie
 * in memory: private, and for this device alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <dither.h>

static const dither_local_question mood_today = {
    .key = 0xaf9dc1d7ee2ad004,
    .mechanism = "lsue",
    .period = DITHER_LOCAL_DAILY,
    .epsilon = 0x1p+0,
    .domain = 3,
    .permanent = 0x1p+1,
};

struct state {
    dither_local_account account;
    unsigned char memory[512];
};

/* Beside the old file first: a state that is cut off in the middle would have to be paid for anew. */
static int save(const char *path, const struct state *state)
{
    char unfinished[1000];
    snprintf(unfinished, sizeof unfinished, "%s.new", path);
    FILE *file = fopen(unfinished, "wb");
    if (file == NULL)
        return 0;
    int written = fwrite(state, sizeof *state, 1, file) == 1;
    return fclose(file) == 0 && written && rename(unfinished, path) == 0;
}

int main(int argc, char **argv)
{
    static struct state state = {.account = {.cap = 10}};
    dither_error why;
    dither_local_client client;
    dither_local_memory memory = {state.memory, sizeof state.memory};
    unsigned char report[64];
    const char *path = argc > 1 ? argv[1] : "mood.state";
    uint32_t value = argc > 2 ? (uint32_t)atoi(argv[2]) : 1;
    FILE *file = fopen(path, "rb");
    if (file != NULL) {
        int known = fread(&state, sizeof state, 1, file) == 1;
        fclose(file);
        if (!known)
            return 1; /* an account that cannot be read allows nothing */
    }
    dither_random *random = dither_random_new(&why);
    if (random == NULL || dither_local_init(&client, &mood_today, &why) != DITHER_OK ||
        dither_local_memory_size(&client, 0) > sizeof state.memory ||
        dither_local_report_size(&client) > sizeof report ||
        dither_local_report_again(&client, value, time(NULL), &state.account, &memory, random, report,
                                  &why) != DITHER_OK) {
        fprintf(stderr, "%s\n", why.message);
        dither_random_free(random);
        return 1;
    }
    dither_random_free(random);
    if (!save(path, &state))
        return 1;
    for (size_t i = 0; i < dither_local_report_size(&client); i++)
        printf("%02x", report[i]);
    putchar('\n');
    return 0;
}
