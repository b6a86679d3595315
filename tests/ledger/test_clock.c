/* Renewal: a window is over when its time was witnessed, and no setting of any clock makes it over sooner.
 * The clock is a hand that the test turns. */
#include <stdio.h>
#include <string.h>

#include "ledger/clock.h"
#include "ledger/history.h"
#include "tests/support/ledger.h"
#include "tests/support/test.h"

enum { DAY = 86400 };

static int setup(void **state)
{
    static struct ledger_fixture fixture;
    fixture_init(&fixture);
    fixture.config.renewal = LEDGER_MONTHLY;
    fixture.config.total = epsilon("1");
    *state = &fixture;
    return 0;
}

static int teardown(void **state)
{
    fixture_free(*state);
    return 0;
}

static void spend_all(struct ledger_fixture *fixture)
{
    static int count;
    char key[32];
    snprintf(key, sizeof key, "release %d", ++count);
    assert_ok(fixture, fixture_reserve(fixture, NULL, release(key, "1"), NULL));
    assert_string_equal(fixture_left(fixture, NULL), "epsilon 0");
}

static void a_window_is_renewed_when_its_time_has_passed(void **state)
{
    struct ledger_fixture *fixture = *state;
    fixture_open(fixture);
    spend_all(fixture);
    fixture_pass(fixture, 30 * DAY);
    assert_string_equal(fixture_left(fixture, NULL), "epsilon 0");
    fixture_pass(fixture, 2 * DAY);
    assert_string_equal(fixture_left(fixture, NULL), "epsilon 1");
    spend_all(fixture);
    fixture_open(fixture);
    assert_string_equal(fixture_left(fixture, NULL), "epsilon 0");
    fixture_pass(fixture, 32 * DAY);
    assert_string_equal(fixture_left(fixture, NULL), "epsilon 1");
}

static void the_lifetime_loss_is_always_shown(void **state)
{
    struct ledger_fixture *fixture = *state;
    struct history *history;
    fixture_open(fixture);
    for (int i = 0; i < 3; i++) {
        spend_all(fixture);
        fixture_pass(fixture, 32 * DAY);
        assert_ok(fixture, ledger_tick(fixture->ledger, &fixture->why));
    }
    assert_ok(fixture, history_open(fixture->file, NULL, fixture->state, &history, &fixture->why));
    struct history_sum sum = history_sum(history, HOLDER_DATASET_PLACE);
    assert_int_equal(decimal_compare(sum.lifetime.epsilon, decimal("3")), 0);
    assert_true(ledger_cost_is_zero(sum.window));
    history_close(history);
}

static void setting_the_wall_clock_never_renews(void **state)
{
    struct ledger_fixture *fixture = *state;
    fixture_open(fixture);
    spend_all(fixture);
    static const int64_t jumps[] = {400 * DAY, -800 * DAY, 40 * DAY, 4000 * DAY, -3640 * (int64_t)DAY};
    for (size_t i = 0; i < sizeof jumps / sizeof jumps[0]; i++) {
        fixture->clock.instant.wall += (uint64_t)jumps[i];
        assert_string_equal(fixture_left(fixture, NULL), "epsilon 0");
        fixture_open(fixture);
        assert_string_equal(fixture_left(fixture, NULL), "epsilon 0");
    }
}

static void reboots_never_renew(void **state)
{
    struct ledger_fixture *fixture = *state;
    fixture_open(fixture);
    spend_all(fixture);
    for (int i = 0; i < 100; i++) { /* each boot says that it has run for a year */
        snprintf(fixture->clock.instant.boot, CLOCK_BOOT_TEXT, "boot-%d", i);
        fixture->clock.instant.run = 365 * UINT64_C(86400000000000);
        assert_ok(fixture, ledger_tick(fixture->ledger, &fixture->why));
        assert_string_equal(fixture_left(fixture, NULL), "epsilon 0");
    }
}

static void a_boot_clock_that_runs_backward_and_forward_again_counts_once(void **state)
{
    struct ledger_fixture *fixture = *state;
    fixture_open(fixture);
    spend_all(fixture);
    for (int i = 0; i < 10; i++) {
        fixture_pass(fixture, 20 * DAY);
        assert_ok(fixture, ledger_tick(fixture->ledger, &fixture->why));
        fixture->clock.instant.run -= 20 * UINT64_C(86400000000000);
        assert_ok(fixture, ledger_tick(fixture->ledger, &fixture->why));
        assert_string_equal(fixture_left(fixture, NULL), "epsilon 0");
    }
}

static void two_machines_that_watch_the_same_days_count_them_once(void **state)
{
    (void)state;
    struct witness witness = {0};
    struct instant first = {.boot = "first", .run = 1000}, second = {.boot = "second", .run = 777000};
    witness_see(&witness, &first);
    witness_see(&witness, &second);
    for (int i = 0; i < 1000; i++) { /* each thousand nanoseconds are seen by both, one after the other */
        first.run += 1000;
        second.run += 1000;
        witness_see(&witness, &first);
        witness_see(&witness, &second);
    }
    assert_true(witness.nanoseconds <= 1000000);
    assert_true(witness.nanoseconds >= 995000);
}

/* Rounding down must not add up: readings of two machines straddle a tick of each in turn. */
static void rounding_does_not_make_time(void **state)
{
    (void)state;
    struct witness witness = {0};
    double real = 0;
    for (int i = 0; i < 10000; i++, real += 0.3) {
        struct instant instant = {.run = (uint64_t)(real + (i % 2 == 0 ? 0.0 : 0.6))};
        strcpy(instant.boot, i % 2 == 0 ? "even" : "odd");
        witness_see(&witness, &instant);
    }
    assert_true((double)witness.nanoseconds <= real);
}

static void a_ledger_without_renewal_is_never_renewed_and_a_new_rhythm_begins_anew(void **state)
{
    struct ledger_fixture *fixture = *state;
    fixture->config.renewal = LEDGER_NEVER;
    fixture_open(fixture);
    spend_all(fixture);
    fixture_pass(fixture, 4000 * DAY);
    assert_string_equal(fixture_left(fixture, NULL), "epsilon 0");
    fixture->config.renewal = LEDGER_DAILY;
    fixture_open(fixture);
    assert_string_equal(fixture_left(fixture, NULL), "epsilon 0");
    fixture_pass(fixture, DAY); /* 0.1 % short, for a clock that runs fast */
    assert_string_equal(fixture_left(fixture, NULL), "epsilon 0");
    fixture_pass(fixture, 100);
    assert_string_equal(fixture_left(fixture, NULL), "epsilon 1");
}

static void the_system_clock_runs(void **state)
{
    (void)state;
    struct instant first, second;
    assert_int_equal(clock_system()->now(NULL, &first, NULL), DITHER_OK);
    assert_int_equal(clock_system()->now(NULL, &second, NULL), DITHER_OK);
    assert_string_equal(first.boot, second.boot);
    assert_int_equal(strlen(first.boot), 36);
    assert_true(second.run >= first.run && first.run > 0);
}

#define rule(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        rule(a_window_is_renewed_when_its_time_has_passed),
        rule(the_lifetime_loss_is_always_shown),
        rule(setting_the_wall_clock_never_renews),
        rule(reboots_never_renew),
        rule(a_boot_clock_that_runs_backward_and_forward_again_counts_once),
        rule(two_machines_that_watch_the_same_days_count_them_once),
        rule(rounding_does_not_make_time),
        rule(a_ledger_without_renewal_is_never_renewed_and_a_new_rhythm_begins_anew),
        rule(the_system_clock_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
