/* Tails by their own terms; bounds by bisection. */
#include "attack/audit_statistics.h"

#include <math.h>

enum { BISECTIONS = 80 };
#define LARGEST_EPSILON 60.0 /* nothing that can be sampled convicts of more */

/* ---- Binomial ---- */

static double log_term(uint64_t n, double p, uint64_t k)
{
    double trials = (double)n, hits = (double)k;
    return lgamma(trials + 1) - lgamma(hits + 1) - lgamma(trials - hits + 1) + hits * log(p) +
           (trials - hits) * log1p(-p);
}

/* The terms k, k+1, ... of n: each is the one before times (n - k) / (k + 1) * p / (1 - p). */
static double sum_upwards(uint64_t n, double p, uint64_t k)
{
    double term = exp(log_term(n, p, k)), sum = 0;
    for (uint64_t i = k; i <= n && term > sum * 1e-18; i++) {
        sum += term;
        term *= (double)(n - i) / (double)(i + 1) * (p / (1 - p));
    }
    return sum;
}

double audit_binomial_at_least(uint64_t n, double p, uint64_t k)
{
    if (k == 0 || p >= 1)
        return k <= n ? 1 : 0;
    if (k > n || p <= 0)
        return 0;
    /* Below the middle the terms rise first: the other tail is the short one. */
    if ((double)k < (double)n * p)
        return fmax(0, 1 - sum_upwards(n, 1 - p, n - k + 1));
    return fmin(1, sum_upwards(n, p, k));
}

double audit_binomial_at_most(uint64_t n, double p, uint64_t k)
{
    return k >= n ? 1 : audit_binomial_at_least(n, 1 - p, n - k);
}

double audit_binomial_two_sided(uint64_t n, double p, uint64_t k)
{
    return fmin(1, 2 * fmin(audit_binomial_at_least(n, p, k), audit_binomial_at_most(n, p, k)));
}

double audit_proportion_lower(uint64_t n, uint64_t k, double risk)
{
    double low = 0, high = n > 0 ? (double)k / (double)n : 0;
    if (k == 0)
        return 0;
    for (int i = 0; i < BISECTIONS; i++) {
        double middle = (low + high) / 2;
        if (audit_binomial_at_least(n, middle, k) <= risk)
            low = middle;
        else
            high = middle;
    }
    return low;
}

double audit_proportion_upper(uint64_t n, uint64_t k, double risk)
{
    return 1 - audit_proportion_lower(n, n - k, risk);
}

/* ---- Chi-square: the upper incomplete gamma function, by its series or its continued fraction ---- */

static double gamma_series(double a, double x)
{
    double term = 1 / a, sum = term;
    for (int i = 1; i < 100000 && term > sum * 1e-17; i++) {
        term *= x / (a + i);
        sum += term;
    }
    return sum * exp(-x + a * log(x) - lgamma(a));
}

/* Lentz's way of going down the fraction (Press et al., Numerical Recipes, describe it). */
static double gamma_fraction(double a, double x)
{
    const double tiny = 1e-300;
    double b = x + 1 - a, c = 1 / tiny, d = 1 / b, h = d;
    for (int i = 1; i < 100000; i++) {
        double an = -i * (i - a);
        b += 2;
        d = an * d + b;
        d = fabs(d) < tiny ? tiny : d;
        c = b + an / c;
        c = fabs(c) < tiny ? tiny : c;
        d = 1 / d;
        h *= d * c;
        if (fabs(d * c - 1) < 1e-15)
            break;
    }
    return h * exp(-x + a * log(x) - lgamma(a));
}

double audit_chi_square_tail(double value, size_t freedom)
{
    double a = (double)freedom / 2, x = value / 2;
    if (freedom == 0 || !(x > 0))
        return 1;
    return x < a + 1 ? fmax(0, 1 - gamma_series(a, x)) : gamma_fraction(a, x);
}

/* ---- Epsilon ---- */

double audit_event_epsilon(struct audit_counts counts, double delta, double risk)
{
    double p = audit_proportion_lower(counts.n_with, counts.with, risk / 2);
    double q = audit_proportion_upper(counts.n_without, counts.without, risk / 2);
    return p > delta && q > 0 ? fmax(0, log((p - delta) / q)) : 0;
}

double audit_guesses_probability(struct audit_guesses guesses, double epsilon, double delta)
{
    double q = 1 / (1 + exp(-epsilon)), steepest = 0, between = 0;
    double beta = audit_binomial_at_least(guesses.guessed, q, guesses.right);
    for (uint64_t i = 1; delta > 0 && i <= guesses.right; i++) {
        between += exp(log_term(guesses.guessed, q, guesses.right - i));
        steepest = fmax(steepest, between / (double)i);
    }
    return fmin(1, beta + 2 * (double)guesses.people * delta * steepest);
}

double audit_guesses_epsilon(struct audit_guesses guesses, double delta, double risk)
{
    double low = 0, high = LARGEST_EPSILON;
    if (audit_guesses_probability(guesses, 0, delta) > risk)
        return 0;
    for (int i = 0; i < BISECTIONS; i++) {
        double middle = (low + high) / 2;
        if (audit_guesses_probability(guesses, middle, delta) <= risk)
            low = middle;
        else
            high = middle;
    }
    return low;
}
