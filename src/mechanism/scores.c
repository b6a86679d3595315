#include "mechanism/scores.h"

#include <assert.h>
#include <math.h>

#include "mechanism/grid.h"

/* At least 1: a sensitivity that is nothing beside the grid still moves a score across the middle of a step.
 */
static uint64_t sensitivity_steps(const dither_options *options)
{
    int64_t steps = grid_ceil(options->sensitivity, options->grid);
    return steps < 1 ? 1 : (uint64_t)steps;
}

status scores_init(struct mechanism *mechanism, error *why)
{
    dither_options *options = &mechanism->options;
    if (options->grid == 0)
        options->grid = grid_for(options->sensitivity);
    uint64_t steps = sensitivity_steps(options);
    if (__builtin_mul_overflow(steps, options->group, &steps) || steps >= (uint64_t)MECHANISM_LIMIT)
        return fail(why, DITHER_INVALID,
                    "a sensitivity of %g (for %llu people at once) is too many steps of a grid of %g; use a "
                    "larger grid",
                    options->sensitivity, (unsigned long long)options->group, options->grid);
    mechanism->sensitivity = steps;
    mechanism->grid = 1;
    mechanism->cost = (dither_cost){.epsilon = options->epsilon};
    return DITHER_OK;
}

struct rational scores_rate(const struct mechanism *mechanism)
{
    struct rational rate;
    bool fits = rational_divide_by_integer(rational_from_double(mechanism->options.epsilon),
                                           mechanism->sensitivity, &rate);
    assert(fits); /* a double has denominator 1, and a sensitivity fits in 64 bits */
    rate.exponent--;
    return rate;
}

status scores_noise(const struct mechanism *mechanism, uint64_t factor, struct geometric *noise, error *why)
{
    struct rational scale =
        rational_divide_integer(mechanism->sensitivity, rational_from_double(mechanism->options.epsilon));
    assert(factor == 2 || factor == 4);
    scale.exponent += factor == 2 ? 1 : 2;
    return geometric_init(noise, scale, why);
}

size_t scores_count(const struct mechanism *mechanism, const dither_data *data)
{
    (void)mechanism;
    return data->count;
}

size_t scores_answer_count(const struct mechanism *mechanism, const dither_data *data)
{
    (void)mechanism;
    (void)data;
    return 1;
}

status scores_measure(const struct mechanism *mechanism, const dither_data *data, int64_t *statistic,
                      error *why)
{
    (void)why;
    for (size_t i = 0; i < data->count; i++)
        statistic[i] = grid_round(data->values[i], mechanism->options.grid);
    return DITHER_OK;
}

/* How many steps behind count e times less. */
static double steps_per_unit(const struct mechanism *mechanism)
{
    return (mechanism->one_way ? 1 : 2) * (double)mechanism->sensitivity / mechanism->options.epsilon;
}

double scores_scale(const struct mechanism *mechanism)
{
    return steps_per_unit(mechanism) * mechanism->options.grid;
}

double scores_distance(const struct mechanism *mechanism, double steps)
{
    return (ceil(steps * (1 + 1e-9)) + 1) * mechanism->options.grid;
}

/* A choice that is t steps behind is taken with probability at most exp(-rate t), under both laws, and there
 * are at most k - 1 of them. */
double scores_half_width(const struct mechanism *mechanism, const dither_data *data, double confidence)
{
    if (data->count <= 1)
        return 0;
    double others = (double)(data->count - 1);
    return scores_distance(mechanism, fmax(0, log(others / (1 - confidence))) * steps_per_unit(mechanism));
}
