/* calibrate.h - the other way round: how much noise do these releases need to keep (epsilon, delta) together?
 *
 * The scales of all releases that add noise are multiplied by one factor; the others stay as they are. The
 * smallest factor that is proved to keep the promise is found by bisection over the tightest accounting, to
 * one part in 10^6. */
#ifndef ACCOUNT_CALIBRATE_H
#define ACCOUNT_CALIBRATE_H

#include "account/account_plan.h"

/* promise.epsilon > 0 and promise.delta in (0, 1); with only pure releases, delta may be 0. `scale`s that are
 * 0 stand for
 * 1. The factor found is proved: with it, account_plan_epsilon's upper bound (for delta 0: the sum of the
 * pure epsilons) is at most promise.epsilon. Refuses when the releases without noise already spend more. */
status calibrate_noise(const struct release *releases, size_t count, dither_cost promise, double *factor,
                       error *why) MUST_CHECK;

#endif
