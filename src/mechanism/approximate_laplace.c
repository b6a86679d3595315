/* approximate-laplace: real numbers with less noise, for a delta. docs/mechanisms/approximate-laplace.md
 *
 * The noise gives a pure loss of epsilon' = epsilon - ln(1 - delta). For any event S, P(S) <= e^epsilon'
 * Q(S), so P(S) - e^epsilon Q(S) <= P(S) (1 - e^(epsilon - epsilon')) <= 1 - (1 - delta) = delta. */
#include "mechanism/additive.h"
#include "mechanism/numbers.h"
#include "mechanism/registry.h"

/* epsilon - ln(1 - delta), rounded down: towards more noise. */
static double pure_loss(double epsilon, double delta)
{
    mpfr_t loss;
    mpfr_init2(loss, 53);
    mpfr_set_d(loss, -delta, MPFR_RNDN);
    mpfr_log1p(loss, loss, MPFR_RNDU);
    mpfr_d_sub(loss, epsilon, loss, MPFR_RNDD);
    double result = mpfr_get_d(loss, MPFR_RNDD);
    mpfr_clear(loss);
    return result;
}

static status approximate_laplace_init(struct mechanism *mechanism, error *why)
{
    double epsilon = mechanism->options.epsilon, delta = mechanism->options.delta;
    uint64_t steps = 0;
    TRY(numbers_real_init(mechanism, &steps, why));
    mechanism->cost = (dither_cost){.epsilon = epsilon, .delta = delta};
    return additive_calibrate_to(mechanism, &law_laplace, steps, pure_loss(epsilon, delta), why);
}

const struct mechanism_kind mechanism_approximate_laplace = {
    .name = "approximate-laplace",
    .summary = "real numbers with somewhat less Laplace noise, for a delta",
    .shape = SHAPE_NUMBERS,
    .needs = OPTION_EPSILON | OPTION_DELTA,
    .understands = OPTION_SENSITIVITY | OPTION_GROUP | OPTION_GRID,
    .example = {.epsilon = 0.5, .delta = 0.1, .sensitivity = 1.5, .grid = 0.5},
    .init = approximate_laplace_init,
    .statistic_count = numbers_count,
    .measure = numbers_real_measure_l1,
    .answer_count = numbers_count,
    .finish = mechanism_finish_direct,
    .scale = additive_scale,
    .half_width = additive_half_width_rounded,
};
