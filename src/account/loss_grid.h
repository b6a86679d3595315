/* loss_grid.h - a privacy-loss distribution on a grid: the upper one no better, the lower one no worse than
 * the truth.
 *
 * The hockey-stick divergence of a pair, as a function of t = e^epsilon, is convex:
 *
 *     f(t) = sum over outcomes of max(0, P - t Q)
 *
 * and the divergence of a composition grows with that of each part at every t. So a measure on grid points i
 * * step whose f lies above the true one everywhere gives an upper bound for every composition, and one below
 * a lower bound.
 *
 * Above: the straight lines that join f at neighbouring grid points ("connect the dots": Doroshenko, Ghazi,
 * Kamath, Kumar, Manurangsi 2022). Below: f lowered at each grid point by as much as those lines rise above
 * it on either side, and of that the convex hull. Both are off by the square of the step.
 *
 * Masses are rounded outward, so that nothing is lost to roundoff; they need not add up to 1. */
#ifndef ACCOUNT_LOSS_GRID_H
#define ACCOUNT_LOSS_GRID_H

#include "account/pieces.h"

enum loss_bound {
    LOSS_UPPER,
    LOSS_LOWER,
};

struct loss_grid {
    double step;
    int64_t first; /* the loss of mass[0] is first * step */
    size_t count;
    double *mass;
    double infinity; /* mass of infinite loss */
};

/* All losses in the pieces that are finite must lie within +-PIECES_MOST_CELLS steps. */
status loss_grid_upper(struct loss_grid *grid, const struct pieces *pieces, double step,
                       error *why) MUST_CHECK;
status loss_grid_lower(struct loss_grid *grid, const struct pieces *pieces, double step,
                       error *why) MUST_CHECK;
void loss_grid_clear(struct loss_grid *grid);

/* Replaces a lower grid by that of a release that tells nothing, which is below every other: all mass at loss
 * 0. */
void loss_grid_say_nothing(struct loss_grid *grid);

/* The divergence at epsilon of a single release: sums the masses. For tests and small cases. */
double loss_grid_delta(const struct loss_grid *grid, double epsilon);

/* log of the sum of mass e^(order * loss) over the finite losses, with its first two derivatives in `order`.
 */
struct cumulant {
    double value, mean, variance;
};
struct cumulant loss_grid_cumulant(const struct loss_grid *grid, double order);

#endif
