/* Costs add up as the theorems say, always upward, and every currency's epsilon is at least the tightest
 * lower bound. */
#include "tests/support/test.h"

#include <math.h>

#include "account/cost.h"
#include "account/currency.h"
#include "tests/account/vectors.h"

static void sums_are_never_too_small(void **state)
{
    (void)state;
    dither_cost sum = {0}, one = {.epsilon = 0.1, .delta = 1e-9, .rho = 0.01};
    for (int i = 0; i < 1000; i++)
        sum = cost_sequential(sum, one);
    /* 0.1 as a double is a little more than a tenth. */
    long double exact = 1000 * (long double)0.1;
    assert_true(sum.epsilon >= exact && sum.epsilon < 100.0000001);
    dither_cost repeated = cost_repeated(one, 1000);
    assert_true(repeated.epsilon >= exact && repeated.epsilon <= nextafter(100, 200));
    assert_true(repeated.delta >= 1000 * (long double)1e-9 && repeated.rho >= 1000 * (long double)0.01);
    assert_true(cost_repeated((dither_cost){.delta = 0.1}, 100).delta == 1);
    assert_true(cost_sequential((dither_cost){.epsilon = 1}, (dither_cost){.epsilon = 0x1p-80}).epsilon > 1);
    assert_true(cost_sequential((dither_cost){.epsilon = 1}, (dither_cost){.epsilon = 2}).epsilon == 3);
}

static void different_people_cost_the_maximum(void **state)
{
    (void)state;
    dither_cost most = cost_parallel((dither_cost){.epsilon = 1, .delta = 0, .rho = 0.3},
                                     (dither_cost){.epsilon = 0.5, .delta = 1e-6, .rho = 0.2});
    assert_true(most.epsilon == 1 && most.delta == 1e-6 && most.rho == 0.3);
}

static void a_secret_sample_amplifies(void **state)
{
    (void)state;
    dither_cost cost = {.epsilon = 1, .delta = 1e-6};
    dither_cost less = cost_sampled(cost, 0.01);
    long double truth = log1pl(0.01L * expm1l(1));
    assert_true(less.epsilon >= truth && less.epsilon < truth * (1 + 1e-14L));
    assert_true(less.delta >= 1e-8 && less.delta < 1.0000001e-8);
    assert_true(cost_sampled(cost, 1).epsilon == 1);
    assert_true(cost_sampled(cost, 0).epsilon == 0);
}

/* Kairouz, Oh, Viswanath 2015, Theorem 3.5, evaluated by hand: 100 x 0.1, slack 1e-6. */
static void advanced_composition_is_the_theorem(void **state)
{
    (void)state;
    const dither_cost cost = {.epsilon = 0.1, .delta = 1e-9};
    const uint64_t count = 100;
    dither_cost all = cost_advanced((struct cost_many){&cost, &count, 1}, 1e-6);
    long double drift = 100 * 0.1L * tanhl(0.05L), squares = 1;
    long double first = drift + sqrtl(2 * squares * logl(1e6L));
    long double second = drift + sqrtl(2 * squares * logl(expl(1) + 1e6L));
    long double truth = fminl(fminl(first, second), 10);
    assert_true(all.epsilon >= truth && all.epsilon < truth * (1 + 1e-12L));
    assert_true(all.delta >= 1e-6 + 1e-7 && all.delta < 1.1000001e-6);
    dither_cost plain = cost_advanced((struct cost_many){&cost, &count, 1}, 0);
    assert_true(plain.epsilon >= 10 && plain.epsilon < 10.0000001 && plain.delta < 1.0000001e-7);
    const uint64_t once = 1; /* for one release there is nothing to gain */
    assert_true(cost_advanced((struct cost_many){&cost, &once, 1}, 1e-6).epsilon <= 0.1 * (1 + 1e-12));
}

static double zcdp_epsilon_of(double rho, double delta)
{
    const struct release release = {.kind = RELEASE_CONCENTRATED, .rho = rho};
    struct account_plan *plan = NULL;
    error why;
    double epsilon = NAN;
    assert_int_equal(account_plan_new(&plan, &release, 1, &why), DITHER_OK);
    assert_int_equal(currency_zcdp(plan, delta, &epsilon, &why), DITHER_OK);
    account_plan_free(plan);
    return epsilon;
}

static void concentrated_costs_convert_to_the_published_epsilons(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(concentrated_vectors); i++) {
        const struct concentrated_vector *v = &concentrated_vectors[i];
        double epsilon = zcdp_epsilon_of(v->rho, v->delta);
        assert_true(epsilon >= v->epsilon * (1 - 1e-15) && epsilon <= v->epsilon * (1 + 1e-6));
    }
}

struct all {
    double pure, basic, advanced, zcdp, renyi;
    struct account_bounds pld;
};

static struct all all_currencies(const struct release *releases, size_t count, double delta)
{
    struct account_plan *plan = NULL;
    struct all all;
    error why;
    assert_int_equal(account_plan_new(&plan, releases, count, &why), DITHER_OK);
    all.pure = currency_pure(plan);
    assert_int_equal(currency_basic(plan, delta, &all.basic, &why), DITHER_OK);
    assert_int_equal(currency_advanced(plan, delta, &all.advanced, &why), DITHER_OK);
    assert_int_equal(currency_zcdp(plan, delta, &all.zcdp, &why), DITHER_OK);
    assert_int_equal(currency_renyi(plan, delta, &all.renyi, &why), DITHER_OK);
    assert_int_equal(account_plan_epsilon(plan, delta, &all.pld, &why), DITHER_OK);
    account_plan_free(plan);
    return all;
}

static void no_currency_claims_less_than_the_truth(void **state)
{
    (void)state;
    const struct release plans[][2] = {
        {{.kind = RELEASE_LAPLACE, .scale = 10, .count = 300},
         {.kind = RELEASE_GAUSSIAN, .scale = 20, .count = 40}},
        {{.kind = RELEASE_GAUSSIAN, .scale = 1.5, .sampling = 0.02, .count = 500},
         {.kind = RELEASE_PURE, .epsilon = 0.1}},
        {{.kind = RELEASE_APPROXIMATE, .epsilon = 0.2, .delta = 1e-9, .count = 30},
         {.kind = RELEASE_DISCRETE_GAUSSIAN, .scale = 9, .sensitivity = 2, .count = 3}},
        {{.kind = RELEASE_DISCRETE_LAPLACE, .scale = 5, .count = 80},
         {.kind = RELEASE_RANDOMIZED_RESPONSE, .epsilon = 0.3, .choices = 4, .count = 9}},
    };
    for (size_t i = 0; i < COUNT(plans); i++) {
        struct all all = all_currencies(plans[i], 2, 1e-6);
        assert_true(all.pure >= all.pld.lower && all.basic >= all.pld.lower && all.advanced >= all.pld.lower);
        assert_true(all.zcdp >= all.pld.lower && all.renyi >= all.pld.lower);
        assert_true(all.advanced <= all.basic);
        assert_true(all.pld.upper <= fmin(fmin(all.basic, all.advanced), fmin(all.zcdp, all.renyi)));
    }
}

static void a_delta_already_spent_leaves_nothing(void **state)
{
    (void)state;
    const struct release release = {.kind = RELEASE_APPROXIMATE, .epsilon = 0.2, .delta = 1e-6, .count = 2};
    struct all all = all_currencies(&release, 1, 1e-6);
    assert_true(isinf(all.basic) && isinf(all.zcdp) && isinf(all.renyi) && isinf(all.pld.upper));
}

static void pure_epsilon_is_the_plain_sum(void **state)
{
    (void)state;
    const struct release releases[] = {{.kind = RELEASE_LAPLACE, .scale = 4, .count = 8},
                                       {.kind = RELEASE_PURE, .epsilon = 0.5}};
    struct all all = all_currencies(releases, 2, 1e-6);
    assert_true(all.pure >= 2.5 && all.pure < 2.5000001);
    const struct release gaussian = {.kind = RELEASE_GAUSSIAN, .scale = 4};
    assert_true(isinf(all_currencies(&gaussian, 1, 1e-6).pure));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_never_too_small),
        cmocka_unit_test(different_people_cost_the_maximum),
        cmocka_unit_test(a_secret_sample_amplifies),
        cmocka_unit_test(advanced_composition_is_the_theorem),
        cmocka_unit_test(concentrated_costs_convert_to_the_published_epsilons),
        cmocka_unit_test(no_currency_claims_less_than_the_truth),
        cmocka_unit_test(a_delta_already_spent_leaves_nothing),
        cmocka_unit_test(pure_epsilon_is_the_plain_sum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
