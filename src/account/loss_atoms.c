/* loss_atoms.c - the atoms of discrete releases. */
#include "account/loss_atoms.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static status reserve(struct loss_law *law, double count, error *why)
{
    if (count > (double)LOSS_MOST_ATOMS)
        return fail(why, DITHER_REFUSED,
                    "this discrete noise has more than 2^22 different losses: use a coarser grid");
    law->atoms = memory_allocate((size_t)count * sizeof *law->atoms);
    if (!law->atoms)
        return fail(why, DITHER_NO_MEMORY, "no memory for a list of losses");
    return DITHER_OK;
}

status loss_atoms_copy(struct loss_law *law, const struct loss_atom *atoms, size_t count, error *why)
{
    TRY(reserve(law, (double)count, why));
    memcpy(law->atoms, atoms, count * sizeof *atoms);
    law->atom_count = count;
    return DITHER_OK;
}

/* The worst epsilon-private pair is binary randomized response; with delta, both sides have an outcome of
 * their own (Kairouz, Oh, Viswanath 2015, Theorem 3.1). More choices only add outcomes that tell nothing. */
static status response(struct loss_law *law, const struct release *release, error *why)
{
    double delta = release->kind == RELEASE_APPROXIMATE ? release->delta : 0;
    double others = release->kind == RELEASE_RANDOMIZED_RESPONSE ? (double)(release->choices - 2) : 0;
    double odds = exp(-release->epsilon);
    double kept = (1 - delta) / (1 + odds + others * odds), lied = kept * odds;
    const struct loss_atom atoms[] = {
        {-release->epsilon, lied, kept}, {0, lied * others, lied * others}, {release->epsilon, kept, lied}};
    TRY(loss_atoms_copy(law, atoms, 3, why));
    if (others == 0) { /* nothing in the middle */
        law->atoms[1] = law->atoms[2];
        law->atom_count = 2;
    }
    law->with_only = law->without_only = delta;
    law->lattice = release->epsilon;
    return DITHER_OK;
}

/* P(x) = tanh(a/2) e^(-a |x|), a = 1 / scale; with: shifted to the right by the sensitivity d. At and left of
 * 0 the loss is -a d, at and right of d it is a d, and a (2 x - d) between. */
static status discrete_laplace(struct loss_law *law, const struct release *release, error *why)
{
    double a = 1 / release->scale, d = release->sensitivity;
    TRY(reserve(law, d + 1, why));
    double side = 1 / (1 + exp(-a)), peak = tanh(a / 2);
    size_t last = (size_t)d;
    for (size_t x = 0; x <= last; x++) {
        double to_left = (double)x, to_right = d - (double)x;
        law->atoms[x] =
            (struct loss_atom){a * (to_left - to_right), exp(-a * to_right) * (x == last ? side : peak),
                               exp(-a * to_left) * (x == 0 ? side : peak)};
    }
    law->atoms[0].with = exp(-a * d) * side;
    law->atoms[last].without = exp(-a * d) * side;
    law->atom_count = last + 1;
    law->lattice = a;
    return DITHER_OK;
}

/* The weights' sum over all integers; what lies beyond 9 sigma is below 1e-16 of it. */
static double gaussian_normalizer(double sigma)
{
    double sum = 0;
    for (double x = ceil(9 * sigma) + 1; x > 0; x--)
        sum += exp(-x * x / (2 * sigma * sigma));
    return 1 + 2 * sum;
}

/* Canonne, Kamath, Steinke 2020, Definition 1. The loss at x is d (2 x - d) / (2 sigma^2). */
static status discrete_gaussian(struct loss_law *law, const struct release *release, double tail, error *why)
{
    double sigma = release->scale, d = release->sensitivity, square = 2 * sigma * sigma;
    double reach = ceil(sigma * sqrt(-2 * log(tail)) + 1);
    TRY(reserve(law, 2 * reach + d + 1, why));
    double normalizer = gaussian_normalizer(sigma);
    for (double x = -reach; x <= d + reach; x++)
        law->atoms[law->atom_count++] =
            (struct loss_atom){d * (2 * x - d) / square, exp(-(x - d) * (x - d) / square) / normalizer,
                               exp(-x * x / square) / normalizer};
    /* The discrete Gaussian's tail is no heavier than the continuous one's: ibid., Proposition 25. */
    law->beyond_right = law->beyond_left = tail;
    law->lattice = d / square;
    return DITHER_OK;
}

static int by_loss(const void *left, const void *right)
{
    double a = ((const struct loss_atom *)left)->loss, b = ((const struct loss_atom *)right)->loss;
    return (a > b) - (a < b);
}

static status pair(struct loss_law *law, const struct release *release, error *why)
{
    TRY(reserve(law, (double)release->outcomes, why));
    for (size_t i = 0; i < release->outcomes; i++) {
        double with = release->with[i], without = release->without[i];
        if (with > 0 && without > 0)
            law->atoms[law->atom_count++] = (struct loss_atom){log(with / without), with, without};
        else
            *(with > 0 ? &law->with_only : &law->without_only) += fmax(with, without) * (1 + 4 * DBL_EPSILON);
    }
    law->loss_error = 4 * DBL_EPSILON; /* of the quotient */
    qsort(law->atoms, law->atom_count, sizeof *law->atoms, by_loss);
    return DITHER_OK;
}

status loss_atoms_list(struct loss_law *law, const struct release *release, double tail, error *why)
{
    switch (release->kind) {
    case RELEASE_PURE:
    case RELEASE_APPROXIMATE:
    case RELEASE_RANDOMIZED_RESPONSE:
        return response(law, release, why);
    case RELEASE_DISCRETE_LAPLACE:
        return discrete_laplace(law, release, why);
    case RELEASE_DISCRETE_GAUSSIAN:
        return discrete_gaussian(law, release, tail, why);
    case RELEASE_PAIR:
        return pair(law, release, why);
    default:
        return fail(why, DITHER_INVALID, "%s has no list of losses", release_kind_name(release->kind));
    }
}
