/* What the collector of numbers concludes: mean and variance unbiased with intervals that hold the truth as often as they say
 * (many surveys at fixed seeds), and a distribution that is near the true one in the mean distance between their quantiles. */
#include <stdlib.h>

#include "local/kinds.h"
#include "local/numeric.h"
#include "tests/support/fixed_source.h"
#include "tests/support/near.h"

static struct local_numeric make(const char *name, struct local_numeric_setting setting)
{
    struct local_numeric numeric;
    error why;
    if (local_numeric_init(&numeric, local_numeric_kind_named(name), &setting, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    return numeric;
}

/* Person i of n has the quantile (i + 1/2) / n of a law on 10 .. 30: the density rises in a straight line from 0, so that the quantile q
 * lies at 10 + 20 sqrt(q); mean 10 + 40/3, variance 400/18. */
static double number_of(int person, int people)
{
    return 10 + 20 * sqrt((person + 0.5) / people);
}

static struct local_tally ask(const struct local_numeric *numeric, int people, struct random *random)
{
    struct local_tally tally;
    unsigned char report[4];
    error why;
    assert_int_equal(local_numeric_tally(&tally, numeric, &why), DITHER_OK);
    for (int person = 0; person < people; person++) {
        assert_int_equal(local_numeric_randomise(numeric, number_of(person, people), random, report, &why),
                         DITHER_OK);
        assert_int_equal(local_numeric_add(&tally, numeric, report, sizeof report, &why), DITHER_OK);
    }
    assert_int_equal(tally.people, people);
    return tally;
}

struct seen {
    double sum, stated;
    int covered;
};

static void look(struct seen *seen, const struct local_figure *figure, double truth)
{
    seen->sum += figure->value - truth;
    seen->stated += figure->standard_error * figure->standard_error;
    seen->covered += figure->lower <= truth && truth <= figure->upper;
}

/* Intervals are for people drawn from a population; those here are always the same, so they cover a little more often. */
static void judge(const struct seen *seen, int surveys, const char *what)
{
    double off = seen->sum / surveys, allowed = 3 * sqrt(seen->stated) / surveys;
    if (!(fabs(off) < allowed))
        fail_msg("%s is off by %g, more than %g", what, off, allowed);
    double share = (double)seen->covered / surveys;
    if (!(share > .9 - 4 * sqrt(.09 / surveys)))
        fail_msg("%s: only %g of the intervals hold the truth, not 0.9", what, share);
    if (!(share < .9 + 6 * sqrt(.09 / surveys)))
        fail_msg("%s: %g of the intervals hold the truth: they are too wide", what, share);
}

static void means_and_variances_are_unbiased_with_honest_intervals(void **state)
{
    (void)state;
    enum { SURVEYS = 200, PEOPLE = 1000 };
    static const char *const names[] = {"duchi", "piecewise", "hybrid", "wave"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        struct local_numeric numeric = make(names[k], (struct local_numeric_setting){10, 30, 1.5, 50});
        struct random *random = fixed_source(11 + k);
        struct seen mean = {0}, spread = {0};
        for (int s = 0; s < SURVEYS; s++) {
            struct local_tally tally = ask(&numeric, PEOPLE, random);
            struct local_figure figure;
            error why;
            assert_int_equal(local_numeric_mean(&tally, &numeric, .9, &figure, &why), DITHER_OK);
            look(&mean, &figure, 10 + 40. / 3);
            status result = local_numeric_spread(&tally, &numeric, .9, &figure, &why);
            assert_int_equal(result, k == 0 ? DITHER_REFUSED : DITHER_OK);
            if (k > 0)
                look(&spread, &figure, 400. / 18);
            local_tally_free(&tally);
        }
        judge(&mean, SURVEYS, names[k]);
        if (k > 0)
            judge(&spread, SURVEYS, names[k]);
        random_close(random);
    }
}

/* The mean distance between the quantiles of the estimate and those of the truth (Wasserstein), as a part of the range. */
static double distance(const struct local_numeric *numeric, const double *shares)
{
    double sum = 0;
    for (int i = 0; i < 100; i++)
        sum +=
            fabs(local_numeric_quantile(numeric, shares, (i + .5) / 100) - (10 + 20 * sqrt((i + .5) / 100)));
    return sum / 100 / 20;
}

static double distance_of(const char *name, double epsilon, bool smooth)
{
    enum { PEOPLE = 20000 };
    double shares[129];
    struct local_numeric numeric = make(name, (struct local_numeric_setting){10, 30, epsilon, 128});
    struct random *random = fixed_source(99);
    struct local_tally tally = ask(&numeric, PEOPLE, random);
    error why;
    assert_int_equal(local_numeric_distribution(&tally, &numeric, smooth, shares, &why), DITHER_OK);
    double sum = 0;
    for (int k = 0; k <= 128; k++) {
        assert_true(shares[k] >= 0);
        sum += shares[k];
    }
    assert_near(sum, 1, 1e-9);
    local_tally_free(&tally);
    random_close(random);
    return distance(&numeric, shares);
}

/* The uniform guess that all begins with lies 0.0869 of the range away: the mean of |sqrt(q) - q| over q is 1/6. */
static void the_distribution_is_found(void **state)
{
    (void)state;
    assert_true(distance_of("wave", 1, true) < .03);
    assert_true(distance_of("wave", 4, true) < .01);
    assert_true(distance_of("wave", 4, false) < .01);
    assert_true(distance_of("piecewise", 4, true) < .01);
    assert_true(distance_of("hybrid", 4, true) < .02);
}

/* At epsilon 20 a report is the number, and the distribution the histogram. */
static void without_noise_the_histogram_comes_back(void **state)
{
    (void)state;
    double shares[11];
    struct local_numeric numeric = make("wave", (struct local_numeric_setting){0, 10, 20, 10});
    struct random *random = fixed_source(3);
    struct local_tally tally;
    unsigned char report[4];
    error why;
    assert_int_equal(local_numeric_tally(&tally, &numeric, &why), DITHER_OK);
    for (int person = 0; person < 1000; person++) {
        assert_int_equal(local_numeric_randomise(&numeric, person % 4 == 0 ? 2 : 7, random, report, &why),
                         DITHER_OK);
        assert_int_equal(local_numeric_add(&tally, &numeric, report, 4, &why), DITHER_OK);
    }
    assert_int_equal(local_numeric_distribution(&tally, &numeric, false, shares, &why), DITHER_OK);
    assert_near(shares[2], .25, 1e-3);
    assert_near(shares[7], .75, 1e-3);
    assert_near(local_numeric_quantile(&numeric, shares, .5), 7, .5);
    local_tally_free(&tally);
    random_close(random);
}

static void quantiles_have_intervals(void **state)
{
    (void)state;
    enum { SURVEYS = 12, PEOPLE = 20000 };
    static const double wanted[3] = {.25, .5, .75};
    struct numeric_quantiles question = {wanted, 3, true, .95};
    struct local_numeric numeric = make("wave", (struct local_numeric_setting){10, 30, 2, 64});
    struct random *random = fixed_source(17);
    int covered = 0;
    for (int s = 0; s < SURVEYS; s++) {
        struct local_tally tally = ask(&numeric, PEOPLE, random);
        struct local_figure figures[3];
        error why;
        assert_int_equal(local_numeric_quantiles(&tally, &numeric, &question, random, figures, &why),
                         DITHER_OK);
        for (int q = 0; q < 3; q++) {
            double truth = 10 + 20 * sqrt(wanted[q]);
            assert_near(figures[q].value, truth, 1);
            assert_true(figures[q].standard_error > 0 && figures[q].standard_error < .5);
            covered += figures[q].lower <= truth && truth <= figures[q].upper;
        }
        local_tally_free(&tally);
    }
    random_close(random);
    assert_true(covered >=
                27); /* of 36: below that with probability 1e-4 if each holds in 0.9 of the cases */
}

static void hostile_and_missing_reports_are_refused(void **state)
{
    (void)state;
    struct local_numeric numeric = make("hybrid", (struct local_numeric_setting){0, 1, 1, 10});
    struct local_tally tally;
    struct local_figure figure;
    double shares[11];
    unsigned char reports[12];
    error why;
    assert_int_equal(local_numeric_tally(&tally, &numeric, &why), DITHER_OK);
    assert_int_equal(local_numeric_mean(&tally, &numeric, .9, &figure, &why), DITHER_REFUSED);
    assert_int_equal(local_numeric_distribution(&tally, &numeric, true, shares, &why), DITHER_REFUSED);
    report_put(reports, numeric.outputs);
    report_put(reports + 4, UINT32_MAX);
    report_put(reports + 8, numeric.outputs - 1);
    assert_int_equal(local_numeric_add(&tally, &numeric, reports, 11, &why), DITHER_INVALID);
    assert_int_equal(local_numeric_add(&tally, &numeric, reports, 12, &why), DITHER_OK);
    assert_int_equal(tally.people, 1);
    assert_int_equal(tally.refused, 2);
    assert_int_equal(local_numeric_mean(&tally, &numeric, .9, &figure, &why), DITHER_REFUSED);
    /* one report lies between the outermost values */
    double most = local_numeric_value(&numeric, numeric.outputs - 1) -
                  local_numeric_value(&numeric, numeric.outputs - 2);
    assert_true(local_numeric_power(&numeric) >= most);
    local_tally_free(&tally);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_and_variances_are_unbiased_with_honest_intervals),
        cmocka_unit_test(the_distribution_is_found),
        cmocka_unit_test(without_noise_the_histogram_comes_back),
        cmocka_unit_test(quantiles_have_intervals),
        cmocka_unit_test(hostile_and_missing_reports_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
