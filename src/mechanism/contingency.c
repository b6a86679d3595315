#include "mechanism/contingency.h"

#include <string.h>

/* The columns of one marginal, ascending. */
struct columns {
    size_t index[CONTINGENCY_MOST_COLUMNS];
    uint32_t ways;
};

static void columns_first(struct columns *columns, uint32_t ways)
{
    columns->ways = ways;
    for (uint32_t i = 0; i < ways; i++)
        columns->index[i] = i;
}

/* The next choice in lexicographic order; false after the last. */
static bool columns_next(struct columns *columns, size_t column_count)
{
    uint32_t i = columns->ways;
    while (i > 0 && columns->index[i - 1] == column_count - columns->ways + i - 1)
        i--;
    if (i == 0)
        return false;
    columns->index[i - 1]++;
    for (; i < columns->ways; i++)
        columns->index[i] = columns->index[i - 1] + 1;
    return true;
}

/* Adds up, over all choices of `ways` columns, the product of their sizes (size 1 counts the choices): column
 * by column, sums[k] is that for k of the columns so far. Saturates above the limit. */
static uint64_t symmetric_sum(const dither_options *options, uint32_t ways, bool sizes)
{
    const uint64_t limit = CONTINGENCY_MOST_CELLS + 1;
    uint64_t sums[CONTINGENCY_MOST_COLUMNS + 1] = {1};
    for (size_t column = 0; column < options->column_count; column++) {
        uint64_t size = sizes ? options->categories[column] : 1;
        for (uint32_t k = ways; k > 0; k--) {
            uint64_t more = sums[k - 1] * size; /* below 2^32 * 2^32 */
            sums[k] = sums[k] + more < limit && more < limit ? sums[k] + more : limit;
        }
    }
    return sums[ways];
}

status contingency_init(const dither_options *options, uint32_t ways, uint64_t *marginals, error *why)
{
    if (options->column_count > CONTINGENCY_MOST_COLUMNS)
        return fail(why, DITHER_INVALID, "a table may have at most %d columns", CONTINGENCY_MOST_COLUMNS);
    if (symmetric_sum(options, ways, true) > CONTINGENCY_MOST_CELLS)
        return fail(why, DITHER_INVALID, "there are more than %llu cells: fewer columns, ways or categories",
                    (unsigned long long)CONTINGENCY_MOST_CELLS);
    *marginals = symmetric_sum(options, ways, false);
    return DITHER_OK;
}

size_t contingency_cells(const dither_options *options, uint32_t ways)
{
    return (size_t)symmetric_sum(options, ways, true);
}

static size_t cells_of(const dither_options *options, const struct columns *columns)
{
    size_t cells = 1;
    for (uint32_t i = 0; i < columns->ways; i++)
        cells *= options->categories[columns->index[i]];
    return cells;
}

/* The cell of a row; false when it is in none. */
static bool cell_of(const dither_options *options, const struct columns *columns, const double *row,
                    size_t *cell)
{
    size_t found = 0;
    for (uint32_t i = 0; i < columns->ways; i++) {
        uint32_t categories = options->categories[columns->index[i]];
        double value = row[columns->index[i]];
        if (!(value >= 0 && value < categories) || value != (double)(uint32_t)value)
            return false;
        found = found * categories + (uint32_t)value;
    }
    *cell = found;
    return true;
}

void contingency_measure(const dither_options *options, uint32_t ways, const dither_data *data,
                         int64_t *statistic)
{
    struct columns columns;
    columns_first(&columns, ways);
    int64_t *counts = statistic;
    do {
        size_t cells = cells_of(options, &columns), cell = 0;
        memset(counts, 0, cells * sizeof *counts);
        for (size_t start = 0; start + options->column_count <= data->count; start += options->column_count)
            if (cell_of(options, &columns, data->values + start, &cell))
                counts[cell]++;
        counts += cells;
    } while (columns_next(&columns, options->column_count));
}
