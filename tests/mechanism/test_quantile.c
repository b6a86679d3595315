/* quantile: scores against the definition, their sensitivity over all small data sets, candidates, the exact
 * promise, sampled answers, and every refusal. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mechanism/registry.h"
#include "mechanism/verify.h"
#include "tests/support/fixed_source.h"
#include "tests/support/law_check.h"
#include "tests/support/test.h"

static const double one = 0x1p30; /* a rank, in the scores' unit */

static struct mechanism made(dither_options options)
{
    struct mechanism mechanism;
    error why;
    if (mechanism_init(&mechanism, &mechanism_quantile, &options, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    return mechanism;
}

static void measured(const struct mechanism *mechanism, const double *values, size_t count,
                     int64_t *statistic)
{
    assert_int_equal(mechanism_measure(mechanism, &(dither_data){values, count}, statistic, NULL), DITHER_OK);
}

/* ---- Scores ---- */

/* Minus the distance of q n from [#{x < c}, #{x <= c}], by counting. */
static double defined_score(const double *values, size_t count, double c, double q)
{
    double below = 0, at_most = 0, target = q * (double)count;
    for (size_t i = 0; i < count; i++) {
        below += values[i] < c || isnan(values[i]);
        at_most += values[i] <= c || isnan(values[i]);
    }
    return -fmax(0, fmax(below - target, target - at_most));
}

static void scores_are_distances_of_ranks(void **state)
{
    (void)state;
    const double edges[] = {-2, 0, 1, 1.5, 3}, quantiles[] = {0, 0.25, 0.5, 0.75, 1};
    const double values[] = {1, 1, 0.5, -INFINITY, 3, NAN, 7, 1.5, INFINITY, -0.0, 2.999};
    for (size_t q = 0; q < 5; q++)
        for (size_t count = 0; count <= 11; count++) {
            struct mechanism mechanism = made(
                (dither_options){.epsilon = 1, .quantile = quantiles[q], .edges = edges, .edge_count = 5});
            int64_t statistic[5];
            measured(&mechanism, values, count, statistic);
            for (int i = 0; i < 5; i++)
                assert_true((double)statistic[i] ==
                            one * defined_score(values, count, edges[i], quantiles[q]));
        }
}

/* All data sets of up to four people with five kinds of value, and one person more: no score moves further
 * than the mechanism believes, and some move exactly as far. */
static void one_person_moves_no_score_further_than_the_sensitivity(void **state)
{
    (void)state;
    const double edges[] = {1, 2, 4}, kinds[] = {0, 1, 1.5, 4, NAN}, quantiles[] = {0, 0.1, 0.5, 0.8, 1};
    for (size_t q = 0; q < 5; q++) {
        struct mechanism mechanism =
            made((dither_options){.epsilon = 1, .quantile = quantiles[q], .edges = edges, .edge_count = 3});
        uint64_t farthest = 0;
        for (int code = 0; code < 3125; code++) {
            double values[5];
            for (int i = 0, rest = code; i < 5; i++, rest /= 5)
                values[i] = kinds[rest % 5];
            for (size_t count = 0; count < 5; count++) {
                int64_t before[3], after[3];
                measured(&mechanism, values, count, before);
                measured(&mechanism, values, count + 1, after);
                for (int i = 0; i < 3; i++) {
                    uint64_t moved = (uint64_t)llabs((long long)(after[i] - before[i]));
                    farthest = moved > farthest ? moved : farthest;
                }
            }
        }
        assert_true(farthest == mechanism.sensitivity);
        assert_true(fabs((double)farthest / one - fmax(quantiles[q], 1 - quantiles[q])) < 1e-9);
    }
}

static void a_group_moves_scores_so_many_times_further(void **state)
{
    (void)state;
    struct mechanism one_person = made((dither_options){.epsilon = 1, .quantile = 0.5, .range = {0, 1}});
    struct mechanism three =
        made((dither_options){.epsilon = 1, .quantile = 0.5, .range = {0, 1}, .group = 3});
    assert_true(one_person.sensitivity == UINT64_C(1) << 29);
    assert_true(three.sensitivity == 3 * one_person.sensitivity);
    assert_true(mechanism_quantile.scale(&three) == 3); /* 2 * (3 * 1/2) / 1 ranks */
    struct mechanism largest =
        made((dither_options){.epsilon = 2, .quantile = 1, .range = {0, 1}, .group = 3});
    assert_true(mechanism_quantile.scale(&largest) == 1.5); /* 3 / 2: no score moves up */
}

/* ---- Candidates ---- */

static double candidate(const struct mechanism *mechanism, int64_t index)
{
    double answer = 0;
    mechanism_quantile.finish(mechanism, &index, 1, &answer);
    return answer;
}

static size_t candidates(const struct mechanism *mechanism)
{
    return mechanism_quantile.statistic_count(mechanism, &(dither_data){NULL, 0});
}

static void candidates_are_thousandths_of_the_range(void **state)
{
    (void)state;
    struct mechanism mechanism = made((dither_options){.epsilon = 1, .quantile = 0.5, .range = {-50, 150}});
    assert_int_equal(candidates(&mechanism), 1001);
    assert_true(candidate(&mechanism, 0) == -50 && candidate(&mechanism, 1000) == 150);
    assert_true(candidate(&mechanism, 500) == 50);
    struct mechanism narrow = made((dither_options){.epsilon = 1, .range = {1, nextafter(1, 2)}});
    struct mechanism wide = made((dither_options){.epsilon = 1, .range = {-8e307, 8e307}});
    for (int64_t i = 1; i <= 1000; i++) {
        assert_true(candidate(&mechanism, i) > candidate(&mechanism, i - 1));
        assert_true(candidate(&wide, i) > candidate(&wide, i - 1));
        assert_true(candidate(&narrow, i) >= candidate(&narrow, i - 1) &&
                    candidate(&narrow, i) <= nextafter(1, 2));
    }
}

static void candidates_are_multiples_of_a_grid(void **state)
{
    (void)state;
    struct mechanism mechanism = made((dither_options){.epsilon = 1, .range = {-1.2, 3.9}, .grid = 0.5});
    assert_int_equal(candidates(&mechanism), 10); /* -1, -0.5, ..., 3.5 */
    assert_true(candidate(&mechanism, 0) == -1 && candidate(&mechanism, 9) == 3.5);
    struct mechanism most = made((dither_options){.epsilon = 1, .range = {1, 65536}, .grid = 1});
    assert_int_equal(candidates(&most), 65536);
}

static void candidates_are_the_given_edges(void **state)
{
    (void)state;
    const double edges[] = {-7.5};
    struct mechanism mechanism = made((dither_options){.epsilon = 1, .edges = edges, .edge_count = 1});
    assert_int_equal(candidates(&mechanism), 1);
    assert_true(candidate(&mechanism, 0) == -7.5);
}

/* ---- Answers ---- */

static double answered(const struct mechanism *mechanism, const double *values, size_t count, uint64_t seed)
{
    static int64_t statistic[65536];
    int64_t outcome = -1;
    struct random *random = fixed_source(seed);
    measured(mechanism, values, count, statistic);
    assert_int_equal(mechanism_noise(mechanism, random, statistic, candidates(mechanism), &outcome, NULL),
                     DITHER_OK);
    random_close(random);
    assert_int_equal(mechanism_quantile.answer_count(mechanism, &(dither_data){values, count}), 1);
    return candidate(mechanism, outcome);
}

/* With plenty of people and a large epsilon the answer is the truth, to the fineness of the candidates. */
static void large_data_give_the_true_quantiles(void **state)
{
    (void)state;
    enum { N = 20000 };
    static double values[N];
    for (int i = 0; i < N; i++)
        values[i] = (i * 7919 % N) / (N / 100.0); /* 0 to 100, evenly, in disorder */
    const double quantiles[] = {0, 0.1, 0.5, 0.9, 1};
    for (size_t q = 0; q < 5; q++) {
        struct mechanism mechanism =
            made((dither_options){.epsilon = 2, .quantile = quantiles[q], .range = {0, 100}, .grid = 0x1p-9});
        for (uint64_t seed = 0; seed < 5; seed++)
            assert_true(fabs(answered(&mechanism, values, N, seed) - 100 * quantiles[q]) < 0.5);
    }
}

static void nobody_gives_any_candidate(void **state)
{
    (void)state;
    struct mechanism mechanism =
        made((dither_options){.epsilon = 1, .quantile = 0.5, .range = {0, 8}, .grid = 1});
    int64_t statistic[9];
    measured(&mechanism, NULL, 0, statistic);
    for (int i = 0; i < 9; i++)
        law_check_probability(&mechanism.law, statistic, 9, 0, i, 1 / 9.0, 1e-13);
}

static void answers_fit(void **state)
{
    (void)state;
    const double values[] = {1, 2, 2, 3, 5, 5, 5, 6, 9};
    struct mechanism mechanism =
        made((dither_options){.epsilon = 1, .quantile = 0.3, .range = {0, 8}, .grid = 1});
    int64_t statistic[9];
    measured(&mechanism, values, 9, statistic);
    law_check_fit(&mechanism.law, statistic, 9, 0, 9, 30000, 12);
}

static void no_width_is_claimed(void **state)
{
    (void)state;
    struct mechanism mechanism = made((dither_options){.epsilon = 1, .quantile = 0.3, .range = {0, 8}});
    assert_true(isnan(mechanism_quantile.half_width(&mechanism, &(dither_data){NULL, 0}, 0.95)));
    assert_true(mechanism.cost.epsilon == 1 && mechanism.cost.delta == 0);
}

/* ---- The promise ---- */

static void the_promise_is_kept(void **state)
{
    (void)state;
    const double edges[] = {1, 4};
    const dither_options cases[] = {
        mechanism_quantile.example,
        {.epsilon = 2, .edges = edges, .edge_count = 2},
        {.epsilon = 2, .quantile = 1, .edges = edges, .edge_count = 2},
        {.epsilon = 1, .quantile = 0.5, .edges = edges, .edge_count = 2, .group = 2},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct mechanism mechanism = made(cases[c]);
        struct verdict verdicts[2];
        size_t count = 0;
        assert_int_equal(verify_mechanism(&mechanism, verdicts, &count, NULL), DITHER_OK);
        for (size_t i = 0; i < count; i++)
            if (!verdicts[i].kept)
                fail_msg("promised %g, found [%.12g, %.12g] for %s", verdicts[i].promised,
                         verdicts[i].found.lower, verdicts[i].found.upper, verdicts[i].worst);
        mechanism.law.rate.exponent++; /* a sensitivity halved */
        assert_int_equal(verify_mechanism(&mechanism, verdicts, &count, NULL), DITHER_OK);
        assert_true(verdicts[0].broken);
    }
}

/* ---- Refusals ---- */

static void refused(dither_options options, const char *words)
{
    struct mechanism mechanism;
    error why = {.message = ""};
    assert_int_equal(mechanism_init(&mechanism, &mechanism_quantile, &options, &why), DITHER_INVALID);
    if (strstr(why.message, words) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", why.message, words);
}

static void wrong_options_are_refused(void **state)
{
    (void)state;
    const double edges[] = {1, 2, 2};
    refused((dither_options){.range = {0, 1}}, "needs an epsilon");
    refused((dither_options){.epsilon = 1, .quantile = 0.5}, "needs a range, or edges");
    refused((dither_options){.epsilon = 1, .quantile = 1.5, .range = {0, 1}}, "between 0 and 1");
    refused((dither_options){.epsilon = 1, .quantile = NAN, .range = {0, 1}}, "between 0 and 1");
    refused((dither_options){.epsilon = 1, .range = {1, 0}}, "upside down");
    refused((dither_options){.epsilon = 1, .range = {0, INFINITY}}, "finite");
    refused((dither_options){.epsilon = 1, .range = {-1e308, 1e308}}, "too wide");
    refused((dither_options){.epsilon = 1, .range = {0, 1}, .edges = edges, .edge_count = 2},
            "not from both");
    refused((dither_options){.epsilon = 1, .grid = 1, .edges = edges, .edge_count = 2}, "not from both");
    refused((dither_options){.epsilon = 1, .edges = edges, .edge_count = 3}, "edges must ascend");
    refused((dither_options){.epsilon = 1, .range = {0.1, 0.9}, .grid = 1}, "no multiple of the grid");
    refused((dither_options){.epsilon = 1, .range = {0, 65536}, .grid = 1}, "at most 65536 candidates");
    refused((dither_options){.epsilon = 1, .range = {-1e300, 1e300}, .grid = 1}, "at most 65536 candidates");
    refused((dither_options){.epsilon = 1, .range = {1e300, 2e300}, .grid = 1}, "at most 65536 candidates");
    refused((dither_options){.epsilon = 1, .range = {-2e300, -1e300}, .grid = 1}, "at most 65536 candidates");
    refused((dither_options){.epsilon = 1, .range = {0, 1}, .sensitivity = 1}, "does not use sensitivity");
    refused((dither_options){.epsilon = 1, .range = {0, 1}, .delta = 0.1}, "does not use delta");
}

static void more_people_than_ranks_can_hold_are_refused(void **state)
{
    (void)state;
    struct mechanism mechanism = made((dither_options){.epsilon = 1, .range = {0, 1}});
    int64_t statistic[1];
    error why;
    double none = 0; /* not read */
    assert_int_equal(mechanism_measure(&mechanism, &(dither_data){&none, (size_t)1 << 32}, statistic, &why),
                     DITHER_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_are_distances_of_ranks),
        cmocka_unit_test(one_person_moves_no_score_further_than_the_sensitivity),
        cmocka_unit_test(a_group_moves_scores_so_many_times_further),
        cmocka_unit_test(candidates_are_thousandths_of_the_range),
        cmocka_unit_test(candidates_are_multiples_of_a_grid),
        cmocka_unit_test(candidates_are_the_given_edges),
        cmocka_unit_test(large_data_give_the_true_quantiles),
        cmocka_unit_test(nobody_gives_any_candidate),
        cmocka_unit_test(answers_fit),
        cmocka_unit_test(no_width_is_claimed),
        cmocka_unit_test(the_promise_is_kept),
        cmocka_unit_test(wrong_options_are_refused),
        cmocka_unit_test(more_people_than_ranks_can_hold_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
