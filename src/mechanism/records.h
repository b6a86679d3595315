/* records.h - people's values, clamped to their declared range and put on a grid. */
#ifndef MECHANISM_RECORDS_H
#define MECHANISM_RECORDS_H

#include "mechanism/mechanism.h"

/* Sets the grid (the options', else one of about 2^16 steps to `size`, but never so fine that an end of the
 * range is 2^52 steps away from 0) and the range in steps: lower rounded down, upper rounded up, lower <
 * upper. */
status records_range(struct mechanism *mechanism, dither_range range, double size, error *why) MUST_CHECK;

/* The length of a range; finite. */
double records_length(dither_range range);

#endif
