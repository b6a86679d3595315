/* gaussian: real numbers on a grid, plus discrete Gaussian noise. docs/mechanisms/gaussian.md */
#include "mechanism/gaussian_noise.h"
#include "mechanism/numbers.h"
#include "mechanism/registry.h"

static status gaussian_init(struct mechanism *mechanism, error *why)
{
    uint64_t steps = 0;
    TRY(numbers_real_init(mechanism, &steps, why));
    return gaussian_noise_calibrate(mechanism, steps, why);
}

static double gaussian_half_width(const struct mechanism *mechanism, const dither_data *data,
                                  double confidence)
{
    (void)data;
    return (gaussian_noise_half_width_steps(mechanism, confidence) + 0.5) * mechanism->grid;
}

const struct mechanism_kind mechanism_gaussian = {
    .name = "gaussian",
    .summary = "real numbers with Gaussian noise, on a grid, for (epsilon, delta) or rho",
    .shape = SHAPE_NUMBERS,
    .understands =
        OPTION_EPSILON | OPTION_DELTA | OPTION_RHO | OPTION_SENSITIVITY | OPTION_GROUP | OPTION_GRID,
    .example = {.epsilon = 1, .delta = 0.01, .sensitivity = 1.5, .grid = 0.5},
    .init = gaussian_init,
    .statistic_count = numbers_count,
    .measure = numbers_real_measure_l2,
    .answer_count = numbers_count,
    .finish = mechanism_finish_direct,
    .scale = gaussian_noise_scale,
    .half_width = gaussian_half_width,
};
