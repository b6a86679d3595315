/* Amplification by shuffling: figures computed elsewhere (numeric accountants of the paper's bound), and for few people the pair of laws
 * written out cell by cell. */
#include "local/shuffle.h"
#include "tests/support/near.h"

static void central_epsilon_is_that_of_the_published_accountants(void **state)
{
    (void)state;
    static const struct {
        uint64_t people;
        double epsilon, any, binary;
    } known[] = {
        {1000, 1, .18241, .14867},   {10000, 1, .05301, .04321},   {10000, 2, .15505, .11440},
        {100000, 4, .16977, .11815}, {1000000, 4, .04931, .03428},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        for (int binary = 0; binary < 2; binary++) {
            struct shuffle shuffle = {known[i].epsilon, known[i].people, binary};
            double epsilon = 0;
            error why;
            assert_int_equal(shuffle_epsilon(&shuffle, 1e-6, &epsilon, &why), DITHER_OK);
            assert_near(epsilon, binary ? known[i].binary : known[i].any, 2e-4);
        }
}

static double choose(int n, int k)
{
    double ways = 1;
    for (int i = 0; i < k; i++)
        ways = ways * (n - i) / (i + 1);
    return k < 0 || k > n ? 0 : ways;
}

/* All outcomes (A + D, C) of both laws, and the sum of what is positive in P - e^eps Q. */
static double slow_delta(int people, double epsilon0, double epsilon, double r)
{
    double q = exp(epsilon0) / (exp(epsilon0) + 1), delta = 0;
    for (int c = 0; c < people; c++)
        for (int a = 0; a <= c + 1; a++) {
            double weight = choose(people - 1, c) * pow(r, c) * pow(1 - r, people - 1 - c) * pow(.5, c);
            double p = q * choose(c, a - 1) + (1 - q) * choose(c, a);
            double other = (1 - q) * choose(c, a - 1) + q * choose(c, a);
            delta += weight * fmax(p - exp(epsilon) * other, 0);
        }
    return delta;
}

static void delta_is_that_of_the_laws_written_out(void **state)
{
    (void)state;
    for (int people = 2; people < 40; people += 3)
        for (double epsilon0 = .5; epsilon0 < 5; epsilon0 *= 2)
            for (double epsilon = 0; epsilon < 1.2 * epsilon0; epsilon += epsilon0 / 4) {
                struct shuffle any = {epsilon0, (uint64_t)people, false},
                               binary = {epsilon0, (uint64_t)people, true};
                assert_near(shuffle_delta(&any, epsilon),
                            slow_delta(people, epsilon0, epsilon, exp(-epsilon0)), 5e-12);
                assert_near(shuffle_delta(&binary, epsilon),
                            slow_delta(people, epsilon0, epsilon, 2 / (exp(epsilon0) + 1)), 5e-12);
                assert_true(shuffle_delta(&any, epsilon) >=
                            slow_delta(people, epsilon0, epsilon, exp(-epsilon0)));
            }
}

static void shuffling_never_makes_it_worse_and_refuses_nonsense(void **state)
{
    (void)state;
    double epsilon = 0;
    error why;
    assert_int_equal(shuffle_epsilon(&(struct shuffle){8, 10, false}, 1e-6, &epsilon, &why), DITHER_OK);
    assert_true(epsilon <= 8 && epsilon > 7);
    assert_int_equal(shuffle_epsilon(&(struct shuffle){1, 1, false}, 1e-6, &epsilon, &why), DITHER_INVALID);
    assert_int_equal(shuffle_epsilon(&(struct shuffle){1, 100, false}, 0, &epsilon, &why), DITHER_INVALID);
    assert_int_equal(shuffle_epsilon(&(struct shuffle){0, 100, false}, 1e-6, &epsilon, &why), DITHER_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(central_epsilon_is_that_of_the_published_accountants),
        cmocka_unit_test(delta_is_that_of_the_laws_written_out),
        cmocka_unit_test(shuffling_never_makes_it_worse_and_refuses_nonsense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
