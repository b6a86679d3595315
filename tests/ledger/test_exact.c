/* Sums against limits, to the last decimal: what fits exactly fits, and not a hair more. */
#include <stdio.h>
#include <string.h>

#include "ledger/handle.h"
#include "tests/support/ledger.h"
#include "tests/support/test.h"

static int setup(void **state)
{
    static struct ledger_fixture fixture;
    fixture_init(&fixture);
    fixture.config.block_column = NULL;
    fixture.config.block_count = 0;
    fixture.config.question_most = ledger_cost_unlimited();
    *state = &fixture;
    return 0;
}

static int teardown(void **state)
{
    fixture_free(*state);
    return 0;
}

/* Through the very code that decides and records, without the disk. */
static void a_million_charges_of_a_tenth_fit_a_hundred_thousand_and_the_next_does_not(void **state)
{
    struct ledger_fixture *fixture = *state;
    size_t carol;
    fixture->config.total = epsilon("100000");
    fixture_open(fixture);
    struct state *ledger = &fixture->ledger->state;
    assert_ok(fixture, state_find_holder(ledger, HOLDER_ANALYST, "carol", &carol, &fixture->why));
    ledger->bill_dataset[0] = ledger->bill_analyst[0] = epsilon("0.1");
    for (int i = 0; i < 1000000; i++) {
        assert_ok(fixture, bill_check(ledger, carol, &fixture->why));
        assert_ok(fixture, bill_apply(ledger, carol, &fixture->why));
    }
    assert_refused(fixture, bill_check(ledger, carol, &fixture->why), "epsilon 0 is left of epsilon 100000");
    ledger->bill_dataset[0] = ledger->bill_analyst[0] = epsilon("1e-24");
    assert_refused(fixture, bill_check(ledger, carol, &fixture->why), "the dataset's total is reached");
}

/* And through the disk: 4000 releases of 0.1 are 400. */
static void four_thousand_tenths_are_four_hundred(void **state)
{
    struct ledger_fixture *fixture = *state;
    enum { COUNT = 4000 };
    static struct ledger_release releases[COUNT + 1];
    static char keys[COUNT + 1][16];
    struct ledger_reservation *reservation;
    for (int i = 0; i <= COUNT; i++) {
        snprintf(keys[i], sizeof keys[i], "%d", i);
        releases[i] = release(keys[i], "0.1");
    }
    struct ledger_question question = {.text = "SELECT", .releases = releases, .release_count = COUNT + 1};
    fixture->config.total = epsilon("400");
    fixture_open(fixture);
    assert_refused(fixture, ledger_reserve(fixture->ledger, &question, &reservation, &fixture->why),
                   "the question costs epsilon 400.1; epsilon 400 would still fit");
    question.release_count = COUNT;
    assert_ok(fixture, ledger_reserve(fixture->ledger, &question, &reservation, &fixture->why));
    ledger_reservation_free(reservation);
    fixture_open(fixture);
    assert_string_equal(fixture_left(fixture, NULL), "epsilon 0");
}

/* Ten of the double beside 0.1 are more than 1: who counts in doubles pays for what they are. */
static void doubles_are_charged_as_what_they_are(void **state)
{
    struct ledger_fixture *fixture = *state;
    struct ledger_release one = release("a", "0");
    assert_ok(fixture, decimal_from_double(0.1, &one.cost.epsilon, &fixture->why));
    fixture->config.total = epsilon("1");
    fixture_open(fixture);
    for (int i = 0; i < 9; i++) {
        char key[16];
        snprintf(key, sizeof key, "%d", i);
        one.key = key;
        assert_ok(fixture, fixture_reserve(fixture, NULL, one, NULL));
    }
    one.key = "x";
    assert_refused(fixture, fixture_reserve(fixture, NULL, one, NULL), "the dataset's total is reached");
    assert_ok(fixture, fixture_reserve(fixture, NULL, release("y", "0.099999999999999950039956"), NULL));
    assert_string_equal(fixture_left(fixture, NULL), "epsilon 0"); /* 1 - 9 * 0.100000000000000005551116 */
}

#define rule(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        rule(a_million_charges_of_a_tenth_fit_a_hundred_thousand_and_the_next_does_not),
        rule(four_thousand_tenths_are_four_hundred),
        rule(doubles_are_charged_as_what_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
