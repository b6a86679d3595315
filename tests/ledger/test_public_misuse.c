/* The ledger as C callers see it, called wrongly: every list that is counted and not there, every text that is
 * no decimal, every order of calls that makes no sense. Nothing may be charged, and no output touched. */
#include <string.h>

#include "base/memory.h"
#include "tests/support/public_ledger.h"

static void settling_wrongly_is_refused_and_can_be_mended(void **state)
{
    (void)state;
    dither_reservation *reservation = NULL;
    const dither_bytes good = {"42", 2}, bad = {NULL, 2}, empty = {NULL, 0};
    assert_ok(public_reserve("alice", NULL, public_release("a", "0.5"), &reservation));
    assert_fails(dither_ledger_settle(house.ledger, reservation, NULL, 0, good, &house.why), DITHER_INVALID,
                 "1 releases, and there are 0 results");
    assert_fails(dither_ledger_settle(house.ledger, reservation, NULL, 1, good, &house.why), DITHER_INVALID,
                 "there are none");
    assert_fails(dither_ledger_settle(house.ledger, reservation, &bad, 1, good, &house.why), DITHER_INVALID,
                 "no bytes");
    assert_fails(dither_ledger_settle(house.ledger, reservation, &good, 1, bad, &house.why), DITHER_INVALID,
                 "no bytes");
    assert_ok(dither_ledger_settle(house.ledger, reservation, &good, 1, empty, &house.why));
    assert_fails(dither_ledger_settle(house.ledger, reservation, &good, 1, empty, &house.why), DITHER_INVALID,
                 "settled before");
    dither_reservation_free(reservation);
}

static void bad_questions_are_refused_without_a_charge(void **state)
{
    (void)state;
    dither_reservation *reservation = NULL;
    const dither_question_release nothing = {.key = {NULL, 0}};
    const dither_question counted = {.text = "q", .release_count = 1};
    const dither_question many = {.text = "q", .releases = &nothing, .release_count = SIZE_MAX};
    assert_fails(dither_ledger_reserve(house.ledger, NULL, &reservation, &house.why), DITHER_INVALID,
                 "no question");
    assert_fails(dither_ledger_reserve(house.ledger, &counted, &reservation, &house.why), DITHER_INVALID,
                 "there are none");
    assert_fails(dither_ledger_reserve(house.ledger, &many, &reservation, &house.why), DITHER_INVALID,
                 "more than");
    assert_fails(dither_ledger_reserve(house.ledger, &(dither_question){0}, &reservation, &house.why),
                 DITHER_INVALID, "the question is empty");
    assert_fails(public_reserve(NULL, NULL, public_release("", "1"), &reservation), DITHER_INVALID, "no key");
    assert_fails(public_reserve(NULL, NULL, public_release("a", NULL), &reservation), DITHER_INVALID,
                 "costs nothing");
    assert_fails(public_reserve(NULL, NULL, public_release("a", "-1"), &reservation), DITHER_INVALID,
                 "the cost of a release, epsilon");
    assert_fails(public_reserve(NULL, NULL, public_release("a", "1e-25"), &reservation), DITHER_INVALID,
                 "epsilon");
    dither_question_release rho = {.key = {"a", 1}, .cost = {.rho = "1"}};
    assert_fails(public_reserve(NULL, NULL, rho, &reservation), DITHER_INVALID, "currency");
    assert_null(reservation);
    assert_string_equal(public_left(NULL, NULL), "10");
}

/* Each of these is one change to a good configuration. */
static void bad_configurations_are_refused(void **state)
{
    (void)state;
    const dither_ledger_config good = house.config;
#define assert_bad(change, words)                                                                            \
    do {                                                                                                     \
        change;                                                                                              \
        assert_fails(public_open(), DITHER_INVALID, words);                                                  \
        assert_null(house.ledger);                                                                           \
        house.config = good;                                                                                 \
    } while (0)
    assert_bad(house.config.dataset = NULL, "name");
    assert_bad(house.config.unit = NULL, "units");
    assert_bad(house.config.total.epsilon = "ten", "the dataset's total, epsilon");
    assert_bad(house.config.total.delta = "1", "protects nobody");
    assert_bad(house.config.total.rho = "1", "not in its currency");
    assert_bad(house.config.per_question.epsilon = "", "the maximum for one question, epsilon");
    assert_bad(house.config.currency = (dither_currency)9, "currency");
    assert_bad(house.config.renewal = (dither_renewal)9, "renewal");
    assert_bad(house.config.blocks = NULL, "blocks are counted");
    assert_bad(house.config.groups = NULL, "groups are counted");
    assert_bad(house.config.analysts = NULL, "analysts are counted");
    assert_bad(house.config.group_count = SIZE_MAX, "more than");
    assert_bad(house.config.group_count = 0, "not declared");
#undef assert_bad
    house.group.cap.epsilon = "much";
    assert_fails(public_open(), DITHER_INVALID, "the cap of a group, epsilon");
    house.group.cap.epsilon = "1";
    house.analysts[1].cap.delta = "+1";
    assert_fails(public_open(), DITHER_INVALID, "the cap of an analyst, delta");
    house.analysts[1].cap.delta = NULL;
    house.analysts[1].groups = NULL;
    assert_fails(public_open(), DITHER_INVALID, "an analyst's groups");
    assert_int_equal(dither_ledger_open(NULL, &good, NULL, &house.ledger, &house.why), DITHER_INVALID);
    assert_int_equal(dither_ledger_open("", &good, NULL, &house.ledger, &house.why), DITHER_INVALID);
    assert_int_equal(dither_ledger_open(house.file, NULL, NULL, &house.ledger, NULL), DITHER_INVALID);
}

/* The first allocation of each call is the one that copies what was given; the inner ones have test_faults.c. */
static void without_memory_a_call_fails_and_can_be_made_again(void **state)
{
    (void)state;
    dither_reservation *reservation = NULL;
    const dither_bytes bytes = {"42", 2};
    memory_fail_at(1);
    assert_int_equal(public_open(), DITHER_NO_MEMORY);
    assert_null(house.ledger);
    assert_ok(public_open());
    memory_fail_at(1);
    assert_int_equal(public_reserve("alice", NULL, public_release("a", "0.5"), &reservation),
                     DITHER_NO_MEMORY);
    assert_null(reservation);
    assert_string_equal(public_left("alice", NULL), "3");
    assert_ok(public_reserve("alice", NULL, public_release("a", "0.5"), &reservation));
    memory_fail_at(1);
    assert_int_equal(dither_ledger_settle(house.ledger, reservation, &bytes, 1, bytes, &house.why),
                     DITHER_NO_MEMORY);
    assert_ok(dither_ledger_settle(house.ledger, reservation, &bytes, 1, bytes, &house.why));
    dither_reservation_free(reservation);
    assert_string_equal(public_left("alice", NULL), "2.5");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, public_ledger_setup, public_ledger_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(settling_wrongly_is_refused_and_can_be_mended),
        TEST(bad_questions_are_refused_without_a_charge),
        TEST(bad_configurations_are_refused),
        TEST(without_memory_a_call_fails_and_can_be_made_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
