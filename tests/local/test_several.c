/* Several questions to one person: who is asked what, what each answer may cost, and which way has the least error.
 *
 * Sets of questions are drawn alike; the shares of epsilon add up to no more than epsilon, exactly; the stated variance is that of
 * surveys at fixed seeds; the advice agrees with formulas worked out by hand. */
#include <gmp.h>
#include <string.h>

#include "local/kinds.h"
#include "local/several.h"
#include "tests/support/fit.h"
#include "tests/support/fixed_source.h"
#include "tests/support/near.h"

static void shares_of_epsilon_never_add_up_to_more(void **state)
{
    (void)state;
    static const double epsilons[] = {1, 0.1, 3, 0.7, 19.999, 1. / 3};
    mpq_t each, all, asked;
    mpq_inits(each, all, asked, NULL);
    for (size_t e = 0; e < sizeof epsilons / sizeof *epsilons; e++)
        for (uint32_t k = 1; k <= 200; k++) {
            struct local_several several = {200, k, epsilons[e]};
            double share = local_several_each(&several);
            mpq_set_d(each, share);
            mpq_set_ui(asked, k, 1);
            mpq_mul(each, each, asked);
            mpq_set_d(all, epsilons[e]);
            assert_true(mpq_cmp(each, all) <= 0);
            assert_near(share * k / epsilons[e], 1, 1e-15);
        }
    mpq_clears(each, all, asked, NULL);
}

static void every_set_of_questions_is_drawn_alike(void **state)
{
    (void)state;
    enum { DRAWS = 20000 };
    struct local_several several = {5, 2, 1};
    struct random *random = fixed_source(77);
    uint64_t observed[10] = {0};
    double expected[10];
    for (int i = 0; i < DRAWS; i++) {
        uint32_t chosen[2];
        error why;
        assert_int_equal(local_several_draw(&several, random, chosen, &why), DITHER_OK);
        assert_true(chosen[0] < chosen[1] && chosen[1] < 5);
        observed[chosen[1] * (chosen[1] - 1) / 2 + chosen[0]]++; /* pairs in order */
    }
    for (int i = 0; i < 10; i++)
        expected[i] = .1;
    size_t freedom = 0;
    double chi_square = fit_chi_square(observed, expected, 10, DRAWS, &freedom);
    assert_true(freedom == 9 && chi_square < fit_threshold(9));
    random_close(random);
    several.asked = 5;
    uint32_t all[5];
    error why;
    random = fixed_source(78);
    assert_int_equal(local_several_draw(&several, random, all, &why), DITHER_OK);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(all[i], i);
    random_close(random);
}

/* Means of four numbers from people of whom each is asked about some: the scatter over surveys is what the formula says. */
static void the_stated_variance_is_that_of_surveys(void **state)
{
    (void)state;
    enum { PEOPLE = 300, SURVEYS = 300 };
    for (uint32_t asked = 1; asked <= 4; asked++) {
        struct local_several several = {4, asked, 4};
        struct local_numeric numeric;
        struct local_numeric_setting setting = {-1, 1, local_several_each(&several), 64};
        struct random *random = fixed_source(asked);
        double squares = 0;
        error why;
        assert_int_equal(local_numeric_init(&numeric, local_numeric_kind_named("piecewise"), &setting, &why),
                         DITHER_OK);
        for (int s = 0; s < SURVEYS; s++) {
            double sum = 0, count = 0;
            for (int person = 0; person < PEOPLE;
                 person++) { /* the first question: half say -0.5, half 0.5 */
                uint32_t chosen[4];
                unsigned char report[4];
                assert_int_equal(local_several_draw(&several, random, chosen, &why), DITHER_OK);
                if (chosen[0] != 0)
                    continue;
                assert_int_equal(
                    local_numeric_randomise(&numeric, person % 2 == 0 ? .5 : -.5, random, report, &why),
                    DITHER_OK);
                sum += local_numeric_value(&numeric, report_number(report));
                count++;
            }
            squares += sum / count * sum / count;
        }
        struct several_variances variances = {local_numeric_variance(&numeric, .5), .25, PEOPLE};
        double stated = local_several_variance(&several, &variances) / PEOPLE;
        assert_near(squares / SURVEYS / stated, 1,
                    5 * sqrt(2. / SURVEYS) + .02); /* and 1/count is a little above 1/mean */
        random_close(random);
    }
}

static void advice_is_by_the_least_variance(void **state)
{
    (void)state;
    static struct several_advice advice[32];
    /* Shares at small epsilon go like 4 e^x/(e^x-1)^2 ~ 4/x^2: asking k of d costs d/k (k/eps)^2 ~ k, so one is best. */
    local_several_advise(8, 1, 1000, advice);
    for (uint32_t k = 1; k < 8; k++) {
        assert_int_equal(advice[k - 1].asked, k);
        assert_true(advice[k - 1].variance < advice[k].variance);
    }
    /* d = 8, oue at epsilon 1: 8 * 3.68269 is an upper bound that the best mechanism does not pass */
    assert_true(advice[0].variance <= 8 * 3.68269 + 1e-4 && advice[0].variance > 8 * 3.5);
    /* Numbers: one bit varies by 4.6827 - t^2 at epsilon 1, so who is asked adds nothing beyond 4.6827; hybrid varies by
     * 4.2890 everywhere, and for people at both ends by 1 - 1/8 more. */
    local_several_advise(8, 1, 0, advice);
    assert_string_equal(advice[0].mechanism, "duchi");
    assert_near(advice[0].variance, 8 * 4.6827, 8 * 5e-4);
    /* At epsilon 6 it is the hybrid: (e^3+3)/(3 e^3 (e^3-1)) + (e^6+1)^2/(e^3 (e^6-1)^2) + 7/8, by hand */
    local_several_advise(8, 6, 0, advice);
    double half = exp(3), odds = exp(6);
    assert_string_equal(advice[0].mechanism, "hybrid");
    assert_near(advice[0].variance,
                8 * ((half + 3) / (3 * half * (half - 1)) + pow((odds + 1) / (odds - 1), 2) / half + 7. / 8),
                8 * 5e-3);
    assert_true(advice[0].variance < advice[7].variance);
    /* Wang et al. 2019 ask about epsilon / 2.5 of the questions. */
    local_several_advise(16, 8, 0, advice);
    uint32_t best = 0;
    for (uint32_t k = 1; k < 16; k++)
        if (advice[k].variance < advice[best].variance)
            best = k;
    assert_true(best + 1 >= 2 && best + 1 <= 4);
    /* Everything may be asked when there is one question. */
    local_several_advise(1, 2, 0, advice);
    assert_near(advice[0].variance, 1.0423, 2e-3);
    local_several_advise(32, LOCAL_EPSILON_LEAST, 10, advice);
    assert_true(isfinite(advice[0].variance) && isinf(advice[31].variance));
}

static void impossible_numbers_of_questions_are_refused(void **state)
{
    (void)state;
    static const struct local_several bad[] = {
        {0, 0, 1}, {5, 0, 1}, {5, 6, 1}, {LOCAL_ATTRIBUTES_LIMIT + 1, 1, 1}};
    error why;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(local_several_check(&bad[i], &why), DITHER_INVALID);
    assert_int_equal(local_several_check(&(struct local_several){5, 5, 1}, &why), DITHER_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_of_epsilon_never_add_up_to_more),
        cmocka_unit_test(every_set_of_questions_is_drawn_alike),
        cmocka_unit_test(the_stated_variance_is_that_of_surveys),
        cmocka_unit_test(advice_is_by_the_least_variance),
        cmocka_unit_test(impossible_numbers_of_questions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
