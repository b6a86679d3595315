/* release.h - what is known about a release before it happens: its noise, and what one person can change.
 *
 * A release is described by a pair of distributions that no pair of neighbouring data sets can be told apart
 * better than: `with` the person and `without`. All of accounting is about such pairs; which rows they came
 * from is somebody else's business. `count` releases of the same kind are described at once.
 *
 *     kind                 with / without                                         fields
 *     pure                 any epsilon-private release                            epsilon
 *     approximate          any (epsilon, delta)-private release                   epsilon, delta
 *     randomized response  truth kept with e^epsilon : 1 : ... : 1                epsilon, choices
 *     laplace              Laplace noise of the given scale, shift = sensitivity  scale, sensitivity
 *     discrete laplace     two-sided geometric noise on the integers              scale, sensitivity (whole)
 *     gaussian             normal noise, standard deviation = scale               scale, sensitivity
 *     discrete gaussian    P(x) proportional to exp(-x^2 / 2 scale^2), integers   scale, sensitivity (whole)
 *     concentrated         any rho-zCDP release                                   rho
 *     pair                 two explicit distributions over finitely many outcomes with, without, outcomes
 *
 * All of this is public: in this room memory is given back unwiped.
 *
 * A `sampling` rate below 1 says that each person is first taken into a Poisson sample with that probability,
 * secretly, and the release sees the sample alone. Neighbours then are: one person added, or removed; both
 * are counted. */
#ifndef ACCOUNT_RELEASE_H
#define ACCOUNT_RELEASE_H

#include <stdbool.h>

#include "base/status.h"

enum release_kind {
    RELEASE_PURE,
    RELEASE_APPROXIMATE,
    RELEASE_RANDOMIZED_RESPONSE,
    RELEASE_LAPLACE,
    RELEASE_DISCRETE_LAPLACE,
    RELEASE_GAUSSIAN,
    RELEASE_DISCRETE_GAUSSIAN,
    RELEASE_CONCENTRATED,
    RELEASE_PAIR,
};

/* Fields that a kind does not use are 0; sensitivity, sampling and count of 0 stand for 1, choices of 0
 * for 2. */
struct release {
    enum release_kind kind;
    double scale, sensitivity;
    double epsilon, delta, rho;
    uint64_t choices;
    double sampling;
    uint64_t count;
    const double *with, *without; /* borrowed; each adds up to 1 */
    size_t outcomes;
};

/* How many releases an account can hold, all counts together. */
#define RELEASE_LARGEST_COUNT (UINT64_C(1) << 40)

/* Fills in the defaults and refuses what makes no sense, in plain words. */
status release_check(struct release *release, error *why) MUST_CHECK;

/* "laplace", as on the command line. */
const char *release_kind_name(enum release_kind kind);

/* True where the pair is its own mirror image, so that adding and removing a person cost the same. */
bool release_is_symmetric(const struct release *release);

/* The loss that a pure release of this kind cannot exceed: infinity where there is no such bound. Rounded up.
 */
double release_pure_epsilon(const struct release *release);

/* The same release as `people` neighbours in a row see it. Additive noise: the sensitivity grows; epsilon:
 * times people; delta: the sum of e^(i epsilon) delta. Refuses sampled releases and explicit pairs, of which
 * that is not known: there the bound by cost_for_group on the result holds. */
status release_for_group(const struct release *release, uint64_t people, struct release *out,
                         error *why) MUST_CHECK;

#endif
