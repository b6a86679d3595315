/* Census blocks: the block of Garfinkel, Abowd and Martindale is found from its printed statistics and is the only one; what
 * remains when statistics are withheld agrees with an enumeration by hand-written loops in another language; arithmetic on
 * bits agrees with arithmetic; Dither's statistics give nobody back. */
#include "attack/attacks.h"
#include "attack/census.h"
#include "attack/clauses.h"
#include "tests/support/attacked.h"

#include <ccadical.h>
#include <string.h>

static const struct census_group anybody, female = {.female = CENSUS_YES}, male = {.female = CENSUS_NO},
                                          black = {.black = CENSUS_YES}, white = {.black = CENSUS_NO},
                                          married = {.married = CENSUS_YES},
                                          black_female = {.female = CENSUS_YES, .black = CENSUS_YES};

static const struct census_block the_papers = {{{8, true, true, false},
                                                {18, false, false, false},
                                                {24, true, false, false},
                                                {30, false, false, true},
                                                {36, true, true, true},
                                                {66, true, true, true},
                                                {84, false, true, true}}};

static void assert_same_block(const struct census_block *one, const struct census_block *other)
{
    for (size_t i = 0; i < CENSUS_PEOPLE; i++) {
        assert_int_equal(one->people[i].age, other->people[i].age);
        assert_int_equal(one->people[i].female, other->people[i].female);
        assert_int_equal(one->people[i].black, other->people[i].black);
        assert_int_equal(one->people[i].married, other->people[i].married);
    }
}

/* The paper's table; `drop` lists the positions that are withheld. */
static size_t solutions_without(const char *drop, struct census_block *found, size_t capacity)
{
    const struct census_statistic all[] = {
        census_printed(anybody, 7, 30, 38),        census_printed(female, 4, 30, 33.5),
        census_printed(male, 3, 30, 44),           census_printed(black, 4, 51, 48.5),
        census_printed(white, 3, 24, 24),          census_printed(married, 4, 51, 54),
        census_printed(black_female, 3, 36, 36.7),
    };
    struct census_statistic kept[7];
    size_t count = 0, solutions = 0;
    error why;
    for (size_t i = 0; i < 7; i++)
        if (strchr(drop, (char)('0' + i)) == NULL)
            kept[count++] = all[i];
    assert_int_equal(census_solve(kept, count, found, capacity, &solutions, &why), DITHER_OK);
    return solutions;
}

static void the_papers_block_is_the_only_one(void **state)
{
    (void)state;
    struct census_block found[4];
    assert_int_equal(solutions_without("", found, 4), 1);
    assert_same_block(&found[0], &the_papers);
}

static void with_black_women_withheld_there_are_two(void **state)
{
    (void)state;
    static const struct census_block other = {{{2, true, true, false},
                                               {12, false, false, false},
                                               {24, true, false, true},
                                               {30, false, true, true},
                                               {36, true, false, false},
                                               {72, true, true, true},
                                               {90, false, true, true}}};
    struct census_block found[4];
    assert_int_equal(solutions_without("6", found, 4), 2);
    assert_same_block(found[0].people[0].age == 8 ? &found[0] : &found[1], &the_papers);
    assert_same_block(found[0].people[0].age == 8 ? &found[1] : &found[0], &other);
}

/* Numbers of the enumeration. */
static void withheld_sexes_leave_what_was_counted(void **state)
{
    (void)state;
    struct census_block found[20];
    assert_int_equal(solutions_without("12", found, 20), 8);
    assert_int_equal(solutions_without("1", found, 20), 1);
    assert_int_equal(solutions_without("2", found, 20), 1);
}

static void published_statistics_are_those_of_the_paper(void **state)
{
    (void)state;
    struct census_statistic statistic;
    const struct census_group white_female = {.female = CENSUS_YES, .black = CENSUS_NO};
    assert_true(census_publish(&the_papers, black_female, &statistic));
    assert_int_equal(statistic.count_lower, 3);
    assert_int_equal(statistic.twice_median, 72);
    assert_int_equal(statistic.sum_lower, 110);
    assert_int_equal(statistic.sum_upper, 110);
    assert_true(census_publish(&the_papers, black, &statistic));
    assert_int_equal(statistic.twice_median, 102);
    assert_false(census_publish(&the_papers, white_female, &statistic)); /* one woman: suppressed */
}

/* All pairs of three-digit numbers, and all bounds. */
static void bits_add_and_compare_like_numbers(void **state)
{
    (void)state;
    for (unsigned one = 0; one < 8; one++)
        for (unsigned other = 0; other < 8; other++) {
            struct CCaDiCaL *solver = ccadical_init();
            struct clauses clauses;
            ccadical_set_option(solver, "quiet", 1);
            clauses_init(&clauses, solver);
            int truth = clauses.truth, sum[4], addend[3];
            for (unsigned digit = 0; digit < 4; digit++)
                sum[digit] = one >> digit & 1 ? truth : -truth;
            for (unsigned digit = 0; digit < 3; digit++)
                addend[digit] = other >> digit & 1 ? truth : -truth;
            clauses_increase(&clauses, sum, 4, addend, 3);
            clauses_at_least(&clauses, sum, 4, one + other);
            clauses_at_most(&clauses, sum, 4, one + other);
            assert_int_equal(ccadical_solve(solver), 10);
            if (one > 0)
                clauses_at_most(&clauses, sum, 4, one + other - 1);
            else
                clauses_at_least(&clauses, sum, 4, one + other + 1);
            assert_int_equal(ccadical_solve(solver), 20);
            ccadical_release(solver);
        }
}

static void dithers_statistics_give_nobody_back(void **state)
{
    (void)state;
    struct attack_result result = attacked(&attack_census, "1");
    assert_true(result.baseline >= 0.8);
    assert_true(result.dither <= 0.1);
    assert_near(attacked_fact(&result, "the paper's block, solutions"), 1, 0);
    assert_near(attacked_fact(&result, "the paper's block with one statistic withheld, solutions"), 2, 0);
    assert_true(attacked_fact(&result, "Dither, solutions within thrice the intervals of a block, at least") >
                1);
    attack_result_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_papers_block_is_the_only_one),
        cmocka_unit_test(with_black_women_withheld_there_are_two),
        cmocka_unit_test(withheld_sexes_leave_what_was_counted),
        cmocka_unit_test(published_statistics_are_those_of_the_paper),
        cmocka_unit_test(bits_add_and_compare_like_numbers),
        cmocka_unit_test(dithers_statistics_give_nobody_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
