#include "mechanism/gaussian_calibration.h"

#include <assert.h>
#include <math.h>

#include "mechanism/bisect.h"
#include "mechanism/exact_gaussian.h"
#include "mechanism/zcdp.h"

/* upper - e^epsilon lower, rounded up, after both were widened by the slack of exact_gaussian.h; at least 0.
 */
static double difference(mpfr_t upper, mpfr_t lower, double epsilon)
{
    mpfr_t slack, factor;
    mpfr_inits2(EXACT_GAUSSIAN_BITS, slack, factor, (mpfr_ptr)0);
    mpfr_set_ui_2exp(slack, 1, EXACT_GAUSSIAN_SLACK, MPFR_RNDN);
    mpfr_set_d(factor, epsilon, MPFR_RNDN);
    mpfr_exp(factor, factor, MPFR_RNDD);
    mpfr_mul(lower, lower, factor, MPFR_RNDD);
    mpfr_mul(factor, lower, slack, MPFR_RNDU);
    mpfr_sub(lower, lower, factor, MPFR_RNDD);
    mpfr_mul(factor, upper, slack, MPFR_RNDU);
    mpfr_add(upper, upper, factor, MPFR_RNDU);
    mpfr_sub(upper, upper, lower, MPFR_RNDU);
    double result = mpfr_get_d(upper, MPFR_RNDU);
    mpfr_clears(slack, factor, (mpfr_ptr)0);
    if (isnan(result)) /* nothing is proved */
        return 1;
    return fmin(fmax(result, 0), 1);
}

/* ---- Continuous noise ---- */

/* out = Phi(-(epsilon sigma + sign/(2 sigma))), rounded to nearest. */
static void normal_tail(double sigma, double epsilon, int sign, mpfr_t out)
{
    mpfr_t half;
    mpfr_init2(half, EXACT_GAUSSIAN_BITS);
    mpfr_set_d(half, sigma, MPFR_RNDN);
    mpfr_mul_2ui(half, half, 1, MPFR_RNDN);
    mpfr_si_div(half, sign, half, MPFR_RNDN);
    mpfr_set_d(out, sigma, MPFR_RNDN);
    mpfr_mul_d(out, out, epsilon, MPFR_RNDN);
    mpfr_add(out, out, half, MPFR_RNDN);
    mpfr_sqrt_ui(half, 2, MPFR_RNDN);
    mpfr_div(out, out, half, MPFR_RNDN);
    mpfr_erfc(out, out, MPFR_RNDN);
    mpfr_div_2ui(out, out, 1, MPFR_RNDN);
    mpfr_clear(half);
}

double gaussian_delta(double sigma, double epsilon)
{
    assert(sigma > 0 && epsilon >= 0);
    mpfr_t left, right;
    mpfr_inits2(EXACT_GAUSSIAN_BITS, left, right, (mpfr_ptr)0);
    normal_tail(sigma, epsilon, -1, left);
    normal_tail(sigma, epsilon, 1, right);
    double result = difference(left, right, epsilon);
    mpfr_clears(left, right, (mpfr_ptr)0);
    return result;
}

static bool sigma_is_enough(const void *context, double sigma)
{
    const struct gaussian_promise *promise = context;
    return gaussian_delta(sigma, promise->epsilon) <= promise->delta;
}

double gaussian_sigma(struct gaussian_promise promise)
{
    assert(promise.epsilon > 0 && promise.delta > 0 && promise.delta < 1);
    double good = 1, bad = 1;
    while (!sigma_is_enough(&promise, good))
        good *= 2;
    while (sigma_is_enough(&promise, bad))
        bad /= 2;
    return bisect(sigma_is_enough, &promise, good, bad);
}

/* ---- Discrete noise ---- */

/* P(X >= m) - e^epsilon P(X >= m + steps), rounded up. */
static double delta_from(struct rational variance, uint64_t steps, double epsilon, const mpfr_t m)
{
    mpfr_t left[2], right[2], shifted;
    mpfr_inits2(EXACT_GAUSSIAN_BITS, left[0], left[1], right[0], right[1], shifted, (mpfr_ptr)0);
    mpfr_add_ui(shifted, m, steps, MPFR_RNDN);
    exact_gaussian_tail(variance, m, left[0], left[1]);
    exact_gaussian_tail(variance, shifted, right[0], right[1]);
    double result = difference(left[1], right[0], epsilon);
    mpfr_clears(left[0], left[1], right[0], right[1], shifted, (mpfr_ptr)0);
    return result;
}

double gaussian_discrete_delta(struct rational variance, uint64_t steps, double epsilon)
{
    assert(steps >= 1 && epsilon >= 0);
    mpfr_t m, nearest;
    mpfr_inits2(EXACT_GAUSSIAN_BITS, m, nearest, (mpfr_ptr)0);
    rational_to_mpfr(variance, m, MPFR_RNDN);
    mpfr_mul_d(m, m, epsilon, MPFR_RNDN);
    mpfr_div_ui(m, m, steps, MPFR_RNDN);
    mpfr_set_ui(nearest, steps, MPFR_RNDN);
    mpfr_div_2ui(nearest, nearest, 1, MPFR_RNDN);
    mpfr_sub(m, m, nearest, MPFR_RNDN);
    /* Where the threshold is a whole number up to rounding, either side of it could be right: take the
     * larger. */
    mpfr_rint(nearest, m, MPFR_RNDN);
    mpfr_sub(m, m, nearest, MPFR_RNDN);
    bool doubtful = mpfr_zero_p(m) || mpfr_get_exp(m) < EXACT_GAUSSIAN_SLACK;
    if (doubtful || mpfr_sgn(m) < 0)
        mpfr_set(m, nearest, MPFR_RNDN);
    else
        mpfr_add_ui(m, nearest, 1, MPFR_RNDN);
    double result = delta_from(variance, steps, epsilon, m);
    if (doubtful) {
        mpfr_add_ui(m, m, 1, MPFR_RNDN);
        result = fmax(result, delta_from(variance, steps, epsilon, m));
    }
    mpfr_clears(m, nearest, (mpfr_ptr)0);
    return result;
}

static bool variance_is_enough(const void *context, double variance)
{
    const struct gaussian_promise *promise = context;
    return gaussian_discrete_delta(rational_from_double(variance), 1, promise->epsilon) <= promise->delta;
}

/* The variance that makes the noise rho-zCDP for a rho that is worth the promise: steps^2 / (2 rho), rounded
 * up. */
static double concentrated_variance(struct gaussian_promise promise, uint64_t steps)
{
    double rho = zcdp_rho(promise.epsilon, promise.delta);
    return rho > 0 ? nextafter(nextafter((double)steps * (double)steps, INFINITY) / (2 * rho), INFINITY)
                   : INFINITY;
}

/* Continuous noise of variance s^2, rounded at random to whole numbers by discrete Gaussians of variance 4
 * around it, has each probability within 10^-33 (relative) of discrete noise of variance s^2 + 4, and
 * rounding is post-processing. Over 2^40 numbers that adds up to less than 2^-64 in epsilon and in ln delta.
 */
static double rounded_variance(struct gaussian_promise promise, uint64_t steps)
{
    const double margin = 1 - 0x1p-50;
    struct gaussian_promise inner = {promise.epsilon * margin, promise.delta * margin};
    if (inner.epsilon + 0x1p-64 > promise.epsilon || inner.delta <= 0)
        return INFINITY;
    double sigma = nextafter(nextafter((double)steps, INFINITY) * gaussian_sigma(inner), INFINITY);
    return nextafter(nextafter(sigma * sigma, INFINITY) + 4, INFINITY);
}

double gaussian_discrete_variance(struct gaussian_promise promise, uint64_t steps)
{
    assert(promise.epsilon > 0 && promise.delta > 0 && promise.delta < 1 && steps >= 1);
    double concentrated = concentrated_variance(promise, steps);
    if (steps > 1)
        return fmin(concentrated, rounded_variance(promise, steps));
    /* Whole numbers that move by 1 in L2 norm: one of them moves by 1, and what is exact for one is exact for
     * all. */
    const double least = 0x1p-40;
    if (!isfinite(concentrated) || variance_is_enough(&promise, least))
        return fmin(concentrated, least);
    return bisect(variance_is_enough, &promise, concentrated, least);
}
