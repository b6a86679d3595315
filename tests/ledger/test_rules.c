/* SOUNDNESS, section 7, sentence by sentence, on a small policy: what is charged, to whom, and when it is
 * refused. Expected figures are sums done by hand. */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

static void a_reservation_is_on_disk_before_it_is_granted(void **state)
{
    struct ledger_fixture *fixture = *state;
    fixture_open(fixture);
    assert_ok(fixture, fixture_reserve(fixture, "alice", release("a", "0.5"), NULL));
    fixture_open(fixture); /* what another process would see */
    assert_string_equal(fixture_left(fixture, NULL), "epsilon 9.5");
    assert_string_equal(fixture_left(fixture, "alice"), "epsilon 2.5");
}

static void a_reservation_that_was_never_settled_stays_spent(void **state)
{
    struct ledger_fixture *fixture = *state;
    fixture->config.total = epsilon("1");
    fixture_open(fixture);
    assert_ok(fixture, fixture_reserve(fixture, "alice", release("a", "0.6"), NULL));
    assert_refused(fixture, fixture_reserve(fixture, "alice", release("a", "0.6"), NULL),
                   "the dataset's total");
    fixture_open(fixture);
    assert_refused(fixture, fixture_reserve(fixture, NULL, release("b", "0.5"), NULL), "the dataset's total");
    assert_ok(fixture, fixture_reserve(fixture, NULL, release("b", "0.4"), NULL));
    assert_string_equal(fixture_left(fixture, NULL), "epsilon 0");
}

/* A question with a request id; the settings may be NULL. */
static status request(struct ledger_fixture *fixture, const char *analyst, const char *id, const char *text,
                      const char *settings, struct ledger_reservation **out)
{
    struct ledger_release one = release("count of patients", "0.5");
    struct ledger_question question = {.analyst = analyst,
                                       .request = id,
                                       .text = text,
                                       .settings = settings,
                                       .releases = &one,
                                       .release_count = 1};
    return ledger_reserve(fixture->ledger, &question, out, &fixture->why);
}

static void settle_request(struct ledger_fixture *fixture, struct ledger_reservation *reservation,
                           const char *answer)
{
    struct ledger_bytes bytes = {answer, strlen(answer)};
    assert_ok(fixture, ledger_settle(fixture->ledger, reservation, &bytes, bytes, &fixture->why));
    ledger_reservation_free(reservation);
}

static void a_retry_returns_the_stored_answer_and_pays_once(void **state)
{
    struct ledger_fixture *fixture = *state;
    struct ledger_reservation *reservation;
    struct ledger_bytes answer;
    fixture_open(fixture);
    assert_ok(fixture, request(fixture, "alice", "r1", "SELECT 1", "epsilon=0.5", &reservation));
    assert_false(ledger_reservation_answer(reservation, &answer));
    settle_request(fixture, reservation, "{\"rows\":[[1042]]}");
    fixture_open(fixture);
    for (int i = 0; i < 3; i++) {
        assert_ok(fixture, request(fixture, "alice", "r1", "SELECT 1", "epsilon=0.5", &reservation));
        assert_true(ledger_reservation_answer(reservation, &answer));
        assert_int_equal(answer.size, 17);
        assert_memory_equal(answer.data, "{\"rows\":[[1042]]}", 17);
        assert_true(ledger_cost_is_zero(ledger_reservation_cost(reservation)));
        ledger_reservation_free(reservation);
    }
    assert_string_equal(fixture_left(fixture, "alice"), "epsilon 2.5");
}

static void a_retry_of_what_was_not_settled_is_refused_and_its_charge_stays(void **state)
{
    struct ledger_fixture *fixture = *state;
    struct ledger_reservation *reservation;
    fixture_open(fixture);
    assert_ok(fixture, request(fixture, "alice", "r1", "SELECT 1", NULL, &reservation));
    ledger_reservation_free(reservation); /* the curator died here */
    fixture_open(fixture);
    assert_refused(fixture, request(fixture, "alice", "r1", "SELECT 1", NULL, &reservation),
                   "never answered");
    assert_string_equal(fixture_left(fixture, "alice"), "epsilon 2.5");
    assert_ok(fixture, request(fixture, "alice", "r2", "SELECT 1", NULL, &reservation));
    ledger_reservation_free(reservation);
    assert_string_equal(fixture_left(fixture, "alice"), "epsilon 2");
}

static void a_request_id_belongs_to_one_analyst_one_text_and_its_settings(void **state)
{
    struct ledger_fixture *fixture = *state;
    struct ledger_reservation *reservation;
    fixture_open(fixture);
    assert_ok(fixture, request(fixture, "alice", "r1", "SELECT 1", "epsilon=0.5", &reservation));
    settle_request(fixture, reservation, "1042");
    const char *words = "belongs to another question, analyst or setting";
    assert_refused(fixture, request(fixture, "carol", "r1", "SELECT 1", "epsilon=0.5", &reservation), words);
    assert_refused(fixture, request(fixture, NULL, "r1", "SELECT 1", "epsilon=0.5", &reservation), words);
    assert_refused(fixture, request(fixture, "alice", "r1", "SELECT 2", "epsilon=0.5", &reservation), words);
    assert_refused(fixture, request(fixture, "alice", "r1", "SELECT 1", "epsilon=0.7", &reservation), words);
    assert_refused(fixture, request(fixture, "alice", "r1", "SELECT 1", NULL, &reservation), words);
}

/* Asks and checks what the analyst and the curator are told. */
static void expect_release(struct ledger_fixture *fixture, const char *analyst, struct ledger_release one,
                           const char *stored, bool cached)
{
    struct ledger_reservation *reservation = NULL;
    struct ledger_bytes result;
    assert_ok(fixture, fixture_reserve(fixture, analyst, one, &reservation));
    assert_int_equal(ledger_reservation_stored(reservation, 0, &result), stored != NULL);
    assert_int_equal(ledger_reservation_cached(reservation, 0), cached);
    if (stored != NULL) {
        assert_int_equal(result.size, strlen(stored));
        assert_memory_equal(result.data, stored, result.size);
    }
    struct ledger_bytes drawn = {"fresh", 5};
    assert_ok(fixture, ledger_settle(fixture->ledger, reservation, &drawn, drawn, &fixture->why));
    ledger_reservation_free(reservation);
}

static void a_stored_release_costs_the_dataset_nothing_and_is_identical(void **state)
{
    struct ledger_fixture *fixture = *state;
    fixture->config.total = epsilon("1");
    fixture_open(fixture);
    assert_ok(fixture, fixture_ask(fixture, "alice", release("count", "0.6"), "1042"));
    for (int i = 0; i < 4; i++)
        expect_release(fixture, "alice", release("count", "0.6"), "1042", true);
    assert_string_equal(fixture_left(fixture, NULL), "epsilon 0.4");
    assert_string_equal(fixture_left(fixture, "alice"), "epsilon 0.4"); /* 3 - 0.6 is more */
}

static void who_sees_a_stored_release_first_is_charged_on_his_own_cap_and_his_groups(void **state)
{
    struct ledger_fixture *fixture = *state;
    fixture_open(fixture);
    assert_ok(fixture, fixture_ask(fixture, "alice", release("count", "0.6"), "1042"));
    expect_release(fixture, "bob", release("count", "0.6"), "1042",
                   false);                                            /* not cached: he was not charged */
    assert_string_equal(fixture_left(fixture, "bob"), "epsilon 0.4"); /* the interns have 1 */
    expect_release(fixture, "bob", release("count", "0.6"), "1042", true);
    assert_string_equal(fixture_left(fixture, "bob"), "epsilon 0.4");
    assert_refused(fixture, fixture_reserve(fixture, "bob", release("another", "0.5"), NULL),
                   "the cap of group interns");
    assert_string_equal(fixture_left(fixture, NULL), "epsilon 9.4");
}

static void a_stored_release_is_refused_to_whose_own_cap_is_reached(void **state)
{
    struct ledger_fixture *fixture = *state;
    fixture_open(fixture);
    assert_ok(fixture, fixture_ask(fixture, "carol", release("count", "2"), "1042"));
    assert_ok(fixture, fixture_ask(fixture, "alice", release("other", "2"), "7"));
    assert_refused(fixture, fixture_reserve(fixture, "alice", release("count", "2"), NULL),
                   "the cap of alice");
}

static void cached_does_not_tell_what_others_asked_while_ones_own_question_died(void **state)
{
    struct ledger_fixture *fixture = *state;
    fixture_open(fixture);
    assert_ok(fixture, fixture_reserve(fixture, "alice", release("count", "0.5"), NULL)); /* died */
    assert_ok(fixture, fixture_ask(fixture, "carol", release("count", "0.5"), "1042"));
    assert_ok(fixture,
              fixture_reserve(fixture, "alice", release("count", "0.5"), NULL)); /* stored; died again */
    expect_release(fixture, "alice", release("count", "0.5"), "1042", false);
    assert_string_equal(fixture_left(fixture, "alice"),
                        "epsilon 1.5"); /* she paid three times, as if alone */
    expect_release(fixture, "alice", release("count", "0.5"), "1042", true);
}

static void another_cost_another_version_or_other_blocks_are_another_release(void **state)
{
    struct ledger_fixture *fixture = *state;
    size_t north = NORTH;
    struct ledger_release confined = release("count", "0.5");
    confined.blocks = &north;
    confined.block_count = 1;
    fixture_open(fixture);
    assert_ok(fixture, fixture_ask(fixture, "alice", release("count", "0.5"), "1042"));
    expect_release(fixture, "alice", release("count", "0.25"), NULL, false);
    expect_release(fixture, "alice", confined, NULL, false);
    expect_release(fixture, "alice", release("count", "0.5"), "1042", true);
    fixture->config.data_version = 2;
    fixture_open(fixture);
    expect_release(fixture, "alice", release("count", "0.5"), NULL, false);
}

static void of_two_draws_at_once_each_analyst_keeps_the_one_he_saw(void **state)
{
    struct ledger_fixture *fixture = *state;
    struct ledger_reservation *alice, *carol;
    struct ledger_bytes first = {"1042", 4}, second = {"1037", 4};
    fixture_open(fixture);
    assert_ok(fixture, fixture_reserve(fixture, "alice", release("count", "0.5"), &alice));
    assert_ok(fixture, fixture_reserve(fixture, "carol", release("count", "0.5"), &carol));
    assert_ok(fixture, ledger_settle(fixture->ledger, carol, &first, first, &fixture->why));
    assert_ok(fixture, ledger_settle(fixture->ledger, alice, &second, second, &fixture->why));
    ledger_reservation_free(alice);
    ledger_reservation_free(carol);
    expect_release(fixture, "alice", release("count", "0.5"), "1037", true);
    expect_release(fixture, "carol", release("count", "0.5"), "1042", true);
    expect_release(fixture, "bob", release("count", "0.5"), "1042", false);
}

static void the_total_counts_everybody(void **state)
{
    struct ledger_fixture *fixture = *state;
    fixture->config.total = epsilon("4"); /* less than the caps together */
    fixture_open(fixture);
    assert_ok(fixture, fixture_reserve(fixture, "alice", release("a", "3"), NULL));
    assert_ok(fixture, fixture_reserve(fixture, "bob", release("b", "0.5"), NULL));
    assert_refused(fixture, fixture_reserve(fixture, "carol", release("c", "1"), NULL),
                   "the dataset's total");
    assert_ok(fixture, fixture_reserve(fixture, "carol", release("c", "0.5"), NULL));
    assert_refused(fixture, fixture_reserve(fixture, NULL, release("d", "0.000000001"), NULL),
                   "the dataset's total");
}

static void caps_hold_for_the_analyst_the_group_and_the_question(void **state)
{
    struct ledger_fixture *fixture = *state;
    fixture_open(fixture);
    assert_refused(fixture, fixture_reserve(fixture, "alice", release("a", "3.1"), NULL), "the cap of alice");
    assert_refused(fixture, fixture_reserve(fixture, "bob", release("a", "1.1"), NULL),
                   "the cap of group interns");
    assert_refused(fixture, fixture_reserve(fixture, "carol", release("a", "5.1"), NULL),
                   "the maximum for one question");
    assert_refused(fixture, fixture_reserve(fixture, "dave", release("a", "0.1"), NULL),
                   "names no analyst dave");
    assert_ok(fixture, fixture_reserve(fixture, "alice", release("a", "3"), NULL));
    assert_ok(fixture, fixture_reserve(fixture, "bob", release("b", "1"), NULL));
    assert_ok(fixture, fixture_reserve(fixture, "carol", release("c", "5"), NULL));
}

static void a_refusal_says_what_is_left_whose_limit_and_what_would_fit(void **state)
{
    struct ledger_fixture *fixture = *state;
    fixture_open(fixture);
    assert_ok(fixture, fixture_reserve(fixture, "alice", release("a", "2.6"), NULL));
    assert_int_equal(fixture_reserve(fixture, "alice", release("b", "0.5"), NULL), DITHER_REFUSED);
    assert_string_equal(
        fixture->why.message,
        "the cap of alice is reached on block north: epsilon 0.4 is left of epsilon 3, and the "
        "question costs epsilon 0.5; epsilon 0.4 would still fit");
    assert_ok(fixture, fixture_reserve(fixture, "alice", release("b", "0.4"), NULL));
}

static void the_releases_of_a_question_are_charged_together_or_not_at_all(void **state)
{
    struct ledger_fixture *fixture = *state;
    struct ledger_release three[] = {release("a", "1"), release("b", "1"), release("c", "1.5")};
    struct ledger_question question = {
        .analyst = "alice", .text = "SELECT", .releases = three, .release_count = 3};
    struct ledger_reservation *reservation;
    fixture_open(fixture);
    assert_refused(fixture, ledger_reserve(fixture->ledger, &question, &reservation, &fixture->why),
                   "epsilon 3.5");
    assert_string_equal(fixture_left(fixture, "alice"), "epsilon 3");
    three[2] = release("c", "1");
    assert_ok(fixture, ledger_reserve(fixture->ledger, &question, &reservation, &fixture->why));
    ledger_reservation_free(reservation);
    assert_string_equal(fixture_left(fixture, "alice"), "epsilon 0");
    three[2] = release("a", "1");
    assert_int_equal(ledger_reserve(fixture->ledger, &question, &reservation, &fixture->why), DITHER_INVALID);
}

static void a_question_about_public_tables_alone_costs_nothing(void **state)
{
    struct ledger_fixture *fixture = *state;
    struct ledger_question question = {
        .analyst = "alice", .request = "r1", .text = "SELECT name FROM clinics"};
    struct ledger_reservation *reservation;
    struct ledger_bytes answer = {"clinic", 6};
    fixture_open(fixture);
    assert_ok(fixture, ledger_reserve(fixture->ledger, &question, &reservation, &fixture->why));
    assert_ok(fixture, ledger_settle(fixture->ledger, reservation, NULL, answer, &fixture->why));
    assert_int_equal(ledger_settle(fixture->ledger, reservation, NULL, answer, &fixture->why),
                     DITHER_INVALID);
    ledger_reservation_free(reservation);
    assert_string_equal(fixture_left(fixture, "alice"), "epsilon 3");
}

static void a_question_that_is_too_large_is_refused_and_spoils_nothing(void **state)
{
    struct ledger_fixture *fixture = *state;
    static char text[LEDGER_TEXT_BYTES + 2];
    static struct ledger_release many[LEDGER_MOST_RELEASES + 1];
    memset(text, 'x', LEDGER_TEXT_BYTES + 1);
    struct ledger_question question = {.analyst = "alice", .text = text};
    struct ledger_reservation *reservation;
    fixture_open(fixture);
    assert_int_equal(ledger_reserve(fixture->ledger, &question, &reservation, &fixture->why), DITHER_INVALID);
    question.text = "SELECT";
    question.releases = many;
    question.release_count = LEDGER_MOST_RELEASES + 1;
    assert_int_equal(ledger_reserve(fixture->ledger, &question, &reservation, &fixture->why), DITHER_INVALID);
    assert_ok(fixture, fixture_ask(fixture, "alice", release("a", "0.5"), "1"));
}

static void pure_epsilon_refuses_delta(void **state)
{
    struct ledger_fixture *fixture = *state;
    struct ledger_release one = release("a", "0.1");
    one.cost.delta = decimal("1e-9");
    fixture_open(fixture);
    assert_refused(fixture, fixture_reserve(fixture, "alice", one, NULL), "pure epsilon");
}

static void epsilon_and_delta_are_both_limits(void **state)
{
    struct ledger_fixture *fixture = *state;
    struct ledger_release one = release("a", "0.1");
    fixture->config.currency = LEDGER_APPROXIMATE;
    fixture->config.total.delta = decimal("1e-6");
    fixture_open(fixture);
    one.cost.delta = decimal("6e-7");
    assert_ok(fixture, fixture_reserve(fixture, "alice", one, NULL));
    one.key = "b";
    assert_refused(fixture, fixture_reserve(fixture, "alice", one, NULL), "delta 0.0000004 would still fit");
    one.cost.delta = decimal("4e-7");
    assert_ok(fixture, fixture_reserve(fixture, "alice", one, NULL));
    assert_string_equal(fixture_left(fixture, "alice"), "epsilon 2.8, delta 0");
}

static void zcdp_counts_rho_and_keeps_a_total_of_delta_apart(void **state)
{
    struct ledger_fixture *fixture = *state;
    struct ledger_release one = release("a", "0");
    fixture->config.currency = LEDGER_CONCENTRATED;
    fixture->config.total = (struct ledger_cost){.rho = decimal("0.5"), .delta = decimal("1e-6")};
    fixture_open(fixture);
    one.cost.rho = decimal("0.5");
    assert_ok(fixture, fixture_reserve(fixture, "alice", one, NULL));
    one.cost = (struct ledger_cost){.delta = decimal("1e-6")};
    assert_ok(fixture, fixture_reserve(fixture, "alice", one, NULL));
    assert_refused(fixture, fixture_reserve(fixture, "carol", one, NULL), "rho 0, delta 0 would still fit");
    one.cost = epsilon("0.1");
    assert_int_equal(fixture_reserve(fixture, "carol", one, NULL), DITHER_INVALID);
}

static void a_stopped_analyst_gets_nothing_until_the_owner_lifts_it(void **state)
{
    struct ledger_fixture *fixture = *state;
    struct ledger_reservation *reservation;
    fixture_open(fixture);
    assert_ok(fixture, request(fixture, "alice", "r1", "SELECT 1", NULL, &reservation));
    assert_ok(fixture, ledger_stop(fixture->ledger, "alice", "the engine failed", &fixture->why));
    ledger_reservation_free(reservation);
    fixture_open(fixture);
    assert_refused(fixture, fixture_reserve(fixture, "alice", release("b", "0.1"), NULL), "alice is stopped");
    assert_refused(fixture, request(fixture, "alice", "r1", "SELECT 1", NULL, &reservation),
                   "alice is stopped");
    assert_ok(fixture, fixture_reserve(fixture, "carol", release("b", "0.1"), NULL));
    assert_ok(fixture, ledger_lift(fixture->ledger, "alice", &fixture->why));
    fixture_open(fixture);
    assert_ok(fixture, fixture_reserve(fixture, "alice", release("c", "0.1"), NULL));
    assert_string_equal(fixture_left(fixture, "alice"),
                        "epsilon 2.4"); /* the failed question's charge stayed */
}

static void lifting_whom_nothing_stops_is_refused(void **state)
{
    struct ledger_fixture *fixture = *state;
    fixture_open(fixture);
    assert_ok(fixture, ledger_stop(fixture->ledger, "alice", "the engine failed", &fixture->why));
    assert_refused(fixture, ledger_lift(fixture->ledger, "alcie", &fixture->why), "alcie is not stopped");
    assert_refused(fixture, ledger_lift(fixture->ledger, "bob", &fixture->why), "bob is not stopped");
    assert_refused(fixture, ledger_lift(fixture->ledger, NULL, &fixture->why), "the owner is not stopped");
    assert_ok(fixture, ledger_lift(fixture->ledger, "alice", &fixture->why));
    assert_ok(fixture, fixture_reserve(fixture, "alice", release("c", "0.1"), NULL));
}

/* carol asks for two releases at once; whether somebody else has asked for one of them before must not show.
 */
static void refuse_two(struct ledger_fixture *fixture, const char *key)
{
    struct ledger_reservation *reservation = NULL;
    struct ledger_release two[] = {release(key, "0.5"), release("new", "0.5")};
    struct ledger_question question = {
        .analyst = "carol", .text = "SELECT 1", .releases = two, .release_count = 2};
    assert_refused(fixture, ledger_reserve(fixture->ledger, &question, &reservation, &fixture->why),
                   "the dataset's total is reached");
}

static void a_refusal_does_not_tell_what_others_asked(void **state)
{
    struct ledger_fixture *fixture = *state;
    char about_stored[sizeof fixture->why.message];
    fixture_open(fixture);
    assert_ok(fixture, fixture_ask(fixture, "alice", release("alice's", "0.5"), "x"));
    assert_ok(fixture, fixture_ask(fixture, NULL, release("a", "5"), "x"));
    assert_ok(fixture, fixture_ask(fixture, NULL, release("b", "4.25"), "x"));
    refuse_two(fixture, "alice's");
    strcpy(about_stored, fixture->why.message);
    refuse_two(fixture, "nobody's");
    assert_string_equal(fixture->why.message, about_stored);
    assert_non_null(strstr(about_stored, "the question costs epsilon 1;"));
}

static void a_handle_whose_policy_is_no_longer_in_force_is_refused(void **state)
{
    struct ledger_fixture *fixture = *state;
    struct ledger *other = NULL;
    fixture_open(fixture);
    struct ledger_config lower = fixture->config;
    lower.total = epsilon("1");
    assert_ok(fixture, ledger_open(fixture->file, &lower, &fixture->options, &other, &fixture->why));
    assert_refused(fixture, fixture_reserve(fixture, NULL, release("a", "2"), NULL), "policy was changed");
    ledger_close(other);
}

static void a_ledger_is_not_used_across_fork(void **state)
{
    struct ledger_fixture *fixture = *state;
    fixture_open(fixture);
    struct ledger *inherited = fixture->ledger;
    pid_t child = fork();
    if (child == 0)
        _exit(fixture_reserve(fixture, NULL, release("a", "1"), NULL) == DITHER_INVALID ? 0 : 1);
    int outcome;
    assert_int_equal(waitpid(child, &outcome, 0), child);
    assert_int_equal(outcome, 0);
    assert_ptr_equal(fixture->ledger, inherited);
}

#define rule(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        rule(a_reservation_is_on_disk_before_it_is_granted),
        rule(a_reservation_that_was_never_settled_stays_spent),
        rule(a_retry_returns_the_stored_answer_and_pays_once),
        rule(a_retry_of_what_was_not_settled_is_refused_and_its_charge_stays),
        rule(a_request_id_belongs_to_one_analyst_one_text_and_its_settings),
        rule(a_stored_release_costs_the_dataset_nothing_and_is_identical),
        rule(who_sees_a_stored_release_first_is_charged_on_his_own_cap_and_his_groups),
        rule(a_stored_release_is_refused_to_whose_own_cap_is_reached),
        rule(cached_does_not_tell_what_others_asked_while_ones_own_question_died),
        rule(another_cost_another_version_or_other_blocks_are_another_release),
        rule(of_two_draws_at_once_each_analyst_keeps_the_one_he_saw),
        rule(the_total_counts_everybody),
        rule(caps_hold_for_the_analyst_the_group_and_the_question),
        rule(a_refusal_says_what_is_left_whose_limit_and_what_would_fit),
        rule(the_releases_of_a_question_are_charged_together_or_not_at_all),
        rule(a_question_about_public_tables_alone_costs_nothing),
        rule(a_question_that_is_too_large_is_refused_and_spoils_nothing),
        rule(pure_epsilon_refuses_delta),
        rule(epsilon_and_delta_are_both_limits),
        rule(zcdp_counts_rho_and_keeps_a_total_of_delta_apart),
        rule(a_stopped_analyst_gets_nothing_until_the_owner_lifts_it),
        rule(lifting_whom_nothing_stops_is_refused),
        rule(a_refusal_does_not_tell_what_others_asked),
        rule(a_handle_whose_policy_is_no_longer_in_force_is_refused),
        rule(a_ledger_is_not_used_across_fork),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
