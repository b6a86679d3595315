#include "random/discrete_gaussian.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "random/bernoulli.h"

enum { LOT = 128 };

status discrete_gaussian_init(struct discrete_gaussian *gaussian, struct rational variance, error *why)
{
    struct rational least = {1, 1, 2 * GEOMETRIC_SCALE_LOW}, most = {1, 1, 2 * GEOMETRIC_SCALE_HIGH};
    if (rational_compare(variance, least) < 0 || rational_compare(variance, most) > 0)
        return fail(why, DITHER_INVALID,
                    "a standard deviation of %g is outside what can be drawn, 2^-20 to 2^50",
                    sqrt(rational_to_double(variance, MPFR_RNDN)));
    struct discrete_gaussian made = {.variance = variance};
    double approximate = rational_to_double(variance, MPFR_RNDN);
    /* Any whole proposal scale gives the exact law; the one next to sigma wastes the fewest proposals. */
    made.proposal_scale = (uint64_t)fmin(fmax(round(sqrt(approximate)), 1), ldexp(1, GEOMETRIC_SCALE_HIGH));
    made.center = approximate / (double)made.proposal_scale;
    made.half_inverse = 0.5 / approximate;
    TRY(geometric_init(&made.proposal, rational_from_ratio(made.proposal_scale, 1), why));
    *gaussian = made;
    return DITHER_OK;
}

/* ---- Keeping a proposal ----
 *
 * A proposal y comes with probability proportional to exp(-|y|/t) and is kept with probability
 *     exp(-(|y| - v/t)^2 / (2v)) = exp(-y^2/(2v) + |y|/t - v/(2 t^2)),
 * so a kept one has probability proportional to exp(-y^2/(2v)). */

struct proposal {
    const struct discrete_gaussian *gaussian;
    uint64_t size; /* |y| */
};

/* The exponent y^2/(2v) - y/t + v/(2 t^2), rounded in one direction. */
static void exponent(const struct proposal *proposal, mpfr_t out, mpfr_rnd_t direction)
{
    mpfr_rnd_t opposite = direction == MPFR_RNDD ? MPFR_RNDU : MPFR_RNDD;
    mpfr_t variance, term;
    mpfr_inits2(mpfr_get_prec(out), variance, term, (mpfr_ptr)0);
    rational_to_mpfr(proposal->gaussian->variance, variance, opposite);
    mpfr_set_uj(out, proposal->size, direction);
    mpfr_mul(out, out, out, direction);
    mpfr_div(out, out, variance, direction);
    mpfr_div_2ui(out, out, 1, direction);
    rational_to_mpfr(proposal->gaussian->variance, variance, direction);
    mpfr_set_uj(term, proposal->gaussian->proposal_scale, opposite);
    mpfr_mul(term, term, term, opposite);
    mpfr_mul_2ui(term, term, 1, opposite);
    mpfr_div(term, variance, term, direction);
    mpfr_add(out, out, term, direction);
    mpfr_set_uj(term, proposal->size, opposite);
    mpfr_div_ui(term, term, proposal->gaussian->proposal_scale, opposite);
    mpfr_sub(out, out, term, direction);
    mpfr_clears(variance, term, (mpfr_ptr)0);
}

static void keep_bounds(const void *context, mpfr_t lower, mpfr_t upper)
{
    exponent(context, lower, MPFR_RNDU);
    mpfr_neg(lower, lower, MPFR_RNDD);
    mpfr_exp(lower, lower, MPFR_RNDD);
    exponent(context, upper, MPFR_RNDD);
    mpfr_neg(upper, upper, MPFR_RNDU);
    mpfr_exp(upper, upper, MPFR_RNDU);
}

/* With Y = |y|/sigma the exponent is (Y - c)^2/2 for some c < 2, and its error at most Y^2 * 2^-49: below
 * 2^-41 wherever the probability is above 2^-64, that is Y < 11. Farther out the estimate is as good as 0. */
static double keep_estimate(const struct discrete_gaussian *gaussian, int64_t value)
{
    double distance = fabs((double)value) - gaussian->center;
    return exp(-distance * distance * gaussian->half_inverse);
}

static status settle(const struct discrete_gaussian *gaussian, struct random *random, int64_t value,
                     uint64_t word, bool *kept, error *why)
{
    struct proposal proposal = {gaussian, value < 0 ? -(uint64_t)value : (uint64_t)value};
    return bernoulli_settle(random, word, keep_bounds, &proposal, kept, why);
}

/* ---- Drawing ---- */

/* Fills the front of `proposals` with those that are kept, and says how many. The common path has no branch
 * on them. */
static status sieve(const struct discrete_gaussian *gaussian, struct random *random, int64_t *proposals,
                    size_t lanes, size_t *kept, error *why)
{
    uint64_t words[LOT];
    double estimate[LOT];
    const uint64_t *taken = NULL;
    TRY(random_take(random, lanes, &taken, why));
    memcpy(words, taken, lanes * sizeof *words);
    for (size_t lane = 0; lane < lanes; lane++)
        estimate[lane] = keep_estimate(gaussian, proposals[lane]);
    size_t count = 0;
    for (size_t lane = 0; lane < lanes; lane++) {
        enum toss toss = bernoulli_judge(words[lane], estimate[lane]);
        bool good = toss == TOSS_TRUE;
        if (__builtin_expect(toss == TOSS_OPEN, 0))
            TRY(settle(gaussian, random, proposals[lane], words[lane], &good, why));
        proposals[count] = proposals[lane];
        count += good;
    }
    *kept = count;
    return DITHER_OK;
}

/* Makes up to `wanted` draws from one lot of proposals. */
static status draw_lot(const struct discrete_gaussian *gaussian, struct random *random, size_t wanted,
                       int64_t *out, size_t *made, error *why)
{
    int64_t proposals[LOT] = {0};
    size_t lanes = wanted + wanted / 2 + 2; /* about three in four are kept */
    lanes = lanes < LOT ? lanes : LOT;
    TRY(geometric_add(&gaussian->proposal, random, proposals, lanes, why));
    size_t kept = 0;
    TRY(sieve(gaussian, random, proposals, lanes, &kept, why));
    *made = kept < wanted ? kept : wanted;
    memcpy(out, proposals, *made * sizeof *out);
    return DITHER_OK;
}

static status add_lot(const struct discrete_gaussian *gaussian, struct random *random, int64_t *values,
                      size_t count, error *why)
{
    int64_t noise[LOT];
    for (size_t done = 0; done < count;) {
        size_t made = 0;
        TRY(draw_lot(gaussian, random, count - done, noise + done, &made, why));
        done += made;
    }
    for (size_t i = 0; i < count; i++)
        values[i] = (int64_t)((uint64_t)values[i] + (uint64_t)noise[i]);
    return DITHER_OK;
}

status discrete_gaussian_add(const struct discrete_gaussian *gaussian, struct random *random, int64_t *values,
                             size_t count, error *why)
{
    for (size_t done = 0; done < count; done += LOT) {
        status result =
            add_lot(gaussian, random, values + done, count - done < LOT ? count - done : LOT, why);
        if (result != DITHER_OK) {
            memset(values, 0, count * sizeof *values);
            return result;
        }
    }
    return DITHER_OK;
}

status discrete_gaussian_draw(const struct discrete_gaussian *gaussian, struct random *random, int64_t *out,
                              error *why)
{
    int64_t value = 0;
    TRY(add_lot(gaussian, random, &value, 1, why));
    *out = value;
    return DITHER_OK;
}

/* ---- The law ---- */

/* Up to this sigma the sums are added up term by term; beyond it Euler and Maclaurin's formula is good to the
 * last digits, its first term left out being (x/sigma^2)^5 / 30240 of the value at x. */
#define LARGEST_SUMMED 1024.0

static double bell(double x, double variance)
{
    return exp(-x * x / (2 * variance));
}

/* Sum of bell(j) over j >= k, k >= 0. */
static double upper_sum(double k, double variance)
{
    double sigma = sqrt(variance);
    if (sigma > LARGEST_SUMMED) {
        double slope = k / variance;
        double integral = sigma * sqrt(M_PI / 2) * erfc(k / (sigma * M_SQRT2));
        double third = 3 * k / (variance * variance) - slope * slope * slope;
        return integral + bell(k, variance) * (0.5 + slope / 12 + third / 720);
    }
    double sum = 0;
    double last = ceil(k + 40 * sigma) + 2;
    for (double x = last; x >= k; x--) /* smallest first */
        sum += bell(x, variance);
    return sum;
}

static double normaliser(double variance)
{
    return 2 * upper_sum(1, variance) + 1;
}

double discrete_gaussian_mass(const struct discrete_gaussian *gaussian, int64_t k)
{
    double variance = rational_to_double(gaussian->variance, MPFR_RNDN);
    return bell((double)k, variance) / normaliser(variance);
}

double discrete_gaussian_tail(const struct discrete_gaussian *gaussian, int64_t k)
{
    double variance = rational_to_double(gaussian->variance, MPFR_RNDN);
    if (k <= 0)
        return 1 - discrete_gaussian_tail(gaussian, 1 - k);
    return upper_sum((double)k, variance) / normaliser(variance);
}

double discrete_gaussian_half_width(const struct discrete_gaussian *gaussian, double confidence)
{
    assert(confidence > 0 && confidence < 1);
    double variance = rational_to_double(gaussian->variance, MPFR_RNDU);
    double allowed = (1 - confidence) / 2 * normaliser(variance);
    double low = 0, high = ceil(40 * sqrt(variance)) + 1; /* P(|X| > high) is under 10^-300 */
    while (low < high) {
        double middle = floor((low + high) / 2);
        if (upper_sum(middle + 1, variance) <= allowed)
            high = middle;
        else
            low = middle + 1;
    }
    return high;
}
