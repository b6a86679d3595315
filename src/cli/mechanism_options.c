#include "cli/mechanism_options.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "cli/steps.h"

enum {
    LIST_BYTES = 16 << 20, /* of edges and categories */
    ITEM_BYTES = NUMBER_DIGITS + 40,
};

void mechanism_options_init(struct mechanism_options *options)
{
    *options = (struct mechanism_options){.any = false};
    arena_init(&options->arena, LIST_BYTES);
}

void mechanism_options_free(struct mechanism_options *options)
{
    arena_free(&options->arena);
}

/* ---- One number ---- */

static status read_positive(const char *text, enum number_rounding rounding, double *out, error *why)
{
    double value = 0;
    TRY(number_parse(text, rounding, &value, why));
    if (!(value > 0))
        return fail(why, DITHER_INVALID, "must be above 0");
    *out = value;
    return DITHER_OK;
}

static status read_whole(const char *text, uint64_t *out, error *why)
{
    uint64_t value = 0;
    TRY(number_parse_whole(text, &value, why));
    if (value == 0)
        return fail(why, DITHER_INVALID, "must be at least 1");
    *out = value;
    return DITHER_OK;
}

/* ---- Two numbers, and many ---- */

/* Copies the text up to `end` so that it can be read as a number. */
static status copy_item(const char *text, const char *end, char item[ITEM_BYTES], error *why)
{
    if (end - text >= ITEM_BYTES)
        return fail(why, DITHER_INVALID, "has a number that is too long");
    snprintf(item, ITEM_BYTES, "%.*s", (int)(end - text), text);
    return DITHER_OK;
}

static status read_range(const char *text, dither_range *out, error *why)
{
    const char *colon = strchr(text, ':');
    if (colon == NULL)
        return fail(why, DITHER_INVALID, "must be two numbers with a colon between them, such as 0:100");
    char lower[ITEM_BYTES];
    dither_range range;
    TRY(copy_item(text, colon, lower, why));
    if (number_parse(lower, NUMBER_DOWN, &range.lower, NULL) != DITHER_OK ||
        number_parse(colon + 1, NUMBER_UP, &range.upper, NULL) != DITHER_OK)
        return fail(why, DITHER_INVALID, "must be two numbers with a colon between them, such as 0:100");
    if (range.lower >= range.upper)
        return fail(why, DITHER_INVALID, "must go from a smaller to a larger number");
    *out = range;
    return DITHER_OK;
}

static size_t count_items(const char *text)
{
    size_t count = 1;
    for (; *text != '\0'; text++)
        count += *text == ',';
    return count;
}

/* Calls `read` for each item of "a,b,c" with its index. */
static status read_items(const char *text,
                         status (*read)(const char *item, size_t index, void *array, error *why), void *array,
                         error *why)
{
    for (size_t i = 0;; i++) {
        const char *end = text + strcspn(text, ",");
        char item[ITEM_BYTES];
        TRY(copy_item(text, end, item, why));
        TRY(read(item, i, array, why));
        if (*end == '\0')
            return DITHER_OK;
        text = end + 1;
    }
}

static status read_edge(const char *item, size_t index, void *array, error *why)
{
    if (number_parse(item, NUMBER_NEAREST, (double *)array + index, NULL) != DITHER_OK)
        return fail(why, DITHER_INVALID, "must be numbers with commas between them, such as 0,10,20");
    return DITHER_OK;
}

static status read_category(const char *item, size_t index, void *array, error *why)
{
    uint64_t value = 0;
    if (number_parse_whole(item, &value, NULL) != DITHER_OK || value == 0 || value > UINT32_MAX)
        return fail(why, DITHER_INVALID, "must be whole numbers with commas between them, such as 2,2,5");
    ((uint32_t *)array)[index] = (uint32_t)value;
    return DITHER_OK;
}

static status read_edges(const char *text, void *place, error *why)
{
    struct mechanism_options *options = place;
    size_t count = count_items(text);
    void *edges = NULL;
    TRY(arena_take(&options->arena, count * sizeof(double), &edges, why));
    TRY(read_items(text, read_edge, edges, why));
    options->options.edges = edges;
    options->options.edge_count = count;
    options->any = true;
    return DITHER_OK;
}

static status read_categories(const char *text, void *place, error *why)
{
    struct mechanism_options *options = place;
    size_t count = count_items(text);
    void *categories = NULL;
    TRY(arena_take(&options->arena, count * sizeof(uint32_t), &categories, why));
    TRY(read_items(text, read_category, categories, why));
    options->options.categories = categories;
    options->options.column_count = count;
    options->any = true;
    return DITHER_OK;
}

/* ---- The table ---- */

/* A reader for the field, which notes that something was given. */
#define READER(field, expression)                                                                            \
    static status read_##field(const char *text, void *place, error *why)                                    \
    {                                                                                                        \
        struct mechanism_options *options = place;                                                           \
        TRY(expression);                                                                                     \
        options->any = true;                                                                                 \
        return DITHER_OK;                                                                                    \
    }

READER(epsilon, read_positive(text, NUMBER_DOWN, &options->options.epsilon, why))
READER(delta, number_parse(text, NUMBER_DOWN, &options->options.delta, why))
READER(rho, read_positive(text, NUMBER_DOWN, &options->options.rho, why))
READER(sensitivity, read_positive(text, NUMBER_UP, &options->options.sensitivity, why))
READER(group, read_whole(text, &options->options.group, why))
READER(max_groups, read_whole(text, &options->options.max_groups, why))
READER(data_range, read_range(text, &options->options.range, why))
READER(output, read_range(text, &options->options.output, why))
READER(min_size, read_whole(text, &options->options.min_size, why))
READER(grid, steps_read_grid(text, &options->options.grid, why))
READER(threshold, number_parse(text, NUMBER_NEAREST, &options->options.threshold, why))
READER(quantile, number_parse(text, NUMBER_NEAREST, &options->options.quantile, why))

static status read_ways(const char *text, void *place, error *why)
{
    struct mechanism_options *options = place;
    uint64_t value = 0;
    TRY(read_whole(text, &value, why));
    if (value > UINT32_MAX)
        return fail(why, DITHER_INVALID, "is too large");
    options->options.ways = (uint32_t)value;
    options->any = true;
    return DITHER_OK;
}

struct flag {
    unsigned bit;
    const char *value, *help;
    status (*read)(const char *text, void *place, error *why);
    const char *alias;
};

static const struct flag flags[MECHANISM_OPTION_COUNT] = {
    {OPTION_EPSILON, "E", "the largest privacy loss", read_epsilon, NULL},
    {OPTION_DELTA, "D", "the probability with which epsilon may fail", read_delta, NULL},
    {OPTION_RHO, "R", "zero-concentrated privacy, in place of epsilon", read_rho, NULL},
    {OPTION_SENSITIVITY, "S", "how far one person can move the numbers or scores (1)", read_sensitivity,
     NULL},
    {OPTION_GROUP, "K", "how many people are hidden at once (1)", read_group, NULL},
    {OPTION_MAX_GROUPS, "K", "under how many keys one person may be counted (1)", read_max_groups, NULL},
    {OPTION_RANGE, "LO:HI", "the range of a person's value; values outside are clamped", read_data_range,
     NULL},
    {OPTION_OUTPUT, "LO:HI", "the interval in which the answer must lie", read_output, NULL},
    {OPTION_MIN_SIZE, "N", "the data are known, publicly, to hold at least N people", read_min_size, NULL},
    {OPTION_GRID, "G", "answers are multiples of this power of two (0.125 or 2^-3)", read_grid, NULL},
    {OPTION_THRESHOLD, "T", "the level to reach (0)", read_threshold, NULL},
    {OPTION_QUANTILE, "Q", "between 0 and 1: 0.5 is the median (0)", read_quantile, NULL},
    {OPTION_EDGES, "A,B,C", "bucket edges, thresholds or candidates, ascending", read_edges, "buckets"},
    {OPTION_CATEGORIES, "A,B,C", "for each column of a table, how many categories it has, numbered from 0",
     read_categories, NULL},
    {OPTION_WAYS, "K", "how many columns each marginal joins", read_ways, NULL},
};

size_t mechanism_options_list(struct mechanism_options *options, const struct mechanism_kind *kind,
                              struct cli_option list[MECHANISM_OPTION_COUNT])
{
    size_t count = 0;
    for (size_t i = 0; i < MECHANISM_OPTION_COUNT; i++)
        if (kind == NULL || (kind->needs | kind->understands) & flags[i].bit)
            list[count++] = (struct cli_option){.name = mechanism_option_name(flags[i].bit),
                                                .value = flags[i].value,
                                                .help = flags[i].help,
                                                .read = flags[i].read,
                                                .place = options,
                                                .alias = flags[i].alias};
    return count;
}

/* ---- Printing them ---- */

static void print_number(struct buffer *out, unsigned bit, double value)
{
    char text[NUMBER_TEXT];
    number_print_exact(value, text);
    if (value != 0)
        buffer_format(out, " --%s %s", mechanism_option_name(bit), text);
}

static void print_range(struct buffer *out, unsigned bit, dither_range range)
{
    char lower[NUMBER_TEXT], upper[NUMBER_TEXT];
    number_print_exact(range.lower, lower);
    number_print_exact(range.upper, upper);
    if (range.lower < range.upper)
        buffer_format(out, " --%s %s:%s", mechanism_option_name(bit), lower, upper);
}

static void print_whole(struct buffer *out, unsigned bit, uint64_t value)
{
    if (value != 0)
        buffer_format(out, " --%s %llu", mechanism_option_name(bit), (unsigned long long)value);
}

static void print_lists(struct buffer *out, const dither_options *options)
{
    for (size_t i = 0; i < options->edge_count; i++) {
        char text[NUMBER_TEXT];
        number_print_exact(options->edges[i], text);
        buffer_format(out, "%s%s", i == 0 ? " --edges " : ",", text);
    }
    for (size_t i = 0; i < options->column_count; i++)
        buffer_format(out, "%s%u", i == 0 ? " --categories " : ",", options->categories[i]);
}

void mechanism_options_print(const dither_options *options, struct buffer *out)
{
    print_number(out, OPTION_EPSILON, options->epsilon);
    print_number(out, OPTION_DELTA, options->delta);
    print_number(out, OPTION_RHO, options->rho);
    print_number(out, OPTION_SENSITIVITY, options->sensitivity);
    print_whole(out, OPTION_GROUP, options->group);
    print_whole(out, OPTION_MAX_GROUPS, options->max_groups);
    print_range(out, OPTION_RANGE, options->range);
    print_range(out, OPTION_OUTPUT, options->output);
    print_whole(out, OPTION_MIN_SIZE, options->min_size);
    print_number(out, OPTION_GRID, options->grid);
    print_number(out, OPTION_THRESHOLD, options->threshold);
    print_number(out, OPTION_QUANTILE, options->quantile);
    print_lists(out, options);
    print_whole(out, OPTION_WAYS, options->ways);
}
