#include "tests/support/fixed_source.h"

#include <stdlib.h>
#include <string.h>

struct state {
    uint64_t counter;
    const uint64_t *words;
    size_t count;
};

/* Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators". */
static uint64_t next_word(uint64_t *counter)
{
    uint64_t z = (*counter += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static status refill_fixed(void *opaque, unsigned char *bytes, size_t count, error *why)
{
    (void)why;
    struct state *state = opaque;
    for (size_t i = 0; i + 8 <= count; i += 8) {
        uint64_t word = next_word(&state->counter);
        memcpy(bytes + i, &word, sizeof word);
    }
    return DITHER_OK;
}

static status refill_script(void *opaque, unsigned char *bytes, size_t count, error *why)
{
    struct state *state = opaque;
    if (state->count == 0)
        return fail(why, DITHER_NO_ENTROPY, "the script has ended");
    size_t words = count / sizeof(uint64_t) < state->count ? count / sizeof(uint64_t) : state->count;
    memset(bytes, 0, count);
    memcpy(bytes, state->words, words * sizeof(uint64_t));
    state->words += words;
    state->count -= words;
    return DITHER_OK;
}

static struct random *open_source(status (*refill)(void *, unsigned char *, size_t, error *),
                                  struct state initial)
{
    struct state *state = malloc(sizeof *state);
    struct random *random = NULL;
    if (state == NULL)
        abort();
    *state = initial;
    struct random_source source = {.refill = refill, .close = free, .state = state};
    if (random_open_source(source, &random, NULL) != DITHER_OK)
        abort();
    return random;
}

struct random *fixed_source(uint64_t seed)
{
    return open_source(refill_fixed, (struct state){.counter = seed});
}

struct random *script_source(const uint64_t *words, size_t count)
{
    return open_source(refill_script, (struct state){.words = words, .count = count});
}
