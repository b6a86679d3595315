#include "base/nearest.h"

#include <stdint.h>
#include <string.h>

enum { LONGEST = 40 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The optimal string alignment distance; words longer than LONGEST are far from everything. */
static size_t distance(const char *a, const char *b)
{
    size_t rows = strlen(a), columns = strlen(b);
    if (rows > LONGEST || columns > LONGEST)
        return SIZE_MAX;
    size_t table[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= rows; i++)
        for (size_t j = 0; j <= columns; j++) {
            if (i == 0 || j == 0) {
                table[i][j] = i + j;
                continue;
            }
            size_t change = table[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            table[i][j] = least(change, 1 + least(table[i - 1][j], table[i][j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                table[i][j] = least(table[i][j], table[i - 2][j - 2] + 1);
        }
    return table[rows][columns];
}

const char *nearest_name(const char *typed, const char *(*name)(size_t index, const void *context),
                         const void *context)
{
    const char *nearest = NULL;
    size_t allowed = 1 + strlen(typed) / 3, best = allowed + 1;
    for (size_t i = 0; name(i, context) != NULL; i++) {
        size_t changes = distance(typed, name(i, context));
        if (changes < best) {
            best = changes;
            nearest = name(i, context);
        }
    }
    return nearest;
}
