/* bayes.h - what an epsilon lets an observer believe.
 *
 * The odds between two neighbouring worlds change by a factor within [e^-epsilon, e^epsilon] when an
 * epsilon-private answer is seen. Ends are rounded outward; arguments that are no probability or no epsilon
 * >= 0 give NaN. */
#ifndef MECHANISM_BAYES_H
#define MECHANISM_BAYES_H

#include "dither.h"

/* From prior p to posterior: p / (p + (1 - p) e^epsilon) up to p / (p + (1 - p) e^-epsilon). */
dither_range bayes_posterior(double prior, double epsilon);

/* From the posterior formed with somebody in the data to the one formed without: q >= e^-epsilon p, and the
 * same for the contrary belief: 1 - q >= e^-epsilon (1 - p). */
dither_range bayes_other_world(double posterior, double epsilon);

#endif
