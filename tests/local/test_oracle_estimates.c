/* What the collector concludes: unbiased, with the variance that is stated.
 *
 * Stated variances are compared with figures computed outside (shared table of n Var for a rare value, formulas of the papers).
 * Then many small surveys at fixed seeds: the mean of the estimates must be the truth within 3 of its standard errors, their
 * scatter the stated variance, and intervals must hold the truth as often as they say. Sketches draw new hashes in every
 * survey, as their variance is over that choice too. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "local/kinds.h"
#include "local/rappor.h"
#include "tests/support/fixed_source.h"
#include "tests/support/near.h"

static struct local_oracle make(const char *name, struct local_setting setting)
{
    struct local_oracle oracle;
    error why;
    const struct local_oracle_kind *kind = local_oracle_kind_named(name);
    assert_non_null(kind);
    if (local_oracle_init(&oracle, kind, &setting, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    return oracle;
}

static double rare(const char *name, uint32_t domain, double epsilon)
{
    struct local_oracle oracle = make(name, (struct local_setting){.domain = domain, .epsilon = epsilon});
    return local_oracle_variance(&oracle, 1, 0, 0);
}

struct figure {
    const char *name;
    uint32_t domain;
    double variance[5]; /* at epsilon 0.5, 1, 2, 4, 8; n Var of a rare value */
};

static void variances_are_those_of_the_table(void **state)
{
    (void)state;
    static const double epsilons[] = {0.5, 1, 2, 4, 8};
    static const struct figure figures[] = {
        {"grr", 16, {37.185, 5.66243, .52398, .02388, .00034}},
        {"grr", 100, {236.8, 34.113, 2.5818, .05312, .00035}},
        {"grr", 1000, {2375, 338.94, 24.63, .36641, .00045}},
        {"sue", 100, {15.917, 3.9177, .92067, .18102, .01901}},
        {"oue", 100, {15.671, 3.68269, .72406, .07602, .00134}},
        {"olh", 100, {15.817, 3.69165, .72459, .07602, .00134}},
        {"ss", 100, {15.340, 3.58965, .68986, .05588, .00035}},
        {"hadamard", 100, {16.671, 4.68269, 1.72406, 1.07602, 1.00134}},
    };
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        for (size_t e = 0; e < 5; e++) {
            double ours = rare(figures[i].name, figures[i].domain, epsilons[e]),
                   theirs = figures[i].variance[e];
            double tolerance = theirs < .01 ? 6e-6 : theirs * 3e-4;
            bool is_ss = strcmp(figures[i].name, "ss") == 0; /* which takes the better of two sizes */
            if (!(ours <= theirs + tolerance && (is_ss || ours >= theirs - tolerance)))
                fail_msg("%s d=%u eps=%g: %g, not %g", figures[i].name, figures[i].domain, epsilons[e], ours,
                         theirs);
        }
}

/* Wide sketches are nearly collision-free: (m / (m - 1))^2 times the symmetric unary and Hadamard figures. */
static void sketches_vary_as_their_papers_say(void **state)
{
    (void)state;
    double widen = pow(1024.0 / 1023, 2);
    /* cms: (c^2 - 1) / 4 with c = (e^(1/2) + 1) / (e^(1/2) - 1), plus the variance of a collision, (1/m)(1 - 1/m) */
    double c = (exp(.5) + 1) / (exp(.5) - 1);
    assert_near(rare("cms", 100, 1), widen * ((c * c - 1) / 4 + (1.0 / 1024) * (1 - 1.0 / 1024)), 1e-4);
    c = (exp(1) + 1) / (exp(1) - 1);
    assert_near(rare("hcms", 100, 1), widen * (c * c - 1 / (1024. * 1024)), 1e-5);
}

static void figures_of_rappor_are_those_of_the_paper(void **state)
{
    (void)state;
    /* h = 1, f = .5, p = .25, q = .75: permanent 2.19722, a report 1.02165 (keeping 3/4, twice: 5/8). */
    struct local_oracle oracle =
        make("rappor",
             (struct local_setting){
                 .domain = 4, .epsilon = 1.0216512475319814, .permanent = 2.1972245773362196, .bits = 1});
    assert_near(coin_probability(oracle.coin), .75, 1e-12);
    assert_near(coin_probability(oracle.inner_coin), .75, 1e-12);
    assert_near(oracle.p, .625, 1e-12);
}

/* ---- Surveys ---- */

enum { DOMAIN = 12, PEOPLE = 1200 };

/* Half of the people have value 1, a quarter value 7, the rest are spread over 0, 2, 3; nobody else. */
static uint32_t value_of(uint32_t person)
{
    return person % 4 < 2 ? 1 : person % 4 == 2 ? 7 : person % 3 == 0 ? 0 : person % 3 == 1 ? 2 : 3;
}

struct survey {
    double sum[DOMAIN], squares[DOMAIN], stated[DOMAIN];
    int covered, intervals;
};

static void ask_everybody(const struct local_oracle *oracle, struct random *random,
                          struct local_estimate *out, bool regression)
{
    struct local_tally tally;
    error why;
    unsigned char report[256];
    assert_true(oracle->report_bytes <= sizeof report);
    assert_int_equal(local_tally_init(&tally, oracle, &why), DITHER_OK);
    for (uint32_t person = 0; person < PEOPLE; person++) {
        assert_int_equal(local_oracle_randomise(oracle, value_of(person), random, report, &why), DITHER_OK);
        assert_int_equal(local_tally_add(&tally, oracle, report, oracle->report_bytes, &why), DITHER_OK);
    }
    assert_int_equal(tally.people, PEOPLE);
    status result = regression ? rappor_regress(&tally, oracle, .9, out, &why)
                               : local_tally_estimate(&tally, oracle, .9, out, &why);
    if (result != DITHER_OK)
        fail_msg("%s", why.message);
    local_tally_free(&tally);
}

static void check_surveys(const char *name, struct local_setting setting, bool regression, int surveys)
{
    struct random *random = fixed_source(7 + (uint64_t)name[0] + (uint64_t)name[1]);
    double truth[DOMAIN] = {0};
    struct survey seen = {0};
    bool sketch = setting.width != 0;
    for (uint32_t person = 0; person < PEOPLE; person++)
        truth[value_of(person)]++;
    for (int s = 0; s < surveys; s++) {
        struct local_estimate estimates[DOMAIN];
        if (sketch)
            setting.seed = 1000 + (uint64_t)s;
        struct local_oracle oracle = make(name, setting);
        ask_everybody(&oracle, random, estimates, regression);
        for (int v = 0; v < DOMAIN; v++) {
            double off = estimates[v].count - truth[v];
            seen.sum[v] += off;
            seen.squares[v] += off * off;
            seen.stated[v] += estimates[v].variance;
            seen.covered += estimates[v].lower <= truth[v] && truth[v] <= estimates[v].upper;
            seen.intervals++;
        }
    }
    double scatter = 0, stated = 0;
    for (int v = 0; v < DOMAIN; v++) {
        double error_of_mean = sqrt(seen.stated[v] / surveys / surveys);
        if (!(fabs(seen.sum[v] / surveys) < 3 * error_of_mean))
            fail_msg("%s: value %d is off by %g, more than 3 times %g", name, v, seen.sum[v] / surveys,
                     error_of_mean);
        scatter += seen.squares[v] / seen.stated[v];
        stated += 1;
    }
    /* Each value's ratio scatters by sqrt(2 / surveys); values of one survey are nearly independent or, at worst, copies. */
    if (!(fabs(scatter / stated - 1) < 3 * sqrt(2. / surveys)))
        fail_msg("%s: scatter is %g of what is stated", name, scatter / stated);
    double share = (double)seen.covered / seen.intervals;
    if (!(fabs(share - .9) < 3 * sqrt(.09 / surveys)))
        fail_msg("%s: %g of the intervals hold the truth, not 0.9", name, share);
    random_close(random);
}

static void plain_oracles_are_unbiased_and_scatter_as_stated(void **state)
{
    (void)state;
    static const char *const names[] = {"grr", "sue", "oue", "olh", "ss", "hadamard", "pgr"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        check_surveys(names[i], (struct local_setting){.domain = DOMAIN, .epsilon = 1.5}, false, 300);
}

static void sketches_are_unbiased_over_their_hashes(void **state)
{
    (void)state;
    struct local_setting setting = {.domain = DOMAIN, .epsilon = 2, .hashes = 8, .width = 16};
    check_surveys("cms", setting, false, 300);
    check_surveys("hcms", setting, false, 300);
    setting.permanent = 4;
    check_surveys("rappor", setting, false, 300);
}

static void regression_sharpens_rappor(void **state)
{
    (void)state;
    check_surveys("rappor", (struct local_setting){.domain = DOMAIN, .epsilon = 4, .hashes = 8, .width = 16},
                  true, 200);
}

static void one_hostile_report_moves_a_count_no_further_than_its_power(void **state)
{
    (void)state;
    struct local_oracle oracle = make("grr", (struct local_setting){.domain = 4, .epsilon = 1});
    /* p = e/(e+3), q = 1/(e+3): (1 - q) / (p - q) = (e + 2) / (e - 1) */
    assert_near(local_oracle_power(&oracle), (exp(1) + 2) / (exp(1) - 1), 1e-9);
}

static void projection_gives_counts_that_could_be(void **state)
{
    (void)state;
    double counts[4] = {7, -2, 5, 2};
    local_project(counts, 4, 10); /* by hand: subtract 4/3 from the positive ones */
    assert_near(counts[0], 7 - 4. / 3, 1e-9);
    assert_near(counts[1], 0, 0);
    assert_near(counts[2], 5 - 4. / 3, 1e-9);
    assert_near(counts[3], 2 - 4. / 3, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variances_are_those_of_the_table),
        cmocka_unit_test(sketches_vary_as_their_papers_say),
        cmocka_unit_test(figures_of_rappor_are_those_of_the_paper),
        cmocka_unit_test(plain_oracles_are_unbiased_and_scatter_as_stated),
        cmocka_unit_test(sketches_are_unbiased_over_their_hashes),
        cmocka_unit_test(regression_sharpens_rappor),
        cmocka_unit_test(one_hostile_report_moves_a_count_no_further_than_its_power),
        cmocka_unit_test(projection_gives_counts_that_could_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
