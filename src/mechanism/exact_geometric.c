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

static struct interval in_scales(const struct exact_geometric *law, int128_t distance)
{
    return interval_divide(from_integer(distance), law->scale);
}

static double one_minus_exp_end(double x, mpfr_rnd_t away)
{
    mpfr_t value;
    mpfr_init2(value, 53);
    mpfr_set_d(value, -x, MPFR_RNDN);
    mpfr_expm1(value, value, away);
    double result = -mpfr_get_d(value, away);
    mpfr_clear(value);
    return result;
}

/* 1 - exp(-x) for x >= 0, without cancellation: its lower end is exp(-x) - 1 rounded up, negated. */
static struct interval one_minus_exp(struct interval x)
{
    return (struct interval){one_minus_exp_end(x.lower, MPFR_RNDU), one_minus_exp_end(x.upper, MPFR_RNDD)};
}

struct exact_geometric exact_geometric(struct rational scale)
{
    struct exact_geometric law = {.scale = interval_from_rational(scale)};
    law.decay = exact_geometric_decay(&law, 1);
    law.gap = one_minus_exp(in_scales(&law, 1));
    law.two_sided = interval_add(interval_exact(1), law.decay);
    law.center = interval_divide(law.gap, law.two_sided);
    return law;
}

struct interval exact_geometric_decay(const struct exact_geometric *law, int128_t distance)
{
    assert(distance >= 0);
    if (distance == 0)
        return interval_exact(1);
    struct interval x = in_scales(law, distance);
    return interval_exp((struct interval){-x.upper, -x.lower});
}

struct interval exact_geometric_sum(const struct exact_geometric *law, int128_t count)
{
    assert(count >= 0);
    if (count <= 1)
        return interval_exact((double)count);
    return interval_divide(one_minus_exp(in_scales(law, count)), law->gap);
}

struct interval exact_geometric_total(const struct exact_geometric *law, int128_t below, int128_t above)
{
    struct interval right = interval_multiply(law->decay, exact_geometric_sum(law, above));
    return interval_add(exact_geometric_sum(law, below + 1), right);
}

struct interval exact_geometric_mass(const struct exact_geometric *law, int128_t k)
{
    struct interval mass = interval_multiply(law->center, exact_geometric_decay(law, k < 0 ? -k : k));
    return interval_clip(mass, 0, 1);
}

struct interval exact_geometric_at_least(const struct exact_geometric *law, int128_t k)
{
    if (k > 0)
        return interval_clip(interval_divide(exact_geometric_decay(law, k), law->two_sided), 0, 1);
    /* 1 - P(N <= k - 1), and the law is symmetric. */
    struct interval rest = exact_geometric_at_least(law, 1 - k);
    return interval_clip(interval_subtract(interval_exact(1), rest), 0, 1);
}
