/* subsets.h - the game of Dinur and Nissim (2003): everybody has a secret bit, the adversary asks for the sums over
 * subsets of the people, and rebuilds the bits.
 *
 * A data set is a word, person i being bit i, and so is a subset; `sums` are indexed by subset, all 2^n of them. */
#ifndef ATTACK_SUBSETS_H
#define ATTACK_SUBSETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum { SUBSETS_MOST = 16 };

/* Who has the bit among these. */
int subsets_sum(uint32_t data, uint32_t subset);

/* How many bits differ. */
int subsets_distance(uint32_t one, uint32_t other);

/* All data sets that are within `reach` of every sum: the first of them (the least word), and the largest distance of any of
 * them to `truth`. Returns how many there are. */
size_t subsets_consistent(const double *sums, unsigned people, double reach, uint32_t truth, uint32_t *first,
                          int *farthest);

/* The data set whose sums are nearest to these, adding up the distances; the empty subset says nothing. */
uint32_t subsets_nearest(const double *sums, unsigned people);

#endif
