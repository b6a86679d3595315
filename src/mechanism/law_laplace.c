/* Two-sided geometric noise (the Laplace distribution's shape on whole numbers), plain and clamped.
 *
 * Given statistics a < b, the ratio of the two probabilities of an outcome is constant, exp(-(b - a)/scale),
 * on everything not above a, and its inverse on everything not below b. So each tail is one cell, and only
 * the outcomes strictly between a and b are looked at one by one or, when they are many, run by run. */
#include <string.h>

#include "mechanism/exact_geometric.h"
#include "mechanism/law_common.h"

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a < b ? b : a;
}

/* P(statistic + noise = k), <= k, >= k. */
static struct interval at(const struct exact_geometric *noise, int64_t statistic, int64_t k)
{
    return exact_geometric_mass(noise, (int128_t)k - statistic);
}

static struct interval up_to(const struct exact_geometric *noise, int64_t statistic, int64_t k)
{
    return exact_geometric_at_least(noise, (int128_t)statistic - k);
}

static struct interval from(const struct exact_geometric *noise, int64_t statistic, int64_t k)
{
    return exact_geometric_at_least(noise, (int128_t)k - statistic);
}

/* The run from a to b, on one side of both statistics. */
static void visit_run(const struct exact_geometric *noise, int64_t left, int64_t right, int64_t a, int64_t b,
                      law_visit visit, void *context)
{
    int64_t nearest = left <= a ? a : b;
    struct interval run =
        interval_multiply(at(noise, left, nearest), exact_geometric_sum(noise, (int128_t)b - a + 1));
    law_visit_run(interval_clip(run, 0, 1), interval_divide(at(noise, right, a), at(noise, left, a)),
                  interval_divide(at(noise, right, b), at(noise, left, b)), visit, context);
}

/* Everything up to `first`, what lies between, everything from `last`; first < last. */
static void visit_cells(const struct law *law, int64_t left, int64_t right, int64_t first, int64_t last,
                        law_visit visit, void *context)
{
    struct exact_geometric noise = exact_geometric(law->noise.scale);
    visit(context, up_to(&noise, left, first), up_to(&noise, right, first));
    int128_t length = law_run_length((int128_t)last - first - 1);
    for (int128_t a = (int128_t)first + 1; a < last; a += length) {
        int128_t b = a + length < last ? a + length - 1 : (int128_t)last - 1;
        if (a == b)
            visit(context, at(&noise, left, (int64_t)a), at(&noise, right, (int64_t)a));
        else
            visit_run(&noise, left, right, (int64_t)a, (int64_t)b, visit, context);
    }
    visit(context, from(&noise, left, last), from(&noise, right, last));
}

/* ---- Plain ---- */

static status laplace_sample(const struct law *law, struct random *random, const int64_t *statistic, size_t n,
                             int64_t *outcome, error *why)
{
    if (n > 0)
        memcpy(outcome, statistic, n * sizeof *outcome);
    return geometric_add(&law->noise, random, outcome, n, why);
}

static void laplace_cells(const struct law *law, const int64_t *left, const int64_t *right, size_t n,
                          size_t block, law_visit visit, void *context)
{
    (void)n;
    if (left[block] == right[block])
        law_visit_same(visit, context);
    else
        visit_cells(law, left[block], right[block], smaller(left[block], right[block]),
                    larger(left[block], right[block]), visit, context);
}

static struct interval laplace_probability(const struct law *law, const int64_t *statistic, size_t n,
                                           size_t index, int64_t value)
{
    (void)n;
    struct exact_geometric noise = exact_geometric(law->noise.scale);
    return at(&noise, statistic[index], value);
}

const struct law_family law_laplace = {
    .name = "laplace",
    .outcome_count = law_one_each,
    .blocks = law_one_each,
    .sample = laplace_sample,
    .cells = laplace_cells,
    .probability = laplace_probability,
};

/* ---- Clamped ---- */

static status clamped_sample(const struct law *law, struct random *random, const int64_t *statistic, size_t n,
                             int64_t *outcome, error *why)
{
    TRY(laplace_sample(law, random, statistic, n, outcome, why));
    for (size_t i = 0; i < n; i++)
        outcome[i] = law_clamp(outcome[i], law->lower, law->upper);
    return DITHER_OK;
}

/* An end of the interval gathers a whole tail. Where the statistics lie inside, that tail has one ratio and
 * joins its cell. Where both lie on one side, the end next to them is a cell of its own and the rest, of one
 * ratio, the other. */
static void clamped_cells(const struct law *law, const int64_t *left, const int64_t *right, size_t n,
                          size_t block, law_visit visit, void *context)
{
    (void)n;
    int64_t x = left[block], y = right[block];
    if (x == y || law->lower == law->upper) {
        law_visit_same(visit, context);
        return;
    }
    int64_t first = law_clamp(smaller(x, y), law->lower, law->upper);
    int64_t last = law_clamp(larger(x, y), law->lower, law->upper);
    if (first == last && first == law->upper)
        first--;
    else if (first == last)
        last++;
    visit_cells(law, x, y, first, last, visit, context);
}

static struct interval clamped_probability(const struct law *law, const int64_t *statistic, size_t n,
                                           size_t index, int64_t value)
{
    (void)n;
    if (value < law->lower || value > law->upper)
        return interval_exact(0);
    if (law->lower == law->upper)
        return interval_exact(1);
    struct exact_geometric noise = exact_geometric(law->noise.scale);
    if (value == law->lower)
        return up_to(&noise, statistic[index], value);
    if (value == law->upper)
        return from(&noise, statistic[index], value);
    return at(&noise, statistic[index], value);
}

const struct law_family law_clamped = {
    .name = "clamped",
    .outcome_count = law_one_each,
    .blocks = law_one_each,
    .sample = clamped_sample,
    .cells = clamped_cells,
    .probability = clamped_probability,
};
