/* The laws of noise as the answers state them, and how well a sample follows one. Written apart from the rooms that draw the
 * noise: an auditor who takes the law from the code that he audits finds nothing. */
#include <math.h>
#include <string.h>

#include "attack/audit_parts.h"

enum {
    MOST_BINS = 24,
    LEAST_EXPECTED = 40, /* in a bin: chi-square's own law is then good far into its tail */
    EXACT_SIGMA = 200,   /* below it the Gaussian's terms are added up one by one */
};

/* P(k) is proportional to e^(-|k| / scale): with a = e^(-1/scale), P(noise <= k) = 1 - a^(k+1) / (1 + a) from 0 upwards. */
static double geometric_cumulative(double scale, double k)
{
    double a = exp(-1 / scale);
    return k >= 0 ? 1 - exp(-(k + 1) / scale) / (1 + a) : exp(k / scale) / (1 + a);
}

/* P(k) is proportional to e^(-k^2 / (2 sigma^2)). For wide noise its sum is the integral between half steps, to more digits than a
 * sample could tell (Poisson's formula: the error is of the order e^(-2 pi^2 sigma^2) and, in the edges, 1 / (24 sigma^2)). */
static double gaussian_cumulative(double sigma, double k)
{
    if (sigma > EXACT_SIGMA)
        return 0.5 * erfc(-(k + 0.5) / (sigma * M_SQRT2));
    double below = 0, all = 0;
    for (double i = -ceil(12 * sigma); i <= ceil(12 * sigma); i++) {
        double term = exp(-i * i / (2 * sigma * sigma));
        all += term;
        below += i <= k ? term : 0;
    }
    return below / all;
}

double audit_law_cumulative(const char *mechanism, double scale, double k)
{
    if (strcmp(mechanism, "geometric") == 0)
        return geometric_cumulative(scale, k);
    return strcmp(mechanism, "discrete-gaussian") == 0 ? gaussian_cumulative(scale, k) : NAN;
}

/* Geometric: ((1 - a) / (1 + a))^2 (1 + 2 a^2 / (1 - a^2)). Gaussian: the difference of two is one of sigma sqrt(2), at 0. */
double audit_law_collision(const char *mechanism, double scale)
{
    double a = exp(-1 / scale), p = -expm1(-1 / scale) / (1 + a);
    if (strcmp(mechanism, "geometric") == 0)
        return p * p * (1 + 2 * a * a / (-expm1(-1 / scale) * (1 + a)));
    double all = 0, equal = 0;
    for (double i = -ceil(12 * scale); i <= ceil(12 * scale) && scale <= EXACT_SIGMA; i++) {
        double term = exp(-i * i / (2 * scale * scale));
        all += term;
        equal += term * term;
    }
    return scale > EXACT_SIGMA ? 1 / (2 * sqrt(M_PI) * scale) : equal / (all * all);
}

/* The difference of two geometric draws: P(d) = ((1-a) / (1+a))^2 a^|d| (|d| + (1+a^2) / (1-a^2)); its sum over d > k >= 0 is that of
 * two arithmetic-geometric series. The difference of two Gaussian ones is, but for what nobody can see, one of sigma sqrt(2). */
static double difference_cumulative(const char *mechanism, double scale, double k)
{
    if (strcmp(mechanism, "geometric") != 0)
        return gaussian_cumulative(scale * M_SQRT2, k);
    if (k < 0)
        return 1 - difference_cumulative(mechanism, scale, -k - 1);
    double a = exp(-1 / scale), b = -expm1(-1 / scale), norm = b / (1 + a);
    double first = k + 1, constant = (1 + a * a) / (b * (1 + a));
    return 1 - norm * norm * exp(-first / scale) * ((first + constant) / b + a / (b * b));
}

static double law(const char *mechanism, double scale, bool difference, double k)
{
    return difference ? difference_cumulative(mechanism, scale, k)
                      : audit_law_cumulative(mechanism, scale, k);
}

/* ---- Bins of about the same probability ---- */

struct bins {
    double last[MOST_BINS]; /* the last number of each; of the last bin: infinity */
    double probability[MOST_BINS];
    size_t count;
};

/* The least k with P(noise <= k) >= share. */
static double quantile(const char *mechanism, double scale, bool difference, double share)
{
    double low = -ceil(60 * scale) - 1, high = ceil(60 * scale) + 1;
    while (high - low > 1) {
        double middle = floor((low + high) / 2);
        if (law(mechanism, scale, difference, middle) >= share)
            high = middle;
        else
            low = middle;
    }
    return high;
}

static void make_bins(const char *mechanism, double scale, bool difference, size_t wanted, struct bins *out)
{
    double below = 0;
    out->count = 0;
    for (size_t i = 1; i < wanted; i++) {
        double last = quantile(mechanism, scale, difference, (double)i / (double)wanted);
        double upto = law(mechanism, scale, difference, last);
        if ((out->count > 0 && last <= out->last[out->count - 1]) || upto > 1 - 0.5 / (double)wanted)
            continue;
        out->last[out->count] = last;
        out->probability[out->count++] = upto - below;
        below = upto;
    }
    out->last[out->count] = INFINITY;
    out->probability[out->count++] = 1 - below;
}

static double fit(const char *mechanism, double scale, bool difference, const double *noise, size_t count,
                  struct audit_curve *curve)
{
    struct bins bins;
    double seen[MOST_BINS] = {0}, chi_square = 0;
    size_t wanted = count / LEAST_EXPECTED < MOST_BINS ? count / LEAST_EXPECTED : MOST_BINS;
    if (count < AUDIT_LEAST_SAMPLE || isnan(audit_law_cumulative(mechanism, scale, 0)))
        return 1;
    make_bins(mechanism, scale, difference, wanted, &bins);
    for (size_t i = 0; i < count; i++) {
        size_t bin = 0;
        while (noise[i] > bins.last[bin])
            bin++;
        seen[bin]++;
    }
    for (size_t i = 0; i < bins.count; i++) {
        double expected = bins.probability[i] * (double)count;
        chi_square += (seen[i] - expected) * (seen[i] - expected) / expected;
        if (curve != NULL && i + 1 < bins.count) {
            curve->x[i] = bins.last[i];
            curve->seen[i] = seen[i] / (double)count;
            curve->expected[i] = bins.probability[i];
            curve->count = i + 1;
        }
    }
    return bins.count > 1 ? audit_chi_square_tail(chi_square, bins.count - 1) : 1;
}

double audit_law_fit(const char *mechanism, double scale, const double *noise, size_t count,
                     struct audit_curve *curve)
{
    return fit(mechanism, scale, false, noise, count, curve);
}

double audit_law_fit_differences(const char *mechanism, double scale, const double *differences, size_t count)
{
    return fit(mechanism, scale, true, differences, count, NULL);
}
