/* Draws one vector of two-sided geometric noise from words that give 0, small or large noise, as the argument
 * says. It is run under callgrind by test_timing.sh, which compares the instructions that geometric_add
 * takes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random/geometric.h"

enum { COUNT = 100 };

/* Every word lies in the share of the wanted digit, a few steps above its lower cut; where that share has no
 * words, the sum wraps to digit 0. */
static void choose_words(const struct geometric *geometric, int digit, uint64_t *words)
{
    for (int entry = 0; entry < geometric->digits; entry++)
        for (size_t lane = 0; lane < COUNT; lane++)
            words[(size_t)entry * COUNT + lane] =
                entry == 0   ? geometric->cut[0][1] + (digit % 2 == 0 ? 5 : (uint64_t)-5)
                : digit == 0 ? 5
                             : geometric->cut[entry][digit - 1] + 5;
}

/* The words are ready: what counts is the drawing. */
static status refill(void *words, unsigned char *bytes, size_t size, error *why)
{
    (void)why;
    memcpy(bytes, words, size);
    return DITHER_OK;
}

int main(int argc, char **argv)
{
    struct geometric geometric;
    struct random *random = NULL;
    error why;
    int64_t values[COUNT] = {0};
    if (argc != 2 || geometric_init(&geometric, rational_from_double(1000), &why) != DITHER_OK)
        return 2;
    static uint64_t words[RANDOM_BUFFER_WORDS];
    choose_words(&geometric, atoi(argv[1]), words);
    struct random_source source = {refill, NULL, words};
    if (random_open_source(source, &random, &why) != DITHER_OK ||
        geometric_add(&geometric, random, values, COUNT, &why) != DITHER_OK)
        return 1;
    printf("%lld\n", (long long)values[0]);
    random_close(random);
    return 0;
}
