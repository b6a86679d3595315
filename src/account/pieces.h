/* pieces.h - the loss of one release cut into pieces that are narrow compared with a grid's step.
 *
 * Between a release's law (loss.h) and its image on a grid (loss_grid.h). Here the direction is chosen - is
 * the person removed or added? - and Poisson sampling is applied: with rate q and base loss L, removing has
 * the loss log(1 - q + q e^L) under (1 - q) without + q with, adding has minus that under `without` (Zhu,
 * Dong, Wang 2022, Theorem 11).
 *
 * Each piece is a set of outcomes whose losses all lie within one half of a cell [i step, (i + 1) step],
 * known by enclosures of its mass P on the first side and of its overall loss log(P / Q):
 *  - its part in the hockey-stick divergence, as a function of epsilon, is nowhere more than that of its
 * cell's two ends that share (mass_upper, loss_upper) so that P and Q add up;
 *  - and nowhere less than that of a single outcome with (mass_lower, loss_lower). */
#ifndef ACCOUNT_PIECES_H
#define ACCOUNT_PIECES_H

#include "account/loss.h"

enum loss_direction {
    LOSS_REMOVE, /* first side: the data with the person */
    LOSS_ADD,    /* first side: the data without */
};

struct piece {
    double mass_lower, mass_upper;
    double loss_lower,
        loss_upper; /* may be infinite: outcomes of the first side alone, or hardly of the first */
};

struct pieces {
    struct piece *list;
    size_t count;
};

struct pieces_wish {
    double sampling; /* 1 for none */
    enum loss_direction direction;
    double step;
    double tail; /* densities are cut where this much remains */
};

/* The most cells that a grid may have. */
#define PIECES_MOST_CELLS ((double)(1 << 22))

status pieces_cut(struct pieces *pieces, const struct loss_law *law, struct pieces_wish wish,
                  error *why) MUST_CHECK;
void pieces_clear(struct pieces *pieces);

/* The loss of a sampled release, removing, as a function of the base loss; and back (-infinity below its
 * range). */
double sampled_loss(double loss, double sampling);
double unsampled_loss(double loss, double sampling);

#endif
