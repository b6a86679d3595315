/* threshold-histogram: noisy counts of the keys that have enough people.
 * docs/mechanisms/threshold-histogram.md */
#include <assert.h>

#include "mechanism/keys.h"
#include "mechanism/noise_table.h"
#include "mechanism/registry.h"

/* The least t for which one person alone is shown, 1 + noise >= t, with probability at most delta: surely,
 * that is by the upper end. */
static int64_t least_threshold(const struct geometric *noise, double delta)
{
    struct noise_table table;
    noise_table_init(&table, noise, 0);
    int64_t low = -(INT64_C(1) << 61), high = INT64_C(1) << 61;
    assert(noise_table_at_least(&table, (int128_t)high - 1).upper <= delta);
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        bool enough = noise_table_at_least(&table, (int128_t)middle - 1).upper <= delta;
        *(enough ? &high : &low) = middle;
    }
    return high;
}

static status init(struct mechanism *mechanism, error *why)
{
    struct keys_share share;
    TRY(keys_init(mechanism, &share, why));
    struct rational epsilon = rational_from_double(mechanism->options.epsilon);
    mechanism->law.family = &law_threshold;
    TRY(geometric_init(&mechanism->law.noise, rational_divide_integer(mechanism->options.max_groups, epsilon),
                       why));
    mechanism->law.threshold = least_threshold(&mechanism->law.noise, share.delta);
    return DITHER_OK;
}

static double scale(const struct mechanism *mechanism)
{
    return rational_to_double(mechanism->law.noise.scale, MPFR_RNDU);
}

/* For a key that was named beforehand: hidden, or within this distance. A key that was picked because it is
 * shown has no such bound. */
static double half_width(const struct mechanism *mechanism, const dither_data *data, double confidence)
{
    (void)data;
    return geometric_half_width(&mechanism->law.noise, confidence);
}

const struct mechanism_kind mechanism_threshold_histogram = {
    .name = "threshold-histogram",
    .summary = "a noisy count for each key that has enough people behind it",
    .shape = SHAPE_COUNTS,
    .needs = OPTION_EPSILON | OPTION_DELTA,
    .understands = OPTION_MAX_GROUPS,
    .example = {.epsilon = 2, .delta = 1e-3, .max_groups = 2},
    .init = init,
    .statistic_count = keys_count,
    .measure = keys_measure,
    .answer_count = keys_count,
    .finish = mechanism_finish_direct,
    .scale = scale,
    .half_width = half_width,
};
