/* From the categories that were reported back to those that were meant. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "local/linear.h"
#include "local/normal.h"
#include "local/pram.h"

static const double worst_condition = 1e6;

/* counts = A observed, A = (P')^-1; A is given. */
static void solve(const double *inverse, const double *observed, size_t size, double width,
                  struct local_estimate *out)
{
    double people = 0;
    for (size_t k = 0; k < size; k++)
        people += observed[k];
    for (size_t j = 0; j < size; j++) {
        double count = 0, squares = 0;
        for (size_t k = 0; k < size; k++) {
            count += inverse[j * size + k] * observed[k];
            squares += inverse[j * size + k] * inverse[j * size + k] * observed[k];
        }
        double variance = people > 0 ? fmax(squares - count * count / people, 0) : 0;
        double reach = width * sqrt(variance);
        out[j] = (struct local_estimate){count, variance, count - reach, count + reach};
    }
}

status pram_estimate(const struct pram *pram, const double *observed, double confidence,
                     struct local_estimate *out, double *condition, error *why)
{
    size_t size = pram->size, bytes = size * size * sizeof(double) + size * sizeof(size_t);
    double *inverse = memory_allocate(bytes);
    if (inverse == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory to invert a matrix of %zu categories", size);
    for (size_t i = 0; i < size; i++)
        for (size_t k = 0; k < size; k++)
            inverse[k * size + i] = pram_probability(pram, i, k);
    status result = DITHER_OK;
    *condition = INFINITY;
    if (!linear_invert(inverse, size, (size_t *)(inverse + size * size), condition))
        *condition = INFINITY;
    if (*condition > worst_condition)
        result = fail(why, DITHER_REFUSED,
                      isinf(*condition) ? "the matrix is singular: different shares give the same reports"
                                        : "the matrix is so near to singular (condition number %.3g) that an "
                                          "estimate would be noise alone",
                      *condition);
    else
        solve(inverse, observed, size, normal_two_sided(confidence), out);
    memory_release(inverse, bytes);
    return result;
}

/* One step: everybody who reported k is shared among the categories j in proportion to counts_j P_jk. */
static double improve(const struct pram *pram, const double *observed, double *counts, double *next)
{
    size_t size = pram->size;
    memset(next, 0, size * sizeof *next);
    for (size_t k = 0; k < size; k++) {
        double expected = 0;
        for (size_t j = 0; j < size; j++)
            expected += counts[j] * pram_probability(pram, j, k);
        for (size_t j = 0; j < size && expected > 0; j++)
            next[j] += observed[k] * counts[j] * pram_probability(pram, j, k) / expected;
    }
    double moved = 0;
    for (size_t j = 0; j < size; j++) {
        moved += fabs(next[j] - counts[j]);
        counts[j] = next[j];
    }
    return moved;
}

void pram_fit(const struct pram *pram, const double *observed, double *out)
{
    enum { STEPS = 100000 };
    double people = 0, next[PRAM_SIZE_LIMIT];
    for (size_t k = 0; k < pram->size; k++)
        people += observed[k];
    for (size_t k = 0; k < pram->size; k++)
        out[k] = people / (double)pram->size;
    for (int step = 0; step < STEPS; step++)
        if (!(improve(pram, observed, out, next) > 1e-9 * people))
            break;
}
