/* The averaging attack gets as far as theory says: against fresh noise the figures of an independent simulation
 * (and after one answer the exact value), against Dither no further than the budget allows, however it asks. */
#include "attack/attacks.h"
#include "tests/support/attacked.h"

static struct attack_result result;

static int set_up(void **state)
{
    (void)state;
    result = attacked(&attack_averaging, "1");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    attack_result_free(&result);
    return 0;
}

static void fresh_noise_averages_out(void **state)
{
    (void)state;
    /* One answer: 1 - e^(-1/2) / 2, the overlap of two Laplace densities a step apart. The others were simulated
     * elsewhere. 10,000 trials: five standard errors. */
    assert_near(attacked_fact(&result, "fresh noise, success after 1 answer"), 1 - exp(-0.5) / 2, 0.023);
    assert_near(attacked_fact(&result, "fresh noise, success after 5 answers"), 0.839, 0.019);
    assert_near(attacked_fact(&result, "fresh noise, success after 10 answers"), 0.913, 0.015);
    assert_near(attacked_fact(&result, "fresh noise, success after 20 answers"), 0.974, 0.009);
    assert_near(attacked_fact(&result, "fresh noise, belief in the truth after 1 answer"), 0.585, 0.01);
    assert_near(attacked_fact(&result, "fresh noise, belief in the truth after 5 answers"), 0.772, 0.014);
    assert_near(attacked_fact(&result, "fresh noise, belief in the truth after 10 answers"), 0.876, 0.014);
    assert_near(attacked_fact(&result, "fresh noise, belief in the truth after 20 answers"), 0.961, 0.01);
}

static void dither_gives_no_more_than_its_budget(void **state)
{
    (void)state;
    assert_attack_fails_on_dither(&result, 0.96);
    /* The geometric mechanism is as good as epsilon allows: telling 0 from 1 succeeds exactly e / (1 + e) often. */
    assert_near(attacked_fact(&result, "Dither, the whole budget at once"), 1 / (1 + exp(-1)), 0.07);
    /* Asking again brings nothing at all, and ten pieces are all that is answered. */
    assert_near(attacked_fact(&result, "Dither, the same question 12 times"),
                attacked_fact(&result, "Dither, the whole budget at once"), 0);
    assert_near(attacked_fact(&result, "Dither, wordings that were answered"), 10, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fresh_noise_averages_out),
        cmocka_unit_test(dither_gives_no_more_than_its_budget),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
