/* fit.h - does a sample follow a law? Pearson's chi-square. */
#ifndef TESTS_SUPPORT_FIT_H
#define TESTS_SUPPORT_FIT_H

#include <stddef.h>
#include <stdint.h>

/* The value that chi-square with `freedom` degrees passes once in a million (Wilson and Hilferty 1931: the
 * cube root of chi-square / freedom is close to normal). With a fixed seed the outcome is fixed too: a seed
 * is never changed to pass. */
double fit_threshold(size_t freedom);

/* sum (observed - expected)^2 / expected over the cells. Cells expecting fewer than 10 are joined with their
 * successors, the rest with the last; `freedom` gets the number of joined cells less one. Expectations are
 * probabilities * draws. */
double fit_chi_square(const uint64_t *observed, const double *probability, size_t cells, uint64_t draws,
                      size_t *freedom);

/* How well whole numbers around 0 follow a law that is given by its tail P(X >= k): chi-square over 401 cells of `width`
 * numbers each (the outer two open), and the sample's first two moments. */
struct fit_noise {
    double chi_square;
    size_t freedom;
    double mean, mean_square;
};

struct fit_noise fit_noise(const int64_t *values, size_t count, int64_t width,
                           double (*tail)(const void *law, int64_t k), const void *law);

#endif
