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

/* Strings are added in columns of 256 bits. The planes hold the sums of up to 254 strings as binary digits, a vector per digit.
 * Strings come in pairs: a full adder puts a pair into the plane of weight 1 and yields a carry of weight 2, which waits for the next
 * one; two of a weight are put into their plane in the same way, and so on: two adders a pair, whatever the number of planes (Harley and
 * Seal's counter, by position). Then the digits are spread over one byte per position and added to the counters. */
enum { COLUMN_BYTES = 32, PLANES = 8, BATCH = 254 };

#define WIDE_VECTORS __attribute__((target_clones("avx2", "default")))

typedef uint64_t lanes __attribute__((vector_size(COLUMN_BYTES), aligned(1), may_alias));

struct planes {
    uint64_t digit[PLANES][COLUMN_BYTES / 8];
};

/* `count` is even. */
WIDE_VECTORS
static void add_pairs(struct planes *planes, const unsigned char *strings, size_t stride, size_t count)
{
    lanes digit[PLANES] = {0}, waiting[PLANES + 1] = {0};
    for (size_t pair = 0; pair < count / 2; pair++) {
        const lanes *first = (const void *)(strings + 2 * pair * stride);
        const lanes *second = (const void *)(strings + (2 * pair + 1) * stride);
        lanes a = *first, b = *second;
        int level = 0;
        for (size_t rest = pair;; rest >>= 1, level++) {
            lanes old = digit[level], half = old ^ a;
            digit[level] = half ^ b;
            b = (old & a) | (half & b);
            if ((rest & 1) == 0)
                break;
            a = waiting[level + 1];
        }
        waiting[level + 1] = b;
    }
    for (int level = 1; level < PLANES; level++) { /* what still waits: the digits of the number of pairs */
        lanes carry = (count / 2 >> (level - 1) & 1) != 0 ? waiting[level] : (lanes){0};
        for (int up = level; up < PLANES; up++) {
            lanes old = digit[up];
            digit[up] = old ^ carry;
            carry &= old;
        }
    }
    memcpy(planes->digit, digit, sizeof planes->digit);
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

static void add_planes(const struct planes *planes, uint64_t *cells)
{
    for (int byte = 0; byte < COLUMN_BYTES; byte++) {
        uint64_t sums = 0; /* a byte for each of 8 positions: at most BATCH */
        for (int digit = 0; digit < PLANES; digit++)
            sums += spread((unsigned)(planes->digit[digit][byte / 8] >> 8 * (byte % 8) & 0xff)) << digit;
        for (int bit = 0; bit < 8; bit++)
            cells[8 * byte + bit] += sums >> 8 * bit & 0xff;
    }
}

static void count_column(const unsigned char *strings, size_t stride, size_t count, uint64_t *cells)
{
    for (size_t taken; count > 1; count -= taken, strings += taken * stride) {
        struct planes planes;
        taken = count < BATCH ? count / 2 * 2 : BATCH;
        add_pairs(&planes, strings, stride, taken);
        add_planes(&planes, cells);
    }
    for (size_t bit = 0; count == 1 && bit < 8 * COLUMN_BYTES; bit++)
        cells[bit] += bits_get(strings, bit);
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
