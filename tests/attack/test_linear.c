/* The polynomial adversary: least squares reaches the share that the law of its estimate predicts; the linear program finds
 * the answer of small programs that can be solved by hand, and forgives wild answers; through SQL the budget ends
 * the game, and a thousand times the budget would lose it. */
#include "attack/attacks.h"
#include "attack/least_distance.h"
#include "attack/linear.h"
#include "tests/support/attacked.h"

/* Phi(sqrt(m/n - 1) / (4c)) from tables of the normal distribution. */
static void the_law_has_its_known_values(void **state)
{
    (void)state;
    assert_near(linear_law(2, 0.25), 0.8413, 5e-5);
    assert_near(linear_law(4, 0.25), 0.9584, 5e-5);
    assert_near(linear_law(8, 0.25), 0.9959, 5e-5);
    assert_near(linear_law(8, 0.5), 0.9071, 5e-5);
}

static double average(size_t people, size_t questions_each, double level, int repeats)
{
    const struct linear_game game = {people, questions_each, level, least_squares};
    struct dice dice = {11};
    double sum = 0;
    for (int i = 0; i < repeats; i++) {
        struct arena arena;
        double right;
        error why;
        arena_init(&arena, 64 << 20);
        assert_int_equal(linear_trial(&game, &dice, &arena, &right, &why), DITHER_OK);
        arena_free(&arena);
        sum += right / repeats;
    }
    return sum;
}

/* Four times 128 people; five standard errors of 512 independent guesses. */
static void least_squares_keeps_to_the_law(void **state)
{
    (void)state;
    assert_near(average(128, 2, 0.25, 4), 0.8413, 0.081);
    assert_near(average(128, 4, 0.25, 4), 0.9584, 0.045);
    assert_near(average(128, 8, 0.25, 4), 0.9959, 0.015);
    assert_near(average(128, 8, 0.5, 4), 0.9071, 0.065);
    assert_near(average(64, 4, 0, 1), 1, 0);
}

/* Two people; everybody, the first, the second, the first again. */
static uint64_t rows[] = {3, 1, 2, 1};
static const struct subset_matrix small = {4, 2, 1, rows};

static void least_squares_solves_normal_equations(void **state)
{
    (void)state;
    /* A'A = [[3, 1], [1, 2]] and A'a = (3.6, 2.1), so x = (5.1, 2.7) / 5. */
    const double answers[] = {1.5, 0.9, 0.6, 1.2};
    double x[2];
    error why;
    assert_int_equal(least_squares(&small, answers, x, &why), DITHER_OK);
    assert_near(x[0], 1.02, 1e-9);
    assert_near(x[1], 0.54, 1e-9);
}

static void the_linear_program_forgives_one_wild_answer(void **state)
{
    (void)state;
    /* Three answers say (1, 0); the fourth is mad. The median of what they say wins, and x stays within [0, 1]. */
    const double answers[] = {1, 1, 0, -50};
    double x[2];
    error why;
    assert_int_equal(least_distance(&small, answers, x, &why), DITHER_OK);
    assert_near(x[0], 1, 1e-7);
    assert_near(x[1], 0, 1e-7);
}

static void questions_in_sql_end_with_the_budget(void **state)
{
    (void)state;
    struct attack_result result = attacked(&attack_linear, "1");
    assert_attack_fails_on_dither(&result, 0.99);
    assert_near(attacked_fact(&result, "Dither, questions answered before the budget ended"), 128, 0);
    assert_true(result.dither < 0.62); /* 512 bits: five standard errors from a coin */
    attack_result_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_law_has_its_known_values),
        cmocka_unit_test(least_squares_keeps_to_the_law),
        cmocka_unit_test(least_squares_solves_normal_equations),
        cmocka_unit_test(the_linear_program_forgives_one_wild_answer),
        cmocka_unit_test(questions_in_sql_end_with_the_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
