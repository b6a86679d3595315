#include "mechanism/numbers.h"

#include <float.h>
#include <math.h>

#include "mechanism/additive.h"
#include "mechanism/grid.h"

enum {
    ROOM_SHIFT = 16,   /* rounding may cost one part in 2^16 */
    FINER_SHIFT = -10, /* the default grid, below that of grid_for */
};

size_t numbers_count(const struct mechanism *mechanism, const dither_data *data)
{
    (void)mechanism;
    return data->count;
}

/* ---- Whole numbers ---- */

status numbers_whole_init(struct mechanism *mechanism, uint64_t *steps, error *why)
{
    double sensitivity = mechanism->options.sensitivity;
    if (!(sensitivity >= 1 && sensitivity <= 0x1p53 && sensitivity == floor(sensitivity)))
        return fail(why, DITHER_INVALID, "%s works on whole numbers: the sensitivity must be 1, 2, 3, ...",
                    mechanism->kind->name);
    mechanism->grid = 1;
    return additive_for_group(mechanism, (uint64_t)sensitivity, steps, why);
}

status numbers_whole_measure(const struct mechanism *mechanism, const dither_data *data, int64_t *statistic,
                             error *why)
{
    for (size_t i = 0; i < data->count; i++)
        if (data->values[i] != floor(data->values[i]))
            return fail(why, DITHER_INVALID, "%s works on whole numbers; number %zu is not one",
                        mechanism->kind->name, i + 1);
    for (size_t i = 0; i < data->count; i++)
        statistic[i] = grid_round(data->values[i], 1);
    return DITHER_OK;
}

/* ---- Real numbers ---- */

/* ceil(group * sensitivity / grid), exactly; UINT64_MAX when it is larger. */
static uint64_t steps_of_group(const struct mechanism *mechanism)
{
    struct rational sensitivity = rational_from_double(mechanism->options.sensitivity);
    struct rational moved = rational_multiply_integer(mechanism->options.group, sensitivity);
    int grid_exponent = 0;
    frexp(mechanism->grid, &grid_exponent);
    moved.exponent -= grid_exponent - 1;
    uint64_t whole = rational_floor(moved);
    if (whole == UINT64_MAX)
        return whole;
    return whole + (rational_compare(rational_from_ratio(whole, 1), moved) < 0);
}

status numbers_real_init(struct mechanism *mechanism, uint64_t *steps, error *why)
{
    const dither_options *options = &mechanism->options;
    double moved = fmin(options->sensitivity * (double)options->group, DBL_MAX);
    double finer = ldexp(grid_for(moved), FINER_SHIFT);
    mechanism->grid = options->grid != 0 ? options->grid : fmax(finer, ldexp(1, -1074));
    uint64_t exact = steps_of_group(mechanism);
    if (exact > (uint64_t)MECHANISM_LIMIT)
        return fail(why, DITHER_INVALID, "the grid is too fine for this sensitivity: choose a coarser one");
    *steps = exact + (exact >> ROOM_SHIFT);
    return DITHER_OK;
}

static status measure_up_to(const struct mechanism *mechanism, const dither_data *data, uint64_t most,
                            int64_t *statistic, error *why)
{
    if (data->count > 1 && data->count > most)
        return fail(why, DITHER_INVALID,
                    "with the grid %g, %s takes at most %llu numbers at a time: choose a finer grid",
                    mechanism->grid, mechanism->kind->name, (unsigned long long)(most > 1 ? most : 1));
    for (size_t i = 0; i < data->count; i++)
        statistic[i] = grid_round(data->values[i], mechanism->grid);
    return DITHER_OK;
}

status numbers_real_measure_l1(const struct mechanism *mechanism, const dither_data *data, int64_t *statistic,
                               error *why)
{
    return measure_up_to(mechanism, data, 1 + (steps_of_group(mechanism) >> ROOM_SHIFT), statistic, why);
}

status numbers_real_measure_l2(const struct mechanism *mechanism, const dither_data *data, int64_t *statistic,
                               error *why)
{
    uint64_t room = steps_of_group(mechanism) >> ROOM_SHIFT, most = 0;
    if (__builtin_mul_overflow(room, room, &most))
        most = UINT64_MAX;
    return measure_up_to(mechanism, data, most, statistic, why);
}
