/* The laws with exponential weights, exponential and permute-and-flip: probabilities against independent
 * computations (the definition, all orders by enumeration, closed forms), the promise on all small
 * neighbours, samples against the probabilities, and the extremes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mechanism/choice.h"
#include "mechanism/permute_and_flip.h"
#include "mechanism/registry.h"
#include "tests/support/fixed_source.h"
#include "tests/support/law_check.h"
#include "tests/support/test.h"

static struct law weights_law(const struct law_family *family, double rate)
{
    return (struct law){.family = family, .rate = rational_from_double(rate)};
}

static const struct law_family *const families[] = {&law_exponential, &law_permute_and_flip};

/* ---- Levels and coins ---- */

static void a_level_is_a_bound_and_nearly_tight(void **state)
{
    (void)state;
    const double rates[] = {1e-300, 0x1p-60, 3e-7, 0.1, 0.5, 1, 17, 1e10, 1e300};
    const uint64_t gaps[] = {1, 2, 3, 61, 1000, 123456789, UINT64_C(1) << 40, UINT64_C(1) << 63};
    mpfr_t weight, power;
    mpfr_inits2(256, weight, power, (mpfr_ptr)0);
    for (size_t r = 0; r < sizeof rates / sizeof rates[0]; r++)
        for (size_t g = 0; g < sizeof gaps / sizeof gaps[0]; g++) {
            struct law law = weights_law(&law_exponential, rates[r]);
            struct choice choice;
            choice_init(&choice, &law, (const int64_t[]){0}, 1);
            int level = choice_level(&choice, gaps[g]);
            mpfr_set_uj(weight, gaps[g], MPFR_RNDN);
            mpfr_mul_d(weight, weight, -rates[r], MPFR_RNDN);
            mpfr_exp(weight, weight, MPFR_RNDU);
            mpfr_set_ui_2exp(power, 1, -level, MPFR_RNDN);
            assert_true(mpfr_lessequal_p(weight, power));
            mpfr_div_2ui(power, power, 1, MPFR_RNDN);
            mpfr_mul_d(power, power, 1 - 1e-9, MPFR_RNDN);
            assert_true(level == CHOICE_LEVELS - 1 || mpfr_greater_p(weight, power));
        }
    mpfr_clears(weight, power, (mpfr_ptr)0);
}

/* The coin of exp(-rate gap) 2^level says yes below that point and no above it: the words around it decide,
 * with the words that follow where they agree in 64 bits. */
static void a_coin_turns_exactly_at_its_bias(void **state)
{
    (void)state;
    const struct {
        double rate;
        uint64_t gap;
        int level;
    } cases[] = {{0.5, 1, 0}, {0.1, 70, 10}, {3e-7, 1000, 0}, {1, 43, 62}, {0.7, 700, 62}, {2.5, 300, 62}};
    mpfr_t bias;
    mpfr_init2(bias, 1400);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct law law = weights_law(&law_exponential, cases[i].rate);
        struct choice choice;
        choice_init(&choice, &law, (const int64_t[]){0}, 1);
        assert_true(cases[i].level <= choice_level(&choice, cases[i].gap));
        mpfr_set_d(bias, -cases[i].rate, MPFR_RNDN);
        mpfr_mul_ui(bias, bias, cases[i].gap, MPFR_RNDN);
        mpfr_exp(bias, bias, MPFR_RNDN);
        mpfr_mul_2si(bias, bias, cases[i].level, MPFR_RNDN);
        uint64_t words[20];
        for (int w = 0; w < 20; w++) {
            mpfr_mul_2ui(bias, bias, 64, MPFR_RNDN);
            words[w] = mpfr_get_uj(bias, MPFR_RNDD);
            mpfr_sub_ui(bias, bias, words[w], MPFR_RNDN);
        }
        int last = 0;
        while (words[last] == 0)
            last++; /* the first word in which the bias differs from 0 */
        for (int above = 0; above <= 1; above++) {
            uint64_t drawn[20];
            memcpy(drawn, words, sizeof drawn);
            drawn[last + 1] += above ? 1 : UINT64_MAX; /* agree in one word, then differ by 1 in the next */
            struct random *random = script_source(drawn, (size_t)last + 2);
            bool heads = false;
            assert_int_equal(choice_coin(&choice, random, cases[i].gap, cases[i].level, &heads, NULL),
                             DITHER_OK);
            assert_int_equal(heads, !above);
            random_close(random);
        }
    }
    mpfr_clear(bias);
}

/* ---- Probabilities ---- */

static void exponential_probabilities_are_the_definition(void **state)
{
    (void)state;
    const int64_t scores[] = {3, -1, 4, 1, -5, 9, 2, 6};
    enum { N = 8 };
    struct law law = weights_law(&law_exponential, 0.375);
    long double total = 0;
    for (int i = 0; i < N; i++)
        total += expl(0.375L * (long double)scores[i]);
    for (int i = 0; i < N; i++)
        law_check_probability(&law, scores, N, 0, i, (double)(expl(0.375L * (long double)scores[i]) / total),
                              1e-14);
    law_check_probability(&law, scores, N, 0, N, 0, 0);
    law_check_probability(&law, scores, N, 0, LAW_HIDDEN, 0, 0);
}

/* Adds up, over the orders in which the remaining choices can be looked at, the probability of taking
 * `wanted`. */
static double first_heads(const double *weights, unsigned remaining, int count, int wanted)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        if (remaining >> i & 1) {
            double taken = i == wanted ? weights[i] : 0;
            sum += taken + (1 - weights[i]) * first_heads(weights, remaining & ~(1u << i), count, wanted);
        }
    return remaining == 0 ? 0 : sum / __builtin_popcount(remaining);
}

static void permute_and_flip_probabilities_are_those_of_all_orders(void **state)
{
    (void)state;
    enum { N = 6 };
    const int64_t cases[][N] = {{0, 0, 0, 0, 0, 0},
                                {5, 4, 3, 2, 1, 0},
                                {7, 7, 3, 3, -20, 6},
                                {0, 1, 0, 1, 0, 1},
                                {9, -9, -9, -9, -9, 8}};
    struct law law = weights_law(&law_permute_and_flip, 0.25);
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        int64_t best = cases[c][0];
        double weights[N];
        for (int i = 0; i < N; i++)
            best = cases[c][i] > best ? cases[c][i] : best;
        for (int i = 0; i < N; i++)
            weights[i] = exp(-0.25 * (double)(best - cases[c][i]));
        for (int i = 0; i < N; i++)
            law_check_probability(&law, cases[c], N, 0, i, first_heads(weights, (1u << N) - 1, N, i), 1e-14);
        law_check_total(&law, cases[c], cases[0], N, 1e-13);
    }
}

/* k others of weight w: the best is taken with probability (1 - (1-w)^(k+1)) / ((k+1) w). On both sides of
 * the number of choices from which on the integral is enclosed instead of expanded. */
static void permute_and_flip_holds_the_closed_form_for_many_choices(void **state)
{
    (void)state;
    const size_t sizes[] = {2, 63, 64, 65, 200, 1000};
    const double widths[] = {1e-14, 1e-12, 1e-12, 2e-5, 2e-5, 2e-5};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        size_t n = sizes[s];
        int64_t *scores = calloc(n, sizeof *scores);
        assert_non_null(scores);
        scores[1] = 3;
        struct law law = weights_law(&law_permute_and_flip, 1);
        long double w = expl(-3);
        long double best = -expm1l((long double)n * log1pl(-w)) / ((long double)n * w);
        law_check_probability(&law, scores, n, 0, 1, (double)best, widths[s]);
        law_check_probability(&law, scores, n, 0, 0, (double)((1 - best) / (long double)(n - 1)), widths[s]);
        free(scores);
    }
}

static void permute_and_flip_is_never_worse(void **state)
{
    (void)state;
    struct law exponential = weights_law(&law_exponential, 0.5),
               flip = weights_law(&law_permute_and_flip, 0.5);
    for (int code = 0; code < 625; code++) {
        int64_t scores[4];
        for (int i = 0, rest = code; i < 4; i++, rest /= 5)
            scores[i] = rest % 5;
        double gained = 0;
        for (int i = 0; i < 4; i++)
            gained += (double)scores[i] *
                      (interval_middle(law_permute_and_flip.probability(&flip, scores, 4, 0, i)) -
                       interval_middle(law_exponential.probability(&exponential, scores, 4, 0, i)));
        assert_true(gained > -1e-13);
    }
}

/* ---- The promise ---- */

/* Scores up to 3 for three choices, each moved by up to the sensitivity: rate epsilon / (2 sensitivity). */
static void neighbours_are_within_epsilon(void **state)
{
    (void)state;
    const double epsilon = 0.75;
    for (size_t f = 0; f < 2; f++)
        for (int sensitivity = 1; sensitivity <= 2; sensitivity++) {
            struct law law = weights_law(families[f], epsilon / (2 * sensitivity));
            double worst = 0;
            for (int place = 0; place < 64; place++)
                for (int move = 0; move < 27; move++) {
                    int64_t left[3], right[3];
                    for (int i = 0, p = place, m = move; i < 3; i++, p /= 4, m /= 3) {
                        left[i] = p % 4;
                        right[i] = left[i] + sensitivity * (m % 3 - 1);
                    }
                    worst = fmax(worst, law_check_ratio(&law, left, right, 3, 0));
                }
            assert_true(worst <= exp(epsilon) * (1 + 1e-12));
            assert_true(worst >= exp(0.8 * epsilon)); /* nothing is wasted: the check can fail */
        }
}

/* P(first, then second): the first leaves the scores, as in curator/noise.c. */
static double two_picks(const struct law *law, const int64_t *scores, int first, int second)
{
    int64_t left[2];
    int places[2];
    for (int i = 0, n = 0; i < 3; i++)
        if (i != first) {
            left[n] = scores[i];
            places[n++] = i;
        }
    double one = law_permute_and_flip.probability(law, scores, 3, 0, first).lower;
    return one * law_permute_and_flip.probability(law, left, 2, 0, places[0] == second ? 0 : 1).lower;
}

/* Scores that one person more moves by 0 to `sensitivity`, all in one direction, both ways: rate epsilon /
 * sensitivity is enough for a choice, and for two choices with epsilon each. For scores that move both ways it is
 * not, so the check can fail. */
static void scores_that_move_one_way_need_half_the_noise(void **state)
{
    (void)state;
    const double epsilon = 0.75;
    for (int sensitivity = 1; sensitivity <= 2; sensitivity++) {
        struct mechanism mechanism;
        assert_int_equal(
            mechanism_init(&mechanism, &mechanism_permute_and_flip,
                           &(dither_options){.epsilon = epsilon, .sensitivity = sensitivity, .grid = 1},
                           NULL),
            DITHER_OK);
        assert_true(mechanism.kind->scale(&mechanism) == 2 * sensitivity / epsilon);
        permute_and_flip_one_way(&mechanism);
        assert_true(mechanism.kind->scale(&mechanism) == sensitivity / epsilon);
        const struct law *law = &mechanism.law;
        double worst = 0, worst_pair = 0, both_ways = 0;
        for (int place = 0; place < 64; place++)
            for (int move = 0; move < 27; move++) {
                int64_t left[3], right[3], apart[3];
                for (int i = 0, p = place, m = move; i < 3; i++, p /= 4, m /= 3) {
                    left[i] = p % 4;
                    right[i] = left[i] + (m % 3 < sensitivity ? m % 3 : sensitivity);
                    apart[i] = left[i] + sensitivity * (m % 3 - 1);
                }
                worst = fmax(worst, law_check_ratio(law, left, right, 3, 0));
                worst = fmax(worst, law_check_ratio(law, right, left, 3, 0));
                both_ways = fmax(both_ways, law_check_ratio(law, left, apart, 3, 0));
                for (int first = 0; first < 3; first++)
                    for (int second = 0; second < 3; second++) {
                        if (first == second)
                            continue;
                        double ratio =
                            two_picks(law, left, first, second) / two_picks(law, right, first, second);
                        worst_pair = fmax(worst_pair, fmax(ratio, 1 / ratio));
                    }
            }
        assert_true(worst <= exp(epsilon) * (1 + 1e-12) && worst >= exp(0.8 * epsilon));
        assert_true(worst_pair <= exp(2 * epsilon) * (1 + 1e-9) && worst_pair >= exp(epsilon));
        assert_true(both_ways > exp(1.2 * epsilon));
    }
}

/* ---- Samples ---- */

static void samples_fit(void **state)
{
    (void)state;
    const struct {
        double rate;
        int64_t scores[8];
    } cases[] = {
        {1, {0, 0, 0, 0, 0, 0, 0, 0}},
        {0.5, {0, 1, 2, 3, 4, 5, 6, 7}},
        {0.01, {100, 0, 50, 99, 98, 1, 2, 3}},
        {0.001, {-4000, -4000, -4000, 0, -4000, -4000, -4000, -4000}}, /* level 5 */
        {3, {1, 1, 0, 0, 0, 0, -1, -100000}},
        {1e-17, {0, 100000000000000000, 300000000000000000, 1, 2, -300000000000000000, 4, 5}},
    };
    for (size_t f = 0; f < 2; f++)
        for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
            struct law law = weights_law(families[f], cases[c].rate);
            law_check_fit(&law, cases[c].scores, 8, 0, 8, 20000, 100 + c);
        }
}

/* Four hundred choices of weight about 1/200 together outweigh the best one: they share one level. */
static void samples_of_many_light_choices_fit(void **state)
{
    (void)state;
    enum { N = 400, SOME = 60 };
    int64_t scores[N];
    for (int i = 0; i < N; i++)
        scores[i] = -52 - i % 3;
    scores[30] = 0;
    struct law exponential = weights_law(&law_exponential, 0.1),
               flip = weights_law(&law_permute_and_flip, 0.1);
    law_check_fit(&exponential, scores, N, 0, 100, 10000, 7);
    law_check_fit(&flip, scores, SOME, 0, SOME, 10000, 8);
}

/* ---- Extremes ---- */

static int64_t draw(const struct law *law, const int64_t *scores, size_t n, uint64_t seed)
{
    struct random *random = fixed_source(seed);
    int64_t outcome = -1;
    assert_int_equal(law->family->sample(law, random, scores, n, &outcome, NULL), DITHER_OK);
    random_close(random);
    return outcome;
}

static void the_only_choice_is_taken(void **state)
{
    (void)state;
    const int64_t score = -12345;
    for (size_t f = 0; f < 2; f++) {
        struct law law = weights_law(families[f], 1);
        assert_int_equal(draw(&law, &score, 1, 1), 0);
        law_check_probability(&law, &score, 1, 0, 0, 1, 1e-15);
    }
}

static void the_widest_gap_there_is_leaves_no_chance(void **state)
{
    (void)state;
    const int64_t limit = INT64_C(1) << 62;
    const int64_t scores[] = {-limit, limit, -limit};
    for (size_t f = 0; f < 2; f++) {
        struct law law = weights_law(families[f], 1);
        for (uint64_t seed = 0; seed < 20; seed++)
            assert_int_equal(draw(&law, scores, 3, seed), 1);
        law_check_probability(&law, scores, 3, 0, 1, 1, 1e-14);
        law_check_total(&law, scores, scores, 3, 1e-14);
    }
}

static void a_rate_near_zero_makes_all_equal(void **state)
{
    (void)state;
    const int64_t scores[] = {0, 1000, -1000, 5};
    for (size_t f = 0; f < 2; f++) {
        struct law law = weights_law(families[f], 1e-300);
        for (int i = 0; i < 4; i++)
            law_check_probability(&law, scores, 4, 0, i, 0.25, 1e-14);
        law_check_fit(&law, scores, 4, 0, 4, 20000, 3);
    }
}

static void without_random_bits_there_is_no_choice(void **state)
{
    (void)state;
    const int64_t scores[] = {0, 1, 2};
    for (size_t f = 0; f < 2; f++) {
        struct law law = weights_law(families[f], 0.5);
        struct random *random = script_source(NULL, 0);
        int64_t outcome = 0;
        error why;
        assert_int_equal(families[f]->sample(&law, random, scores, 3, &outcome, &why), DITHER_NO_ENTROPY);
        random_close(random);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_level_is_a_bound_and_nearly_tight),
        cmocka_unit_test(a_coin_turns_exactly_at_its_bias),
        cmocka_unit_test(exponential_probabilities_are_the_definition),
        cmocka_unit_test(permute_and_flip_probabilities_are_those_of_all_orders),
        cmocka_unit_test(permute_and_flip_holds_the_closed_form_for_many_choices),
        cmocka_unit_test(permute_and_flip_is_never_worse),
        cmocka_unit_test(neighbours_are_within_epsilon),
        cmocka_unit_test(scores_that_move_one_way_need_half_the_noise),
        cmocka_unit_test(samples_fit),
        cmocka_unit_test(samples_of_many_light_choices_fit),
        cmocka_unit_test(the_only_choice_is_taken),
        cmocka_unit_test(the_widest_gap_there_is_leaves_no_chance),
        cmocka_unit_test(a_rate_near_zero_makes_all_equal),
        cmocka_unit_test(without_random_bits_there_is_no_choice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
