/* truncated-laplace: real numbers on a grid plus noise, clamped to an interval afterwards.
 * docs/mechanisms/truncated-laplace.md */
#include "mechanism/additive.h"
#include "mechanism/numbers.h"
#include "mechanism/registry.h"

static status truncated_laplace_init(struct mechanism *mechanism, error *why)
{
    uint64_t steps = 0;
    TRY(numbers_real_init(mechanism, &steps, why));
    TRY(additive_output(mechanism, why));
    return additive_calibrate(mechanism, &law_clamped, steps, why);
}

const struct mechanism_kind mechanism_truncated_laplace = {
    .name = "truncated-laplace",
    .summary = "real numbers with Laplace noise, the sum clamped to an interval",
    .shape = SHAPE_NUMBERS,
    .needs = OPTION_EPSILON | OPTION_OUTPUT,
    .understands = OPTION_SENSITIVITY | OPTION_GROUP | OPTION_GRID,
    .example = {.epsilon = 0.5, .sensitivity = 1.5, .output = {0, 4}, .grid = 0.5},
    .init = truncated_laplace_init,
    .statistic_count = numbers_count,
    .measure = numbers_real_measure_l1,
    .answer_count = numbers_count,
    .finish = mechanism_finish_direct,
    .scale = additive_scale,
    .half_width = additive_half_width_rounded,
};
