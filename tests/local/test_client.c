/* The client of a survey in dither.h: its reports are those of the mechanism, with the right head; they pay before they are made; what
 * is not right is refused and costs nothing. */
#include <math.h>
#include <string.h>

#include "local/collect.h"
#include "local/survey_report.h"
#include "tests/support/fixed_source.h"
#include "tests/support/near.h"

static const dither_local_question transport = {.key = UINT64_C(0x0123456789abcdef),
                                                .mechanism = "grr",
                                                .period = DITHER_LOCAL_DAILY,
                                                .epsilon = 2,
                                                .domain = 5};

static dither_local_client made(const dither_local_question *question)
{
    dither_local_client client;
    dither_error why;
    if (dither_local_init(&client, question, &why) != DITHER_OK)
        fail_msg("%s", why.message);
    return client;
}

/* e^2 / (e^2 + 4) = 0.6488 of 40000 reports tell the truth: standard deviation 95. */
static void reports_have_the_mechanisms_law_and_their_head(void **state)
{
    (void)state;
    enum { PEOPLE = 40000 };
    dither_local_client client = made(&transport);
    dither_local_account account = {2. * PEOPLE, 0};
    struct random *random = fixed_source(5);
    unsigned char report[64];
    dither_error why;
    uint64_t last = 0;
    int truths = 0;
    assert_int_equal(dither_local_report_size(&client), REPORT_HEAD + 4);
    for (int i = 0; i < PEOPLE; i++) {
        assert_int_equal(
            dither_local_report(&client, 3, 1794787200 + 5, &account, (dither_random *)random, report, &why),
            DITHER_OK);
        struct report_head head = report_head_read(report);
        assert_int_equal(report[0], REPORT_FORM);
        assert_true(head.key == transport.key && head.period == 20773 && head.id != last);
        last = head.id;
        truths += report[REPORT_HEAD] == 3;
    }
    assert_near(truths, 0.648775 * PEOPLE, 5 * 95);
    assert_near(account.spent, 2. * PEOPLE, 1e-6);
    random_close(random);
}

static void what_would_pass_the_cap_is_refused_and_costs_nothing(void **state)
{
    (void)state;
    dither_local_client client = made(&transport);
    struct random *random = fixed_source(1);
    dither_random *bits = (dither_random *)random;
    unsigned char report[64] = {0};
    static const unsigned char zeros[64];
    dither_error why;
    dither_local_account tenths = {0.3, 0};
    const dither_local_question cheap = {.mechanism = "oue", .epsilon = 0.1, .domain = 8};
    dither_local_client small = made(&cheap);
    for (int i = 0; i < 2; i++)
        assert_int_equal(dither_local_report(&small, 0, 0, &tenths, bits, report, &why), DITHER_OK);
    /* the doubles 0.1 + 0.1 + 0.1 are more than the double 0.3 */
    assert_int_equal(dither_local_report(&small, 0, 0, &tenths, bits, report, &why), DITHER_REFUSED);
    const dither_local_account bad[] = {{1.9, 0}, {5, 3.5}, {NAN, 0}, {10, NAN}, {10, -1}, {-1, 0}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        dither_local_account account = bad[i];
        memset(report, 7, sizeof report);
        assert_int_equal(dither_local_report(&client, 3, 0, &account, bits, report, &why), DITHER_REFUSED);
        assert_memory_equal(&account, &bad[i], sizeof account);
        assert_memory_equal(report, zeros, dither_local_report_size(&client));
    }
    random_close(random);
}

static void numbers_stay_on_their_grid_whatever_they_are(void **state)
{
    (void)state;
    const dither_local_question minutes = {
        .mechanism = "piecewise", .epsilon = 1, .lower = 0, .upper = 120, .steps = 64};
    static const double wild[] = {0, 120, 60.5, -1e308, 1e308, 0x1p-1074, NAN, INFINITY, -INFINITY, -0.0};
    dither_local_client client = made(&minutes);
    dither_local_account account = {1000, 0};
    struct random *random = fixed_source(2);
    unsigned char report[64];
    dither_error why;
    for (size_t i = 0; i < sizeof wild / sizeof wild[0]; i++)
        assert_int_equal(
            dither_local_report_number(&client, wild[i], 0, &account, (dither_random *)random, report, &why),
            DITHER_OK);
    assert_int_equal(dither_local_report(&client, 1, 0, &account, (dither_random *)random, report, &why),
                     DITHER_INVALID);
    random_close(random);
}

static void misuse_is_refused(void **state)
{
    (void)state;
    static const dither_local_question bad[] = {
        {.mechanism = NULL, .epsilon = 1, .domain = 5},
        {.mechanism = "gre", .epsilon = 1, .domain = 5},
        {.mechanism = "grr", .epsilon = 0, .domain = 5},
        {.mechanism = "grr", .epsilon = NAN, .domain = 5},
        {.mechanism = "grr", .epsilon = 1, .domain = 1},
        {.mechanism = "grr", .epsilon = 1, .domain = 5, .width = 8},
        {.mechanism = "grr", .epsilon = 1, .domain = 5, .upper = 1},
        {.mechanism = "duchi", .epsilon = 1, .lower = 1, .upper = 1},
        {.mechanism = "duchi", .epsilon = 1, .upper = 1, .domain = 5},
        {.mechanism = "grr", .epsilon = 1, .domain = 5, .period = (dither_local_period)9},
    };
    dither_local_client client;
    dither_local_account account = {10, 0};
    struct random *random = fixed_source(3);
    unsigned char report[64];
    dither_error why;
    memset(&client, 0, sizeof client);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(dither_local_init(&client, &bad[i], &why), DITHER_INVALID);
    assert_int_equal(dither_local_report_size(&client), 0);
    assert_int_equal(dither_local_report(&client, 0, 0, &account, (dither_random *)random, report, &why),
                     DITHER_INVALID);
    client = made(&transport);
    assert_int_equal(dither_local_report(&client, 5, 0, &account, (dither_random *)random, report, &why),
                     DITHER_INVALID);
    assert_int_equal(dither_local_report(&client, 0, 0, NULL, (dither_random *)random, report, &why),
                     DITHER_INVALID);
    assert_int_equal(
        dither_local_report_number(&client, 0, 0, &account, (dither_random *)random, report, &why),
        DITHER_INVALID);
    assert_true(account.spent == 0);
    random_close(random);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reports_have_the_mechanisms_law_and_their_head),
        cmocka_unit_test(what_would_pass_the_cap_is_refused_and_costs_nothing),
        cmocka_unit_test(numbers_stay_on_their_grid_whatever_they_are),
        cmocka_unit_test(misuse_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
