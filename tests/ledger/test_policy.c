/* A policy that changes: what may change freely, what needs the owner's act, and what that act does to the
 * spending. */
#include <string.h>

#include "ledger/history.h"
#include "tests/support/ledger.h"
#include "tests/support/test.h"

static int setup(void **state)
{
    static struct ledger_fixture fixture;
    fixture_init(&fixture);
    *state = &fixture;
    return 0;
}

static int teardown(void **state)
{
    fixture_free(*state);
    return 0;
}

/* North has spent 0.75, the others 0.5; alice 0.75 and 0.5 too. */
static void spend(struct ledger_fixture *fixture)
{
    static const size_t north[] = {NORTH};
    struct ledger_release confined = release("north", "0.25");
    confined.blocks = north;
    confined.block_count = 1;
    fixture_open(fixture);
    assert_ok(fixture, fixture_ask(fixture, "alice", release("all", "0.5"), "1"));
    assert_ok(fixture, fixture_ask(fixture, "alice", confined, "2"));
}

static void carry(struct ledger_fixture *fixture, uint64_t people)
{
    static struct ledger_carry act;
    act.old_units_in_new = people;
    fixture->options.carry = &act;
}

static void limits_may_be_raised_and_lowered(void **state)
{
    struct ledger_fixture *fixture = *state;
    spend(fixture);
    fixture->config.total = epsilon("20");
    fixture_open(fixture);
    assert_string_equal(fixture_left(fixture, NULL), "epsilon 19.25");
    fixture->config.total = epsilon("0.5"); /* below what was spent */
    fixture_open(fixture);
    assert_string_equal(fixture_left(fixture, NULL), "epsilon 0");
    assert_refused(fixture, fixture_reserve(fixture, NULL, release("more", "0.001"), NULL),
                   "the dataset's total");
}

static void who_leaves_the_policy_and_comes_back_has_spent_what_he_spent(void **state)
{
    struct ledger_fixture *fixture = *state;
    spend(fixture);
    fixture->config.analysts = fixture->analysts + 1;
    fixture->config.analyst_count = 2;
    fixture_open(fixture);
    assert_refused(fixture, fixture_reserve(fixture, "alice", release("more", "0.1"), NULL),
                   "names no analyst alice");
    fixture->config.analysts = fixture->analysts;
    fixture->config.analyst_count = 3;
    fixture_open(fixture);
    assert_string_equal(fixture_left(fixture, "alice"), "epsilon 2.25");
}

static void units_paths_block_column_and_currency_need_the_owners_act(void **state)
{
    struct ledger_fixture *fixture = *state;
    spend(fixture);
    struct ledger_config good = fixture->config;
    fixture->config.unit = "row";
    assert_refused(fixture, fixture_try_open(fixture), "the unit or the path to it changed");
    fixture->config = good;
    fixture->config.block_column = "patients.cohort";
    assert_refused(fixture, fixture_try_open(fixture), "the block column changed");
    fixture->config.block_column = NULL;
    fixture->config.block_count = 0;
    assert_refused(fixture, fixture_try_open(fixture), "the block column changed");
    fixture->config = good;
    fixture->config.currency = LEDGER_APPROXIMATE;
    assert_refused(fixture, fixture_try_open(fixture), "the currency changed");
    fixture->config = good;
    fixture->config.dataset = "clinic";
    assert_refused(fixture, fixture_try_open(fixture), "this is the ledger of dataset hospital");
    fixture->config = good;
    fixture_open(fixture);
    assert_string_equal(fixture_left_on(fixture, NULL, SOUTH), "epsilon 9.5");
}

static void carried_over_every_block_has_the_maximum(void **state)
{
    struct ledger_fixture *fixture = *state;
    spend(fixture);
    carry(fixture, 1);
    fixture->config.block_column = "patients.cohort";
    fixture_open(fixture);
    for (size_t block = NORTH; block <= REST; block++)
        assert_string_equal(fixture_left_on(fixture, NULL, block), "epsilon 9.25");
    assert_string_equal(fixture_left_on(fixture, "alice", SOUTH), "epsilon 2.25");
}

static void larger_units_have_lost_more(void **state)
{
    struct ledger_fixture *fixture = *state;
    spend(fixture);
    carry(fixture, 4); /* a household of four persons */
    fixture->config.unit = "households.id";
    fixture_open(fixture);
    assert_string_equal(fixture_left(fixture, NULL), "epsilon 7"); /* 10 - 4 * 0.75 */
    assert_string_equal(fixture_left(fixture, "alice"), "epsilon 0");
}

static void rho_grows_with_the_square_of_the_people_in_a_unit(void **state)
{
    struct ledger_fixture *fixture = *state;
    struct ledger_release one = release("a", "0");
    one.cost.rho = decimal("0.125");
    fixture->config.currency = LEDGER_CONCENTRATED;
    fixture->config.total = (struct ledger_cost){.rho = decimal("2"), .delta = decimal("1e-6")};
    fixture_open(fixture);
    assert_ok(fixture, fixture_reserve(fixture, NULL, one, NULL));
    carry(fixture, 3);
    fixture->config.unit = "households.id";
    fixture_open(fixture);
    assert_string_equal(fixture_left(fixture, NULL), "rho 0.875, delta 0.000001"); /* 2 - 3^2 * 0.125 */
}

static void pure_epsilon_becomes_half_its_square_in_rho(void **state)
{
    struct ledger_fixture *fixture = *state;
    spend(fixture);
    carry(fixture, 2);
    fixture->config.unit = "couples.id";
    fixture->config.currency = LEDGER_CONCENTRATED;
    fixture->config.total = (struct ledger_cost){.rho = decimal("2"), .delta = decimal("1e-6")};
    fixture_open(fixture);
    assert_string_equal(fixture_left(fixture, NULL), "rho 0.875, delta 0.000001"); /* 2 - (2 * 0.75)^2 / 2 */
}

static void what_has_no_bound_is_refused(void **state)
{
    struct ledger_fixture *fixture = *state;
    struct ledger_release one = release("keys", "0.1");
    one.cost.delta = decimal("1e-9");
    fixture->config.currency = LEDGER_APPROXIMATE;
    fixture->config.total.delta = decimal("1e-6");
    fixture_open(fixture);
    assert_ok(fixture, fixture_reserve(fixture, NULL, one, NULL));
    struct ledger_config good = fixture->config;
    carry(fixture, 1);
    fixture->config.currency = LEDGER_PURE;
    fixture->config.total.delta = decimal("0");
    assert_refused(fixture, fixture_try_open(fixture), "no bound in the new currency");
    fixture->config.currency = LEDGER_CONCENTRATED;
    fixture->config.total = (struct ledger_cost){.rho = decimal("2")};
    assert_refused(fixture, fixture_try_open(fixture), "no bound in the new currency");
    fixture->config = good;
    fixture->config.unit = "households.id";
    carry(fixture, 2);
    assert_refused(fixture, fixture_try_open(fixture), "delta that was spent");
    carry(fixture, 0);
    assert_refused(fixture, fixture_try_open(fixture), "at least one");
    fixture->config = good;
    fixture_open(fixture);
    assert_string_equal(fixture_left(fixture, NULL), "epsilon 9.9, delta 0.000000999");
}

static void stored_answers_outlive_a_change_of_limits(void **state)
{
    struct ledger_fixture *fixture = *state;
    struct ledger_reservation *reservation;
    struct ledger_bytes result;
    spend(fixture);
    fixture->config.total = epsilon("0.1");
    fixture_open(fixture);
    assert_ok(fixture, fixture_reserve(fixture, "alice", release("all", "0.5"), &reservation));
    assert_true(ledger_reservation_stored(reservation, 0, &result));
    assert_true(ledger_reservation_cached(reservation, 0));
    ledger_reservation_free(reservation);
}

#define rule(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        rule(limits_may_be_raised_and_lowered),
        rule(who_leaves_the_policy_and_comes_back_has_spent_what_he_spent),
        rule(units_paths_block_column_and_currency_need_the_owners_act),
        rule(carried_over_every_block_has_the_maximum),
        rule(larger_units_have_lost_more),
        rule(rho_grows_with_the_square_of_the_people_in_a_unit),
        rule(pure_epsilon_becomes_half_its_square_in_rho),
        rule(what_has_no_bound_is_refused),
        rule(stored_answers_outlive_a_change_of_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
