/* The auditor's evidence, on answers that this test makes up: what is private is not convicted, what is not is.
 *
 * Randomised response at epsilon 1 with a fixed seed keeps within its epsilon; at epsilon 2 it is convicted of more than 1. Numbers drawn
 * from a law fit it, and do not fit a scale of four fifths. Draws that repeat, or follow each other's sign, are noticed. Medians chosen with
 * an epsilon that is not shared by a person's groups are noticed. */
#include <math.h>
#include <stdlib.h>

#include "attack/audit_board.h"
#include "tests/support/test.h"

enum { PEOPLE = 6000, DRAWS = 6000 };

static uint64_t word;

static double uniform(void)
{
    uint64_t mixed = (word += UINT64_C(0x9e3779b97f4a7c15));
    mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
    mixed ^= mixed >> 31;
    return ((double)(mixed >> 11) + 0.5) * 0x1p-53;
}

/* The difference of two geometric numbers, by inversion. */
static double geometric(double scale)
{
    return floor(-scale * log(uniform())) - floor(-scale * log(uniform()));
}

struct crowd {
    double scores[PEOPLE];
    bool present[PEOPLE];
    struct audit_look look;
};

/* Each score is 0 or 1 with noise of scale 1 / epsilon; 1 is claimed. */
static void fill(struct crowd *crowd, double epsilon)
{
    word = 12345;
    for (size_t i = 0; i < PEOPLE; i++) {
        crowd->present[i] = uniform() < 0.5;
        crowd->scores[i] = (crowd->present[i] ? 1 : 0) + geometric(1 / epsilon);
    }
    crowd->look = (struct audit_look){.scores = crowd->scores,
                                      .people = PEOPLE,
                                      .repeats = 1,
                                      .present = crowd->present,
                                      .claimed_epsilon = 1};
}

static void what_keeps_its_promise_is_not_convicted_and_the_bounds_come_close(void **state)
{
    (void)state;
    struct crowd *crowd = malloc(sizeof *crowd);
    fill(crowd, 1);
    double guesses = audit_canaries_epsilon(&crowd->look, 1e-6),
           events = audit_events_epsilon(&crowd->look, 1e-6);
    assert_true(guesses > 0.5 && guesses <= 1);
    assert_true(events > 0.5 && events <= 1);
    free(crowd);
}

static void twice_the_epsilon_is_convicted(void **state)
{
    (void)state;
    struct crowd *crowd = malloc(sizeof *crowd);
    fill(crowd, 2);
    double guesses = audit_canaries_epsilon(&crowd->look, 1e-6),
           events = audit_events_epsilon(&crowd->look, 1e-6);
    assert_true(guesses > 1 && guesses <= 2);
    assert_true(events > 1 && events <= 2);
    free(crowd);
}

static void scores_that_say_nothing_convict_of_nothing(void **state)
{
    (void)state;
    struct crowd *crowd = malloc(sizeof *crowd);
    fill(crowd, 1);
    for (size_t i = 0; i < PEOPLE; i++)
        crowd->scores[i] = geometric(3);
    assert_true(audit_canaries_epsilon(&crowd->look, 1e-6) < 0.01);
    assert_true(audit_events_epsilon(&crowd->look, 1e-6) < 0.01);
    free(crowd);
}

static void a_sample_fits_its_law_and_not_four_fifths_of_it(void **state)
{
    (void)state;
    static double noise[DRAWS];
    word = 99;
    for (size_t i = 0; i < DRAWS; i++)
        noise[i] = geometric(7.5);
    assert_true(audit_law_fit("geometric", 7.5, noise, DRAWS, NULL) > 1e-4);
    assert_true(audit_law_fit("geometric", 6, noise, DRAWS, NULL) < 1e-9);
    assert_true(audit_law_fit("discrete-gaussian", 7.5, noise, DRAWS, NULL) < 1e-9);
}

static void the_stated_laws_are_laws(void **state)
{
    (void)state;
    static const char *const names[] = {"geometric", "discrete-gaussian"};
    for (size_t i = 0; i < 2; i++)
        for (double scale = 0.3; scale < 30; scale *= 3) {
            /* Equal draws: the sum of squared probabilities, from the differences of the cumulative law. */
            double squares = 0;
            for (double k = -2000; k <= 2000; k++) {
                double p =
                    audit_law_cumulative(names[i], scale, k) - audit_law_cumulative(names[i], scale, k - 1);
                squares += p * p;
            }
            assert_true(fabs(squares - audit_law_collision(names[i], scale)) < 1e-9);
            assert_true(fabs(audit_law_cumulative(names[i], scale, -1) +
                             audit_law_cumulative(names[i], scale, 0) - 1) < 1e-9);
        }
}

/* Medians of zeros (without the person) and of zeros and ones, for people with two groups, chosen by the exponential race that
 * permute-and-flip is (Ding and others 2021): scores, times the rate, plus an exponential number each; the larger is taken. */
static uint64_t convictions_of_medians(double epsilon_of_a_group)
{
    static double scores[PEOPLE];
    static bool present[PEOPLE];
    struct audit_report report = {0};
    struct audit_run run = {.report = &report, .fit_error = 1e-6};
    struct audit_board board = {.run = &run, .groups = 2};
    struct audit_look look = {
        .scores = scores, .people = PEOPLE, .repeats = 1, .present = present, .claimed_epsilon = 2};
    word = 4711;
    arena_init(&report.arena, 1 << 20);
    for (size_t i = 0; i < PEOPLE; i++) {
        present[i] = uniform() < 0.5;
        scores[i] = 0;
        for (int group = 0; group < 2; group++) {
            double behind =
                present[i] ? 0 : epsilon_of_a_group / 2; /* rate times R / 2, with rate epsilon / R */
            double zero = -log(uniform()), one = -log(uniform());
            scores[i] += one - behind > zero;
        }
    }
    audit_choices_fit(&board, &look, "SELECT ...");
    assert_int_equal(report.tests[AUDIT_SHAPE], 2);
    arena_free(&report.arena);
    return report.convictions[AUDIT_SHAPE];
}

static void medians_follow_their_law_only_if_groups_share_epsilon(void **state)
{
    (void)state;
    assert_int_equal(convictions_of_medians(1), 0);
    assert_int_equal(convictions_of_medians(2), 1);
    assert_int_equal(convictions_of_medians(1.25), 1); /* four fifths of the noise */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_keeps_its_promise_is_not_convicted_and_the_bounds_come_close),
        cmocka_unit_test(twice_the_epsilon_is_convicted),
        cmocka_unit_test(scores_that_say_nothing_convict_of_nothing),
        cmocka_unit_test(a_sample_fits_its_law_and_not_four_fifths_of_it),
        cmocka_unit_test(the_stated_laws_are_laws),
        cmocka_unit_test(medians_follow_their_law_only_if_groups_share_epsilon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
