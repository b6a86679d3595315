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

struct fit_noise fit_noise(const int64_t *values, size_t count, int64_t width,
                           double (*tail)(const void *law, int64_t k), const void *law)
{
    enum { CELLS = 401 };
    uint64_t seen[CELLS] = {0};
    double probability[CELLS];
    struct fit_noise result = {0};
    for (size_t i = 0; i < count; i++) {
        int64_t below = values[i] >= 0 ? values[i] / width : -((-values[i] + width - 1) / width);
        int64_t cell = below + CELLS / 2;
        seen[cell < 0 ? 0 : cell >= CELLS ? CELLS - 1 : cell]++;
        result.mean += (double)values[i] / (double)count;
        result.mean_square += (double)values[i] * (double)values[i] / (double)count;
    }
    for (int64_t cell = 0; cell < CELLS; cell++) {
        int64_t low = (cell - CELLS / 2) * width;
        double from = cell == 0 ? 1 : tail(law, low);
        probability[cell] = from - (cell == CELLS - 1 ? 0 : tail(law, low + width));
    }
    result.chi_square = fit_chi_square(seen, probability, CELLS, count, &result.freedom);
    return result;
}
