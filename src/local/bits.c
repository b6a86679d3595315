#include "local/bits.h"

#include <string.h>

bool bits_check(const unsigned char *bytes, size_t bits)
{
    return bits % 8 == 0 || bytes[bits / 8] >> bits % 8 == 0;
}

status bits_flip(struct random *random, uint64_t coin, unsigned char *bytes, size_t bits, error *why)
{
    size_t left = bits;
    for (size_t at = 0; left > 0; at += 8) {
        uint64_t word = 0;
        TRY(coin_toss_words(random, coin, &word, 1, why));
        size_t used = left < 64 ? left : 64;
        if (used < 64)
            word &= ((uint64_t)1 << used) - 1;
        for (size_t i = 0; i < bits_bytes(used); i++)
            bytes[at + i] ^= (unsigned char)(word >> 8 * i);
        left -= used;
    }
    return DITHER_OK;
}

status bits_toss(struct random *random, uint64_t coin, unsigned char *bytes, size_t bits, error *why)
{
    memset(bytes, 0, bits_bytes(bits));
    return bits_flip(random, coin, bytes, bits, why);
}

void bits_put_hidden(unsigned char *bytes, size_t bits, size_t bit, uint64_t mask)
{
    unsigned one = 1u << bit % 8;
    for (size_t i = 0; i < bits_bytes(bits); i++) {
        unsigned here = one & -(unsigned)(i == bit / 8);
        bytes[i] = (unsigned char)((bytes[i] & ~here) | (here & (unsigned)mask));
    }
}
