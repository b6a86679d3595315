/* duckdb_hash.h - the keyed hash that chooses a unit's groups, values and rows.
 *
 * SipHash-2-4 (Aumasson, Bernstein 2012) under 16 secret bytes that are fresh for every release. The choice is
 * a function of the unit's and the key's own values and of nothing else in the data: privacy needs only that,
 * and ties broken by the values themselves; the secret makes the choice a fair one that nobody can foresee. */
#ifndef ENGINE_DUCKDB_HASH_H
#define ENGINE_DUCKDB_HASH_H

#include <stddef.h>
#include <stdint.h>

struct hash_key {
    uint64_t first, second;
};

enum { HASH_KEY_BYTES = 16, HASH_KEY_DIGITS = 32 };

struct hash_key hash_key_of(const uint8_t bytes[HASH_KEY_BYTES]);

/* 32 hexadecimal digits; anything else (the stand-in KEY of explain) is the key of zeros. */
struct hash_key hash_key_read(const char *digits, size_t length);

uint64_t hash_bytes(struct hash_key key, const void *bytes, size_t length);

#define HASH_TURN(word, bits) ((word) << (bits) | (word) >> (64 - (bits)))
#define HASH_ROUND(a, b, c, d)                                                                               \
    do {                                                                                                     \
        a += b, b = HASH_TURN(b, 13), b ^= a, a = HASH_TURN(a, 32);                                          \
        c += d, d = HASH_TURN(d, 16), d ^= c;                                                                \
        a += d, d = HASH_TURN(d, 21), d ^= a;                                                                \
        c += b, b = HASH_TURN(b, 17), b ^= c, c = HASH_TURN(c, 32);                                          \
    } while (0)

/* hash_bytes of two words of 8 bytes, little end first. Here, so that it is compiled into the loop over rows. */
static inline uint64_t hash_words(struct hash_key key, uint64_t unit, uint64_t item)
{
    const uint64_t length = (uint64_t)16 << 56;
    uint64_t a = key.first ^ 0x736f6d6570736575, b = key.second ^ 0x646f72616e646f6d;
    uint64_t c = key.first ^ 0x6c7967656e657261, d = key.second ^ 0x7465646279746573;

    d ^= unit;
    HASH_ROUND(a, b, c, d);
    HASH_ROUND(a, b, c, d);
    a ^= unit;
    d ^= item;
    HASH_ROUND(a, b, c, d);
    HASH_ROUND(a, b, c, d);
    a ^= item;
    d ^= length;
    HASH_ROUND(a, b, c, d);
    HASH_ROUND(a, b, c, d);
    a ^= length;
    c ^= 0xff;
    HASH_ROUND(a, b, c, d);
    HASH_ROUND(a, b, c, d);
    HASH_ROUND(a, b, c, d);
    HASH_ROUND(a, b, c, d);
    return a ^ b ^ c ^ d;
}

#endif
