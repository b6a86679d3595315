/* Two-sided geometric noise, renormalised on [lower, upper]: P(y | x) = q^|y - x| / Z(x), where
 * Z(x) = q^0 + ... + q^(x - lower) + q^1 + ... + q^(upper - x).
 *
 * Sampling is by redraw, from whichever proposal is kept often; which one is public, a matter of scale and
 * interval. With L = upper - lower:
 *  - scale <= L: x + noise, kept when inside. The chance is 1 - (q^(a+1) + q^(b+1))/(1 + q) with a + b = L;
 * q^a is convex in a, so it is least at the ends, where it is (1 - q^(L+1))/(1 + q) > (1 - 1/e)/2 > 0.31.
 *  - scale > L: y uniform on the interval, kept with probability exp(-|y - x|/scale) >= exp(-L/scale) > 1/e.
 * Either way fewer than 3.3 proposals are expected. Their number depends on x (timing is outside the
 * guarantee, as docs/mechanisms/bounded-laplace.md says). */
#include "mechanism/exact_geometric.h"
#include "mechanism/law_common.h"
#include "random/bernoulli.h"
#include "random/uniform.h"

static int64_t inside(const struct law *law, int64_t value)
{
    return law_clamp(value, law->lower, law->upper);
}

static status redraw_noise(const struct law *law, struct random *random, int64_t x, int64_t *out, error *why)
{
    int64_t y = 0;
    do {
        y = x;
        TRY(geometric_add(&law->noise, random, &y, 1, why));
    } while (y < law->lower || y > law->upper);
    *out = y;
    return DITHER_OK;
}

static status redraw_uniform(const struct law *law, struct random *random, int64_t x, int64_t *out,
                             error *why)
{
    uint64_t length = (uint64_t)law->upper - (uint64_t)law->lower;
    bool kept = false;
    int64_t y = 0;
    do {
        uint64_t offset = 0;
        TRY(uniform_below(random, length + 1, &offset, why));
        y = (int64_t)((uint64_t)law->lower + offset);
        uint64_t distance = y < x ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x;
        TRY(bernoulli_exp(random, rational_divide_integer(distance, law->noise.scale), &kept, why));
    } while (!kept);
    *out = y;
    return DITHER_OK;
}

static status bounded_sample(const struct law *law, struct random *random, const int64_t *statistic, size_t n,
                             int64_t *outcome, error *why)
{
    uint64_t length = (uint64_t)law->upper - (uint64_t)law->lower;
    bool narrow = rational_compare(law->noise.scale, rational_from_ratio(length, 1)) > 0;
    for (size_t i = 0; i < n; i++) {
        int64_t x = inside(law, statistic[i]);
        if (narrow)
            TRY(redraw_uniform(law, random, x, &outcome[i], why));
        else
            TRY(redraw_noise(law, random, x, &outcome[i], why));
    }
    return DITHER_OK;
}

/* One statistic's side of the law: the constants and the total that its powers are divided by. */
struct side {
    const struct exact_geometric *noise;
    int64_t x;
    struct interval total;
};

static struct side side_of(const struct law *law, const struct exact_geometric *noise, int64_t statistic)
{
    int64_t x = inside(law, statistic);
    int128_t below = (int128_t)x - law->lower, above = (int128_t)law->upper - x;
    return (struct side){noise, x, exact_geometric_total(noise, below, above)};
}

/* The probability of `count` outcomes in a row, of which the one nearest to x is `nearest`, all on one side
 * of it. */
static struct interval run(const struct side *side, int64_t nearest, int128_t count)
{
    int128_t distance = nearest < side->x ? (int128_t)side->x - nearest : (int128_t)nearest - side->x;
    struct interval weight = interval_multiply(exact_geometric_decay(side->noise, distance),
                                               exact_geometric_sum(side->noise, count));
    return interval_clip(interval_divide(weight, side->total), 0, 1);
}

static struct interval ratio_at(const struct side *above, const struct side *below, int64_t k)
{
    return interval_divide(run(above, k, 1), run(below, k, 1));
}

/* As for plain noise, the ratio is constant up to the smaller statistic and from the larger one on. */
static void bounded_cells(const struct law *law, const int64_t *left, const int64_t *right, size_t n,
                          size_t block, law_visit visit, void *context)
{
    (void)n;
    struct exact_geometric noise = exact_geometric(law->noise.scale);
    struct side a = side_of(law, &noise, left[block]), b = side_of(law, &noise, right[block]);
    if (a.x == b.x) {
        law_visit_same(visit, context);
        return;
    }
    int64_t first = a.x < b.x ? a.x : b.x, last = a.x < b.x ? b.x : a.x;
    int128_t below = (int128_t)first - law->lower + 1, above = (int128_t)law->upper - last + 1;
    visit(context, run(&a, first, below), run(&b, first, below));
    int128_t length = law_run_length((int128_t)last - first - 1);
    for (int128_t k = (int128_t)first + 1; k < last; k += length) {
        int128_t end = k + length < last ? k + length - 1 : (int128_t)last - 1;
        if (k == end)
            visit(context, run(&a, (int64_t)k, 1), run(&b, (int64_t)k, 1));
        else
            law_visit_run(run(&a, (int64_t)(a.x == first ? k : end), end - k + 1),
                          ratio_at(&b, &a, (int64_t)k), ratio_at(&b, &a, (int64_t)end), visit, context);
    }
    visit(context, run(&a, last, above), run(&b, last, above));
}

static struct interval bounded_probability(const struct law *law, const int64_t *statistic, size_t n,
                                           size_t index, int64_t value)
{
    (void)n;
    if (value < law->lower || value > law->upper)
        return interval_exact(0);
    struct exact_geometric noise = exact_geometric(law->noise.scale);
    struct side side = side_of(law, &noise, statistic[index]);
    return run(&side, value, 1);
}

const struct law_family law_bounded = {
    .name = "bounded",
    .outcome_count = law_one_each,
    .blocks = law_one_each,
    .sample = bounded_sample,
    .cells = bounded_cells,
    .probability = bounded_probability,
};
