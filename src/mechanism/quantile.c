/* quantile: a value below which a given share of the people lies; 0 is the smallest value, 0.5 the median, 1
 * the largest. docs/mechanisms/quantile.md
 *
 * A candidate c is as good as its ranks, from #{x < c} to #{x <= c}, are near to q n: its score is minus the
 * distance of q n from that interval. All in whole numbers: q is taken in units of 2^-30, and so are the
 * scores.
 *
 * Sensitivity. One person more at x changes #{x < c} - q n by -q or 1 - q, and q n - #{x <= c} by q or q - 1;
 * the score is minus the maximum of these two and 0, so it changes by at most max(q, 1 - q). */
#include "mechanism/quantile.h"

#include <assert.h>
#include <math.h>

#include "mechanism/grid.h"
#include "mechanism/registry.h"
#include "mechanism/scores.h"

enum {
    EVEN_STEPS = 1000, /* without other candidates: both ends of the range and 999 between */
    MOST_CANDIDATES = 65536,
};

#define ONE         (INT64_C(1) << 30) /* q = 1 in whole numbers */
#define MOST_PEOPLE UINT32_MAX         /* then scores stay within MECHANISM_LIMIT */

/* ---- Candidates ---- */

/* mechanism->lower and upper number the first and the last candidate; center is q in units of 2^-30. */
static size_t candidate_count(const struct mechanism *mechanism)
{
    return (size_t)(mechanism->upper - mechanism->lower + 1);
}

/* Ascending: each operation rounds monotonically. */
static double candidate(const struct mechanism *mechanism, size_t index)
{
    const dither_options *options = &mechanism->options;
    if (options->edge_count > 0)
        return options->edges[index];
    if (options->grid > 0)
        return (double)(mechanism->lower + (int64_t)index) * options->grid;
    double width = options->range.upper - options->range.lower;
    return fmin(options->range.lower + width * ((double)index / EVEN_STEPS), options->range.upper);
}

static status number_candidates(struct mechanism *mechanism, error *why)
{
    const dither_options *options = &mechanism->options;
    bool range = options->range.lower < options->range.upper;
    if (options->edge_count > 0 && (range || options->grid > 0))
        return fail(why, DITHER_INVALID,
                    "quantile takes its candidates from edges, or from a range; not from both");
    if (options->edge_count == 0 && !range)
        return fail(why, DITHER_INVALID, "quantile needs a range, or edges: the values that may be answered");
    if (isinf(options->range.upper - options->range.lower))
        return fail(why, DITHER_INVALID, "the range is too wide");
    mechanism->lower = options->grid > 0 ? grid_ceil(options->range.lower, options->grid) : 0;
    mechanism->upper = options->edge_count > 0 ? (int64_t)options->edge_count - 1
                       : options->grid > 0     ? grid_floor(options->range.upper, options->grid)
                                               : EVEN_STEPS;
    if (mechanism->upper < mechanism->lower)
        return fail(why, DITHER_INVALID, "no multiple of the grid %g lies in the range", options->grid);
    /* Ends beyond the limit were moved to it, and may be 2^63 apart. */
    if (mechanism->lower == MECHANISM_LIMIT || mechanism->upper == -MECHANISM_LIMIT ||
        (uint64_t)mechanism->upper - (uint64_t)mechanism->lower >= MOST_CANDIDATES)
        return fail(why, DITHER_INVALID, "quantile takes at most %d candidates; use a larger grid",
                    (int)MOST_CANDIDATES);
    return DITHER_OK;
}

/* The smallest or the largest value is asked for: one more person moves no score up. */
static bool one_way(const struct mechanism *mechanism)
{
    return mechanism->center == 0 || mechanism->center == ONE;
}

static status init(struct mechanism *mechanism, error *why)
{
    TRY(number_candidates(mechanism, why));
    mechanism->center = (int64_t)rint(mechanism->options.quantile * (double)ONE);
    int64_t farther = mechanism->center > ONE / 2 ? mechanism->center : ONE - mechanism->center;
    mechanism->sensitivity = (uint64_t)farther * mechanism->options.group; /* below 2^51 */
    mechanism->cost = (dither_cost){.epsilon = mechanism->options.epsilon};
    mechanism->law.family = &law_permute_and_flip;
    mechanism->law.rate = scores_rate(mechanism);
    if (one_way(mechanism))
        mechanism->law.rate.exponent++;
    return DITHER_OK;
}

/* ---- Ranks ---- */

static size_t statistic_count(const struct mechanism *mechanism, const dither_data *data)
{
    (void)data;
    return candidate_count(mechanism);
}

/* How many candidates are below the value: the place of the first that is not. NaN is below all. */
static size_t place(const struct mechanism *mechanism, double value)
{
    size_t low = 0, high = candidate_count(mechanism);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (candidate(mechanism, middle) < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Each number of the statistic first holds two counts, side by side: of the values whose place it is and, in
 * the low half, of those that equal the candidate. */
static void count_places(const struct mechanism *mechanism, const dither_data *data, int64_t *statistic)
{
    size_t count = candidate_count(mechanism);
    for (size_t i = 0; i < count; i++)
        statistic[i] = 0;
    for (size_t i = 0; i < data->count; i++) {
        size_t at = place(mechanism, data->values[i]);
        if (at < count) {
            uint64_t equal = candidate(mechanism, at) == data->values[i];
            statistic[at] = (int64_t)((uint64_t)statistic[at] + (UINT64_C(1) << 32) + equal);
        }
    }
}

/* In 128 bits: counts below 2^80 and q in units of 2^-30 stay far within. */
int64_t quantile_score(const struct mechanism *mechanism, struct quantile_ranks ranks)
{
    assert(ranks.shift == 0 || !one_way(mechanism));
    int128_t target = mechanism->center * ranks.total, distance = 0;
    int128_t below = ranks.below * ONE + ranks.shift, at_most = ranks.at_most * ONE + ranks.shift;
    if (below > target)
        distance = below - target;
    if (target > at_most)
        distance = target - at_most;
    return -(distance < MECHANISM_LIMIT ? (int64_t)distance : MECHANISM_LIMIT);
}

static status measure(const struct mechanism *mechanism, const dither_data *data, int64_t *statistic,
                      error *why)
{
    if (data->count > MOST_PEOPLE)
        return fail(why, DITHER_INVALID, "quantile takes at most %llu values",
                    (unsigned long long)MOST_PEOPLE);
    count_places(mechanism, data, statistic);
    struct quantile_ranks ranks = {.total = (int128_t)data->count};
    for (size_t i = 0; i < candidate_count(mechanism); i++) {
        uint64_t counts = (uint64_t)statistic[i];
        ranks.at_most += (int64_t)(counts >> 32);
        ranks.below = ranks.at_most - (int64_t)(uint32_t)counts;
        statistic[i] = quantile_score(mechanism, ranks);
    }
    return DITHER_OK;
}

/* ---- The answer ---- */

static size_t answer_count(const struct mechanism *mechanism, const dither_data *data)
{
    (void)mechanism;
    (void)data;
    return 1;
}

static void finish(const struct mechanism *mechanism, const int64_t *outcome, size_t outcome_count,
                   double *answer)
{
    (void)outcome_count;
    answer[0] = candidate(mechanism, (size_t)outcome[0]);
}

/* In ranks: how many people off counts e times less. */
static double scale(const struct mechanism *mechanism)
{
    double ranks = (double)mechanism->sensitivity / (double)ONE;
    return (one_way(mechanism) ? ranks : 2 * ranks) / mechanism->options.epsilon;
}

/* How far apart values are that are near in rank is not public. */
static double half_width(const struct mechanism *mechanism, const dither_data *data, double confidence)
{
    (void)mechanism;
    (void)data;
    (void)confidence;
    return NAN;
}

static const double example_edges[] = {1, 2, 4};

const struct mechanism_kind mechanism_quantile = {
    .name = "quantile",
    .summary = "a median, a quantile, the smallest (0) or the largest (1) value, among public candidates",
    .shape = SHAPE_RECORDS,
    .needs = OPTION_EPSILON | OPTION_QUANTILE,
    .understands = OPTION_RANGE | OPTION_EDGES | OPTION_GRID | OPTION_GROUP,
    .example = {.epsilon = 1, .quantile = 0.25, .edges = example_edges, .edge_count = 3},
    .init = init,
    .statistic_count = statistic_count,
    .measure = measure,
    .answer_count = answer_count,
    .finish = finish,
    .scale = scale,
    .half_width = half_width,
};
