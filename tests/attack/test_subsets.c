/* The exponential adversary: for every data set of 8 people, whatever fits answers within E is wrong about at most 4E of
 * them; the bound is reached by answers half way between two data sets; random noise gives the truth itself. */
#include "attack/attacks.h"
#include "attack/dice.h"
#include "attack/subsets.h"
#include "tests/support/attacked.h"

enum { PEOPLE = 8, SETS = 1 << PEOPLE };

static void exact_sums_fit_one_data_set(void **state)
{
    (void)state;
    double sums[SETS];
    for (uint32_t data = 0; data < SETS; data++) {
        uint32_t first = SETS;
        int farthest = -1;
        for (uint32_t subset = 0; subset < SETS; subset++)
            sums[subset] = subsets_sum(data, subset);
        assert_int_equal(subsets_consistent(sums, PEOPLE, 0, data, &first, &farthest), 1);
        assert_int_equal(first, data);
        assert_int_equal(farthest, 0);
        assert_int_equal(subsets_nearest(sums, PEOPLE), data);
    }
}

/* Every data set against every error, with noise uniform, and with the noise that is worst for each subset apart: plus or
 * minus E. */
static void what_fits_is_wrong_about_at_most_4E(void **state)
{
    (void)state;
    double sums[SETS];
    struct dice dice = {7};
    for (uint32_t data = 0; data < SETS; data++)
        for (int reach = 0; reach <= 2; reach++)
            for (int extreme = 0; extreme <= 1; extreme++) {
                uint32_t first;
                int farthest;
                for (uint32_t subset = 0; subset < SETS; subset++) {
                    double noise = 2 * dice_uniform(&dice) - 1;
                    noise = extreme ? copysign(1, noise) : noise;
                    sums[subset] = subsets_sum(data, subset) + reach * noise;
                }
                assert_true(subsets_consistent(sums, PEOPLE, reach, data, &first, &farthest) >= 1);
                assert_true(farthest <= 4 * reach);
            }
}

/* All pairs of data sets: answers half way between them are within E of both exactly when neither has more than 2E
 * people that the other has not; then the other one fits too, and the largest distance of what fits is at most 4E. */
static void half_way_answers_fit_both_sides(void **state)
{
    (void)state;
    double sums[SETS];
    int reached = 0;
    for (uint32_t data = 0; data < SETS; data += 5)
        for (uint32_t other = 0; other < SETS; other++) {
            int lost = __builtin_popcount(data & ~other), won = __builtin_popcount(other & ~data);
            double reach = (lost > won ? lost : won) / 2.0;
            uint32_t first;
            int farthest;
            for (uint32_t subset = 0; subset < SETS; subset++)
                sums[subset] = (subsets_sum(data, subset) + subsets_sum(other, subset)) / 2.0;
            assert_true(subsets_consistent(sums, PEOPLE, reach, data, &first, &farthest) >= 1);
            assert_true(farthest >= lost + won);
            assert_true(farthest <= 4 * reach);
            reached += lost == won && lost > 0 && farthest == 4 * reach;
        }
    assert_true(reached > 0);
}

static void the_attack_rebuilds_everybody_and_nobody_behind_dither(void **state)
{
    (void)state;
    struct attack_result result = attacked(&attack_exponential, "1");
    assert_attack_fails_on_dither(&result, 1);
    assert_near(attacked_fact(&result, "within 3 at random, most people wrong"), 0, 0);
    assert_near(attacked_fact(&result, "within 1 in the worst way, most people wrong"), 4, 0);
    assert_near(attacked_fact(&result, "within 3 in the worst way, most people wrong"), 12, 0);
    assert_true(result.dither < 0.64); /* 255 noises of scale 255: five standard errors from a coin */
    attack_result_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_sums_fit_one_data_set),
        cmocka_unit_test(what_fits_is_wrong_about_at_most_4E),
        cmocka_unit_test(half_way_answers_fit_both_sides),
        cmocka_unit_test(the_attack_rebuilds_everybody_and_nobody_behind_dither),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
