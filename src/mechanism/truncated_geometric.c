/* truncated-geometric: whole numbers plus noise, clamped to an interval afterwards.
 * docs/mechanisms/truncated-geometric.md */
#include "mechanism/additive.h"
#include "mechanism/numbers.h"
#include "mechanism/registry.h"

static status truncated_geometric_init(struct mechanism *mechanism, error *why)
{
    uint64_t steps = 0;
    TRY(numbers_whole_init(mechanism, &steps, why));
    TRY(additive_output(mechanism, why));
    return additive_calibrate(mechanism, &law_clamped, steps, why);
}

const struct mechanism_kind mechanism_truncated_geometric = {
    .name = "truncated-geometric",
    .summary = "whole numbers with geometric noise, the sum clamped to an interval",
    .shape = SHAPE_NUMBERS,
    .needs = OPTION_EPSILON | OPTION_OUTPUT,
    .understands = OPTION_SENSITIVITY | OPTION_GROUP,
    .example = {.epsilon = 0.5, .sensitivity = 2, .output = {0, 5}},
    .init = truncated_geometric_init,
    .statistic_count = numbers_count,
    .measure = numbers_whole_measure,
    .answer_count = numbers_count,
    .finish = mechanism_finish_direct,
    .scale = additive_scale,
    .half_width = additive_half_width,
};
