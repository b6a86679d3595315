/* Frequent strings and sets of items.
 *
 * Strings: the exact law of a report given its hash function (e^epsilon against MPFR), the hash's independence by counting over a whole
 * small family, and a survey by Zipf's law at fixed seeds whose frequent words must be found, with honest intervals and
 * nothing that nobody has. Sets: unbiased counts that scatter as stated, and what happens to sets that are too large. */
#include <mpfr.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "local/hash.h"
#include "local/kinds.h"
#include "local/prefix.h"
#include "local/set.h"
#include "tests/support/fixed_source.h"
#include "tests/support/near.h"

static struct prefix make(struct prefix_setting setting)
{
    struct prefix prefix;
    error why;
    if (prefix_init(&prefix, &setting, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    return prefix;
}

/* Reports one after the other. */
enum { PILE_REPORTS = 30000 };
struct pile {
    unsigned char *reports;
    size_t bytes, report_bytes;
};

static void pile_add(struct pile *pile, const struct prefix *prefix, const unsigned char *report)
{
    if (pile->reports == NULL)
        pile->reports = calloc(PILE_REPORTS, pile->report_bytes = prefix->report_bytes);
    assert_true(pile->reports != NULL && pile->bytes < PILE_REPORTS * prefix->report_bytes);
    memcpy(pile->reports + pile->bytes, report, prefix->report_bytes);
    pile->bytes += prefix->report_bytes;
}

/* The first report alone, then the rest: a search does not care how they come. */
static status replay_pile(void *context, prefix_visit *visit, void *visitor, error *why)
{
    const struct pile *pile = context;
    (void)why;
    size_t first = pile->bytes < pile->report_bytes ? pile->bytes : pile->report_bytes;
    visit(visitor, pile->reports, first);
    visit(visitor, pile->reports + first, pile->bytes - first);
    return DITHER_OK;
}

static status find_in(struct pile *pile, const struct prefix *prefix, const struct prefix_search *search,
                      struct prefix_hitter *out, struct prefix_found *told, error *why)
{
    return prefix_find(&(struct prefix_source){replay_pile, pile}, prefix, search, out, told, why);
}

static const char *const strings[] = {"",    "a",        "b",        "ab",       "abc",
                                      "abd", "abcdefgh", "abcdefgi", "\xff\xfe", "zzzzzzzzzzzz"};
enum { STRINGS = sizeof strings / sizeof *strings };

/* Given group and hash function, the probabilities of the buckets add to 1 and no two strings differ by more than e^epsilon. */
static void every_report_keeps_its_epsilon_exactly(void **state)
{
    (void)state;
    static const double epsilons[] = {0.01, 1, 2, 5};
    struct random *random = fixed_source(8);
    mpq_t here, sum, one, ratio, first;
    mpfr_t limit;
    mpfr_init2(limit, 300);
    mpq_inits(here, sum, one, ratio, first, NULL);
    mpq_set_ui(one, 1, 1);
    for (size_t e = 0; e < sizeof epsilons / sizeof *epsilons; e++) {
        struct prefix prefix = make((struct prefix_setting){epsilons[e], 8, 5});
        mpfr_set_d(limit, epsilons[e], MPFR_RNDN);
        mpfr_exp(limit, limit, MPFR_RNDD);
        double worst = 0;
        for (int draw = 0; draw < 50; draw++) {
            unsigned char report[64];
            error why;
            assert_int_equal(prefix_randomise(&prefix, "abcdefgh", 8, random, report, &why), DITHER_OK);
            assert_true(prefix_check(&prefix, report));
            for (int i = 0; i < STRINGS; i++) {
                mpq_set_ui(sum, 0, 1);
                for (uint32_t bucket = 0; bucket < prefix.buckets; bucket++) {
                    report_put(report + prefix.report_bytes - 4, bucket);
                    prefix_probability(&prefix, strings[i], strlen(strings[i]), report, here);
                    mpq_add(sum, sum, here);
                    prefix_probability(&prefix, strings[0], 0, report, first);
                    mpq_div(ratio, here, first);
                    assert_true(mpfr_cmp_q(limit, ratio) >= 0);
                    worst = fmax(worst, log(mpq_get_d(ratio)));
                }
                assert_true(mpq_equal(sum, one));
            }
        }
        assert_true(worst > epsilons[e] * (1 - 1e-9));
    }
    mpq_clears(here, sum, one, ratio, first, NULL);
    mpfr_clear(limit);
    random_close(random);
}

/* What a report says is the truth as often as its coin says, and groups are drawn alike. */
static void draws_follow_the_coins(void **state)
{
    (void)state;
    enum { DRAWS = 20000 };
    struct prefix prefix = make((struct prefix_setting){1.5, 3, 8});
    struct random *random = fixed_source(9);
    double groups[3] = {0}, own = 0;
    mpq_t here;
    mpq_init(here);
    for (int i = 0; i < DRAWS; i++) {
        unsigned char report[64];
        error why;
        assert_int_equal(prefix_randomise(&prefix, "cat", 3, random, report, &why), DITHER_OK);
        groups[report_number(report)]++;
        prefix_probability(&prefix, "cat", 3, report, here);
        own += mpq_get_d(here) > 0.5 * prefix.p;
    }
    for (int g = 0; g < 3; g++)
        assert_near(groups[g], DRAWS / 3., 5 * sqrt(DRAWS * 2 / 9.));
    assert_near(own, DRAWS * prefix.p, 5 * sqrt(DRAWS * .25));
    mpq_clear(here);
    random_close(random);
}

/* Strings with the same first bits are the same to a group: the last bits are not looked at. */
static void a_group_sees_its_prefix_alone(void **state)
{
    (void)state;
    struct prefix prefix = make((struct prefix_setting){3, 4, 8});
    struct random *random = fixed_source(10);
    mpq_t one, other;
    mpq_inits(one, other, NULL);
    int differ = 0;
    for (int i = 0; i < 400; i++) {
        unsigned char report[64];
        error why;
        assert_int_equal(prefix_randomise(&prefix, "same", 4, random, report, &why), DITHER_OK);
        prefix_probability(&prefix, "same", 4, report, one);
        prefix_probability(&prefix, "salt", 4, report, other);
        if (report_number(report) < 2)
            assert_true(mpq_equal(one, other));
        else
            differ += !mpq_equal(one, other);
    }
    assert_true(differ > 50);
    mpq_clears(one, other, NULL);
    random_close(random);
}

/* ---- A survey ---- */

static const char *const words[] = {"the", "of",  "and",  "to",   "in",    "that",  "is",    "was",
                                    "it",  "for", "on",   "with", "he",    "be",    "by",    "at",
                                    "you", "are", "this", "not",  "have",  "from",  "or",    "which",
                                    "one", "had", "were", "but",  "their", "would", "there", "been"};
enum { WORDS = sizeof words / sizeof *words };

/* Word k (from 1) has a share in proportion to 1/k: 0.246 for the first. */
static int word_of(int person, int people)
{
    double sum = 0, at = (person + 0.5) / people, before = 0;
    for (int k = 1; k <= WORDS; k++)
        sum += 1. / k;
    for (int k = 1; k <= WORDS; k++) {
        before += 1. / k / sum;
        if (at < before)
            return k - 1;
    }
    return WORDS - 1;
}

static int find_word(const struct prefix_hitter *found, size_t count, const char *word)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(found[i].text, word) == 0)
            return (int)i;
    return -1;
}

static void frequent_words_are_found_and_no_others(void **state)
{
    (void)state;
    enum { PEOPLE = 30000, SURVEYS = 2 };
    const struct prefix_search search = {.keep = 16, .confidence = 0.95};
    struct prefix prefix = make((struct prefix_setting){4, 5, 8});
    int inside = 0, intervals = 0, strangers = 0;
    double truth[WORDS] = {0};
    for (int person = 0; person < PEOPLE; person++)
        truth[word_of(person, PEOPLE)]++;
    double threshold = prefix_threshold(&prefix, &search, PEOPLE);
    assert_near(threshold, 487.78, 0.1); /* 154 of 6000 reports, computed outside with 50 digits */
    for (uint64_t survey = 0; survey < SURVEYS; survey++) {
        struct pile pile = {0};
        static struct prefix_hitter found[16];
        struct random *random = fixed_source(20 + survey);
        struct prefix_found told;
        error why;
        for (int person = 0; person < PEOPLE; person++) {
            const char *word = words[word_of(person, PEOPLE)];
            unsigned char report[64];
            assert_int_equal(prefix_randomise(&prefix, word, strlen(word), random, report, &why), DITHER_OK);
            pile_add(&pile, &prefix, report);
        }
        assert_int_equal(find_in(&pile, &prefix, &search, found, &told, &why), DITHER_OK);
        size_t count = told.count;
        for (size_t i = 1; i < count; i++)
            assert_true(found[i - 1].estimate.count >= found[i].estimate.count);
        for (int w = 0; w < WORDS; w++) {
            int at = find_word(found, count, words[w]);
            if (truth[w] > 2 * threshold)
                assert_true(at >= 0);
            if (at < 0)
                continue;
            strangers--;
            intervals++;
            inside += found[at].estimate.lower <= truth[w] && truth[w] <= found[at].estimate.upper;
            assert_near(found[at].estimate.count, truth[w], 5 * sqrt(found[at].estimate.variance));
        }
        strangers += (int)count;
        free(pile.reports);
        random_close(random);
    }
    assert_true(strangers <= 1); /* each survey shows one with probability 0.05 at most */
    assert_true(intervals >= 8 && inside >= intervals - 3);
}

/* Steps that are no bytes, and a string as long as it may be. */
static void other_steps_find_the_same(void **state)
{
    (void)state;
    enum { PEOPLE = 6000 };
    for (uint32_t step = 3; step <= 12; step += 3) {
        struct prefix prefix = make((struct prefix_setting){8, 7, step});
        const struct prefix_search search = {.keep = 4, .confidence = 0.99};
        struct pile pile = {0};
        struct prefix_hitter found[4];
        struct random *random = fixed_source(step);
        struct prefix_found told;
        error why;
        for (int person = 0; person < PEOPLE; person++) {
            unsigned char report[64];
            const char *word = person % 3 == 0   ? "sevenths"
                               : person % 3 == 1 ? "six"
                                                 : "\xc3\xa4h"; /* cut after 7 bytes */
            assert_int_equal(prefix_randomise(&prefix, word, strlen(word), random, report, &why), DITHER_OK);
            pile_add(&pile, &prefix, report);
        }
        assert_int_equal(find_in(&pile, &prefix, &search, found, &told, &why), DITHER_OK);
        size_t count = told.count;
        assert_int_equal(count, 3);
        assert_true(find_word(found, count, "seventh") >= 0);
        assert_true(find_word(found, count, "six") >= 0);
        assert_true(find_word(found, count, "\xc3\xa4h") >= 0);
        free(pile.reports);
        random_close(random);
    }
}

static void hostile_reports_and_settings_are_refused(void **state)
{
    (void)state;
    struct prefix prefix = make((struct prefix_setting){1, 4, 8});
    struct pile pile = {0};
    struct random *random = fixed_source(1);
    unsigned char good[64], bad[64];
    error why;
    assert_int_equal(prefix_randomise(&prefix, "", 0, random, good, &why), DITHER_OK);
    static const uint32_t wrong[] = {4, HASH_PRIME, HASH_PRIME, UINT32_MAX};
    const size_t at[] = {0, 4, 12, prefix.report_bytes - 4};
    for (int i = 0; i < 4; i++) {
        memcpy(bad, good, sizeof bad);
        report_put(bad + at[i], wrong[i]);
        pile_add(&pile, &prefix, bad);
    }
    struct prefix_hitter found[8];
    struct prefix_found told = {.count = 99};
    assert_int_equal(find_in(&pile, &prefix, &(struct prefix_search){8, .9}, found, &told, &why), DITHER_OK);
    assert_int_equal(told.people, 0);
    assert_int_equal(told.refused, 4);
    assert_int_equal(told.count, 0); /* nobody, nothing */
    assert_int_equal(find_in(&pile, &prefix, &(struct prefix_search){0, .9}, found, &told, &why),
                     DITHER_INVALID);
    static const struct prefix_setting settings[] = {{0, 4, 8}, {1, 0, 8}, {1, 49, 8}, {1, 4, 13}, {1, 1, 9}};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        assert_int_equal(prefix_init(&prefix, &settings[i], &why), DITHER_INVALID);
    free(pile.reports);
    random_close(random);
}

static void a_search_without_memory_says_so(void **state)
{
    (void)state;
    struct prefix prefix = make((struct prefix_setting){8, 2, 8});
    struct prefix_hitter found[4];
    int failures = 0;
    for (uint64_t n = 1; n < 12; n++) {
        struct pile pile = {0};
        struct random *random = fixed_source(n);
        unsigned char report[64];
        struct prefix_found told;
        error why;
        assert_int_equal(prefix_randomise(&prefix, "ab", 2, random, report, &why), DITHER_OK);
        pile_add(&pile, &prefix, report);
        memory_fail_at(n);
        status result = find_in(&pile, &prefix, &(struct prefix_search){4, .9}, found, &told, &why);
        bool failed = memory_has_failed();
        memory_fail_at(0);
        failures += failed;
        assert_int_equal(result, failed ? DITHER_NO_MEMORY : DITHER_OK);
        free(pile.reports);
        random_close(random);
    }
    assert_int_equal(failures, 6);
}

static status replay_nothing(void *context, prefix_visit *visit, void *visitor, error *why)
{
    (void)visit, (void)visitor;
    --*(int *)context;
    return *(int *)context > 0 ? DITHER_OK : fail(why, DITHER_IO, "no more");
}

static void a_source_that_fails_ends_the_search(void **state)
{
    (void)state;
    struct prefix prefix = make((struct prefix_setting){8, 2, 8});
    struct prefix_hitter hitters[4];
    struct prefix_found told = {.count = 99};
    int passes = 1;
    error why;
    assert_int_equal(prefix_find(&(struct prefix_source){replay_nothing, &passes}, &prefix,
                                 &(struct prefix_search){4, .9}, hitters, &told, &why),
                     DITHER_IO);
    assert_int_equal(told.count, 99); /* untouched */
}

/* ---- Sets ---- */

enum { ITEMS = 10, PEOPLE = 1000 };

/* Everybody has item 0, every second one item 1, every fifth items 2, 3 and 4: four at most. */
static size_t items_of(uint32_t person, uint32_t items[8])
{
    size_t count = 0;
    items[count++] = 0;
    if (person % 2 == 0)
        items[count++] = 1;
    for (uint32_t i = 2; i < 5 && person % 5 == 0; i++)
        items[count++] = i;
    return count > 4 ? 4 : count;
}

static void sets_are_counted_without_bias_and_scatter_as_stated(void **state)
{
    (void)state;
    enum { SURVEYS = 150 };
    static const char *const names[] = {"grr", "oue", "pgr"};
    double truth[ITEMS] = {0};
    for (uint32_t person = 0; person < PEOPLE; person++) {
        uint32_t items[8];
        size_t count = items_of(person, items);
        for (size_t i = 0; i < count; i++)
            truth[items[i]]++;
    }
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        struct local_set set;
        struct random *random = fixed_source(40 + k);
        double sum[ITEMS] = {0}, scatter = 0;
        int covered = 0;
        error why;
        assert_int_equal(local_set_init(&set, local_oracle_kind_named(names[k]),
                                        &(struct local_setting){.domain = ITEMS, .epsilon = 2}, 4, &why),
                         DITHER_OK);
        for (int s = 0; s < SURVEYS; s++) {
            struct local_tally tally;
            struct local_estimate estimates[ITEMS];
            assert_int_equal(local_tally_init(&tally, &set.oracle, &why), DITHER_OK);
            for (uint32_t person = 0; person < PEOPLE; person++) {
                uint32_t items[8];
                size_t count = items_of(person, items);
                unsigned char report[16];
                assert_int_equal(local_set_randomise(&set, items, count, random, report, &why), DITHER_OK);
                assert_int_equal(local_tally_add(&tally, &set.oracle, report, set.oracle.report_bytes, &why),
                                 DITHER_OK);
            }
            assert_int_equal(local_set_estimate(&tally, &set, .9, estimates, &why), DITHER_OK);
            for (int v = 0; v < ITEMS; v++) {
                double variance = local_set_variance(&set, PEOPLE, truth[v] / PEOPLE, 0),
                       off = estimates[v].count - truth[v];
                sum[v] += off / sqrt(variance * SURVEYS);
                scatter += off * off / variance / SURVEYS / ITEMS;
                covered += estimates[v].lower <= truth[v] && truth[v] <= estimates[v].upper;
            }
            local_tally_free(&tally);
        }
        for (int v = 0; v < ITEMS; v++)
            if (!(fabs(sum[v]) < 4))
                fail_msg("%s: item %d is off by %g standard errors", names[k], v, sum[v]);
        assert_near(scatter, 1, 5 * sqrt(2. / SURVEYS));
        assert_near((double)covered / SURVEYS / ITEMS, .9, 5 * sqrt(.09 / SURVEYS));
        random_close(random);
    }
}

/* An item of a set of 8, padded to 2, is drawn once in 8 times and counts as 2/8. */
static void large_sets_count_for_less(void **state)
{
    (void)state;
    struct local_set set;
    struct local_tally tally;
    struct local_estimate estimates[ITEMS];
    struct random *random = fixed_source(50);
    static const uint32_t items[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    unsigned char report[16];
    error why;
    assert_int_equal(
        local_set_init(&set, &local_grr, &(struct local_setting){.domain = ITEMS, .epsilon = 12}, 2, &why),
        DITHER_OK);
    assert_int_equal(local_tally_init(&tally, &set.oracle, &why), DITHER_OK);
    for (int person = 0; person < 8000; person++) {
        assert_int_equal(local_set_randomise(&set, items, 8, random, report, &why), DITHER_OK);
        assert_int_equal(local_tally_add(&tally, &set.oracle, report, set.oracle.report_bytes, &why),
                         DITHER_OK);
    }
    assert_int_equal(local_set_estimate(&tally, &set, .9, estimates, &why), DITHER_OK);
    for (int v = 0; v < 8; v++)
        assert_near(estimates[v].count, 2000, 5 * 2 * sqrt(8000. / 8));
    assert_near(estimates[8].count, 0, 50);
    local_tally_free(&tally);
    random_close(random);
    assert_int_equal(
        local_set_init(&set, &local_grr, &(struct local_setting){.domain = 9, .epsilon = 1}, 0, &why),
        DITHER_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_report_keeps_its_epsilon_exactly),
        cmocka_unit_test(draws_follow_the_coins),
        cmocka_unit_test(a_group_sees_its_prefix_alone),
        cmocka_unit_test(frequent_words_are_found_and_no_others),
        cmocka_unit_test(other_steps_find_the_same),
        cmocka_unit_test(hostile_reports_and_settings_are_refused),
        cmocka_unit_test(a_search_without_memory_says_so),
        cmocka_unit_test(a_source_that_fails_ends_the_search),
        cmocka_unit_test(sets_are_counted_without_bias_and_scatter_as_stated),
        cmocka_unit_test(large_sets_count_for_less),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
