/* Linkage: a person is found among ratings without names by a few that are known, and by a join of three columns as often as
 * the formula says; k-anonymous classes have k people and yet two releases tell what one hides; Dither tells none of it. */
#include <string.h>

#include "attack/attacks.h"
#include "attack/k_anonymous.h"
#include "attack/ratings.h"
#include "tests/support/attacked.h"

/* Three people and three films: the first film is everybody's, the third is one person's. */
static struct rating list[] = {{0, 0, 5, 100},  {0, 1, 4, 200}, {1, 0, 1, 900},
                               {1, 1, 2, 1000}, {2, 0, 3, 500}, {2, 2, 5, 700}};
static size_t starts[] = {0, 2, 4, 6}, film_starts[] = {0, 3, 5, 6}, by_film[] = {0, 2, 4, 1, 3, 5};
static const struct ratings small = {3, 3, 6, list, starts, film_starts, by_film};

static void points_follow_the_published_formula(void **state)
{
    (void)state;
    const struct rating known[] = {{0, 0, 4, 130}, {0, 1, 4, 200}};
    double scores[3];
    struct match match = ratings_match(&small, known, 2, scores);
    /* wt = 1 / ln(support); e^(-|stars| / 1.5) + e^(-|days| / 30) */
    double own = (exp(-1 / 1.5) + exp(-1.0)) / log(3) + 2 / log(2);
    double other = (exp(-3 / 1.5) + exp(-770 / 30.0)) / log(3) + (exp(-2 / 1.5) + exp(-800 / 30.0)) / log(2);
    double third = (exp(-1 / 1.5) + exp(-370 / 30.0)) / log(3);
    assert_near(scores[0], own, 1e-12);
    assert_near(scores[1], other, 1e-12);
    assert_near(scores[2], third, 1e-12);
    double mean = (own + other + third) / 3;
    double variance = (own * own + other * other + third * third) / 3 - mean * mean;
    assert_near(match.eccentricity, (own - fmax(other, third)) / sqrt(variance), 1e-9);
    assert_int_equal(match.person, 0);
    assert_true(match.found);
}

static void nobody_is_found_where_nobody_stands_out(void **state)
{
    (void)state;
    const struct rating known[] = {{0, 0, 3, 1999}};
    double scores[3];
    assert_false(ratings_match(&small, known, 0, scores).found);
    assert_true(ratings_match(&small, known, 1, scores).eccentricity < 3);
    assert_true(ratings_has(&small, 2, 2));
    assert_false(ratings_has(&small, 1, 2));
    assert_int_equal(ratings_support(&small, 0), 3);
}

static void a_few_ratings_find_a_person(void **state)
{
    (void)state;
    struct attack_result result = attacked(&attack_linkage_ratings, "1");
    assert_attack_fails_on_dither(&result, 0.9);
    assert_true(attacked_fact(&result, "found by 4 ratings") > 0.9); /* deck 001: four */
    assert_true(attacked_fact(&result, "found by 2 ratings") < attacked_fact(&result, "found by 6 ratings"));
    assert_true(attacked_fact(&result, "found by 8 ratings, 2 of them wrong") > 0.9);
    attack_result_free(&result);
}

static void a_join_finds_those_who_are_unique(void **state)
{
    (void)state;
    struct attack_result result = attacked(&attack_linkage_join, "1");
    double formula = attacked_fact(&result, "unique by the formula");
    assert_attack_fails_on_dither(&result, 0.95);
    assert_near(formula, pow(1 - 1 / 58400.0, 999), 1e-12);
    assert_near(attacked_fact(&result, "unique by postal code, birth and sex"), formula,
                5 * sqrt(2 * (1 - formula) / 8000));
    attack_result_free(&result);
}

/* 60 people on a line: every class has k to 2k - 1 of them, all neighbours, and every person has one. */
static void classes_have_at_least_k_neighbours(void **state)
{
    (void)state;
    enum { COUNT = 60 };
    struct quasi_identifier people[COUNT];
    for (size_t k = 1; k <= COUNT + 1; k++) {
        uint32_t order[COUNT], class_of[COUNT], sizes[COUNT] = {0};
        int lower[COUNT], upper[COUNT];
        for (uint32_t i = 0; i < COUNT; i++) {
            people[i] = (struct quasi_identifier){{(int)(i * 37 % COUNT), 5}};
            order[i] = i;
        }
        size_t classes = k_anonymous_classes(people, order, COUNT, k, class_of);
        for (size_t i = 0; i < COUNT; i++) {
            uint32_t class = class_of[i];
            int value = people[i].values[0];
            assert_true(class < classes);
            lower[class] = sizes[class] == 0 || value < lower[class] ? value : lower[class];
            upper[class] = sizes[class] == 0 || value > upper[class] ? value : upper[class];
            sizes[class]++;
        }
        for (size_t class = 0; class < classes; class ++) {
            assert_true(sizes[class] >= (k < COUNT ? k : COUNT));
            assert_true(k > COUNT || sizes[class] < 2 * k);
            assert_int_equal(upper[class] - lower[class] + 1, sizes[class]);
        }
    }
}

static void equal_people_are_never_parted(void **state)
{
    (void)state;
    struct quasi_identifier people[6] = {{{1, 1}}, {{1, 1}}, {{1, 1}}, {{9, 9}}, {{9, 9}}, {{9, 9}}};
    uint32_t order[6] = {5, 0, 4, 1, 3, 2}, class_of[6];
    assert_int_equal(k_anonymous_classes(people, order, 6, 1, class_of), 2);
    assert_int_equal(class_of[0], class_of[2]);
    assert_int_equal(class_of[3], class_of[5]);
    assert_int_equal(k_anonymous_classes(people, order, 0, 3, class_of), 0);
}

static void two_releases_tell_what_one_hides(void **state)
{
    (void)state;
    struct attack_result result = attacked(&attack_linkage_releases, "1");
    assert_attack_fails_on_dither(&result, 0.45);
    double one = attacked_fact(&result, "k = 5, one release");
    assert_true(one > 0.1 && one < 0.25); /* classes of 5 to 9 people */
    assert_true(attacked_fact(&result, "k = 5, both releases") > 3 * one);
    assert_near(result.bound, exp(2) / 200, 1e-12);
    attack_result_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_follow_the_published_formula),
        cmocka_unit_test(nobody_is_found_where_nobody_stands_out),
        cmocka_unit_test(a_few_ratings_find_a_person),
        cmocka_unit_test(a_join_finds_those_who_are_unique),
        cmocka_unit_test(classes_have_at_least_k_neighbours),
        cmocka_unit_test(equal_people_are_never_parted),
        cmocka_unit_test(two_releases_tell_what_one_hides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
