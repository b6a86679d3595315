#include "local/linear.h"

#include <math.h>

static double norm(const double *matrix, size_t size)
{
    double most = 0;
    for (size_t column = 0; column < size; column++) {
        double sum = 0;
        for (size_t row = 0; row < size; row++)
            sum += fabs(matrix[row * size + column]);
        most = fmax(most, sum);
    }
    return most;
}

static void swap_rows(double *matrix, size_t size, size_t a, size_t b)
{
    for (size_t i = 0; a != b && i < size; i++) {
        double kept = matrix[a * size + i];
        matrix[a * size + i] = matrix[b * size + i];
        matrix[b * size + i] = kept;
    }
}

/* Row `at` is divided by its pivot and taken from all others so that their entries in column `at` vanish; the place of the
 * unit vector that would appear holds the inverse's column instead. */
static void eliminate(double *matrix, size_t size, size_t at)
{
    double *pivot_row = matrix + at * size;
    double factor = 1 / pivot_row[at];
    pivot_row[at] = 1;
    for (size_t i = 0; i < size; i++)
        pivot_row[i] *= factor;
    for (size_t row = 0; row < size; row++) {
        double *here = matrix + row * size, taken = here[at];
        if (row == at || taken == 0)
            continue;
        here[at] = 0;
        for (size_t i = 0; i < size; i++)
            here[i] -= taken * pivot_row[i];
    }
}

static size_t largest_below(const double *matrix, size_t size, size_t at)
{
    size_t best = at;
    for (size_t row = at; row < size; row++)
        if (fabs(matrix[row * size + at]) > fabs(matrix[best * size + at]))
            best = row;
    return best;
}

bool linear_invert(double *matrix, size_t size, size_t *scratch, double *condition)
{
    double before = norm(matrix, size);
    for (size_t at = 0; at < size; at++) {
        scratch[at] = largest_below(matrix, size, at);
        swap_rows(matrix, size, at, scratch[at]);
        double pivot = matrix[at * size + at];
        if (pivot == 0 || !isfinite(1 / pivot))
            return false;
        eliminate(matrix, size, at);
    }
    for (size_t at = size; at-- > 0;) /* rows swapped before are columns swapped after */
        for (size_t row = 0; scratch[at] != at && row < size; row++) {
            double kept = matrix[row * size + at];
            matrix[row * size + at] = matrix[row * size + scratch[at]];
            matrix[row * size + scratch[at]] = kept;
        }
    *condition = before * norm(matrix, size);
    return isfinite(*condition);
}
