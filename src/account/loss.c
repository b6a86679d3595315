/* loss.c - the loss laws of noise with a density, and the way to all the others. */
#include "account/loss.h"

#include <assert.h>
#include <float.h>
#include <math.h>

#include "account/loss_atoms.h"
#include "base/memory.h"

#define ROUNDOFF (DBL_EPSILON / 2)

void loss_law_clear(struct loss_law *law)
{
    memory_release(law->atoms, 0);
    *law = (struct loss_law){0};
}

void loss_law_gaussian(struct loss_law *law, double shift)
{
    *law = (struct loss_law){.density = RELEASE_GAUSSIAN, .shift = shift};
}

/* with: a shift to the right. Left of both centres the loss is -shift, right of both +shift: two atoms;
 * between them the loss runs linearly. */
static status laplace(struct loss_law *law, double shift, error *why)
{
    double half_far = exp(-shift) / 2;
    const struct loss_atom ends[] = {{-shift, half_far, 0.5}, {shift, 0.5, half_far}};
    TRY(loss_atoms_copy(law, ends, 2, why));
    law->density = RELEASE_LAPLACE;
    law->shift = shift;
    return DITHER_OK;
}

status loss_law_init(struct loss_law *law, const struct release *release, double tail, error *why)
{
    struct loss_law made = {.density = RELEASE_PURE};
    double shift = nextafter(release->sensitivity / release->scale, INFINITY);
    switch (release->kind) {
    case RELEASE_LAPLACE:
        TRY(laplace(&made, shift, why));
        break;
    case RELEASE_GAUSSIAN:
        loss_law_gaussian(&made, shift);
        break;
    case RELEASE_CONCENTRATED:
        return fail(why, DITHER_REFUSED, "a rho alone does not say how the losses are distributed");
    default:
        TRY(loss_atoms_list(&made, release, tail, why));
        break;
    }
    *law = made;
    return DITHER_OK;
}

struct loss_range loss_law_range(const struct loss_law *law, double tail)
{
    struct loss_range range = {INFINITY, -INFINITY};
    if (law->atom_count > 0)
        range = (struct loss_range){law->atoms[0].loss, law->atoms[law->atom_count - 1].loss};
    if (law->density == RELEASE_GAUSSIAN) {
        /* P(Z > z) <= exp(-z^2 / 2); the loss is shift Z + shift^2 / 2 on one side, minus that on the other.
         */
        double reach = law->shift * sqrt(-2 * log(tail)) + law->shift * law->shift / 2;
        range.lower = fmin(range.lower, -reach);
        range.upper = fmax(range.upper, reach);
    }
    return range;
}

/* With y the distance from the left centre in units of the scale, the loss is 2 y - shift. */
static void laplace_masses(double shift, const double *edges, size_t count, struct loss_mass *masses)
{
    for (size_t i = 0; i + 1 < count; i++) {
        double lower = fmax(edges[i], -shift), upper = fmin(edges[i + 1], shift);
        masses[i] = (struct loss_mass){0};
        if (!(lower < upper))
            continue;
        double share = -expm1((lower - upper) / 2) / 2;
        double with = exp((upper - shift) / 2) * share, without = exp((-lower - shift) / 2) * share;
        masses[i] = (struct loss_mass){with, without, 32 * ROUNDOFF * with, 32 * ROUNDOFF * without};
    }
}

/* A normal variable's probability on the far side of z, and on which side of 0 that is. */
struct normal_tail {
    double z, mass;
};

static struct normal_tail normal_tail_at(double z)
{
    return (struct normal_tail){z, erfc(fabs(z) * M_SQRT1_2) / 2};
}

static double normal_tail_error(struct normal_tail tail)
{
    /* erfc to 8 units; its argument to 2 roundoffs, which move it by at most (z^2 + 1) of them each. */
    double square = isinf(tail.z) ? 0 : tail.z * tail.z;
    return tail.mass * ROUNDOFF * (20 + 4 * (square + 1));
}

static double normal_between(struct normal_tail lower, struct normal_tail upper)
{
    if (lower.z >= 0)
        return lower.mass - upper.mass;
    if (upper.z <= 0)
        return upper.mass - lower.mass;
    return 1 - lower.mass - upper.mass;
}

/* without: standard normal z; with: centred at shift. The loss is shift z - shift^2 / 2. */
static void gaussian_masses(double shift, const double *edges, size_t count, struct loss_mass *masses)
{
    struct normal_tail with = {0}, without = {0};
    for (size_t i = 0; i < count; i++) {
        double z = edges[i] / shift;
        struct normal_tail next_with = normal_tail_at(z - shift / 2),
                           next_without = normal_tail_at(z + shift / 2);
        if (i > 0)
            masses[i - 1] = (struct loss_mass){
                .with = fmax(0, normal_between(with, next_with)),
                .without = fmax(0, normal_between(without, next_without)),
                .with_error = normal_tail_error(with) + normal_tail_error(next_with),
                .without_error = normal_tail_error(without) + normal_tail_error(next_without),
            };
        with = next_with;
        without = next_without;
    }
}

void loss_law_masses(const struct loss_law *law, const double *edges, size_t count, struct loss_mass *masses)
{
    assert(law->density == RELEASE_LAPLACE || law->density == RELEASE_GAUSSIAN);
    if (law->density == RELEASE_LAPLACE)
        laplace_masses(law->shift, edges, count, masses);
    else
        gaussian_masses(law->shift, edges, count, masses);
}
