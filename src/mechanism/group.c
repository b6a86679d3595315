#include "mechanism/group.h"

#include <math.h>

#include <mpfr.h>

enum { BITS = 128 };

static double multiply_up(double value, uint64_t times)
{
    mpfr_t product;
    mpfr_init2(product, BITS);
    mpfr_set_d(product, value, MPFR_RNDN);
    mpfr_mul_ui(product, product, times, MPFR_RNDU);
    double result = mpfr_get_d(product, MPFR_RNDU);
    mpfr_clear(product);
    return result;
}

/* delta (e^(k epsilon) - 1)/(e^epsilon - 1) = delta (1 + e^epsilon + ... + e^((k - 1) epsilon)), rounded up.
 */
static double group_delta(dither_cost cost, uint64_t people)
{
    if (cost.delta == 0 || people <= 1)
        return people == 0 ? 0 : cost.delta;
    if (cost.epsilon == 0)
        return fmin(1, multiply_up(cost.delta, people));
    mpfr_t all, one;
    mpfr_inits2(BITS, all, one, (mpfr_ptr)0);
    mpfr_set_d(one, cost.epsilon, MPFR_RNDN);
    mpfr_mul_ui(all, one, people, MPFR_RNDU);
    mpfr_expm1(all, all, MPFR_RNDU);
    mpfr_expm1(one, one, MPFR_RNDD);
    mpfr_div(all, all, one, MPFR_RNDU);
    mpfr_mul_d(all, all, cost.delta, MPFR_RNDU);
    double result = mpfr_get_d(all, MPFR_RNDU);
    mpfr_clears(all, one, (mpfr_ptr)0);
    return fmin(1, result);
}

dither_cost group_cost(dither_cost cost, uint64_t people)
{
    dither_cost total = {.epsilon = multiply_up(cost.epsilon, people),
                         .delta = group_delta(cost, people),
                         .rho = multiply_up(multiply_up(cost.rho, people), people)};
    if (cost.rho > 0 && cost.delta > 0 && people > 1)
        total.delta = 1;
    return total;
}
