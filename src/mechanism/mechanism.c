/* The checks that all mechanisms share. Whoever gets an option wrong should learn it here, in plain words,
 * before anything is measured. */
#include "mechanism/mechanism.h"

#include <math.h>
#include <string.h>

#include "mechanism/grid.h"

/* A sensitivity or group this large would leave no room for a scale within the samplers' range anyway. */
#define LARGEST_GROUP (UINT64_C(1) << 20)

static const struct {
    unsigned bit;
    const char *name;
    const char *meaning; /* completes "NAME needs ..." */
} option_names[] = {
    {OPTION_EPSILON, "epsilon", "an epsilon: the largest privacy loss allowed"},
    {OPTION_DELTA, "delta", "a delta: the probability with which the promise may fail"},
    {OPTION_RHO, "rho", "a rho"},
    {OPTION_SENSITIVITY, "sensitivity", "a sensitivity: how far one person can move the number"},
    {OPTION_GROUP, "group", "a group: how many people are hidden at once"},
    {OPTION_MAX_GROUPS, "max-groups", "max-groups: under how many keys one person may be counted"},
    {OPTION_RANGE, "range", "a range: the smallest and the largest value that a person can have"},
    {OPTION_OUTPUT, "output", "an output interval in which the answer must lie"},
    {OPTION_MIN_SIZE, "min-size", "a min-size: how many people the data are known to hold at least"},
    {OPTION_GRID, "grid", "a grid"},
    {OPTION_THRESHOLD, "threshold", "a threshold"},
    {OPTION_QUANTILE, "quantile", "a quantile between 0 and 1"},
    {OPTION_EDGES, "edges", "edges: ascending numbers"},
    {OPTION_CATEGORIES, "categories", "categories: how many there are in each column"},
    {OPTION_WAYS, "ways", "ways: how many columns each marginal joins"},
};

enum { OPTION_NAME_COUNT = sizeof option_names / sizeof option_names[0] };

const char *mechanism_option_name(unsigned bit)
{
    for (size_t i = 0; i < OPTION_NAME_COUNT; i++)
        if (option_names[i].bit == bit)
            return option_names[i].name;
    return NULL;
}

static bool range_given(dither_range range)
{
    /* An empty range is "not given"; NaN is given, and wrong. */
    return !(range.lower == 0 && range.upper == 0);
}

static unsigned given_options(const dither_options *options)
{
    unsigned given = 0;
    given |= options->epsilon != 0 ? OPTION_EPSILON : 0;
    given |= options->delta != 0 ? OPTION_DELTA : 0;
    given |= options->rho != 0 ? OPTION_RHO : 0;
    given |= options->sensitivity != 0 ? OPTION_SENSITIVITY : 0;
    given |= options->group != 0 ? OPTION_GROUP : 0;
    given |= options->max_groups != 0 ? OPTION_MAX_GROUPS : 0;
    given |= range_given(options->range) ? OPTION_RANGE : 0;
    given |= range_given(options->output) ? OPTION_OUTPUT : 0;
    given |= options->min_size != 0 ? OPTION_MIN_SIZE : 0;
    given |= options->grid != 0 ? OPTION_GRID : 0;
    given |= options->threshold != 0 ? OPTION_THRESHOLD : 0;
    given |= options->quantile != 0 ? OPTION_QUANTILE : 0;
    given |= options->edge_count != 0 ? OPTION_EDGES : 0;
    given |= options->column_count != 0 ? OPTION_CATEGORIES : 0;
    given |= options->ways != 0 ? OPTION_WAYS : 0;
    return given;
}

/* Zero is a sensible threshold and quantile, so these two are never missing. */
static const unsigned zero_is_a_value = OPTION_THRESHOLD | OPTION_QUANTILE;

static status check_known(const struct mechanism_kind *kind, unsigned given, error *why)
{
    unsigned known = kind->needs | kind->understands;
    unsigned missing = kind->needs & ~given & ~zero_is_a_value;
    for (size_t i = 0; i < OPTION_NAME_COUNT; i++) {
        if (given & ~known & option_names[i].bit)
            return fail(why, DITHER_INVALID, "%s does not use %s", kind->name, option_names[i].name);
        if (missing & option_names[i].bit)
            return fail(why, DITHER_INVALID, "%s needs %s", kind->name, option_names[i].meaning);
    }
    if (known & OPTION_EPSILON && known & OPTION_RHO) {
        bool epsilon = given & OPTION_EPSILON;
        bool rho = given & OPTION_RHO;
        if (!epsilon && !rho)
            return fail(why, DITHER_INVALID, "%s needs an epsilon (with delta) or a rho", kind->name);
        if (epsilon && rho)
            return fail(why, DITHER_INVALID, "%s takes an epsilon or a rho, not both", kind->name);
    }
    return DITHER_OK;
}

static status check_positive(double value, const char *name, error *why)
{
    if (isnan(value))
        return fail(why, DITHER_INVALID, "%s is not a number", name);
    if (isinf(value))
        return fail(why, DITHER_INVALID, "%s must be finite", name);
    if (value < 0)
        return fail(why, DITHER_INVALID, "%s must be above 0, not %g", name, value);
    return DITHER_OK;
}

static status check_range(dither_range range, const char *name, error *why)
{
    if (!range_given(range))
        return DITHER_OK;
    if (!isfinite(range.lower) || !isfinite(range.upper))
        return fail(why, DITHER_INVALID, "both ends of the %s must be finite numbers", name);
    if (range.lower > range.upper)
        return fail(why, DITHER_INVALID, "the %s is upside down: %g is above %g", name, range.lower,
                    range.upper);
    if (range.lower == range.upper)
        return fail(why, DITHER_INVALID, "the %s is empty: both ends are %g", name, range.lower);
    return DITHER_OK;
}

static status check_edges(const dither_options *options, error *why)
{
    for (size_t i = 0; i < options->edge_count; i++) {
        if (!isfinite(options->edges[i]))
            return fail(why, DITHER_INVALID, "edge %zu is not a finite number", i + 1);
        if (i > 0 && options->edges[i] <= options->edges[i - 1])
            return fail(why, DITHER_INVALID, "edges must ascend: edge %zu (%g) is not above edge %zu (%g)",
                        i + 1, options->edges[i], i, options->edges[i - 1]);
    }
    return DITHER_OK;
}

static status check_table(const dither_options *options, error *why)
{
    for (size_t i = 0; i < options->column_count; i++)
        if (options->categories[i] == 0)
            return fail(why, DITHER_INVALID, "column %zu has no categories", i + 1);
    if (options->ways > options->column_count)
        return fail(why, DITHER_INVALID, "ways is %u, but there are only %zu columns", options->ways,
                    options->column_count);
    return DITHER_OK;
}

static status check_numbers(const dither_options *options, error *why)
{
    TRY(check_positive(options->epsilon, "epsilon", why));
    TRY(check_positive(options->rho, "rho", why));
    TRY(check_positive(options->sensitivity, "the sensitivity", why));
    if (!(options->delta >= 0 && options->delta < 1))
        return fail(why, DITHER_INVALID, "delta must be at least 0 and below 1, not %g", options->delta);
    if (!(options->quantile >= 0 && options->quantile <= 1))
        return fail(why, DITHER_INVALID, "the quantile must lie between 0 and 1, not %g", options->quantile);
    if (!isfinite(options->threshold))
        return fail(why, DITHER_INVALID, "the threshold must be a finite number");
    if (options->group > LARGEST_GROUP || options->max_groups > LARGEST_GROUP)
        return fail(why, DITHER_INVALID, "group and max-groups must not be above %llu",
                    (unsigned long long)LARGEST_GROUP);
    if (options->grid != 0)
        TRY(grid_check(options->grid, why));
    TRY(check_range(options->range, "range", why));
    TRY(check_range(options->output, "output interval", why));
    TRY(check_edges(options, why));
    return check_table(options, why);
}

status mechanism_init(struct mechanism *mechanism, const struct mechanism_kind *kind,
                      const dither_options *options, error *why)
{
    TRY(check_known(kind, given_options(options), why));
    TRY(check_numbers(options, why));
    struct mechanism made = {.kind = kind, .options = *options, .grid = 1};
    if (made.options.sensitivity == 0)
        made.options.sensitivity = 1;
    if (made.options.group == 0)
        made.options.group = 1;
    if (made.options.max_groups == 0)
        made.options.max_groups = 1;
    TRY(kind->init(&made, why));
    *mechanism = made;
    return DITHER_OK;
}

static status check_true_answers(const struct mechanism *mechanism, const dither_data *data, error *why)
{
    if (data->count == 0)
        return fail(why, DITHER_INVALID, "%s needs at least one number", mechanism->kind->name);
    for (size_t i = 0; i < data->count; i++)
        if (!isfinite(data->values[i]))
            return fail(why, DITHER_INVALID, "number %zu is not finite", i + 1);
    return DITHER_OK;
}

static status check_counts(const dither_data *data, error *why)
{
    for (size_t i = 0; i < data->count; i++) {
        double count = data->values[i];
        if (!(count >= 0 && count <= (double)MECHANISM_LIMIT && count == floor(count)))
            return fail(why, DITHER_INVALID, "count %zu is not a whole number of people", i + 1);
    }
    return DITHER_OK;
}

static status check_data(const struct mechanism *mechanism, const dither_data *data, error *why)
{
    switch (mechanism->kind->shape) {
    case SHAPE_NUMBERS:
    case SHAPE_SCORES:
        return check_true_answers(mechanism, data, why);
    case SHAPE_COUNTS:
        return check_counts(data, why);
    case SHAPE_TABLE:
        if (data->count % mechanism->options.column_count != 0)
            return fail(why, DITHER_INVALID, "the last row of the table is incomplete");
        return DITHER_OK;
    case SHAPE_RECORDS: /* any double is a record: measure is total */
        return DITHER_OK;
    }
    return fail(why, DITHER_INVALID, "unknown shape");
}

status mechanism_measure(const struct mechanism *mechanism, const dither_data *data, int64_t *statistic,
                         error *why)
{
    TRY(check_data(mechanism, data, why));
    return mechanism->kind->measure(mechanism, data, statistic, why);
}

status mechanism_noise(const struct mechanism *mechanism, struct random *random, const int64_t *statistic,
                       size_t n, int64_t *outcome, error *why)
{
    return mechanism->law.family->sample(&mechanism->law, random, statistic, n, outcome, why);
}

void mechanism_finish_direct(const struct mechanism *mechanism, const int64_t *outcome, size_t outcome_count,
                             double *answer)
{
    for (size_t i = 0; i < outcome_count; i++)
        answer[i] = outcome[i] == LAW_HIDDEN ? (double)NAN : (double)outcome[i] * mechanism->grid;
}

const struct mechanism_kind *mechanism_find(const char *name)
{
    for (size_t i = 0; i < mechanism_kind_count; i++)
        if (strcmp(mechanism_kinds[i]->name, name) == 0)
            return mechanism_kinds[i];
    return NULL;
}
