/* Lemire 2019, "Fast random integer generation in an interval": the high half of word * n is below n, and
 * each value gets equally many words once the few words with a low half under 2^64 mod n are drawn again. */
#include "random/uniform.h"

#include <assert.h>

#include "base/rational.h"

status uniform_below(struct random *random, uint64_t n, uint64_t *out, error *why)
{
    assert(n > 0);
    uint64_t excess = -n % n; /* 2^64 mod n */
    uint128_t product = 0;
    do {
        uint64_t word = 0;
        TRY(random_word(random, &word, why));
        product = (uint128_t)word * n;
    } while ((uint64_t)product < excess);
    *out = (uint64_t)(product >> 64);
    return DITHER_OK;
}
