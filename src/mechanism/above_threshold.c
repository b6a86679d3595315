/* above-threshold: the first number in a row that is above a level. docs/mechanisms/above-threshold.md */
#include "mechanism/grid.h"
#include "mechanism/registry.h"
#include "mechanism/scores.h"

static status init(struct mechanism *mechanism, error *why)
{
    TRY(scores_init(mechanism, why));
    mechanism->law.family = &law_above_threshold;
    mechanism->law.threshold = grid_round(mechanism->options.threshold, mechanism->options.grid);
    TRY(scores_noise(mechanism, 2, &mechanism->law.noise, why));
    return scores_noise(mechanism, 4, &mechanism->law.query_noise, why);
}

/* Of the noise on each number, which is the wider. */
static double scale(const struct mechanism *mechanism)
{
    return 2 * scores_scale(mechanism);
}

/* With this confidence the number found is at least threshold - w, and all before it are at most threshold +
 * w: half of what may fail is allowed to the threshold's noise, the other half is shared by the numbers'. */
static double half_width(const struct mechanism *mechanism, const dither_data *data, double confidence)
{
    double failure = (1 - confidence) / 2 * (1 - 1e-9);
    double each = failure / (double)(data->count > 0 ? data->count : 1);
    return scores_distance(mechanism, geometric_width(&mechanism->law.noise, failure) +
                                          geometric_width(&mechanism->law.query_noise, each));
}

const struct mechanism_kind mechanism_above_threshold = {
    .name = "above-threshold",
    .summary = "the index of the first number above a threshold, whatever their number (sparse vector)",
    .shape = SHAPE_SCORES,
    .needs = OPTION_EPSILON | OPTION_THRESHOLD,
    .understands = SCORES_OPTIONS,
    .example = {.epsilon = 2, .sensitivity = 1, .grid = 1, .threshold = 2},
    .init = init,
    .statistic_count = scores_count,
    .measure = scores_measure,
    .answer_count = scores_answer_count,
    .finish = mechanism_finish_direct,
    .scale = scale,
    .half_width = half_width,
};
