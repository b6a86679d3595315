/* The laws that decide which keys are shown, select and threshold: probabilities against the recursion,
 * reference values and the truncated geometric law; the promise on all small counts; samples against the
 * probabilities. */
#include <math.h>
#include <stdlib.h>

#include "tests/support/fixed_source.h"
#include "tests/support/law_check.h"
#include "tests/support/test.h"

static struct law select_law(double epsilon, double delta)
{
    return (struct law){.family = &law_select, .epsilon = epsilon, .delta = delta};
}

static struct law threshold_law(double scale, int64_t threshold)
{
    struct law law = {.family = &law_threshold, .threshold = threshold};
    assert_int_equal(geometric_init(&law.noise, rational_from_double(scale), NULL), DITHER_OK);
    return law;
}

static struct interval keep(const struct law *law, int64_t people)
{
    return law_select.probability(law, &people, 1, 0, 1);
}

static struct interval hide(const struct law *law, int64_t people)
{
    return law_select.probability(law, &people, 1, 0, LAW_HIDDEN);
}

/* ---- Select ---- */

/* Computed elsewhere from the recursion with 50 digits. */
static const struct {
    double epsilon, delta;
    int64_t people;
    double keep;
} reference[] = {
    {0.1, 1e-10, 1, 1.0e-10},
    {0.1, 1e-10, 2, 2.105170918075647624811708e-10},
    {0.1, 1e-10, 3, 3.32657367623581745873278e-10},
    {0.1, 1e-10, 5, 6.168257181453090880541377e-10},
    {0.1, 1e-10, 10, 1.633799399966362179226961e-9},
    {0.1, 1e-10, 11, 1.90562758281226670276299e-9},
    {0.1, 1e-10, 12, 2.20604418520691001396883e-9},
    {0.1, 1e-10, 13, 2.538055877480564762921907e-9},
    {0.1, 1e-10, 15, 3.310505540926956643690067e-9},
    {0.1, 1e-10, 20, 6.074926620242216132375143e-9},
    {0.1, 1e-10, 50, 0.000000140165324977523600455791},
    {0.1, 1e-10, 100, 0.00002094254400153108809476479},
    {0.1, 1e-10, 200, 0.4613111716499606227881848},
    {0.1, 1e-10, 250, 0.996349892127139289321725},
    {0.1, 1e-10, 400, 0.9999999998342564352253497},
    {0.1, 1e-5, 1, 0.00001},
    {0.1, 1e-5, 2, 0.00002105170918075647624811708},
    {0.1, 1e-5, 3, 0.0000332657367623581745873278},
    {0.1, 1e-5, 5, 0.00006168257181453090880541377},
    {0.1, 1e-5, 10, 0.0001633799399966362179226961},
    {0.1, 1e-5, 11, 0.000190562758281226670276299},
    {0.1, 1e-5, 12, 0.000220604418520691001396883},
    {0.1, 1e-5, 13, 0.0002538055877480564762921907},
    {0.1, 1e-5, 15, 0.0003310505540926956643690067},
    {0.1, 1e-5, 20, 0.0006074926620242216132375143},
    {0.1, 1e-5, 50, 0.0140165324977523600455791},
    {0.1, 1e-5, 100, 0.8808087481111057249551784},
    {0.5, 1e-10, 1, 1.0e-10},
    {0.5, 1e-10, 2, 2.648721270700128146848651e-10},
    {0.5, 1e-10, 3, 5.367003099159173382208938e-10},
    {0.5, 1e-10, 5, 1.723774826842788843204142e-9},
    {0.5, 1e-10, 10, 2.272365124446773959899191e-8},
    {0.5, 1e-10, 11, 3.756496715472539994110347e-8},
    {0.5, 1e-10, 12, 6.203416038114743873262236e-8},
    {0.5, 1e-10, 13, 0.0000001023770397304209509934611},
    {0.5, 1e-10, 15, 0.0000002785545188777029949892293},
    {0.5, 1e-10, 20, 0.000003395212518781121209058281},
    {0.5, 1e-10, 50, 0.9777258728481666765546569},
    {0.5, 1e-5, 1, 0.00001},
    {0.5, 1e-5, 2, 0.00002648721270700128146848651},
    {0.5, 1e-5, 3, 0.00005367003099159173382208938},
    {0.5, 1e-5, 5, 0.0001723774826842788843204142},
    {0.5, 1e-5, 10, 0.002272365124446773959899191},
    {0.5, 1e-5, 11, 0.003756496715472539994110347},
    {0.5, 1e-5, 12, 0.006203416038114743873262236},
    {0.5, 1e-5, 13, 0.01023770397304209509934611},
    {0.5, 1e-5, 15, 0.02785545188777029949892293},
    {0.5, 1e-5, 20, 0.3395212518781121209058281},
    {1, 1e-10, 1, 1.0e-10},
    {1, 1e-10, 2, 3.718281828459045235360287e-10},
    {1, 1e-10, 3, 1.110733792738969546259071e-9},
    {1, 1e-10, 5, 8.579102488372160228162951e-9},
    {1, 1e-10, 10, 0.000001281830805052460421002844},
    {1, 1e-10, 11, 0.000003484477384533132072698634},
    {1, 1e-10, 12, 0.000009471891556052913918231283},
    {1, 1e-10, 13, 0.0000257473706979533059990318},
    {1, 1e-10, 15, 0.0001902491383153230341065658},
    {1, 1e-10, 20, 0.02823548421302262838156025},
    {1, 1e-5, 1, 0.00001},
    {1, 1e-5, 2, 0.00003718281828459045235360287},
    {1, 1e-5, 3, 0.0001110733792738969546259071},
    {1, 1e-5, 5, 0.0008579102488372160228162951},
    {1, 1e-5, 10, 0.1281830805052460421002844},
    {1, 1e-5, 11, 0.3484477384533132072698634},
    {1, 1e-5, 12, 0.7603109969226271493511926},
    {1, 1e-5, 13, 0.9118270222873676712294547},
    {1, 1e-5, 15, 0.9880721172346894460521286},
    {1, 1e-5, 20, 0.9999254111119026698762535},
    {1.0986122886681098, 1e-10, 1, 1.0e-10},
    {1.0986122886681098, 1e-10, 2, 4.000000000000000325814264e-10},
    {1.0986122886681098, 1e-10, 3, 1.300000000000000228069985e-9},
    {1.0986122886681098, 1e-10, 5, 1.210000000000000462656255e-8},
    {1.0986122886681098, 1e-10, 10, 0.000002952400000000002725534065},
    {1.0986122886681098, 1e-10, 11, 0.000008857300000000009138536229},
    {1.0986122886681098, 1e-10, 12, 0.00002657200000000003030144337},
    {1.0986122886681098, 1e-10, 13, 0.00007971610000000009956186674},
    {1.0986122886681098, 1e-10, 15, 0.0007174453000000010518926881},
    {1.0986122886681098, 1e-10, 20, 0.1743392200000003502802624},
    {1.0986122886681098, 1e-5, 1, 0.00001},
    {1.0986122886681098, 1e-5, 2, 0.00004000000000000000325814264},
    {1.0986122886681098, 1e-5, 3, 0.0001300000000000000228069985},
    {1.0986122886681098, 1e-5, 5, 0.001210000000000000462656255},
    {1.0986122886681098, 1e-5, 10, 0.2952400000000002725534065},
    {1.0986122886681098, 1e-5, 11, 0.7650833333333334496975358},
    {1.0986122886681098, 1e-5, 12, 0.9216977777777778250698389},
    {1.0986122886681098, 1e-5, 13, 0.9739025925925926111909155},
    {1.0986122886681098, 1e-5, 15, 0.9971047325102880685393434},
    {1.0986122886681098, 1e-5, 20, 0.9999930647428406916457495},
    {3, 1e-10, 1, 1.0e-10},
    {3, 1e-10, 2, 2.108553692318766774092853e-9},
    {3, 1e-10, 3, 4.245143304159227903493157e-8},
    {3, 1e-10, 5, 0.00001712823896769952276060645},
    {3, 1e-10, 10, 0.9978652778100017162725517},
    {3, 1e-10, 11, 0.9998937184453588660429864},
    {3, 1e-10, 12, 0.9999947085579515458331152},
    {3, 1e-10, 13, 0.9999997365595916758591488},
    {3, 1e-10, 15, 0.9999999993522230964991146},
    {3, 1e-5, 1, 0.00001},
    {3, 1e-5, 2, 0.0002108553692318766774092853},
    {3, 1e-5, 3, 0.004245143304159227903493157},
    {3, 1e-5, 5, 0.9544590706776626422030103},
};

static void keep_probabilities_are_the_reference_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof reference / sizeof reference[0]; i++) {
        struct law law = select_law(reference[i].epsilon, reference[i].delta);
        struct interval found = keep(&law, reference[i].people);
        assert_true(fabs(interval_middle(found) - reference[i].keep) <= 1e-13 * reference[i].keep);
        assert_true(found.upper - found.lower <= 1e-15 * reference[i].keep);
    }
}

static const struct {
    double epsilon, delta;
    int64_t half, sure; /* the least numbers of people with probability at least 1/2, and 1 */
} reference_steps[] = {
    {0.1, 1e-10, 201, 402},
    {0.1, 1e-5, 86, 172},
    {0.5, 1e-10, 44, 88},
    {0.5, 1e-5, 21, 42},
    {1, 1e-10, 23, 46},
    {1, 1e-5, 12, 23},
    {1.0986122886681098, 1e-10, 21, 42},
    {1.0986122886681098, 1e-5, 11, 21},
    {3, 1e-10, 9, 17},
    {3, 1e-5, 5, 9},
};

static void half_and_certainty_come_at_the_reference_counts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof reference_steps / sizeof reference_steps[0]; i++) {
        struct law law = select_law(reference_steps[i].epsilon, reference_steps[i].delta);
        assert_true(keep(&law, reference_steps[i].half).lower >= 0.5);
        assert_true(keep(&law, reference_steps[i].half - 1).upper < 0.5);
        assert_true(keep(&law, reference_steps[i].sure).lower == 1);
        assert_true(keep(&law, reference_steps[i].sure - 1).upper < 1);
    }
}

/* The recursion itself, step by step with 400 bits, against the closed form; also where the two lines cross
 * exactly on a step, which puts the floor in doubt, and for odd parameters. */
static void the_closed_form_follows_the_recursion(void **state)
{
    (void)state;
    const struct {
        double epsilon, delta;
    } cases[] = {{0.7, 0.01},   {0.001, 1e-3}, {1e-6, 0.5},   {40, 1e-12},
                 {256, 1e-250}, {2, 0.9},      {0.25, 1e-290}};
    mpfr_t value, rising, growth;
    mpfr_inits2(400, value, rising, growth, (mpfr_ptr)0);
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct law law = select_law(cases[c].epsilon, cases[c].delta);
        mpfr_set_d(growth, cases[c].epsilon, MPFR_RNDN);
        mpfr_exp(growth, growth, MPFR_RNDN);
        mpfr_set_zero(value, 1);
        for (int64_t n = 1; n <= 3000; n++) {
            mpfr_mul(rising, value, growth, MPFR_RNDN);
            mpfr_add_d(rising, rising, cases[c].delta, MPFR_RNDN);
            mpfr_ui_sub(value, 1, value, MPFR_RNDN);
            mpfr_sub_d(value, value, cases[c].delta, MPFR_RNDN);
            mpfr_div(value, value, growth, MPFR_RNDN);
            mpfr_ui_sub(value, 1, value, MPFR_RNDN);
            mpfr_min(value, value, rising, MPFR_RNDN);
            if (mpfr_cmp_ui(value, 1) > 0)
                mpfr_set_ui(value, 1, MPFR_RNDN);
            if (n > 40 && n % 97 != 0)
                continue;
            double expected = mpfr_get_d(value, MPFR_RNDN);
            struct interval found = keep(&law, n), rest = hide(&law, n);
            assert_true(found.lower <= expected * (1 + 1e-15) && expected <= found.upper * (1 + 1e-15));
            assert_true(found.upper - found.lower <= 5e-16 * expected);
            mpfr_ui_sub(rising, 1, value, MPFR_RNDN);
            expected = mpfr_get_d(rising, MPFR_RNDN);
            assert_true(fabs(interval_middle(rest) - expected) <= 1e-14 * expected + 1e-100);
        }
    }
    mpfr_clears(value, rising, growth, (mpfr_ptr)0);
}

/* For a delta that makes y a whole number k, the noise of the truncated symmetric geometric law on -k..k,
 * added to the count and compared with k + 1, shows a key with the very same probability. */
static void it_is_a_threshold_on_truncated_geometric_noise(void **state)
{
    (void)state;
    const double epsilon = 0.5;
    for (int k = 1; k <= 12; k++) {
        double total = 0;
        for (int x = -k; x <= k; x++)
            total += exp(-epsilon * abs(x));
        double delta = exp(-epsilon * k) / total;
        struct law law = select_law(epsilon, delta);
        double shown = 0;
        for (int n = 1; n <= 2 * k + 1; n++) {
            shown += exp(-epsilon * abs(k + 1 - n)) / total; /* P(n + X >= k + 1) */
            assert_true(fabs(interval_middle(keep(&law, n)) - shown) < 1e-13);
        }
        assert_true(fabs(shown - 1) < 1e-13);
    }
}

/* Both inequalities of (epsilon, delta), in both directions, hold for n and n + 1 people, and one of them is
 * tight at every step until the key is always shown: it could not be shown more often. */
static void one_person_more_or_less_is_within_epsilon_and_delta(void **state)
{
    (void)state;
    const double epsilon = 0.4, delta = 1e-4, growth = exp(0.4);
    struct law law = select_law(epsilon, delta);
    for (int64_t n = 0; n < 60; n++) {
        double less = interval_middle(keep(&law, n)), more = interval_middle(keep(&law, n + 1));
        double less_hidden = interval_middle(hide(&law, n)), more_hidden = interval_middle(hide(&law, n + 1));
        double slack[] = {growth * less + delta - more, growth * more + delta - less,
                          growth * more_hidden + delta - less_hidden,
                          growth * less_hidden + delta - more_hidden};
        double least = 1;
        for (int i = 0; i < 4; i++) {
            assert_true(slack[i] > -1e-14);
            least = fmin(least, slack[i]);
        }
        assert_true(more == 1 || least < 1e-14);
    }
}

static void a_key_that_nobody_has_is_never_shown(void **state)
{
    (void)state;
    const int64_t counts[] = {0, 0, 0, -5};
    const struct law laws[] = {select_law(3, 0.9), threshold_law(5, -100)};
    for (size_t i = 0; i < 2; i++) {
        struct random *random = fixed_source(1);
        for (int draw = 0; draw < 200; draw++) {
            int64_t outcome[4];
            assert_int_equal(laws[i].family->sample(&laws[i], random, counts, 4, outcome, NULL), DITHER_OK);
            for (int j = 0; j < 4; j++)
                assert_true(outcome[j] == LAW_HIDDEN);
        }
        random_close(random);
        law_check_probability(&laws[i], counts, 4, 0, LAW_HIDDEN, 1, 0);
        law_check_probability(&laws[i], counts, 4, 0, 1, 0, 0);
    }
}

static void a_crowd_is_always_shown(void **state)
{
    (void)state;
    const int64_t counts[] = {INT64_C(1) << 62, 1000};
    struct law law = select_law(1, 1e-5);
    struct random *random = fixed_source(2);
    for (int draw = 0; draw < 200; draw++) {
        int64_t outcome[2];
        assert_int_equal(law_select.sample(&law, random, counts, 2, outcome, NULL), DITHER_OK);
        assert_true(outcome[0] == 1 && outcome[1] == 1);
    }
    random_close(random);
    assert_true(keep(&law, counts[0]).lower == 1 && hide(&law, counts[0]).upper == 0);
}

static void selections_fit(void **state)
{
    (void)state;
    const int64_t counts[] = {1, 4, 8, 11, 12, 14, 40};
    struct law law = select_law(0.5, 0.01);
    for (size_t key = 0; key < 7; key++)
        law_check_fit(&law, counts, 7, key, 2, 8000, 60 + key);
}

/* The word of a toss is compared with the probability: the words next to it decide as the exact value says,
 * not as a double near it does. */
static void a_selection_turns_exactly_at_its_probability(void **state)
{
    (void)state;
    const struct {
        double epsilon, delta;
        int64_t people;
    } cases[] = {{0.5, 1e-3, 3}, {0.5, 1e-3, 16}, {1, 0x1p-20, 1}, {256, 1e-250, 2}, {0.1, 1e-5, 86}};
    mpfr_t value, growth, rising;
    mpfr_inits2(600, value, growth, rising, (mpfr_ptr)0);
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        mpfr_set_d(growth, cases[c].epsilon, MPFR_RNDN);
        mpfr_exp(growth, growth, MPFR_RNDN);
        mpfr_set_zero(value, 1);
        for (int64_t n = 0; n < cases[c].people; n++) {
            mpfr_mul(rising, value, growth, MPFR_RNDN);
            mpfr_add_d(rising, rising, cases[c].delta, MPFR_RNDN);
            mpfr_ui_sub(value, 1, value, MPFR_RNDN);
            mpfr_sub_d(value, value, cases[c].delta, MPFR_RNDN);
            mpfr_div(value, value, growth, MPFR_RNDN);
            mpfr_ui_sub(value, 1, value, MPFR_RNDN);
            mpfr_min(value, value, rising, MPFR_RNDN);
        }
        uint64_t words[2];
        for (int w = 0; w < 2; w++) {
            mpfr_mul_2ui(value, value, 64, MPFR_RNDN);
            words[w] = mpfr_get_uj(value, MPFR_RNDD);
            mpfr_sub_ui(value, value, words[w], MPFR_RNDN);
        }
        struct law law = select_law(cases[c].epsilon, cases[c].delta);
        for (int above = words[1] == 0; above <= 1; above++) {
            const uint64_t drawn[] = {words[0], above ? words[1] + (words[1] < UINT64_MAX) : words[1] - 1};
            struct random *random = script_source(drawn, 2);
            int64_t outcome = 0;
            assert_int_equal(law_select.sample(&law, random, &cases[c].people, 1, &outcome, NULL), DITHER_OK);
            bool shown = outcome == 1;
            assert_true(shown != above || drawn[1] == words[1]);
            random_close(random);
        }
    }
    mpfr_clears(value, growth, rising, (mpfr_ptr)0);
}

/* ---- Threshold ---- */

static void shown_counts_have_the_law_of_the_noise(void **state)
{
    (void)state;
    const double scale = 2;
    struct law law = threshold_law(scale, 5);
    const int64_t count = 4;
    double hidden = 1;
    for (int64_t value = 5; value < 200; value++) {
        double expected = tanh(0.5 / scale) * exp(-fabs((double)(value - count)) / scale);
        struct interval found = law_threshold.probability(&law, &count, 1, 0, value);
        assert_true(fabs(interval_middle(found) - expected) <= 1e-13 * expected);
        hidden -= expected;
    }
    assert_true(fabs(interval_middle(law_threshold.probability(&law, &count, 1, 0, LAW_HIDDEN)) - hidden) <
                1e-13);
    law_check_probability(&law, &count, 1, 0, 4, 0, 0);
}

static void cells_cover_all_answers(void **state)
{
    (void)state;
    for (int64_t threshold = -3; threshold <= 12; threshold++) {
        struct law law = threshold_law(1.5, threshold);
        for (int64_t left = 0; left <= 8; left++)
            for (int64_t right = 0; right <= 8; right++)
                law_check_total(&law, &left, &right, 1, 1e-12);
    }
}

/* Keys that somebody else has too: the ratio is within 1/scale either way. A key that is only one person's
 * can be told by being shown, with probability P(1 + Z >= threshold). */
static void a_shared_key_costs_one_over_the_scale(void **state)
{
    (void)state;
    struct law law = threshold_law(2, 6);
    for (int64_t count = 1; count < 20; count++) {
        int64_t more = count + 1;
        assert_true(law_check_ratio(&law, &count, &more, 1, 0) <= exp(0.5) * (1 + 1e-12));
        assert_true(law_check_ratio(&law, &more, &count, 1, 0) <= exp(0.5) * (1 + 1e-12));
        assert_true(law_check_ratio(&law, &more, &count, 1, 0) >= exp(0.5) * (1 - 1e-12));
    }
    const int64_t nobody = 0, one = 1;
    assert_true(isinf(law_check_ratio(&law, &one, &nobody, 1, 0)));
}

static void noisy_counts_fit(void **state)
{
    (void)state;
    const int64_t counts[] = {1, 6, 12};
    struct law law = threshold_law(2, 5);
    for (size_t key = 0; key < 3; key++)
        law_check_fit(&law, counts, 3, key, 30, 20000, 80 + key);
}

static void counts_far_apart_are_not_vouched_for(void **state)
{
    (void)state;
    const int64_t left = 1, right = INT64_C(1) << 62;
    struct law law = threshold_law(2, 5);
    assert_true(isinf(law_check_ratio(&law, &left, &right, 1, 0)));
}

static void without_random_bits_no_key_is_shown(void **state)
{
    (void)state;
    const int64_t counts[] = {3, 5};
    const struct law laws[] = {select_law(1, 0.1), threshold_law(1, 4)};
    for (size_t i = 0; i < 2; i++) {
        struct random *random = script_source(NULL, 0);
        int64_t outcome[2];
        assert_int_equal(laws[i].family->sample(&laws[i], random, counts, 2, outcome, NULL),
                         DITHER_NO_ENTROPY);
        random_close(random);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keep_probabilities_are_the_reference_values),
        cmocka_unit_test(half_and_certainty_come_at_the_reference_counts),
        cmocka_unit_test(the_closed_form_follows_the_recursion),
        cmocka_unit_test(it_is_a_threshold_on_truncated_geometric_noise),
        cmocka_unit_test(one_person_more_or_less_is_within_epsilon_and_delta),
        cmocka_unit_test(a_key_that_nobody_has_is_never_shown),
        cmocka_unit_test(a_crowd_is_always_shown),
        cmocka_unit_test(selections_fit),
        cmocka_unit_test(a_selection_turns_exactly_at_its_probability),
        cmocka_unit_test(shown_counts_have_the_law_of_the_noise),
        cmocka_unit_test(cells_cover_all_answers),
        cmocka_unit_test(a_shared_key_costs_one_over_the_scale),
        cmocka_unit_test(noisy_counts_fit),
        cmocka_unit_test(counts_far_apart_are_not_vouched_for),
        cmocka_unit_test(without_random_bits_no_key_is_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
