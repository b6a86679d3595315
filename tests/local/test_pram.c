/* PRAM and randomised response: the lecture's numbers, exact privacy of the matrices, and estimates that return the truth. */
#include <mpfr.h>

#include "local/pram.h"
#include "tests/support/fit.h"
#include "tests/support/fixed_source.h"
#include "tests/support/near.h"

static struct pram response(double truth, double yes)
{
    struct pram made;
    error why;
    assert_int_equal(pram_response(&made, (struct pram_coin){truth, yes}, &why), DITHER_OK);
    return made;
}

static void heads_yes_tails_truth_of_the_lecture(void **state)
{
    (void)state;
    struct pram coin = response(.5, 1);
    struct local_estimate estimate[2];
    const double observed[2] = {55, 45};
    double condition = 0;
    error why;
    assert_int_equal(pram_estimate(&coin, observed, .95, estimate, &condition, &why), DITHER_OK);
    assert_near(estimate[0].count, 10, 1e-9);
    assert_near(estimate[1].count, 90, 1e-9);
    /* the share of Yes is 1 - 2 o_N: standard error 2 sqrt(.55 .45 / 100) = .0995, of a count 9.95 */
    assert_near(sqrt(estimate[0].variance), 9.9499, 1e-3);
    assert_true(isinf(pram_epsilon(&coin))); /* a No proves a No */
    pram_free(&coin);
}

static void two_coins_of_the_lecture(void **state)
{
    (void)state;
    struct pram coins = response(.5, .75);
    struct local_estimate estimate[2];
    const double observed[2] = {425, 575};
    double condition = 0;
    error why;
    assert_int_equal(pram_estimate(&coins, observed, .95, estimate, &condition, &why), DITHER_OK);
    assert_near(estimate[0].count, 100, 1e-9);
    assert_near(pram_epsilon(&coins), 1.6094379124341003, 1e-12); /* ln 5 */
    pram_free(&coins);
}

static void warner_of_the_notes(void **state)
{
    (void)state;
    double p = exp(1) / (exp(1) + 1); /* epsilon 1; 1000 people, a share of .1: o = .315153, error .031791 */
    struct pram coin = response(2 * p - 1, .5);
    const double observed[2] = {315.1529, 1000 - 315.1529};
    struct local_estimate estimate[2];
    double condition = 0;
    error why;
    assert_int_equal(pram_estimate(&coin, observed, .95, estimate, &condition, &why), DITHER_OK);
    assert_near(estimate[0].count / 1000, .1, 1e-6);
    assert_near(sqrt(estimate[0].variance) / 1000, .031791, 1e-6);
    assert_near(pram_epsilon(&coin), 1, 1e-12);
    pram_free(&coin);
}

static void best_matrices_of_the_lecture(void **state)
{
    (void)state;
    static const struct {
        size_t size;
        double epsilon, diagonal, other;
    } expected[] = {
        {2, 1, .7310585786300049, .2689414213699951},
        {2, 10, .9999546021312976, 4.5397868702434e-5},
        {7, 10, .9997277, 4.53876e-5},
        {2, 8, 1 - .00033535, .00033535}, /* lies in 0.0335% of the cases */
    };
    for (int i = 0; i < 4; i++) {
        struct pram matrix;
        error why;
        assert_int_equal(pram_for_epsilon(&matrix, expected[i].epsilon, expected[i].size, &why), DITHER_OK);
        assert_near(pram_probability(&matrix, 0, 0), expected[i].diagonal, 5e-8);
        assert_near(pram_probability(&matrix, 0, 1), expected[i].other, 1e-9);
        assert_true(pram_epsilon(&matrix) <= expected[i].epsilon * (1 + 1e-15));
        assert_near(pram_epsilon(&matrix), expected[i].epsilon, 1e-9);
        pram_free(&matrix);
    }
}

/* The parts themselves, compared with e^epsilon by MPFR: no rounding may help. */
static void best_matrices_keep_epsilon_exactly(void **state)
{
    (void)state;
    mpfr_t limit;
    mpfr_init2(limit, 300);
    for (size_t size = 2; size < 40; size += 5)
        for (double epsilon = .25; epsilon < 16; epsilon *= 2) {
            struct pram matrix;
            error why;
            assert_int_equal(pram_for_epsilon(&matrix, epsilon, size, &why), DITHER_OK);
            mpfr_set_d(limit, epsilon, MPFR_RNDN);
            mpfr_exp(limit, limit, MPFR_RNDD);
            mpfr_mul_ui(limit, limit, matrix.parts[1], MPFR_RNDD);
            assert_true(mpfr_cmp_ui(limit, matrix.parts[0]) >= 0);
            uint64_t sum = 0;
            for (size_t k = 0; k < size; k++)
                sum += matrix.parts[k];
            assert_true(sum == UINT64_C(1) << 62);
            pram_free(&matrix);
        }
    mpfr_clear(limit);
}

static const double errata[9] = {.7, .2, .1, .1, .8, .1, .2, .2, .6};

static void a_matrix_of_three_is_inverted_the_right_way_round(void **state)
{
    (void)state;
    struct pram matrix;
    struct local_estimate estimate[3];
    const double observed[3] = {42, 38, 20};
    double condition = 0, fitted[3];
    error why;
    assert_int_equal(pram_new(&matrix, errata, 3, &why), DITHER_OK);
    assert_near(pram_epsilon(&matrix), 1.9459101490553132, 1e-12); /* ln 7 */
    assert_int_equal(pram_estimate(&matrix, observed, .95, estimate, &condition, &why), DITHER_OK);
    assert_near(estimate[0].count, 50, 1e-9);
    assert_near(estimate[1].count, 30, 1e-9);
    assert_near(estimate[2].count, 20, 1e-9);
    assert_true(condition > 1 && condition < 10);
    pram_fit(&matrix, observed, fitted); /* inside the simplex the two agree */
    for (int i = 0; i < 3; i++)
        assert_near(fitted[i], estimate[i].count, 1e-5);
    const double impossible[3] = {5, 90, 5}; /* more than 80% of the second: the inverse goes below 0 */
    assert_int_equal(pram_estimate(&matrix, impossible, .95, estimate, &condition, &why), DITHER_OK);
    assert_true(estimate[0].count < 0);
    pram_fit(&matrix, impossible, fitted);
    assert_near(fitted[0] + fitted[1] + fitted[2], 100, 1e-6);
    assert_true(fitted[0] >= 0 && fitted[2] >= 0 && fitted[1] > 99);
    pram_free(&matrix);
}

static void singular_and_nearly_singular_matrices_are_refused(void **state)
{
    (void)state;
    struct pram matrix;
    struct local_estimate estimate[2];
    const double observed[2] = {5, 5}, same[4] = {.3, .7, .3, .7}, nearly[4] = {.5, .5, .5 - 1e-9, .5 + 1e-9};
    double condition = 0;
    error why;
    assert_int_equal(pram_new(&matrix, same, 2, &why), DITHER_OK);
    assert_int_equal(pram_estimate(&matrix, observed, .95, estimate, &condition, &why), DITHER_REFUSED);
    pram_free(&matrix);
    assert_int_equal(pram_new(&matrix, nearly, 2, &why), DITHER_OK);
    assert_int_equal(pram_estimate(&matrix, observed, .95, estimate, &condition, &why), DITHER_REFUSED);
    assert_true(condition > 1e8 && condition < 1e10);
    pram_free(&matrix);
}

static void matrices_that_are_none_are_refused(void **state)
{
    (void)state;
    struct pram matrix;
    error why;
    const double short_row[4] = {.5, .4, 0, 1}, negative[4] = {1.5, -.5, 0, 1}, odd[4] = {NAN, 1, 0, 1};
    assert_int_equal(pram_new(&matrix, short_row, 2, &why), DITHER_INVALID);
    assert_int_equal(pram_new(&matrix, negative, 2, &why), DITHER_INVALID);
    assert_int_equal(pram_new(&matrix, odd, 2, &why), DITHER_INVALID);
    assert_int_equal(pram_new(&matrix, odd, 1, &why), DITHER_INVALID);
    assert_int_equal(pram_for_epsilon(&matrix, 0, 3, &why), DITHER_INVALID);
    assert_int_equal(pram_response(&matrix, (struct pram_coin){1.1, .5}, &why), DITHER_INVALID);
}

static void reports_follow_the_matrix(void **state)
{
    (void)state;
    enum { PEOPLE = 30000 };
    static uint32_t values[PEOPLE];
    struct pram matrix;
    struct random *random = fixed_source(21);
    error why;
    assert_int_equal(pram_new(&matrix, errata, 3, &why), DITHER_OK);
    for (uint32_t from = 0; from < 3; from++) {
        uint64_t observed[3] = {0};
        for (int i = 0; i < PEOPLE; i++)
            values[i] = from;
        assert_int_equal(pram_apply(&matrix, random, values, PEOPLE, &why), DITHER_OK);
        for (int i = 0; i < PEOPLE; i++)
            observed[values[i]]++;
        size_t freedom = 0;
        assert_true(fit_chi_square(observed, errata + 3 * from, 3, PEOPLE, &freedom) < fit_threshold(2));
        assert_int_equal(freedom, 2);
    }
    pram_free(&matrix);
    random_close(random);
}

/* The shoelace formula over the corners gives tanh(eps / 2). */
static void the_feasible_region_has_the_known_area(void **state)
{
    (void)state;
    static const double known[][2] = {{.5, .244919}, {1, .462117}, {2, .761594}};
    for (int i = 0; i < 3; i++) {
        struct pram_region region = pram_region(known[i][0]);
        double area = 0;
        for (int a = 0; a < 4; a++) {
            int b = (a + 1) % 4;
            area += region.first[a] * region.second[b] - region.first[b] * region.second[a];
        }
        assert_near(fabs(area) / 2, known[i][1], 1e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heads_yes_tails_truth_of_the_lecture),
        cmocka_unit_test(two_coins_of_the_lecture),
        cmocka_unit_test(warner_of_the_notes),
        cmocka_unit_test(best_matrices_of_the_lecture),
        cmocka_unit_test(best_matrices_keep_epsilon_exactly),
        cmocka_unit_test(a_matrix_of_three_is_inverted_the_right_way_round),
        cmocka_unit_test(singular_and_nearly_singular_matrices_are_refused),
        cmocka_unit_test(matrices_that_are_none_are_refused),
        cmocka_unit_test(reports_follow_the_matrix),
        cmocka_unit_test(the_feasible_region_has_the_known_area),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
