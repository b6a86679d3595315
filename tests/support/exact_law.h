/* exact_law.h - a mechanism whose probabilities are listed as fractions: they add up to 1, and no two inputs differ by more than e^epsilon. */
#ifndef TESTS_SUPPORT_EXACT_LAW_H
#define TESTS_SUPPORT_EXACT_LAW_H

#include <stddef.h>

#include <gmp.h>

struct exact_law {
    const void *context;
    size_t inputs, outputs;
    /* P(output | input), above 0. */
    void (*probability)(const void *context, size_t input, size_t output, mpq_t out);
};

/* Fails the test unless, for every input, the probabilities add up to 1, and no output's ratio between two inputs exceeds e^epsilon, exactly (MPFR,
 * rounded down). Returns the logarithm of the largest ratio. */
double exact_law_check(const struct exact_law *law, double epsilon);

#endif
