/* Attacks that subtract: exact counts fall to differences and trackers although small counts are refused, Dither's noisy ones
 * do not; the puzzle of deck 003 is solved with exact averages, and not with Dither's counts of two days. */
#include "attack/attacks.h"
#include "attack/wards.h"
#include "tests/support/attacked.h"

static void the_difference_of_two_counts_tells_all(void **state)
{
    (void)state;
    struct attack_result result = attacked(&attack_intersection, "1");
    assert_attack_fails_on_dither(&result, 1);
    assert_near(attacked_fact(&result, "exact counts of 5 to 25 of 30, asked directly"), 0.5, 0);
    /* Asked directly it is the geometric mechanism on 0 or 1: e / (1 + e), within five standard errors of 400. */
    assert_near(attacked_fact(&result, "Dither, asked directly, which is not refused"), 1 / (1 + exp(-1)),
                0.111);
    assert_true(attacked_fact(&result, "Dither, by difference") < 0.75);
    attack_result_free(&result);
}

static void a_tracker_gets_around_refusals_and_not_around_noise(void **state)
{
    (void)state;
    struct attack_result result = attacked(&attack_tracker, "1");
    assert_attack_fails_on_dither(&result, 1);
    assert_true(result.dither < 0.65); /* four noises of scale 4: one half and a little */
    attack_result_free(&result);
}

static void a_huge_budget_protects_nobody(void **state)
{
    (void)state;
    struct attack_result result = attacked(&attack_tracker, "100");
    assert_true(result.dither > 0.99); /* so the attack on Dither is a real one */
    attack_result_free(&result);
}

static void don_is_found_by_averages_before_and_after(void **state)
{
    (void)state;
    struct attack_result result = attacked(&attack_hospital, "1");
    assert_attack_fails_on_dither(&result, 0.93);
    /* At most one newcomer: Don is healthy and none or one other came, or he is not and nobody else came. With 0.5
     * others on average: (e^-.5 + .5 e^-.5) / 2 + e^-.5 / 2. Five standard errors of 400. */
    assert_near(attacked_fact(&result, "hospitals with at most one newcomer"), 1.25 * exp(-0.5), 0.107);
    attack_result_free(&result);
}

static bool is_anybody(const struct patient *patient)
{
    return patient->bed > 0;
}

static bool is_victim(const struct patient *patient)
{
    return patient->bed == 1;
}

static bool is_among_the_first_five(const struct patient *patient)
{
    return patient->bed <= 5;
}

static void the_exact_system_refuses_few_and_nearly_all(void **state)
{
    (void)state;
    struct arena arena;
    struct wards wards;
    struct dice dice = {1};
    error why;
    int sum = 0;
    arena_init(&arena, 1 << 20);
    assert_int_equal(wards_make(&wards, 1, &dice, &arena, &why), DITHER_OK);
    const struct probe all = {1, "true", is_anybody}, one = {1, "bed = 1", is_victim},
                       five = {-1, "bed <= 5", is_among_the_first_five};
    assert_false(wards_subtract(&wards, 0, &all, 1, &sum));
    assert_false(wards_subtract(&wards, 0, &one, 1, &sum));
    assert_true(wards_subtract(&wards, 0, &five, 1, &sum));
    assert_int_equal(sum, -5);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_difference_of_two_counts_tells_all),
        cmocka_unit_test(a_tracker_gets_around_refusals_and_not_around_noise),
        cmocka_unit_test(a_huge_budget_protects_nobody),
        cmocka_unit_test(don_is_found_by_averages_before_and_after),
        cmocka_unit_test(the_exact_system_refuses_few_and_nearly_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
