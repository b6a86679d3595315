/* Averages, variances, covariances and regressions of noisy counts, sums and products.
 *
 * Sums are of deviations from the middle of the range, in whole steps; n is at least 1, whatever the noise.
 * With d the mean deviation, a variance is the mean square minus d squared, raised to 0; and what has a natural
 * range (an average, a correlation) is brought into it. All of it is post-processing. */
#include <math.h>

#include "sql/release_room.h"

static const struct sql_expression *plus(struct formula *formula, const struct sql_expression *a,
                                         const struct sql_expression *b)
{
    return formula_two(formula, "+", a, b);
}

static const struct sql_expression *minus(struct formula *formula, const struct sql_expression *a,
                                          const struct sql_expression *b)
{
    return formula_two(formula, "-", a, b);
}

static const struct sql_expression *times(struct formula *formula, const struct sql_expression *a,
                                          const struct sql_expression *b)
{
    return formula_two(formula, "*", a, b);
}

static const struct sql_expression *scaled(struct formula *formula, const struct sql_expression *a,
                                           double factor)
{
    return factor == 1 ? a : times(formula, a, formula_real(formula, factor));
}

static const struct sql_expression *shifted(struct formula *formula, const struct sql_expression *a,
                                            double distance)
{
    return distance == 0 ? a : plus(formula, a, formula_real(formula, distance));
}

/* NULL where b is 0, as everywhere. */
static const struct sql_expression *over(struct formula *formula, const struct sql_expression *a,
                                         const struct sql_expression *b)
{
    return formula_two(formula, "/", a, b);
}

static const struct sql_expression *at_least(struct formula *formula, const struct sql_expression *a,
                                             double least)
{
    return formula_two(formula, "greatest", a, formula_real(formula, least));
}

/* What a formula is about. */
struct moments {
    struct formula *formula;
    const struct release_draft *draft;
    size_t first;
    const struct sql_expression *n;
};

static double middle_of(const struct sql_expression *argument, const struct sql_steps *steps)
{
    return (double)steps->centre * release_step_size(argument, steps);
}

/* The average of a centred sum's argument, within its range. */
static const struct sql_expression *average(const struct moments *moments, size_t sum)
{
    const struct sql_measure *measure = &moments->draft->measures[sum];
    struct formula *formula = moments->formula;
    double size = release_step_size(measure->argument, &measure->steps);
    const struct sql_expression *deviation =
        scaled(formula,
               over(formula, release_number(formula, moments->draft, moments->first, sum), moments->n), size);
    return formula_clamp(formula, shifted(formula, deviation, middle_of(measure->argument, &measure->steps)),
                         formula_real(formula, (double)measure->steps.lower * size),
                         formula_real(formula, (double)measure->steps.upper * size));
}

/* The mean deviation from `middle`, which need not be the sum's own: steps of sums may be finer than those of
 * products. */
static const struct sql_expression *mean_deviation(const struct moments *moments, size_t sum, double middle)
{
    const struct sql_measure *measure = &moments->draft->measures[sum];
    struct formula *formula = moments->formula;
    const struct sql_expression *mean =
        over(formula, release_number(formula, moments->draft, moments->first, sum), moments->n);
    return shifted(formula, scaled(formula, mean, release_step_size(measure->argument, &measure->steps)),
                   middle_of(measure->argument, &measure->steps) - middle);
}

/* Mean of the products minus the product of the means. */
static const struct sql_expression *covariance(const struct moments *moments, size_t product, size_t y_sum,
                                               size_t x_sum)
{
    const struct sql_measure *measure = &moments->draft->measures[product];
    struct formula *formula = moments->formula;
    double size = release_step_size(measure->argument, &measure->steps) *
                  release_step_size(measure->second, &measure->second_steps);
    const struct sql_expression *mean =
        over(formula, release_number(formula, moments->draft, moments->first, product), moments->n);
    const struct sql_expression *y =
        mean_deviation(moments, y_sum, middle_of(measure->argument, &measure->steps));
    const struct sql_expression *x =
        mean_deviation(moments, x_sum, middle_of(measure->second, &measure->second_steps));
    return minus(formula, scaled(formula, mean, size), times(formula, y, x));
}

static const struct sql_expression *variance(const struct moments *moments, size_t square, size_t sum)
{
    return at_least(moments->formula, covariance(moments, square, sum, sum), 0);
}

/* From the mean over n to that over n - 1. */
static const struct sql_expression *of_sample(const struct moments *moments,
                                              const struct sql_expression *value)
{
    struct formula *formula = moments->formula;
    return over(formula, times(formula, value, moments->n),
                at_least(formula, minus(formula, moments->n, formula_real(formula, 1)), 1));
}

static const struct sql_expression *correlation(const struct moments *moments,
                                                const struct release_part *part)
{
    struct formula *formula = moments->formula;
    const struct sql_expression *spread = times(formula, variance(moments, part->square, part->sum),
                                                variance(moments, part->x_square, part->x_sum));
    const struct sql_expression *ratio =
        over(formula, covariance(moments, part->product, part->sum, part->x_sum),
             formula_one(formula, "sqrt", spread));
    /* greatest and least pass over NULL: a spread of 0 has no correlation, not the correlation -1 */
    const struct sql_expression *clamped =
        formula_clamp(formula, ratio, formula_real(formula, -1), formula_real(formula, 1));
    return plus(formula, clamped, scaled(formula, ratio, 0));
}

static const struct sql_expression *slope(const struct moments *moments, const struct release_part *part)
{
    return over(moments->formula, covariance(moments, part->product, part->sum, part->x_sum),
                variance(moments, part->x_square, part->x_sum));
}

static const struct sql_expression *of_one(const struct moments *moments, const struct release_part *part)
{
    struct formula *formula = moments->formula;
    const struct sql_expression *spread = variance(moments, part->square, part->sum);
    switch (part->statistic) {
    case RELEASE_VAR_POP:
        return spread;
    case RELEASE_VAR_SAMP:
        return of_sample(moments, spread);
    case RELEASE_STDDEV_POP:
        return formula_one(formula, "sqrt", spread);
    default:
        return formula_one(formula, "sqrt", of_sample(moments, spread));
    }
}

static const struct sql_expression *of_two(const struct moments *moments, const struct release_part *part)
{
    struct formula *formula = moments->formula;
    switch (part->statistic) {
    case RELEASE_COVAR_POP:
        return covariance(moments, part->product, part->sum, part->x_sum);
    case RELEASE_COVAR_SAMP:
        return of_sample(moments, covariance(moments, part->product, part->sum, part->x_sum));
    case RELEASE_REGR_SXY:
        return times(formula, covariance(moments, part->product, part->sum, part->x_sum), moments->n);
    case RELEASE_REGR_SXX:
        return times(formula, variance(moments, part->x_square, part->x_sum), moments->n);
    case RELEASE_REGR_SYY:
        return times(formula, variance(moments, part->square, part->sum), moments->n);
    case RELEASE_REGR_AVGX:
        return average(moments, part->x_sum);
    case RELEASE_REGR_AVGY:
        return average(moments, part->sum);
    case RELEASE_REGR_SLOPE:
        return slope(moments, part);
    case RELEASE_REGR_INTERCEPT:
        return minus(formula, average(moments, part->sum),
                     times(formula, slope(moments, part), average(moments, part->x_sum)));
    case RELEASE_REGR_R2: {
        const struct sql_expression *ratio = correlation(moments, part);
        return times(formula, ratio, ratio);
    }
    default:
        return correlation(moments, part);
    }
}

const struct sql_expression *release_statistic_value(struct formula *formula,
                                                     const struct release_draft *draft, size_t first,
                                                     const struct release_part *part)
{
    struct moments moments = {.formula = formula, .draft = draft, .first = first};
    moments.n = at_least(formula, release_number(formula, draft, first, part->rows), 1);
    if (part->form == RELEASE_AVERAGE)
        return average(&moments, part->sum);
    return part->form == RELEASE_VARIANCE ? of_one(&moments, part) : of_two(&moments, part);
}
