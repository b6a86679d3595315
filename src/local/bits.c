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

/* Strings are added in columns of 256 bits. PLANES holds the sums of up to 15 strings as binary digits, one vector
 * per digit; adding a string ripples a carry through them. Then the digits are spread over one byte per position, and after
 * 17 such batches (at most 255) the bytes are added to the counters. */
enum { COLUMN_BYTES = 32, LANES = COLUMN_BYTES / 8, BATCH = 15 };

#define WIDE_VECTORS __attribute__((target_clones("avx2", "default")))

struct planes {
    uint64_t digit[4][LANES];
};

WIDE_VECTORS
static void add_strings(struct planes *planes, const unsigned char *first, size_t stride, size_t count)
{
    memset(planes, 0, sizeof *planes);
    for (size_t i = 0; i < count; i++) {
        uint64_t carry[LANES];
        memcpy(carry, first + i * stride, COLUMN_BYTES);
        for (int digit = 0; digit < 4; digit++)
            for (int lane = 0; lane < LANES; lane++) {
                uint64_t old = planes->digit[digit][lane];
                planes->digit[digit][lane] = old ^ carry[lane];
                carry[lane] &= old;
            }
    }
}

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "words and strings of bits have one order");

/* Bit i of the byte becomes byte i of a word, 0 or 1: a chosen byte is 0 or a power of two, and adding 0x7f to it sets
 * its top bit, without a carry into the next, just when it is not 0. */
static uint64_t spread(unsigned byte)
{
    uint64_t copies = byte * UINT64_C(0x0101010101010101);
    uint64_t chosen = copies & UINT64_C(0x8040201008040201);
    return (chosen + UINT64_C(0x7f7f7f7f7f7f7f7f)) >> 7 & UINT64_C(0x0101010101010101);
}

static void add_planes(const struct planes *planes, uint8_t *small)
{
    for (int lane = 0; lane < LANES; lane++)
        for (int byte = 0; byte < 8; byte++) {
            uint64_t sum = 0, old;
            for (int digit = 0; digit < 4; digit++)
                sum += spread((unsigned)(planes->digit[digit][lane] >> 8 * byte & 0xff)) << digit;
            memcpy(&old, small + 64 * lane + 8 * byte, 8);
            old += sum; /* a byte of its own each: at most 255 after 17 batches of 15 */
            memcpy(small + 64 * lane + 8 * byte, &old, 8);
        }
}

static void count_column(const unsigned char *strings, size_t stride, size_t count, uint64_t *cells)
{
    while (count > 0) {
        uint8_t small[8 * COLUMN_BYTES] = {0};
        for (int batch = 0; batch < 17 && count > 0; batch++) {
            size_t taken = count < BATCH ? count : BATCH;
            struct planes planes;
            add_strings(&planes, strings, stride, taken);
            add_planes(&planes, small);
            strings += taken * stride;
            count -= taken;
        }
        for (int i = 0; i < 8 * COLUMN_BYTES; i++)
            cells[i] += small[i];
    }
}

static void count_rest(const unsigned char *strings, size_t stride, size_t count, size_t first, size_t bits,
                       uint64_t *cells)
{
    for (size_t i = 0; i < count; i++)
        for (size_t bit = first; bit < bits; bit++)
            cells[bit] += bits_get(strings + i * stride, bit);
}

void bits_count(const unsigned char *strings, size_t stride, size_t count, size_t bits, uint64_t *cells)
{
    size_t columns = bits / (8 * COLUMN_BYTES);
    for (size_t column = 0; column < columns; column++)
        count_column(strings + column * COLUMN_BYTES, stride, count, cells + column * 8 * COLUMN_BYTES);
    count_rest(strings, stride, count, columns * 8 * COLUMN_BYTES, bits, cells);
}
