/* cost.c - sums and maxima, rounded up. */
#include "account/cost.h"

#include <float.h>
#include <math.h>

static double up(double value)
{
    return value == 0 ? 0 : nextafter(value, INFINITY);
}

/* a + b rounded up only when the sum was not exact. */
static double add_up(double a, double b)
{
    double sum = a + b;
    if (!isfinite(sum))
        return sum;
    double part = sum - a, lost = (a - (sum - part)) + (b - part);
    return lost > 0 ? up(sum) : sum;
}

static double multiply_up(double a, double b)
{
    double product = a * b;
    if (!isfinite(product))
        return a == 0 || b == 0 ? 0 : product;
    return fma(a, b, -product) > 0 ? up(product) : product;
}

dither_cost cost_sequential(dither_cost first, dither_cost second)
{
    return (dither_cost){.epsilon = add_up(first.epsilon, second.epsilon),
                         .delta = fmin(1, add_up(first.delta, second.delta)),
                         .rho = add_up(first.rho, second.rho)};
}

dither_cost cost_parallel(dither_cost first, dither_cost second)
{
    return (dither_cost){.epsilon = fmax(first.epsilon, second.epsilon),
                         .delta = fmax(first.delta, second.delta),
                         .rho = fmax(first.rho, second.rho)};
}

dither_cost cost_repeated(dither_cost cost, uint64_t times)
{
    double count = (double)times < (double)(UINT64_C(1) << 53) ? (double)times : up((double)times);
    return (dither_cost){.epsilon = multiply_up(cost.epsilon, count),
                         .delta = fmin(1, multiply_up(cost.delta, count)),
                         .rho = multiply_up(cost.rho, count)};
}

dither_cost cost_sampled(dither_cost cost, double rate)
{
    if (rate >= 1)
        return cost;
    double grown = expm1(cost.epsilon);
    double epsilon = isinf(grown) ? cost.epsilon : log1p(rate * grown) * (1 + 16 * DBL_EPSILON);
    return (dither_cost){
        .epsilon = fmin(cost.epsilon, epsilon), .delta = multiply_up(rate, cost.delta), .rho = cost.rho};
}

dither_cost cost_advanced(struct cost_many many, double slack)
{
    dither_cost plain = {0};
    double drift = 0, squares = 0;
    for (size_t i = 0; i < many.kinds; i++) {
        double count = (double)many.counts[i], epsilon = many.costs[i].epsilon;
        dither_cost one = {.epsilon = epsilon, .delta = many.costs[i].delta};
        plain = cost_sequential(plain, cost_repeated(one, many.counts[i]));
        drift += count * epsilon * tanh(epsilon / 2); /* (e^epsilon - 1) / (e^epsilon + 1) */
        squares += count * epsilon * epsilon;
    }
    if (!(slack > 0))
        return plain;
    double rounding = 1 + (double)(many.kinds + 16) * 4 * DBL_EPSILON;
    double logarithm = fmin(log(1 / slack), log(M_E + sqrt(squares) / slack));
    double epsilon = (drift + sqrt(2 * squares * logarithm)) * rounding;
    if (!(epsilon < plain.epsilon))
        return plain;
    return (dither_cost){.epsilon = epsilon, .delta = fmin(1, add_up(plain.delta, slack))};
}
