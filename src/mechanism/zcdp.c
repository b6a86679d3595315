#include "mechanism/zcdp.h"

#include <assert.h>
#include <math.h>

#include <mpfr.h>

#include "mechanism/bisect.h"

enum { BITS = 192, SLACK = -150 };

struct problem {
    double rho, epsilon, delta;
};

/* With b = a - 1 the logarithm of the bound is b((1 + b) rho - epsilon) + b ln(b/(1 + b)) - ln(1 + b). Its
 * derivative (2b + 1) rho - epsilon + ln(b/(1 + b)) rises with b; negative means that the best b is larger.
 */
static bool below_best(const void *context, double b)
{
    const struct problem *problem = context;
    return (2 * b + 1) * problem->rho - problem->epsilon - log1p(1 / b) < 0;
}

static double best_order(const struct problem *problem)
{
    const double least = 0x1p-1000, most = 0x1p500;
    return bisect(below_best, problem, least, most);
}

/* exp of the logarithm above, rounded up. Every step is off by less than 2^-190 of the parts that it works
 * on, so 2^SLACK of the sum of their sizes covers all of them. */
static double bound_at(const struct problem *problem, double order)
{
    mpfr_t b, sum, part, size;
    mpfr_inits2(BITS, b, sum, part, size, (mpfr_ptr)0);
    mpfr_set_d(b, order, MPFR_RNDN);
    mpfr_add_ui(sum, b, 1, MPFR_RNDN);
    mpfr_mul_d(sum, sum, problem->rho, MPFR_RNDN);
    mpfr_add_d(size, sum, problem->epsilon, MPFR_RNDN);
    mpfr_mul(size, size, b, MPFR_RNDN);
    mpfr_sub_d(sum, sum, problem->epsilon, MPFR_RNDN);
    mpfr_mul(sum, sum, b, MPFR_RNDN);
    mpfr_ui_div(part, 1, b, MPFR_RNDN);
    mpfr_log1p(part, part, MPFR_RNDN);
    mpfr_mul(part, part, b, MPFR_RNDN);
    mpfr_sub(sum, sum, part, MPFR_RNDN);
    mpfr_add(size, size, part, MPFR_RNDN);
    mpfr_log1p(part, b, MPFR_RNDN);
    mpfr_sub(sum, sum, part, MPFR_RNDN);
    mpfr_add(size, size, part, MPFR_RNDN);
    mpfr_mul_2si(size, size, SLACK, MPFR_RNDU);
    mpfr_add(sum, sum, size, MPFR_RNDU);
    mpfr_exp(sum, sum, MPFR_RNDU);
    double result = mpfr_get_d(sum, MPFR_RNDU);
    mpfr_clears(b, sum, part, size, (mpfr_ptr)0);
    return result;
}

double zcdp_delta(double rho, double epsilon)
{
    assert(rho >= 0 && epsilon >= 0);
    if (rho == 0)
        return 0;
    struct problem problem = {.rho = rho, .epsilon = epsilon};
    return fmin(1, bound_at(&problem, best_order(&problem)));
}

static bool epsilon_is_enough(const void *context, double epsilon)
{
    const struct problem *problem = context;
    return zcdp_delta(problem->rho, epsilon) <= problem->delta;
}

double zcdp_epsilon(double rho, double delta)
{
    assert(rho >= 0 && delta >= 0);
    struct problem problem = {.rho = rho, .delta = delta};
    if (epsilon_is_enough(&problem, 0))
        return 0;
    if (delta == 0)
        return INFINITY;
    double good = 1;
    while (!epsilon_is_enough(&problem, good))
        good *= 2;
    return bisect(epsilon_is_enough, &problem, good, 0);
}

static bool rho_is_allowed(const void *context, double rho)
{
    const struct problem *problem = context;
    return zcdp_delta(rho, problem->epsilon) <= problem->delta;
}

double zcdp_rho(double epsilon, double delta)
{
    assert(epsilon > 0 && delta >= 0 && delta < 1);
    struct problem problem = {.epsilon = epsilon, .delta = delta};
    double bad = 1;
    while (rho_is_allowed(&problem, bad))
        bad *= 2;
    return bisect(rho_is_allowed, &problem, 0, bad);
}
