/* bounded-laplace: one real number, noise renormalised on an interval. docs/mechanisms/bounded-laplace.md
 *
 * P(y | x) = q^|y - x| / Z(x) on the grid points of the interval, q = exp(-1/scale). Renormalising adds a
 * loss of its own: for |x' - x| = d the largest is d/scale + ln(Z(x') / Z(x)). Z is concave, so ln(Z(x + d) /
 * Z(x)) is largest at the lower end; Z(x + 1) >= q Z(x), so the whole never falls as d grows. Hence the worst
 * pair is an end and the point `steps` away from it, and because Z(x + 1) <= Z(x) / q, twice the plain scale
 * always suffices. */
#include <math.h>

#include "mechanism/additive.h"
#include "mechanism/bisect.h"
#include "mechanism/exact_geometric.h"
#include "mechanism/grid.h"
#include "mechanism/numbers.h"
#include "mechanism/registry.h"

struct worst_pair {
    double epsilon;
    uint64_t steps, length; /* steps <= length */
};

static bool scale_is_enough(const void *context, double value)
{
    const struct worst_pair *pair = context;
    struct exact_geometric law = exact_geometric(rational_from_double(value));
    int128_t steps = pair->steps, rest = (int128_t)pair->length - steps;
    struct interval plain = interval_divide(interval_exact((double)pair->steps), interval_exact(value));
    struct interval ratio = interval_divide(exact_geometric_total(&law, steps, rest),
                                            exact_geometric_total(&law, 0, pair->length));
    return interval_add(plain, interval_log(ratio)).upper <= pair->epsilon;
}

/* The least scale that is proved to keep epsilon. */
static status solve_scale(const struct worst_pair *pair, double *scale, error *why)
{
    double plain = (double)pair->steps / pair->epsilon;
    double enough = 2 * plain * (1 + 0x1p-30);
    if (!isfinite(enough) || !scale_is_enough(pair, enough))
        return fail(why, DITHER_INVALID, "no scale can be proved to keep an epsilon of %g on this grid",
                    pair->epsilon);
    *scale = bisect(scale_is_enough, pair, enough, plain / 2);
    return DITHER_OK;
}

static status bounded_laplace_init(struct mechanism *mechanism, error *why)
{
    uint64_t steps = 0;
    TRY(numbers_real_init(mechanism, &steps, why));
    TRY(additive_output(mechanism, why));
    uint64_t length = additive_output_length(mechanism);
    if (length == 0)
        return fail(why, DITHER_INVALID, "the output interval holds only one multiple of the grid, %g",
                    mechanism->grid);
    if (length > UINT64_C(1) << 53)
        return fail(why, DITHER_INVALID,
                    "the grid is too fine for this output interval: choose a coarser one");
    struct worst_pair pair = {mechanism->options.epsilon, steps < length ? steps : length, length};
    double scale = 0;
    TRY(solve_scale(&pair, &scale, why));
    TRY(geometric_init(&mechanism->law.noise, rational_from_double(scale), why));
    mechanism->law.family = &law_bounded;
    mechanism->sensitivity = pair.steps;
    mechanism->cost = (dither_cost){.epsilon = mechanism->options.epsilon};
    return DITHER_OK;
}

static status bounded_laplace_measure(const struct mechanism *mechanism, const dither_data *data,
                                      int64_t *statistic, error *why)
{
    if (data->count != 1)
        return fail(why, DITHER_INVALID, "bounded-laplace takes one number at a time");
    int64_t x = grid_round(data->values[0], mechanism->grid);
    const struct law *law = &mechanism->law;
    statistic[0] = x < law->lower ? law->lower : x > law->upper ? law->upper : x;
    return DITHER_OK;
}

/* P(|y - x| > w) <= (q^w - q^length) / (1 - q^length) wherever x lies: on either side of x it is so among the
 * outcomes other than x itself. So q^w need not be below 1 - confidence (1 - q^length). */
static double bounded_laplace_half_width(const struct mechanism *mechanism, const dither_data *data,
                                         double confidence)
{
    (void)data;
    double scale = rational_to_double(mechanism->law.noise.scale, MPFR_RNDN);
    double length = (double)(mechanism->law.upper - mechanism->law.lower);
    double steps = ceil(-scale * log1p(confidence * expm1(-length / scale)) * (1 + 0x1p-40));
    return (fmin(steps, length) + 0.5) * mechanism->grid;
}

const struct mechanism_kind mechanism_bounded_laplace = {
    .name = "bounded-laplace",
    .summary = "one real number with Laplace noise renormalised on an interval",
    .shape = SHAPE_NUMBERS,
    .needs = OPTION_EPSILON | OPTION_OUTPUT,
    .understands = OPTION_SENSITIVITY | OPTION_GROUP | OPTION_GRID,
    .example = {.epsilon = 1, .sensitivity = 0.25, .output = {0, 1}, .grid = 0.125},
    .init = bounded_laplace_init,
    .statistic_count = numbers_count,
    .measure = bounded_laplace_measure,
    .answer_count = numbers_count,
    .finish = mechanism_finish_direct,
    .scale = additive_scale,
    .half_width = bounded_laplace_half_width,
};
