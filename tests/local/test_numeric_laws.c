/* The laws of local/numeric.h, for every kind, exactly.
 *
 * On small grids every probability is listed as a fraction: they add to 1, no two inputs differ by more than e^epsilon (MPFR,
 * rounded down) and the worst ones nearly do; the means of the outputs are linear in the input without any rounding, so that values
 * are unbiased; variances are the stated ones. On fine grids they are those of the papers, as computed outside. Draws follow
 * the listed law by chi-square at fixed seeds. */
#include "local/kinds.h"
#include "local/numeric.h"
#include "tests/support/exact_law.h"
#include "tests/support/fit.h"
#include "tests/support/fixed_source.h"
#include "tests/support/near.h"

static struct local_numeric make(const char *name, struct local_numeric_setting setting)
{
    struct local_numeric numeric;
    error why;
    const struct local_numeric_kind *kind = local_numeric_kind_named(name);
    assert_non_null(kind);
    if (local_numeric_init(&numeric, kind, &setting, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    return numeric;
}

static void probability_of(const void *context, size_t input, size_t output, mpq_t out)
{
    const struct local_numeric *numeric = context;
    numeric->kind->probability(numeric, (uint32_t)input, (uint32_t)output, out);
}

static void check_law(const struct local_numeric *numeric)
{
    const struct exact_law law = {numeric, (size_t)numeric->setting.steps + 1, numeric->outputs,
                                  probability_of};
    double used = exact_law_check(&law, numeric->setting.epsilon);
    assert_true(used > numeric->setting.epsilon * (1 - 1e-6)); /* and nothing is wasted */
}

/* The sum of P(output | input) * output over the outputs from .. end-1: linear in the input, in fractions, for the window and for
 * the bit. */
static void mean_output(const struct local_numeric *numeric, uint32_t input, uint32_t from, uint32_t end,
                        mpq_t mean)
{
    mpq_t here, factor;
    mpq_inits(here, factor, NULL);
    mpq_set_ui(mean, 0, 1);
    for (uint32_t output = from; output < end; output++) {
        numeric->kind->probability(numeric, input, output, here);
        mpq_set_ui(factor, output - from, 1);
        mpq_mul(here, here, factor);
        mpq_add(mean, mean, here);
    }
    mpq_clears(here, factor, NULL);
}

static void check_linear(const struct local_numeric *numeric, uint32_t from, uint32_t end)
{
    mpq_t before, here, step, first_step;
    mpq_inits(before, here, step, first_step, NULL);
    for (uint32_t input = 0; input <= numeric->setting.steps; input++) {
        mpq_set(before, here);
        mean_output(numeric, input, from, end, here);
        mpq_sub(step, here, before);
        if (input == 1)
            mpq_set(first_step, step);
        if (input >= 1)
            assert_true(mpq_sgn(step) > 0 && mpq_equal(step, first_step));
    }
    mpq_clears(before, here, step, first_step, NULL);
}

/* The mean of the values is the number, their variance the stated one. The values are large where epsilon is small. */
static void check_moments(const struct local_numeric *numeric)
{
    const struct local_numeric_setting *setting = &numeric->setting;
    double scale = sqrt(local_numeric_worst_variance(numeric)), width = setting->upper - setting->lower;
    mpq_t probability;
    mpq_init(probability);
    for (uint32_t input = 0; input <= setting->steps; input++) {
        double truth = setting->lower + width * input / setting->steps, mean = 0, variance = 0;
        for (uint32_t output = 0; output < numeric->outputs; output++) {
            numeric->kind->probability(numeric, input, output, probability);
            double off = local_numeric_value(numeric, output) - truth;
            mean += mpq_get_d(probability) * off;
            variance += mpq_get_d(probability) * off * off;
        }
        assert_near(mean, 0, 1e-9 * scale);
        assert_near(variance, local_numeric_variance(numeric, truth),
                    1e-9 * scale * scale + 1e-15 * width * width);
        assert_true(variance <= local_numeric_worst_variance(numeric) * (1 + 1e-9) + 1e-15 * width * width);
    }
    mpq_clear(probability);
}

static void every_report_keeps_its_epsilon_and_is_unbiased_exactly(void **state)
{
    (void)state;
    static const double epsilons[] = {LOCAL_EPSILON_LEAST, 0.01, 0.5, 0.7, 1, 2, 8, LOCAL_EPSILON_MOST};
    static const uint32_t grids[] = {2, 5, 16};
    for (size_t e = 0; e < sizeof epsilons / sizeof *epsilons; e++)
        for (size_t g = 0; g < sizeof grids / sizeof *grids; g++)
            for (size_t k = 0; local_numeric_kind_at(k) != NULL; k++) {
                struct local_numeric numeric =
                    make(local_numeric_kind_at(k)->name,
                         (struct local_numeric_setting){-3, 7, epsilons[e], grids[g]});
                uint32_t windowed = numeric.window > 0 ? grids[g] + numeric.window : 0;
                check_law(&numeric);
                check_moments(&numeric);
                if (windowed > 0)
                    check_linear(&numeric, 0, windowed);
                if (windowed < numeric.outputs)
                    check_linear(&numeric, windowed, numeric.outputs);
            }
}

/* Worst variances on [-1, 1], computed outside from the papers' formulas (shared notes); the grid of 2^16 is fine enough. */
static void variances_are_those_of_the_papers(void **state)
{
    (void)state;
    static const struct {
        double epsilon, duchi, piecewise, hybrid;
    } figures[] = {{1, 4.6827, 5.2236, 4.2890}, {2, 1.7241, 1.2276, 1.0423}, {4, 1.0760, .24135, .21898}};
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        struct local_numeric_setting setting = {-1, 1, figures[i].epsilon, 1 << 16};
        struct local_numeric duchi = make("duchi", setting), piecewise = make("piecewise", setting),
                             hybrid = make("hybrid", setting);
        assert_near(local_numeric_worst_variance(&duchi) / figures[i].duchi, 1, 5e-5);
        assert_near(local_numeric_worst_variance(&piecewise) / figures[i].piecewise, 1, 5e-5);
        assert_near(local_numeric_worst_variance(&hybrid) / figures[i].hybrid, 1, 5e-5);
        /* (e^eps + 1)^2 / (e^eps - 1)^2 - t^2, by hand at t = 1/2 */
        double odds = exp(setting.epsilon), wanted = pow((odds + 1) / (odds - 1), 2) - .25;
        assert_near(local_numeric_variance(&duchi, .5), wanted, 1e-6);
    }
    /* where one bit and the window are equally good */
    struct local_numeric_setting crossing = {-1, 1, 1.28978, 1 << 16};
    struct local_numeric duchi = make("duchi", crossing), piecewise = make("piecewise", crossing);
    assert_near(local_numeric_worst_variance(&duchi) / local_numeric_worst_variance(&piecewise), 1, 5e-5);
}

static void square_waves_have_the_width_of_the_paper(void **state)
{
    (void)state;
    static const double figures[][2] = {{.5, .35816}, {1, .25608}, {2, .12934}};
    for (int i = 0; i < 3; i++) {
        struct local_numeric wave =
            make("wave", (struct local_numeric_setting){0, 1, figures[i][0], NUMERIC_STEPS_LIMIT});
        assert_near(wave.window / 2.0 / NUMERIC_STEPS_LIMIT, figures[i][1], 5e-6);
    }
}

/* A number between two grid points follows the mixture of their laws. */
static void check_draws(const struct local_numeric *numeric, double value, uint32_t below, double up,
                        uint64_t seed)
{
    enum { DRAWS = 20000, MOST = 64 };
    uint64_t observed[MOST] = {0};
    double expected[MOST];
    struct random *random = fixed_source(seed);
    assert_true(numeric->outputs <= MOST);
    for (int i = 0; i < DRAWS; i++) {
        unsigned char report[4];
        error why;
        assert_int_equal(local_numeric_randomise(numeric, value, random, report, &why), DITHER_OK);
        assert_true(report_number(report) < numeric->outputs);
        observed[report_number(report)]++;
    }
    mpq_t low, high;
    mpq_inits(low, high, NULL);
    for (uint32_t output = 0; output < numeric->outputs; output++) {
        numeric->kind->probability(numeric, below, output, low);
        numeric->kind->probability(numeric, below + (up > 0), output, high);
        expected[output] = (1 - up) * mpq_get_d(low) + up * mpq_get_d(high);
    }
    mpq_clears(low, high, NULL);
    size_t freedom = 0;
    double chi_square = fit_chi_square(observed, expected, numeric->outputs, DRAWS, &freedom);
    assert_true(freedom > 0 && chi_square < fit_threshold(freedom));
    random_close(random);
}

static void draws_follow_the_law(void **state)
{
    (void)state;
    for (size_t k = 0; local_numeric_kind_at(k) != NULL; k++)
        for (double epsilon = 0.5; epsilon < 5; epsilon *= 3) {
            struct local_numeric numeric =
                make(local_numeric_kind_at(k)->name, (struct local_numeric_setting){0, 8, epsilon, 8});
            check_draws(&numeric, 0, 0, 0, 31 + k);
            check_draws(&numeric, 8, 8, 0, 41 + k);
            check_draws(&numeric, 3, 3, 0, 51 + k);
            check_draws(&numeric, 5.25, 5, .25, 61 + k);
        }
}

/* With the same coins, a wild number gives the report of the end where it counts. */
static void wild_numbers_count_as_an_end_of_the_range(void **state)
{
    (void)state;
    static const double wild[][2] = {{NAN, -3},     {-INFINITY, -3}, {-1e308, -3}, {-3.0000001, -3},
                                     {INFINITY, 7}, {1e308, 7},      {7.5, 7}};
    struct local_numeric numeric = make("piecewise", (struct local_numeric_setting){-3, 7, 1, 100});
    for (size_t i = 0; i < sizeof wild / sizeof *wild; i++) {
        struct random *one = fixed_source(5), *other = fixed_source(5);
        for (int draw = 0; draw < 100; draw++) {
            unsigned char here[4], there[4];
            error why;
            assert_int_equal(local_numeric_randomise(&numeric, wild[i][0], one, here, &why), DITHER_OK);
            assert_int_equal(local_numeric_randomise(&numeric, wild[i][1], other, there, &why), DITHER_OK);
            assert_memory_equal(here, there, sizeof here);
        }
        random_close(one);
        random_close(other);
    }
}

static void settings_that_cannot_be_kept_are_refused(void **state)
{
    (void)state;
    static const struct local_numeric_setting bad[] = {
        {1, 1, 1, 0}, {2, 1, 1, 0},   {NAN, 1, 1, 0}, {0, INFINITY, 1, 0}, {-1e308, 1e308, 1, 0},
        {0, 1, 0, 0}, {0, 1, NAN, 0}, {0, 1, 21, 0},  {0, 1, 1, 1},        {0, 1, 1, 1 << 21},
    };
    struct local_numeric numeric;
    error why;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(local_numeric_init(&numeric, local_numeric_kind_at(1), &bad[i], &why),
                         DITHER_INVALID);
    assert_null(local_numeric_kind_named("laplace"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_report_keeps_its_epsilon_and_is_unbiased_exactly),
        cmocka_unit_test(variances_are_those_of_the_papers),
        cmocka_unit_test(square_waves_have_the_width_of_the_paper),
        cmocka_unit_test(draws_follow_the_law),
        cmocka_unit_test(wild_numbers_count_as_an_end_of_the_range),
        cmocka_unit_test(settings_that_cannot_be_kept_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
