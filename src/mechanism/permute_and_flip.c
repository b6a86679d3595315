/* permute-and-flip: a choice among candidates, never worse than the exponential mechanism's.
 * docs/mechanisms/permute-and-flip.md */
#include "mechanism/permute_and_flip.h"

#include <assert.h>

#include "mechanism/registry.h"
#include "mechanism/scores.h"

static status init(struct mechanism *mechanism, error *why)
{
    TRY(scores_init(mechanism, why));
    mechanism->law.family = &law_permute_and_flip;
    mechanism->law.rate = scores_rate(mechanism);
    return DITHER_OK;
}

void permute_and_flip_one_way(struct mechanism *mechanism)
{
    assert(mechanism->law.family == &law_permute_and_flip && !mechanism->one_way);
    mechanism->one_way = true;
    mechanism->law.rate.exponent++;
}

const struct mechanism_kind mechanism_permute_and_flip = {
    .name = "permute-and-flip",
    .summary = "the index of a good choice: never worse than the exponential mechanism, often better",
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
