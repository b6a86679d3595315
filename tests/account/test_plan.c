/* A plan's epsilon and delta enclose the truth, closely.
 *
 * The truth comes from elsewhere: closed forms with 50 digits (vectors.h), and for compositions without a
 * closed form from Laplace inversion with 25 digits, delta(epsilon) = 1/(2 pi) * integral over u of exp(K(s)
 * - s epsilon) / (s (s + 1)),  s = theta + i u, K being the sum of the logarithms of the losses' moment
 * generating functions (computed once, with mpmath). */
#include "tests/support/test.h"

#include <math.h>

#include "account/account_plan.h"
#include "tests/account/vectors.h"

static struct account_plan *plan_of(const struct release *releases, size_t count)
{
    struct account_plan *plan = NULL;
    error why;
    if (account_plan_new(&plan, releases, count, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    return plan;
}

static struct account_bounds epsilon_of(const struct release *releases, size_t count, double delta)
{
    struct account_plan *plan = plan_of(releases, count);
    struct account_bounds bounds;
    error why;
    if (account_plan_epsilon(plan, delta, &bounds, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    account_plan_free(plan);
    return bounds;
}

static struct account_bounds delta_of(const struct release *releases, size_t count, double epsilon)
{
    struct account_plan *plan = plan_of(releases, count);
    struct account_bounds bounds;
    error why;
    if (account_plan_delta(plan, epsilon, &bounds, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    account_plan_free(plan);
    return bounds;
}

static void encloses(struct account_bounds bounds, double truth, double relative_gap)
{
    if (!(bounds.lower <= truth * (1 + 1e-14) && truth * (1 - 1e-14) <= bounds.upper))
        fail_msg("%.17g is not within [%.17g, %.17g]", truth, bounds.lower, bounds.upper);
    if (!(bounds.upper - bounds.lower <= relative_gap * bounds.upper))
        fail_msg("[%.17g, %.17g] is too wide", bounds.lower, bounds.upper);
}

/* A release that tells nothing, so that plans of Gaussian noise are composed on the grid and not in closed
 * form. */
static const double coin[] = {0.5, 0.5};
static const struct release nothing = {.kind = RELEASE_PAIR, .with = coin, .without = coin, .outcomes = 2};

static void gaussian_noise_composes_to_the_closed_form(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(gaussian_vectors); i++) {
        const struct gaussian_vector *v = &gaussian_vectors[i];
        const struct release releases[] = {{.kind = RELEASE_GAUSSIAN, .scale = v->sigma, .count = v->k},
                                           nothing};
        encloses(epsilon_of(releases, 1, v->delta), v->epsilon, 1e-9);
        encloses(epsilon_of(releases, 2, v->delta), v->epsilon, 1e-4);
    }
}

/* Where delta is almost 1 the curve is flat, and the last digits of delta are many digits of epsilon. The
 * truths: Balle and Wang 2018, Theorem 8, solved by bisection with 50 digits (mpmath). */
static void gaussian_noise_is_enclosed_where_delta_is_almost_one(void **state)
{
    (void)state;
    const struct release many = {.kind = RELEASE_GAUSSIAN, .scale = 62.38260076648704, .count = 1000000};
    encloses(epsilon_of(&many, 1, 0.9999999999979878), 15.987421648726943776, 1);
    const struct release one = {.kind = RELEASE_GAUSSIAN, .scale = 0.22709142741802313, .sensitivity = 7};
    encloses(epsilon_of(&one, 1, 0.9999999887845908), 301.59988015387556341, 0.01);
}

static void one_laplace_release_has_its_closed_form(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(laplace_vectors); i++) {
        const struct laplace_vector *v = &laplace_vectors[i];
        const struct release release = {.kind = RELEASE_LAPLACE, .scale = v->scale};
        struct account_bounds bounds = delta_of(&release, 1, v->epsilon);
        if (v->delta == 0)
            assert_true(bounds.lower == 0 && bounds.upper < 1e-20);
        else
            encloses(bounds, v->delta, 2e-3);
    }
}

static void one_discrete_gaussian_release_has_its_exact_delta(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(discrete_gaussian_vectors); i++) {
        const struct discrete_gaussian_vector *v = &discrete_gaussian_vectors[i];
        if (v->delta < 1e-30)
            continue;
        const struct release release = {
            .kind = RELEASE_DISCRETE_GAUSSIAN, .scale = sqrt(v->variance), .sensitivity = v->sensitivity};
        struct account_bounds bounds = delta_of(&release, 1, v->epsilon);
        encloses(bounds, v->delta, 1e-6);
    }
}

static void discrete_laplace_noise_composes_exactly(void **state)
{
    (void)state;
    static const double epsilons[] = {0.1, 0.5, 1, 2}, deltas[] = {1e-6, 1e-9};
    for (size_t i = 0; i < COUNT(discrete_laplace_vectors); i++) {
        const struct discrete_laplace_vector *v = &discrete_laplace_vectors[i];
        const struct release release = {.kind = RELEASE_DISCRETE_LAPLACE,
                                        .scale = 1 / v->rate,
                                        .sensitivity = v->sensitivity,
                                        .count = v->k};
        for (size_t j = 0; j < COUNT(epsilons); j++) {
            struct account_bounds bounds = delta_of(&release, 1, epsilons[j]);
            if (v->delta_at[j] == 0)
                assert_true(bounds.lower == 0 && bounds.upper < 1e-12);
            else
                encloses(bounds, v->delta_at[j], 1e-6);
        }
        for (size_t j = 0; j < COUNT(deltas); j++)
            encloses(epsilon_of(&release, 1, deltas[j]), v->epsilon_at[j], 1e-6);
    }
}

/* The four sequences of the benchmarks. */
static void long_sequences_agree_with_laplace_inversion(void **state)
{
    (void)state;
    const struct release laplace = {.kind = RELEASE_LAPLACE, .scale = 10, .count = 10000};
    encloses(epsilon_of(&laplace, 1, 1e-6), 94.2358653949256520, 1e-4);
    const struct release wide = {.kind = RELEASE_LAPLACE, .scale = 1, .count = 200};
    encloses(epsilon_of(&wide, 1, 1e-9), 136.769703487237136, 1e-4);
    const struct release sampled = {.kind = RELEASE_GAUSSIAN, .scale = 1, .sampling = 0.01, .count = 10000};
    encloses(epsilon_of(&sampled, 1, 1e-5), 6.18771238997153942, 1e-4);
    const struct release often = {.kind = RELEASE_GAUSSIAN, .scale = 2, .sampling = 0.1, .count = 1000};
    encloses(epsilon_of(&often, 1, 1e-8), 10.77941755729847, 1e-4);
    const struct release mixed[] = {{.kind = RELEASE_LAPLACE, .scale = 10, .count = 50},
                                    {.kind = RELEASE_GAUSSIAN, .scale = 10, .count = 50}};
    encloses(epsilon_of(mixed, 2, 1e-6), 4.792545831408261845, 1e-4);
    encloses(epsilon_of(mixed, 2, 1e-12), 7.022927104009840169, 1e-4);
    const struct release gaussian = {.kind = RELEASE_GAUSSIAN, .scale = 20, .count = 10000};
    struct account_bounds bounds = epsilon_of(&gaussian, 1, 1e-6);
    assert_true(bounds.upper - bounds.lower < 1e-9 * bounds.upper);
}

static void epsilon_and_delta_are_inverse_to_each_other(void **state)
{
    (void)state;
    const struct release mixed[] = {
        {.kind = RELEASE_LAPLACE, .scale = 4, .count = 20},
        {.kind = RELEASE_RANDOMIZED_RESPONSE, .epsilon = 0.3, .choices = 5, .count = 7},
        {.kind = RELEASE_GAUSSIAN, .scale = 3, .sampling = 0.2, .count = 11}};
    for (double delta = 1e-3; delta > 1e-13; delta /= 100) {
        struct account_bounds epsilon = epsilon_of(mixed, 3, delta);
        assert_true(delta_of(mixed, 3, epsilon.upper).lower <= delta);
        assert_true(delta_of(mixed, 3, epsilon.lower).upper >= delta);
    }
}

static void a_spent_delta_is_a_floor(void **state)
{
    (void)state;
    const struct release release = {.kind = RELEASE_APPROXIMATE, .epsilon = 0.1, .delta = 1e-7, .count = 20};
    assert_true(isinf(epsilon_of(&release, 1, 1e-6).upper));
    struct account_bounds delta = delta_of(&release, 1, 5);
    double floor = -expm1(20 * log1p(-1e-7)); /* at the largest finite loss, 2, nothing else is left */
    encloses(delta, floor, 1e-6);
    assert_true(isfinite(epsilon_of(&release, 1, 3e-6).upper));
}

/* The lattice of the losses would need a transform of 2^28 points. The sum of the losses has a mean of
 * count * (e^-0.1 - 1 + 0.1), continuous noise of that shift having less loss, by little; and by Bun and
 * Steinke 2016, Propositions 1.3 and 1.4, epsilon is at most rho + 2 sqrt(rho log(1 / delta)). */
static void a_sequence_too_long_for_its_lattice_is_bounded_on_a_coarser_grid(void **state)
{
    (void)state;
    double count = 1e8, mean = count * (exp(-0.1) - 1 + 0.1), rho = count * 0.005;
    const struct release release = {
        .kind = RELEASE_DISCRETE_LAPLACE, .scale = 1e4, .sensitivity = 1000, .count = 100000000};
    struct account_bounds bounds = epsilon_of(&release, 1, 1e-6);
    assert_true(bounds.lower <= bounds.upper);
    assert_true(bounds.upper > mean);
    assert_true(bounds.upper < rho + 2 * sqrt(rho * log(1e6)));
}

/* The finer grid shows how rare and how large the losses are, and the transform would grow to 2^26 points. Of
 * 1000 samples none hits somebody with probability (1 - 1e-9)^1000; then nothing was lost, so that epsilon is
 * 0 where delta is above the rest. */
static void rare_and_huge_losses_do_not_make_the_transform_endless(void **state)
{
    (void)state;
    const struct release release = {
        .kind = RELEASE_LAPLACE, .scale = 0.0021, .sampling = 1e-9, .count = 1000};
    struct account_bounds bounds = epsilon_of(&release, 1, 1e-249);
    assert_true(bounds.lower <= bounds.upper);
    assert_true(bounds.upper <= 1000 * log1p(1e-9 * expm1(1 / 0.0021)) * (1 + 1e-9));
    assert_true(epsilon_of(&release, 1, 1.1e-6).lower < 1e-6);
}

static void impossible_questions_are_refused(void **state)
{
    (void)state;
    error why;
    struct account_bounds bounds;
    struct account_plan *plan = NULL;
    assert_int_equal(account_plan_new(&plan, NULL, 0, &why), DITHER_INVALID);
    const struct release bad = {.kind = RELEASE_GAUSSIAN, .scale = -1};
    assert_int_equal(account_plan_new(&plan, &bad, 1, &why), DITHER_INVALID);
    const struct release concentrated = {.kind = RELEASE_CONCENTRATED, .rho = 0.1};
    plan = plan_of(&concentrated, 1);
    assert_int_equal(account_plan_epsilon(plan, 1e-6, &bounds, &why), DITHER_REFUSED);
    account_plan_free(plan);
    const struct release laplace = {.kind = RELEASE_LAPLACE, .scale = 1};
    plan = plan_of(&laplace, 1);
    assert_int_equal(account_plan_epsilon(plan, 0, &bounds, &why), DITHER_INVALID);
    assert_int_equal(account_plan_epsilon(plan, 1, &bounds, &why), DITHER_INVALID);
    assert_int_equal(account_plan_epsilon(plan, NAN, &bounds, &why), DITHER_INVALID);
    assert_int_equal(account_plan_delta(plan, -1, &bounds, &why), DITHER_INVALID);
    assert_int_equal(account_plan_delta(plan, NAN, &bounds, &why), DITHER_INVALID);
    account_plan_free(plan);
    account_plan_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaussian_noise_composes_to_the_closed_form),
        cmocka_unit_test(gaussian_noise_is_enclosed_where_delta_is_almost_one),
        cmocka_unit_test(one_laplace_release_has_its_closed_form),
        cmocka_unit_test(one_discrete_gaussian_release_has_its_exact_delta),
        cmocka_unit_test(discrete_laplace_noise_composes_exactly),
        cmocka_unit_test(long_sequences_agree_with_laplace_inversion),
        cmocka_unit_test(epsilon_and_delta_are_inverse_to_each_other),
        cmocka_unit_test(a_spent_delta_is_a_floor),
        cmocka_unit_test(a_sequence_too_long_for_its_lattice_is_bounded_on_a_coarser_grid),
        cmocka_unit_test(rare_and_huge_losses_do_not_make_the_transform_endless),
        cmocka_unit_test(impossible_questions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
