/* partition-selection: which keys have enough people to be shown. docs/mechanisms/partition-selection.md */
#include <math.h>

#include "mechanism/keys.h"
#include "mechanism/registry.h"

/* A key may use less epsilon than it is allowed: above this the difference, exp(-256), is nothing, and the
 * closed form stays within doubles. */
#define LARGEST_EPSILON 256

static status init(struct mechanism *mechanism, error *why)
{
    struct keys_share share;
    TRY(keys_init(mechanism, &share, why));
    mechanism->law.family = &law_select;
    mechanism->law.epsilon = fmin(share.epsilon, LARGEST_EPSILON);
    mechanism->law.delta = share.delta;
    return DITHER_OK;
}

static double scale(const struct mechanism *mechanism)
{
    return 1 / mechanism->law.epsilon;
}

/* Nothing numeric is released. */
static double half_width(const struct mechanism *mechanism, const dither_data *data, double confidence)
{
    (void)mechanism;
    (void)data;
    (void)confidence;
    return NAN;
}

const struct mechanism_kind mechanism_partition_selection = {
    .name = "partition-selection",
    .summary = "which keys have enough people behind them to be shown: 1, or nothing",
    .shape = SHAPE_COUNTS,
    .needs = OPTION_EPSILON | OPTION_DELTA,
    .understands = OPTION_MAX_GROUPS,
    .example = {.epsilon = 1, .delta = 1e-3, .max_groups = 2},
    .init = init,
    .statistic_count = keys_count,
    .measure = keys_measure,
    .answer_count = keys_count,
    .finish = mechanism_finish_direct,
    .scale = scale,
    .half_width = half_width,
};
