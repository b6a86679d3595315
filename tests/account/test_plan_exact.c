/* Random plans, composed exactly by enumeration: the upper bound is above, the lower bound below, at every
 * epsilon and delta.
 *
 * Randomized response is composed by the binomial distribution; discrete Laplace noise by adding lattices up
 * point by point; explicit pairs, also sampled ones, by running through all sequences of outcomes. All in
 * long double, none of it with our own code. Seeds are fixed. */
#include "tests/support/test.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "account/account_plan.h"

static double random_between(uint64_t *state, double lower, double upper)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return lower + (upper - lower) * ((double)(*state >> 11) * 0x1p-53);
}

/* Losses and their probabilities, as an explicit list; what cannot happen on the other side apart. */
struct exact {
    long double loss[70000], mass[70000];
    size_t count;
    long double infinite;
};

static struct exact exact; /* large: not on the stack */

static long double exact_delta(double epsilon)
{
    long double delta = exact.infinite;
    for (size_t i = 0; i < exact.count; i++)
        if (exact.loss[i] > epsilon)
            delta += exact.mass[i] * -expm1l(epsilon - exact.loss[i]);
    return delta;
}

static double exact_epsilon(double delta)
{
    double lower = 0, upper = 20000;
    if (exact_delta(0) <= delta)
        return 0;
    for (int i = 0; i < 80; i++) {
        double middle = (lower + upper) / 2;
        *(exact_delta(middle) > delta ? &lower : &upper) = middle;
    }
    return upper;
}

static void is_enclosed(const char *what, double lower, double truth, double upper)
{
    if (!(lower <= truth * (1 + 1e-10) && truth * (1 - 1e-10) <= upper))
        fail_msg("%s: %.17g is not within [%.17g, %.17g]", what, truth, lower, upper);
}

/* Compares a plan with the list in `exact`; for the other direction the mirror image has been taken care of
 * by the caller. Returns the largest relative gap at the deltas. */
static double compare(const struct release *releases, size_t count, double largest_loss)
{
    struct account_plan *plan = NULL;
    struct account_bounds bounds;
    error why;
    double gap = 0;
    assert_int_equal(account_plan_new(&plan, releases, count, &why), DITHER_OK);
    for (double delta = 1e-2; delta > 1e-13; delta /= 201) {
        assert_int_equal(account_plan_epsilon(plan, delta, &bounds, &why), DITHER_OK);
        if (exact.infinite >= delta * 0.999)
            continue;
        double truth = exact_epsilon(delta);
        is_enclosed("epsilon", bounds.lower, truth, bounds.upper);
        if (truth > 1e-9)
            gap = fmax(gap, (bounds.upper - bounds.lower) / truth);
    }
    for (double part = 0; part < 1; part += 0.31) {
        assert_int_equal(account_plan_delta(plan, part * largest_loss, &bounds, &why), DITHER_OK);
        is_enclosed("delta", bounds.lower, (double)exact_delta(part * largest_loss), bounds.upper);
    }
    account_plan_free(plan);
    return gap;
}

static void randomized_response_follows_the_binomial_distribution(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int i = 0; i < 20; i++) {
        double epsilon = exp(random_between(&seed, log(0.003), log(4)));
        uint64_t k = (uint64_t)exp(random_between(&seed, 0, log(3000)));
        long double kept = 1 / (1 + expl(-epsilon)), log_kept = logl(kept), log_lied = log_kept - epsilon;
        exact = (struct exact){.count = k + 1};
        for (uint64_t lies = 0; lies <= k; lies++) {
            long double choose = lgammal(k + 1) - lgammal(lies + 1) - lgammal(k - lies + 1);
            exact.loss[lies] = ((long double)k - 2 * (long double)lies) * epsilon;
            exact.mass[lies] = expl(choose + (k - lies) * log_kept + lies * log_lied);
        }
        const struct release release = {.kind = RELEASE_RANDOMIZED_RESPONSE, .epsilon = epsilon, .count = k};
        assert_true(compare(&release, 1, (double)k * epsilon) < 1e-6);
        const struct release pure = {.kind = RELEASE_PURE, .epsilon = epsilon, .count = k};
        compare(&pure, 1, (double)k * epsilon);
    }
}

/* lattice[i] is the mass of loss i - half; adds one more discrete Laplace loss with sensitivity d. */
static void add_discrete_laplace(long double *lattice, size_t *size, double rate, size_t d)
{
    static long double sum[70000];
    memset(sum, 0, sizeof sum);
    long double ratio = expl(-rate), side = 1 / (1 + ratio), peak = (1 - ratio) / (1 + ratio);
    for (size_t x = 0; x <= d; x++) {
        long double mass = expl(-rate * (long double)(d - x)) * (x == 0 || x == d ? side : peak);
        for (size_t i = 0; i < *size; i++)
            sum[i + 2 * x] += lattice[i] * mass;
    }
    *size += 2 * d;
    memcpy(lattice, sum, *size * sizeof *lattice);
}

static void discrete_laplace_noise_follows_its_lattice(void **state)
{
    (void)state;
    uint64_t seed = 12;
    for (int i = 0; i < 25; i++) {
        double scale = exp(random_between(&seed, log(0.3), log(300))), rate = 1 / scale;
        size_t d = (size_t)random_between(&seed, 1, 9), k = (size_t)exp(random_between(&seed, 0, log(60)));
        static long double lattice[70000];
        lattice[0] = 1;
        size_t size = 1;
        for (size_t j = 0; j < k; j++)
            add_discrete_laplace(lattice, &size, rate, d);
        exact = (struct exact){.count = size};
        for (size_t j = 0; j < size; j++) {
            exact.loss[j] = ((long double)j - (long double)(k * d)) / scale;
            exact.mass[j] = lattice[j];
        }
        const struct release release = {
            .kind = RELEASE_DISCRETE_LAPLACE, .scale = scale, .sensitivity = (double)d, .count = k};
        assert_true(compare(&release, 1, (double)(k * d) * rate) < 1e-6);
    }
}

/* All sequences of k outcomes of the pair (p, q). */
static void enumerate(const double *p, const double *q, size_t n, size_t k)
{
    exact = (struct exact){.count = 0};
    size_t sequences = 1;
    for (size_t i = 0; i < k; i++)
        sequences *= n;
    for (size_t sequence = 0; sequence < sequences; sequence++) {
        long double left = 1, right = 1;
        for (size_t i = 0, rest = sequence; i < k; i++, rest /= n) {
            left *= p[rest % n];
            right *= q[rest % n];
        }
        if (right == 0)
            exact.infinite += left;
        else if (left > 0) {
            exact.loss[exact.count] = logl(left / right);
            exact.mass[exact.count++] = left;
        }
    }
}

static void random_pair(uint64_t *seed, double *p, double *q, size_t n)
{
    double p_sum = 0, q_sum = 0;
    for (size_t i = 0; i < n; i++) {
        p_sum += p[i] = exp(random_between(seed, -3, 1));
        q_sum += q[i] = p[i] * exp(random_between(seed, -0.7, 0.7));
    }
    for (size_t i = 0; i < n; i++) {
        p[i] /= p_sum;
        q[i] /= q_sum;
    }
}

/* The worse direction at each delta. */
static double worse_epsilon(const double *p, const double *q, size_t n, size_t k, double delta)
{
    enumerate(p, q, n, k);
    double forward = exact_epsilon(delta);
    enumerate(q, p, n, k);
    return fmax(forward, exact_epsilon(delta));
}

static void is_enclosed_both_ways(const struct release *release, const double *p, const double *q, size_t n,
                                  size_t k)
{
    struct account_plan *plan = NULL;
    struct account_bounds bounds;
    error why;
    assert_int_equal(account_plan_new(&plan, release, 1, &why), DITHER_OK);
    for (double delta = 1e-2; delta > 1e-9; delta /= 120) {
        assert_int_equal(account_plan_epsilon(plan, delta, &bounds, &why), DITHER_OK);
        is_enclosed("pair", bounds.lower, worse_epsilon(p, q, n, k, delta), bounds.upper);
    }
    account_plan_free(plan);
}

static void explicit_pairs_follow_all_sequences_of_outcomes(void **state)
{
    (void)state;
    uint64_t seed = 13;
    for (int i = 0; i < 20; i++) {
        double p[4], q[4];
        size_t n = 2 + (size_t)random_between(&seed, 0, 3), k = 1 + (size_t)random_between(&seed, 0, 5);
        random_pair(&seed, p, q, n);
        if (i % 5 == 0) /* an outcome that only one side has */
            q[0] += q[1], q[1] = 0;
        const struct release release = {
            .kind = RELEASE_PAIR, .with = p, .without = q, .outcomes = n, .count = k};
        is_enclosed_both_ways(&release, p, q, n, k);
    }
}

/* A sampled pair is itself a pair: (1 - rate) q + rate p against q. */
static void sampled_pairs_follow_their_mixture_both_ways(void **state)
{
    (void)state;
    uint64_t seed = 14;
    for (int i = 0; i < 20; i++) {
        double p[3], q[3], mixed[3], rate = exp(random_between(&seed, log(0.01), 0));
        size_t n = 2 + (size_t)random_between(&seed, 0, 2), k = 1 + (size_t)random_between(&seed, 0, 7);
        random_pair(&seed, p, q, n);
        for (size_t j = 0; j < n; j++)
            mixed[j] = (1 - rate) * q[j] + rate * p[j];
        const struct release release = {
            .kind = RELEASE_PAIR, .with = p, .without = q, .outcomes = n, .count = k, .sampling = rate};
        is_enclosed_both_ways(&release, mixed, q, n, k);
    }
}

static void sampled_randomized_response_is_enclosed_too(void **state)
{
    (void)state;
    uint64_t seed = 15;
    for (int i = 0; i < 15; i++) {
        double epsilon = random_between(&seed, 0.1, 3), rate = random_between(&seed, 0.01, 0.9);
        size_t k = 1 + (size_t)random_between(&seed, 0, 11);
        double kept = 1 / (1 + exp(-epsilon)), q[] = {1 - kept, kept};
        double mixed[] = {(1 - rate) * q[0] + rate * kept, (1 - rate) * q[1] + rate * (1 - kept)};
        const struct release release = {
            .kind = RELEASE_RANDOMIZED_RESPONSE, .epsilon = epsilon, .count = k, .sampling = rate};
        is_enclosed_both_ways(&release, mixed, q, 2, k);
    }
}

static void mechanisms_whose_lattices_do_not_fit_together_are_enclosed(void **state)
{
    (void)state;
    uint64_t seed = 16;
    for (int i = 0; i < 3; i++) {
        double a = random_between(&seed, 0.05, 0.6), b = random_between(&seed, 0.05, 0.6);
        size_t k = 1 + (size_t)random_between(&seed, 0, 40), m = 1 + (size_t)random_between(&seed, 0, 40);
        exact = (struct exact){.count = 0};
        long double kept_a = logl(1 / (1 + expl(-a))), kept_b = logl(1 / (1 + expl(-b)));
        for (size_t x = 0; x <= k; x++)
            for (size_t y = 0; y <= m; y++) {
                long double choose = lgammal(k + 1) - lgammal(x + 1) - lgammal(k - x + 1) + lgammal(m + 1) -
                                     lgammal(y + 1) - lgammal(m - y + 1);
                exact.loss[exact.count] = ((long double)k - 2 * x) * a + ((long double)m - 2 * y) * b;
                exact.mass[exact.count++] =
                    expl(choose + k * kept_a - (double)x * a + m * kept_b - (double)y * b);
            }
        const struct release releases[] = {{.kind = RELEASE_RANDOMIZED_RESPONSE, .epsilon = a, .count = k},
                                           {.kind = RELEASE_RANDOMIZED_RESPONSE, .epsilon = b, .count = m}};
        compare(releases, 2, (double)k * a + (double)m * b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(randomized_response_follows_the_binomial_distribution),
        cmocka_unit_test(discrete_laplace_noise_follows_its_lattice),
        cmocka_unit_test(explicit_pairs_follow_all_sequences_of_outcomes),
        cmocka_unit_test(sampled_pairs_follow_their_mixture_both_ways),
        cmocka_unit_test(sampled_randomized_response_is_enclosed_too),
        cmocka_unit_test(mechanisms_whose_lattices_do_not_fit_together_are_enclosed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
