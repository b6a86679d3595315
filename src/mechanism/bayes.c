#include "mechanism/bayes.h"

#include <math.h>

#include "base/interval.h"

static bool sensible(double probability, double epsilon)
{
    return probability >= 0 && probability <= 1 && epsilon >= 0;
}

static const dither_range nonsense = {NAN, NAN};

static struct interval complement(struct interval a)
{
    return interval_clip(interval_subtract(interval_exact(1), a), 0, 1);
}

/* p / (p + (1 - p) factor) for 0 < p < 1. */
static struct interval updated(double prior, struct interval factor)
{
    struct interval p = interval_exact(prior);
    struct interval against = interval_multiply(complement(p), factor);
    return interval_clip(interval_divide(p, interval_add(p, against)), 0, 1);
}

dither_range bayes_posterior(double prior, double epsilon)
{
    if (!sensible(prior, epsilon))
        return nonsense;
    if (prior == 0 || prior == 1) /* whoever is certain stays so */
        return (dither_range){prior, prior};
    return (dither_range){updated(prior, interval_exp(interval_exact(epsilon))).lower,
                          updated(prior, interval_exp(interval_exact(-epsilon))).upper};
}

dither_range bayes_other_world(double posterior, double epsilon)
{
    if (!sensible(posterior, epsilon))
        return nonsense;
    struct interval shrink = interval_exp(interval_exact(-epsilon));
    struct interval p = interval_exact(posterior);
    struct interval upper = complement(interval_multiply(shrink, complement(p)));
    return (dither_range){interval_clip(interval_multiply(shrink, p), 0, 1).lower, upper.upper};
}
