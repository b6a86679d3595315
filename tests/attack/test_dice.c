/* Predictable chance: the published numbers of SplitMix64, and each distribution by the moments and shares that
 * its definition gives, within five standard errors of a fixed seed. */
#include "tests/support/near.h"

#include "attack/dice.h"

enum { DRAWS = 100000 };

/* From the reference implementation (Vigna, splitmix64.c) with state 1234567. */
static void the_words_are_those_of_splitmix64(void **state)
{
    (void)state;
    struct dice dice = {1234567};
    assert_int_equal(dice_word(&dice), 6457827717110365317u);
    assert_int_equal(dice_word(&dice), 3203168211198807973u);
    assert_int_equal(dice_word(&dice), 9817491932198370423u);
}

static void purposes_have_streams_of_their_own(void **state)
{
    (void)state;
    struct dice one, other, again;
    dice_init(&one, 1, "census");
    dice_init(&other, 1, "ratings");
    dice_init(&again, 1, "census");
    uint64_t word = dice_word(&one);
    assert_int_not_equal(word, dice_word(&other));
    assert_int_equal(word, dice_word(&again));
}

static void a_die_falls_on_all_sides(void **state)
{
    (void)state;
    struct dice dice = {1};
    double seen[6] = {0};
    for (int i = 0; i < DRAWS; i++)
        seen[dice_below(&dice, 6)]++;
    for (int side = 0; side < 6; side++)
        assert_near(seen[side] / DRAWS, 1.0 / 6, 5 * sqrt(5.0 / 36 / DRAWS));
}

static void laplace_and_normal_have_their_spread(void **state)
{
    (void)state;
    struct dice dice = {2};
    double size = 0, positive = 0, square = 0, mean = 0;
    for (int i = 0; i < DRAWS; i++) {
        double y = dice_laplace(&dice, 3), z = dice_normal(&dice);
        size += fabs(y) / DRAWS;
        positive += (y > 0) / (double)DRAWS;
        mean += z / DRAWS;
        square += z * z / DRAWS;
    }
    assert_near(size, 3, 5 * 3 / sqrt(DRAWS)); /* |y| is exponential: mean and deviation 3 */
    assert_near(positive, 0.5, 5 * 0.5 / sqrt(DRAWS));
    assert_near(mean, 0, 5 / sqrt(DRAWS));
    assert_near(square, 1, 5 * sqrt(2.0 / DRAWS));
}

static void weights_are_shares(void **state)
{
    (void)state;
    struct dice dice = {3};
    const double sums[] = {1, 1, 4};
    double seen[3] = {0};
    for (int i = 0; i < DRAWS; i++)
        seen[dice_weighted(&dice, sums, 3)]++;
    assert_near(seen[0] / DRAWS, 0.25, 5 * sqrt(3.0 / 16 / DRAWS));
    assert_near(seen[1], 0, 0);
    assert_near(seen[2] / DRAWS, 0.75, 5 * sqrt(3.0 / 16 / DRAWS));
}

static void a_shuffle_keeps_everybody_and_moves_each_anywhere(void **state)
{
    (void)state;
    struct dice dice = {4};
    double first[4] = {0};
    for (int i = 0; i < DRAWS / 10; i++) {
        uint32_t numbers[] = {0, 1, 2, 3};
        dice_shuffle(&dice, numbers, 4);
        assert_int_equal((1u << numbers[0] | 1u << numbers[1] | 1u << numbers[2] | 1u << numbers[3]), 15);
        first[numbers[0]]++;
    }
    for (int i = 0; i < 4; i++)
        assert_near(first[i] / (DRAWS / 10), 0.25, 5 * sqrt(3.0 / 16 / (DRAWS / 10)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_words_are_those_of_splitmix64),
        cmocka_unit_test(purposes_have_streams_of_their_own),
        cmocka_unit_test(a_die_falls_on_all_sides),
        cmocka_unit_test(laplace_and_normal_have_their_spread),
        cmocka_unit_test(weights_are_shares),
        cmocka_unit_test(a_shuffle_keeps_everybody_and_moves_each_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
