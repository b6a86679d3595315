/* duckdb_bound_gather.h - what the units kept, added up by group.
 *
 *     dither_gather(specification VARCHAR, b BLOB) -> BLOB        an aggregate over the results of dither_bound
 *
 * The specification is text: "codes 50, values 1, rows 20: units 1 1, value 0 20, pair -9 9". How many codes
 * there are (or "bytes"); how many values come with an entry; how many rows a unit may have in a group; then
 * the measures with the least and most that a unit contributes: `units` is 1, `rows` the entry's rows, `value`
 * takes the next of the sums, `pair` the next two, high * 2^31 + low. Where an entry has more rows than it may
 * have, a measure but `units` is times rows/n, rounded towards zero; then it is clamped.
 *
 * The result: for each group the number of units and then each measure, words of 64 bits, saturated at
 * +-2^62. Codes: every code in order. Bytes: each group's words after its length in 32 bits and its bytes. */
#ifndef ENGINE_DUCKDB_BOUND_GATHER_H
#define ENGINE_DUCKDB_BOUND_GATHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rational.h"

enum gather_kind { GATHER_UNITS, GATHER_ROWS, GATHER_VALUE, GATHER_PAIR };
enum { GATHER_MEASURES = 32 };

struct gather_measure {
    enum gather_kind kind;
    int64_t lower, upper;
};

struct gather_specification {
    bool bytes;
    uint32_t code_count, value_count;
    uint64_t most_rows;
    size_t measure_count;
    struct gather_measure measures[GATHER_MEASURES];
};

/* Exactly the form above; false for anything else. */
bool gather_read(const char *text, size_t length, struct gather_specification *out);

/* What a unit contributes: trunc(sum * most / rows) when rows > most, clamped. */
int64_t gather_contribution(int128_t sum, uint32_t rows, uint64_t most, int64_t lower, int64_t upper);

/* Within +-2^62. */
int64_t gather_saturate(int128_t sum);

#endif
