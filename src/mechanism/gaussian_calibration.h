/* gaussian_calibration.h - how much Gaussian noise keeps (epsilon, delta).
 *
 * Continuous noise of standard deviation sigma on numbers that move by 1 in L2 norm has
 *     delta(epsilon) = Phi(1/(2 sigma) - epsilon sigma) - e^epsilon Phi(-1/(2 sigma) - epsilon sigma)
 * (Balle and Wang 2018, Theorem 8). Discrete noise is not that noise: at sigma 1 its true delta is up to
 * twice as large. For a single whole number that moves by `steps`, delta(epsilon) = P(X >= m) - e^epsilon P(X
 * >= m + steps),  m = ceil(epsilon variance / steps - steps/2), exactly, and it grows with `steps`. All
 * results are rounded against ourselves. */
#ifndef MECHANISM_GAUSSIAN_CALIBRATION_H
#define MECHANISM_GAUSSIAN_CALIBRATION_H

#include "base/rational.h"

/* What is to be promised; epsilon >= 0, delta in (0, 1). */
struct gaussian_promise {
    double epsilon, delta;
};

/* Continuous noise: the delta at epsilon, and the least sigma (per unit of L2 sensitivity; epsilon > 0). */
double gaussian_delta(double sigma, double epsilon);
double gaussian_sigma(struct gaussian_promise promise);

/* Discrete noise on one whole number that moves by at most `steps` >= 1: the delta at epsilon. */
double gaussian_discrete_delta(struct rational variance, uint64_t steps, double epsilon);

/* The least variance that we can prove to keep the promise for whole numbers, however many, that together
 * move by at most `steps` in L2 norm. docs/mechanisms/gaussian.md has the proof. Infinite when it is too
 * large for a double. */
double gaussian_discrete_variance(struct gaussian_promise promise, uint64_t steps);

/* The number of whole numbers for which gaussian_discrete_variance is proved. */
#define GAUSSIAN_MOST_NUMBERS (UINT64_C(1) << 40)

#endif
