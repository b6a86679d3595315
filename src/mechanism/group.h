/* group.h - what a promise to one person is worth to several at once.
 *
 * Along a chain of k neighbours: epsilon becomes k epsilon; (epsilon, delta) becomes
 * (k epsilon, delta (e^(k epsilon) - 1)/(e^epsilon - 1)); rho becomes k^2 rho (Bun and Steinke 2016,
 * Proposition 1.9). */
#ifndef MECHANISM_GROUP_H
#define MECHANISM_GROUP_H

#include <stdint.h>

#include "dither.h"

/* Never less than the truth; delta at most 1. Nobody costs nothing. A rho that comes with a delta is for one
 * person: for more, delta is given up (1). */
dither_cost group_cost(dither_cost cost, uint64_t people);

#endif
