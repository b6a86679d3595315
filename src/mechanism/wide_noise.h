/* wide_noise.h - two-sided geometric noise that never wraps.
 *
 * random/geometric.h computes modulo 2^64, which is harmless where the noisy number itself is the answer. A
 * law that compares noisy numbers needs the true order, also in the event of probability exp(-8192) in which
 * a draw does not fit in 64 bits: else its promise would hold only nearly. So the digits above the 64th are
 * drawn here too. They are independent of the lower ones: a one-sided draw is low + 2^64 high with high
 * geometric of ratio exp(-2^64 / scale). */
#ifndef MECHANISM_WIDE_NOISE_H
#define MECHANISM_WIDE_NOISE_H

#include "random/geometric.h"

/* P(out = k) = (1-q)/(1+q) q^|k| with q = exp(-1 / scale), for every whole k. */
status wide_noise_draw(const struct geometric *noise, struct random *random, int128_t *out,
                       error *why) MUST_CHECK;

/* The nearest number that fits in 64 bits and is not LAW_HIDDEN. */
int64_t wide_noise_narrow(int128_t value);

#endif
