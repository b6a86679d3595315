/* Every allocation, write, sync and open fails once, in turn, while a ledger is made, used, closed, opened
 * and used again under the real SQLite. Each time: what failed says so; a handle that failed gives nothing
 * more; no answer was given out whose record is not there afterwards; the ledger opens again, its chain
 * holds, and its sum is that of its entries. The test prints how many points it hit and fails when they
 * become fewer than the numbers below, which were counted on SQLite 3.40 and lowered by a third. */
#include "tests/ledger/faults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "ledger/history.h"
#include "tests/support/ledger.h"
#include "tests/support/test.h"

static const unsigned long fewest[FAULT_KINDS] = {
    [FAULT_ALLOCATION] = 1270, [FAULT_WRITE] = 65, [FAULT_SYNC] = 24, [FAULT_OPEN] = 48};
static const char *const names[FAULT_KINDS] = {
    [FAULT_ALLOCATION] = "allocation", [FAULT_WRITE] = "write", [FAULT_SYNC] = "sync", [FAULT_OPEN] = "open"};

enum { QUESTIONS = 2 }; /* in each of two rounds */

/* What clients saw. */
struct seen {
    int granted, answered;
    bool answers[2 * QUESTIONS];
    bool failed; /* some step failed */
};

static struct ledger_release release_number(int number, char key[24])
{
    snprintf(key, 24, "release %d", number);
    return release(key, "0.25");
}

/* One question; `spent` says that the handle has failed before, so that this must not work. */
static bool ask(struct ledger_fixture *fixture, int number, bool spent, struct seen *seen)
{
    char key[24];
    struct ledger_release one = release_number(number, key);
    struct ledger_question question = {
        .analyst = "carol", .request = key, .text = key, .releases = &one, .release_count = 1};
    struct ledger_reservation *reservation = NULL;
    struct ledger_bytes answer = {key, strlen(key)};
    fixture->why.message[0] = '\0';
    status result = ledger_reserve(fixture->ledger, &question, &reservation, &fixture->why);
    seen->granted += result == DITHER_OK;
    assert_false(spent && result == DITHER_OK);
    if (result == DITHER_OK) {
        result = ledger_settle(fixture->ledger, reservation, &answer, answer, &fixture->why);
        seen->answered += result == DITHER_OK;
        seen->answers[number] = result == DITHER_OK;
    }
    ledger_reservation_free(reservation);
    if (result != DITHER_OK)
        assert_true(fixture->why.message[0] != '\0');
    return result == DITHER_OK;
}

/* Opens, asks, closes. */
static void round_of_questions(struct ledger_fixture *fixture, int first, struct seen *seen)
{
    bool spent = false;
    fixture->why.message[0] = '\0';
    if (fixture_try_open(fixture) != DITHER_OK) {
        seen->failed = true;
        assert_true(fixture->why.message[0] != '\0');
        return;
    }
    for (int i = 0; i < QUESTIONS; i++)
        if (!ask(fixture, first + i, spent, seen))
            spent = fixture->why.status == DITHER_IO;
    seen->failed = seen->failed || spent;
    fixture_close(fixture);
}

static void check_answer(struct ledger_fixture *fixture, int number)
{
    char key[24];
    struct ledger_release one = release_number(number, key);
    struct ledger_question question = {
        .analyst = "carol", .request = key, .text = key, .releases = &one, .release_count = 1};
    struct ledger_reservation *reservation = NULL;
    struct ledger_bytes answer;
    assert_ok(fixture, ledger_reserve(fixture->ledger, &question, &reservation, &fixture->why));
    assert_true(ledger_reservation_answer(reservation, &answer));
    assert_int_equal(answer.size, strlen(key));
    assert_memory_equal(answer.data, key, answer.size);
    ledger_reservation_free(reservation);
}

/* With everything working again: what was seen is recorded, and what is recorded adds up. */
static void check_after(struct ledger_fixture *fixture, const struct seen *seen)
{
    struct history_verdict verdict;
    struct history *history;
    fixture_open(fixture);
    for (int i = 0; i < 2 * QUESTIONS; i++)
        if (seen->answers[i])
            check_answer(fixture, i);
    fixture_close(fixture);
    assert_ok(fixture, history_verify(fixture->file, NULL, fixture->state, &verdict, &fixture->why));
    if (!verdict.sound)
        fail_msg("entry %lu: %s", (unsigned long)verdict.broken, verdict.reason);
    assert_ok(fixture, history_open(fixture->file, NULL, fixture->state, &history, &fixture->why));
    const struct state *state = history_state(history);
    struct decimal sum;
    assert_true(decimal_multiply(decimal("0.25"), state->reservation_count, &sum));
    assert_int_equal(decimal_compare(history_sum(history, HOLDER_DATASET_PLACE).lifetime.epsilon, sum), 0);
    assert_true(state->reservation_count >= (size_t)seen->granted);
    history_close(history);
}

/* One life of a ledger with one fault; false when the fault was not reached. */
static bool live_with_fault(struct ledger_fixture *fixture, enum fault_kind kind, unsigned long n,
                            bool for_good)
{
    struct seen seen = {0};
    fixture_clear(fixture);
    faults_arm(kind, n, for_good);
    round_of_questions(fixture, 0, &seen);
    round_of_questions(fixture, QUESTIONS, &seen);
    bool hit = faults_disarm();
    check_after(fixture, &seen);
    if (!hit)
        assert_int_equal(seen.answered, 2 * QUESTIONS);
    return hit;
}

static void fail_each(enum fault_kind kind)
{
    static struct ledger_fixture fixture;
    unsigned long n = 1;
    fixture_init_in_memory(&fixture);
    while (live_with_fault(&fixture, kind, n, false))
        n++;
    fixture_free(&fixture);
    print_message("%lu points of failure: %s\n", n - 1, names[kind]);
    assert_true(n - 1 >= fewest[kind]);
}

static void every_write_may_fail(void **state)
{
    (void)state;
    fail_each(FAULT_WRITE);
}

static void every_sync_may_fail(void **state)
{
    (void)state;
    fail_each(FAULT_SYNC);
}

static void every_open_may_fail(void **state)
{
    (void)state;
    fail_each(FAULT_OPEN);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    fail_each(FAULT_ALLOCATION);
}

/* From some moment on, for good: a disk that is full, a device that no longer syncs. */
static void a_disk_may_fill_up_and_a_device_may_die_at_any_moment(void **state)
{
    (void)state;
    static struct ledger_fixture fixture;
    fixture_init_in_memory(&fixture);
    unsigned long n = 1;
    while (live_with_fault(&fixture, FAULT_WRITE, n, true))
        n++;
    for (n = 1; live_with_fault(&fixture, FAULT_SYNC, n, true);)
        n++;
    fixture_free(&fixture);
}

static void after_a_failed_sync_the_handle_gives_no_further_answers(void **state)
{
    (void)state;
    static struct ledger_fixture fixture;
    fixture_init_in_memory(&fixture);
    fixture_open(&fixture);
    assert_ok(&fixture, fixture_ask(&fixture, "carol", release("a", "0.25"), "1"));
    faults_arm(FAULT_SYNC, 1, false);
    status result = fixture_reserve(&fixture, "carol", release("b", "0.25"), NULL);
    assert_true(faults_disarm());
    assert_int_equal(result, DITHER_IO);
    for (int i = 0; i < 3; i++) /* even what is stored */
        assert_int_equal(fixture_reserve(&fixture, "carol", release("a", "0.25"), NULL), DITHER_IO);
    assert_non_null(strstr(fixture.why.message, "open it again"));
    fixture_open(&fixture);
    assert_ok(&fixture, fixture_reserve(&fixture, "carol", release("a", "0.25"), NULL));
    fixture_free(&fixture);
}

static void nothing_is_unsynced_when_a_charge_or_an_answer_is_confirmed(void **state)
{
    (void)state;
    static struct ledger_fixture fixture;
    struct ledger_reservation *reservation;
    struct ledger_bytes bytes = {"1042", 4};
    fixture_init_in_memory(&fixture);
    fixture_open(&fixture);
    for (int i = 0; i < 5; i++) {
        char key[24];
        struct ledger_release one = release_number(i, key);
        assert_ok(&fixture, fixture_reserve(&fixture, "carol", one, &reservation));
        assert_int_equal(faults_unsynced(), 0);
        assert_ok(&fixture, ledger_settle(fixture.ledger, reservation, &bytes, bytes, &fixture.why));
        assert_int_equal(faults_unsynced(), 0);
        ledger_reservation_free(reservation);
    }
    fixture_free(&fixture);
}

static void the_watch_sees_what_is_not_synced(void **state)
{
    (void)state;
    char path[] = "/tmp/dither-watch-XXXXXX";
    assert_true(mkstemp(path) >= 0);
    int file = open(path, O_WRONLY);
    assert_int_equal(faults_unsynced(), 0);
    assert_int_equal(write(file, "x", 1), 1);
    assert_int_equal(faults_unsynced(), 1);
    assert_int_equal(fsync(file), 0);
    assert_int_equal(faults_unsynced(), 0);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_watch_sees_what_is_not_synced),
        cmocka_unit_test(nothing_is_unsynced_when_a_charge_or_an_answer_is_confirmed),
        cmocka_unit_test(after_a_failed_sync_the_handle_gives_no_further_answers),
        cmocka_unit_test(every_write_may_fail),
        cmocka_unit_test(every_sync_may_fail),
        cmocka_unit_test(every_open_may_fail),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_disk_may_fill_up_and_a_device_may_die_at_any_moment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
