/* gaussian_noise.h - calibration of discrete Gaussian noise, shared by gaussian and discrete-gaussian. */
#ifndef MECHANISM_GAUSSIAN_NOISE_H
#define MECHANISM_GAUSSIAN_NOISE_H

#include "mechanism/mechanism.h"

/* Sets the law, the sensitivity and the cost for whole numbers that move by at most `steps` in L2 norm: the
 * options' rho, or their epsilon with a delta above 0. */
status gaussian_noise_calibrate(struct mechanism *mechanism, uint64_t steps, error *why) MUST_CHECK;

/* For mechanism_kind: sigma in the answer's unit; the half width in steps. */
double gaussian_noise_scale(const struct mechanism *mechanism);
double gaussian_noise_half_width_steps(const struct mechanism *mechanism, double confidence);

#endif
