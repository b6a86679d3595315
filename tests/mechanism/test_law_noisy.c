/* The laws that compare noisy numbers, noisy-max and above-threshold: probabilities against the enumeration
 * of all noises, closed forms, the promise on all small neighbours, samples against the probabilities,
 * extremes; and the noise below them, which does not wrap. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mechanism/noise_table.h"
#include "mechanism/wide_noise.h"
#include "tests/support/fit.h"
#include "tests/support/fixed_source.h"
#include "tests/support/law_check.h"
#include "tests/support/test.h"

static struct geometric noise_of(double scale)
{
    struct geometric noise;
    assert_int_equal(geometric_init(&noise, rational_from_double(scale), NULL), DITHER_OK);
    return noise;
}

static struct law noisy_max(double scale)
{
    return (struct law){.family = &law_noisy_max, .noise = noise_of(scale)};
}

static struct law above_threshold(double scale, int64_t threshold)
{
    return (struct law){.family = &law_above_threshold,
                        .noise = noise_of(scale),
                        .query_noise = noise_of(2 * scale),
                        .threshold = threshold};
}

static double mass(double scale, int k)
{
    return tanh(0.5 / scale) * exp(-abs(k) / scale);
}

/* ---- Noise ---- */

static void the_table_holds_the_law(void **state)
{
    (void)state;
    const double scales[] = {0x1p-20, 0.3, 1, 7.5, 1e6, 0x1p50};
    const int64_t places[] = {0, 1, 2, 510, 511, 512, 5000, INT64_C(1) << 62};
    mpfr_t q, value;
    mpfr_inits2(300, q, value, (mpfr_ptr)0);
    for (size_t s = 0; s < sizeof scales / sizeof scales[0]; s++) {
        struct geometric noise = noise_of(scales[s]);
        struct noise_table table;
        noise_table_init(&table, &noise, NOISE_TABLE_SIZE);
        for (size_t p = 0; p < sizeof places / sizeof places[0]; p++) {
            mpfr_set_d(q, -1 / scales[s], MPFR_RNDN); /* the scales with a large 1 - q are exact to 1e-16 */
            mpfr_mul_d(value, q, (double)places[p], MPFR_RNDN);
            mpfr_exp(value, value, MPFR_RNDN); /* q^k */
            mpfr_exp(q, q, MPFR_RNDN);
            mpfr_add_ui(q, q, 1, MPFR_RNDN);
            mpfr_div(value, value, q, MPFR_RNDN); /* P(Z >= k) */
            double tail = mpfr_get_d(value, MPFR_RNDN);
            struct interval found = noise_table_at_least(&table, places[p]);
            double slack = 1e-13 * tail * fmax(1, fmin(700, (double)places[p] / scales[s]));
            assert_true(found.lower - slack <= tail && tail <= found.upper + slack);
            assert_true(found.upper - found.lower <= 1e-11 * tail + 1e-320);
            struct interval rest = noise_table_at_most(&table, (int128_t)places[p] - 1);
            assert_true(rest.lower + found.lower <= 1 && rest.upper + found.upper >= 1);
            struct interval mirrored = noise_table_mass(&table, -(int128_t)places[p]);
            struct interval straight = noise_table_between(&table, places[p], places[p]);
            assert_true(mirrored.lower == straight.lower && mirrored.upper == straight.upper);
        }
        assert_true(noise_table_at_least(&table, noise_table_reach(&table)).upper < exp(-36));
    }
    mpfr_clears(q, value, (mpfr_ptr)0);
}

static void the_masses_of_a_run_add_up_to_its_probability(void **state)
{
    (void)state;
    struct geometric noise = noise_of(3);
    struct noise_table table;
    noise_table_init(&table, &noise, 100); /* beyond the table on purpose */
    const int runs[][2] = {{-4, 9}, {2, 150}, {-200, -7}, {0, 5}, {-3, 0}};
    for (size_t r = 0; r < sizeof runs / sizeof runs[0]; r++) {
        double sum = 0;
        for (int k = runs[r][0]; k <= runs[r][1]; k++)
            sum += mass(3, k);
        struct interval found = noise_table_between(&table, runs[r][0], runs[r][1]);
        assert_true(fabs(interval_middle(found) - sum) < 1e-13 * sum && found.upper - found.lower < 1e-13);
    }
}

static void wide_noise_fits(void **state)
{
    (void)state;
    enum { REACH = 40, CELLS = 2 * REACH + 1, DRAWS = 60000 };
    const double scales[] = {0.1, 1, 4};
    for (size_t s = 0; s < 3; s++) {
        struct geometric noise = noise_of(scales[s]);
        struct random *random = fixed_source(20 + s);
        uint64_t seen[CELLS] = {0};
        double probability[CELLS];
        for (int i = 0; i < DRAWS; i++) {
            int128_t value = 0;
            assert_int_equal(wide_noise_draw(&noise, random, &value, NULL), DITHER_OK);
            if (value >= -REACH && value <= REACH)
                seen[(int)value + REACH]++;
        }
        for (int k = -REACH; k <= REACH; k++)
            probability[k + REACH] = mass(scales[s], k);
        size_t freedom = 0;
        double chi = fit_chi_square(seen, probability, CELLS, DRAWS, &freedom);
        assert_true(chi < fit_threshold(freedom));
        random_close(random);
    }
}

/* Noise of scale 2^50 passes 2^64 with probability exp(-16384) = 2^-23637, that is when the words after those
 * of the digits begin with 370 zero words; and must not come out modulo that. */
static int128_t noise_after_zeros(const struct geometric *noise, size_t zeros)
{
    enum { WORDS = 2 * RANDOM_BUFFER_WORDS };
    static uint64_t words[WORDS];
    size_t digits = geometric_words(noise);
    for (size_t i = 0; i < WORDS; i++)
        words[i] = i < digits ? UINT64_C(0x8123456789abcdef) : i < digits + zeros ? 0 : UINT64_MAX - 1;
    struct random *random = script_source(words, WORDS);
    int128_t value = 0;
    assert_int_equal(wide_noise_draw(noise, random, &value, NULL), DITHER_OK);
    random_close(random);
    return value;
}

static void noise_beyond_64_bits_does_not_wrap(void **state)
{
    (void)state;
    struct geometric noise = noise_of(0x1p50);
    int128_t usual = noise_after_zeros(&noise, 0);
    assert_true(usual > 0 && usual < (int128_t)1 << 60);
    assert_true(noise_after_zeros(&noise, 30) == usual);
    assert_true(noise_after_zeros(&noise, 370) == usual + ((int128_t)1 << 64));
    assert_true(wide_noise_narrow((int128_t)1 << 64) == INT64_MAX);
    assert_true(wide_noise_narrow(-((int128_t)1 << 64)) > LAW_HIDDEN);
    assert_true(wide_noise_narrow(-7) == -7);
}

/* ---- Noisy max ---- */

enum { FAR = 40 }; /* at scale 1 the rest is below exp(-40) */

static void noisy_max_is_what_all_noises_give(void **state)
{
    (void)state;
    const int64_t cases[][3] = {{0, 0, 0}, {2, 1, 0}, {0, 3, 3}, {-2, 5, 4}};
    struct law law = noisy_max(1);
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        double expected[3] = {0};
        for (int a = -FAR; a <= FAR; a++)
            for (int b = -FAR; b <= FAR; b++)
                for (int d = -FAR; d <= FAR; d++) {
                    int64_t x = cases[c][0] + a, y = cases[c][1] + b, z = cases[c][2] + d;
                    int winner = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
                    expected[winner] += mass(1, a) * mass(1, b) * mass(1, d);
                }
        for (int i = 0; i < 3; i++) {
            struct interval found = law_noisy_max.probability(&law, cases[c], 3, 0, i);
            assert_true(fabs(interval_middle(found) - expected[i]) < 1e-12);
            assert_true(found.upper - found.lower < 1e-12);
        }
        law_check_total(&law, cases[c], cases[0], 3, 1e-11);
    }
}

/* P(Z - Z' = d) = ((1-q)/(1+q))^2 q^d (d + (1+q^2)/(1-q^2)): the lower index wins where its noise is not
 * less. */
static void two_scores_follow_the_difference_of_two_noises(void **state)
{
    (void)state;
    const double scales[] = {0.5, 3, 20};
    for (size_t s = 0; s < 3; s++)
        for (int64_t gap = 0; gap <= 30; gap += 6) {
            double q = exp(-1 / scales[s]), expected = 0;
            for (int64_t d = gap; d < gap + 1000; d++)
                expected += pow(q, (double)d) * ((double)d + (1 + q * q) / (1 - q * q));
            expected *= (1 - q) / (1 + q) * ((1 - q) / (1 + q));
            struct law law = noisy_max(scales[s]);
            const int64_t behind[] = {0, gap};
            struct interval found = law_noisy_max.probability(&law, behind, 2, 0, 0);
            assert_true(fabs(interval_middle(found) - expected) < 1e-10 * expected);
            assert_true(found.upper - found.lower < 1e-10 * expected);
        }
}

/* With noise a million wide ties hardly count, and n equal scores win equally often. */
static void wide_noise_is_enclosed_in_runs(void **state)
{
    (void)state;
    struct law law = noisy_max(1e6);
    const int64_t equal[] = {5, 5, 5};
    struct interval found = law_noisy_max.probability(&law, equal, 3, 0, 1);
    assert_true(found.lower < 1 / 3.0 && found.upper > 1 / 3.0 && found.upper - found.lower < 0.02);
}

static void noisy_max_neighbours_are_within_epsilon(void **state)
{
    (void)state;
    for (int sensitivity = 1; sensitivity <= 2; sensitivity++) {
        const double epsilon = 2;
        struct law law = noisy_max(2 * sensitivity / epsilon);
        double worst = 0;
        for (int place = 0; place < 27; place++)
            for (int move = 0; move < 27; move++) {
                int64_t left[3], right[3];
                for (int i = 0, p = place, m = move; i < 3; i++, p /= 3, m /= 3) {
                    left[i] = p % 3;
                    right[i] = left[i] + sensitivity * (m % 3 - 1);
                }
                worst = fmax(worst, law_check_ratio(&law, left, right, 3, 0));
            }
        assert_true(worst <= exp(epsilon) * (1 + 1e-9));
        assert_true(worst >= exp(0.9 * epsilon));
    }
}

static void noisy_max_samples_fit(void **state)
{
    (void)state;
    const int64_t scores[] = {0, 3, 3, -1, 2};
    struct law narrow = noisy_max(0.5), wide = noisy_max(4);
    law_check_fit(&narrow, scores, 5, 0, 5, 20000, 31);
    law_check_fit(&wide, scores, 5, 0, 5, 20000, 32);
}

/* At the narrowest scale the noise is 0 but once in exp(2^20) draws, so that the tie-break is all there is.
 */
static void ties_go_to_the_lowest_index(void **state)
{
    (void)state;
    const int64_t scores[] = {1, 7, 7, 7};
    struct law law = noisy_max(0x1p-20);
    struct random *random = fixed_source(5);
    for (int i = 0; i < 50; i++) {
        int64_t outcome = -1;
        assert_int_equal(law_noisy_max.sample(&law, random, scores, 4, &outcome, NULL), DITHER_OK);
        assert_int_equal(outcome, 1);
    }
    random_close(random);
    law_check_probability(&law, scores, 4, 0, 1, 1, 1e-12);
}

static void noisy_max_bears_the_widest_gap(void **state)
{
    (void)state;
    const int64_t limit = INT64_C(1) << 62, scores[] = {-limit, limit};
    struct law law = noisy_max(0x1p50);
    struct random *random = fixed_source(6);
    int64_t outcome = -1;
    assert_int_equal(law_noisy_max.sample(&law, random, scores, 2, &outcome, NULL), DITHER_OK);
    assert_int_equal(outcome, 1);
    random_close(random);
    struct interval never = law_noisy_max.probability(&law, scores, 2, 0, 0);
    assert_true(never.lower >= 0 && never.upper < 1e-300);
    assert_true(law_noisy_max.probability(&law, scores, 1, 0, 0).upper >= 1);
}

/* ---- Above threshold ---- */

static void above_threshold_is_what_all_noises_give(void **state)
{
    (void)state;
    const int64_t cases[][2] = {{0, 0}, {3, -1}, {-2, 4}};
    struct law law = above_threshold(0.5, 1);
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        double expected[3] = {0};
        for (int t = -FAR; t <= FAR; t++)
            for (int a = -FAR; a <= FAR; a++)
                for (int b = -FAR; b <= FAR; b++) {
                    int found = cases[c][0] + a >= 1 + t ? 0 : cases[c][1] + b >= 1 + t ? 1 : 2;
                    expected[found] += mass(0.5, t) * mass(1, a) * mass(1, b);
                }
        for (int i = 0; i < 3; i++) {
            struct interval found =
                law_above_threshold.probability(&law, cases[c], 2, 0, i < 2 ? i : LAW_HIDDEN);
            assert_true(fabs(interval_middle(found) - expected[i]) < 1e-12);
            assert_true(found.upper - found.lower < 1e-12);
        }
        law_check_total(&law, cases[c], cases[0], 2, 1e-11);
        law_check_probability(&law, cases[c], 2, 0, 2, 0, 0);
    }
}

/* Threshold noise 2 sensitivity / epsilon, query noise twice that. */
static void above_threshold_neighbours_are_within_epsilon(void **state)
{
    (void)state;
    for (int sensitivity = 1; sensitivity <= 2; sensitivity++) {
        const double epsilon = 2;
        struct law law = above_threshold(2 * sensitivity / epsilon, 2);
        double worst = 0;
        for (int place = 0; place < 27; place++)
            for (int move = 0; move < 27; move++) {
                int64_t left[3], right[3];
                for (int i = 0, p = place, m = move; i < 3; i++, p /= 3, m /= 3) {
                    left[i] = p % 3;
                    right[i] = left[i] + sensitivity * (m % 3 - 1);
                }
                worst = fmax(worst, law_check_ratio(&law, left, right, 3, 0));
            }
        assert_true(worst <= exp(epsilon) * (1 + 1e-9));
        assert_true(worst >= exp(0.6 * epsilon));
    }
}

/* The bound is nearly reached by a long row just above the threshold: the noise may not be any narrower. */
static void a_long_row_comes_close_to_epsilon(void **state)
{
    (void)state;
    enum { N = 30 };
    int64_t left[N], right[N];
    for (int i = 0; i < N; i++) {
        left[i] = 12;
        right[i] = 13;
    }
    right[N - 1] = 11;
    struct law law = above_threshold(1, 0);
    double worst = law_check_ratio(&law, left, right, N, 0);
    assert_true(worst <= exp(2) * (1 + 1e-9));
    assert_true(worst >= exp(1.9));
}

static void above_threshold_samples_fit(void **state)
{
    (void)state;
    const int64_t numbers[] = {-3, 0, 1, 2, 9, 40};
    struct law law = above_threshold(1.5, 3);
    law_check_fit(&law, numbers, 6, 0, 6, 20000, 41);
    const int64_t low[] = {-2, -2, -2};
    law_check_fit(&law, low, 3, 0, 3, 20000, 42);
}

static void without_random_bits_nothing_is_found(void **state)
{
    (void)state;
    const int64_t scores[] = {0, 1};
    const struct law laws[] = {noisy_max(1), above_threshold(1, 0)};
    for (size_t i = 0; i < 2; i++) {
        struct random *random = script_source(NULL, 0);
        int64_t outcome = 0;
        assert_int_equal(laws[i].family->sample(&laws[i], random, scores, 2, &outcome, NULL),
                         DITHER_NO_ENTROPY);
        random_close(random);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_holds_the_law),
        cmocka_unit_test(the_masses_of_a_run_add_up_to_its_probability),
        cmocka_unit_test(wide_noise_fits),
        cmocka_unit_test(noise_beyond_64_bits_does_not_wrap),
        cmocka_unit_test(noisy_max_is_what_all_noises_give),
        cmocka_unit_test(two_scores_follow_the_difference_of_two_noises),
        cmocka_unit_test(wide_noise_is_enclosed_in_runs),
        cmocka_unit_test(noisy_max_neighbours_are_within_epsilon),
        cmocka_unit_test(noisy_max_samples_fit),
        cmocka_unit_test(ties_go_to_the_lowest_index),
        cmocka_unit_test(noisy_max_bears_the_widest_gap),
        cmocka_unit_test(above_threshold_is_what_all_noises_give),
        cmocka_unit_test(above_threshold_neighbours_are_within_epsilon),
        cmocka_unit_test(a_long_row_comes_close_to_epsilon),
        cmocka_unit_test(above_threshold_samples_fit),
        cmocka_unit_test(without_random_bits_nothing_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
