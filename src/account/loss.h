/* loss.h - the privacy loss of one release, as a measure on the line.
 *
 * An outcome's loss is log(with / without), the two being its probabilities in the release's pair. A law is
 * the image of the pair under the loss: a list of atoms, ascending, and for noise with a density a part
 * without atoms, of which the masses of intervals can be asked. Outcomes that only one side can produce have
 * an infinite loss and are kept apart.
 *
 * Everything is computed in doubles with stated errors: masses of atoms are correct to LOSS_ATOM_ERROR,
 * relative; their losses to LOSS_VALUE_ERROR, relative, and loss_error, absolute; interval masses carry their
 * own bound. libm's erfc, exp, expm1 and log are trusted to 8 units in the last place (they are tested
 * against MPFR; glibc documents at most 5). */
#ifndef ACCOUNT_LOSS_H
#define ACCOUNT_LOSS_H

#include "account/release.h"

#define LOSS_ATOM_ERROR  1e-12
#define LOSS_VALUE_ERROR 2e-15

struct loss_atom {
    double loss;
    double with, without; /* masses */
};

struct loss_law {
    struct loss_atom *atoms; /* ascending */
    size_t atom_count;
    double with_only, without_only; /* masses of outcomes that the other side cannot produce, rounded up */
    double beyond_left,
        beyond_right;  /* atoms left out at the bottom and the top: their mass, on either side, at most */
    double loss_error; /* see above */
    double lattice;    /* every loss is a multiple of this; 0 where that is not so */
    enum release_kind density; /* RELEASE_LAPLACE, RELEASE_GAUSSIAN, or RELEASE_PURE for none */
    double shift;              /* of the density: sensitivity / scale, rounded up */
};

/* Mass of an interval of losses, on both sides, with bounds on the absolute errors. */
struct loss_mass {
    double with, without;
    double with_error, without_error;
};

/* The law of one release (count and sampling are not looked at). What lies beyond a tail probability of
 * `tail` may be left out of the atoms. Refuses `concentrated`, of which no pair is known, and noise too wide
 * to be listed. */
status loss_law_init(struct loss_law *law, const struct release *release, double tail, error *why) MUST_CHECK;
void loss_law_clear(struct loss_law *law);

/* The law of a Gaussian release with shift `shift` (several Gaussian releases are one). */
void loss_law_gaussian(struct loss_law *law, double shift);

/* Losses outside [lower, upper] have probability at most `tail` on both sides (atoms and density together).
 */
struct loss_range {
    double lower, upper;
};
struct loss_range loss_law_range(const struct loss_law *law, double tail);

/* Masses that the density gives to the intervals between `count` ascending edges (infinite ones allowed):
 * masses[i] belongs to (edges[i], edges[i + 1]); count - 1 masses are written. */
void loss_law_masses(const struct loss_law *law, const double *edges, size_t count, struct loss_mass *masses);

#endif
