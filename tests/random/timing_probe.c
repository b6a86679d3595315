/* Draws one vector of two-sided geometric noise from words that give 0, small or large noise, as the argument
 * says. It is run under callgrind by test_timing.sh, which compares the instructions that geometric_add
 * takes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random/geometric.h"

enum { COUNT = 100 };

struct script {
    const struct geometric *geometric;
    int digit; /* of every entry */
};

/* Every word lies in the share of the wanted digit, one step above its lower cut. */
static status refill(void *opaque, unsigned char *bytes, size_t size, error *why)
{
    (void)why;
    const struct script *script = opaque;
    uint64_t *words = (uint64_t *)(void *)bytes;
    memset(bytes, 0, size);
    for (int entry = 0; entry < script->geometric->digits; entry++)
        for (size_t lane = 0; lane < COUNT; lane++)
            words[(size_t)entry * COUNT + lane] =
                entry == 0 ? script->geometric->cut[0][1] + (script->digit % 2 == 0 ? 5 : (uint64_t)-5)
                : script->digit == 0 ? 5
                                     : script->geometric->cut[entry][script->digit - 1] + 5;
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
    struct script script = {&geometric, atoi(argv[1])};
    struct random_source source = {refill, NULL, &script};
    if (random_open_source(source, &random, &why) != DITHER_OK ||
        geometric_add(&geometric, random, values, COUNT, &why) != DITHER_OK)
        return 1;
    printf("%lld\n", (long long)values[0]);
    random_close(random);
    return 0;
}
