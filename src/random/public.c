/* The public face of the room: dither.h's random bits. */
#include "random/random.h"

dither_random *dither_random_new(dither_error *why)
{
    struct random *random = NULL;
    return random_open(&random, why) == DITHER_OK ? (dither_random *)random : NULL;
}

void dither_random_free(dither_random *random)
{
    random_close((struct random *)random);
}
