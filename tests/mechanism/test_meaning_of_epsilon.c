/* What a cost means for a group, and for somebody's beliefs.
 *
 * Known answers: deck 000's two worlds, closed forms, and explicit sums. All bounds are rounded outward: they
 * are compared from the right side. */
#include <math.h>

#include "mechanism/bayes.h"
#include "mechanism/group.h"
#include "tests/support/mechanisms.h"
#include "tests/support/test.h"

static void pure_privacy_costs_a_group_k_times_as_much(void **state)
{
    (void)state;
    dither_cost cost = group_cost((dither_cost){.epsilon = 0.1}, 10);
    assert_just_above(cost.epsilon, 1, 1e-15);
    assert_true(cost.delta == 0 && cost.rho == 0);
    cost = group_cost((dither_cost){.epsilon = 0.1}, 3);
    assert_true(cost.epsilon > 3 * 0.1 - 1e-16 && cost.epsilon >= 0.3);
}

static void approximate_privacy_costs_a_group_a_geometric_sum_of_deltas(void **state)
{
    (void)state;
    for (uint64_t people = 1; people < 20; people++) {
        double delta = 0;
        for (uint64_t i = 0; i < people; i++)
            delta += 1e-9 * exp(0.5 * (double)i);
        dither_cost cost = group_cost((dither_cost){.epsilon = 0.5, .delta = 1e-9}, people);
        assert_just_above(cost.delta, delta * (1 - 1e-14), 3e-14);
        assert_true(cost.epsilon == 0.5 * (double)people);
    }
    assert_true(group_cost((dither_cost){.epsilon = 1, .delta = 1e-3}, 1000).delta == 1);
    assert_just_above(group_cost((dither_cost){.delta = 1e-3}, 7).delta, 7e-3 * (1 - 1e-15), 1e-14);
    assert_true(group_cost((dither_cost){.epsilon = 1e6, .delta = 1e-300}, UINT64_MAX).delta == 1);
}

static void concentrated_privacy_costs_a_group_k_squared_times_as_much(void **state)
{
    (void)state;
    dither_cost cost = group_cost((dither_cost){.rho = 0.01}, 10);
    assert_just_above(cost.rho, 1, 1e-15);
    assert_true(cost.epsilon == 0 && cost.delta == 0);
    assert_true(group_cost((dither_cost){.rho = 0.01, .delta = 1e-9}, 2).delta == 1);
    assert_true(group_cost((dither_cost){.rho = 0.01, .delta = 1e-9}, 1).delta == 1e-9);
}

static void nobody_costs_nothing_and_one_person_costs_the_cost(void **state)
{
    (void)state;
    dither_cost cost = {.epsilon = 0.3, .delta = 1e-7};
    dither_cost none = group_cost(cost, 0), one = group_cost(cost, 1);
    assert_true(none.epsilon == 0 && none.delta == 0 && none.rho == 0);
    assert_true(one.epsilon == cost.epsilon && one.delta == cost.delta && one.rho == 0);
}

static void the_two_worlds_of_the_lecture(void **state)
{
    (void)state;
    dither_range range = bayes_other_world(0.5, 1);
    assert_true(fabs(range.lower - 0.18) < 0.005 && fabs(range.upper - 0.82) < 0.005);
    assert_just_above(0.5 * exp(-1) * (1 + 1e-15), range.lower, 1e-14);
    assert_just_above(range.upper, (1 - 0.5 * exp(-1)) * (1 - 1e-15), 1e-14);
}

static void posteriors_move_by_a_factor_of_odds(void **state)
{
    (void)state;
    for (double prior = 0.01; prior < 1; prior += 0.07)
        for (double epsilon = 0; epsilon < 20; epsilon = 2 * epsilon + 0.01) {
            dither_range range = bayes_posterior(prior, epsilon);
            double odds = prior / (1 - prior);
            double low = odds * exp(-epsilon), high = odds * exp(epsilon);
            assert_just_above(range.upper, high / (1 + high) * (1 - 1e-14), 3e-14);
            assert_just_above(low / (1 + low) * (1 + 1e-14), range.lower, 3e-14);
            assert_true(range.lower <= prior && prior <= range.upper);
        }
}

/* The posterior of randomised response, the mechanism that reaches epsilon exactly, is at the ends of the
 * range. */
static void randomised_response_reaches_the_range(void **state)
{
    (void)state;
    double truth = exp(2) / (1 + exp(2)), prior = 0.3;
    double said_yes = prior * truth / (prior * truth + (1 - prior) * (1 - truth));
    assert_close(bayes_posterior(prior, 2).upper, said_yes, 1e-14);
}

static void certainty_and_nonsense(void **state)
{
    (void)state;
    dither_range range = bayes_posterior(0, 5);
    assert_true(range.lower == 0 && range.upper == 0);
    range = bayes_posterior(1, 5);
    assert_true(range.lower == 1 && range.upper == 1);
    range = bayes_posterior(0.5, INFINITY);
    assert_true(range.lower == 0 && range.upper == 1);
    range = bayes_other_world(0.5, INFINITY);
    assert_true(range.lower == 0 && range.upper == 1);
    range = bayes_other_world(0, 1);
    assert_true(range.lower == 0 && range.upper < 0.633 && range.upper > 0.632);
    const double bad[][2] = {{-0.1, 1}, {1.1, 1}, {NAN, 1}, {0.5, -1}, {0.5, NAN}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_true(isnan(bayes_posterior(bad[i][0], bad[i][1]).lower));
        assert_true(isnan(bayes_other_world(bad[i][0], bad[i][1]).upper));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pure_privacy_costs_a_group_k_times_as_much),
        cmocka_unit_test(approximate_privacy_costs_a_group_a_geometric_sum_of_deltas),
        cmocka_unit_test(concentrated_privacy_costs_a_group_k_squared_times_as_much),
        cmocka_unit_test(nobody_costs_nothing_and_one_person_costs_the_cost),
        cmocka_unit_test(the_two_worlds_of_the_lecture),
        cmocka_unit_test(posteriors_move_by_a_factor_of_odds),
        cmocka_unit_test(randomised_response_reaches_the_range),
        cmocka_unit_test(certainty_and_nonsense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
