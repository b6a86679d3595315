/* release.c - checking a described release, and what can be said of it without composing. */
#include "account/release.h"

#include <float.h>
#include <math.h>

static const char *const kind_names[] = {
    [RELEASE_PURE] = "pure",
    [RELEASE_APPROXIMATE] = "approximate",
    [RELEASE_RANDOMIZED_RESPONSE] = "randomized-response",
    [RELEASE_LAPLACE] = "laplace",
    [RELEASE_DISCRETE_LAPLACE] = "discrete-laplace",
    [RELEASE_GAUSSIAN] = "gaussian",
    [RELEASE_DISCRETE_GAUSSIAN] = "discrete-gaussian",
    [RELEASE_CONCENTRATED] = "concentrated",
    [RELEASE_PAIR] = "pair",
};

const char *release_kind_name(enum release_kind kind)
{
    return kind_names[kind];
}

static bool is_positive(double value)
{
    return isfinite(value) && value > 0;
}

static bool adds_noise(enum release_kind kind)
{
    return kind == RELEASE_LAPLACE || kind == RELEASE_DISCRETE_LAPLACE || kind == RELEASE_GAUSSIAN ||
           kind == RELEASE_DISCRETE_GAUSSIAN;
}

static status check_noise(const struct release *release, error *why)
{
    const char *name = kind_names[release->kind];
    if (!is_positive(release->scale))
        return fail(why, DITHER_INVALID, "%s: the %s must be a positive number", name,
                    release->kind == RELEASE_GAUSSIAN || release->kind == RELEASE_DISCRETE_GAUSSIAN
                        ? "sigma"
                        : "scale");
    if (!is_positive(release->sensitivity))
        return fail(why, DITHER_INVALID, "%s: the sensitivity must be a positive number", name);
    bool discrete = release->kind == RELEASE_DISCRETE_LAPLACE || release->kind == RELEASE_DISCRETE_GAUSSIAN;
    if (discrete && release->sensitivity != floor(release->sensitivity))
        return fail(why, DITHER_INVALID, "%s: the sensitivity must be a whole number", name);
    double shift = release->sensitivity / release->scale;
    if (shift < 1e-9 || shift > 500)
        return fail(why, DITHER_INVALID, "%s: sensitivity / scale must lie between 1e-9 and 500", name);
    return DITHER_OK;
}

static status check_pair(const struct release *release, error *why)
{
    if (!release->with || !release->without || release->outcomes == 0)
        return fail(why, DITHER_INVALID, "pair: no outcomes are given");
    double with = 0, without = 0;
    for (size_t i = 0; i < release->outcomes; i++) {
        if (!(release->with[i] >= 0) || !(release->without[i] >= 0))
            return fail(why, DITHER_INVALID,
                        "pair: outcome %zu has a probability that is negative or no number", i);
        with += release->with[i];
        without += release->without[i];
    }
    if (fabs(with - 1) > 1e-9 || fabs(without - 1) > 1e-9)
        return fail(why, DITHER_INVALID, "pair: the probabilities of each side must add up to 1");
    return DITHER_OK;
}

static status check_kind(const struct release *release, error *why)
{
    const char *name = kind_names[release->kind];
    if (adds_noise(release->kind))
        return check_noise(release, why);
    if (release->kind == RELEASE_PAIR)
        return check_pair(release, why);
    if (release->kind == RELEASE_CONCENTRATED) {
        if (!is_positive(release->rho))
            return fail(why, DITHER_INVALID, "%s: rho must be a positive number", name);
        return DITHER_OK;
    }
    if (!is_positive(release->epsilon) || release->epsilon < 1e-9 || release->epsilon > 500)
        return fail(why, DITHER_INVALID, "%s: epsilon must lie between 1e-9 and 500", name);
    if (release->kind == RELEASE_APPROXIMATE && !(release->delta >= 0 && release->delta < 1))
        return fail(why, DITHER_INVALID, "%s: delta must lie between 0 and 1", name);
    if (release->kind == RELEASE_RANDOMIZED_RESPONSE && release->choices < 2)
        return fail(why, DITHER_INVALID, "%s: there must be at least 2 choices", name);
    return DITHER_OK;
}

status release_check(struct release *release, error *why)
{
    if (release->sensitivity == 0)
        release->sensitivity = 1;
    if (release->sampling == 0)
        release->sampling = 1;
    if (release->count == 0)
        release->count = 1;
    if (release->choices == 0)
        release->choices = 2;
    if (release->count > RELEASE_LARGEST_COUNT)
        return fail(why, DITHER_INVALID, "%s: at most 2^40 releases can be counted",
                    kind_names[release->kind]);
    if (!(release->sampling >= 1e-9 && release->sampling <= 1))
        return fail(why, DITHER_INVALID, "%s: the sampling rate must lie between 1e-9 and 1",
                    kind_names[release->kind]);
    if (release->sampling < 1 && release->kind == RELEASE_CONCENTRATED)
        return fail(why, DITHER_INVALID,
                    "concentrated: sampling does not improve a rho; say which noise it is");
    return check_kind(release, why);
}

bool release_is_symmetric(const struct release *release)
{
    return release->sampling == 1 && release->kind != RELEASE_PAIR;
}

static double up(double value)
{
    return nextafter(value, INFINITY);
}

static double pair_epsilon(const struct release *release)
{
    double largest = 0;
    for (size_t i = 0; i < release->outcomes; i++)
        if (release->with[i] != release->without[i])
            largest = fmax(largest, fabs(log(release->with[i] / release->without[i])));
    return largest * (1 + 16 * DBL_EPSILON);
}

static double unsampled_epsilon(const struct release *release)
{
    switch (release->kind) {
    case RELEASE_PURE:
    case RELEASE_RANDOMIZED_RESPONSE:
        return release->epsilon;
    case RELEASE_APPROXIMATE:
        return release->delta > 0 ? INFINITY : release->epsilon;
    case RELEASE_LAPLACE:
    case RELEASE_DISCRETE_LAPLACE:
        return up(release->sensitivity / release->scale);
    case RELEASE_PAIR:
        return pair_epsilon(release);
    case RELEASE_GAUSSIAN:
    case RELEASE_DISCRETE_GAUSSIAN:
    case RELEASE_CONCENTRATED:
        return INFINITY;
    }
    return INFINITY;
}

double release_pure_epsilon(const struct release *release)
{
    double epsilon = unsampled_epsilon(release);
    if (release->sampling == 1 || isinf(epsilon))
        return epsilon;
    /* log(1 + q (e^epsilon - 1)): Li, Qardaji, Su 2012. Removing is the worse direction. */
    return log1p(release->sampling * expm1(epsilon)) * (1 + 16 * DBL_EPSILON);
}

status release_for_group(const struct release *release, uint64_t people, struct release *out, error *why)
{
    struct release grown = *release;
    TRY(release_check(&grown, why));
    if (people == 0)
        return fail(why, DITHER_INVALID, "a group has at least one person");
    if (people > 1 && (grown.sampling < 1 || grown.kind == RELEASE_PAIR))
        return fail(why, DITHER_REFUSED,
                    "%s: for groups of people this pair is known only for each person alone",
                    kind_names[grown.kind]);
    double size = (double)people;
    grown.sensitivity = adds_noise(grown.kind) ? grown.sensitivity * size : grown.sensitivity;
    grown.rho = up(grown.rho * size * size);
    if (grown.kind == RELEASE_APPROXIMATE && people > 1)
        grown.delta =
            grown.delta * expm1(size * grown.epsilon) / expm1(grown.epsilon) * (1 + 16 * DBL_EPSILON);
    if (people > 1 &&
        grown.kind == RELEASE_RANDOMIZED_RESPONSE) /* answers of several people: any pure release */
        grown.kind = RELEASE_PURE;
    if (people > 1)
        grown.epsilon = up(grown.epsilon * size);
    TRY(release_check(&grown, why));
    *out = grown;
    return DITHER_OK;
}
