/* The audit's arithmetic against values computed apart: mpmath with 40 digits, from the sums that define them (binomial terms one
 * by one, the regularised incomplete gamma function, and the program in appendix D of Steinke, Nasr and Jagielski 2023 written
 * anew in rationals). */
#include <math.h>

#include "attack/audit_statistics.h"
#include "tests/support/test.h"

static void expect_near(double found, double wanted)
{
    if (!(fabs(found - wanted) <= 1e-9 * fabs(wanted)))
        fail_msg("%.15g, and it should be %.15g", found, wanted);
}

static void binomial_tails_are_exact_near_the_middle_and_far_out(void **state)
{
    (void)state;
    expect_near(audit_binomial_at_least(20, 0.5, 15), 0.020694732666015625);
    expect_near(audit_binomial_at_least(1000, 0.3, 250), 0.999801452673766959);
    expect_near(audit_binomial_at_least(1000, 0.3, 390), 8.05415547501960744e-10);
    expect_near(audit_binomial_at_least(100, 0.01, 8), 8.220204738566515e-6);
    expect_near(audit_binomial_at_most(1000, 0.7, 610), 8.05415547501960744e-10);
    expect_near(audit_binomial_at_least(7, 0.25, 0), 1);
    assert_true(audit_binomial_at_least(7, 0.25, 8) == 0);
}

static void bounds_of_proportions_are_those_of_clopper_and_pearson(void **state)
{
    (void)state;
    expect_near(audit_proportion_lower(100, 30, 0.001), 0.170609506396559722);
    expect_near(audit_proportion_lower(50, 50, 1e-6), 0.758577575029183769);
    expect_near(audit_proportion_upper(100, 30, 0.001), 0.456556149658463814);
    expect_near(audit_proportion_upper(40, 0, 0.05), 0.0721575245055145703);
    assert_true(audit_proportion_lower(40, 0, 0.05) == 0);
    assert_true(audit_proportion_upper(40, 40, 0.05) == 1);
}

static void chi_square_tails_are_exact(void **state)
{
    (void)state;
    expect_near(audit_chi_square_tail(3.84145882069412, 1), 0.0500000000000001777);
    expect_near(audit_chi_square_tail(50, 20), 0.000221476638248783581);
    expect_near(audit_chi_square_tail(10, 20), 0.968171942693795188);
    expect_near(audit_chi_square_tail(150, 40), 1.2397921541617167e-14);
}

static void guesses_convict_as_the_theorem_says(void **state)
{
    (void)state;
    struct audit_guesses all = {.people = 100, .guessed = 100, .right = 90};
    struct audit_guesses some = {.people = 1000, .guessed = 400, .right = 360};
    struct audit_guesses few = {.people = 50, .guessed = 30, .right = 25};
    expect_near(audit_guesses_probability(all, 1, 0), 2.73581280076615384e-5);
    expect_near(audit_guesses_probability(some, 1.5, 1e-5), 0.000427573445552408424);
    expect_near(audit_guesses_probability(few, 0.5, 1e-3), 0.0207776190414813783);
    expect_near(audit_guesses_epsilon(all, 0, 0.05), 1.63082319274097387);
    expect_near(audit_guesses_epsilon(some, 1e-5, 1e-3), 1.66646588769347021);
    assert_true(audit_guesses_epsilon((struct audit_guesses){100, 100, 50}, 0, 0.05) == 0);
}

static void an_event_convicts_by_the_ratio_of_its_bounds(void **state)
{
    (void)state;
    struct audit_counts counts = {.with = 120, .n_with = 200, .without = 20, .n_without = 200};
    expect_near(audit_event_epsilon(counts, 1e-6, 0.001), 0.94262329485760908);
    struct audit_counts never = {.with = 0, .n_with = 200, .without = 0, .n_without = 200};
    assert_true(audit_event_epsilon(never, 0, 0.001) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(binomial_tails_are_exact_near_the_middle_and_far_out),
        cmocka_unit_test(bounds_of_proportions_are_those_of_clopper_and_pearson),
        cmocka_unit_test(chi_square_tails_are_exact),
        cmocka_unit_test(guesses_convict_as_the_theorem_says),
        cmocka_unit_test(an_event_convicts_by_the_ratio_of_its_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
