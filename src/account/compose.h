/* compose.h - the composition of releases whose losses lie on one grid: sums of independent losses, by
 * Fourier transform.
 *
 * What matters is a far tail: delta is 1e-6 or 1e-12, and a plain transform is exact only to about 1e-16 of
 * the largest mass. So every mass is first multiplied by e^(order * loss) and normalised (exponential
 * tilting); the tilted sum is centred where the answer lies, and multiplying back scales the errors down with
 * it.
 *
 * Three errors are bounded and put on the safe side of the result:
 *  - the tilted sum is periodic, so what lies beyond one period comes back on the other side: bounded by
 * Chernoff's inequality with the cumulants of the grids, which are known;
 *  - losses above the last point looked at: the same;
 *  - rounding in the transforms and powers: a bound for the worst case (fft.h), carried through the powers.
 */
#ifndef ACCOUNT_COMPOSE_H
#define ACCOUNT_COMPOSE_H

#include "account/loss_grid.h"
#include "base/fft.h"

/* `counts[i]` releases with the law of `grids[i]`; all grids have the same step and are of one bound.
 * Borrows. */
struct composition {
    const struct loss_grid *grids;
    const uint64_t *counts;
    size_t parts;
    enum loss_bound bound;
};

/* Of the sum of all finite losses. */
struct cumulant composition_cumulant(const struct composition *composition, double order);

/* Probability that some loss is infinite, rounded to the composition's side. */
double composition_infinity(const struct composition *composition);

/* The order at which the tilted sum is centred about where delta (or epsilon) is; never negative. */
double composition_order_for_delta(const struct composition *composition, double delta);
double composition_order_for_epsilon(const struct composition *composition, double epsilon);

/* Where to look, in losses. `lowest` and `highest` enclose the epsilons that can be answered; the sum's mass
 * (tilted) below `left` and above `right` is small enough to be neglected, and is bounded all the same. */
struct composition_window {
    double order;
    double left, lowest, highest, right;
};

/* For answers about epsilon near `epsilon`, to errors that are small compared with `delta`. */
struct composition_window composition_window(const struct composition *composition, double order,
                                             double epsilon, double delta);

/* How many points the transform needs for a window: a power of two. */
size_t composition_size(struct composition_window window, double step);

/* The curve delta(epsilon) on [lowest, highest], of the composition's side. */
struct loss_tail {
    enum loss_bound bound;
    double step;
    int64_t first; /* the loss of mass[0] is first * step */
    size_t count;
    double *mass;    /* masses of the sum, rounded to the bound's side */
    double *penalty; /* lower bound: what may have come round, at each point; NULL for the upper bound */
    double constant; /* infinite losses, and what lies above the last point */
};

/* `fft` has composition_size points or more. */
status composition_tail(struct loss_tail *tail, const struct composition *composition,
                        struct composition_window window, struct fft *fft, error *why) MUST_CHECK;
void loss_tail_clear(struct loss_tail *tail);

/* Upper: no epsilon in the window above the result has a larger delta; +infinity when even the highest has.
 * Lower: the true delta at the result is at least `delta`; -infinity when even the lowest does not reach it.
 * An answer below the window's lowest is given as the lowest itself for the upper bound (true, but wasteful).
 */
double loss_tail_epsilon(const struct loss_tail *tail, double delta);

/* Below the window nothing is known: 1 and 0. */
double loss_tail_delta(const struct loss_tail *tail, double epsilon);

#endif
