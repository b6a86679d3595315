/* The additive laws have the probabilities that their formulae say, and draw by them.
 *
 * Formula: for every law, statistics over a window and outcomes over a window, the cells add up to one,
 * joined cells have one ratio, and the plain law's ratio is exactly exp(distance/scale). Known answers:
 * probability masses computed with 50 digits from the published formulae. Fit: chi-square of 100 000 draws
 * with a fixed seed. */
#include <math.h>

#include "mechanism/divergence.h"
#include "mechanism/law.h"
#include "tests/support/fit.h"
#include "tests/support/fixed_source.h"
#include "tests/support/mechanisms.h"
#include "tests/support/test.h"

static struct law noise_law(const struct law_family *family, double scale, int64_t lower, int64_t upper)
{
    struct law law = {.family = family, .lower = lower, .upper = upper};
    assert_int_equal(geometric_init(&law.noise, rational_from_double(scale), NULL), DITHER_OK);
    return law;
}

static struct law gaussian_law(double variance)
{
    struct law law = {.family = &law_gaussian};
    assert_int_equal(discrete_gaussian_init(&law.gaussian, rational_from_double(variance), NULL), DITHER_OK);
    return law;
}

static struct interval probability(const struct law *law, int64_t statistic, int64_t value)
{
    return law->family->probability(law, &statistic, 1, 0, value);
}

static void assert_holds(struct interval interval, double truth)
{
    /* The truth was rounded when it was written down: one step either way. */
    assert_true(interval.lower <= nextafter(truth, INFINITY));
    assert_true(interval.upper >= nextafter(truth, -INFINITY));
    assert_true(interval.upper - interval.lower <= 1e-13 * truth);
}

/* ---- Known answers ---- */

static void discrete_laplace_masses_are_the_published_ones(void **state)
{
    (void)state;
    static const struct {
        double scale;
        int64_t k;
        double mass;
    } known[] = {
        {0.5, 0, 0.7615941559557648881194583},     {0.5, 1, 0.1030705608076224199865422},
        {0.5, 5, 0.00003457632118791065999562187}, {0.5, 12, 2.875120406869690581675264e-11},
        {2, 0, 0.2449186624037091292778011},       {2, 3, 0.05464874036547883777236687},
        {2, 9, 0.002720800572793740858433193},     {100, 0, 0.004999958333749995783772872},
        {100, 1, 0.004950207917081950642321151},   {100, 9, 0.00456961784627088877308387},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        struct law law = noise_law(&law_laplace, known[i].scale, 0, 0);
        assert_holds(probability(&law, 7, 7 + known[i].k), known[i].mass);
        assert_holds(probability(&law, -3, -3 - known[i].k), known[i].mass);
    }
}

static void discrete_gaussian_masses_are_the_published_ones(void **state)
{
    (void)state;
    static const struct {
        double variance;
        int64_t k;
        double mass;
    } known[] = {
        {0.25, 0, 0.7865707070419478997045906},    {0.25, 1, 0.1064507694231447242359381},
        {0.25, 4, 9.961261650047284154413179e-15}, {0.25, 12, 6.590630753090151503137706e-126},
        {4, 0, 0.199471140200716338969973},        {4, 5, 0.008764150246784268681079161},
        {4, 8, 0.00006691511288244267588703724},   {100, 0, 0.03989422804014326779399461},
        {100, 7, 0.03122539333667612571081773},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        struct law law = gaussian_law(known[i].variance);
        assert_holds(probability(&law, 7, 7 + known[i].k), known[i].mass);
        assert_holds(probability(&law, -3, -3 - known[i].k), known[i].mass);
    }
}

/* P(y | x) of the bounded law over 0..4 at scale 1, written out. */
static void bounded_masses_are_renormalised(void **state)
{
    (void)state;
    struct law law = noise_law(&law_bounded, 1, 0, 4);
    for (int64_t x = 0; x <= 4; x++) {
        double total = 0;
        for (int64_t y = 0; y <= 4; y++)
            total += exp(-fabs((double)(y - x)));
        for (int64_t y = 0; y <= 4; y++)
            assert_close(interval_middle(probability(&law, x, y)), exp(-fabs((double)(y - x))) / total,
                         1e-14);
        assert_true(probability(&law, x, -1).upper == 0 && probability(&law, x, 5).upper == 0);
    }
}

static void clamping_gathers_the_tails_at_the_ends(void **state)
{
    (void)state;
    struct law law = noise_law(&law_clamped, 2, -1, 3);
    struct law plain = noise_law(&law_laplace, 2, 0, 0);
    for (int64_t x = -4; x <= 6; x++) {
        double below = 0, above = 0;
        for (int64_t k = 0; k < 200; k++) {
            below += interval_middle(probability(&plain, x, -1 - k));
            above += interval_middle(probability(&plain, x, 3 + k));
        }
        assert_close(interval_middle(probability(&law, x, -1)), below, 1e-13);
        assert_close(interval_middle(probability(&law, x, 3)), above, 1e-13);
        assert_close(interval_middle(probability(&law, x, 1)), interval_middle(probability(&plain, x, 1)),
                     1e-15);
        assert_true(probability(&law, x, -2).upper == 0 && probability(&law, x, 4).upper == 0);
    }
}

/* ---- Cells ---- */

struct tally {
    struct interval left, right, loss; /* sums; the largest ln(left/right) */
    size_t cells;
};

static void tally_cell(void *context, struct interval left, struct interval right)
{
    struct tally *tally = context;
    assert_true(left.lower >= 0 && left.lower <= left.upper && right.lower >= 0 &&
                right.lower <= right.upper);
    tally->left = interval_add(tally->left, left);
    tally->right = interval_add(tally->right, right);
    tally->loss = interval_max(tally->loss, interval_subtract(interval_log(left), interval_log(right)));
    tally->cells++;
}

static struct tally tallied(const struct law *law, int64_t left, int64_t right)
{
    struct tally tally = {.loss = {-INFINITY, -INFINITY}};
    law->family->cells(law, &left, &right, 1, 0, tally_cell, &tally);
    return tally;
}

/* The largest ln ratio over single outcomes of a window, by `probability`. */
static double window_loss(const struct law *law, int64_t left, int64_t right, int64_t first, int64_t last)
{
    double worst = -INFINITY;
    for (int64_t y = first; y <= last; y++) {
        double p = interval_middle(probability(law, left, y)),
               q = interval_middle(probability(law, right, y));
        if (p > 0)
            worst = fmax(worst, log(p / q));
    }
    return worst;
}

static void assert_cells_are_a_law(const struct law *law, int64_t left, int64_t right, int64_t first,
                                   int64_t last)
{
    struct tally tally = tallied(law, left, right);
    assert_true(tally.left.lower <= 1 && tally.left.upper >= 1 &&
                tally.left.upper - tally.left.lower < 1e-12);
    assert_true(tally.right.lower <= 1 && tally.right.upper >= 1);
    double worst = window_loss(law, left, right, first, last);
    assert_true(fabs(tally.loss.upper - worst) < 1e-12 && fabs(tally.loss.lower - worst) < 1e-12);
}

static void cells_of_plain_noise_add_up_and_lose_distance_over_scale(void **state)
{
    (void)state;
    const double scales[] = {0.3, 1, 2.5, 1000};
    for (size_t i = 0; i < 4; i++) {
        struct law law = noise_law(&law_laplace, scales[i], 0, 0);
        for (int64_t x = -6; x <= 6; x++)
            for (int64_t y = -6; y <= 6; y++) {
                assert_cells_are_a_law(&law, x, y, -20, 20);
                double truth = fabs((double)(x - y)) / scales[i];
                struct tally tally = tallied(&law, x, y);
                assert_true(fabs(tally.loss.upper - truth) < 1e-12);
            }
    }
}

static void cells_of_clamped_noise_add_up_wherever_the_statistics_lie(void **state)
{
    (void)state;
    const int64_t ends[][2] = {{-2, 3}, {0, 0}, {0, 1}, {-7, -5}, {5, 9}};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        struct law law = noise_law(&law_clamped, 1.5, ends[i][0], ends[i][1]);
        for (int64_t x = -6; x <= 6; x++)
            for (int64_t y = -6; y <= 6; y++)
                assert_cells_are_a_law(&law, x, y, ends[i][0], ends[i][1]);
    }
}

static void cells_of_bounded_noise_add_up(void **state)
{
    (void)state;
    const double scales[] = {0.4, 3, 50};
    for (size_t i = 0; i < 3; i++) {
        struct law law = noise_law(&law_bounded, scales[i], -3, 8);
        for (int64_t x = -3; x <= 8; x++)
            for (int64_t y = -3; y <= 8; y++)
                assert_cells_are_a_law(&law, x, y, -3, 8);
    }
}

/* The truth, outcome by outcome, in long doubles: sum of max(0, P_left - e^epsilon P_right). */
static double plain_delta(const struct law *law, int64_t left, int64_t right, int64_t first, int64_t last,
                          double epsilon)
{
    double scale = rational_to_double(law->noise.scale, MPFR_RNDN);
    long double totals[2] = {0, 0}, sum = 0;
    for (int64_t k = first; k <= last; k++) {
        totals[0] += expl(-fabsl((long double)(k - left)) / scale);
        totals[1] += expl(-fabsl((long double)(k - right)) / scale);
    }
    for (int64_t k = first; k <= last; k++)
        sum += fmaxl(0, expl(-fabsl((long double)(k - left)) / scale) / totals[0] -
                            expl((long double)epsilon - fabsl((long double)(k - right)) / scale) / totals[1]);
    return (double)sum;
}

/* 5000 outcomes between the statistics share 256 cells. No loss is underrated for it: the largest is what it
 * was, and the divergences found hold the true ones. */
static void runs_of_outcomes_underrate_nothing(void **state)
{
    (void)state;
    const int64_t near = 0, far = 5001;
    const struct {
        struct law law;
        int64_t first, last; /* all outcomes, or all that matter */
        double loss;
    } cases[] = {
        {noise_law(&law_laplace, 3000, 0, 0), -200000, 200000, 5001.0 / 3000},
        {noise_law(&law_bounded, 3000, 0, 5001), 0, 5001, 5001.0 / 3000},
        {noise_law(&law_bounded, 9000, -50, 5051), -50, 5051, 5001.0 / 9000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int turned = 0; turned < 2; turned++) {
            int64_t left = turned ? far : near, right = turned ? near : far;
            struct statistic_pair pair = {&left, &right, 1};
            struct interval loss = divergence_loss(&cases[i].law, pair);
            assert_true(loss.lower <= cases[i].loss && loss.upper >= cases[i].loss);
            assert_true(loss.upper - loss.lower < 1e-12);
            for (double epsilon = 0; epsilon < cases[i].loss; epsilon += 0.2) {
                double truth =
                    plain_delta(&cases[i].law, left, right, cases[i].first, cases[i].last, epsilon);
                struct interval found;
                assert_int_equal(divergence_delta(&cases[i].law, pair, epsilon, &found, NULL), DITHER_OK);
                assert_true(found.lower <= truth * (1 + 1e-12) && found.upper >= truth * (1 - 1e-12));
                assert_true(found.upper - found.lower < 0.02);
            }
        }
}

static void cells_of_gaussian_noise_add_up(void **state)
{
    (void)state;
    const double variances[] = {0.25, 1, 30};
    for (size_t i = 0; i < 3; i++) {
        struct law law = gaussian_law(variances[i]);
        for (int64_t y = -3; y <= 3; y++) {
            struct tally tally = tallied(&law, 0, y);
            assert_true(tally.left.lower <= 1 && tally.left.upper >= 1 && tally.left.upper < 1 + 1e-11);
            assert_true(tally.right.lower <= 1 && tally.right.upper >= 1);
            assert_true(y == 0 ? tally.cells == 1 : tally.cells > 70 * sqrt(variances[i]));
        }
    }
}

/* ---- Sampling ---- */

enum { DRAWS = 100000, SPAN = 121 };

/* Draws about a statistic fit the law's probabilities over [statistic - 60, statistic + 60], the rest in a
 * last cell. */
static void assert_fits(const struct law *law, int64_t statistic, uint64_t seed)
{
    struct random *random = fixed_source(seed);
    uint64_t observed[SPAN + 1] = {0};
    double expected[SPAN + 1], rest = 1;
    for (int i = 0; i < SPAN; i++) {
        expected[i] = interval_middle(probability(law, statistic, statistic - SPAN / 2 + i));
        rest -= expected[i];
    }
    expected[SPAN] = fmax(rest, 0);
    for (int i = 0; i < DRAWS / 4; i++) {
        const int64_t statistics[4] = {statistic, statistic, statistic, statistic};
        int64_t outcome[4];
        assert_int_equal(law->family->sample(law, random, statistics, 4, outcome, NULL), DITHER_OK);
        for (int j = 0; j < 4; j++) {
            int64_t cell = outcome[j] - statistic + SPAN / 2;
            observed[cell >= 0 && cell < SPAN ? cell : SPAN]++;
        }
    }
    for (int i = 0; i <= SPAN; i++) /* joined cells would hide what is impossible */
        assert_true(expected[i] > 1e-12 || observed[i] == 0);
    size_t freedom = 0;
    double found = fit_chi_square(observed, expected, SPAN + 1, DRAWS, &freedom);
    assert_true(freedom > 0 && found < fit_threshold(freedom));
    random_close(random);
}

static void draws_fit_their_laws(void **state)
{
    (void)state;
    struct law plain = noise_law(&law_laplace, 3, 0, 0);
    assert_fits(&plain, 5, 1);
    struct law clamped = noise_law(&law_clamped, 3, -2, 7);
    assert_fits(&clamped, 5, 2);
    assert_fits(&clamped, 30, 3);
    struct law wide = noise_law(&law_bounded, 3, -2, 7); /* proposals: noise */
    assert_fits(&wide, 5, 4);
    assert_fits(&wide, -2, 5);
    struct law narrow = noise_law(&law_bounded, 9.5, -2, 7); /* proposals: uniform */
    assert_fits(&narrow, 5, 6);
    assert_fits(&narrow, -2, 7);
    struct law bell = gaussian_law(6.25);
    assert_fits(&bell, 5, 8);
}

/* At most 3.3 proposals are expected, of at most a few words each. */
static void redraws_are_few_for_every_scale(void **state)
{
    (void)state;
    const double scales[] = {0x1p-10, 0.1, 1, 9, 9.01, 100, 1e6, 0x1p49};
    enum { TIMES = 20000 };
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++) {
        struct law law = noise_law(&law_bounded, scales[i], 0, 9);
        struct random *random = fixed_source(9);
        size_t words = geometric_words(&law.noise);
        for (int j = 0; j < TIMES; j++) {
            int64_t statistic = j % 2 == 0 ? 0 : 9, outcome = 0;
            assert_int_equal(law.family->sample(&law, random, &statistic, 1, &outcome, NULL), DITHER_OK);
            assert_true(outcome >= 0 && outcome <= 9);
        }
        double used = (double)random_bytes_used(random) / 8 / TIMES;
        assert_true(used < 3.4 * (double)(words > 3 ? words : 3));
        random_close(random);
    }
}

static void a_failing_stream_stops_every_law(void **state)
{
    (void)state;
    struct law laws[] = {noise_law(&law_laplace, 3, 0, 0), noise_law(&law_clamped, 3, 0, 5),
                         noise_law(&law_bounded, 3, 0, 5), noise_law(&law_bounded, 30, 0, 5),
                         gaussian_law(4)};
    static int64_t statistic[100000], outcome[100000];
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++) {
        const uint64_t word = 1;
        struct random *random = script_source(&word, 1);
        error why = {0};
        assert_int_not_equal(laws[i].family->sample(&laws[i], random, statistic, 100000, outcome, &why),
                             DITHER_OK);
        random_close(random);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(discrete_laplace_masses_are_the_published_ones),
        cmocka_unit_test(discrete_gaussian_masses_are_the_published_ones),
        cmocka_unit_test(bounded_masses_are_renormalised),
        cmocka_unit_test(clamping_gathers_the_tails_at_the_ends),
        cmocka_unit_test(cells_of_plain_noise_add_up_and_lose_distance_over_scale),
        cmocka_unit_test(cells_of_clamped_noise_add_up_wherever_the_statistics_lie),
        cmocka_unit_test(cells_of_bounded_noise_add_up),
        cmocka_unit_test(runs_of_outcomes_underrate_nothing),
        cmocka_unit_test(cells_of_gaussian_noise_add_up),
        cmocka_unit_test(draws_fit_their_laws),
        cmocka_unit_test(redraws_are_few_for_every_scale),
        cmocka_unit_test(a_failing_stream_stops_every_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
