/* The laws of local/oracle.h, for every kind, exactly.
 *
 * For small domains all byte strings that could be reports are listed, hostile ones too. Those that `check` accepts must have
 * probabilities, as exact fractions, that add up to 1 and whose ratio between any two values is at most e^epsilon (compared
 * by MPFR, rounded down) and close to it; all others must be refused and counted as such. What `randomise` draws is compared
 * with these probabilities by chi-square at fixed seeds. */
#include <math.h>
#include <string.h>

#include "local/hash.h"
#include "local/kinds.h"
#include "tests/support/exact_law.h"
#include "tests/support/fit.h"
#include "tests/support/fixed_source.h"
#include "tests/support/near.h"

enum { MOST_REPORTS = 4096, MOST_BYTES = 12 };

static unsigned char reports[MOST_REPORTS][MOST_BYTES];
static size_t report_count;

static void list(const unsigned char *report, size_t bytes)
{
    assert_true(report_count < MOST_REPORTS);
    memcpy(reports[report_count++], report, bytes);
}

/* By the size of a report: a byte of bits; a number; a number and a byte; two numbers; a hash function and a bucket. Each a
 * little further than it should go. */
static void list_reports(const struct local_oracle *oracle)
{
    unsigned char report[MOST_BYTES] = {0};
    report_count = 0;
    size_t bytes = oracle->report_bytes;
    uint32_t first = bytes == 1 ? 1 : bytes == 4 ? (uint32_t)oracle->cells + 3 : oracle->setting.hashes + 2;
    uint32_t second = bytes == 1 || bytes == 5 ? 256 : bytes == 8 ? 2 * oracle->setting.width + 3 : 1;
    if (bytes == 12) {
        report_put(report, 123456789);
        report_put(report + 4, 1987654321);
        first = oracle->size + 2;
    }
    for (uint32_t i = 0; i < first; i++)
        for (uint32_t j = 0; j < second; j++) {
            if (bytes == 12)
                report_put(report + 8, i);
            else if (bytes > 1)
                report_put(report, i);
            if (bytes == 1 || bytes == 5)
                report[bytes - 1] = (unsigned char)j;
            if (bytes == 8)
                report_put(report + 4, j);
            list(report, bytes);
        }
}

static struct local_oracle make(const char *name, uint32_t domain, double epsilon, double permanent)
{
    struct local_setting setting = {.domain = domain, .epsilon = epsilon, .permanent = permanent};
    const struct local_oracle_kind *kind = local_oracle_kind_named(name);
    assert_non_null(kind);
    if (strstr(kind->options, "width") != NULL) {
        setting.hashes = 3;
        setting.width = strcmp(name, "rappor") == 0 ? 7 : 4;
        setting.seed = 5;
    }
    struct local_oracle oracle;
    error why;
    assert_int_equal(local_oracle_init(&oracle, kind, &setting, &why), DITHER_OK);
    return oracle;
}

/* The reports on the list that are accepted. */
struct accepted {
    const struct local_oracle *oracle;
    const unsigned char *of[MOST_REPORTS];
};

static void probability_of(const void *context, size_t value, size_t report, mpq_t out)
{
    const struct accepted *accepted = context;
    accepted->oracle->kind->probability(accepted->oracle, (uint32_t)value, accepted->of[report], out);
}

/* Returns what is used of epsilon. */
static double check_law(const struct local_oracle *oracle)
{
    static struct accepted accepted;
    struct exact_law law = {&accepted, oracle->setting.domain, 0, probability_of};
    accepted.oracle = oracle;
    for (size_t r = 0; r < report_count; r++)
        if (oracle->kind->check(oracle, reports[r]))
            accepted.of[law.outputs++] = reports[r];
    return exact_law_check(&law, oracle->setting.epsilon);
}

static size_t find(const struct local_oracle *oracle, const unsigned char *report)
{
    for (size_t r = 0; r < report_count; r++)
        if (memcmp(reports[r], report, oracle->report_bytes) == 0)
            return r;
    fail_msg("a report that is not on the list");
    return 0;
}

static void check_draws(const struct local_oracle *oracle, uint32_t value, uint64_t seed)
{
    enum { DRAWS = 15000 };
    static uint64_t observed[MOST_REPORTS];
    static double expected[MOST_REPORTS];
    memset(observed, 0, sizeof observed);
    struct random *random = fixed_source(seed);
    mpq_t here;
    mpq_init(here);
    for (int i = 0; i < DRAWS; i++) {
        unsigned char report[MOST_BYTES];
        error why;
        assert_int_equal(local_oracle_randomise(oracle, value, random, report, &why), DITHER_OK);
        observed[find(oracle, report)]++;
    }
    for (size_t r = 0; r < report_count; r++) {
        bool good = oracle->kind->check(oracle, reports[r]);
        if (good)
            oracle->kind->probability(oracle, value, reports[r], here);
        expected[r] = good ? mpq_get_d(here) : 0;
    }
    size_t freedom = 0;
    double chi_square = fit_chi_square(observed, expected, report_count, DRAWS, &freedom);
    assert_true(freedom > 0 && chi_square < fit_threshold(freedom));
    mpq_clear(here);
    random_close(random);
}

/* Reports of a hash function of their own are too many to list: whether the reported bucket is the value's is a coin. */
static void check_hashed_draws(const struct local_oracle *oracle, uint32_t value, uint64_t seed)
{
    enum { DRAWS = 15000 };
    struct random *random = fixed_source(seed);
    uint64_t observed[2] = {0};
    for (int i = 0; i < DRAWS; i++) {
        unsigned char report[MOST_BYTES];
        error why;
        assert_int_equal(local_oracle_randomise(oracle, value, random, report, &why), DITHER_OK);
        assert_true(oracle->kind->check(oracle, report));
        struct hash hash = {report_number(report), report_number(report + 4), 0};
        observed[hash_bucket(hash_image(hash, value), oracle->size) == report_number(report + 8)]++;
    }
    double expected[2] = {1 - oracle->p, oracle->p};
    size_t freedom = 0;
    double chi_square = fit_chi_square(observed, expected, 2, DRAWS, &freedom);
    assert_true(freedom == 1 && chi_square < fit_threshold(1));
    random_close(random);
}

static void check_counting(const struct local_oracle *oracle)
{
    struct local_tally whole, parts, part;
    unsigned char packed[MOST_REPORTS * MOST_BYTES];
    size_t bytes = oracle->report_bytes, good = 0;
    error why;
    for (size_t r = 0; r < report_count; r++) {
        memcpy(packed + r * bytes, reports[r], bytes);
        good += oracle->kind->check(oracle, reports[r]);
    }
    assert_true(good > 0 && good < report_count);
    assert_int_equal(local_tally_init(&whole, oracle, &why), DITHER_OK);
    assert_int_equal(local_tally_init(&parts, oracle, &why), DITHER_OK);
    assert_int_equal(local_tally_init(&part, oracle, &why), DITHER_OK);
    assert_int_equal(local_tally_add(&whole, oracle, packed, report_count * bytes, &why), DITHER_OK);
    assert_int_equal(whole.people, good);
    assert_int_equal(whole.refused, report_count - good);
    assert_int_equal(local_tally_add(&parts, oracle, packed, bytes, &why), DITHER_OK);
    assert_int_equal(local_tally_add(&part, oracle, packed + bytes, (report_count - 1) * bytes, &why),
                     DITHER_OK);
    local_tally_merge(&parts, &part);
    assert_memory_equal(parts.cells, whole.cells, whole.cell_count * sizeof *whole.cells);
    assert_int_equal(parts.people, whole.people);
    if (bytes > 1)
        assert_int_equal(local_tally_add(&whole, oracle, packed, bytes + 1, &why), DITHER_INVALID);
    local_tally_free(&whole);
    local_tally_free(&parts);
    local_tally_free(&part);
}

/* The probability of a report that supports the value: the largest of all. */
static void near_probability(const struct local_oracle *oracle, mpq_t near)
{
    mpq_t here;
    mpq_init(here);
    for (size_t r = 0; r < report_count; r++)
        if (oracle->kind->check(oracle, reports[r])) {
            oracle->kind->probability(oracle, 0, reports[r], here);
            if (mpq_cmp(here, near) > 0)
                mpq_set(near, here);
        }
    mpq_clear(here);
}

/* Each value's support, decoded, is what asking every report alone gives. */
static void check_support(const struct local_oracle *oracle)
{
    struct local_tally tally;
    double support[16], slow[16] = {0};
    error why;
    mpq_t here, near;
    mpq_inits(here, near, NULL);
    near_probability(oracle, near);
    assert_int_equal(local_tally_init(&tally, oracle, &why), DITHER_OK);
    for (size_t r = 0; r < report_count; r++) {
        size_t times = 1 + r % 3;
        for (size_t i = 0; i < times; i++)
            oracle->kind->count(oracle, reports[r], 1, &tally);
        for (uint32_t v = 0; v < oracle->setting.domain && oracle->kind->check(oracle, reports[r]); v++) {
            oracle->kind->probability(oracle, v, reports[r], here);
            slow[v] += mpq_equal(here, near) ? (double)times : 0;
        }
    }
    status result = oracle->kind->support(oracle, &tally, support, &why);
    local_tally_free(&tally);
    mpq_clears(here, near, NULL);
    assert_int_equal(result, DITHER_OK);
    for (uint32_t v = 0; v < oracle->setting.domain; v++)
        assert_near(support[v], slow[v], 1e-9);
}

static void check_all(const char *name, uint32_t domain, double epsilon, double permanent)
{
    struct local_oracle oracle = make(name, domain, epsilon, permanent);
    list_reports(&oracle);
    assert_true(check_law(&oracle) > epsilon * (1 - 1e-9)); /* and nothing is wasted */
    check_counting(&oracle);
    bool hashed = strcmp(name, "olh") == 0;
    for (uint32_t value = 0; value < domain; value += domain - 1) {
        if (hashed)
            check_hashed_draws(&oracle, value, 100 + value);
        else
            check_draws(&oracle, value, 100 + value);
    }
}

static void every_report_keeps_its_epsilon_exactly(void **state)
{
    (void)state;
    static const double epsilons[] = {0.01, 1, 2, 8};
    for (size_t e = 0; e < sizeof epsilons / sizeof *epsilons; e++)
        for (size_t k = 0; local_oracle_kind_at(k) != NULL; k++)
            check_all(local_oracle_kind_at(k)->name, 6, epsilons[e], 0);
}

static void domains_of_every_small_size_are_served(void **state)
{
    (void)state;
    for (uint32_t domain = 2; domain <= 7; domain++)
        for (size_t k = 0; local_oracle_kind_at(k) != NULL; k++) {
            const char *name = local_oracle_kind_at(k)->name;
            struct local_oracle oracle = make(name, domain, 1.1, 0);
            list_reports(&oracle);
            bool sketch = strchr("cr", name[0]) != NULL || strcmp(name, "hcms") == 0; /* values may collide */
            assert_true(check_law(&oracle) > (sketch ? -1 : 1.1 * (1 - 1e-9)));
            if (strcmp(name, "grr") == 0 || strcmp(name, "hadamard") == 0 || strcmp(name, "pgr") == 0)
                check_support(&oracle);
        }
}

static void two_stages_of_rappor_keep_the_epsilon_of_one_report(void **state)
{
    (void)state;
    check_all("rappor", 6, 1, 2);
    check_all("rappor", 6, 1, 1.001);
    check_all("rappor", 6, 0.5, 8);
}

static void settings_that_cannot_be_kept_are_refused(void **state)
{
    (void)state;
    struct local_oracle oracle;
    error why;
    static const struct local_setting bad[] = {
        {.domain = 1, .epsilon = 1},
        {.domain = LOCAL_DOMAIN_LIMIT + 1, .epsilon = 1},
        {.domain = 10, .epsilon = 0},
        {.domain = 10, .epsilon = -1},
        {.domain = 10, .epsilon = NAN},
        {.domain = 10, .epsilon = 21},
        {.domain = 10, .epsilon = 1, .width = 8},
        {.domain = 10, .epsilon = 1, .seed = 8},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(local_oracle_init(&oracle, &local_grr, &bad[i], &why), DITHER_INVALID);
    struct local_setting odd = {.domain = 10, .epsilon = 1, .width = 10};
    assert_int_equal(local_oracle_init(&oracle, &local_cms, &odd, &why), DITHER_INVALID);
    struct local_setting backwards = {.domain = 10, .epsilon = 1, .permanent = 0.9};
    assert_int_equal(local_oracle_init(&oracle, &local_rappor, &backwards, &why), DITHER_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_report_keeps_its_epsilon_exactly),
        cmocka_unit_test(domains_of_every_small_size_are_served),
        cmocka_unit_test(two_stages_of_rappor_keep_the_epsilon_of_one_report),
        cmocka_unit_test(settings_that_cannot_be_kept_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
