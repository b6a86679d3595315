/* The discrete Gaussian sampler has exactly its law: its proposals are the two-sided geometric's (tested
 * beside this), and a proposal y is kept with exactly the probability exp(-(|y| - v/t)^2 / (2v)), shown by
 * feeding the words on both sides of that probability's binary expansion, computed here at 512 bits. Then
 * figures from 50-digit arithmetic, fits, moments, ends. */
#include <math.h>
#include <string.h>

#include "random/discrete_gaussian.h"
#include "random/geometric_cuts.h"
#include "tests/support/fit.h"
#include "tests/support/fixed_source.h"
#include "tests/support/test.h"

static struct discrete_gaussian gaussian_of(struct rational variance)
{
    struct discrete_gaussian made;
    assert_int_equal(discrete_gaussian_init(&made, variance, NULL), DITHER_OK);
    return made;
}

/* ---- Keeping a proposal ---- */

enum { LANES = 3 }; /* proposals made for one draw */

/* Writes, for one lane, words that propose `value`. */
static void propose(const struct geometric *geometric, int64_t value, int lane, uint64_t *words)
{
    uint64_t size = (uint64_t)(value < 0 ? ~value : value);
    const uint64_t *lead = geometric->cut[0];
    words[lane] = value < 0 ? lead[1] - 1 : lead[1] + 1;
    for (int entry = 1; entry < geometric->digits; entry++) {
        uint64_t digit = size >> (2 * (entry - 1)) & 3;
        words[entry * LANES + lane] = digit == 0 ? 0 : geometric->cut[entry][digit - 1] + 1;
    }
    assert_int_equal(size >> (2 * (geometric->digits - 1)), 0);
}

/* Proposes y, then decoys, with the given words to decide on y; true when y is what comes out. */
static bool kept(const struct discrete_gaussian *gaussian, int64_t y, const uint64_t decision[3])
{
    uint64_t words[GEOMETRIC_DIGITS * LANES + LANES + 8] = {0};
    int64_t out = 0, decoy = y == 0 ? 1 : 0;
    int digits = gaussian->proposal.digits;
    for (int lane = 0; lane < LANES; lane++)
        propose(&gaussian->proposal, lane == 0 ? y : decoy, lane, words);
    uint64_t *after = words + digits * LANES;
    after[0] = decision[0];
    after[1] = 0; /* a word of 0 keeps the decoy, whose probability is not small */
    after[2] = 0;
    after[3] = decision[1]; /* what settling asks for */
    after[4] = decision[2];
    struct random *random = script_source(words, sizeof words / sizeof words[0]);
    assert_int_equal(discrete_gaussian_draw(gaussian, random, &out, NULL), DITHER_OK);
    random_close(random);
    assert_true(out == y || out == decoy);
    return out == y;
}

static void keep_probability(const struct discrete_gaussian *gaussian, int64_t y, mpfr_t out)
{
    mpfr_t variance;
    mpfr_init2(variance, 512);
    rational_to_mpfr(gaussian->variance, variance, MPFR_RNDN);
    mpfr_div_ui(out, variance, gaussian->proposal_scale, MPFR_RNDN);
    mpfr_si_sub(out, y < 0 ? -y : y, out, MPFR_RNDN);
    mpfr_sqr(out, out, MPFR_RNDN);
    mpfr_div(out, out, variance, MPFR_RNDN);
    mpfr_div_si(out, out, -2, MPFR_RNDN);
    mpfr_exp(out, out, MPFR_RNDN);
    mpfr_clear(variance);
}

static void a_proposal_is_kept_with_exactly_the_right_probability(void **state)
{
    (void)state;
    const struct rational variances[] = {{1, 4, 0}, {4, 1, 0}, {100, 1, 0}, {1000000, 7, 0}, {12345, 1, 0}};
    mpfr_t probability;
    mpfr_init2(probability, 512);
    for (size_t i = 0; i < sizeof variances / sizeof variances[0]; i++) {
        struct discrete_gaussian gaussian = gaussian_of(variances[i]);
        double sigma = sqrt(rational_to_double(variances[i], MPFR_RNDN));
        const int64_t values[] = {0, 1, -1, 2, (int64_t)sigma, -(int64_t)(3 * sigma), (int64_t)(5 * sigma)};
        for (size_t j = 0; j < sizeof values / sizeof values[0]; j++) {
            uint64_t expansion[3];
            keep_probability(&gaussian, values[j], probability);
            if (mpfr_cmp_ui(probability, 1) >= 0)
                continue; /* kept for certain: |y| t = v */
            for (int place = 0; place < 3; place++) {
                mpfr_mul_2ui(probability, probability, 64, MPFR_RNDN);
                expansion[place] = mpfr_get_uj(probability, MPFR_RNDD);
                mpfr_sub_ui(probability, probability, expansion[place], MPFR_RNDN);
            }
            for (int place = 0; place < 3; place++) {
                uint64_t below[3] = {expansion[0], expansion[1], expansion[2]}, above[3];
                memcpy(above, below, sizeof above);
                if (below[place] > 0) {
                    below[place]--;
                    assert_true(kept(&gaussian, values[j], below));
                }
                if (above[place] < UINT64_MAX) {
                    above[place]++;
                    assert_false(kept(&gaussian, values[j], above));
                }
            }
        }
    }
    mpfr_clear(probability);
}

/* ---- Figures from elsewhere ---- */

static const struct {
    struct rational variance;
    double at[5]; /* k = 0, 1, 2, 5, 12 */
    double true_variance;
} figures[] = {
    {{1, 4, 0},
     {0.7865707070419478997045906, 0.1064507694231447242359381, 0.000263865076415428616807503,
      1.517098131620028326255459e-22, 6.590630753090151503137706e-126},
     0.2150126750881384863835551},
    {{4, 1, 0},
     {0.199471140200716338969973, 0.1760326633821497388873402, 0.1209853622595716748989151,
      0.008764150246784268681079161, 3.037941424911642743498154e-9},
     4.0},
    {{100, 1, 0},
     {0.03989422804014326779399461, 0.03969525474770117655105297, 0.03910426939754558780087737,
      0.03520653267642994777746804, 0.01941860549832129404120911},
     100.0},
};

static void assert_close(double found, double expected, double relative)
{
    if (!(fabs(found - expected) <= relative * fabs(expected)))
        fail_msg("found %.17g, expected %.17g", found, expected);
}

static void masses_agree_with_published_formulae(void **state)
{
    (void)state;
    const int64_t k[] = {0, 1, 2, 5, 12};
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        struct discrete_gaussian gaussian = gaussian_of(figures[i].variance);
        double variance = 0;
        for (int j = 0; j < 5; j++) {
            assert_close(discrete_gaussian_mass(&gaussian, k[j]), figures[i].at[j], 1e-12);
            assert_close(discrete_gaussian_mass(&gaussian, -k[j]), figures[i].at[j], 1e-12);
        }
        for (int64_t x = 400; x >= 1; x--)
            variance += 2 * (double)(x * x) * discrete_gaussian_mass(&gaussian, x);
        assert_close(variance, figures[i].true_variance, 1e-12);
    }
}

/* Both ways to compute a tail, term by term and by Euler and Maclaurin's formula, agree where they meet:
 * sigma 1024. */
static void tails_agree_where_the_two_formulae_meet(void **state)
{
    (void)state;
    struct discrete_gaussian summed = gaussian_of((struct rational){1024 * 1024, 1, 0});
    struct discrete_gaussian formula = gaussian_of((struct rational){1024 * 1024 + 1, 1, 0});
    for (int64_t k = 1; k < 8 * 1024; k += 500) {
        double ratio = discrete_gaussian_tail(&formula, k) / discrete_gaussian_tail(&summed, k);
        double z = (double)k / 1024; /* d ln(tail) / d(variance) is below (z^2 + 2) / (2 variance) */
        assert_true(ratio >= 1 && ratio - 1 <= (z * z + 2) / (2 * 1024.0 * 1024));
    }
    assert_close(discrete_gaussian_tail(&summed, -99) + discrete_gaussian_tail(&summed, 100), 1, 1e-12);
}

static void the_half_width_is_the_least_that_holds_the_confidence(void **state)
{
    (void)state;
    const struct rational variances[] = {{1, 4, 0}, {1, 1, 0}, {100, 1, 0}, {1, 1, 22}, {1, 1, -40}};
    for (size_t i = 0; i < sizeof variances / sizeof variances[0]; i++) {
        struct discrete_gaussian gaussian = gaussian_of(variances[i]);
        int64_t width = (int64_t)discrete_gaussian_half_width(&gaussian, 0.95);
        assert_true(2 * discrete_gaussian_tail(&gaussian, width + 1) <= 0.05 * (1 + 1e-9));
        if (width > 0)
            assert_true(2 * discrete_gaussian_tail(&gaussian, width) > 0.05 * (1 - 1e-9));
    }
    struct discrete_gaussian wide = gaussian_of((struct rational){1, 1, 100});
    assert_close(discrete_gaussian_half_width(&wide, 0.95), 1.959963984540054 * 0x1p50, 1e-9);
}

/* ---- Fits ---- */

static double tail(const void *law, int64_t k)
{
    return discrete_gaussian_tail(law, k);
}

static void check_fit(double sigma, uint64_t seed)
{
    enum { DRAWS = 100000 };
    struct rational variance = {0};
    assert_true(rational_square(rational_from_double(sigma), &variance));
    struct discrete_gaussian gaussian = gaussian_of(variance);
    struct random *random = fixed_source(seed);
    static int64_t values[DRAWS];
    memset(values, 0, sizeof values);
    assert_int_equal(discrete_gaussian_add(&gaussian, random, values, DRAWS, NULL), DITHER_OK);
    struct fit_noise fit = fit_noise(values, DRAWS, (int64_t)ceil(sigma / 15), tail, &gaussian);
    assert_true(fit.chi_square < fit_threshold(fit.freedom));
    assert_true(fabs(fit.mean) < 5 * sigma / sqrt(DRAWS));
    if (sigma >=
        1) /* the variance is sigma^2 to seven digits from there on; a square has variance 2 sigma^4 */
        assert_true(fabs(fit.mean_square / (sigma * sigma) - 1) < 5 * sqrt(2.0 / DRAWS));
    random_close(random);
}

static void samples_fit_at_five_scales(void **state)
{
    (void)state;
    check_fit(0.5, 201);
    check_fit(1, 202);
    check_fit(7.3, 203);
    check_fit(1000, 204);
    check_fit(0x1p45, 205);
}

/* ---- The ends ---- */

static void scales_outside_the_range_are_refused(void **state)
{
    (void)state;
    struct discrete_gaussian gaussian;
    error why;
    const struct rational bad[] = {{0, 1, 0}, {1, 1, -41}, {1, 1, 101}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(discrete_gaussian_init(&gaussian, bad[i], &why), DITHER_INVALID);
        assert_non_null(strstr(why.message, "standard deviation"));
    }
}

static void the_smallest_sigma_gives_zero_and_the_largest_stays_in_range(void **state)
{
    (void)state;
    struct random *random = fixed_source(19);
    struct discrete_gaussian tiny = gaussian_of((struct rational){1, 1, -40});
    struct discrete_gaussian huge = gaussian_of((struct rational){1, 1, 100});
    for (int i = 0; i < 1000; i++) {
        int64_t value = 0;
        assert_int_equal(discrete_gaussian_draw(&tiny, random, &value, NULL), DITHER_OK);
        assert_int_equal(value, 0);
        assert_int_equal(discrete_gaussian_draw(&huge, random, &value, NULL), DITHER_OK);
        assert_true(fabs((double)value) < 0x1p54);
    }
    random_close(random);
}

static void without_entropy_nothing_noisy_or_true_is_left(void **state)
{
    (void)state;
    struct discrete_gaussian gaussian = gaussian_of((struct rational){4, 1, 0});
    static uint64_t words[RANDOM_BUFFER_WORDS];
    static int64_t values[2000];
    for (int i = 0; i < RANDOM_BUFFER_WORDS; i++)
        words[i] = UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(i + 1);
    for (int i = 0; i < 2000; i++)
        values[i] = 42;
    struct random *random = script_source(words, RANDOM_BUFFER_WORDS);
    assert_int_equal(discrete_gaussian_add(&gaussian, random, values, 2000, NULL), DITHER_NO_ENTROPY);
    for (int i = 0; i < 2000; i++)
        assert_int_equal(values[i], 0);
    random_close(random);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_proposal_is_kept_with_exactly_the_right_probability),
        cmocka_unit_test(masses_agree_with_published_formulae),
        cmocka_unit_test(tails_agree_where_the_two_formulae_meet),
        cmocka_unit_test(the_half_width_is_the_least_that_holds_the_confidence),
        cmocka_unit_test(samples_fit_at_five_scales),
        cmocka_unit_test(scales_outside_the_range_are_refused),
        cmocka_unit_test(the_smallest_sigma_gives_zero_and_the_largest_stays_in_range),
        cmocka_unit_test(without_entropy_nothing_noisy_or_true_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
