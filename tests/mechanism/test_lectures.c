/* The five lecture decks, in order: every worked number that a mechanism can give is reproduced by that
 * mechanism.
 *
 * Each test names its deck and slide. Where a slide has a slip, the test says so and follows the mathematics.
 * True answers are what a mechanism measures before it adds noise; scales, probabilities and half widths are
 * what it says through the public interface. Decks 000 and 004 also compute with randomised response (Warner,
 * PRAM, Apple's lies), with repeated questions and with composition: those numbers belong to the rooms
 * local/, attack/ and account/.
 *
 * The file is longer than most because it is one walk. */
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

#include "mechanism/mechanism.h"

/* ---- Asking the mechanisms ---- */

static dither_mechanism *make(const char *name, dither_options options)
{
    error why;
    dither_mechanism *mechanism = dither_mechanism_new(name, &options, &why);
    if (mechanism == NULL)
        fail_msg("%s: %s", name, why.message);
    return mechanism;
}

static double scale_of(const char *name, dither_options options)
{
    dither_mechanism *mechanism = make(name, options);
    double scale = dither_mechanism_scale(mechanism);
    dither_mechanism_free(mechanism);
    return scale;
}

static double probability(const char *name, dither_options options, double truth, double answer)
{
    dither_mechanism *mechanism = make(name, options);
    double result = dither_probability(mechanism, &(dither_data){&truth, 1}, 0, answer);
    dither_mechanism_free(mechanism);
    return result;
}

/* The probability that the answer lies in [lower, upper): the sum over the grid. */
static double probability_within(const char *name, dither_options options, double truth, double lower,
                                 double upper)
{
    dither_mechanism *mechanism = make(name, options);
    double sum = 0;
    for (double answer = lower; answer < upper; answer += options.grid)
        sum += dither_probability(mechanism, &(dither_data){&truth, 1}, 0, answer);
    dither_mechanism_free(mechanism);
    return sum;
}

/* What the mechanism measures before the noise, in the answer's unit. */
static void true_answers(const char *name, dither_options options, dither_data data, double *answers,
                         size_t count)
{
    const struct mechanism_kind *kind = mechanism_find(name);
    assert_non_null(kind);
    struct mechanism mechanism;
    int64_t statistic[64];
    error why;
    if (mechanism_init(&mechanism, kind, &options, &why) != DITHER_OK)
        fail_msg("%s: %s", name, why.message);
    assert_int_equal(kind->statistic_count(&mechanism, &data), count);
    assert_true(count <= 64);
    assert_int_equal(mechanism_measure(&mechanism, &data, statistic, &why), DITHER_OK);
    for (size_t i = 0; i < count; i++)
        answers[i] = (double)statistic[i] * mechanism.grid;
}

static double true_answer(const char *name, dither_options options, dither_data data)
{
    double answer = NAN;
    true_answers(name, options, data, &answer, 1);
    return answer;
}

/* As printed on a slide: within half a unit of the last digit. */
static void assert_printed(double value, double printed, double last_digit)
{
    if (!(fabs(value - printed) <= last_digit / 2 * (1 + 1e-9)))
        fail_msg("%.10g is not %.10g as printed", value, printed);
}

/* Up to what a grid costs: one part in ten thousand, and never less than the formula. */
static void assert_scale(double scale, double formula)
{
    if (!(scale >= formula * (1 - 1e-12) && scale <= formula * (1 + 1e-4)))
        fail_msg("a scale of %.10g, where the formula says %.10g", scale, formula);
}

/* ---- Deck 000: Privacy Engineering, week 4 ---- */

/* "Achieving DP: Laplace mechanism": Q(D) = 55 with Lap(1) is answered as 55 with probability 0.39 and as 54
 * with 0.19, that is, rounded to whole numbers. The closed forms are 1 - e^-1/2 and (e^-1/2 - e^-3/2) / 2. */
static void fifty_five_is_reported_as_55_with_0_39_and_as_54_with_0_19(void **state)
{
    (void)state;
    const dither_options lap1 = {.epsilon = 1, .sensitivity = 1, .grid = 0x1p-9};
    double as_55 = probability_within("laplace", lap1, 55, 54.5, 55.5);
    double as_54 = probability_within("laplace", lap1, 55, 53.5, 54.5);
    assert_printed(as_55, 0.39, 0.01);
    assert_printed(as_54, 0.19, 0.01);
    assert_true(fabs(as_55 - (1 - exp(-0.5))) < 1e-3);
    assert_true(fabs(as_54 - (exp(-0.5) - exp(-1.5)) / 2) < 1e-3);
}

/* "The smaller the epsilon, the more noise we add" (sigma = sqrt 2 / epsilon) and "DP and attacks (one
 * query)" (epsilon = 0.1: noise proportional to 10). The variance is summed from the geometric mechanism's
 * own law, whose exact value is 2a/(1-a)^2: the Laplace's 2/epsilon^2, less 1/6. */
static void the_noise_grows_with_one_over_epsilon(void **state)
{
    (void)state;
    assert_true(scale_of("geometric", (dither_options){.epsilon = 0.5}) == 2);
    assert_scale(scale_of("laplace", (dither_options){.epsilon = 0.1}), 10);
    dither_mechanism *mechanism = make("geometric", (dither_options){.epsilon = 0.1});
    const double truth = 55;
    double variance = 0;
    for (int k = -600; k <= 600; k++)
        variance += k * k * dither_probability(mechanism, &(dither_data){&truth, 1}, 0, truth + k);
    dither_mechanism_free(mechanism);
    assert_true(fabs(variance - 200) < 0.2);
    assert_true(fabs(sqrt(variance) - sqrt(2) / 0.1) < 0.01);
}

/* "Privacy budget: Example": epsilon = 1 and post_Bob(0) = 0.5 give 0.18 <= post_-Bob(0) <= 0.82. */
static void a_belief_of_one_half_would_have_been_0_18_to_0_82_without_bob(void **state)
{
    (void)state;
    dither_range other = dither_other_world(0.5, 1);
    assert_printed(other.lower, 0.18, 0.01);
    assert_printed(other.upper, 0.82, 0.01);
}

/* "Using the budget": 0.6 on the first query and 0.1 on four others spend 1. The slide calls the noise
 * Lap(0.6) and Lap(0.1); those are the epsilons, the scales are 1/0.6 and 10. */
static void a_budget_can_be_spent_unevenly(void **state)
{
    (void)state;
    dither_mechanism *first = make("laplace", (dither_options){.epsilon = 0.6});
    dither_mechanism *other = make("laplace", (dither_options){.epsilon = 0.1});
    double spent = dither_mechanism_cost(first).epsilon + 4 * dither_mechanism_cost(other).epsilon;
    assert_true(fabs(spent - 1) < 1e-12);
    assert_scale(dither_mechanism_scale(first), 1 / 0.6);
    assert_scale(dither_mechanism_scale(other), 10);
    dither_mechanism_free(first);
    dither_mechanism_free(other);
}

/* "DP and utility": 4 editors, 2 genders, 10 age groups are 80 queries; each gets epsilon 1/80. The slide
 * writes Lap(1/80); the scale is 80. */
static void eighty_queries_need_a_scale_of_80(void **state)
{
    (void)state;
    assert_scale(scale_of("laplace", (dither_options){.epsilon = 1.0 / (4 * 2 * 10)}), 80);
    assert_printed(exp(1), 2.7, 0.1);
}

/* "Histograms the non-optimized way": five editors share epsilon = 1, so each count gets 0.2. The slide
 * writes Lap(0.2); the scale is 5. With 48 months and 2 genders there are 96 counts: Lap(960) is what epsilon
 * = 0.1, of the slides before, gives; epsilon = 1 gives 96. */
static void a_histogram_with_a_split_budget_has_five_times_the_noise(void **state)
{
    (void)state;
    assert_true(fabs(scale_of("geometric", (dither_options){.epsilon = 1.0 / 5}) - 5) < 1e-12);
    assert_scale(scale_of("geometric", (dither_options){.epsilon = 0.1 / (48 * 2)}), 960);
    assert_scale(scale_of("geometric", (dither_options){.epsilon = 1.0 / (48 * 2)}), 96);
}

/* "Histograms the optimized way": every person is in one bucket, so all counts get epsilon = 1 at no further
 * cost, for five buckets as for ninety-six. */
static void a_histogram_needs_no_splitting(void **state)
{
    (void)state;
    double edges[97];
    for (int i = 0; i < 97; i++)
        edges[i] = i;
    const double editors[] = {0, 0, 1, 2, 2, 2, 3, 4, 4, 4, 4};
    double counts[5];
    dither_options five = {.epsilon = 1, .edges = edges, .edge_count = 6};
    true_answers("histogram", five, (dither_data){editors, 11}, counts, 5);
    const double expected[] = {2, 1, 3, 1, 4};
    for (int i = 0; i < 5; i++)
        assert_true(counts[i] == expected[i]);
    assert_true(scale_of("histogram", five) == 1);
    assert_true(scale_of("histogram", (dither_options){.epsilon = 1, .edges = edges, .edge_count = 97}) == 1);
    dither_mechanism *mechanism = make("histogram", five);
    assert_true(dither_mechanism_cost(mechanism).epsilon == 1);
    dither_mechanism_free(mechanism);
}

/* "What if I want to do more than counting?": with Lap(10) the true scholarship lies within +-10 of the
 * answer 63% of the time, 1 - 1/e. */
static void lap_10_hides_a_scholarship_only_to_within_10_most_of_the_time(void **state)
{
    (void)state;
    const dither_options lap10 = {.epsilon = 0.1, .sensitivity = 1, .grid = 0x1p-4};
    double within = probability_within("laplace", lap10, 4500, 4490, 4510 + 0x1p-4);
    assert_true(fabs(within - (1 - exp(-1))) < 0.005);
    assert_printed(within, 0.63, 0.01);
    dither_mechanism *mechanism = make("laplace", lap10);
    const double truth = 4500;
    assert_true(fabs(dither_half_width(mechanism, &(dither_data){&truth, 1}, 1 - exp(-1)) - 10) < 0.2);
    dither_mechanism_free(mechanism);
}

/* "Protecting general queries: Function Sensitivity" and "Function Sensitivity": a scholarship is at most
 * 6000, so a sum has sensitivity 6000, and epsilon = 0.1 means Lap(60000). */
static void a_sum_of_scholarships_gets_lap_60000(void **state)
{
    (void)state;
    dither_options options = {.epsilon = 0.1, .range = {0, 6000}};
    assert_scale(scale_of("sum", options), 60000);
    options.epsilon = 1;
    assert_scale(scale_of("sum", options), 6000);
}

/* "Group privacy": epsilon-DP is k epsilon-DP for k people; to hide 10 people, Lap(10) becomes Lap(100). */
static void hiding_ten_people_takes_ten_times_the_noise(void **state)
{
    (void)state;
    dither_cost ten = dither_group_cost((dither_cost){.epsilon = 0.1}, 10);
    assert_true(fabs(ten.epsilon - 1) < 1e-12 && ten.epsilon >= 10 * 0.1);
    assert_scale(scale_of("laplace", (dither_options){.epsilon = 0.1}), 10);
    assert_scale(scale_of("laplace", (dither_options){.epsilon = 0.1, .group = 10}), 100);
    assert_true(fabs(scale_of("geometric", (dither_options){.epsilon = 0.1, .group = 10}) - 100) < 1e-9);
}

/* ---- Deck 001: Introduction to Differential Privacy ---- */

/* "Example: Mean": records in [0, 1], sensitivity 1/n, noise Lap(1/(n epsilon)). */
static void a_mean_over_the_unit_interval_has_sensitivity_1_over_n(void **state)
{
    (void)state;
    dither_options options = {.epsilon = 0.5, .range = {0, 1}, .min_size = 200};
    assert_scale(scale_of("mean", options), 1 / (200 * 0.5));
    assert_scale(scale_of("linear", (dither_options){.epsilon = 0.5, .min_size = 200}), 1 / (200 * 0.5));
}

/* "Exponential Mechanism" and "Example: Parameter Tuning": classifiers w_1 .. w_k with accuracies f on a
 * validation set of |D| records, sensitivity 1/|D|; w_i comes with probability proportional to e^(epsilon |D|
 * f(w_i) / 2). Here |D| = 64 and the classifiers get 40, 48, 50 and 32 of them right. */
static void tuning_a_parameter_follows_the_exponential_law(void **state)
{
    (void)state;
    const double records = 64, epsilon = 0.25;
    const double accuracy[] = {40 / 64.0, 48 / 64.0, 50 / 64.0, 32 / 64.0};
    dither_mechanism *mechanism =
        make("exponential", (dither_options){.epsilon = epsilon, .sensitivity = 1 / records});
    double weights = 0;
    for (int i = 0; i < 4; i++)
        weights += exp(epsilon * records * accuracy[i] / 2);
    for (int i = 0; i < 4; i++) {
        double expected = exp(epsilon * records * accuracy[i] / 2) / weights;
        double found = dither_probability(mechanism, &(dither_data){accuracy, 4}, 0, i);
        assert_true(fabs(found - expected) < 1e-4);
    }
    dither_mechanism_free(mechanism);
}

/* ---- Deck 002: databases and queries ---- */

/* The ten rows I1 .. I10 over {0,1}^3 that all of this deck's examples use. */
static const double ten_rows[10][3] = {{0, 0, 0}, {1, 0, 1}, {0, 1, 0}, {1, 0, 1}, {0, 0, 0},
                                       {0, 0, 1}, {1, 1, 0}, {0, 0, 0}, {0, 1, 0}, {1, 0, 1}};
static const uint32_t bits[] = {2, 2, 2};

static dither_data all_rows(void)
{
    return (dither_data){&ten_rows[0][0], 30};
}

/* "Point functions": q_000 .. q_111, as shares of ten. */
static void the_point_functions_of_the_ten_rows(void **state)
{
    (void)state;
    const double expected[] = {.3, .1, .2, 0, 0, .3, .1, 0};
    double counts[8];
    dither_options options = {.epsilon = 1, .categories = bits, .column_count = 3};
    true_answers("point", options, all_rows(), counts, 8);
    for (int i = 0; i < 8; i++)
        assert_true(counts[i] / 10 == expected[i]);
}

/* "Threshold functions": rows in the order of their binary encoding, q_y = the share at or below y. */
static void the_threshold_functions_of_the_ten_rows(void **state)
{
    (void)state;
    const double expected[] = {.3, .4, .6, .6, .6, .9, 1, 1};
    const double thresholds[] = {0, 1, 2, 3, 4, 5, 6, 7};
    double encoded[10], counts[8];
    for (int i = 0; i < 10; i++)
        encoded[i] = 4 * ten_rows[i][0] + 2 * ten_rows[i][1] + ten_rows[i][2];
    dither_options options = {.epsilon = 1, .edges = thresholds, .edge_count = 8};
    true_answers("cdf", options, (dither_data){encoded, 10}, counts, 8);
    for (int i = 0; i < 8; i++)
        assert_true(counts[i] / 10 == expected[i]);
}

/* "Conjunctions": all 2-way marginals. The slides list those of attribute 1 with 2 and with 3: q_12 = .1,
 * q_1/2 = .3, q_13 = .3, q_1/3 = .1, q_/12 = .2, q_/13 = .1, q_/1/2 = .4, q_/1/3 = .5 (a slash negates; the
 * last slide has lost the slash before the 1 in its right column). The marginals of 2 with 3 are counted from
 * the rows. */
static void the_two_way_marginals_of_the_ten_rows(void **state)
{
    (void)state;
    /* For each pair, in order: neither, the second, the first, both. */
    const double expected[12] = {.4, .2, .3, .1, /* 1 and 2: /1/2, /12, 1/2, 12 */
                                 .5, .1, .1, .3, /* 1 and 3: /1/3, /13, 1/3, 13 */
                                 .3, .4, .3, 0}; /* 2 and 3: /2/3, /23, 2/3, 23 */
    double counts[12];
    dither_options options = {.epsilon = 1, .categories = bits, .column_count = 3, .ways = 2};
    true_answers("marginals", options, all_rows(), counts, 12);
    for (int i = 0; i < 12; i++)
        assert_true(counts[i] / 10 == expected[i]);
}

/* "Sum queries": q_I adds up the rows in I, column by column. The slide lets I be a subset of {0, .., n};
 * rows are numbered from 1. */
static void the_sum_queries_of_the_ten_rows(void **state)
{
    (void)state;
    const struct {
        int rows[4];
        int count;
        double expected[3];
    } queries[] = {
        {{1, 2, 3}, 3, {1, 1, 1}},
        {{1, 2, 4}, 3, {2, 0, 2}},
        {{5, 8}, 2, {0, 0, 0}},
        {{2, 4, 7, 10}, 4, {4, 1, 3}},
    };
    for (size_t query = 0; query < 4; query++)
        for (int column = 0; column < 3; column++) {
            double values[4];
            for (int i = 0; i < queries[query].count; i++)
                values[i] = ten_rows[queries[query].rows[i] - 1][column];
            dither_data data = {values, (size_t)queries[query].count};
            double sum = true_answer("sum", (dither_options){.epsilon = 1, .range = {0, 1}}, data);
            assert_true(sum == queries[query].expected[column]);
        }
}

/* "Linear Queries": averages of values in [0, 1]; a counting query is one whose values are 0 and 1. */
static void a_counting_query_is_a_linear_query(void **state)
{
    (void)state;
    double first_column[10];
    for (int i = 0; i < 10; i++)
        first_column[i] = ten_rows[i][0];
    double share = true_answer("linear", (dither_options){.epsilon = 1, .min_size = 10},
                               (dither_data){first_column, 10});
    assert_true(fabs(share - 0.4) < 1e-6); /* on the grid */
}

/* ---- Deck 003: Foundations of Privacy, lecture 3 ---- */

/* "Geometric mechanism": the normaliser is (1 - a) / (1 + a) with a = e^(-epsilon / sensitivity). */
static void the_geometric_normaliser_is_1_minus_a_over_1_plus_a(void **state)
{
    (void)state;
    for (int sensitivity = 1; sensitivity <= 10; sensitivity += 3) {
        const dither_options options = {.epsilon = 0.7, .sensitivity = sensitivity};
        double a = exp(-0.7 / sensitivity), sum = 0;
        assert_true(fabs(probability("geometric", options, 20, 20) - (1 - a) / (1 + a)) < 1e-12);
        assert_true(fabs(probability("geometric", options, 20, 25) - (1 - a) / (1 + a) * pow(a, 5)) < 1e-12);
        for (int z = -500; z <= 500; z++)
            sum += probability("geometric", options, 0, z);
        assert_true(fabs(sum - 1) < 1e-9);
    }
}

/* "Laplace mechanism": the normaliser is epsilon / (2 sensitivity), the density at the truth. */
static void the_laplace_normaliser_is_epsilon_over_twice_the_sensitivity(void **state)
{
    (void)state;
    const dither_options options = {.epsilon = 0.5, .sensitivity = 3, .grid = 0x1p-12};
    double density = probability("laplace", options, 7, 7) / options.grid;
    assert_true(fabs(density - 0.5 / (2 * 3)) < 1e-5);
}

/* "Intuition behind the Laplace distribution": sensitivity 10, y1 = 10, y2 = 20. The ratio is e^epsilon
 * outside [10, 20] and less inside. */
static void between_10_and_20_the_ratio_is_less_than_e_to_the_epsilon(void **state)
{
    (void)state;
    const dither_options options = {.epsilon = 1, .sensitivity = 10};
    for (int z = -20; z <= 50; z++) {
        double ratio = probability("geometric", options, 10, z) / probability("geometric", options, 20, z);
        double outside = z <= 10 ? exp(1) : exp(-1);
        if (z <= 10 || z >= 20)
            assert_true(fabs(ratio / outside - 1) < 1e-9);
        else
            assert_true(ratio < exp(1) * (1 - 1e-3) && ratio > exp(-1) * (1 + 1e-3));
    }
}

/* "Example": the average age of at least 100 people, ages in [0, 150], has sensitivity 1.5; the density at
 * the truth is epsilon / 3. */
static void ages_up_to_150_of_100_people_have_sensitivity_1_5(void **state)
{
    (void)state;
    dither_options options = {.epsilon = 1, .range = {0, 150}, .min_size = 100};
    assert_scale(scale_of("mean", options), 1.5);
    options.epsilon = 0.5;
    assert_scale(scale_of("mean", options), 3);

    double ages[100];
    for (int i = 0; i < 100; i++)
        ages[i] = i < 50 ? 20 : 60;
    options = (dither_options){.epsilon = 1, .range = {0, 150}, .min_size = 100, .grid = 0x1p-13};
    dither_mechanism *mechanism = make("mean", options);
    double density = dither_probability(mechanism, &(dither_data){ages, 100}, 0, 40) / options.grid;
    dither_mechanism_free(mechanism);
    assert_true(fabs(density - 1.0 / 3) < 1e-4);
}

/* "Example: Counting Queries", exercise: a counting query has sensitivity 1. */
static void a_counting_query_has_sensitivity_1(void **state)
{
    (void)state;
    assert_true(scale_of("geometric", (dither_options){.epsilon = 1}) == 1);
    assert_true(scale_of("geometric", (dither_options){.epsilon = 1, .sensitivity = 1}) == 1);
}

/* "Bayesian characterization": e^-epsilon <= posterior / prior <= e^epsilon, for every prior. */
static void no_belief_moves_by_more_than_e_to_the_epsilon(void **state)
{
    (void)state;
    for (int i = 1; i < 20; i++) {
        double prior = i / 20.0;
        dither_range posterior = dither_posterior(prior, 0.5);
        assert_true(posterior.lower >= prior * exp(-0.5) * (1 - 1e-12));
        assert_true(posterior.upper <= prior * exp(0.5) * (1 + 1e-12));
        assert_true(posterior.lower < prior && prior < posterior.upper);
    }
}

/* ---- Deck 004: Privacy for Computations ---- */

static const double salaries[] = {1000, 2000, 3000, 2000, 1000, 6000, 2000, 10000, 2000, 4000, 100000};
static const dither_options mean_of_salaries = {.epsilon = 1, .range = {1000, 100000}, .min_size = 5};

/* "Data is sensitive: computation leads to disclosure": ten salaries have mean 3300; with Ms. Rich's 100000
 * it is 12090.90 (the slide cuts off 12090.909...). */
static void ms_rich_moves_the_mean_from_3300_to_12090_90(void **state)
{
    (void)state;
    dither_options finely = mean_of_salaries;
    finely.grid = 0x1p-10;
    double without = true_answer("mean", finely, (dither_data){salaries, 10});
    double with = true_answer("mean", finely, (dither_data){salaries, 11});
    assert_true(without == 3300);
    assert_true(fabs(with - 133000.0 / 11) <= 0x1p-11);
    assert_true(floor(with * 100) / 100 == 12090.90);
}

/* "Understanding the definition": q(D) = 5, q(D') = 6 with L(0, 1): no answer is more than e times likelier.
 */
static void five_and_six_with_l_0_1_differ_by_a_factor_of_e(void **state)
{
    (void)state;
    const dither_options options = {.epsilon = 1, .sensitivity = 1, .grid = 0x1p-6};
    double largest = 0;
    for (double z = 0; z <= 11; z += 0x1p-6)
        largest =
            fmax(largest, probability("laplace", options, 5, z) / probability("laplace", options, 6, z));
    assert_true(fabs(largest - exp(1)) < 1e-6);
}

/* "The case of the mean": range [1000, 100000]; S = 5: sensitivity and scale 19800; S = 10^6: 0.099. (The
 * slide shows 3300 + L(0, 0.099), though its ten people are not 10^6; ours leans to the middle of the range
 * then.) */
static void the_mean_of_salaries_has_scales_19800_and_0_099(void **state)
{
    (void)state;
    dither_options options = mean_of_salaries;
    assert_scale(scale_of("mean", options), 19800);
    options.min_size = 1000000;
    assert_scale(scale_of("mean", options), 0.099);
}

/* "Prop. 5.1": sensitivity 1, epsilon = 0.5, delta = 0.1: b = 1 / (0.5 - log 0.9) = 1.651908; with epsilon
 * alone, 2. */
static void a_delta_of_0_1_lowers_the_scale_from_2_to_1_651908(void **state)
{
    (void)state;
    double b =
        scale_of("approximate-laplace", (dither_options){.epsilon = 0.5, .delta = 0.1, .sensitivity = 1});
    assert_scale(b, 1 / (0.5 - log(0.9)));
    assert_true(fabs(b - 1.651908) < 1e-4);
    assert_scale(scale_of("laplace", (dither_options){.epsilon = 0.5, .sensitivity = 1}), 2);
}

/* "Sensitivity of the truncated mean. Example": output in [2000, 4000], S = 5: sensitivity 2000, scales 2000,
 * 5000 and 1000 for epsilon 1, 0.4 and 2. The slide prints the largest salary as 1000000 in one place and
 * 100000 in others; the minimum is 2000 with either. */
static void the_truncated_mean_has_scales_2000_5000_and_1000(void **state)
{
    (void)state;
    const double largest[] = {100000, 1000000};
    for (int i = 0; i < 2; i++) {
        dither_options options = {.range = {1000, largest[i]}, .output = {2000, 4000}, .min_size = 5};
        const double epsilons[] = {1, 0.4, 2}, scales[] = {2000, 5000, 1000};
        for (int j = 0; j < 3; j++) {
            options.epsilon = epsilons[j];
            assert_scale(scale_of("truncated-mean", options), scales[j]);
        }
        options.epsilon = 1;
        assert_true(fabs(true_answer("truncated-mean", options, (dither_data){salaries, 10}) - 3300) < 0.1);
        assert_true(true_answer("truncated-mean", options, (dither_data){salaries, 11}) == 4000);
    }
}

/* "Alternatives": bounded Laplace is epsilon-private at b = sensitivity / epsilon if the sensitivity is the
 * whole interval, "not otherwise". The slide offers re-drawing until the value is inside as another way; it
 * is the same mechanism, and needs the same larger scale: interval 1, sensitivity 0.1, epsilon 1 takes b =
 * 0.16116, sensitivity 0.5 takes 0.70667. */
static void the_bounded_laplace_needs_a_larger_scale_than_the_slide_says(void **state)
{
    (void)state;
    dither_options options = {.epsilon = 1, .output = {0, 1}, .sensitivity = 0.1};
    assert_true(fabs(scale_of("bounded-laplace", options) - 0.16116) < 2e-5);
    options.sensitivity = 0.5;
    assert_true(fabs(scale_of("bounded-laplace", options) - 0.70667) < 2e-5);
    options.sensitivity = 1;
    assert_scale(scale_of("bounded-laplace", options), 1);
}

static const double incomes[] = {1234, 1300, 1233, 1250, 1284, 2000, 2300, 2044,
                                 2573, 2745, 2853, 2483, 3633, 3182, 3274, 3935};
static const double income_edges[] = {1000, 2000, 3000, 4000};
static const dither_options income_buckets = {.epsilon = 1, .edges = income_edges, .edge_count = 4};

/* "Example: epsilon-DP histogram": the 16 incomes are (5, 7, 4), noise L(0, 1). */
static void the_income_histogram_is_5_7_4(void **state)
{
    (void)state;
    double counts[3];
    true_answers("histogram", income_buckets, (dither_data){incomes, 16}, counts, 3);
    assert_true(counts[0] == 5 && counts[1] == 7 && counts[2] == 4);
    assert_true(scale_of("histogram", income_buckets) == 1);
    const double noise[] = {0.7534844, -0.6143575, -1.5725160}, printed[] = {5.753484, 6.385643, 2.427484};
    for (int i = 0; i < 3; i++)
        assert_printed(counts[i] + noise[i], printed[i], 1e-6);
}

/* The post-processing of histogram-mean. It takes whole counts, and only their proportions matter, so the
 * slide's counts enter in millionths. */
static double mean_from_millionths(const int64_t counts[3])
{
    struct mechanism mechanism;
    const struct mechanism_kind *kind = mechanism_find("histogram-mean");
    assert_non_null(kind);
    assert_int_equal(mechanism_init(&mechanism, kind, &income_buckets, NULL), DITHER_OK);
    double mean = NAN;
    kind->finish(&mechanism, counts, 3, &mean);
    return mean;
}

/* "Histograms and composition": from (5, 7, 4) the mean is 2437.5, the true one is 2332.688 (2332.6875), and
 * from the noisy counts (5.753484, 6.385643, 2.427484) it is 2271.67. */
static void the_mean_from_the_histogram_is_2437_5_and_with_noise_2271_67(void **state)
{
    (void)state;
    const int64_t exact[] = {5000000, 7000000, 4000000}, noisy[] = {5753484, 6385643, 2427484};
    assert_true(mean_from_millionths(exact) == 2437.5);
    assert_printed(mean_from_millionths(noisy), 2271.67, 0.01);
    dither_options options = {.epsilon = 1, .range = {1000, 4000}, .min_size = 16};
    double truth = true_answer("mean", options, (dither_data){incomes, 16});
    assert_true(fabs(truth - 2332.688) < 0.001);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        /* deck 000 */
        cmocka_unit_test(fifty_five_is_reported_as_55_with_0_39_and_as_54_with_0_19),
        cmocka_unit_test(the_noise_grows_with_one_over_epsilon),
        cmocka_unit_test(a_belief_of_one_half_would_have_been_0_18_to_0_82_without_bob),
        cmocka_unit_test(a_budget_can_be_spent_unevenly),
        cmocka_unit_test(eighty_queries_need_a_scale_of_80),
        cmocka_unit_test(a_histogram_with_a_split_budget_has_five_times_the_noise),
        cmocka_unit_test(a_histogram_needs_no_splitting),
        cmocka_unit_test(lap_10_hides_a_scholarship_only_to_within_10_most_of_the_time),
        cmocka_unit_test(a_sum_of_scholarships_gets_lap_60000),
        cmocka_unit_test(hiding_ten_people_takes_ten_times_the_noise),
        /* deck 001 */
        cmocka_unit_test(a_mean_over_the_unit_interval_has_sensitivity_1_over_n),
        cmocka_unit_test(tuning_a_parameter_follows_the_exponential_law),
        /* deck 002 */
        cmocka_unit_test(the_point_functions_of_the_ten_rows),
        cmocka_unit_test(the_threshold_functions_of_the_ten_rows),
        cmocka_unit_test(the_two_way_marginals_of_the_ten_rows),
        cmocka_unit_test(the_sum_queries_of_the_ten_rows),
        cmocka_unit_test(a_counting_query_is_a_linear_query),
        /* deck 003 */
        cmocka_unit_test(the_geometric_normaliser_is_1_minus_a_over_1_plus_a),
        cmocka_unit_test(the_laplace_normaliser_is_epsilon_over_twice_the_sensitivity),
        cmocka_unit_test(between_10_and_20_the_ratio_is_less_than_e_to_the_epsilon),
        cmocka_unit_test(ages_up_to_150_of_100_people_have_sensitivity_1_5),
        cmocka_unit_test(a_counting_query_has_sensitivity_1),
        cmocka_unit_test(no_belief_moves_by_more_than_e_to_the_epsilon),
        /* deck 004 */
        cmocka_unit_test(ms_rich_moves_the_mean_from_3300_to_12090_90),
        cmocka_unit_test(five_and_six_with_l_0_1_differ_by_a_factor_of_e),
        cmocka_unit_test(the_mean_of_salaries_has_scales_19800_and_0_099),
        cmocka_unit_test(a_delta_of_0_1_lowers_the_scale_from_2_to_1_651908),
        cmocka_unit_test(the_truncated_mean_has_scales_2000_5000_and_1000),
        cmocka_unit_test(the_bounded_laplace_needs_a_larger_scale_than_the_slide_says),
        cmocka_unit_test(the_income_histogram_is_5_7_4),
        cmocka_unit_test(the_mean_from_the_histogram_is_2437_5_and_with_noise_2271_67),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
