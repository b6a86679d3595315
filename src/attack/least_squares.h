/* least_squares.h - random subset questions as a matrix of bits, and what fits their answers best.
 *
 * Row i says who is in subset i. The normal equations are solved by conjugate gradients on the bits themselves: no
 * matrix of doubles is ever made, and n = 2000 with m = 8000 takes a second. */
#ifndef ATTACK_LEAST_SQUARES_H
#define ATTACK_LEAST_SQUARES_H

#include "attack/dice.h"
#include "base/arena.h"

struct subset_matrix {
    size_t rows, columns, words; /* words of 64 bits in a row; bits beyond the last column are 0 */
    uint64_t *bits;
};

/* Every person is in every subset with probability one half. */
status subset_matrix_make(struct subset_matrix *matrix, size_t rows, size_t columns, struct dice *dice,
                          struct arena *arena, error *why) MUST_CHECK;

bool subset_matrix_has(const struct subset_matrix *matrix, size_t row, size_t column);

/* out = matrix * in: the sum over each subset. */
void subset_matrix_sums(const struct subset_matrix *matrix, const double *in, double *out);

/* The x with the least sum of squares of (matrix * x - answers), to a relative residual of 1e-6. */
status least_squares(const struct subset_matrix *matrix, const double *answers, double *x,
                     error *why) MUST_CHECK;

#endif
