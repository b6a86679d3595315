/* loss_atoms.h - loss laws that are a list of atoms: discrete noise, randomized response, explicit pairs.
 *
 * Part of loss.h; nobody else needs it. */
#ifndef ACCOUNT_LOSS_ATOMS_H
#define ACCOUNT_LOSS_ATOMS_H

#include "account/loss.h"

/* The longest list: noise that needs more is refused. */
#define LOSS_MOST_ATOMS ((size_t)1 << 22)

status loss_atoms_copy(struct loss_law *law, const struct loss_atom *atoms, size_t count,
                       error *why) MUST_CHECK;

/* Fills the atoms of a release that has no density. On failure the law owns nothing. */
status loss_atoms_list(struct loss_law *law, const struct release *release, double tail,
                       error *why) MUST_CHECK;

#endif
