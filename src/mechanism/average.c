#include "mechanism/average.h"

#include "mechanism/additive.h"
#include "mechanism/grid.h"
#include "mechanism/records.h"

status average_init(struct mechanism *mechanism, dither_range range, double size, error *why)
{
    if (mechanism->options.min_size > INT64_MAX)
        return fail(why, DITHER_INVALID, "min-size is larger than any number of people");
    return records_range(mechanism, range, size, why);
}

uint64_t average_steps(const struct mechanism *mechanism)
{
    uint64_t length = (uint64_t)(mechanism->upper - mechanism->lower);
    uint128_t moved = (uint128_t)length * mechanism->options.group; /* below 2^54 * 2^20 */
    uint64_t size = mechanism->options.min_size;
    uint128_t steps = (moved + size - 1) / size;
    return steps < length ? (uint64_t)steps : length;
}

static int128_t floor_divide(int128_t numerator, int128_t denominator)
{
    int128_t quotient = numerator / denominator;
    return quotient - (numerator % denominator < 0);
}

/* With N = max(n, S), s = lower + upper and w = sum of (2x - s), all whole numbers, the average is s/2 +
 * w/(2N), and rounded it is floor((s + 1)/2 + w/(2N)) = h + floor((r N + w) / (2N)), where s + 1 = 2h + r. */
int64_t average_measure(const struct mechanism *mechanism, dither_range range, const dither_data *data)
{
    int64_t ends = mechanism->lower + mechanism->upper;
    int128_t centered = 0;
    for (size_t i = 0; i < data->count; i++)
        centered += 2 * grid_clamp(data->values[i], range, mechanism->grid) - ends;
    uint64_t size = mechanism->options.min_size > data->count ? mechanism->options.min_size : data->count;
    int128_t half = floor_divide((int128_t)ends + 1, 2);
    int128_t rest = (int128_t)ends + 1 - 2 * half;
    return (int64_t)(half + floor_divide(rest * size + centered, 2 * (int128_t)size));
}

double average_half_width(const struct mechanism *mechanism, const dither_data *data, double confidence)
{
    return additive_half_width_rounded(mechanism, data, confidence) + mechanism->grid / 2;
}
