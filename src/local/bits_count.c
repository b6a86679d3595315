/* Counting strings of bits by position, as fast as memory is read.
 *
 * Strings are added in columns of 256 bits, sixteen strings at a time: full adders turn them into one vector for each of the weights 1, 2, 4, 8
 * and a carry of weight 16 (Harley and Seal's counter, by position): fifteen adders a block, five operations each. A column's sum of up
 * to BATCH strings is PLANES binary digits, a vector each; it is added to the column's sum of up to TERM strings, which has DIGITS of them. Only at the end
 * of a term are digits spread into numbers and added to the counters: done for every batch, that took longer than all the adders.
 *
 * Strings are gone through in tiles of BATCH strings and PANEL columns. The columns of a tile are read one after the other while the tile
 * lies in the nearest cache, and during that the next tile is asked for. So memory is read once, and ahead of time. */
#include <string.h>

#include "local/bits.h"

enum {
    COLUMN_BYTES = 32,
    POSITIONS = 8 * COLUMN_BYTES,
    LOW_PLANES = 4,
    PLANES = 8,
    BLOCK = 16,
    BATCH = 15 * BLOCK, /* below 2^PLANES */
    DIGITS = 16,
    TERM = 273 * BATCH, /* below 2^DIGITS */
    PANEL = 8,
};

_Static_assert(BATCH < 1 << PLANES && TERM < 1 << DIGITS, "sums fit their digits");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "words and strings of bits have one order");

#define WIDE_VECTORS __attribute__((target_clones("avx2", "default")))

typedef uint64_t lanes __attribute__((vector_size(COLUMN_BYTES), aligned(1), may_alias));

/* The sums of one column: digit d of position i is bit i of of[d]. */
struct sums {
    uint64_t of[DIGITS][COLUMN_BYTES / 8];
};

/* Strings behind each other; `ahead` is how far it is from each to its like in the next tile, 0: not to be asked for. */
struct strings {
    const unsigned char *first;
    size_t stride, count;
    uintptr_t ahead;
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
#define STRING(at) ((const lanes *)(const void *)(string + (size_t)(at)*stride))

/* Whole blocks, at most BATCH strings. */
WIDE_VECTORS
static void add_blocks(struct sums *sums, const struct strings *strings)
{
    lanes low[LOW_PLANES] = {0}, high[PLANES - LOW_PLANES] = {0}, carry;
    const unsigned char *string = strings->first;
    size_t stride = strings->stride;
    for (size_t left = strings->count / BLOCK; left > 0; left--, string += BLOCK * stride) {
        lanes fours[2], eights[2];
        for (size_t at = 0; strings->ahead != 0 && at < BLOCK; at++)
            __builtin_prefetch((const void *)((uintptr_t)string + at * stride + strings->ahead));
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
    lanes *digits = (lanes *)(void *)sums->of;
    carry = (lanes){0};
    for (int digit = 0; digit < LOW_PLANES; digit++)
        FULL_ADD(carry, digits[digit], digits[digit], low[digit], carry);
    for (int digit = LOW_PLANES; digit < PLANES; digit++)
        FULL_ADD(carry, digits[digit], digits[digit], high[digit - LOW_PLANES], carry);
    for (int digit = PLANES; digit < DIGITS; digit++) {
        lanes old = digits[digit];
        digits[digit] = old ^ carry;
        carry &= old;
    }
}

/* At most BATCH strings, of which `bytes`, at most a column's, are added; where a column does not fit, and beyond the last whole block, they are
 * copied and filled up with zeros. */
static void add_column(struct sums *sums, const struct strings *strings, size_t bytes)
{
    size_t whole = bytes == COLUMN_BYTES ? strings->count / BLOCK * BLOCK : 0;
    struct strings blocks = *strings;
    blocks.count = whole;
    if (whole > 0)
        add_blocks(sums, &blocks);
    while (whole < strings->count) {
        unsigned char copy[BLOCK][COLUMN_BYTES] = {0};
        for (size_t i = 0; i < BLOCK && whole < strings->count; i++, whole++)
            memcpy(copy[i], strings->first + whole * strings->stride, bytes);
        add_blocks(sums, &(struct strings){copy[0], COLUMN_BYTES, BLOCK, 0});
    }
}

/* Bit i of the byte becomes byte i of a word, 0 or 1: a chosen byte is 0 or a power of two, and adding 0x7f to it sets
 * its top bit, without a carry into the next, just when it is not 0. */
static uint64_t spread(unsigned byte)
{
    uint64_t copies = byte * UINT64_C(0x0101010101010101);
    uint64_t chosen = copies & UINT64_C(0x8040201008040201);
    return (chosen + UINT64_C(0x7f7f7f7f7f7f7f7f)) >> 7 & UINT64_C(0x0101010101010101);
}

/* The sums of eight positions, from their digits. */
static void spread_byte(const struct sums *sums, size_t byte, uint64_t numbers[8])
{
    uint64_t low = 0, high = 0; /* a byte for each position */
    for (int digit = 0; digit < 8; digit++) {
        low |= spread((unsigned)(sums->of[digit][byte / 8] >> 8 * (byte % 8) & 0xff)) << digit;
        high |= spread((unsigned)(sums->of[8 + digit][byte / 8] >> 8 * (byte % 8) & 0xff)) << digit;
    }
    for (int bit = 0; bit < 8; bit++)
        numbers[bit] = (low >> 8 * bit & 0xff) | (high >> 8 * bit & 0xff) << 8;
}

/* The column's positions from `skipped` on, a whole number of bytes, are added to `count` cells. */
static void add_sums(const struct sums *sums, size_t skipped, size_t count, uint64_t *cells)
{
    for (size_t done = 0; done < count; done += 8) {
        uint64_t numbers[8];
        spread_byte(sums, (skipped + done) / 8, numbers);
        for (size_t bit = 0; bit < 8 && done + bit < count; bit++)
            cells[done + bit] += numbers[bit];
    }
}

/* Columns `first` to `end` of at most TERM strings. The last column of all ends where the strings end, so that nothing behind them is read; what it
 * has in common with the one before is left out. */
static void count_panel(const struct strings *strings, size_t bits, size_t first, size_t end, uint64_t *cells)
{
    struct sums sums[PANEL] = {0};
    size_t bytes = bits_bytes(bits), width = bytes < COLUMN_BYTES ? bytes : COLUMN_BYTES;
    size_t begins[PANEL];
    for (size_t column = first; column < end; column++) {
        size_t begin = column * COLUMN_BYTES;
        begins[column - first] = begin + width <= bytes ? begin : bytes - width;
    }
    for (size_t done = 0, taken; done < strings->count; done += taken) {
        size_t left = strings->count - done;
        taken = left < BATCH ? left : BATCH;
        /* behind the last batch the next panel begins, and behind the last panel what is probably counted next */
        bool turn = left <= BATCH && end * COLUMN_BYTES < bytes;
        uintptr_t ahead =
            turn ? (uintptr_t)PANEL * COLUMN_BYTES - done * strings->stride : BATCH * strings->stride;
        for (size_t i = 0; i < end - first; i++) {
            const struct strings batch = {strings->first + done * strings->stride + begins[i],
                                          strings->stride, taken, i % 2 == 0 ? ahead : 0};
            add_column(&sums[i], &batch, width);
        }
    }
    for (size_t i = 0; i < end - first; i++) {
        size_t from = (first + i) * POSITIONS, left = bits - from;
        add_sums(&sums[i], from - 8 * begins[i], left < POSITIONS ? left : POSITIONS, cells + from);
    }
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
    size_t columns = (bits + POSITIONS - 1) / POSITIONS;
    if (count == 1) {
        count_string(strings, bits, cells);
        return;
    }
    for (size_t taken; count > 0; count -= taken, strings += taken * stride) {
        taken = count < TERM ? count : TERM;
        const struct strings term = {strings, stride, taken, 0};
        for (size_t first = 0; first < columns; first += PANEL)
            count_panel(&term, bits, first, first + PANEL < columns ? first + PANEL : columns, cells);
    }
}
