/* Optimal partition selection (Desfontaines, Voss, Gipson, Mandayam 2022, "Differentially private partition
 * selection"): a key with n people is shown with probability
 *
 *     pi(0) = 0,  pi(n) = min(e^epsilon pi(n-1) + delta,  1 - e^-epsilon (1 - pi(n-1) - delta),  1),
 *
 * the largest that (epsilon, delta) allows. The two lines cross at (1 - delta) / (e^epsilon + 1): up to the
 * step s = 1 + floor(y), y = ln(1 + tanh(epsilon/2) (1 - delta) / delta) / epsilon, the first one counts and
 * pi(n) = delta (e^(n epsilon) - 1) / (e^epsilon - 1), from there on the second one, whose fixed point is
 * c = 1 + delta / (e^epsilon - 1):  pi(n) = pi(s) + (1 - e^-(n-s) epsilon) (c - pi(s)).
 *
 * Sampler. The closed form in doubles has a relative error far below 2^-40 (every sum is of terms of one
 * sign, but for c - pi(s), which is small only where pi(s) outweighs it; the exponents are at most some 1000,
 * so exp loses ten bits at worst). Where that does not decide the toss, bernoulli_real asks for bounds, which
 * MPFR gives.
 *
 * A step s that is off by one is no harm to an estimate: it happens only where both lines nearly agree. The
 * bounds are strict: when the floor is in doubt they take the smaller of both candidates, which is right
 * because pi(n) is the minimum over all ways to pick a line at each step. */
#include <assert.h>
#include <math.h>

#include "mechanism/law_common.h"
#include "random/bernoulli.h"

enum {
    GUARD_BITS = 64, /* lost to roundings at most: far fewer than 100, amplified by less than 2^12 */
    LEAST_PRECISION = 128,
    INTERVAL_PRECISION = 640, /* so that 1 - pi keeps its digits */
};

struct keep {
    double epsilon, delta;
    uint64_t people;
};

/* ---- In doubles ---- */

static double rising(double epsilon, double delta, double people)
{
    return delta * (expm1(people * epsilon) / expm1(epsilon));
}

/* NaN where a double overflows on the way. */
static double keep_estimate(const struct keep *keep)
{
    double epsilon = keep->epsilon, delta = keep->delta, people = (double)keep->people;
    double last_rising = 1 + floor(log1p(tanh(epsilon / 2) * (1 - delta) / delta) / epsilon);
    double estimate = rising(epsilon, delta, fmin(people, last_rising));
    if (people > last_rising)
        estimate -= expm1(-(people - last_rising) * epsilon) * (1 + delta / expm1(epsilon) - estimate);
    return isfinite(estimate) ? fmin(estimate, 1) : (double)NAN;
}

/* ---- With as many digits as it takes ---- */

static void precise_rising(const struct keep *keep, uint64_t people, mpfr_t out)
{
    mpfr_t once;
    mpfr_init2(once, mpfr_get_prec(out));
    mpfr_set_d(once, keep->epsilon, MPFR_RNDN);
    mpfr_mul_ui(out, once, people, MPFR_RNDN);
    mpfr_expm1(out, out, MPFR_RNDN);
    mpfr_expm1(once, once, MPFR_RNDN);
    mpfr_div(out, out, once, MPFR_RNDN);
    mpfr_mul_d(out, out, keep->delta, MPFR_RNDN);
    mpfr_clear(once);
}

/* pi(people) if the first line counted up to `last_rising`. */
static void precise_keep(const struct keep *keep, uint64_t last_rising, mpfr_t out)
{
    uint64_t risen = keep->people < last_rising ? keep->people : last_rising;
    precise_rising(keep, risen, out);
    if (keep->people > risen) {
        mpfr_t fixed, share;
        mpfr_inits2(mpfr_get_prec(out), fixed, share, (mpfr_ptr)0);
        mpfr_set_d(share, keep->epsilon, MPFR_RNDN);
        mpfr_expm1(fixed, share, MPFR_RNDN);
        mpfr_d_div(fixed, keep->delta, fixed, MPFR_RNDN);
        mpfr_add_ui(fixed, fixed, 1, MPFR_RNDN);
        mpfr_sub(fixed, fixed, out, MPFR_RNDN);
        mpfr_mul_ui(share, share, keep->people - risen, MPFR_RNDN);
        mpfr_neg(share, share, MPFR_RNDN);
        mpfr_expm1(share, share, MPFR_RNDN);
        mpfr_mul(share, share, fixed, MPFR_RNDN);
        mpfr_sub(out, out, share, MPFR_RNDN);
        mpfr_clears(fixed, share, (mpfr_ptr)0);
    }
}

static uint64_t step_after(const mpfr_t y)
{
    return mpfr_cmp_ui_2exp(y, 1, 63) >= 0 ? UINT64_C(1) << 63 : 1 + (uint64_t)mpfr_get_uj(y, MPFR_RNDD);
}

/* y, and from it the last step of the first line: rounded down and up by 2^-bits of itself before the floor
 * is taken. */
static void last_rising_steps(const struct keep *keep, mpfr_prec_t bits, uint64_t steps[2])
{
    mpfr_t y, odds;
    mpfr_inits2(bits + GUARD_BITS, y, odds, (mpfr_ptr)0);
    mpfr_set_d(y, keep->epsilon, MPFR_RNDN);
    mpfr_div_2ui(y, y, 1, MPFR_RNDN);
    mpfr_tanh(y, y, MPFR_RNDN);
    mpfr_set_d(odds, keep->delta, MPFR_RNDN);
    mpfr_ui_sub(odds, 1, odds, MPFR_RNDN);
    mpfr_div_d(odds, odds, keep->delta, MPFR_RNDN);
    mpfr_mul(y, y, odds, MPFR_RNDN);
    mpfr_log1p(y, y, MPFR_RNDN);
    mpfr_div_d(y, y, keep->epsilon, MPFR_RNDN);
    mpfr_div_2ui(odds, y, (unsigned long)bits, MPFR_RNDU);
    mpfr_sub(y, y, odds, MPFR_RNDD);
    steps[0] = step_after(y);
    mpfr_mul_2ui(odds, odds, 1, MPFR_RNDU);
    mpfr_add(y, y, odds, MPFR_RNDU);
    steps[1] = step_after(y);
    mpfr_clears(y, odds, (mpfr_ptr)0);
}

static void keep_bounds(const void *context, mpfr_t lower, mpfr_t upper)
{
    const struct keep *keep = context;
    mpfr_prec_t asked = mpfr_get_prec(lower);
    mpfr_prec_t bits = asked > LEAST_PRECISION ? asked : LEAST_PRECISION;
    uint64_t steps[2];
    last_rising_steps(keep, bits, steps);
    assert(steps[1] - steps[0] <= 1); /* y < 2^63 and bits >= 128 */
    mpfr_t value, other;
    mpfr_inits2(bits + GUARD_BITS, value, other, (mpfr_ptr)0);
    precise_keep(keep, steps[0], value);
    if (steps[1] != steps[0]) {
        precise_keep(keep, steps[1], other);
        mpfr_min(value, value, other, MPFR_RNDN);
    }
    mpfr_div_2ui(other, value, (unsigned long)bits, MPFR_RNDU);
    mpfr_sub(lower, value, other, MPFR_RNDD);
    mpfr_add(upper, value, other, MPFR_RNDU);
    if (mpfr_cmp_ui(lower, 1) > 0)
        mpfr_set_ui(lower, 1, MPFR_RNDN);
    if (mpfr_cmp_ui(upper, 1) > 0)
        mpfr_set_ui(upper, 1, MPFR_RNDN);
    mpfr_clears(value, other, (mpfr_ptr)0);
}

struct shown_or_hidden {
    struct interval shown, hidden; /* pi and 1 - pi */
};

static struct shown_or_hidden keep_intervals(const struct law *law, int64_t people)
{
    struct shown_or_hidden result = {interval_exact(0), interval_exact(1)};
    if (people <= 0)
        return result;
    struct keep keep = {law->epsilon, law->delta, (uint64_t)people};
    mpfr_t lower, upper;
    mpfr_inits2(INTERVAL_PRECISION, lower, upper, (mpfr_ptr)0);
    keep_bounds(&keep, lower, upper);
    result.shown = (struct interval){mpfr_get_d(lower, MPFR_RNDD), mpfr_get_d(upper, MPFR_RNDU)};
    mpfr_ui_sub(lower, 1, lower, MPFR_RNDU);
    mpfr_ui_sub(upper, 1, upper, MPFR_RNDD);
    result.hidden = (struct interval){mpfr_get_d(upper, MPFR_RNDD), mpfr_get_d(lower, MPFR_RNDU)};
    mpfr_clears(lower, upper, (mpfr_ptr)0);
    return result;
}

/* ---- The law ---- */

static status show(const struct keep *keep, struct random *random, bool *shown, error *why)
{
    double estimate = keep_estimate(keep);
    if (isnan(estimate)) {
        mpfr_t lower, upper;
        mpfr_inits2(LEAST_PRECISION, lower, upper, (mpfr_ptr)0);
        keep_bounds(keep, lower, upper);
        estimate = mpfr_get_d(lower, MPFR_RNDN);
        mpfr_clears(lower, upper, (mpfr_ptr)0);
    }
    return bernoulli_real(random, estimate, keep_bounds, keep, shown, why);
}

static status sample(const struct law *law, struct random *random, const int64_t *statistic, size_t n,
                     int64_t *outcome, error *why)
{
    for (size_t i = 0; i < n; i++) {
        bool shown = false;
        if (statistic[i] > 0) {
            struct keep keep = {law->epsilon, law->delta, (uint64_t)statistic[i]};
            TRY(show(&keep, random, &shown, why));
        }
        outcome[i] = shown ? 1 : LAW_HIDDEN;
    }
    return DITHER_OK;
}

static void cells(const struct law *law, const int64_t *left, const int64_t *right, size_t n, size_t block,
                  law_visit visit, void *context)
{
    assert(block < n);
    struct shown_or_hidden a = keep_intervals(law, left[block]), b = keep_intervals(law, right[block]);
    visit(context, a.shown, b.shown);
    visit(context, a.hidden, b.hidden);
}

static struct interval probability(const struct law *law, const int64_t *statistic, size_t n, size_t index,
                                   int64_t value)
{
    assert(index < n);
    if (value != 1 && value != LAW_HIDDEN)
        return interval_exact(0);
    struct shown_or_hidden law_of_key = keep_intervals(law, statistic[index]);
    return value == LAW_HIDDEN ? law_of_key.hidden : law_of_key.shown;
}

const struct law_family law_select = {
    .name = "select",
    .outcome_count = law_one_each,
    .blocks = law_one_each,
    .sample = sample,
    .cells = cells,
    .probability = probability,
};
