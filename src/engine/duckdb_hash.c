#include "engine/duckdb_hash.h"

#include <string.h>

/* The first `length` <= 8 bytes as a word, little end first on every machine. */
static uint64_t read_word(const uint8_t *bytes, size_t length)
{
    uint64_t word = 0;
    for (size_t i = 0; i < length; i++)
        word |= (uint64_t)bytes[i] << (8 * i);
    return word;
}

struct hash_key hash_key_of(const uint8_t bytes[HASH_KEY_BYTES])
{
    return (struct hash_key){read_word(bytes, 8), read_word(bytes + 8, 8)};
}

static int digit_value(char digit)
{
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

struct hash_key hash_key_read(const char *digits, size_t length)
{
    uint8_t bytes[HASH_KEY_BYTES];

    if (length != HASH_KEY_DIGITS)
        return (struct hash_key){0, 0};
    for (size_t i = 0; i < HASH_KEY_BYTES; i++) {
        int high = digit_value(digits[2 * i]), low = digit_value(digits[2 * i + 1]);
        if (high < 0 || low < 0)
            return (struct hash_key){0, 0};
        bytes[i] = (uint8_t)(16 * high + low);
    }
    return hash_key_of(bytes);
}

uint64_t hash_bytes(struct hash_key key, const void *bytes, size_t length)
{
    const uint8_t *next = bytes;
    uint64_t a = key.first ^ 0x736f6d6570736575, b = key.second ^ 0x646f72616e646f6d;
    uint64_t c = key.first ^ 0x6c7967656e657261, d = key.second ^ 0x7465646279746573;
    size_t left = length;

    for (; left >= 8; left -= 8, next += 8) {
        uint64_t word = read_word(next, 8);
        d ^= word;
        HASH_ROUND(a, b, c, d);
        HASH_ROUND(a, b, c, d);
        a ^= word;
    }
    uint64_t last = read_word(next, left) | (uint64_t)length << 56;
    d ^= last;
    HASH_ROUND(a, b, c, d);
    HASH_ROUND(a, b, c, d);
    a ^= last;
    c ^= 0xff;
    HASH_ROUND(a, b, c, d);
    HASH_ROUND(a, b, c, d);
    HASH_ROUND(a, b, c, d);
    HASH_ROUND(a, b, c, d);
    return a ^ b ^ c ^ d;
}
