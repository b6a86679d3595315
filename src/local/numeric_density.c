/* The distribution behind the reports, by expectation-maximisation (Dempster, Laird, Rubin 1977; with smoothing Li et al. 2020,
 * "Estimating numerical distributions under local differential privacy"). The matrix of probabilities is never written down: a window
 * is a difference of two running sums, and a bit's probability is linear in the input, so a round takes time in proportion to the
 * grid. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "local/normal.h"
#include "local/numeric_kinds.h"

enum { ROUNDS_LIMIT = 10000 };

struct fit {
    const struct local_numeric *numeric;
    const double *counts; /* of every output */
    double *shares;       /* of every input */
    double *weights;      /* scratch: outputs + 1 running sums */
    double windowed;      /* share of reports that come from the window */
    double near, far;     /* probability of one output in the window, and of one outside, among these */
};

static double bit_probability(const struct local_numeric *numeric, uint32_t input)
{
    return 0.5 + (input - numeric->setting.steps / 2.0) * 2 * (double)numeric->slope * 0x1p-64;
}

static void set_probabilities(struct fit *fit)
{
    const struct local_numeric *numeric = fit->numeric;
    fit->windowed = numeric->slope == 0 ? 1 : coin_probability(numeric->mix);
    fit->near = fit->windowed * coin_probability(numeric->near) / numeric->window;
    fit->far = fit->windowed * coin_probability(coin_opposite(numeric->near)) / numeric->setting.steps;
}

/* weights[j + 1] = weights[j] + count / probability of the output j, given the shares; returns the log-likelihood. The
 * probability is far + (near - far) * (shares of the inputs j-w+1 .. j), a sum that moves along. */
static double weigh_window(struct fit *fit)
{
    uint32_t steps = fit->numeric->setting.steps, window = fit->numeric->window;
    double held = 0, likelihood = 0;
    fit->weights[0] = 0;
    for (uint32_t j = 0; j < steps + window; j++) {
        if (j <= steps)
            held += fit->shares[j];
        if (j >= window)
            held -= fit->shares[j - window];
        double probability = fit->far + (fit->near - fit->far) * fmin(fmax(held, 0), 1);
        fit->weights[j + 1] = fit->weights[j] + fit->counts[j] / probability;
        likelihood += fit->counts[j] * log(probability);
    }
    return likelihood;
}

/* What the two bits say: the mean of their coin, and the weight of either. */
static double weigh_bits(const struct fit *fit, double *zero, double *one)
{
    const struct local_numeric *numeric = fit->numeric;
    *zero = *one = 0;
    if (numeric->slope == 0)
        return 0;
    double mean = 0;
    for (uint32_t k = 0; k <= numeric->setting.steps; k++)
        mean += fit->shares[k] * bit_probability(numeric, k);
    const double *counts = fit->counts + numeric->outputs - 2;
    *zero = counts[0] / (1 - mean);
    *one = counts[1] / mean;
    return counts[0] * log(1 - mean) + counts[1] * log(mean);
}

/* One round; returns the log-likelihood before it. */
static double improve(struct fit *fit)
{
    uint32_t steps = fit->numeric->setting.steps, window = fit->numeric->window;
    double zero, one, likelihood = weigh_window(fit) + weigh_bits(fit, &zero, &one), sum = 0;
    double everywhere = fit->far * fit->weights[steps + window];
    for (uint32_t k = 0; k <= steps; k++) {
        double gain = everywhere + (fit->near - fit->far) * (fit->weights[k + window] - fit->weights[k]);
        double coin = bit_probability(fit->numeric, k);
        gain += (1 - fit->windowed) * (zero * (1 - coin) + one * coin);
        fit->shares[k] *= gain;
        sum += fit->shares[k];
    }
    for (uint32_t k = 0; k <= steps; k++)
        fit->shares[k] /= sum;
    return likelihood;
}

/* Smoothing works on bins of grid points that share alike: about as many as the square root of the people, so that every bin is
 * worth looking at, and no more than grid points. Without it a thousand points are fitted to the noise of a few reports. */
static uint32_t bins_of(const struct fit *fit)
{
    double people = 0, points = fit->numeric->setting.steps + 1.0;
    for (uint32_t j = 0; j < fit->numeric->outputs; j++)
        people += fit->counts[j];
    return (uint32_t)fmin(points, fmax(8, nearbyint(sqrt(people))));
}

static uint32_t bin_start(const struct fit *fit, uint32_t bin, uint32_t bins)
{
    return (uint32_t)((uint64_t)bin * (fit->numeric->setting.steps + 1) / bins);
}

/* The shares of the bins by (1, 2, 1)/4, the outer ones by (2, 1)/3, and back to their points; `weights` are free now. */
static void smooth_shares(struct fit *fit, uint32_t bins)
{
    double *sums = fit->weights, before = 0, total = 0;
    for (uint32_t b = 0; b < bins; b++) {
        sums[b] = 0;
        for (uint32_t k = bin_start(fit, b, bins); k < bin_start(fit, b + 1, bins); k++)
            sums[b] += fit->shares[k];
    }
    for (uint32_t b = 0; b < bins; b++) {
        double here = sums[b], after = b + 1 < bins ? sums[b + 1] : 0;
        bool outer = b == 0 || b + 1 == bins;
        sums[b] = outer ? (before + 2 * here + after) / 3 : (before + 2 * here + after) / 4;
        before = here;
        total += sums[b];
    }
    for (uint32_t b = 0; b < bins; b++) {
        uint32_t start = bin_start(fit, b, bins), end = bin_start(fit, b + 1, bins);
        for (uint32_t k = start; k < end; k++)
            fit->shares[k] = sums[b] / total / (end - start);
    }
}

/* Until a round gains less than the paper's thresholds: 1e-3 with smoothing, e^epsilon times that without. */
static void run(struct fit *fit, bool smooth)
{
    uint32_t steps = fit->numeric->setting.steps, bins = bins_of(fit);
    double threshold = 1e-3 * (smooth ? 1 : exp(fit->numeric->setting.epsilon)), last = -INFINITY;
    for (uint32_t k = 0; k <= steps; k++)
        fit->shares[k] = 1.0 / (steps + 1);
    for (int round = 0; round < ROUNDS_LIMIT; round++) {
        double likelihood = improve(fit);
        if (smooth)
            smooth_shares(fit, bins);
        if (fabs(likelihood - last) < threshold)
            break;
        last = likelihood;
    }
}

/* ---- From a tally ---- */

/* Counts, weights and shares of one fit, in one piece of memory. */
struct workshop {
    double *memory;
    size_t bytes;
    double *counts;
    struct fit fit;
};

static status open_fit(struct workshop *work, const struct local_numeric *numeric, error *why)
{
    if (numeric->window == 0)
        return fail(why, DITHER_REFUSED, "one bit about a number tells its mean alone, not its distribution");
    size_t outputs = numeric->outputs, inputs = (size_t)numeric->setting.steps + 1;
    work->bytes = (2 * outputs + 1 + inputs) * sizeof(double);
    work->memory = memory_allocate(work->bytes);
    if (work->memory == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory for a distribution of %zu points", inputs);
    work->counts = work->memory;
    work->fit = (struct fit){.numeric = numeric,
                             .counts = work->counts,
                             .weights = work->memory + outputs,
                             .shares = work->memory + 2 * outputs + 1};
    set_probabilities(&work->fit);
    return DITHER_OK;
}

static status fit_tally(struct workshop *work, const struct local_tally *tally, bool smooth, error *why)
{
    if (tally->people == 0)
        return fail(why, DITHER_REFUSED, "there are no reports to estimate from");
    for (uint32_t j = 0; j < work->fit.numeric->outputs; j++)
        work->counts[j] = (double)tally->cells[j];
    run(&work->fit, smooth);
    return DITHER_OK;
}

status local_numeric_distribution(const struct local_tally *tally, const struct local_numeric *numeric,
                                  bool smooth, double *shares, error *why)
{
    struct workshop work;
    TRY(open_fit(&work, numeric, why));
    status result = fit_tally(&work, tally, smooth, why);
    if (result == DITHER_OK)
        memcpy(shares, work.fit.shares, ((size_t)numeric->setting.steps + 1) * sizeof *shares);
    memory_release(work.memory, work.bytes);
    return result;
}

/* Each grid point's share is spread over the half steps around it. */
double local_numeric_quantile(const struct local_numeric *numeric, const double *shares, double share)
{
    double steps = numeric->setting.steps, sum = 0, position = steps;
    for (uint32_t k = 0; k <= numeric->setting.steps; k++) {
        if (shares[k] > 0 && sum + shares[k] >= share) {
            position = k - 0.5 + (share - sum) / shares[k];
            break;
        }
        sum += shares[k];
    }
    double part = fmin(fmax(position, 0), steps) / steps;
    return numeric->setting.lower * (1 - part) + numeric->setting.upper * part;
}

/* ---- Intervals of quantiles ---- */

static status draw_uniform(struct random *random, double *out, error *why)
{
    uint64_t word = 0;
    TRY(random_word(random, &word, why));
    *out = ((double)(word >> 11) + 0.5) * 0x1p-53;
    return DITHER_OK;
}

/* A Poisson number with this mean: how often a cell is drawn when the reports are drawn again. Beyond 60 the normal law will do: what
 * is made here are the widths of intervals, from reports that are public. */
static status draw_again(struct random *random, double mean, double *out, error *why)
{
    double u = 0, v = 0, count = 0;
    TRY(draw_uniform(random, &u, why));
    if (mean > 60) {
        TRY(draw_uniform(random, &v, why));
        *out = fmax(0, nearbyint(mean + sqrt(mean) * sqrt(-2 * log(u)) * cos(2 * M_PI * v)));
        return DITHER_OK;
    }
    for (double mass = exp(-mean), sum = mass; u > sum && count < 1000; sum += mass)
        mass *= mean / ++count;
    *out = count;
    return DITHER_OK;
}

static status fit_again(struct workshop *work, const struct local_tally *tally, bool smooth,
                        struct random *random, error *why)
{
    for (uint32_t j = 0; j < work->fit.numeric->outputs; j++) {
        work->counts[j] = 0;
        if (tally->cells[j] > 0)
            TRY(draw_again(random, (double)tally->cells[j], &work->counts[j], why));
    }
    run(&work->fit, smooth);
    return DITHER_OK;
}

/* The mean square of the deviations from the estimate. */
static status resample(struct workshop *work, const struct local_tally *tally,
                       const struct numeric_quantiles *wanted, struct random *random,
                       struct local_figure *out, error *why)
{
    const struct local_numeric *numeric = work->fit.numeric;
    for (int i = 0; i < NUMERIC_RESAMPLES; i++) {
        TRY(fit_again(work, tally, wanted->smooth, random, why));
        for (size_t q = 0; q < wanted->count; q++) {
            double off = local_numeric_quantile(numeric, work->fit.shares, wanted->shares[q]) - out[q].value;
            out[q].standard_error += off * off / NUMERIC_RESAMPLES;
        }
    }
    for (size_t q = 0; q < wanted->count; q++) {
        out[q].standard_error = sqrt(out[q].standard_error);
        double reach = normal_two_sided(wanted->confidence) * out[q].standard_error;
        out[q].lower = fmax(out[q].value - reach, numeric->setting.lower);
        out[q].upper = fmin(out[q].value + reach, numeric->setting.upper);
    }
    return DITHER_OK;
}

status local_numeric_quantiles(const struct local_tally *tally, const struct local_numeric *numeric,
                               const struct numeric_quantiles *wanted, struct random *random,
                               struct local_figure *out, error *why)
{
    struct workshop work;
    TRY(open_fit(&work, numeric, why));
    status result = fit_tally(&work, tally, wanted->smooth, why);
    for (size_t q = 0; result == DITHER_OK && q < wanted->count; q++)
        out[q] = (struct local_figure){
            .value = local_numeric_quantile(numeric, work.fit.shares, wanted->shares[q])};
    if (result == DITHER_OK)
        result = resample(&work, tally, wanted, random, out, why);
    memory_release(work.memory, work.bytes);
    return result;
}
