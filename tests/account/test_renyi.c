/* Renyi divergences are the published ones, and never less than the truth.
 *
 * Closed forms: vectors.h. Sampled releases: the defining sum over outcomes of a sampled pair, in long
 * double, at whole and broken orders, the worse of both directions. */
#include "tests/support/test.h"

#include <math.h>
#include <stdint.h>

#include "account/renyi.h"
#include "tests/account/vectors.h"

static double divergence_of(struct release release, double order)
{
    struct renyi renyi;
    error why;
    assert_int_equal(release_check(&release, &why), DITHER_OK);
    assert_int_equal(renyi_init(&renyi, &release, &why), DITHER_OK);
    double divergence = renyi_divergence(&renyi, order);
    renyi_clear(&renyi);
    return divergence;
}

static void is_just_above(double found, long double truth, double gap)
{
    if (!(found >= truth * (1 - 1e-16L) && found <= truth * (1 + (long double)gap)))
        fail_msg("%.17g should be just above %.17Lg", found, truth);
}

static void closed_forms_agree_with_the_published_ones(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(renyi_vectors); i++) {
        const struct renyi_vector *v = &renyi_vectors[i];
        const struct release releases[] = {
            [VECTOR_GAUSSIAN] = {.kind = RELEASE_GAUSSIAN, .scale = v->parameter},
            [VECTOR_LAPLACE] = {.kind = RELEASE_LAPLACE, .scale = v->parameter},
            [VECTOR_RESPONSE] = {.kind = RELEASE_RANDOMIZED_RESPONSE, .epsilon = v->parameter},
        };
        is_just_above(divergence_of(releases[v->kind], v->order), v->divergence, 1e-9);
        if (v->kind == VECTOR_RESPONSE) {
            const struct release pure = {.kind = RELEASE_PURE, .epsilon = v->parameter};
            is_just_above(divergence_of(pure, v->order), v->divergence, 1e-9);
        }
    }
}

/* D of p against q. */
static long double defining_sum(const double *p, const double *q, size_t n, long double order)
{
    long double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += expl(order * logl(p[i]) + (1 - order) * logl(q[i]));
    return logl(sum) / (order - 1);
}

static void sampled_releases_follow_the_defining_sum(void **state)
{
    (void)state;
    const double p[] = {0.5, 0.3, 0.2}, q[] = {0.3, 0.3, 0.4};
    static const double orders[] = {1.25, 2, 2.5, 3, 7, 32, 200};
    for (double rate = 0.01; rate < 1; rate *= 3) {
        double mixed[3];
        for (size_t i = 0; i < 3; i++)
            mixed[i] = (1 - rate) * q[i] + rate * p[i];
        struct release release = {
            .kind = RELEASE_PAIR, .with = p, .without = q, .outcomes = 3, .sampling = rate};
        for (size_t i = 0; i < COUNT(orders); i++) {
            long double truth =
                fmaxl(defining_sum(mixed, q, 3, orders[i]), defining_sum(q, mixed, 3, orders[i]));
            /* Between whole orders the bound is a straight line: true, not tight. */
            bool whole = orders[i] == floor(orders[i]);
            is_just_above(divergence_of(release, orders[i]), truth, whole ? 1e-3 : 1);
        }
    }
}

static void sampled_gaussian_noise_follows_the_integral(void **state)
{
    (void)state;
    static const double orders[] = {2, 3, 8, 32};
    for (double sigma = 0.7; sigma < 5; sigma *= 2.3)
        for (size_t i = 0; i < COUNT(orders); i++) {
            long double rate = 0.02L, remove = 0, add = 0, step = 1 / 64.0L;
            for (long double x = -40; x < 80;
                 x += step) { /* analytic and vanishing: the plain sum is exact */
                long double without = expl(-x * x / 2) / sqrtl(2 * acosl(-1));
                long double ratio = 1 - rate + rate * expl(x / sigma - 0.5L / ((long double)sigma * sigma));
                remove += step * without * powl(ratio, orders[i]);
                add += step * without * powl(ratio, 1 - (long double)orders[i]);
            }
            long double truth = fmaxl(logl(remove), logl(add)) / (orders[i] - 1);
            const struct release release = {.kind = RELEASE_GAUSSIAN, .scale = sigma, .sampling = 0.02};
            is_just_above(divergence_of(release, orders[i]), truth, 1e-8);
        }
}

static void more_choices_make_randomized_response_cheaper(void **state)
{
    (void)state;
    for (double order = 1.5; order < 100; order *= 2) {
        double before = INFINITY;
        for (uint64_t choices = 2; choices < 100; choices *= 3) {
            const struct release r = {.kind = RELEASE_RANDOMIZED_RESPONSE, .epsilon = 1, .choices = choices};
            double divergence = divergence_of(r, order);
            assert_true(divergence < before);
            before = divergence;
        }
    }
}

static void rho_bounds_the_curve_at_every_order(void **state)
{
    (void)state;
    const struct release releases[] = {{.kind = RELEASE_LAPLACE, .scale = 2},
                                       {.kind = RELEASE_PURE, .epsilon = 1.5},
                                       {.kind = RELEASE_RANDOMIZED_RESPONSE, .epsilon = 2, .choices = 7},
                                       {.kind = RELEASE_GAUSSIAN, .scale = 3},
                                       {.kind = RELEASE_DISCRETE_LAPLACE, .scale = 4, .sensitivity = 3},
                                       {.kind = RELEASE_LAPLACE, .scale = 1, .sampling = 0.1}};
    for (size_t i = 0; i < COUNT(releases); i++) {
        struct release release = releases[i];
        double rho;
        error why;
        assert_int_equal(release_check(&release, &why), DITHER_OK);
        assert_int_equal(renyi_rho(&release, &rho, &why), DITHER_OK);
        for (double order = 1.01; order < 3000; order *= 1.07)
            assert_true(divergence_of(release, order) <= rho * order * (1 + 1e-9));
        double epsilon = release_pure_epsilon(&release);
        assert_true(rho <= epsilon * epsilon / 2 * (1 + 1e-12));
    }
    /* The Laplace distribution's Kullback-Leibler divergence, shift - 1 + e^-shift, is the supremum at
     * order 1. */
    double rho;
    error why;
    struct release laplace = {.kind = RELEASE_LAPLACE, .scale = 2};
    assert_int_equal(release_check(&laplace, &why), DITHER_OK);
    assert_int_equal(renyi_rho(&laplace, &rho, &why), DITHER_OK);
    assert_true(rho >= 0.5 - 1 + exp(-0.5) && rho < (0.5 - 1 + exp(-0.5)) * 1.01);
}

static void groups_cost_what_the_proposition_says(void **state)
{
    (void)state;
    assert_true(renyi_group_divergence(8, 0.5, 0) >= 0.5);
    assert_true(fabs(renyi_group_divergence(8, 0.5, 2) - 4.5) < 1e-12);
    assert_true(isinf(renyi_group_divergence(8, 0.5, 3)));
}

static void nonsense_has_no_curve(void **state)
{
    (void)state;
    const double p[] = {1, 0}, q[] = {0.5, 0.5};
    struct release pair = {.kind = RELEASE_PAIR, .with = p, .without = q, .outcomes = 2};
    assert_true(isinf(divergence_of(pair, 2))); /* one direction has an outcome of its own */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms_agree_with_the_published_ones),
        cmocka_unit_test(sampled_releases_follow_the_defining_sum),
        cmocka_unit_test(sampled_gaussian_noise_follows_the_integral),
        cmocka_unit_test(more_choices_make_randomized_response_cheaper),
        cmocka_unit_test(rho_bounds_the_curve_at_every_order),
        cmocka_unit_test(groups_cost_what_the_proposition_says),
        cmocka_unit_test(nonsense_has_no_curve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
