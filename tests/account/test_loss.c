/* Loss laws: their masses are those of the distributions they stand for, within the errors they state; and
 * the library functions that they trust deserve it (compared with MPFR on many points). */
#include "tests/support/test.h"

#include <float.h>
#include <math.h>
#include <mpfr.h>
#include <stdint.h>

#include "account/loss.h"
#include "account/pieces.h"

static double random_between(uint64_t *state, double lower, double upper)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return lower + (upper - lower) * ((double)(*state >> 11) * 0x1p-53);
}

typedef int (*exact_function)(mpfr_t, const mpfr_t, mpfr_rnd_t);

/* The largest relative error in units of 2^-53 over random points. */
static double worst_error(double (*function)(double), exact_function exact, double lower, double upper)
{
    uint64_t seed = 31;
    double worst = 0;
    mpfr_t x, truth, found;
    mpfr_inits2(120, x, truth, found, (mpfr_ptr)0);
    for (int i = 0; i < 4000; i++) {
        double at = random_between(&seed, lower, upper);
        mpfr_set_d(x, at, MPFR_RNDN);
        exact(truth, x, MPFR_RNDN);
        mpfr_set_d(found, function(at), MPFR_RNDN);
        mpfr_reldiff(found, truth, found, MPFR_RNDN);
        worst = fmax(worst, fabs(mpfr_get_d(found, MPFR_RNDN)) * 0x1p53);
    }
    mpfr_clears(x, truth, found, (mpfr_ptr)0);
    return worst;
}

static void the_library_functions_are_as_good_as_we_trust_them_to_be(void **state)
{
    (void)state;
    assert_true(worst_error(erfc, mpfr_erfc, 0, 3) < 8);
    assert_true(worst_error(erfc, mpfr_erfc, 3, 26) < 8);
    assert_true(worst_error(exp, mpfr_exp, -700, 700) < 4);
    assert_true(worst_error(expm1, mpfr_expm1, -1, 1) < 8);
    assert_true(worst_error(expm1, mpfr_expm1, 1, 30) < 8);
    assert_true(worst_error(log1p, mpfr_log1p, -0.99, 2) < 8);
    assert_true(worst_error(log, mpfr_log, 1e-9, 0.9) < 8);
    assert_true(worst_error(log, mpfr_log, 1.1, 1e9) < 8);
}

static struct loss_law law_of(struct release release)
{
    struct loss_law law;
    error why;
    assert_int_equal(release_check(&release, &why), DITHER_OK);
    if (loss_law_init(&law, &release, 1e-40, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    return law;
}

static void both_sides_add_up_to_one(void **state)
{
    (void)state;
    const struct release releases[] = {{.kind = RELEASE_PURE, .epsilon = 2},
                                       {.kind = RELEASE_APPROXIMATE, .epsilon = 0.3, .delta = 0.01},
                                       {.kind = RELEASE_RANDOMIZED_RESPONSE, .epsilon = 1, .choices = 9},
                                       {.kind = RELEASE_LAPLACE, .scale = 3},
                                       {.kind = RELEASE_DISCRETE_LAPLACE, .scale = 0.7, .sensitivity = 6},
                                       {.kind = RELEASE_DISCRETE_LAPLACE, .scale = 50},
                                       {.kind = RELEASE_GAUSSIAN, .scale = 0.5},
                                       {.kind = RELEASE_DISCRETE_GAUSSIAN, .scale = 0.5},
                                       {.kind = RELEASE_DISCRETE_GAUSSIAN, .scale = 20, .sensitivity = 5}};
    for (size_t i = 0; i < sizeof releases / sizeof *releases; i++) {
        struct loss_law law = law_of(releases[i]);
        long double with = law.with_only, without = law.without_only;
        for (size_t j = 0; j < law.atom_count; j++) {
            const struct loss_atom *atom = &law.atoms[j];
            with += atom->with;
            without += atom->without;
            assert_true(fabs(log(atom->with / atom->without) - atom->loss) < 1e-11 * (1 + fabs(atom->loss)));
            assert_true(j == 0 || atom->loss > law.atoms[j - 1].loss);
        }
        if (law.density != RELEASE_PURE) {
            const double edges[] = {-INFINITY, -1, -0.2, 0, 0.01, 0.5, INFINITY};
            struct loss_mass masses[6];
            loss_law_masses(&law, edges, 7, masses);
            for (size_t j = 0; j < 6; j++) {
                with += masses[j].with;
                without += masses[j].without;
            }
        }
        assert_true(fabsl(with - 1) < 1e-12L && fabsl(without - 1) < 1e-12L);
        loss_law_clear(&law);
    }
}

/* Interval masses against long double, within the error that they state (and that error is small). */
static void interval_masses_are_within_their_stated_errors(void **state)
{
    (void)state;
    uint64_t seed = 32;
    for (int i = 0; i < 3000; i++) {
        double scale = exp(random_between(&seed, log(0.2), log(30)));
        struct loss_law law = law_of((struct release){.kind = RELEASE_GAUSSIAN, .scale = scale});
        long double shift = law.shift;
        double lower = random_between(&seed, -6, 6) * law.shift,
               width = exp(random_between(&seed, -9, 0)) * law.shift;
        const double edges[] = {lower, lower + width};
        struct loss_mass mass;
        loss_law_masses(&law, edges, 2, &mass);
        long double root = sqrtl(2), z0 = edges[0] / shift, z1 = edges[1] / shift;
        bool right = z0 > 0;
        long double with = right ? erfcl((z0 - shift / 2) / root) - erfcl((z1 - shift / 2) / root)
                                 : erfcl(-(z1 - shift / 2) / root) - erfcl(-(z0 - shift / 2) / root);
        long double without = right ? erfcl((z0 + shift / 2) / root) - erfcl((z1 + shift / 2) / root)
                                    : erfcl(-(z1 + shift / 2) / root) - erfcl(-(z0 + shift / 2) / root);
        assert_true(fabsl(with / 2 - mass.with) <= mass.with_error &&
                    fabsl(without / 2 - mass.without) <= mass.without_error);
        assert_true(mass.with_error < 1e-13 && mass.without_error < 1e-13);
        loss_law_clear(&law);
    }
}

static void sampling_maps_losses_there_and_back(void **state)
{
    (void)state;
    for (double rate = 1e-6; rate <= 1; rate *= 10)
        for (double loss = -5; loss < 6; loss += 0.31) {
            double sampled = sampled_loss(loss, rate);
            long double truth = log1pl((long double)rate * expm1l(loss));
            assert_true(fabsl(sampled - truth) <= 1e-15L * (fabsl(truth) + rate));
            if (rate > 1e-3)
                assert_true(fabs(unsampled_loss(sampled, rate) - loss) < 1e-9);
        }
    assert_true(isinf(unsampled_loss(-1, 0.5)));
}

static void wide_discrete_noise_is_refused(void **state)
{
    (void)state;
    struct loss_law law;
    error why;
    struct release release = {.kind = RELEASE_DISCRETE_GAUSSIAN, .scale = 1e7, .sensitivity = 1e6};
    assert_int_equal(release_check(&release, &why), DITHER_OK);
    assert_int_equal(loss_law_init(&law, &release, 1e-40, &why), DITHER_REFUSED);
}

static void descriptions_are_checked(void **state)
{
    (void)state;
    const double half[] = {0.5, 0.5}, wrong[] = {0.5, 0.4}, negative[] = {1.5, -0.5};
    struct release bad[] = {{.kind = RELEASE_LAPLACE},
                            {.kind = RELEASE_LAPLACE, .scale = NAN},
                            {.kind = RELEASE_LAPLACE, .scale = INFINITY},
                            {.kind = RELEASE_LAPLACE, .scale = 1, .sensitivity = -1},
                            {.kind = RELEASE_LAPLACE, .scale = 1, .sampling = 1.5},
                            {.kind = RELEASE_LAPLACE, .scale = 1, .sampling = NAN},
                            {.kind = RELEASE_LAPLACE, .scale = 1, .count = RELEASE_LARGEST_COUNT + 1},
                            {.kind = RELEASE_DISCRETE_LAPLACE, .scale = 1, .sensitivity = 1.5},
                            {.kind = RELEASE_PURE},
                            {.kind = RELEASE_PURE, .epsilon = 1e9},
                            {.kind = RELEASE_APPROXIMATE, .epsilon = 1, .delta = 1},
                            {.kind = RELEASE_APPROXIMATE, .epsilon = 1, .delta = NAN},
                            {.kind = RELEASE_RANDOMIZED_RESPONSE, .epsilon = 1, .choices = 1},
                            {.kind = RELEASE_CONCENTRATED},
                            {.kind = RELEASE_CONCENTRATED, .rho = 1, .sampling = 0.5},
                            {.kind = RELEASE_PAIR},
                            {.kind = RELEASE_PAIR, .with = half, .without = wrong, .outcomes = 2},
                            {.kind = RELEASE_PAIR, .with = negative, .without = half, .outcomes = 2}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        error why;
        assert_int_equal(release_check(&bad[i], &why), DITHER_INVALID);
        assert_true(why.message[0] != 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_library_functions_are_as_good_as_we_trust_them_to_be),
        cmocka_unit_test(both_sides_add_up_to_one),
        cmocka_unit_test(interval_masses_are_within_their_stated_errors),
        cmocka_unit_test(sampling_maps_losses_there_and_back),
        cmocka_unit_test(wide_discrete_noise_is_refused),
        cmocka_unit_test(descriptions_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
