/* Calibration finds the least noise: what it returns keeps the promise, and a little less does not.
 * Trade-offs and groups, which are read off the same curves, agree with closed forms. */
#include "tests/support/test.h"

#include <math.h>

#include "account/calibrate.h"
#include "account/currency.h"

static double factor_for(const struct release *releases, size_t count, dither_cost promise)
{
    double factor = NAN;
    error why;
    if (calibrate_noise(releases, count, promise, &factor, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    return factor;
}

static struct account_bounds epsilon_of(const struct release *releases, size_t count, double delta)
{
    struct account_plan *plan = NULL;
    struct account_bounds bounds;
    error why;
    assert_int_equal(account_plan_new(&plan, releases, count, &why), DITHER_OK);
    assert_int_equal(account_plan_epsilon(plan, delta, &bounds, &why), DITHER_OK);
    account_plan_free(plan);
    return bounds;
}

/* Analytic Gaussian calibration (Balle and Wang 2018), from 50 digits: k releases need sqrt(k) times the
 * sigma of one. */
static void gaussian_noise_is_calibrated_analytically(void **state)
{
    (void)state;
    static const struct {
        double epsilon, delta, sigma;
    } vectors[] = {{0.1, 1e-5, 30.74956613197745},
                   {1, 1e-8, 5.100308787529927196},
                   {2, 1e-12, 3.362672509514832854},
                   {10, 1e-5, 0.4998886197090085146}};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        for (uint64_t k = 1; k <= 100; k *= 10) {
            const struct release release = {.kind = RELEASE_GAUSSIAN, .count = k};
            dither_cost promise = {.epsilon = vectors[i].epsilon, .delta = vectors[i].delta};
            double sigma = factor_for(&release, 1, promise), truth = vectors[i].sigma * sqrt((double)k);
            assert_true(sigma >= truth * (1 - 1e-9) && sigma <= truth * (1 + 3e-6));
        }
}

static void pure_noise_is_calibrated_without_delta(void **state)
{
    (void)state;
    const struct release release = {.kind = RELEASE_LAPLACE, .sensitivity = 3, .count = 20};
    double scale = factor_for(&release, 1, (dither_cost){.epsilon = 2});
    assert_true(scale >= 30 && scale <= 30 * (1 + 3e-6));
}

static void mixed_releases_are_scaled_together(void **state)
{
    (void)state;
    struct release releases[] = {{.kind = RELEASE_LAPLACE, .scale = 10, .count = 30},
                                 {.kind = RELEASE_GAUSSIAN, .scale = 5, .count = 10},
                                 {.kind = RELEASE_PURE, .epsilon = 0.2}};
    double factor = factor_for(releases, 3, (dither_cost){.epsilon = 1, .delta = 1e-6});
    releases[0].scale *= factor;
    releases[1].scale *= factor;
    assert_true(epsilon_of(releases, 3, 1e-6).upper <= 1);
    releases[0].scale *= 0.999;
    releases[1].scale *= 0.999;
    assert_true(epsilon_of(releases, 3, 1e-6).lower > 1);
}

static void what_noise_cannot_mend_is_refused(void **state)
{
    (void)state;
    error why;
    double factor;
    const struct release spent[] = {{.kind = RELEASE_PURE, .epsilon = 2}, {.kind = RELEASE_LAPLACE}};
    dither_cost promise = {.epsilon = 1, .delta = 1e-6};
    assert_int_equal(calibrate_noise(spent, 2, promise, &factor, &why), DITHER_REFUSED);
    const struct release none = {.kind = RELEASE_PURE, .epsilon = 2};
    assert_int_equal(calibrate_noise(&none, 1, promise, &factor, &why), DITHER_INVALID);
    const struct release gaussian = {.kind = RELEASE_GAUSSIAN};
    assert_int_equal(calibrate_noise(&gaussian, 1, (dither_cost){.epsilon = 1}, &factor, &why),
                     DITHER_REFUSED);
    assert_int_equal(calibrate_noise(&gaussian, 1, (dither_cost){.delta = 1e-6}, &factor, &why),
                     DITHER_INVALID);
}

/* Gaussian noise: beta(alpha) = Phi(Phi^-1(1 - alpha) - mu) (Dong, Roth, Su 2022). */
static void the_trade_off_of_gaussian_noise_is_the_known_one(void **state)
{
    (void)state;
    const struct release release = {.kind = RELEASE_GAUSSIAN, .scale = 1};
    struct account_plan *plan = NULL;
    error why;
    double alpha[20], beta[20];
    assert_int_equal(account_plan_new(&plan, &release, 1, &why), DITHER_OK);
    for (int i = 0; i < 20; i++) /* alpha = P(Z > z) */
        alpha[i] = erfc((-3 + 0.3 * i) / sqrt(2)) / 2;
    assert_int_equal(account_plan_tradeoff(plan, alpha, 20, beta, &why), DITHER_OK);
    for (int i = 0; i < 20; i++) {
        double truth = erfc(-(-3 + 0.3 * i - 1) / sqrt(2)) / 2;
        assert_true(beta[i] <= truth && beta[i] >= truth - 1e-3);
    }
    alpha[0] = 1.5;
    assert_int_equal(account_plan_tradeoff(plan, alpha, 1, beta, &why), DITHER_INVALID);
    account_plan_free(plan);
}

static struct account_bounds group_epsilon(const struct release *releases, size_t count, uint64_t people,
                                           double delta)
{
    struct account_plan *plan = NULL;
    struct account_bounds bounds;
    error why;
    assert_int_equal(account_plan_new(&plan, releases, count, &why), DITHER_OK);
    assert_int_equal(account_plan_group_epsilon(plan, people, delta, &bounds, &why), DITHER_OK);
    account_plan_free(plan);
    return bounds;
}

static void a_group_sees_more_sensitive_releases(void **state)
{
    (void)state;
    const struct release releases[] = {{.kind = RELEASE_LAPLACE, .scale = 20, .count = 10},
                                       {.kind = RELEASE_GAUSSIAN, .scale = 30, .count = 10}};
    const struct release grown[] = {{.kind = RELEASE_LAPLACE, .scale = 20, .sensitivity = 3, .count = 10},
                                    {.kind = RELEASE_GAUSSIAN, .scale = 10, .count = 10}};
    struct account_bounds group = group_epsilon(releases, 2, 3, 1e-6), direct = epsilon_of(grown, 2, 1e-6);
    assert_true(fabs(group.upper - direct.upper) < 1e-9 * direct.upper);
    assert_true(group_epsilon(releases, 2, 1, 1e-6).upper < group.lower);
}

/* Where the group's pair is not known the chain of neighbours bounds it: no better than the truth for rate 1.
 */
static void sampled_groups_are_bounded_along_a_chain(void **state)
{
    (void)state;
    const struct release sampled = {.kind = RELEASE_GAUSSIAN, .scale = 4, .sampling = 0.999999, .count = 3};
    const struct release plain = {.kind = RELEASE_GAUSSIAN, .scale = 2, .count = 3};
    struct account_bounds chain = group_epsilon(&sampled, 1, 2, 1e-6), truth = epsilon_of(&plain, 1, 1e-6);
    assert_true(chain.lower <= truth.upper && chain.upper >= truth.lower * 0.999);
    assert_true(isfinite(chain.upper) && chain.upper < 3 * truth.upper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaussian_noise_is_calibrated_analytically),
        cmocka_unit_test(pure_noise_is_calibrated_without_delta),
        cmocka_unit_test(mixed_releases_are_scaled_together),
        cmocka_unit_test(what_noise_cannot_mend_is_refused),
        cmocka_unit_test(the_trade_off_of_gaussian_noise_is_the_known_one),
        cmocka_unit_test(a_group_sees_more_sensitive_releases),
        cmocka_unit_test(sampled_groups_are_bounded_along_a_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
