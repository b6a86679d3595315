/* permute_and_flip.h - what a caller knows of its scores that the options do not say. */
#ifndef MECHANISM_PERMUTE_AND_FLIP_H
#define MECHANISM_PERMUTE_AND_FLIP_H

#include "mechanism/mechanism.h"

/* For an initialised permute-and-flip. The caller promises that one unit more moves every score by something between
 * 0 and the sensitivity, all in one and the same direction, as counts do: then the rate is epsilon / sensitivity
 * instead of half of it ("One-way scores" in docs/mechanisms/permute-and-flip.md). */
void permute_and_flip_one_way(struct mechanism *mechanism);

#endif
