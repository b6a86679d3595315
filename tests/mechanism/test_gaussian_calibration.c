/* Gaussian noise is calibrated so that the promise is kept, and not much more than kept.
 *
 * Known answers: published formulae at 50 digits (400 for the smallest discrete deltas). Independent
 * computation: the discrete delta as a plain sum over outcomes, in MPFR. Several cells: the delta of two
 * noisy numbers, as a sum over all pairs of outcomes, for every way to move by the given length. */
#include <math.h>

#include <mpfr.h>

#include "mechanism/exact_gaussian.h"
#include "mechanism/gaussian_calibration.h"
#include "mechanism/zcdp.h"
#include "tests/support/mechanisms.h"
#include "tests/support/test.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void analytic_sigma_is_the_published_one(void **state)
{
    (void)state;
    static const struct {
        double epsilon, delta, sigma;
    } known[] = {
        {0.01, 1e-12, 578.9978670614140964281069}, {0.01, 1e-8, 412.3569420797154680058141},
        {0.01, 1e-5, 243.7854376756780290493593},  {0.1, 1e-12, 61.53905591889454992726714},
        {0.1, 1e-5, 30.74956613197745023894202},   {0.5, 1e-12, 12.84417448988617720434651},
        {0.5, 1e-8, 9.863533796173833286533158},   {0.5, 1e-5, 7.031826675582491442714627},
        {1, 1e-12, 6.557822067458850091344895},    {1, 1e-8, 5.100308787529927195848866},
        {1, 1e-5, 3.730631634815941832249823},     {1.0986122886681098, 1e-5, 3.424662397908950521268641},
        {2, 1e-12, 3.362672509514832853861796},    {2, 1e-5, 1.993812445643536686145934},
        {5, 1e-8, 1.139012781604440551618946},     {5, 1e-5, 0.8918682649515180324948643},
        {10, 1e-12, 0.7446123229217543570681859},  {10, 1e-5, 0.4998886197090085146416702},
    };
    for (size_t i = 0; i < COUNT(known); i++) {
        double sigma = gaussian_sigma((struct gaussian_promise){known[i].epsilon, known[i].delta});
        assert_close(sigma, known[i].sigma, 1e-13);
        assert_true(gaussian_delta(sigma, known[i].epsilon) <= known[i].delta);
        assert_true(gaussian_delta(sigma * (1 - 1e-12), known[i].epsilon) > known[i].delta);
    }
}

static void analytic_delta_is_the_published_one(void **state)
{
    (void)state;
    static const struct {
        double sigma, epsilon, delta;
    } known[] = {
        {0.5, 0, 0.6826894921370858971704651},    {0.5, 0.5, 0.5991856185339332630577724},
        {0.5, 3, 0.1838130765444721559701073},    {1, 0, 0.3829249225480262072754092},
        {1, 0.5, 0.2384217081348766283181562},    {1, 3, 0.00153718536940095484694387},
        {2, 0, 0.1974126513658474484817076},      {2, 0.5, 0.05244032328766966171189672},
        {2, 3, 3.400911735673528824176797e-10},   {5, 0, 0.07965567455405796293080924},
        {5, 0.5, 0.0005125360831583324745969344}, {5, 3, 2.163785770856660846473284e-52},
        {10, 0, 0.03987761167674492319264294},    {10, 0.5, 6.856582455838726559834951e-9},
        {10, 3, 7.304806101754309777828064e-200}, {100, 0, 0.003989406181481644598831021},
    };
    for (size_t i = 0; i < COUNT(known); i++)
        assert_close(gaussian_delta(known[i].sigma, known[i].epsilon), known[i].delta, 1e-15);
    assert_true(gaussian_delta(100, 3) > 0); /* 10^-19550: never 0, and never more than the least double */
    assert_true(gaussian_delta(100, 3) < 1e-300);
    assert_true(gaussian_delta(INFINITY, 0) ==
                1); /* 0 times infinity: what cannot be computed is not believed */
}

static void discrete_delta_is_the_published_one(void **state)
{
    (void)state;
    static const struct {
        double variance, epsilon, delta;
    } known[] = {
        {1, 0.1, 0.3673353820612960583472919},         {1, 0.5, 0.2039828137634389534282904},
        {1, 1, 0.1413513394056219080995417},           {1, 2, 0.02481105182252766851935287},
        {4, 0.1, 0.1573749626351453063649884},         {4, 0.5, 0.05400722369415442091782138},
        {4, 1, 0.007248776845952577949554827},         {4, 2, 0.00001074090103340337259149939},
        {10, 0.1, 0.086673359692667611904993},         {10, 0.5, 0.009963280630586502017801178},
        {10, 1, 0.0001151325253638619757913951},       {10, 2, 1.834413773159672910729231e-11},
        {100, 0.1, 0.008762353923948094511642167},     {100, 0.5, 6.934370347517867873109547e-9},
        {100, 1, 1.279240856716093999241473e-25},      {100, 2, 4.1590761606888905935e-91},
        {1000, 0.1, 0.000007081735918301842146342077}, {1000, 0.5, 3.3419142306470418324e-59},
        {1000, 1, 1.5338523140282212372e-222},
    };
    for (size_t i = 0; i < COUNT(known); i++)
        assert_close(gaussian_discrete_delta(rational_from_double(known[i].variance), 1, known[i].epsilon),
                     known[i].delta, 1e-14);
}

static void discrete_noise_of_sigma_1_is_worse_than_the_continuous_formula_says(void **state)
{
    (void)state;
    double worst = 0;
    for (double epsilon = 0.25; epsilon < 8; epsilon += 0.25)
        worst = fmax(worst, gaussian_discrete_delta(rational_from_double(1), 1, epsilon) /
                                gaussian_delta(1, epsilon));
    assert_true(worst > 2);
}

/* sum over k of max(0, w(k) - e^epsilon w(k + steps)) / Z with 200 bits. */
static double summed_delta(double variance, int64_t steps, double epsilon)
{
    mpfr_t growth, left, right, sum, total;
    mpfr_inits2(200, growth, left, right, sum, total, (mpfr_ptr)0);
    mpfr_set_d(growth, epsilon, MPFR_RNDN);
    mpfr_exp(growth, growth, MPFR_RNDN);
    mpfr_set_zero(sum, 1);
    mpfr_set_zero(total, 1);
    int64_t most = steps + (int64_t)(18 * sqrt(variance)) + 2;
    for (int64_t k = -most; k <= most; k++) {
        mpfr_set_d(left, -(double)k * (double)k, MPFR_RNDN);
        mpfr_div_d(left, left, 2 * variance, MPFR_RNDN);
        mpfr_exp(left, left, MPFR_RNDN);
        mpfr_add(total, total, left, MPFR_RNDN);
        mpfr_set_d(right, -(double)(k + steps) * (double)(k + steps), MPFR_RNDN);
        mpfr_div_d(right, right, 2 * variance, MPFR_RNDN);
        mpfr_exp(right, right, MPFR_RNDN);
        mpfr_mul(right, right, growth, MPFR_RNDN);
        mpfr_sub(left, left, right, MPFR_RNDN);
        if (mpfr_sgn(left) > 0)
            mpfr_add(sum, sum, left, MPFR_RNDN);
    }
    mpfr_div(sum, sum, total, MPFR_RNDN);
    double result = mpfr_get_d(sum, MPFR_RNDN);
    mpfr_clears(growth, left, right, sum, total, (mpfr_ptr)0);
    return result;
}

/* On both sides of sigma 4 and sigma 256, where the way of computing changes. */
static void discrete_delta_is_the_sum_over_outcomes(void **state)
{
    (void)state;
    static const struct {
        double variance;
        int64_t steps;
        double epsilon;
    } cases[] = {
        {0.01, 1, 0.5},
        {0.3, 1, 1},
        {0.3, 2, 1},
        {2, 3, 1},
        {15.9, 2, 0.2},
        {16, 2, 0.2},
        {100, 7, 0},
        {100, 40, 1},
        {100, 40, 8},
        {65535, 300, 0.1},
        {65535, 300, 2},
        {65536, 300, 0.1},
        {65536, 300, 2},
        {65536, 1, 0.001},
        {65536, 1, 0.01},
        {65536, 1500, 9},
        {70000, 2, 0.03},
        {300000, 1000, 1},
        {300000, 1000, 5},
        {300000, 4000, 0.5},
        {8, 4, 0.5} /* the threshold is the whole number 8 * 0.5 / 4 - 2 */,
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        double bound = gaussian_discrete_delta(rational_from_double(cases[i].variance),
                                               (uint64_t)cases[i].steps, cases[i].epsilon);
        double truth = summed_delta(cases[i].variance, cases[i].steps, cases[i].epsilon);
        assert_just_above(bound, nextafter(truth, 0), 1e-9);
    }
}

static void delta_grows_with_the_steps(void **state)
{
    (void)state;
    for (double epsilon = 0; epsilon < 3; epsilon += 0.25) {
        double before = 0;
        for (uint64_t steps = 1; steps < 30; steps++) {
            double now = gaussian_discrete_delta(rational_from_double(9.7), steps, epsilon);
            assert_true(now >= before);
            before = now;
        }
    }
}

static void tails_are_probabilities(void **state)
{
    (void)state;
    mpfr_t from, lower, upper;
    mpfr_inits2(EXACT_GAUSSIAN_BITS, from, lower, upper, (mpfr_ptr)0);
    const double variances[] = {0x1p-40, 0.5, 3, 1e4, 1e6, 0x1p80};
    for (size_t i = 0; i < COUNT(variances); i++) {
        const double places[] = {-0x1p60, -5, 0, 1, 5, 1000, 0x1p60};
        double before = 1;
        for (size_t j = 0; j < COUNT(places); j++) {
            mpfr_set_d(from, places[j], MPFR_RNDN);
            exact_gaussian_tail(rational_from_double(variances[i]), from, lower, upper);
            assert_true(mpfr_cmp(lower, upper) <= 0 && mpfr_sgn(lower) >= 0 && mpfr_sgn(upper) > 0);
            assert_true(mpfr_get_d(lower, MPFR_RNDN) <= before);
            before = mpfr_get_d(upper, MPFR_RNDU);
        }
    }
    mpfr_clears(from, lower, upper, (mpfr_ptr)0);
}

/* ---- The variance for whole numbers, however many ---- */

static const struct gaussian_promise promises[] = {{0.1, 1e-6}, {0.5, 0.01}, {1, 1e-9}, {1, 0.05}, {4, 1e-5}};

static void the_variance_for_one_step_is_exact(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(promises); i++) {
        double variance = gaussian_discrete_variance(promises[i], 1);
        assert_true(summed_delta(variance, 1, promises[i].epsilon) <= promises[i].delta);
        assert_true(gaussian_discrete_delta(rational_from_double(variance * (1 - 1e-9)), 1,
                                            promises[i].epsilon) > promises[i].delta);
    }
}

static void the_variance_keeps_the_promise_for_one_number_that_moves_by_many_steps(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(promises); i++)
        for (uint64_t steps = 1; steps < 200; steps = 2 * steps + 1) {
            double variance = gaussian_discrete_variance(promises[i], steps);
            assert_true(gaussian_discrete_delta(rational_from_double(variance), steps, promises[i].epsilon) <=
                        promises[i].delta);
        }
}

/* Outcomes (j, k); the loss of a move (a, b) is (a^2 + b^2 + 2aj + 2bk) / (2 variance). */
static double delta_of_two(double variance, int a, int b, double epsilon)
{
    int most = (int)(9 * sqrt(variance)) + 5;
    double sum = 0, total = 0;
    for (int j = -most; j <= most; j++)
        for (int k = -most; k <= most; k++) {
            double weight = exp(-(double)(j * j + k * k) / (2 * variance));
            double loss = (double)(a * a + b * b + 2 * (a * j + b * k)) / (2 * variance);
            total += weight;
            if (loss > epsilon)
                sum += weight * -expm1(epsilon - loss);
        }
    return sum / total;
}

static void the_variance_keeps_the_promise_for_two_numbers_however_they_move(void **state)
{
    (void)state;
    const struct gaussian_promise rough[] = {{0.5, 0.01}, {1, 0.05}, {2, 1e-3}, {4, 1e-5}};
    for (size_t i = 0; i < COUNT(rough); i++)
        for (int steps = 1; steps <= 3; steps++) {
            double variance = gaussian_discrete_variance(rough[i], (uint64_t)steps);
            for (int a = 0; a <= steps; a++)
                for (int b = 0; a * a + b * b <= steps * steps; b++)
                    assert_true(delta_of_two(variance, a, b, rough[i].epsilon) <= rough[i].delta);
        }
}

/* Fine grids pay next to nothing for being grids. */
static void many_steps_need_the_analytic_variance_and_hardly_more(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(promises); i++) {
        double sigma = gaussian_sigma(promises[i]);
        double variance = gaussian_discrete_variance(promises[i], 100000);
        assert_just_above(sqrt(variance) / 100000, sigma * (1 - 1e-13), 1e-9);
    }
}

static void tiny_promises_fall_back_on_concentrated_noise(void **state)
{
    (void)state;
    struct gaussian_promise tiny = {1e-6, 1e-9};
    double variance = gaussian_discrete_variance(tiny, 10);
    assert_close(variance, 50 / zcdp_rho(1e-6, 1e-9), 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(analytic_sigma_is_the_published_one),
        cmocka_unit_test(analytic_delta_is_the_published_one),
        cmocka_unit_test(discrete_delta_is_the_published_one),
        cmocka_unit_test(discrete_noise_of_sigma_1_is_worse_than_the_continuous_formula_says),
        cmocka_unit_test(discrete_delta_is_the_sum_over_outcomes),
        cmocka_unit_test(delta_grows_with_the_steps),
        cmocka_unit_test(tails_are_probabilities),
        cmocka_unit_test(the_variance_for_one_step_is_exact),
        cmocka_unit_test(the_variance_keeps_the_promise_for_one_number_that_moves_by_many_steps),
        cmocka_unit_test(the_variance_keeps_the_promise_for_two_numbers_however_they_move),
        cmocka_unit_test(many_steps_need_the_analytic_variance_and_hardly_more),
        cmocka_unit_test(tiny_promises_fall_back_on_concentrated_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
