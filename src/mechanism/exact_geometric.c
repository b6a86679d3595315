#include "mechanism/exact_geometric.h"

#include <assert.h>
#include <math.h>

static struct interval from_integer(int128_t value)
{
    double nearest = (double)value;
    if ((int128_t)nearest == value)
        return interval_exact(nearest);
    return (struct interval){nextafter(nearest, -INFINITY), nextafter(nearest, INFINITY)};
}

static struct interval in_scales(struct rational scale, int128_t distance)
{
    return interval_divide(from_integer(distance), interval_from_rational(scale));
}

static double one_minus_exp_end(double x, mpfr_rnd_t direction)
{
    mpfr_t value;
    mpfr_init2(value, 53);
    mpfr_set_d(value, -x, MPFR_RNDN);
    mpfr_expm1(value, value, direction == MPFR_RNDD ? MPFR_RNDU : MPFR_RNDD);
    double result = -mpfr_get_d(value, direction == MPFR_RNDD ? MPFR_RNDU : MPFR_RNDD);
    mpfr_clear(value);
    return result;
}

/* 1 - exp(-x) for x >= 0, without cancellation. */
static struct interval one_minus_exp(struct interval x)
{
    return (struct interval){one_minus_exp_end(x.lower, MPFR_RNDD), one_minus_exp_end(x.upper, MPFR_RNDU)};
}

struct interval exact_geometric_decay(struct rational scale, int128_t distance)
{
    assert(distance >= 0);
    if (distance == 0)
        return interval_exact(1);
    struct interval x = in_scales(scale, distance);
    return interval_exp((struct interval){-x.upper, -x.lower});
}

struct interval exact_geometric_sum(struct rational scale, int128_t count)
{
    assert(count >= 0);
    if (count <= 1)
        return interval_exact((double)count);
    return interval_divide(one_minus_exp(in_scales(scale, count)), one_minus_exp(in_scales(scale, 1)));
}

struct interval exact_geometric_total(struct rational scale, int128_t below, int128_t above)
{
    struct interval right =
        interval_multiply(exact_geometric_decay(scale, 1), exact_geometric_sum(scale, above));
    return interval_add(exact_geometric_sum(scale, below + 1), right);
}

static struct interval one_plus_q(struct rational scale)
{
    return interval_add(interval_exact(1), exact_geometric_decay(scale, 1));
}

struct interval exact_geometric_mass(struct rational scale, int128_t k)
{
    struct interval center = interval_divide(one_minus_exp(in_scales(scale, 1)), one_plus_q(scale));
    struct interval mass = interval_multiply(center, exact_geometric_decay(scale, k < 0 ? -k : k));
    return interval_clip(mass, 0, 1);
}

struct interval exact_geometric_at_least(struct rational scale, int128_t k)
{
    if (k <= 0) /* 1 - P(N <= k - 1), and the law is symmetric */
        return interval_clip(interval_subtract(interval_exact(1), exact_geometric_at_least(scale, 1 - k)), 0,
                             1);
    return interval_clip(interval_divide(exact_geometric_decay(scale, k), one_plus_q(scale)), 0, 1);
}
