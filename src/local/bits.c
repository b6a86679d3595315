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

/* Strings are added in columns of 256 bits, sixteen strings at a time: full adders turn them into one vector for each of the weights 1, 2, 4, 8
 * and carries of weight 16 (Harley and Seal's counter, by position): fifteen adders a block, five operations each. The planes hold the sums
 * of up to BATCH strings as binary digits, a vector per digit; then the digits are spread over one byte per position and added to the
 * counters. A batch is short enough to stay near the processor while its columns are gone through, so that memory is read once. */
enum { COLUMN_BYTES = 32, PLANES = 8, LOW_PLANES = 4, BLOCK = 16, BATCH = 15 * BLOCK, AHEAD = 256 };

#define WIDE_VECTORS __attribute__((target_clones("avx2", "default")))

typedef uint64_t lanes __attribute__((vector_size(COLUMN_BYTES), aligned(1), may_alias));

struct planes {
    uint64_t digit[PLANES][COLUMN_BYTES / 8];
};

/* sum + 2 carry = a + b + c, in every bit. */
#define FULL_ADD(carry, sum, a, b, c)                                                                        \
    do {                                                                                                     \
        lanes add_a = (a), add_b = (b), add_c = (c), add_half = add_a ^ add_b;                               \
        (carry) = (add_a & add_b) | (add_half & add_c);                                                      \
        (sum) = add_half ^ add_c;                                                                            \
    } while (0)

/* Four strings: into the weights 1 and 2, with a carry of weight 4. */
#define ADD_FOUR(carry, at)                                                                                  \
    do {                                                                                                     \
        lanes first, second;                                                                                 \
        FULL_ADD(first, low[0], low[0], *STRING(at), *STRING((at) + 1));                                     \
        FULL_ADD(second, low[0], low[0], *STRING((at) + 2), *STRING((at) + 3));                              \
        FULL_ADD(carry, low[1], low[1], first, second);                                                      \
    } while (0)
#define STRING(at) ((const lanes *)(const void *)(strings + (size_t)(at)*stride))

/* Whole blocks, at most BATCH strings. */
WIDE_VECTORS
static void add_blocks(struct planes *planes, const unsigned char *strings, size_t stride, size_t blocks)
{
    lanes low[LOW_PLANES] = {0}, high[PLANES - LOW_PLANES] = {0};
    for (; blocks > 0; blocks--, strings += BLOCK * stride) {
        lanes fours[2], eights[2], carry;
        for (int at = 0; at < BLOCK; at++) /* long strings: a processor does not foresee strides */
            __builtin_prefetch(strings + (size_t)at * stride + AHEAD);
        for (int half = 0; half < 2; half++) {
            ADD_FOUR(fours[0], 8 * half);
            ADD_FOUR(fours[1], 8 * half + 4);
            FULL_ADD(eights[half], low[2], low[2], fours[0], fours[1]);
        }
        FULL_ADD(carry, low[3], low[3], eights[0], eights[1]);
        for (int plane = 0; plane < PLANES - LOW_PLANES; plane++) {
            lanes old = high[plane];
            high[plane] = old ^ carry;
            carry &= old;
        }
    }
    memcpy(planes->digit, low, sizeof low);
    memcpy(planes->digit[LOW_PLANES], high, sizeof high);
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

/* At most BATCH strings; those beyond the last whole block are filled up with zeros. */
static void count_column(const unsigned char *strings, size_t stride, size_t count, uint64_t *cells)
{
    struct planes planes;
    size_t blocks = count / BLOCK, rest = count % BLOCK;
    if (blocks > 0) {
        add_blocks(&planes, strings, stride, blocks);
        add_planes(&planes, cells);
    }
    if (rest > 0) {
        unsigned char last[BLOCK][COLUMN_BYTES] = {0};
        for (size_t i = 0; i < rest; i++)
            memcpy(last[i], strings + (blocks * BLOCK + i) * stride, COLUMN_BYTES);
        add_blocks(&planes, last[0], COLUMN_BYTES, 1);
        add_planes(&planes, cells);
    }
}

/* The last bits % 256, from a column that ends where the strings end; what it has in common with the column before is left out. Strings
 * shorter than a column are laid beside each other with zeros between them. */
static void count_rest(const unsigned char *strings, size_t stride, size_t count, size_t bits,
                       uint64_t *cells)
{
    enum { POSITIONS = 8 * COLUMN_BYTES };
    size_t bytes = bits_bytes(bits), first = bits / POSITIONS * POSITIONS;
    uint64_t sums[POSITIONS] = {0};
    if (bytes >= COLUMN_BYTES) {
        size_t begin = bytes - COLUMN_BYTES;
        count_column(strings + begin, stride, count, sums);
        for (size_t bit = first; bit < bits; bit++)
            cells[bit] += sums[bit - 8 * begin];
        return;
    }
    unsigned char room[BATCH][COLUMN_BYTES] = {0};
    for (size_t i = 0; i < count; i++)
        memcpy(room[i], strings + i * stride, bytes);
    count_column(room[0], COLUMN_BYTES, count, sums);
    for (size_t bit = 0; bit < bits; bit++)
        cells[bit] += sums[bit];
}

/* One string alone: byte by byte, without planes. */
static void count_string(const unsigned char *string, size_t bits, uint64_t *cells)
{
    for (size_t byte = 0; byte < bits / 8; byte++) {
        uint64_t ones = spread(string[byte]);
        for (int bit = 0; bit < 8; bit++)
            cells[8 * byte + (size_t)bit] += ones >> 8 * bit & 1;
    }
    for (size_t bit = bits / 8 * 8; bit < bits; bit++)
        cells[bit] += bits_get(string, bit);
}

void bits_count(const unsigned char *strings, size_t stride, size_t count, size_t bits, uint64_t *cells)
{
    size_t columns = bits / (8 * COLUMN_BYTES);
    if (count == 1) {
        count_string(strings, bits, cells);
        return;
    }
    for (size_t taken; count > 0; count -= taken, strings += taken * stride) {
        taken = count < BATCH ? count : BATCH;
        for (size_t column = 0; column < columns; column++)
            count_column(strings + column * COLUMN_BYTES, stride, taken, cells + column * 8 * COLUMN_BYTES);
        if (bits % (8 * COLUMN_BYTES) != 0)
            count_rest(strings, stride, taken, bits, cells);
    }
}
