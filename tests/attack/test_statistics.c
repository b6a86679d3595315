/* Attacks on single statistics: the rich person of deck 004 with the deck's own numbers, membership as often as its formula
 * says, groups of ten, and the low-order bits of textbook noise; none of them passes Dither's bound. */
#include "attack/attacks.h"
#include "attack/dice.h"
#include "attack/floating_point.h"
#include "tests/support/attacked.h"

static void ms_rich_moves_the_mean_and_turns_the_line(void **state)
{
    (void)state;
    struct attack_result result = attacked(&attack_outliers, "1");
    assert_attack_fails_on_dither(&result, 0.99);
    /* As printed in the deck. */
    assert_near(attacked_fact(&result, "deck 004, mean without Ms. Rich"), 3300, 1e-9);
    assert_near(attacked_fact(&result, "deck 004, mean with Ms. Rich"), 12090.90, 0.01);
    assert_near(attacked_fact(&result, "deck 004, slope without Ms. Rich"), 207.5, 0.05);
    assert_near(attacked_fact(&result, "deck 004, intercept without Ms. Rich"), -4524.2, 0.05);
    assert_near(attacked_fact(&result, "deck 004, slope with Ms. Rich"), 1652, 0.5);
    assert_near(attacked_fact(&result, "deck 004, intercept with Ms. Rich"), -54307, 0.5);
    /* Laplace noise as large as she is: 1 - e^(-1/2) / 2, but that ordinary incomes vary a little. */
    assert_near(attacked_fact(&result, "Dither, told by the sum"), 1 - exp(-0.5) / 2, 0.12);
    attack_result_free(&result);
}

static void many_averages_tell_who_was_averaged(void **state)
{
    (void)state;
    struct attack_result result = attacked(&attack_membership, "1");
    assert_attack_fails_on_dither(&result, 0.66);
    /* Phi(sqrt(200 / 50) / 2) from a table; five standard errors of 100. */
    assert_near(attacked_fact(&result, "exact averages, by the formula"), 0.8413, 1e-4);
    assert_near(attacked_fact(&result, "exact averages"), 0.8413, 0.183);
    assert_true(attacked_fact(&result, "Dither, histogram, everybody else known") < 0.89);
    attack_result_free(&result);
}

static void ten_people_need_a_unit_of_ten(void **state)
{
    (void)state;
    struct attack_result result = attacked(&attack_groups, "1");
    assert_attack_fails_on_dither(&result, 0.99);
    assert_true(attacked_fact(&result, "Dither, unit a person") > 0.95); /* epsilon 10 for ten of them */
    attack_result_free(&result);
}

/* Every draw is among the ways that are counted; whatever was not drawn from 0 has none there. */
static void textbook_noise_has_impossible_answers(void **state)
{
    (void)state;
    struct dice dice = {5};
    for (int i = 0; i < 2000; i++) {
        double noise = dice_laplace(&dice, 1);
        assert_true(floating_point_ways(noise, 0, 1) > 0);
        assert_true(floating_point_ways(1 + noise, 1, 1) > 0);
    }
    /* Between e^-1 / 2^53 and its neighbours in k there are several doubles; -ln(k / 2^53) skips them. */
    double k = floor(ldexp(exp(-1.5), 53)), one = -log(ldexp(k, -53)), next = -log(ldexp(k - 1, -53));
    int doubles = 0, possible = 0;
    for (double at = one; at <= next; at = nextafter(at, INFINITY)) {
        doubles++;
        possible += floating_point_ways(at, 0, 1) > 0;
    }
    assert_int_equal(possible, 2);
    assert_true(doubles > 2);
}

static void dithers_noise_has_none(void **state)
{
    (void)state;
    struct attack_result result = attacked(&attack_floating_point, "1");
    assert_attack_fails_on_dither(&result, 0.8);
    assert_true(result.baseline > attacked_fact(&result, "textbook, success promised on paper, at most"));
    assert_true(attacked_fact(&result, "textbook, 0 or 1, answers impossible on one side") > 0.5);
    assert_near(attacked_fact(&result, "textbook, 2 or 3, answers impossible on one side"), 0.28, 0.05);
    assert_near(attacked_fact(&result, "Dither, answers impossible on one side"), 0, 0);
    attack_result_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ms_rich_moves_the_mean_and_turns_the_line),
        cmocka_unit_test(many_averages_tell_who_was_averaged),
        cmocka_unit_test(ten_people_need_a_unit_of_ten),
        cmocka_unit_test(textbook_noise_has_impossible_answers),
        cmocka_unit_test(dithers_noise_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
