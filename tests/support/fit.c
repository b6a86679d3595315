#include "tests/support/fit.h"

#include <math.h>

double fit_threshold(size_t freedom)
{
    const double once_in_a_million = 4.753424308822899; /* the normal quantile */
    double k = (double)freedom;
    double root = 1 - 2 / (9 * k) + once_in_a_million * sqrt(2 / (9 * k));
    return k * root * root * root;
}

double fit_chi_square(const uint64_t *observed, const double *probability, size_t cells, uint64_t draws,
                      size_t *freedom)
{
    double chi = 0, seen = 0, expected = 0, last_seen = 0, last_expected = 0;
    size_t joined = 0;
    for (size_t i = 0; i < cells; i++) {
        seen += (double)observed[i];
        expected += probability[i] * (double)draws;
        if (expected < 10)
            continue;
        if (joined > 0)
            chi += (last_seen - last_expected) * (last_seen - last_expected) / last_expected;
        last_seen = seen;
        last_expected = expected;
        seen = expected = 0;
        joined++;
    }
    last_seen += seen;
    last_expected += expected;
    chi += (last_seen - last_expected) * (last_seen - last_expected) / last_expected;
    *freedom = joined > 1 ? joined - 1 : 1;
    return chi;
}
