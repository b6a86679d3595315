/* discrete-gaussian: whole numbers plus discrete Gaussian noise. docs/mechanisms/discrete-gaussian.md */
#include "mechanism/gaussian_calibration.h"
#include "mechanism/gaussian_noise.h"
#include "mechanism/numbers.h"
#include "mechanism/registry.h"

static status discrete_gaussian_mechanism_init(struct mechanism *mechanism, error *why)
{
    uint64_t steps = 0;
    TRY(numbers_whole_init(mechanism, &steps, why));
    return gaussian_noise_calibrate(mechanism, steps, why);
}

static status discrete_gaussian_mechanism_measure(const struct mechanism *mechanism, const dither_data *data,
                                                  int64_t *statistic, error *why)
{
    if (data->count > GAUSSIAN_MOST_NUMBERS)
        return fail(why, DITHER_INVALID, "discrete-gaussian takes at most 2^40 numbers at a time");
    return numbers_whole_measure(mechanism, data, statistic, why);
}

static double discrete_gaussian_mechanism_half_width(const struct mechanism *mechanism,
                                                     const dither_data *data, double confidence)
{
    (void)data;
    return gaussian_noise_half_width_steps(mechanism, confidence);
}

const struct mechanism_kind mechanism_discrete_gaussian = {
    .name = "discrete-gaussian",
    .summary = "whole numbers with discrete Gaussian noise, for (epsilon, delta) or rho",
    .shape = SHAPE_NUMBERS,
    .understands = OPTION_EPSILON | OPTION_DELTA | OPTION_RHO | OPTION_SENSITIVITY | OPTION_GROUP,
    .example = {.rho = 0.5, .sensitivity = 1},
    .init = discrete_gaussian_mechanism_init,
    .statistic_count = numbers_count,
    .measure = discrete_gaussian_mechanism_measure,
    .answer_count = numbers_count,
    .finish = mechanism_finish_direct,
    .scale = gaussian_noise_scale,
    .half_width = discrete_gaussian_mechanism_half_width,
};
