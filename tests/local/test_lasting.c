/* Repeated questions: the laws of local/lasting.h, exactly, and what the collector makes of one round.
 *
 * For small domains and a few identities all memos and all reports are listed. Memos keep `permanent`, reports keep
 * `epsilon` over both stages, as fractions against e^x by MPFR, and both are used up. The loss of several reports is compared with the
 * worst over all sequences of reports. Variances are those computed outside. Draws follow the law by chi-square at fixed seeds. */
#include <string.h>

#include "local/kinds.h"
#include "local/lasting.h"
#include "tests/support/exact_law.h"
#include "tests/support/fit.h"
#include "tests/support/fixed_source.h"
#include "tests/support/near.h"

enum { MOST = 256, KEYS = 8, BYTES = 16 };

/* All memos of one identity; reports are the identity followed by a string of the same form. */
struct world {
    struct local_lasting lasting;
    unsigned char identity[BYTES];
    unsigned char memos[MOST][BYTES];
    size_t count;
};

static struct local_lasting make(const char *name, struct local_lasting_setting setting)
{
    struct local_lasting lasting;
    const struct local_lasting_kind *kind = local_lasting_kind_named(name);
    error why;
    assert_non_null(kind);
    if (strcmp(name, "dbitflip") == 0)
        setting.permanent = 0;
    if (strcmp(name, "rappor") == 0 && setting.domain < 16) {
        setting.hashes = 3;
        setting.width = 5;
        setting.seed = 5;
    }
    if (local_lasting_init(&lasting, kind, &setting, &why) != DITHER_OK)
        fail_msg("%s: %s", name, why.message);
    return lasting;
}

static void fill(struct world *world, const char *name, struct local_lasting_setting setting, uint64_t seed)
{
    error why;
    struct random *random = fixed_source(seed);
    memset(world, 0, sizeof *world);
    world->lasting = make(name, setting);
    const struct local_lasting *lasting = &world->lasting;
    assert_int_equal(lasting->kind->identify(lasting, random, world->identity, &why), DITHER_OK);
    assert_true(lasting->kind->check(lasting, world->identity));
    random_close(random);
    bool number = lasting->memo_bytes == 4;
    uint32_t bits = strcmp(name, "rappor") == 0 ? 5 : setting.domain,
             all = number ? lasting->keys : 1u << bits;
    for (uint32_t i = 0; i < all; i++) {
        if (strcmp(name, "dbitflip") == 0 && (i & ~(uint32_t)world->identity[0]) != 0)
            continue;
        if (number)
            report_put(world->memos[world->count], i);
        else
            world->memos[world->count][0] = (unsigned char)i;
        world->count++;
    }
}

static uint32_t key_of(const struct world *world, uint32_t value)
{
    return world->lasting.kind->key(&world->lasting, world->identity, value);
}

static void memo_fraction(const struct world *world, uint32_t value, size_t memo, mpq_t out)
{
    world->lasting.kind->memo_probability(&world->lasting, world->identity, key_of(world, value),
                                          world->memos[memo], out);
}

static void report_of(const struct world *world, size_t tail, unsigned char *report)
{
    memcpy(report, world->identity, world->lasting.identity_bytes);
    memcpy(report + world->lasting.identity_bytes, world->memos[tail], world->lasting.memo_bytes);
}

/* P(report | value) over both stages. */
static void report_fraction(const struct world *world, uint32_t value, size_t tail, mpq_t out)
{
    unsigned char report[2 * BYTES];
    mpq_t first, second;
    mpq_inits(first, second, NULL);
    mpq_set_ui(out, 0, 1);
    report_of(world, tail, report);
    for (size_t memo = 0; memo < world->count; memo++) {
        memo_fraction(world, value, memo, first);
        world->lasting.kind->report_probability(&world->lasting, world->identity, world->memos[memo], report,
                                                second);
        mpq_mul(first, first, second);
        mpq_add(out, out, first);
    }
    mpq_clears(first, second, NULL);
}

typedef void (*fraction)(const struct world *world, uint32_t value, size_t string, mpq_t out);

struct stage {
    const struct world *world;
    fraction law;
};

static void probability_of(const void *context, size_t value, size_t string, mpq_t out)
{
    const struct stage *stage = context;
    stage->law(stage->world, (uint32_t)value, string, out);
}

/* Memos, or reports over both stages, keep the limit; returns what is used of it. */
static double check_law(const struct world *world, fraction law, double limit)
{
    const struct stage stage = {world, law};
    const struct exact_law listed = {&stage, world->lasting.setting.domain, world->count, probability_of};
    return exact_law_check(&listed, limit);
}

static void both_stages_keep_their_epsilons_exactly(void **state)
{
    (void)state;
    static const double pairs[][2] = {{1, 2}, {0.5, 8}, {1, 1.001}, {0.01, 0.1}};
    static struct world world;
    for (size_t k = 0; local_lasting_kind_at(k) != NULL; k++)
        for (size_t pair = 0; pair < sizeof pairs / sizeof *pairs; pair++) {
            const char *name = local_lasting_kind_at(k)->name;
            double worst_memo = 0, worst_report = 0;
            double permanent = strcmp(name, "dbitflip") == 0 ? pairs[pair][0] : pairs[pair][1];
            for (uint64_t seed = 1; seed < 5; seed++) { /* other hashes, other cohorts, other buckets */
                fill(&world, name,
                     (struct local_lasting_setting){
                         .domain = 5, .epsilon = pairs[pair][0], .permanent = pairs[pair][1]},
                     seed);
                worst_memo = fmax(worst_memo, check_law(&world, memo_fraction, permanent));
                worst_report = fmax(worst_report, check_law(&world, report_fraction, pairs[pair][0]));
            }
            assert_true(worst_memo > permanent * (1 - 1e-9)); /* and nothing is wasted */
            assert_true(worst_report > pairs[pair][0] * (1 - 1e-9));
        }
}

static void dbitflip_about_several_values_keeps_epsilon(void **state)
{
    (void)state;
    static struct world world;
    for (uint32_t bits = 2; bits <= 5; bits++) {
        fill(&world, "dbitflip", (struct local_lasting_setting){.domain = 5, .epsilon = 1, .bits = bits}, 7);
        assert_true(check_law(&world, report_fraction, 1) > 1 - 1e-9);
        assert_int_equal(world.lasting.keys, bits + 1 < 5 ? bits + 1 : 5);
        bool seen[KEYS] = {false};
        uint32_t keys = 0;
        for (uint32_t v = 0; v < 5; v++) {
            keys += !seen[key_of(&world, v)];
            seen[key_of(&world, v)] = true;
        }
        assert_int_equal(keys, world.lasting.keys);
    }
}

/* ---- The loss of several reports ---- */

struct doubles {
    double memo[KEYS][MOST], report[MOST][MOST];
};

static void to_doubles(const struct world *world, struct doubles *out)
{
    unsigned char report[2 * BYTES];
    mpq_t here;
    mpq_init(here);
    for (size_t memo = 0; memo < world->count; memo++) {
        for (uint32_t v = 0; v < world->lasting.setting.domain; v++) {
            memo_fraction(world, v, memo, here);
            out->memo[v][memo] = mpq_get_d(here);
        }
        for (size_t tail = 0; tail < world->count; tail++) {
            report_of(world, tail, report);
            world->lasting.kind->report_probability(&world->lasting, world->identity, world->memos[memo],
                                                    report, here);
            out->report[memo][tail] = mpq_get_d(here);
        }
    }
    mpq_clear(here);
}

/* The largest log-ratio over all sequences of `left` more reports; likelihood[m] is what the first ones say about memo m. */
static double worst_loss(const struct world *world, const struct doubles *law, int left,
                         const double *likelihood)
{
    double worst = 0;
    if (left == 0) {
        double most = 0, least = INFINITY;
        for (uint32_t v = 0; v < world->lasting.setting.domain; v++) {
            double sum = 0;
            for (size_t memo = 0; memo < world->count; memo++)
                sum += law->memo[v][memo] * likelihood[memo];
            most = fmax(most, sum);
            least = fmin(least, sum);
        }
        return most > 0 ? log(most / least) : 0;
    }
    for (size_t tail = 0; tail < world->count; tail++) {
        double next[MOST];
        for (size_t memo = 0; memo < world->count; memo++)
            next[memo] = likelihood[memo] * law->report[memo][tail];
        worst = fmax(worst, worst_loss(world, law, left - 1, next));
    }
    return worst;
}

static void the_loss_of_several_reports_is_the_worst_over_all_of_them(void **state)
{
    (void)state;
    static const char *const names[] = {"lgrr", "lsue", "losue", "biloloha", "ololoha"};
    static struct world world;
    static struct doubles law;
    double ones[MOST];
    for (int i = 0; i < MOST; i++)
        ones[i] = 1;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        fill(&world, names[k], (struct local_lasting_setting){.domain = 4, .epsilon = 1, .permanent = 2.5},
             3);
        to_doubles(&world, &law);
        assert_near(local_lasting_loss(&world.lasting, 1), 1, 1e-9);
        for (int reports = 1; reports <= 3; reports++)
            assert_near(local_lasting_loss(&world.lasting, reports), worst_loss(&world, &law, reports, ones),
                        1e-9);
        assert_true(local_lasting_loss(&world.lasting, 1e6) <= 2.5);
        assert_near(local_lasting_loss(&world.lasting, 1e6), 2.5, 1e-9);
    }
    fill(&world, "dbitflip", (struct local_lasting_setting){.domain = 4, .epsilon = 1}, 3);
    assert_near(local_lasting_loss(&world.lasting, 1000), 1, 0);
}

/* The header's warning, by numbers: two equal reports tell one key from two keys by more than two fresh reports would. */
static void that_a_value_changed_is_not_hidden(void **state)
{
    (void)state;
    static struct world world;
    static struct doubles law;
    fill(&world, "lgrr", (struct local_lasting_setting){.domain = 5, .epsilon = 1, .permanent = 3}, 1);
    to_doubles(&world, &law);
    double same = 0, first = 0, second = 0;
    for (size_t memo = 0; memo < world.count; memo++) {
        same += law.memo[0][memo] * law.report[memo][0] * law.report[memo][0];
        first += law.memo[1][memo] * law.report[memo][0];
        second += law.memo[2][memo] * law.report[memo][0];
    }
    assert_true(log(same / (first * second)) > 2 * 1.0);
}

/* ---- Drawing and counting ---- */

static void draws_follow_the_law(void **state)
{
    (void)state;
    enum { DRAWS = 20000 };
    static struct world world;
    for (size_t k = 0; local_lasting_kind_at(k) != NULL; k++) {
        const struct local_lasting_kind *kind = local_lasting_kind_at(k);
        fill(&world, kind->name, (struct local_lasting_setting){.domain = 5, .epsilon = 1, .permanent = 2},
             4);
        uint64_t observed[MOST] = {0};
        double expected[MOST];
        struct random *random = fixed_source(70 + k);
        unsigned char memo[BYTES], report[2 * BYTES];
        mpq_t here;
        mpq_init(here);
        for (int i = 0; i < DRAWS; i++) {
            error why;
            const struct local_lasting *lasting = &world.lasting;
            assert_int_equal(kind->memorise(lasting, world.identity, key_of(&world, 3), random, memo, &why),
                             DITHER_OK);
            assert_int_equal(kind->report(lasting, world.identity, memo, random, report, &why), DITHER_OK);
            assert_true(lasting->oracle.kind->check(&lasting->oracle, report));
            size_t found = 0;
            while (found < world.count &&
                   memcmp(world.memos[found], report + lasting->identity_bytes, lasting->memo_bytes) != 0)
                found++;
            assert_true(found < world.count);
            observed[found]++;
        }
        for (size_t tail = 0; tail < world.count; tail++) {
            report_fraction(&world, 3, tail, here);
            expected[tail] = mpq_get_d(here);
        }
        size_t freedom = 0;
        double chi_square = fit_chi_square(observed, expected, world.count, DRAWS, &freedom);
        assert_true(freedom > 0 && chi_square < fit_threshold(freedom));
        mpq_clear(here);
        random_close(random);
    }
}

/* n Var of a rare value in one round, computed outside: exact chaining loses nothing against one report at epsilon. */
static void one_round_varies_as_the_best_single_report(void **state)
{
    (void)state;
    struct local_lasting_setting setting = {.domain = 16, .epsilon = 1, .permanent = 2};
    struct local_lasting lgrr = make("lgrr", setting), lsue = make("lsue", setting),
                         losue = make("losue", setting), ololoha = make("ololoha", setting),
                         biloloha = make("biloloha", setting);
    assert_near(local_oracle_variance(&lgrr.oracle, 1, 0, 0), 5.66243, 5e-6);
    assert_near(local_oracle_variance(&lsue.oracle, 1, 0, 0), 3.91770, 5e-6);
    assert_near(local_oracle_variance(&losue.oracle, 1, 0, 0), 3.68269, 5e-6);
    assert_near(local_oracle_variance(&ololoha.oracle, 1, 0, 0), 3.69165, 5e-6);  /* olh at epsilon 1 */
    assert_near(local_oracle_variance(&biloloha.oracle, 1, 0, 0), 4.68269, 5e-6); /* blh */
    assert_int_equal(lgrr.keys, 16);
    assert_int_equal(ololoha.keys, 4); /* round(e + 1) */
    assert_int_equal(biloloha.keys, 2);
    /* d = 4 of 16 at epsilon 1: 16/4 e^(1/2) / (e^(1/2) - 1)^2 */
    struct local_lasting dbitflip =
        make("dbitflip", (struct local_lasting_setting){.domain = 16, .epsilon = 1, .bits = 4});
    assert_near(local_oracle_variance(&dbitflip.oracle, 1, 0, 0), 4 * exp(.5) / pow(exp(.5) - 1, 2), 1e-9);
    assert_int_equal(dbitflip.keys, 5);
}

/* Everybody reports on each of several days from one memo; a day's estimates are unbiased and scatter as stated. */
static void a_day_of_reports_estimates_the_counts(void **state)
{
    (void)state;
    enum { PEOPLE = 600, DAYS = 60, DOMAIN = 8 };
    for (size_t k = 0; local_lasting_kind_at(k) != NULL; k++) {
        const struct local_lasting_kind *kind = local_lasting_kind_at(k);
        if (strcmp(kind->name, "rappor") == 0)
            continue; /* its counting is tested with the oracles */
        struct local_lasting lasting =
            make(kind->name, (struct local_lasting_setting){.domain = DOMAIN, .epsilon = 2, .permanent = 4});
        struct random *random = fixed_source(300 + k);
        double sum[DOMAIN] = {0}, squares = 0;
        error why;
        for (int day = 0; day < DAYS; day++) {
            struct local_tally tally;
            struct local_estimate estimates[DOMAIN];
            assert_int_equal(local_tally_init(&tally, &lasting.oracle, &why), DITHER_OK);
            for (uint32_t person = 0; person < PEOPLE; person++) {
                unsigned char identity[BYTES], memo[BYTES], report[2 * BYTES];
                uint32_t value = person % 2 == 0 ? 1 : person % 3 == 0 ? 2 : 5; /* 300, 100, 200 */
                assert_int_equal(kind->identify(&lasting, random, identity, &why), DITHER_OK);
                uint32_t key = kind->key(&lasting, identity, value);
                assert_int_equal(kind->memorise(&lasting, identity, key, random, memo, &why), DITHER_OK);
                assert_int_equal(kind->report(&lasting, identity, memo, random, report, &why), DITHER_OK);
                assert_int_equal(
                    local_tally_add(&tally, &lasting.oracle, report, lasting.oracle.report_bytes, &why),
                    DITHER_OK);
            }
            assert_int_equal(tally.people, PEOPLE);
            assert_int_equal(local_tally_estimate(&tally, &lasting.oracle, .95, estimates, &why), DITHER_OK);
            static const double truth[DOMAIN] = {0, 300, 100, 0, 0, 200, 0, 0};
            for (int v = 0; v < DOMAIN; v++) {
                double variance = local_oracle_variance(&lasting.oracle, PEOPLE, truth[v] / PEOPLE, 0);
                sum[v] += (estimates[v].count - truth[v]) / sqrt(variance * DAYS);
                squares += (estimates[v].count - truth[v]) * (estimates[v].count - truth[v]) / variance;
            }
            local_tally_free(&tally);
        }
        for (int v = 0; v < DOMAIN; v++)
            if (!(fabs(sum[v]) < 4))
                fail_msg("%s: value %d is off by %g standard errors", kind->name, v, sum[v]);
        assert_near(squares / DAYS / DOMAIN, 1, 5 * sqrt(2. / DAYS));
        random_close(random);
    }
}

static void settings_that_cannot_be_kept_are_refused(void **state)
{
    (void)state;
    static const struct local_lasting_setting bad[] = {
        {.domain = 5, .epsilon = 1},
        {.domain = 5, .epsilon = 1, .permanent = 1},
        {.domain = 5, .epsilon = 1, .permanent = 0.5},
        {.domain = 5, .epsilon = 1, .permanent = 21},
        {.domain = 5, .epsilon = 1, .permanent = NAN},
        {.domain = 5, .epsilon = 0, .permanent = 2},
        {.domain = 1, .epsilon = 1, .permanent = 2},
        {.domain = 5, .epsilon = 1, .permanent = 2, .bits = 2},
        {.domain = 5, .epsilon = 1, .permanent = 2, .width = 8},
    };
    struct local_lasting lasting;
    error why;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(local_lasting_init(&lasting, local_lasting_kind_named("lgrr"), &bad[i], &why),
                         DITHER_INVALID);
    struct local_lasting_setting many = {.domain = 5, .epsilon = 1, .bits = 6};
    assert_int_equal(local_lasting_init(&lasting, local_lasting_kind_named("dbitflip"), &many, &why),
                     DITHER_INVALID);
    struct local_lasting_setting twice = {.domain = 5, .epsilon = 1, .permanent = 2};
    assert_int_equal(local_lasting_init(&lasting, local_lasting_kind_named("dbitflip"), &twice, &why),
                     DITHER_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_stages_keep_their_epsilons_exactly),
        cmocka_unit_test(dbitflip_about_several_values_keeps_epsilon),
        cmocka_unit_test(the_loss_of_several_reports_is_the_worst_over_all_of_them),
        cmocka_unit_test(that_a_value_changed_is_not_hidden),
        cmocka_unit_test(draws_follow_the_law),
        cmocka_unit_test(one_round_varies_as_the_best_single_report),
        cmocka_unit_test(a_day_of_reports_estimates_the_counts),
        cmocka_unit_test(settings_that_cannot_be_kept_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
