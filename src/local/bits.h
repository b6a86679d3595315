/* bits.h - reports that are strings of bits: bit i is bit i % 8 of byte i / 8; bits beyond the last are 0. */
#ifndef LOCAL_BITS_H
#define LOCAL_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "local/coin.h"

static inline size_t bits_bytes(size_t bits)
{
    return (bits + 7) / 8;
}

static inline bool bits_get(const unsigned char *bytes, size_t bit)
{
    return (bytes[bit / 8] >> bit % 8 & 1) != 0;
}

static inline void bits_set(unsigned char *bytes, size_t bit)
{
    bytes[bit / 8] = (unsigned char)(bytes[bit / 8] | 1u << bit % 8);
}

/* No bit beyond the last is set. */
bool bits_check(const unsigned char *bytes, size_t bits);

/* Writes `bits` independent tosses of one coin, and zeros behind them. */
status bits_toss(struct random *random, uint64_t coin, unsigned char *bytes, size_t bits,
                 error *why) MUST_CHECK;

/* Flips each bit that the coin, tossed for every one, says. */
status bits_flip(struct random *random, uint64_t coin, unsigned char *bytes, size_t bits,
                 error *why) MUST_CHECK;

/* Puts `mask` & 1 at the bit, touching every byte alike: which one it was cannot be seen from outside. */
void bits_put_hidden(unsigned char *bytes, size_t bits, size_t bit, uint64_t mask);

/* Adds every bit of each of `count` strings, `stride` bytes apart, to its counter: cells[i] += bit i. The padding
 * bits of the strings must be 0. */
void bits_count(const unsigned char *strings, size_t stride, size_t count, size_t bits, uint64_t *cells);

#endif
