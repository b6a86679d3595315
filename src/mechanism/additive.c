#include "mechanism/additive.h"

#include <math.h>

#include "mechanism/grid.h"
#include "mechanism/law_common.h"

status additive_for_group(const struct mechanism *mechanism, uint64_t steps, uint64_t *out, error *why)
{
    uint64_t total = 0;
    if (__builtin_mul_overflow(steps, mechanism->options.group, &total) || total > (uint64_t)MECHANISM_LIMIT)
        return fail(
            why, DITHER_INVALID,
            "one person, or the group, can move the answer by too many grid steps: choose a coarser grid");
    *out = total;
    return DITHER_OK;
}

status additive_calibrate_to(struct mechanism *mechanism, const struct law_family *family, uint64_t steps,
                             double loss, error *why)
{
    struct rational scale = rational_divide_integer(steps, rational_from_double(loss));
    TRY(geometric_init(&mechanism->law.noise, scale, why));
    mechanism->law.family = family;
    mechanism->sensitivity = steps;
    return DITHER_OK;
}

status additive_calibrate(struct mechanism *mechanism, const struct law_family *family, uint64_t steps,
                          error *why)
{
    mechanism->cost = (dither_cost){.epsilon = mechanism->options.epsilon};
    return additive_calibrate_to(mechanism, family, steps, mechanism->options.epsilon, why);
}

double additive_scale(const struct mechanism *mechanism)
{
    return rational_to_double(mechanism->law.noise.scale, MPFR_RNDN) * mechanism->grid;
}

double additive_half_width(const struct mechanism *mechanism, const dither_data *data, double confidence)
{
    (void)data;
    return geometric_half_width(&mechanism->law.noise, confidence) * mechanism->grid;
}

double additive_half_width_rounded(const struct mechanism *mechanism, const dither_data *data,
                                   double confidence)
{
    return additive_half_width(mechanism, data, confidence) + mechanism->grid / 2;
}

double additive_no_half_width(const struct mechanism *mechanism, const dither_data *data, double confidence)
{
    (void)mechanism;
    (void)data;
    (void)confidence;
    return NAN;
}

size_t additive_one_number(const struct mechanism *mechanism, const dither_data *data)
{
    (void)mechanism;
    (void)data;
    return 1;
}

status additive_output(struct mechanism *mechanism, error *why)
{
    int64_t lower = grid_ceil(mechanism->options.output.lower, mechanism->grid);
    int64_t upper = grid_floor(mechanism->options.output.upper, mechanism->grid);
    /* An interval that begins or ends at the limit was moved there: what it holds is out of reach. */
    if (lower == MECHANISM_LIMIT || upper == -MECHANISM_LIMIT)
        return fail(why, DITHER_INVALID,
                    "the grid %g is too fine for an output interval this far from 0: choose a coarser one",
                    mechanism->grid);
    if (lower > upper)
        return fail(why, DITHER_INVALID, "no multiple of the grid, %g, lies in the output interval",
                    mechanism->grid);
    mechanism->law.lower = lower;
    mechanism->law.upper = upper;
    return DITHER_OK;
}

uint64_t additive_output_length(const struct mechanism *mechanism)
{
    return (uint64_t)mechanism->law.upper - (uint64_t)mechanism->law.lower;
}

int64_t additive_saturate(int128_t sum)
{
    if (sum > MECHANISM_LIMIT)
        return MECHANISM_LIMIT;
    return sum < -MECHANISM_LIMIT ? -MECHANISM_LIMIT : (int64_t)sum;
}
