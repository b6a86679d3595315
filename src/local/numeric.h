/* numeric.h - numbers under local privacy: everybody randomises one number of a public range, and whoever collects the
 * reports estimates the mean, and with the richer reports the variance, the quantiles and the whole distribution.
 *
 * A double has low bits that noise in floating point does not cover. So a number is first put on a public grid of
 * `steps` + 1 points of the range, up or down with the probability that makes the mean right, and all that follows are
 * whole numbers: input 0 .. steps, report 0 .. outputs-1, probabilities whole parts of 2^64, rounded so that no two inputs'
 * probabilities of a report differ by more than e^epsilon. With x = input - steps/2:
 *
 *   duchi      one bit, 1 with probability 1/2 + x h (Duchi, Jordan, Wainwright 2013)
 *   piecewise  a window of w outputs that moves with the input; each output in it e^epsilon times as likely as each
 *              outside; w / steps = e^(-epsilon/2) has the least variance of the mean (Wang et al. 2019)
 *   hybrid     one of these two, by a public coin: never worse than either (same paper)
 *   wave       the square wave: the same window with the w that tells most about the distribution (Li et al. 2020)
 *
 * Every output has a value, linear in it, whose mean over the reports of an input is that input, exactly.
 *
 * What it does not hide: that a person answered, and when. A second fresh report costs epsilon again. Numbers outside the
 * range count as its ends, NaN as the lower one. A hostile report moves the sum by at most local_numeric_power. */
#ifndef LOCAL_NUMERIC_H
#define LOCAL_NUMERIC_H

#include "local/oracle.h"

enum {
    NUMERIC_STEPS = 1024, /* default */
    NUMERIC_STEPS_LIMIT = 1 << 20,
};

/* What a survey makes public: lower < upper, both finite, and not so far apart that their difference is not. */
struct local_numeric_setting {
    double lower, upper;
    double epsilon; /* of one report; LOCAL_EPSILON_LEAST to _MOST */
    uint32_t steps; /* of the grid, 2 or more; 0: the default */
};

struct local_numeric_kind;

/* Plain value; nothing to free. A part that a kind does not have is 0. */
struct local_numeric {
    const struct local_numeric_kind *kind;
    struct local_numeric_setting setting; /* with the default filled in */
    size_t report_bytes;                  /* 4: a number below `outputs` */
    uint32_t outputs;
    uint32_t window;  /* w; its outputs are 0 .. steps+w-1 */
    uint64_t near;    /* coin: an output of the window rather than one outside */
    uint64_t slope;   /* duchi: the bit's coin is 2^63 + 2 x slope */
    uint64_t mix;     /* hybrid: coin of the window rather than the bit */
    double gain;      /* b: the mean of (output - middle) is b x */
    double offset;    /* A: the mean of (output - middle)^2 is b x^2 + A */
    double bit_value; /* the bit stands for +-this, in steps */
};

/* The laws of a kind, for all inputs i, k of 0 .. steps and outputs r:
 *  1. P(r | i) <= e^epsilon P(r | k), exactly, as `probability` tells;
 *  2. `randomise` draws from `probability` exactly, allocates nothing, and its time does not depend on the input;
 *  3. the sum over r of P(r | i) local_numeric_value(r) is the number of grid point i. */
struct local_numeric_kind {
    const char *name;
    const char *summary;
    status (*init)(struct local_numeric *numeric, error *why);
    status (*randomise)(const struct local_numeric *numeric, uint32_t input, struct random *random,
                        uint32_t *output, error *why);
    void (*probability)(const struct local_numeric *numeric, uint32_t input, uint32_t output, mpq_t out);
};

/* Index 0, 1, 2 ... until NULL; and by name, or NULL. */
const struct local_numeric_kind *local_numeric_kind_at(size_t index);
const struct local_numeric_kind *local_numeric_kind_named(const char *name);

/* DITHER_INVALID for a setting that cannot be kept. */
status local_numeric_init(struct local_numeric *numeric, const struct local_numeric_kind *kind,
                          const struct local_numeric_setting *setting, error *why) MUST_CHECK;

/* One report of numeric->report_bytes bytes. Any double will do. On failure the report is zero. */
status local_numeric_randomise(const struct local_numeric *numeric, double value, struct random *random,
                               unsigned char *report, error *why) MUST_CHECK;

/* What an output stands for, in the range's own units; mostly outside the range. */
double local_numeric_value(const struct local_numeric *numeric, uint32_t output);

/* Exact variance of that value when the number is `value`; and its largest over the range. */
double local_numeric_variance(const struct local_numeric *numeric, double value);
double local_numeric_worst_variance(const struct local_numeric *numeric);

/* How far one hostile report can move the estimated sum of all numbers: the width of the values of outputs. */
double local_numeric_power(const struct local_numeric *numeric);

/* ---- The collector: a tally of numeric->outputs cells (local_tally_free and _merge of oracle.h serve it too) ---- */

status local_numeric_tally(struct local_tally *tally, const struct local_numeric *numeric,
                           error *why) MUST_CHECK;

/* As local_tally_add: reports that are no number below `outputs` are counted as refused. */
status local_numeric_add(struct local_tally *tally, const struct local_numeric *numeric,
                         const unsigned char *reports, size_t bytes, error *why) MUST_CHECK;

struct local_figure {
    double value, standard_error;
    double lower, upper; /* interval at the asked confidence */
};

/* The mean, unbiased. The interval is by the normal law and holds for the mean of the people asked, and of those they
 * were drawn from. Two reports at least, else DITHER_REFUSED. */
status local_numeric_mean(const struct local_tally *tally, const struct local_numeric *numeric,
                          double confidence, struct local_figure *out, error *why) MUST_CHECK;

/* The variance of the numbers, unbiased up to the grid's own rounding (a quarter of a step squared at most); may come out below 0.
 * DITHER_REFUSED for duchi: a bit about a number tells its mean alone. hybrid uses the reports that are not bits. */
status local_numeric_spread(const struct local_tally *tally, const struct local_numeric *numeric,
                            double confidence, struct local_figure *out, error *why) MUST_CHECK;

/* The share of people at each of the steps + 1 grid points that makes the reports most likely (expectation-maximisation). `smooth`: over
 * bins, about as many as the square root of the people, smoothed by (1, 2, 1)/4 in every round (EMS), which is better unless the
 * numbers sit on few points. DITHER_REFUSED for duchi. */
status local_numeric_distribution(const struct local_tally *tally, const struct local_numeric *numeric,
                                  bool smooth, double *shares, error *why) MUST_CHECK;

/* The number below which `share` of the distribution lies. */
double local_numeric_quantile(const struct local_numeric *numeric, const double *shares, double share);

/* Quantiles of the estimated distribution. Intervals by resampling: the reports are drawn again `NUMERIC_RESAMPLES` times and estimated
 * anew; they hold the scatter, not what smoothing takes away from sharp edges. */
enum { NUMERIC_RESAMPLES = 100 };
struct numeric_quantiles {
    const double *shares; /* each between 0 and 1 */
    size_t count;
    bool smooth;
    double confidence;
};
status local_numeric_quantiles(const struct local_tally *tally, const struct local_numeric *numeric,
                               const struct numeric_quantiles *wanted, struct random *random,
                               struct local_figure *out, error *why) MUST_CHECK;

#endif
