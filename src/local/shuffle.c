/* For C = c the pair is, with B the Binomial(c, 1/2) law and q = e^e0 / (e^e0 + 1), over a = 0 .. c + 1:
 *
 *     P(a) = q B(a - 1) + (1 - q) B(a),   Q(a) = (1 - q) B(a - 1) + q B(a),
 *
 * and B(a - 1) / B(a) = a / (c + 1 - a) grows with a, so P - e^eps Q is positive from some a* on, the first a with
 * a (q - e^eps (1 - q)) > (c + 1 - a)(e^eps q - (1 - q)). With S the upper tail of B, what c contributes to delta is
 * (q - e^eps (1 - q)) S(a* - 1) + ((1 - q) - e^eps q) S(a*). Going up in c, the tail is carried along:
 * S_{c+1}(k) = S_c(k) + B_c(k - 1) / 2, and S(k) = S(k + 1) + B(k). */
#include "local/shuffle.h"

#include <math.h>

#include "local/coin.h"

static const double cut = 1e-13; /* mass of C left out on each side, at most */

/* log of n choose k; k within 0 .. n. */
static double log_choose(double n, double k)
{
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

static double half_mass(double n, double k)
{
    return k < 0 || k > n ? 0 : exp(log_choose(n, k) - n * log(2));
}

static double mass(double n, double k, double r)
{
    return exp(log_choose(n, k) + k * log(r) + (n - k) * log1p(-r));
}

struct tail {
    double count, from, sum; /* S of Binomial(count, 1/2) at `from` */
};

static void tail_start(struct tail *tail, double count, double from)
{
    tail->count = count;
    tail->from = from;
    tail->sum = 0;
    for (double k = fmax(from, 0); k <= count; k++) {
        double term = half_mass(count, k);
        tail->sum += term;
        if (k > count / 2 && term < 1e-18)
            break;
    }
}

static void tail_move(struct tail *tail, double count, double from)
{
    for (; tail->count < count; tail->count++)
        tail->sum += half_mass(tail->count, tail->from - 1) / 2;
    for (; tail->from < from; tail->from++)
        tail->sum -= half_mass(count, tail->from);
    for (; tail->from > from; tail->from--)
        tail->sum += half_mass(count, tail->from - 1);
}

/* The chance that C lies outside [low, high] is below 2 cut: Bernstein's inequality with variance n r (1 - r). */
static void range_of(double n, double r, double *low, double *high)
{
    double mean = n * r, variance = n * r * (1 - r), need = -log(cut);
    double reach = need / 3 + sqrt(need * need / 9 + 2 * variance * need);
    *low = fmax(floor(mean - reach), 0);
    *high = fmin(ceil(mean + reach), n);
}

double shuffle_delta(const struct shuffle *shuffle, double epsilon)
{
    double n = (double)shuffle->people - 1, odds = exp(shuffle->epsilon), q = odds / (odds + 1);
    double r = shuffle->binary ? 2 / (odds + 1) : 1 / odds;
    double gain = q - exp(epsilon) * (1 - q), loss = exp(epsilon) * q - (1 - q);
    if (gain <= 0)
        return 0; /* epsilon is epsilon0 or more */
    double low, high, delta = 2 * cut + 1e-12;
    range_of(n, r, &low, &high);
    struct tail tail = {0};
    for (double c = low; c <= high; c++) {
        double from = fmax(floor((c + 1) * loss / (gain + loss)) + 1, 0); /* the first a beyond the balance */
        if (c == low)
            tail_start(&tail, c, from);
        else
            tail_move(&tail, c, from);
        double before = tail.sum + half_mass(c, from - 1); /* S(a* - 1) */
        delta += mass(n, c, r) * fmax(gain * before - loss * tail.sum, 0);
    }
    return fmin(delta, 1);
}

status shuffle_epsilon(const struct shuffle *shuffle, double delta, double *out, error *why)
{
    if (!(delta >= 1e-10 && delta <= 0.5))
        return fail(why, DITHER_INVALID, "delta must lie between 1e-10 and 0.5");
    if (shuffle->people < 2 || shuffle->people > 1000000000)
        return fail(why, DITHER_INVALID, "a shuffle has 2 to 1000000000 people");
    if (!(shuffle->epsilon >= LOCAL_EPSILON_LEAST && shuffle->epsilon <= LOCAL_EPSILON_MOST))
        return fail(why, DITHER_INVALID, "epsilon must lie between %g and %g", LOCAL_EPSILON_LEAST,
                    LOCAL_EPSILON_MOST);
    double low = 0, high = shuffle->epsilon;
    while (high - low > 1e-6) {
        double middle = (low + high) / 2;
        *(shuffle_delta(shuffle, middle) <= delta ? &high : &low) = middle;
    }
    *out = high;
    return DITHER_OK;
}
