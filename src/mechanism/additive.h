/* additive.h - calibration of two-sided geometric noise, shared by the mechanisms that add it.
 *
 * A statistic that moves by at most `steps` in L1 norm, plus independent noise of scale steps / epsilon on
 * each number, is epsilon-private: the probability of every outcome changes by a factor of at most exp(steps
 * / scale) = exp(epsilon). The scale is a rational number, so this holds without any rounding. */
#ifndef MECHANISM_ADDITIVE_H
#define MECHANISM_ADDITIVE_H

#include "mechanism/mechanism.h"

/* What `group` people, who each move the statistic by at most `steps`, move it by together. */
status additive_for_group(const struct mechanism *mechanism, uint64_t steps, uint64_t *out,
                          error *why) MUST_CHECK;

/* Sets the law of the family (laplace or clamped), the sensitivity and the cost: the options' epsilon for a
 * statistic that moves by at most `steps` >= 1 in L1 norm. */
status additive_calibrate(struct mechanism *mechanism, const struct law_family *family, uint64_t steps,
                          error *why) MUST_CHECK;

/* The same with another loss than the options' epsilon; leaves the cost to the caller. */
status additive_calibrate_to(struct mechanism *mechanism, const struct law_family *family, uint64_t steps,
                             double loss, error *why) MUST_CHECK;

/* For mechanism_kind: b of the noise in the answer's unit; its half width where the truth is a whole number
 * of steps, and where it was rounded to one. */
double additive_scale(const struct mechanism *mechanism);
double additive_half_width(const struct mechanism *mechanism, const dither_data *data, double confidence);
double additive_half_width_rounded(const struct mechanism *mechanism, const dither_data *data,
                                   double confidence);

/* For mechanism_kind: NaN, where public knowledge gives no half width. */
double additive_no_half_width(const struct mechanism *mechanism, const dither_data *data, double confidence);

/* For mechanism_kind: a single number. */
size_t additive_one_number(const struct mechanism *mechanism, const dither_data *data);

/* Sets law.lower and law.upper to the multiples of the grid that lie inside the output interval, as far as
 * they are within MECHANISM_LIMIT. */
status additive_output(struct mechanism *mechanism, error *why) MUST_CHECK;

/* law.upper - law.lower, which may be 2^63. */
uint64_t additive_output_length(const struct mechanism *mechanism);

/* A sum of many values as a statistic: saturated at MECHANISM_LIMIT. */
int64_t additive_saturate(int128_t sum);

#endif
