/* linear.h - square systems of equations, small and dense, with how far their solution can be trusted. */
#ifndef LOCAL_LINEAR_H
#define LOCAL_LINEAR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* Replaces the `size` x `size` matrix, row by row, by its inverse (Gauss-Jordan with partial pivoting) and gives its
 * condition number in the 1-norm, |A| |A^-1|. `scratch` holds `size` numbers. False when a pivot is 0 or not finite: then the
 * matrix is spoilt. */
bool linear_invert(double *matrix, size_t size, size_t *scratch, double *condition);

#endif
