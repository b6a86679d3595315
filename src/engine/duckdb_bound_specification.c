#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/duckdb_bound_gather.h"

enum { LONGEST = 4096 };

/* Moves behind `word` and one blank if it stands there. */
static bool take_word(const char **text, const char *word)
{
    size_t length = strlen(word);

    if (strncmp(*text, word, length) != 0)
        return false;
    *text += length;
    return true;
}

static bool take_number(const char **text, int64_t *out)
{
    char *end;

    errno = 0;
    *out = strtoll(*text, &end, 10);
    if (end == *text || errno)
        return false;
    *text = end;
    return true;
}

static bool take_measure(const char **text, struct gather_measure *out)
{
    static const char *const names[] = {[GATHER_UNITS] = "units ",
                                        [GATHER_ROWS] = "rows ",
                                        [GATHER_VALUE] = "value ",
                                        [GATHER_PAIR] = "pair "};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (take_word(text, names[i])) {
            out->kind = (enum gather_kind)i;
            return take_number(text, &out->lower) && take_word(text, " ") && take_number(text, &out->upper) &&
                   out->lower <= out->upper;
        }
    return false;
}

static bool take_header(const char **text, struct gather_specification *out)
{
    int64_t codes = 0, values, rows;

    out->bytes = take_word(text, "bytes");
    if (!out->bytes && !(take_word(text, "codes ") && take_number(text, &codes)))
        return false;
    if (!take_word(text, ", values ") || !take_number(text, &values) || !take_word(text, ", rows ") ||
        !take_number(text, &rows) || !take_word(text, ":"))
        return false;
    if (codes < 0 || codes >= UINT32_MAX || values < 0 || values > UINT8_MAX || rows < 0)
        return false;
    out->code_count = (uint32_t)codes;
    out->value_count = (uint32_t)values;
    out->most_rows = (uint64_t)rows;
    return true;
}

bool gather_read(const char *text, size_t length, struct gather_specification *out)
{
    char copy[LONGEST];
    const char *next = copy;
    uint32_t used = 0;

    memset(out, 0, sizeof *out);
    if (length >= sizeof copy)
        return false;
    memcpy(copy, text, length);
    copy[length] = 0;
    if (!take_header(&next, out))
        return false;
    while (*next) {
        if (out->measure_count == GATHER_MEASURES || (out->measure_count && !take_word(&next, ",")) ||
            !take_word(&next, " ") || !take_measure(&next, &out->measures[out->measure_count]))
            return false;
        enum gather_kind kind = out->measures[out->measure_count++].kind;
        used += kind == GATHER_PAIR ? 2 : kind == GATHER_VALUE;
    }
    return used <= out->value_count;
}

int64_t gather_contribution(int128_t sum, uint32_t rows, uint64_t most, int64_t lower, int64_t upper)
{
    if (rows > most) /* in two parts of the same sign, so that nothing overflows: most < 2^32 here */
        sum = sum / rows * (int128_t)most + sum % rows * (int128_t)most / rows;
    return sum < lower ? lower : sum > upper ? upper : (int64_t)sum;
}

int64_t gather_saturate(int128_t sum)
{
    const int128_t most = (int128_t)1 << 62;
    return (int64_t)(sum < -most ? -most : sum > most ? most : sum);
}
