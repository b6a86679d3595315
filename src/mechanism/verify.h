/* verify.h - does a mechanism keep its promise? Exactly, not by sampling.
 *
 * Enumerates pairs of neighbouring small data sets of the kind's shape, measures both with the mechanism
 * itself, takes the exact law of both outcomes in interval arithmetic, and looks for the largest privacy
 * loss. What it reports is a fact about the mechanism's code (measure, calibration, law): a sensitivity that
 * is too small, a clamp that is missing or a threshold that is off by one shows up as a loss above the
 * promise. That the sampler follows the law is the random room's tests' business. */
#ifndef MECHANISM_VERIFY_H
#define MECHANISM_VERIFY_H

#include "mechanism/mechanism.h"

enum verify_neighbour {
    VERIFY_ADD_REMOVE,
    VERIFY_REPLACE,
};

enum verify_currency {
    VERIFY_EPSILON, /* found: the largest log ratio; promised: epsilon */
    VERIFY_DELTA,   /* found: the largest hockey-stick divergence at epsilon; promised: delta */
    VERIFY_RHO,     /* found: the largest Renyi divergence of order a, divided by a; promised: rho */
};

struct verdict {
    enum verify_neighbour neighbour;
    enum verify_currency currency;
    double promised;
    struct interval found; /* of the worst pair */
    uint64_t pairs;        /* neighbouring pairs looked at */
    bool kept;             /* found.upper <= promised * (1 + 1e-9): proved on these pairs */
    bool broken;           /* found.lower > promised: convicted */
    char worst[200];       /* the worst pair, in words */
};

/* One verdict for add/remove and, where replacing makes sense for the shape, one for replace (at the same
 * promise where the kind proves it, else at twice the epsilon / four times the rho). Returns how many were
 * written (1 or 2) through `count`. Allocates what it needs and frees it. */
status verify_mechanism(const struct mechanism *mechanism, struct verdict verdicts[2], size_t *count,
                        error *why) MUST_CHECK;

#endif
