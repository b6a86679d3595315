/* laplace: real numbers on a grid, plus two-sided geometric noise. docs/mechanisms/laplace.md */
#include "mechanism/additive.h"
#include "mechanism/numbers.h"
#include "mechanism/registry.h"

static status laplace_init(struct mechanism *mechanism, error *why)
{
    uint64_t steps = 0;
    TRY(numbers_real_init(mechanism, &steps, why));
    return additive_calibrate(mechanism, &law_laplace, steps, why);
}

const struct mechanism_kind mechanism_laplace = {
    .name = "laplace",
    .summary = "real numbers with Laplace noise, on a grid",
    .shape = SHAPE_NUMBERS,
    .needs = OPTION_EPSILON,
    .understands = OPTION_SENSITIVITY | OPTION_GROUP | OPTION_GRID,
    .example = {.epsilon = 0.5, .sensitivity = 1.5, .grid = 0.5},
    .init = laplace_init,
    .statistic_count = numbers_count,
    .measure = numbers_real_measure_l1,
    .answer_count = numbers_count,
    .finish = mechanism_finish_direct,
    .scale = additive_scale,
    .half_width = additive_half_width_rounded,
};
