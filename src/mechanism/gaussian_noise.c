#include "mechanism/gaussian_noise.h"

#include <math.h>

#include "mechanism/gaussian_calibration.h"

/* steps^2 / (2 rho), exactly: discrete Gaussian noise is as concentrated as continuous noise of that variance
 * (Canonne, Kamath, Steinke 2020, Theorem 14). */
static struct rational variance_for_rho(uint64_t steps, double rho)
{
    return rational_divide_integer(steps * steps, rational_multiply_integer(2, rational_from_double(rho)));
}

status gaussian_noise_calibrate(struct mechanism *mechanism, uint64_t steps, error *why)
{
    const dither_options *options = &mechanism->options;
    if (steps > UINT32_MAX)
        return fail(
            why, DITHER_INVALID,
            "one person, or the group, can move the answer by too many grid steps: choose a coarser grid");
    struct rational variance;
    if (options->rho != 0) {
        if (options->delta != 0)
            return fail(why, DITHER_INVALID, "a rho needs no delta: give epsilon and delta, or rho");
        variance = variance_for_rho(steps, options->rho);
        mechanism->cost = (dither_cost){.rho = options->rho};
    } else {
        if (options->delta == 0)
            return fail(why, DITHER_INVALID, "%s needs a delta above 0 beside epsilon",
                        mechanism->kind->name);
        struct gaussian_promise promise = {options->epsilon, options->delta};
        double value = gaussian_discrete_variance(promise, steps);
        if (!isfinite(value))
            return fail(why, DITHER_INVALID, "epsilon and delta are too small for Gaussian noise");
        variance = rational_from_double(value);
        mechanism->cost = (dither_cost){.epsilon = options->epsilon, .delta = options->delta};
    }
    TRY(discrete_gaussian_init(&mechanism->law.gaussian, variance, why));
    mechanism->law.family = &law_gaussian;
    mechanism->sensitivity = steps;
    return DITHER_OK;
}

double gaussian_noise_scale(const struct mechanism *mechanism)
{
    return sqrt(rational_to_double(mechanism->law.gaussian.variance, MPFR_RNDN)) * mechanism->grid;
}

double gaussian_noise_half_width_steps(const struct mechanism *mechanism, double confidence)
{
    return discrete_gaussian_half_width(&mechanism->law.gaussian, confidence);
}
