/* least_distance.h - the linear program of Dwork, McSherry and Talwar (2007): the fractions between 0 and 1 whose
 * subset sums are nearest to the answers, adding up the distances, by COIN-OR's CLP.
 *
 * Unlike least squares it forgives a few answers that are far off; it costs more: a few hundred people at most. */
#ifndef ATTACK_LEAST_DISTANCE_H
#define ATTACK_LEAST_DISTANCE_H

#include "attack/least_squares.h"

/* x[i] in [0, 1] for each person. */
status least_distance(const struct subset_matrix *matrix, const double *answers, double *x,
                      error *why) MUST_CHECK;

#endif
