/* Mean and variance of the numbers behind the reports. All sums are over the counters, in steps from the middle. */
#include <math.h>

#include "local/normal.h"
#include "local/numeric_kinds.h"

/* Two numbers that every report stands for, their means and how they vary together. */
struct moments {
    double reports;
    double first, second; /* means of x and of x^2 */
    double first_variance, second_variance, covariance;
};

static void values_of(const struct local_numeric *numeric, uint32_t output, double *first, double *second)
{
    *first = numeric_centred(numeric, output);
    double u = *first * numeric->gain; /* of a window: output - middle */
    *second = (u * u - numeric->offset) / numeric->gain;
}

/* Over the outputs 0 .. end-1; two passes, so that nothing cancels. */
static struct moments moments_of(const struct local_tally *tally, const struct local_numeric *numeric,
                                 uint32_t end)
{
    struct moments all = {0};
    double first, second;
    for (uint32_t output = 0; output < end; output++) {
        double count = (double)tally->cells[output];
        values_of(numeric, output, &first, &second);
        all.reports += count;
        all.first += count * first;
        all.second += count * second;
    }
    all.first /= all.reports;
    all.second /= all.reports;
    for (uint32_t output = 0; output < end; output++) {
        double weight = (double)tally->cells[output] / (all.reports - 1);
        values_of(numeric, output, &first, &second);
        all.first_variance += weight * (first - all.first) * (first - all.first);
        all.second_variance += weight * (second - all.second) * (second - all.second);
        all.covariance += weight * (first - all.first) * (second - all.second);
    }
    return all;
}

static status check_enough(double reports, error *why)
{
    return reports >= 2 ? DITHER_OK : fail(why, DITHER_REFUSED, "an estimate needs two reports at least");
}

static struct local_figure figure(double value, double standard_error, double confidence)
{
    double reach = normal_two_sided(confidence) * standard_error;
    return (struct local_figure){value, standard_error, value - reach, value + reach};
}

static double unit_of(const struct local_numeric *numeric)
{
    return (numeric->setting.upper - numeric->setting.lower) / numeric->setting.steps;
}

/* The scatter of the reports' values is that of the noise and of the people both. */
status local_numeric_mean(const struct local_tally *tally, const struct local_numeric *numeric,
                          double confidence, struct local_figure *out, error *why)
{
    double reports = 0, sum = 0, squares = 0, unit = unit_of(numeric);
    for (uint32_t output = 0; output < numeric->outputs; output++) {
        reports += (double)tally->cells[output];
        sum += (double)tally->cells[output] * numeric_centred(numeric, output);
    }
    TRY(check_enough(reports, why));
    double mean = sum / reports, middle = numeric->setting.lower / 2 + numeric->setting.upper / 2;
    for (uint32_t output = 0; output < numeric->outputs; output++) {
        double off = numeric_centred(numeric, output) - mean;
        squares += (double)tally->cells[output] * off * off;
    }
    *out = figure(middle + unit * mean, unit * sqrt(squares / (reports - 1) / reports), confidence);
    return DITHER_OK;
}

/* E x^2 - (E x)^2; the square of the estimated mean is too large by its own variance. For the interval the square is
 * linear around the mean: x^2 - 2 mean x. */
status local_numeric_spread(const struct local_tally *tally, const struct local_numeric *numeric,
                            double confidence, struct local_figure *out, error *why)
{
    if (numeric->window == 0)
        return fail(why, DITHER_REFUSED, "one bit about a number tells its mean alone, not its variance");
    double reports = 0, unit = unit_of(numeric);
    uint32_t end = numeric->setting.steps + numeric->window;
    for (uint32_t output = 0; output < end; output++)
        reports += (double)tally->cells[output];
    TRY(check_enough(reports, why));
    struct moments all = moments_of(tally, numeric, end);
    double value = all.second - all.first * all.first + all.first_variance / all.reports;
    double varies = all.second_variance + 4 * all.first * (all.first * all.first_variance - all.covariance);
    *out = figure(unit * unit * value, unit * unit * sqrt(fmax(varies, 0) / all.reports), confidence);
    return DITHER_OK;
}
