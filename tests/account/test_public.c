/* Accounting as C callers see it, through dither.h alone. Figures come from closed forms and from the vectors
 * of 50 digits that the inner tests use (vectors.h); every call is also made wrongly, and must then say so and
 * leave its output alone. */
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "dither.h"
#include "tests/account/vectors.h"

#define assert_says(why, words)                                                                              \
    do {                                                                                                     \
        if (strstr((why).message, words) == NULL)                                                            \
            fail_msg("\"%s\" is not in \"%s\"", words, (why).message);                                       \
    } while (0)

static dither_epsilons account(const char *const *releases, size_t count, double delta)
{
    dither_epsilons epsilons;
    dither_error why;
    if (dither_account(releases, count, delta, &epsilons, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    return epsilons;
}

static void gaussian_noise_costs_what_the_closed_form_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof gaussian_vectors / sizeof *gaussian_vectors; i++) {
        const struct gaussian_vector *v = &gaussian_vectors[i];
        char text[80];
        snprintf(text, sizeof text, "gaussian sigma=%g x%lu", v->sigma, v->k);
        dither_epsilons epsilons = account((const char *const[]){text}, 1, v->delta);
        assert_true(epsilons.pld.lower <= v->epsilon && v->epsilon <= epsilons.pld.upper);
        assert_true(epsilons.pld.upper - epsilons.pld.lower <= 1e-9 * v->epsilon);
        assert_true(isinf(epsilons.pure));
        assert_true(epsilons.pld.upper <= epsilons.rdp && epsilons.rdp <= epsilons.zcdp * (1 + 1e-9));
        assert_true(epsilons.zcdp < epsilons.basic || v->k == 1);
    }
}

/* The mixed benchmark's truth is from Laplace inversion with 25 digits (test_plan.c). */
static void several_texts_are_one_list(void **state)
{
    (void)state;
    const char *const mixed[] = {"laplace scale=10 x50", "gaussian sigma=10 x50"};
    dither_epsilons epsilons = account(mixed, 2, 1e-6);
    assert_true(epsilons.pld.lower <= 4.792545831408261845 && 4.792545831408261845 <= epsilons.pld.upper);
    assert_true(epsilons.pld.upper - epsilons.pld.lower <= 1e-4 * epsilons.pld.upper);
}

static void pure_epsilons_add_up(void **state)
{
    (void)state;
    dither_epsilons epsilons =
        account((const char *const[]){"pure epsilon=0.25 x8", "laplace scale=2"}, 2, 1e-6);
    assert_true(epsilons.pure >= 2.5 && epsilons.pure < 2.5 * (1 + 1e-14));
    assert_true(epsilons.basic <= epsilons.pure && epsilons.advanced <= epsilons.basic);
}

/* rho + 2 sqrt(rho log(1/delta)) is the plain conversion of Bun and Steinke 2016; ours is no worse. */
static void of_a_rho_alone_the_losses_are_not_known(void **state)
{
    (void)state;
    const char *const concentrated[] = {"concentrated rho=0.1"};
    dither_epsilons epsilons = account(concentrated, 1, 1e-6);
    assert_true(isnan(epsilons.pld.lower) && isnan(epsilons.pld.upper));
    assert_true(epsilons.zcdp > 0.1 && epsilons.zcdp <= 0.1 + 2 * sqrt(0.1 * 6 * log(10)));
    dither_range delta = {7, 8};
    dither_error why;
    assert_int_equal(dither_account_delta(concentrated, 1, 1, &delta, &why), DITHER_REFUSED);
    assert_true(delta.lower == 7 && delta.upper == 8);
}

static void delta_for_an_epsilon_is_exact_for_whole_numbers(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof discrete_gaussian_vectors / sizeof *discrete_gaussian_vectors; i++) {
        const struct discrete_gaussian_vector *v = &discrete_gaussian_vectors[i];
        if (v->delta < 1e-30 || (v->variance != 1 && v->variance != 4 && v->variance != 100))
            continue; /* a sigma that is no short decimal is not this test's business */
        char text[80];
        dither_range delta;
        dither_error why;
        snprintf(text, sizeof text, "discrete-gaussian sigma=%g", sqrt(v->variance));
        assert_int_equal(dither_account_delta((const char *const[]){text}, 1, v->epsilon, &delta, &why),
                         DITHER_OK);
        assert_true(delta.lower <= v->delta && v->delta <= delta.upper);
        assert_true(delta.upper - delta.lower <= 1e-6 * v->delta);
    }
}

/* Balle and Wang 2018, from 50 digits: k releases need sqrt(k) times the sigma of one. */
static void noise_is_found_for_a_target(void **state)
{
    (void)state;
    const char *const open[] = {"gaussian x100"}, *const given[] = {"gaussian sigma=2 x100"};
    const char *const laplace[] = {"laplace sensitivity=3 x20"};
    double truth = 10 * 5.100308787529927196, factor;
    const dither_cost promise = {.epsilon = 1, .delta = 1e-8};
    dither_error why;
    assert_int_equal(dither_account_noise(open, 1, promise, &factor, &why), DITHER_OK);
    assert_true(factor >= truth * (1 - 1e-9) && factor <= truth * (1 + 3e-6));
    assert_int_equal(dither_account_noise(given, 1, promise, &factor, &why), DITHER_OK);
    assert_true(factor >= truth / 2 * (1 - 1e-9) && factor <= truth / 2 * (1 + 3e-6));
    assert_int_equal(dither_account_noise(laplace, 1, (dither_cost){.epsilon = 2}, &factor, &why), DITHER_OK);
    assert_true(factor >= 30 && factor <= 30 * (1 + 3e-6));
}

static void a_target_that_cannot_be_is_refused(void **state)
{
    (void)state;
    double factor = -1;
    dither_error why;
    const char *const spent[] = {"pure epsilon=2", "laplace"}, *const gaussian[] = {"gaussian"};
    const dither_cost promise = {.epsilon = 1, .delta = 1e-6};
    assert_int_equal(dither_account_noise(spent, 2, promise, &factor, &why), DITHER_REFUSED);
    assert_int_equal(dither_account_noise(gaussian, 1, (dither_cost){.epsilon = 1}, &factor, &why),
                     DITHER_REFUSED);
    assert_int_equal(dither_account_noise(spent, 1, promise, &factor, &why), DITHER_INVALID);
    assert_int_equal(dither_account_noise(gaussian, 1, (dither_cost){.rho = 1}, &factor, &why),
                     DITHER_INVALID);
    assert_int_equal(dither_account_noise(gaussian, 1, (dither_cost){1, 1e-6, NAN}, &factor, &why),
                     DITHER_INVALID);
    assert_int_equal(dither_account_noise(gaussian, 1, (dither_cost){.delta = 1e-6}, &factor, &why),
                     DITHER_INVALID);
    assert_int_equal(dither_account_noise(NULL, 0, promise, &factor, &why), DITHER_INVALID);
    assert_true(factor == -1);
}

static void bad_lists_are_refused_and_the_message_says_which_text(void **state)
{
    (void)state;
    dither_epsilons epsilons = {.basic = -1};
    dither_range delta = {-1, -1};
    dither_error why;
    const char *const good[] = {"laplace scale=1", NULL, "gaussian sigma=-2", "poisson scale=1"};
    assert_int_equal(dither_account(good, 2, 1e-6, &epsilons, &why), DITHER_INVALID);
    assert_says(why, "release 2");
    assert_int_equal(dither_account(good + 2, 1, 1e-6, &epsilons, &why), DITHER_INVALID);
    assert_says(why, "release 1: gaussian: sigma");
    assert_int_equal(dither_account(good + 3, 1, 1e-6, &epsilons, &why), DITHER_INVALID);
    assert_says(why, "poisson");
    assert_int_equal(dither_account(NULL, 1, 1e-6, &epsilons, &why), DITHER_INVALID);
    assert_int_equal(dither_account(good, 0, 1e-6, &epsilons, &why), DITHER_INVALID);
    assert_int_equal(dither_account(good, SIZE_MAX, 1e-6, &epsilons, &why), DITHER_INVALID);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(dither_account(good, 1, (double[]){0, 1, -1, NAN}[i], &epsilons, &why),
                         DITHER_INVALID);
    assert_int_equal(dither_account_delta(good, 1, -1, &delta, &why), DITHER_INVALID);
    assert_int_equal(dither_account_delta(good, 1, NAN, &delta, NULL), DITHER_INVALID);
    assert_true(epsilons.basic == -1 && delta.lower == -1);
}

/* How often the release passes. */
static unsigned passes(dither_filter *filter, const char *release, unsigned most)
{
    unsigned count = 0;
    assert_non_null(filter);
    while (count < most && dither_filter_spend(filter, release, NULL) == DITHER_OK)
        count++;
    return count;
}

static void a_filter_lets_pass_what_fits_and_no_more(void **state)
{
    (void)state;
    dither_error why;
    dither_filter *pure = dither_filter_new(DITHER_PURE, (dither_cost){.epsilon = 1}, &why);
    assert_int_equal(passes(pure, "pure epsilon=0.125", 100), 8);
    assert_true(dither_filter_left(pure).epsilon == 0);
    assert_int_equal(dither_filter_spend(pure, "laplace scale=100", &why), DITHER_REFUSED);
    assert_says(why, "is left");
    dither_filter_free(pure);

    dither_filter *approximate =
        dither_filter_new(DITHER_APPROXIMATE, (dither_cost){.epsilon = 1, .delta = 0x1p-20}, &why);
    assert_int_equal(dither_filter_spend_cost(approximate, (dither_cost){0.25, 0x1p-21, 0}, &why), DITHER_OK);
    assert_int_equal(dither_filter_spend_cost(approximate, (dither_cost){0.25, 0x1p-19, 0}, &why),
                     DITHER_REFUSED);
    dither_cost left = dither_filter_left(approximate);
    assert_true(left.epsilon <= 0.75 && left.epsilon > 0.75 * (1 - 1e-14) && left.rho == 0);
    assert_true(left.delta <= 0x1p-21 && left.delta > 0x1p-21 * (1 - 1e-14));
    dither_filter_free(approximate);

    /* Gaussian noise of sigma 2 has rho 1/8. */
    dither_filter *concentrated = dither_filter_new(DITHER_CONCENTRATED, (dither_cost){.rho = 1.01}, &why);
    assert_int_equal(passes(concentrated, "gaussian sigma=2", 100), 8);
    left = dither_filter_left(concentrated);
    assert_true(left.rho > 0.0099 && left.rho <= 0.0101 && left.epsilon == 0);
    dither_filter_free(concentrated);
    dither_filter_free(NULL);
}

/* At order a, k releases of sigma have divergence a k / (2 sigma^2); what it is worth at delta (Canonne, Kamath,
 * Steinke 2020, Proposition 12) must not pass the limit, and one release more would. */
static void a_renyi_filter_holds_its_order(void **state)
{
    (void)state;
    const double order = 20, sigma = 10, delta = 1e-6;
    dither_error why;
    dither_filter *filter = dither_filter_new_renyi((dither_cost){.epsilon = 2, .delta = delta}, order, &why);
    unsigned count = passes(filter, "gaussian sigma=10", 1000);
    double constant = log1p(-1 / order) - log(delta * order) / (order - 1);
    assert_true(order * count / (2 * sigma * sigma) + constant <= 2);
    assert_true(order * (count + 1) / (2 * sigma * sigma) + constant > 2);
    assert_true(dither_filter_left(filter).epsilon < order / (2 * sigma * sigma));
    assert_int_equal(dither_filter_spend_cost(filter, (dither_cost){.epsilon = 1e-9}, &why), DITHER_REFUSED);
    dither_filter_free(filter);
}

static void a_mechanism_can_be_charged_as_it_is(void **state)
{
    (void)state;
    dither_error why;
    dither_mechanism *count = dither_mechanism_new("geometric", &(dither_options){.epsilon = 0.5}, &why);
    dither_filter *filter = dither_filter_new(DITHER_PURE, (dither_cost){.epsilon = 1}, &why);
    assert_true(count != NULL && filter != NULL);
    assert_int_equal(dither_filter_spend_cost(filter, dither_mechanism_cost(count), &why), DITHER_OK);
    assert_int_equal(dither_filter_spend_cost(filter, dither_mechanism_cost(count), &why), DITHER_OK);
    assert_int_equal(dither_filter_spend_cost(filter, dither_mechanism_cost(count), &why), DITHER_REFUSED);
    dither_filter_free(filter);
    dither_mechanism_free(count);
}

static void a_limit_in_another_currency_makes_no_filter(void **state)
{
    (void)state;
    dither_error why;
    static const struct {
        dither_currency currency;
        dither_cost limit;
    } bad[] = {{DITHER_PURE, {1, 1e-6, 0}},        {DITHER_PURE, {1, 0, 1}},
               {DITHER_PURE, {0, 0, 0}},           {DITHER_PURE, {NAN, 0, 0}},
               {DITHER_APPROXIMATE, {1, 1e-6, 1}}, {DITHER_APPROXIMATE, {1, 1, 0}},
               {DITHER_CONCENTRATED, {1, 0, 1}},   {DITHER_CONCENTRATED, {0, NAN, 1}},
               {(dither_currency)7, {1, 0, 0}}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_null(dither_filter_new(bad[i].currency, bad[i].limit, &why));
        assert_int_equal(why.status, DITHER_INVALID);
    }
    assert_null(dither_filter_new_renyi((dither_cost){.epsilon = 1}, 0, &why));
    assert_null(dither_filter_new_renyi((dither_cost){1, 1e-6, 1}, 0, &why));
    assert_null(dither_filter_new_renyi((dither_cost){1, 1e-6, 0}, 0.5, &why));
}

static void a_bad_charge_changes_nothing(void **state)
{
    (void)state;
    dither_error why;
    dither_filter *filter = dither_filter_new(DITHER_CONCENTRATED, (dither_cost){.rho = 1}, &why);
    assert_non_null(filter);
    static const dither_cost bad[] = {{0, 0, 0},  {0, 0, NAN}, {NAN, 0, 0},
                                      {2, 0, -1}, {-1, 0, 0},  {0, -1, 0.1}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(dither_filter_spend_cost(filter, bad[i], &why), DITHER_INVALID);
    assert_int_equal(dither_filter_spend_cost(filter, (dither_cost){0, 1e-9, 0.1}, &why), DITHER_REFUSED);
    assert_int_equal(dither_filter_spend_cost(filter, (dither_cost){INFINITY, 0, 0}, &why), DITHER_REFUSED);
    assert_int_equal(dither_filter_spend(filter, NULL, &why), DITHER_INVALID);
    assert_int_equal(dither_filter_spend(filter, "", &why), DITHER_INVALID);
    assert_int_equal(dither_filter_spend(filter, "gaussian", &why), DITHER_INVALID);
    assert_int_equal(dither_filter_spend_cost(filter, (dither_cost){.rho = 1}, &why), DITHER_OK);
    dither_filter_free(filter);
}

/* The n-th allocation fails, for n = 1, 2, ... until none does; the sanitizer sees what is left behind. */
static void without_memory_nothing_is_said_and_nothing_leaks(void **state)
{
    (void)state;
    const char *const releases[] = {"laplace scale=2 x3", "gaussian sigma=2"};
    dither_error why;
    dither_range delta = {-1, -1};
    dither_status status = DITHER_NO_MEMORY;
    unsigned failures = 0;
    for (uint64_t n = 1; status != DITHER_OK; n++) {
        memory_fail_at(n);
        status = dither_account_delta(releases, 2, 1, &delta, &why);
        if (status != DITHER_OK) {
            assert_int_equal(status, DITHER_NO_MEMORY);
            assert_true(delta.lower == -1);
            failures++;
        }
    }
    assert_true(failures >= 3);
    memory_fail_at(1);
    assert_null(dither_filter_new(DITHER_PURE, (dither_cost){.epsilon = 1}, &why));
    assert_int_equal(why.status, DITHER_NO_MEMORY);
    memory_fail_at(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaussian_noise_costs_what_the_closed_form_says),
        cmocka_unit_test(several_texts_are_one_list),
        cmocka_unit_test(pure_epsilons_add_up),
        cmocka_unit_test(of_a_rho_alone_the_losses_are_not_known),
        cmocka_unit_test(delta_for_an_epsilon_is_exact_for_whole_numbers),
        cmocka_unit_test(noise_is_found_for_a_target),
        cmocka_unit_test(a_target_that_cannot_be_is_refused),
        cmocka_unit_test(bad_lists_are_refused_and_the_message_says_which_text),
        cmocka_unit_test(a_filter_lets_pass_what_fits_and_no_more),
        cmocka_unit_test(a_renyi_filter_holds_its_order),
        cmocka_unit_test(a_mechanism_can_be_charged_as_it_is),
        cmocka_unit_test(a_limit_in_another_currency_makes_no_filter),
        cmocka_unit_test(a_bad_charge_changes_nothing),
        cmocka_unit_test(without_memory_nothing_is_said_and_nothing_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
