/* The ledger as C callers see it, through dither.h alone: each call, and each way to call it wrongly. Expected
 * figures are sums done by hand; the rules behind them have their own tests (test_rules.c and its neighbours). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/support/public_ledger.h"

static void a_charge_is_exact_and_outlives_the_object(void **state)
{
    (void)state;
    for (int i = 0; i < 10; i++) {
        char key[] = {(char)('a' + i), '\0'};
        assert_ok(public_ask("alice", NULL, public_release(key, "0.1"), "42"));
    }
    assert_string_equal(public_left("alice", NULL), "2");
    assert_ok(public_open());
    assert_string_equal(public_left("alice", NULL), "2");
    assert_string_equal(public_left(NULL, NULL), "9");
    assert_string_equal(public_left("bob", NULL), "1");
}

static void delta_is_counted_beside_epsilon(void **state)
{
    (void)state;
    dither_amount_text text;
    dither_question_release one = public_release("keys", "1");
    one.cost.delta = "4e-7";
    assert_ok(public_ask(NULL, NULL, one, "42"));
    assert_ok(dither_ledger_left(house.ledger, NULL, NULL, 0, &text, &house.why));
    assert_string_equal(text.epsilon, "9");
    assert_string_equal(text.delta, "0.0000006");
    assert_string_equal(text.rho, "0");
    one = public_release("more keys", "1");
    one.cost.delta = "0.0000006000001";
    assert_fails(public_ask(NULL, NULL, one, "42"), DITHER_REFUSED, "the dataset's total");
}

static void every_limit_refuses_and_charges_nothing(void **state)
{
    (void)state;
    dither_reservation *reservation = (dither_reservation *)1;
    assert_fails(public_reserve("alice", NULL, public_release("a", "3.1"), &reservation), DITHER_REFUSED,
                 "alice");
    assert_fails(public_reserve("bob", NULL, public_release("a", "1.1"), &reservation), DITHER_REFUSED,
                 "interns");
    assert_fails(public_reserve(NULL, NULL, public_release("a", "5.1"), &reservation), DITHER_REFUSED,
                 "one question");
    assert_fails(public_reserve("carol", NULL, public_release("a", "0.1"), &reservation), DITHER_REFUSED,
                 "carol");
    assert_ptr_equal(reservation, (dither_reservation *)1);
    assert_string_equal(public_left(NULL, NULL), "10");
    assert_ok(public_ask(NULL, NULL, public_release("a", "5"), "42"));
    assert_ok(public_ask(NULL, NULL, public_release("b", "4.5"), "42"));
    assert_fails(public_ask("alice", NULL, public_release("c", "0.6"), "42"), DITHER_REFUSED,
                 "epsilon 0.5, delta 0.000001 would still fit");
    assert_ok(public_ask("alice", NULL, public_release("c", "0.5"), "42"));
    assert_string_equal(public_left("alice", NULL), "0");
}

static void a_retry_gets_the_stored_answer_and_pays_once(void **state)
{
    (void)state;
    dither_reservation *reservation = NULL;
    dither_bytes answer;
    dither_amount_text cost;
    assert_ok(public_reserve("alice", "r1", public_release("a", "0.5"), &reservation));
    assert_false(dither_reservation_answer(reservation, &answer));
    dither_reservation_cost(reservation, &cost);
    assert_string_equal(cost.epsilon, "0.5");
    assert_ok(dither_ledger_settle(house.ledger, reservation, &(dither_bytes){"7", 1}, 1,
                                   (dither_bytes){"about 7", 7}, &house.why));
    dither_reservation_free(reservation);
    assert_ok(public_reserve("alice", "r1", public_release("a", "0.5"), &reservation));
    assert_true(dither_reservation_answer(reservation, &answer));
    assert_int_equal(answer.size, 7);
    assert_memory_equal(answer.data, "about 7", 7);
    dither_reservation_cost(reservation, &cost);
    assert_string_equal(cost.epsilon, "0");
    assert_fails(dither_ledger_settle(house.ledger, reservation, &answer, 1, answer, &house.why),
                 DITHER_INVALID, "retry");
    dither_reservation_free(reservation);
    assert_fails(public_reserve("bob", "r1", public_release("a", "0.5"), &reservation), DITHER_REFUSED,
                 "another question");
    assert_string_equal(public_left("alice", NULL), "2.5");
    dither_reservation_free(NULL);
}

static void what_was_never_settled_stays_spent_and_is_not_run_again(void **state)
{
    (void)state;
    dither_reservation *reservation = NULL;
    assert_ok(public_reserve("alice", "r1", public_release("a", "0.5"), &reservation));
    dither_reservation_free(reservation);
    assert_ok(public_open());
    assert_fails(public_reserve("alice", "r1", public_release("a", "0.5"), &reservation), DITHER_REFUSED,
                 "never answered");
    assert_string_equal(public_left("alice", NULL), "2.5");
}

static void a_stored_result_costs_the_dataset_nothing(void **state)
{
    (void)state;
    dither_reservation *reservation = NULL;
    dither_bytes result;
    dither_amount_text cost;
    assert_ok(public_ask("alice", NULL, public_release("a", "0.5"), "42"));
    assert_ok(public_reserve("bob", NULL, public_release("a", "0.5"), &reservation));
    assert_true(dither_reservation_stored(reservation, 0, &result));
    assert_int_equal(result.size, 2);
    assert_memory_equal(result.data, "42", 2);
    assert_false(dither_reservation_stored(reservation, 1, &result));
    assert_false(dither_reservation_cached(reservation, 0)); /* bob has not paid for it before */
    const dither_bytes nothing = {NULL, 99};                 /* not looked at: the result is stored */
    assert_ok(dither_ledger_settle(house.ledger, reservation, &nothing, 1, result, &house.why));
    dither_reservation_free(reservation);
    assert_string_equal(public_left(NULL, NULL), "9.5");
    assert_string_equal(public_left("bob", NULL), "0.5");
    assert_ok(public_reserve("bob", NULL, public_release("a", "0.5"), &reservation));
    assert_true(dither_reservation_cached(reservation, 0));
    dither_reservation_cost(reservation, &cost);
    assert_string_equal(cost.epsilon, "0");
    dither_reservation_free(reservation);
}

static void a_release_is_charged_to_its_blocks_alone(void **state)
{
    (void)state;
    const size_t north = NORTH, south = SOUTH, rest = REST, none = REST + 1;
    dither_amount_text text;
    dither_reservation *reservation = NULL;
    dither_question_release one = public_release("a", "2");
    one.blocks = &north;
    one.block_count = 1;
    assert_ok(public_ask(NULL, NULL, one, "42"));
    assert_string_equal(public_left(NULL, &north), "8");
    assert_string_equal(public_left(NULL, &south), "10");
    assert_string_equal(public_left(NULL, &rest), "10");
    assert_string_equal(public_left(NULL, NULL), "8");
    one.blocks = &none;
    assert_fails(public_reserve(NULL, NULL, one, &reservation), DITHER_INVALID, "block");
    one.blocks = NULL;
    assert_fails(public_reserve(NULL, NULL, one, &reservation), DITHER_INVALID, "there are none");
    assert_fails(dither_ledger_left(house.ledger, NULL, NULL, 1, &text, &house.why), DITHER_INVALID,
                 "there are none");
    assert_fails(dither_ledger_left(house.ledger, NULL, &none, 1, &text, &house.why), DITHER_INVALID,
                 "block");
}

static void who_was_stopped_asks_again_only_when_lifted(void **state)
{
    (void)state;
    dither_reservation *reservation = NULL;
    assert_ok(dither_ledger_stop(house.ledger, "alice", "the engine failed", &house.why));
    assert_fails(public_reserve("alice", NULL, public_release("a", "0.5"), &reservation), DITHER_REFUSED,
                 "stopped");
    assert_ok(public_ask("bob", NULL, public_release("a", "0.5"), "42"));
    assert_ok(dither_ledger_lift(house.ledger, "alice", &house.why));
    assert_ok(public_ask("alice", NULL, public_release("a", "0.5"), "42"));
    assert_int_equal(dither_ledger_stop(house.ledger, "alice", NULL, &house.why), DITHER_INVALID);
    assert_int_equal(dither_ledger_stop(house.ledger, "", "why", &house.why), DITHER_INVALID);
}

static void time_alone_renews_nothing_at_once(void **state)
{
    (void)state;
    house.config.renewal = DITHER_DAILY;
    assert_ok(public_open());
    assert_ok(public_ask(NULL, NULL, public_release("a", "4"), "42"));
    assert_ok(dither_ledger_tick(house.ledger, &house.why));
    assert_string_equal(public_left(NULL, NULL), "6");
}

static void another_unit_is_refused_until_the_owner_carries_over(void **state)
{
    (void)state;
    assert_ok(public_ask(NULL, NULL, public_release("a", "2"), "42"));
    house.config.unit = "households.household_id";
    assert_fails(public_open(), DITHER_REFUSED, "unit");
    assert_null(house.ledger);
    house.options.carry_old_units_in_new = 3;
    assert_ok(public_open());
    assert_string_equal(public_left(NULL, NULL), "4"); /* three people in a household: 3 x 2 of 10 */
}

static void a_cap_of_zero_is_a_cap(void **state)
{
    (void)state;
    house.analysts[0].cap.epsilon = "0";
    assert_ok(public_open());
    assert_fails(public_ask("alice", NULL, public_release("a", "0.1"), "42"), DITHER_REFUSED,
                 "the cap of alice");
    house.analysts[0].cap.epsilon = NULL;
    assert_ok(public_open());
    assert_string_equal(public_left("alice", NULL), "10");
}

static void without_options_the_anchor_is_where_the_system_keeps_state(void **state)
{
    (void)state;
    dither_ledger_close(house.ledger);
    house.ledger = NULL;
    char folder[60], file[100];
    snprintf(folder, sizeof folder, "%s/state", house.folder);
    snprintf(file, sizeof file, "%s/second.ledger", house.folder);
    assert_int_equal(setenv("XDG_STATE_HOME", folder, 1), 0);
    house.config.dataset = "second";
    assert_ok(dither_ledger_open(file, &house.config, NULL, &house.ledger, &house.why));
    snprintf(file, sizeof file, "%s/dither", folder);
    assert_int_equal(access(file, F_OK), 0);
}

/* 0.1 is not a double: the one below it is 0.09999999999999999167, the nearest one 0.1000000000000000055511. */
static void doubles_and_decimals_are_rounded_so_that_the_charge_covers_the_loss(void **state)
{
    (void)state;
    dither_amount_text text;
    assert_true(dither_decimal("0.1") == nextafter(0.1, 0));
    assert_true(dither_decimal("0.5") == 0.5 && dither_decimal("1e-9") <= 1e-9);
    assert_true(isnan(dither_decimal(NULL)) && isnan(dither_decimal("-1")) && isnan(dither_decimal("")));
    assert_ok(dither_cost_text((dither_cost){0.1, 0x1p-10, 0}, &text, &house.why));
    assert_string_equal(text.epsilon, "0.100000000000000005551116");
    assert_string_equal(text.delta, "0.0009765625");
    assert_string_equal(text.rho, "0");
    text.epsilon[0] = 'x';
    assert_int_equal(dither_cost_text((dither_cost){1, -1, 0}, &text, &house.why), DITHER_INVALID);
    assert_int_equal(dither_cost_text((dither_cost){NAN, 0, 0}, &text, &house.why), DITHER_INVALID);
    assert_int_equal(dither_cost_text((dither_cost){1, 0, INFINITY}, &text, &house.why), DITHER_INVALID);
    assert_int_equal(text.epsilon[0], 'x');
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, public_ledger_setup, public_ledger_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_charge_is_exact_and_outlives_the_object),
        TEST(delta_is_counted_beside_epsilon),
        TEST(every_limit_refuses_and_charges_nothing),
        TEST(a_retry_gets_the_stored_answer_and_pays_once),
        TEST(what_was_never_settled_stays_spent_and_is_not_run_again),
        TEST(a_stored_result_costs_the_dataset_nothing),
        TEST(a_release_is_charged_to_its_blocks_alone),
        TEST(who_was_stopped_asks_again_only_when_lifted),
        TEST(time_alone_renews_nothing_at_once),
        TEST(another_unit_is_refused_until_the_owner_carries_over),
        TEST(a_cap_of_zero_is_a_cap),
        TEST(without_options_the_anchor_is_where_the_system_keeps_state),
        TEST(doubles_and_decimals_are_rounded_so_that_the_charge_covers_the_loss),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
