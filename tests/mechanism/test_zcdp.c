/* Concentrated privacy is worth what Canonne, Kamath and Steinke (2020) say.
 *
 * Known answers: the formula minimised with 50 digits. Independent computation: the bound at many orders,
 * none of which may beat what we report. */
#include <math.h>

#include "mechanism/gaussian_calibration.h"
#include "mechanism/zcdp.h"
#include "tests/support/mechanisms.h"
#include "tests/support/test.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void delta_is_the_published_one(void **state)
{
    (void)state;
    static const struct {
        double rho, epsilon, delta;
    } known[] = {
        {0.001, 0.5, 1.352390961512960374416929e-30}, {0.005, 0.5, 3.449309097547418367059847e-8},
        {0.005, 2, 6.902234166607586180393221e-90},   {0.025, 0.5, 0.003541210458291903591002842},
        {0.025, 2, 1.049002028420162095631288e-19},   {0.1, 0.5, 0.0770622924632606959009008},
        {0.1, 2, 0.000004325210869092558231959228},   {0.5, 0.5, 0.3998898490217078050915026},
        {0.5, 2, 0.05429299664026248395975871},       {1, 0.5, 0.6201026400945727174076068},
        {1, 2, 0.2453954075271478097861319},
    };
    for (size_t i = 0; i < COUNT(known); i++)
        assert_just_above(zcdp_delta(known[i].rho, known[i].epsilon), known[i].delta * (1 - 1e-15), 1e-13);
    assert_true(zcdp_delta(0.001, 2) > 0 && zcdp_delta(0.001, 2) < 1e-300); /* 5.07e-438 */
}

static void epsilon_is_the_published_one(void **state)
{
    (void)state;
    static const struct {
        double rho, delta, epsilon;
    } known[] = {
        {0.001, 1e-10, 0.262790475140458507720931}, {0.001, 1e-5, 0.1573353931612155042549241},
        {0.005, 1e-6, 0.429941468836949273470533},  {0.025, 1e-10, 1.391998411580101646244715},
        {0.025, 1e-5, 0.8966133351628289166899761}, {0.1, 1e-6, 2.141938928385473661397487},
        {0.5, 1e-10, 6.839329413120848496302679},   {0.5, 1e-5, 4.728386984943313899970549},
        {1, 1e-6, 7.766216625311720736435484},      {2.63, 1e-10, 17.43058448734511231499474},
        {2.63, 1e-5, 12.69156221699386550088034},
    };
    for (size_t i = 0; i < COUNT(known); i++) {
        double epsilon = zcdp_epsilon(known[i].rho, known[i].delta);
        assert_just_above(epsilon, known[i].epsilon * (1 - 1e-14), 1e-12);
        assert_true(zcdp_delta(known[i].rho, epsilon) <= known[i].delta);
    }
}

static void rho_is_the_published_one(void **state)
{
    (void)state;
    static const struct {
        double epsilon, rho;
    } known[] = {
        {0.1, 0.000153605037347088136011046}, {0.5, 0.00347500341460086932847177},
        {1, 0.01324258376570401325437255},    {2, 0.04998684997264440009628438},
        {5, 0.2807887594103752522087567},
    };
    for (size_t i = 0; i < COUNT(known); i++) {
        double rho = zcdp_rho(known[i].epsilon, 1e-10);
        assert_just_above(known[i].rho * (1 + 1e-14), rho, 1e-12);
        assert_true(zcdp_delta(rho, known[i].epsilon) <= 1e-10);
    }
}

static void no_order_beats_the_reported_delta(void **state)
{
    (void)state;
    for (double rho = 1e-4; rho < 20; rho *= 3)
        for (double epsilon = 0; epsilon < 30; epsilon = 2 * epsilon + 0.1) {
            double found = zcdp_delta(rho, epsilon), best = 1;
            for (double b = 1e-6; b < 1e6; b *= 1.01)
                best = fmin(best, exp(b * ((1 + b) * rho - epsilon) - b * log1p(1 / b) - log1p(b)));
            assert_true(found <= best * (1 + 1e-9) || found < 1e-290);
        }
}

/* Gaussian noise of that rho is one release that has it: no bound may be below its true delta. */
static void the_bound_is_never_below_what_gaussian_noise_gives_away(void **state)
{
    (void)state;
    for (double sigma = 0.3; sigma < 30; sigma *= 1.5)
        for (double epsilon = 0; epsilon < 10; epsilon += 0.7)
            assert_true(zcdp_delta(1 / (2 * sigma * sigma), epsilon) >=
                        gaussian_delta(sigma, epsilon) * (1 - 1e-14));
}

static void ends_of_the_scale(void **state)
{
    (void)state;
    assert_true(zcdp_delta(0, 0) == 0 && zcdp_epsilon(0, 0) == 0);
    assert_true(isinf(zcdp_epsilon(1, 0)));
    assert_true(zcdp_rho(1, 0) == 0);
    assert_true(zcdp_delta(1e6, 1) == 1 && zcdp_delta(1e-300, 1e-100) < 1e-300);
    assert_true(zcdp_epsilon(1e-9, 0.5) == 0);
    assert_true(zcdp_rho(1e-8, 1e-300) >= 0 && zcdp_rho(1000, 0.999) < INFINITY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(delta_is_the_published_one),
        cmocka_unit_test(epsilon_is_the_published_one),
        cmocka_unit_test(rho_is_the_published_one),
        cmocka_unit_test(no_order_beats_the_reported_delta),
        cmocka_unit_test(the_bound_is_never_below_what_gaussian_noise_gives_away),
        cmocka_unit_test(ends_of_the_scale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
