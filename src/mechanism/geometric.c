/* geometric: whole numbers plus two-sided geometric noise. docs/mechanisms/geometric.md */
#include "mechanism/additive.h"
#include "mechanism/numbers.h"
#include "mechanism/registry.h"

static status geometric_mechanism_init(struct mechanism *mechanism, error *why)
{
    uint64_t steps = 0;
    TRY(numbers_whole_init(mechanism, &steps, why));
    return additive_calibrate(mechanism, &law_laplace, steps, why);
}

const struct mechanism_kind mechanism_geometric = {
    .name = "geometric",
    .summary = "whole numbers, such as counts, with two-sided geometric noise",
    .shape = SHAPE_NUMBERS,
    .needs = OPTION_EPSILON,
    .understands = OPTION_SENSITIVITY | OPTION_GROUP,
    .example = {.epsilon = 0.5, .sensitivity = 2},
    .init = geometric_mechanism_init,
    .statistic_count = numbers_count,
    .measure = numbers_whole_measure,
    .answer_count = numbers_count,
    .finish = mechanism_finish_direct,
    .scale = additive_scale,
    .half_width = additive_half_width,
};
