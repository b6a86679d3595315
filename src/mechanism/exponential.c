/* exponential: a choice among candidates, the better the likelier. docs/mechanisms/exponential.md */
#include "mechanism/registry.h"
#include "mechanism/scores.h"

static status init(struct mechanism *mechanism, error *why)
{
    TRY(scores_init(mechanism, why));
    mechanism->law.family = &law_exponential;
    mechanism->law.rate = scores_rate(mechanism);
    return DITHER_OK;
}

const struct mechanism_kind mechanism_exponential = {
    .name = "exponential",
    .summary = "the index of a good choice, drawn with probability proportional to exp(epsilon score / (2 "
               "sensitivity))",
    .shape = SHAPE_SCORES,
    .needs = OPTION_EPSILON,
    .understands = SCORES_OPTIONS,
    .example = {.epsilon = 1, .sensitivity = 1, .grid = 0.5},
    .init = init,
    .statistic_count = scores_count,
    .measure = scores_measure,
    .answer_count = scores_answer_count,
    .finish = mechanism_finish_direct,
    .scale = scores_scale,
    .half_width = scores_half_width,
};
