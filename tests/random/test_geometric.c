/* The two-sided geometric sampler has exactly its law.
 *
 * A draw compares each of a few words with constants. (1) Feeding the words around every constant shows which
 * words give which digit. (2) Counting these words gives the mass that is decided by the first 64 bits; for
 * every value k this mass is at most P(k) and P(k) at most the mass plus what is undecided, P(k) being
 * computed here with MPFR from the definition. (3) Words that are tied are settled as an independent 512-bit
 * computation settles them. Then figures from elsewhere (50-digit arithmetic), fits with fixed seeds,
 * moments, and the ends of the range. */
#include <math.h>
#include <string.h>

#include "random/geometric.h"
#include "random/geometric_cuts.h"
#include "tests/support/fit.h"
#include "tests/support/fixed_source.h"
#include "tests/support/test.h"

static struct geometric geometric_of(struct rational scale)
{
    struct geometric made;
    assert_int_equal(geometric_init(&made, scale, NULL), DITHER_OK);
    return made;
}

static const struct rational scales[] = {
    {1, 2, 0},  {1, 1, 0},   {10, 1, 0}, {1000, 3, 0}, {1, 1, 12},
    {1, 10, 0}, {1, 1, -20}, {1, 1, 30}, {1, 1, 50},
};
enum { SCALES = sizeof scales / sizeof scales[0] };

static int64_t draw_from(const struct geometric *geometric, const uint64_t *words, size_t count)
{
    int64_t out = 0;
    struct random *random = script_source(words, count);
    assert_int_equal(geometric_draw(geometric, random, &out, NULL), DITHER_OK);
    random_close(random);
    return out;
}

/* ---- (1) which words give which digit ---- */

/* A word inside the share of `digit`, next to its lower or its upper end. False when the share has no word of
 * its own. */
static bool word_of_digit(const uint64_t cut[3], int digit, bool upper_end, uint64_t *word)
{
    uint128_t first = digit == 0 ? 0 : (uint128_t)cut[digit - 1] + 1;
    uint128_t end = digit == 3 ? (uint128_t)1 << 64 : cut[digit];
    if (first >= end)
        return false;
    *word = (uint64_t)(upper_end ? end - 1 : first);
    return true;
}

static void words_around_every_cut_give_the_digit_of_their_share(void **state)
{
    (void)state;
    for (int s = 0; s < SCALES; s++) {
        struct geometric geometric = geometric_of(scales[s]);
        uint64_t words[GEOMETRIC_DIGITS + 4];
        for (int entry = 1; entry < geometric.digits; entry++)
            for (int digit = 0; digit < 4; digit++)
                for (int end = 0; end < 2; end++)
                    for (int negative = 0; negative < 2; negative++) {
                        if (!word_of_digit(geometric.cut[0], negative ? LEAD_NEGATIVE : LEAD_POSITIVE, end,
                                           &words[0]))
                            continue;
                        for (int other = 1; other < geometric.digits; other++)
                            assert_true(word_of_digit(geometric.cut[other], 0, false, &words[other]));
                        if (!word_of_digit(geometric.cut[entry], digit, end, &words[entry]))
                            continue;
                        int64_t size = (int64_t)((uint64_t)digit << (2 * (entry - 1)));
                        assert_int_equal(draw_from(&geometric, words, (size_t)geometric.digits),
                                         negative ? -1 - size : size);
                    }
    }
}

/* ---- (2) the mass of every value ---- */

/* How many words surely give `digit`, as a share of all. */
static void share(const uint64_t cut[3], int digit, mpfr_t out)
{
    uint64_t first = 0, last = 0;
    if (!word_of_digit(cut, digit, false, &first) || !word_of_digit(cut, digit, true, &last)) {
        mpfr_set_zero(out, 1);
        return;
    }
    mpfr_set_uj(out, last - first, MPFR_RNDN);
    mpfr_add_ui(out, out, 1, MPFR_RNDN);
    mpfr_div_2ui(out, out, 64, MPFR_RNDN);
}

/* The decided mass of value k: the product of its digits' shares. */
static void decided_mass(const struct geometric *geometric, int64_t k, mpfr_t out)
{
    mpfr_t factor;
    mpfr_init2(factor, 2048);
    uint64_t size = (uint64_t)(k < 0 ? ~k : k);
    share(geometric->cut[0], k < 0 ? LEAD_NEGATIVE : LEAD_POSITIVE, out);
    for (int entry = 1; entry < geometric->digits; entry++) {
        share(geometric->cut[entry], (int)(size >> (2 * (entry - 1)) & 3), factor);
        mpfr_mul(out, out, factor, MPFR_RNDN);
    }
    mpfr_clear(factor);
}

/* P(k) = (1-q)/(1+q) q^|k| with q = exp(-1/scale). */
static void true_mass(struct rational scale, int64_t k, mpfr_t out)
{
    mpfr_t q, part;
    mpfr_inits2(2048, q, part, (mpfr_ptr)0);
    rational_to_mpfr(scale, q, MPFR_RNDN);
    mpfr_si_div(q, -1, q, MPFR_RNDN);
    mpfr_mul_ui(out, q, (unsigned long)(k < 0 ? -k : k), MPFR_RNDN);
    mpfr_exp(out, out, MPFR_RNDN);
    mpfr_exp(q, q, MPFR_RNDN);
    mpfr_ui_sub(part, 1, q, MPFR_RNDN);
    mpfr_mul(out, out, part, MPFR_RNDN);
    mpfr_add_ui(part, q, 1, MPFR_RNDN);
    mpfr_div(out, out, part, MPFR_RNDN);
    mpfr_clears(q, part, (mpfr_ptr)0);
}

static void decided_mass_and_undecided_enclose_the_law(void **state)
{
    (void)state;
    mpfr_t decided, truth, undecided;
    mpfr_inits2(2048, decided, truth, undecided, (mpfr_ptr)0);
    for (int s = 0; s < SCALES; s++) {
        struct geometric geometric = geometric_of(scales[s]);
        /* Three tied words per entry, and the carry. */
        mpfr_set_ui_2exp(undecided, 3 * (unsigned)geometric.digits + 1, -64, MPFR_RNDN);
        const int64_t far = (int64_t)(rational_to_double(scales[s], MPFR_RNDN) * 7);
        const int64_t values[] = {0, 1, -1, 2, -2, 3, 4, 5, -7, 16, 63, -64, far, -far, far + 1};
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
            uint64_t size = (uint64_t)(values[i] < 0 ? ~values[i] : values[i]);
            if (geometric.digits < 33 && size >> (2 * (geometric.digits - 1)) != 0)
                continue; /* only through a carry */
            decided_mass(&geometric, values[i], decided);
            true_mass(scales[s], values[i], truth);
            assert_true(mpfr_lessequal_p(decided, truth));
            mpfr_add(decided, decided, undecided, MPFR_RNDN);
            assert_true(mpfr_lessequal_p(truth, decided));
        }
    }
    mpfr_clears(decided, truth, undecided, (mpfr_ptr)0);
}

/* ---- (3) ties ---- */

/* Is digit i of a geometric variable (in base 2) set? Its odds are q^(2^i). The base-4 digit's cuts from
 * that, at 512 bits: P(digit < j) for j = 1, 2, 3 by adding up products of the two bits' probabilities. */
static void cut_from_bits(struct rational scale, int entry, int j, mpfr_t out)
{
    mpfr_t set[2], clear[2], product;
    mpfr_inits2(512, set[0], set[1], clear[0], clear[1], product, (mpfr_ptr)0);
    for (int bit = 0; bit < 2; bit++) {
        rational_to_mpfr(scale, set[bit], MPFR_RNDN);
        mpfr_si_div(set[bit], -1, set[bit], MPFR_RNDN);
        mpfr_mul_2si(set[bit], set[bit], 2 * (entry - 1) + bit, MPFR_RNDN);
        mpfr_exp(set[bit], set[bit], MPFR_RNDN); /* the odds */
        mpfr_add_ui(clear[bit], set[bit], 1, MPFR_RNDN);
        mpfr_div(set[bit], set[bit], clear[bit], MPFR_RNDN);
        mpfr_ui_sub(clear[bit], 1, set[bit], MPFR_RNDN);
    }
    mpfr_set_zero(out, 1);
    for (int digit = 0; digit < j; digit++) {
        mpfr_mul(product, digit & 1 ? set[0] : clear[0], digit & 2 ? set[1] : clear[1], MPFR_RNDN);
        mpfr_add(out, out, product, MPFR_RNDN);
    }
    mpfr_clears(set[0], set[1], clear[0], clear[1], product, (mpfr_ptr)0);
}

static void first_words(mpfr_t fraction, uint64_t *words, int count)
{
    for (int i = 0; i < count; i++) {
        mpfr_mul_2ui(fraction, fraction, 64, MPFR_RNDN);
        words[i] = mpfr_get_uj(fraction, MPFR_RNDD);
        mpfr_sub_ui(fraction, fraction, words[i], MPFR_RNDN);
    }
}

static void tied_words_are_settled_by_the_next_ones(void **state)
{
    (void)state;
    mpfr_t cut;
    mpfr_init2(cut, 512);
    for (int s = 1; s < 5; s++) {
        struct geometric geometric = geometric_of(scales[s]);
        for (int entry = 1; entry < geometric.digits; entry++)
            for (int j = 1; j <= 3; j++) {
                uint64_t expansion[3], words[GEOMETRIC_DIGITS + 2] = {0};
                cut_from_bits(scales[s], entry, j, cut);
                first_words(cut, expansion, 3);
                assert_int_equal(expansion[0], geometric.cut[entry][j - 1]);
                assert_true(word_of_digit(geometric.cut[0], LEAD_POSITIVE, false, &words[0]));
                for (int other = 1; other < geometric.digits; other++)
                    assert_true(word_of_digit(geometric.cut[other], 0, false, &words[other]));
                words[entry] = expansion[0];
                for (int extra = 1; extra <= 2; extra++) /* tied in `extra` words, then decided */
                    for (int above = 0; above < 2; above++) {
                        for (int i = 1; i < extra; i++)
                            words[geometric.digits + i - 1] = expansion[i];
                        words[geometric.digits + extra - 1] = expansion[extra] + (above ? 1 : (uint64_t)-1);
                        int64_t digit = above ? j : j - 1;
                        assert_int_equal(draw_from(&geometric, words, (size_t)(geometric.digits + extra)),
                                         digit << (2 * (entry - 1)));
                    }
            }
    }
    mpfr_clear(cut);
}

/* Scale 1 has three digits, 64 values, and carries with probability exp(-64) = 2^-92.3: a leading word 0 and
 * then 0. */
static void a_carry_adds_what_the_digits_cannot_hold(void **state)
{
    (void)state;
    struct geometric geometric = geometric_of((struct rational){1, 1, 0});
    assert_int_equal(geometric.digits, 4);
    uint64_t words[8] = {0};
    for (int entry = 1; entry < 4; entry++)
        assert_true(word_of_digit(geometric.cut[entry], 1, false, &words[entry]));
    words[4] = 0;          /* the leading number is below 2^-128: negative, with carry */
    words[5] = UINT64_MAX; /* no second carry */
    assert_int_equal(draw_from(&geometric, words, 6), -1 - (64 + 21));
    words[5] = 0; /* a second carry: exp(-64) is 2^-92.3, so a tie, settled by the next word */
    words[6] = 0;
    words[7] = UINT64_MAX;
    assert_int_equal(draw_from(&geometric, words, 8), -1 - (128 + 21));
    words[0] = UINT64_MAX; /* not negative, with carry */
    words[4] = UINT64_MAX;
    words[5] = UINT64_MAX;
    assert_int_equal(draw_from(&geometric, words, 6), 64 + 21);
    words[4] = 0; /* just not a carry */
    assert_int_equal(draw_from(&geometric, words, 5), 21);
    words[0] = 0;
    words[4] = UINT64_MAX;
    assert_int_equal(draw_from(&geometric, words, 5), -1 - 21);
}

/* ---- Figures from elsewhere ---- */

/* 50-digit arithmetic from the published formula. */
static const struct {
    struct rational scale;
    double at[5];             /* k = 0, 1, 2, 5, 12 */
    double two_sided_tail[3]; /* P(|X| >= k) at 1, 5, 50 */
} figures[] = {
    {{1, 2, 0},
     {0.7615941559557648881194583, 0.1030705608076224199865422, 0.01394908354025609161373925,
      0.00003457632118791065999562187, 2.875120406869690581675264e-11},
     {0.2384058440442351118805417, 0.00007997625095039551153121339, 6.553264099069742789581035e-44}},
    {{2, 1, 0},
     {0.2449186624037091292778011, 0.1485506778836574471183993, 0.09010054065753365488987643,
      0.02010414806637559745755671, 0.0006070926675394070083220822},
     {0.7550813375962908707221989, 0.1021891466902743926270854, 1.728936049990880692203037e-11}},
    {{100, 1, 0},
     {0.004999958333749995783772872, 0.004950207917081950642321151, 0.004900952525330800710770722,
      0.004756107488340557431982741, 0.004434565228937137471915489},
     {0.9950000416662500042162271, 0.9559855319890545665234081, 0.6095632877393384879130351}},
};

static void assert_close(double found, double expected, double relative)
{
    if (!(fabs(found - expected) <= relative * fabs(expected)))
        fail_msg("found %.17g, expected %.17g", found, expected);
}

static void mass_and_tail_agree_with_published_formulae(void **state)
{
    (void)state;
    const int64_t k[] = {0, 1, 2, 5, 12}, from[] = {1, 5, 50};
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        struct geometric geometric = geometric_of(figures[i].scale);
        for (int j = 0; j < 5; j++) {
            assert_close(geometric_mass(&geometric, k[j]), figures[i].at[j], 1e-14);
            assert_close(geometric_mass(&geometric, -k[j]), figures[i].at[j], 1e-14);
        }
        for (int j = 0; j < 3; j++)
            assert_close(2 * geometric_tail(&geometric, from[j]), figures[i].two_sided_tail[j], 1e-13);
        assert_close(geometric_tail(&geometric, -4), 1 - figures[i].two_sided_tail[1] / 2, 1e-14);
    }
}

static void the_half_width_is_the_least_that_holds_the_confidence(void **state)
{
    (void)state;
    const double confidences[] = {0.5, 0.9, 0.95, 0.99, 0.999999};
    for (int s = 0; s < 6; s++)
        for (size_t i = 0; i < 5; i++) {
            struct geometric geometric = geometric_of(scales[s]);
            int64_t width = (int64_t)geometric_half_width(&geometric, confidences[i]);
            double allowed = 1 - confidences[i];
            assert_true(2 * geometric_tail(&geometric, width + 1) <= allowed * (1 + 1e-9));
            if (width > 0)
                assert_true(2 * geometric_tail(&geometric, width) > allowed * (1 - 1e-9));
        }
}

/* ---- Fits ---- */

static double tail(const void *law, int64_t k)
{
    return geometric_tail(law, k);
}

static void check_fit(struct rational scale, uint64_t seed)
{
    enum { DRAWS = 200000 };
    struct geometric geometric = geometric_of(scale);
    struct random *random = fixed_source(seed);
    static int64_t values[DRAWS];
    memset(values, 0, sizeof values);
    assert_int_equal(geometric_add(&geometric, random, values, DRAWS, NULL), DITHER_OK);
    double s = rational_to_double(scale, MPFR_RNDN), q = exp(-1 / s);
    struct fit_noise fit = fit_noise(values, DRAWS, (int64_t)ceil(s / 10), tail, &geometric);
    assert_true(fit.chi_square < fit_threshold(fit.freedom));
    /* Mean 0 and variance 2q/(1-q)^2, within five standard errors (a square has variance below 24 scale^4 + variance). */
    double variance = 2 * q / ((1 - q) * (1 - q));
    assert_true(fabs(fit.mean) < 5 * sqrt(variance / DRAWS));
    assert_true(fabs(fit.mean_square - variance) < 5 * sqrt((24 * s * s * s * s + variance) / DRAWS));
    random_close(random);
}

static void samples_fit_at_five_scales(void **state)
{
    (void)state;
    check_fit((struct rational){1, 2, 0}, 101);
    check_fit((struct rational){1, 1, 0}, 102);
    check_fit((struct rational){1000, 77, 0}, 103);
    check_fit((struct rational){1000, 1, 0}, 104);
    check_fit((struct rational){3, 1, 40}, 105);
}

static void one_draw_at_a_time_fits_too(void **state)
{
    (void)state;
    enum { DRAWS = 20000, CELLS = 30 };
    struct geometric geometric = geometric_of((struct rational){3, 1, 0});
    struct random *random = fixed_source(7);
    uint64_t seen[CELLS] = {0};
    double probability[CELLS];
    for (int i = 0; i < DRAWS; i++) {
        uint64_t value = 0;
        assert_int_equal(geometric_draw_one_sided(&geometric, random, &value, NULL), DITHER_OK);
        seen[value < CELLS ? value : CELLS - 1]++;
    }
    for (int i = 0; i < CELLS; i++)
        probability[i] = exp(-i / 3.0) * (i == CELLS - 1 ? 1 : 1 - exp(-1 / 3.0));
    size_t freedom = 0;
    double chi = fit_chi_square(seen, probability, CELLS, DRAWS, &freedom);
    assert_true(chi < fit_threshold(freedom));
    random_close(random);
}

/* ---- The ends ---- */

static void scales_outside_the_range_are_refused(void **state)
{
    (void)state;
    struct geometric geometric;
    error why;
    const struct rational bad[] = {{0, 1, 0}, {1, 3, -19}, {1, 1, -21}, {1, 1, 51}, {3, 1, 49}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(geometric_init(&geometric, bad[i], &why), DITHER_INVALID);
        assert_non_null(strstr(why.message, "scale"));
    }
}

static void the_smallest_scale_gives_zero_and_the_largest_does_not_overflow(void **state)
{
    (void)state;
    struct random *random = fixed_source(9);
    struct geometric tiny = geometric_of((struct rational){1, 1, -20});
    struct geometric huge = geometric_of((struct rational){1, 1, 50});
    assert_int_equal(huge.digits, GEOMETRIC_DIGITS);
    for (int i = 0; i < 1000; i++) {
        int64_t value = 0;
        assert_int_equal(geometric_draw(&tiny, random, &value, NULL), DITHER_OK);
        assert_int_equal(value, 0);
        assert_int_equal(geometric_draw(&huge, random, &value, NULL), DITHER_OK);
        assert_true(fabs((double)value) < 0x1p56);
    }
    random_close(random);
}

static void noise_wraps_instead_of_saturating(void **state)
{
    (void)state;
    struct geometric geometric = geometric_of((struct rational){1, 1, 0});
    uint64_t words[4];
    assert_true(word_of_digit(geometric.cut[0], LEAD_POSITIVE, false, &words[0]));
    for (int entry = 1; entry < 4; entry++)
        assert_true(word_of_digit(geometric.cut[entry], entry == 1 ? 1 : 0, false, &words[entry]));
    struct random *random = script_source(words, 4);
    int64_t value = INT64_MAX;
    assert_int_equal(geometric_add(&geometric, random, &value, 1, NULL), DITHER_OK);
    assert_int_equal(value, INT64_MIN);
    random_close(random);
}

static void without_entropy_nothing_noisy_or_true_is_left(void **state)
{
    (void)state;
    struct geometric geometric = geometric_of((struct rational){1, 1, 0});
    static const uint64_t words[RANDOM_BUFFER_WORDS]; /* one refill, then no more */
    static int64_t values[5000];
    for (int i = 0; i < 5000; i++)
        values[i] = 42;
    struct random *random = script_source(words, RANDOM_BUFFER_WORDS);
    assert_int_equal(geometric_add(&geometric, random, values, 5000, NULL), DITHER_NO_ENTROPY);
    for (int i = 0; i < 5000; i++)
        assert_int_equal(values[i], 0);
    random_close(random);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_around_every_cut_give_the_digit_of_their_share),
        cmocka_unit_test(decided_mass_and_undecided_enclose_the_law),
        cmocka_unit_test(tied_words_are_settled_by_the_next_ones),
        cmocka_unit_test(a_carry_adds_what_the_digits_cannot_hold),
        cmocka_unit_test(mass_and_tail_agree_with_published_formulae),
        cmocka_unit_test(the_half_width_is_the_least_that_holds_the_confidence),
        cmocka_unit_test(samples_fit_at_five_scales),
        cmocka_unit_test(one_draw_at_a_time_fits_too),
        cmocka_unit_test(scales_outside_the_range_are_refused),
        cmocka_unit_test(the_smallest_scale_gives_zero_and_the_largest_does_not_overflow),
        cmocka_unit_test(noise_wraps_instead_of_saturating),
        cmocka_unit_test(without_entropy_nothing_noisy_or_true_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
