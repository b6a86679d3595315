/* Decoding RAPPOR by least squares, given the hashes. X_j is the 0/1 matrix (bits x values) of cohort j, one of m. If bit i
 * of cohort j was set C_ij times in N_j reports, t_ij = (C_ij - N_j (1 - s)) / (2s - 1) is unbiased for the people of the
 * cohort whose filter has the bit. A person with value x is in each cohort with probability 1/m, so
 *
 *     E sum_j X_j' t_j = G c / m with G = sum_j X_j' X_j,   and   count = m G^-1 sum_j X_j' t_j   is unbiased.
 *
 * Its variance has two parts: the noise of the bits, n m s (1 - s) / (2s - 1)^2 (G^-1)_vv, and the draw of the cohorts, for
 * every person of value x m sum_j (G^-1 X_j' X_j)_vx^2, less 1 where v = x. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "local/linear.h"
#include "local/normal.h"
#include "local/rappor.h"

static const double worst_condition = 1e7;

struct regression {
    const struct local_oracle *oracle;
    const struct local_tally *tally;
    size_t domain, width;
    double *inverse;   /* domain x domain: G, then its inverse */
    double *moments;   /* domain: sum_j X_j' t_j */
    double *counts;    /* domain */
    double *spread;    /* domain: the second part of the variance */
    double *weights;   /* width: a row of G^-1 X_j' */
    size_t *pivots;    /* domain */
    uint32_t *bits;    /* domain x RAPPOR_BITS_LIMIT: of the cohort at hand */
    uint32_t *lengths; /* domain */
    void *memory;
    size_t bytes;
};

/* One piece of memory for all. Doubles first, so that all are aligned. */
static status regression_init(struct regression *all, error *why)
{
    size_t domain = all->domain, doubles = domain * domain + 3 * domain + all->width;
    all->bytes = doubles * sizeof(double) + domain * sizeof(size_t) +
                 domain * (RAPPOR_BITS_LIMIT + 1) * sizeof(uint32_t);
    all->memory = memory_allocate(all->bytes);
    if (all->memory == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory for a regression over %zu values", domain);
    all->inverse = all->memory;
    all->moments = all->inverse + domain * domain;
    all->counts = all->moments + domain;
    all->spread = all->counts + domain;
    all->weights = all->spread + domain;
    all->pivots = (size_t *)(all->weights + all->width);
    all->bits = (uint32_t *)(all->pivots + domain);
    all->lengths = all->bits + domain * RAPPOR_BITS_LIMIT;
    return DITHER_OK;
}

static void load_cohort(struct regression *all, uint32_t cohort)
{
    for (uint32_t v = 0; v < all->domain; v++)
        all->lengths[v] = rappor_bits(all->oracle, cohort, v, all->bits + (size_t)v * RAPPOR_BITS_LIMIT);
}

static double shared_bits(const struct regression *all, size_t v, size_t w)
{
    double shared = 0;
    for (uint32_t i = 0; i < all->lengths[v]; i++)
        for (uint32_t j = 0; j < all->lengths[w]; j++)
            shared += all->bits[v * RAPPOR_BITS_LIMIT + i] == all->bits[w * RAPPOR_BITS_LIMIT + j];
    return shared;
}

static void add_cohort(struct regression *all, uint32_t cohort)
{
    const uint64_t *cells = all->tally->cells + cohort * (all->width + 1);
    double s = all->oracle->p, people = (double)cells[all->width];
    for (size_t v = 0; v < all->domain; v++) {
        for (uint32_t i = 0; i < all->lengths[v]; i++)
            all->moments[v] +=
                ((double)cells[all->bits[v * RAPPOR_BITS_LIMIT + i]] - people * (1 - s)) / (2 * s - 1);
        for (size_t w = 0; w < all->domain; w++)
            all->inverse[v * all->domain + w] += shared_bits(all, v, w);
    }
}

/* Row v of G^-1 X_j', then its products with the filter of every value x: (G^-1 X_j' X_j)_vx. */
static void add_spread(struct regression *all, size_t v)
{
    const double *row = all->inverse + v * all->domain;
    memset(all->weights, 0, all->width * sizeof *all->weights);
    for (size_t w = 0; w < all->domain; w++)
        for (uint32_t i = 0; i < all->lengths[w]; i++)
            all->weights[all->bits[w * RAPPOR_BITS_LIMIT + i]] += row[w];
    for (size_t x = 0; x < all->domain; x++) {
        double sum = 0;
        for (uint32_t i = 0; i < all->lengths[x]; i++)
            sum += all->weights[all->bits[x * RAPPOR_BITS_LIMIT + i]];
        all->spread[v] += fmax(all->counts[x], 0) * sum * sum;
    }
}

static status solve(struct regression *all, error *why)
{
    uint32_t cohorts = all->oracle->setting.hashes;
    double condition = INFINITY;
    for (uint32_t cohort = 0; cohort < cohorts; cohort++) {
        load_cohort(all, cohort);
        add_cohort(all, cohort);
    }
    if (!linear_invert(all->inverse, all->domain, all->pivots, &condition) || condition > worst_condition)
        return fail(why, DITHER_REFUSED,
                    "%u cohorts of %zu bits do not tell %zu values apart (condition number %.3g)", cohorts,
                    all->width, all->domain, condition);
    for (size_t v = 0; v < all->domain; v++)
        for (size_t w = 0; w < all->domain; w++)
            all->counts[v] += cohorts * all->inverse[v * all->domain + w] * all->moments[w];
    for (uint32_t cohort = 0; cohort < cohorts; cohort++) {
        load_cohort(all, cohort);
        for (size_t v = 0; v < all->domain; v++)
            add_spread(all, v);
    }
    return DITHER_OK;
}

static void write_estimates(const struct regression *all, double width, struct local_estimate *out)
{
    double s = all->oracle->p, m = all->oracle->setting.hashes, people = (double)all->tally->people;
    for (size_t v = 0; v < all->domain; v++) {
        double noise =
            people * m * s * (1 - s) / ((2 * s - 1) * (2 * s - 1)) * all->inverse[v * all->domain + v];
        double variance = noise + fmax(m * all->spread[v] - fmax(all->counts[v], 0), 0);
        double reach = width * sqrt(variance);
        out[v] =
            (struct local_estimate){all->counts[v], variance, all->counts[v] - reach, all->counts[v] + reach};
    }
}

status rappor_regress(const struct local_tally *tally, const struct local_oracle *oracle, double confidence,
                      struct local_estimate *out, error *why)
{
    struct regression all = {
        .oracle = oracle, .tally = tally, .domain = oracle->setting.domain, .width = oracle->setting.width};
    if (all.domain > RAPPOR_REGRESSION_LIMIT)
        return fail(why, DITHER_REFUSED, "regression is for at most %d values", RAPPOR_REGRESSION_LIMIT);
    TRY(regression_init(&all, why));
    status result = solve(&all, why);
    if (result == DITHER_OK)
        write_estimates(&all, normal_two_sided(confidence), out);
    memory_release(all.memory, all.bytes);
    return result;
}
