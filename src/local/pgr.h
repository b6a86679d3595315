/* pgr.h - points of the projective space over a field of q elements, as numbers.
 *
 * A vector of t coordinates is a number below q^t, its base-q digits. A point is a line through the origin; its vector is
 * the one whose first nonzero coordinate, the highest digit, is 1: a number N with q^j <= N < 2 q^j. */
#ifndef LOCAL_PGR_H
#define LOCAL_PGR_H

#include "local/oracle.h"

/* The vector of the value-th point, and whether a number is the vector of a point. */
uint32_t pgr_point(uint32_t field_size, uint32_t value);
bool pgr_is_point(uint32_t field_size, uint32_t vector);

/* The sum of products of coordinates. */
uint32_t pgr_product(const struct local_oracle *oracle, uint32_t left, uint32_t right);

/* out[value] = how many of the counted vectors are orthogonal to the value's point. */
status pgr_decode(const struct local_oracle *oracle, const uint64_t *cells, double *out,
                  error *why) MUST_CHECK;

#endif
