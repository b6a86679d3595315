/* noisy-max: the index of the largest noisy score. docs/mechanisms/noisy-max.md */
#include <math.h>

#include "mechanism/registry.h"
#include "mechanism/scores.h"

static status init(struct mechanism *mechanism, error *why)
{
    TRY(scores_init(mechanism, why));
    mechanism->law.family = &law_noisy_max;
    return scores_noise(mechanism, 2, &mechanism->law.noise, why);
}

/* P(Z - Z' >= t) for two independent noises and t >= 0. The difference is d >= 0 with probability
 * ((1-q)/(1+q))^2 q^d (d + (1+q^2)/(1-q^2)); this is the sum of it from t on. */
static double difference_tail(double scale, double t)
{
    double q = exp(-1 / scale);
    double bracket = t * -expm1(-2 / scale) + 1 + q + 2 * q * q;
    return exp(-t / scale) * bracket / ((1 + q) * (1 + q) * (1 + q));
}

/* The chosen index is more than w steps behind the best only when some other noise exceeds the best one's by
 * w + 1: the least w for which that has probability at most (1 - confidence) / (k - 1). */
static double half_width(const struct mechanism *mechanism, const dither_data *data, double confidence)
{
    if (data->count <= 1)
        return 0;
    double scale = rational_to_double(mechanism->law.noise.scale, MPFR_RNDU);
    double allowed = (1 - confidence) / (double)(data->count - 1) * (1 - 1e-9);
    double low = -1, high = 1;
    while (difference_tail(scale, high + 1) > allowed)
        high *= 2;
    while (high - low > 1 && high - low > high * 1e-12) {
        double middle = floor((low + high) / 2);
        *(difference_tail(scale, middle + 1) > allowed ? &low : &high) = middle;
    }
    return scores_distance(mechanism, high);
}

const struct mechanism_kind mechanism_noisy_max = {
    .name = "noisy-max",
    .summary = "the index of the largest score after noise on each",
    .shape = SHAPE_SCORES,
    .needs = OPTION_EPSILON,
    .understands = SCORES_OPTIONS,
    .example = {.epsilon = 2, .sensitivity = 1, .grid = 1},
    .init = init,
    .statistic_count = scores_count,
    .measure = scores_measure,
    .answer_count = scores_answer_count,
    .finish = mechanism_finish_direct,
    .scale = scores_scale,
    .half_width = half_width,
};
