#include "cli/labels.h"

#include "base/number.h"

static void print_number(struct buffer *label, const char *before, double number, const char *after)
{
    char text[NUMBER_TEXT];
    number_print(number, text);
    buffer_format(label, "%s%s%s", before, text, after);
}

/* n edges make n - 1 buckets, or are n thresholds. */
static void print_edge(const struct answer *answer, size_t index, struct buffer *label)
{
    const double *edges = answer->options->edges;
    if (answer->count == answer->options->edge_count) {
        print_number(label, "<= ", edges[index], "");
        return;
    }
    print_number(label, "[", edges[index], ", ");
    print_number(label, "", edges[index + 1], index + 2 == answer->options->edge_count ? "]" : ")");
}

/* ---- Cells of marginals: all sets of `ways` columns in lexicographic order, and for each its cells, the
 * last column moving fastest. ---- */

enum { MOST_WAYS = 32 };

/* Without `ways` (point functions) there is one marginal, of all columns. */
static size_t ways_of(const dither_options *options)
{
    return options->ways > 0 ? options->ways : options->column_count;
}

static size_t cells_of(const dither_options *options, const size_t *columns)
{
    size_t cells = 1;
    for (size_t i = 0; i < ways_of(options); i++)
        cells *= options->categories[columns[i]];
    return cells;
}

/* The next set of columns; false after the last. */
static bool advance(const dither_options *options, size_t *columns)
{
    size_t ways = ways_of(options);
    for (size_t i = ways; i > 0; i--) {
        if (columns[i - 1] < options->column_count - (ways - (i - 1))) {
            columns[i - 1]++;
            for (size_t j = i; j < ways; j++)
                columns[j] = columns[j - 1] + 1;
            return true;
        }
    }
    return false;
}

static void print_cell(const struct answer *answer, size_t index, struct buffer *label)
{
    const dither_options *options = answer->options;
    size_t columns[MOST_WAYS] = {0}, categories[MOST_WAYS] = {0}, ways = ways_of(options);
    for (size_t i = 0; i < ways; i++)
        columns[i] = i;
    for (size_t cells = cells_of(options, columns); index >= cells; cells = cells_of(options, columns)) {
        index -= cells;
        if (!advance(options, columns))
            return;
    }
    for (size_t i = ways; i > 0; i--) {
        categories[i - 1] = index % options->categories[columns[i - 1]];
        index /= options->categories[columns[i - 1]];
    }
    for (size_t i = 0; i < ways; i++)
        buffer_format(label, "%s%zu=%zu", i > 0 ? " " : "", columns[i] + 1, categories[i]);
}

void label_print(const struct answer *answer, size_t index, struct buffer *label)
{
    const dither_options *options = answer->options;
    if (answer->values->keyed)
        buffer_text(label, answer->values->keys.list[index].text);
    else if (answer->kind->shape == SHAPE_TABLE && ways_of(options) <= MOST_WAYS)
        print_cell(answer, index, label);
    else if (options->edge_count > 0 &&
             (answer->count == options->edge_count || answer->count + 1 == options->edge_count))
        print_edge(answer, index, label);
    else
        buffer_format(label, "%zu", index + 1);
}
