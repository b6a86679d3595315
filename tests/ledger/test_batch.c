/* One handle, several threads. A first work holds the ledger until all the others stand in line, so that they make one
 * batch, whichever way the threads run: it is one transaction with the syncs of one; each is checked with the earlier
 * ones in it; a refusal concerns nobody else; whatever write, sync, open or allocation of it fails, all of it fails, the
 * handle is spent, and on disk is all of it or nothing. And the look without a transaction: it says what the long way
 * says, and nothing when it cannot know. */
#include "tests/ledger/faults.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "ledger/handle.h"
#include "ledger/history.h"
#include "tests/support/ledger.h"
#include "tests/support/test.h"

enum { THREADS = 6 };

/* ---- A batch that is made on purpose ---- */

static pthread_mutex_t gate_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t gate = PTHREAD_COND_INITIALIZER;
static bool holding, gate_open;

static status hold(struct ledger *ledger, void *context, error *why)
{
    (void)ledger, (void)context, (void)why;
    pthread_mutex_lock(&gate_lock);
    holding = true;
    pthread_cond_broadcast(&gate);
    while (!gate_open)
        pthread_cond_wait(&gate, &gate_lock);
    pthread_mutex_unlock(&gate_lock);
    return DITHER_OK;
}

static void *hold_the_ledger(void *context)
{
    error why;
    assert_int_equal(batch_do(context, hold, NULL, &why), DITHER_OK);
    return NULL;
}

struct asker {
    struct ledger *ledger;
    int number;
    const char *analyst, *cost;
    status result;
    error why;
    struct ledger_reservation *reservation;
    pthread_t thread;
};

static void *reserve_one(void *context)
{
    struct asker *asker = context;
    char key[24];
    snprintf(key, sizeof key, "release %d", asker->number);
    struct ledger_release one = release(key, asker->cost);
    struct ledger_question question = {
        .analyst = asker->analyst, .request = key, .text = key, .releases = &one, .release_count = 1};
    asker->result = ledger_reserve(asker->ledger, &question, &asker->reservation, &asker->why);
    return NULL;
}

static void *settle_one(void *context)
{
    struct asker *asker = context;
    struct ledger_bytes bytes = {"1042", 4};
    asker->result = ledger_settle(asker->ledger, asker->reservation, &bytes, bytes, &asker->why);
    return NULL;
}

static void wait_in_line(struct ledger *ledger, size_t count)
{
    struct batch *batch = &ledger->batch;
    for (bool all = false; !all; usleep(100)) {
        pthread_mutex_lock(&batch->lock);
        all = batch->waiting == count;
        pthread_mutex_unlock(&batch->lock);
    }
}

/* All of them in one batch, in their order; with `kind`, its n-th call fails. Whether that was reached. */
static bool in_one_batch(struct asker *askers, size_t count, void *(*work)(void *), enum fault_kind kind,
                         unsigned long n)
{
    struct ledger *ledger = askers[0].ledger;
    pthread_t holder;
    holding = gate_open = false;
    assert_int_equal(pthread_create(&holder, NULL, hold_the_ledger, ledger), 0);
    pthread_mutex_lock(&gate_lock);
    while (!holding)
        pthread_cond_wait(&gate, &gate_lock);
    pthread_mutex_unlock(&gate_lock);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(pthread_create(&askers[i].thread, NULL, work, &askers[i]), 0);
        wait_in_line(ledger, i + 1);
    }
    faults_arm(kind, n, false);
    pthread_mutex_lock(&gate_lock);
    gate_open = true;
    pthread_cond_broadcast(&gate);
    pthread_mutex_unlock(&gate_lock);
    for (size_t i = 0; i < count; i++)
        pthread_join(askers[i].thread, NULL);
    bool hit = faults_disarm();
    pthread_join(holder, NULL);
    return hit;
}

static void make_askers(struct ledger_fixture *fixture, struct asker *askers, size_t count, int first)
{
    for (size_t i = 0; i < count; i++)
        askers[i] = (struct asker){
            .ledger = fixture->ledger, .number = first + (int)i, .analyst = "carol", .cost = "0.25"};
}

static void free_askers(struct asker *askers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ledger_reservation_free(askers[i].reservation);
}

static uint64_t entries_on_disk(struct ledger_fixture *fixture, struct decimal *spent)
{
    struct history *history = NULL;
    struct history_verdict verdict;
    assert_ok(fixture, history_verify(fixture->file, NULL, fixture->state, &verdict, &fixture->why));
    assert_true(verdict.sound);
    assert_ok(fixture, history_open(fixture->file, NULL, fixture->state, &history, &fixture->why));
    *spent = history_sum(history, HOLDER_DATASET_PLACE).lifetime.epsilon;
    history_close(history);
    return verdict.entries;
}

/* ---- What a batch is ---- */

static unsigned long syncs_of(struct ledger_fixture *fixture, size_t count, int first)
{
    struct asker askers[THREADS];
    make_askers(fixture, askers, count, first);
    const unsigned long many = 1000000;
    assert_false(in_one_batch(askers, count, reserve_one, FAULT_SYNC, many));
    unsigned long syncs = many - countdown;
    for (size_t i = 0; i < count; i++)
        assert_int_equal(askers[i].result, DITHER_OK);
    assert_int_equal(faults_unsynced(), 0);
    free_askers(askers, count);
    return syncs;
}

static void a_batch_is_one_transaction_with_the_syncs_of_one(void **state)
{
    (void)state;
    static struct ledger_fixture fixture;
    struct decimal spent;
    fixture_init_in_memory(&fixture);
    fixture_open(&fixture);
    unsigned long one = syncs_of(&fixture, 1, 0);
    assert_true(one >= 2); /* the log and the anchor */
    assert_int_equal(syncs_of(&fixture, THREADS, 1), one);
    assert_int_equal(entries_on_disk(&fixture, &spent), 2 + 1 + THREADS);
    assert_int_equal(decimal_compare(spent, decimal("1.75")), 0);
    fixture_free(&fixture);
}

static void each_is_checked_with_the_earlier_ones_in_it(void **state)
{
    (void)state;
    static struct ledger_fixture fixture;
    struct asker askers[THREADS];
    struct decimal spent;
    fixture_init_in_memory(&fixture);
    fixture.config.total = epsilon("1");
    fixture_open(&fixture);
    make_askers(&fixture, askers, THREADS, 0);
    askers[1].cost = "0.6"; /* 0.25 + 0.6: fits; then 0.15 is left */
    askers[2].analyst = "nobody";
    askers[4].cost = "0.1";
    askers[5].number = 0; /* the request id of the first, which is not settled */
    (void)in_one_batch(askers, THREADS, reserve_one, FAULT_NONE, 0);
    assert_int_equal(askers[0].result, DITHER_OK);
    assert_int_equal(askers[1].result, DITHER_OK);
    assert_int_equal(askers[2].result, DITHER_REFUSED);
    assert_non_null(strstr(askers[2].why.message, "names no analyst nobody"));
    assert_int_equal(askers[3].result, DITHER_REFUSED);
    assert_non_null(strstr(askers[3].why.message, "total is reached"));
    assert_int_equal(askers[4].result, DITHER_OK);
    assert_int_equal(askers[5].result, DITHER_REFUSED);
    assert_non_null(strstr(askers[5].why.message, "charged and never answered"));
    free_askers(askers, THREADS);
    assert_string_equal(fixture_left(&fixture, "carol"), "epsilon 0.05");
    assert_int_equal(entries_on_disk(&fixture, &spent), 2 + 3);
    fixture_free(&fixture);
}

/* ---- What fails, fails for all ---- */

static bool live_with_fault(struct ledger_fixture *fixture, enum fault_kind kind, unsigned long n,
                            void *(*work)(void *))
{
    struct asker askers[THREADS];
    struct decimal spent;
    bool settles = work == settle_one;
    fixture_clear(fixture);
    fixture_open(fixture);
    make_askers(fixture, askers, THREADS, 0);
    askers[3].analyst = settles ? "carol" : "nobody"; /* one that is refused */
    for (size_t i = 0; settles && i < THREADS; i++) {
        (void)reserve_one(&askers[i]);
        assert_int_equal(askers[i].result, DITHER_OK);
    }
    bool hit = in_one_batch(askers, THREADS, work, kind, n);
    bool granted = askers[0].result == DITHER_OK;
    for (size_t i = 0; i < THREADS; i++) {
        if (granted)
            assert_int_equal(askers[i].result, !settles && i == 3 ? DITHER_REFUSED : DITHER_OK);
        else
            assert_true(askers[i].result == DITHER_IO || askers[i].result == DITHER_NO_MEMORY ||
                        (askers[i].result == DITHER_REFUSED && hit));
        assert_true(askers[i].result == DITHER_OK || askers[i].why.message[0] != '\0');
    }
    assert_true(granted || hit);
    if (!granted) /* it is spent */
        assert_int_equal(fixture_reserve(fixture, "carol", release("later", "0.25"), NULL), DITHER_IO);
    free_askers(askers, THREADS);
    fixture_open(fixture);
    uint64_t before = settles ? 2 + THREADS : 2, more = settles ? THREADS : THREADS - 1;
    uint64_t entries = entries_on_disk(fixture, &spent);
    assert_true(entries == before + more || (!granted && entries == before));
    fixture_close(fixture);
    return hit;
}

static void whatever_fails_in_a_batch_fails_for_all_of_it(void **state)
{
    (void)state;
    static const struct {
        enum fault_kind kind;
        unsigned long step, fewest;
    } kinds[] = {{FAULT_WRITE, 1, 4}, {FAULT_SYNC, 1, 2}, {FAULT_OPEN, 1, 3}, {FAULT_ALLOCATION, 7, 10}};
    static struct ledger_fixture fixture;
    fixture_init_in_memory(&fixture);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        unsigned long points = 0;
        for (unsigned long n = 1; live_with_fault(&fixture, kinds[i].kind, n, reserve_one);
             n += kinds[i].step)
            points++;
        for (unsigned long n = 1; live_with_fault(&fixture, kinds[i].kind, n, settle_one); n += kinds[i].step)
            points++;
        print_message("kind %d: %lu points of failure\n", (int)kinds[i].kind, points);
        assert_true(points >= 2 * kinds[i].fewest);
    }
    fixture_free(&fixture);
}

/* ---- The look without a transaction ---- */

/* Both ways say the same. */
static status may_show(struct ledger_fixture *fixture, const char *analyst, bool *known)
{
    struct ledger_cost now, later;
    error why_now;
    status quick = ledger_may_show_now(fixture->ledger, NULL, analyst, &now, known, &why_now);
    status slow = ledger_may_show(fixture->ledger, analyst, &later, &fixture->why);
    if (*known) {
        assert_int_equal(quick, slow);
        if (slow == DITHER_OK)
            assert_int_equal(decimal_compare(now.epsilon, later.epsilon), 0);
        else
            assert_string_equal(why_now.message, fixture->why.message);
    }
    return slow;
}

static void the_look_says_what_the_long_way_says(void **state)
{
    (void)state;
    static struct ledger_fixture fixture;
    struct ledger *other = NULL;
    bool known = false;
    char elsewhere[100];
    fixture_init(&fixture);
    fixture_open(&fixture);
    struct ledger_options theirs = fixture.options;
    assert_int_equal(may_show(&fixture, "alice", &known), DITHER_OK);
    assert_true(known);
    assert_ok(&fixture, fixture_ask(&fixture, "alice", release("a", "0.25"), "1"));
    assert_int_equal(may_show(&fixture, "alice", &known), DITHER_OK);
    assert_true(known);
    assert_int_equal(may_show(&fixture, NULL, &known), DITHER_OK);
    assert_true(known);
    assert_int_equal(may_show(&fixture, "nobody", &known), DITHER_REFUSED);
    assert_true(known);

    /* Somebody else writes, under another account, whose anchor is elsewhere: nothing is said until the long way has read it,
     * and then what he wrote counts. */
    snprintf(elsewhere, sizeof elsewhere, "%s/elsewhere", fixture.folder);
    theirs.state_directory = elsewhere;
    assert_ok(&fixture, ledger_open(fixture.file, &fixture.config, &theirs, &other, &fixture.why));
    assert_ok(&fixture, ledger_stop(other, "alice", "the data source failed", &fixture.why));
    assert_int_equal(may_show(&fixture, "alice", &known), DITHER_REFUSED);
    assert_false(known);
    assert_int_equal(may_show(&fixture, "alice", &known), DITHER_REFUSED);
    assert_true(known);
    assert_int_equal(may_show(&fixture, "bob", &known), DITHER_OK);
    assert_true(known);
    assert_ok(&fixture, ledger_lift(other, "alice", &fixture.why));
    assert_int_equal(may_show(&fixture, "alice", &known), DITHER_OK);
    assert_false(known);

    /* Another policy is in force. */
    ledger_close(other);
    fixture.config.total = epsilon("20");
    assert_ok(&fixture, ledger_open(fixture.file, &fixture.config, &fixture.options, &other, &fixture.why));
    assert_int_equal(may_show(&fixture, "alice", &known), DITHER_REFUSED);
    assert_false(known);
    assert_int_equal(may_show(&fixture, "alice", &known), DITHER_REFUSED);
    assert_true(known);
    ledger_close(other);
    fixture_free(&fixture);
}

static void the_look_says_nothing_where_a_copy_is_used_or_windows_end(void **state)
{
    (void)state;
    static struct ledger_fixture fixture;
    struct ledger *copy = NULL;
    struct ledger_cost left;
    bool known = false;
    char file[200];
    fixture_init(&fixture);
    fixture_open(&fixture);
    assert_ok(&fixture, fixture_ask(&fixture, "alice", release("a", "0.25"), "1"));
    fixture_close(&fixture);
    fixture_open(&fixture); /* closed once: all is in the file itself */
    fixture_shell(&fixture, "cp %s/hospital.ledger %s/copy.ledger");
    assert_int_equal(may_show(&fixture, "alice", &known), DITHER_OK);
    assert_true(known);
    snprintf(file, sizeof file, "%s/copy.ledger", fixture.folder);
    assert_ok(&fixture, ledger_open(file, &fixture.config, &fixture.options, &copy, &fixture.why));
    assert_ok(&fixture, ledger_stop(copy, "bob", "to write something", &fixture.why));
    ledger_close(copy);
    assert_ok(&fixture, ledger_may_show_now(fixture.ledger, NULL, "alice", &left, &known, &fixture.why));
    assert_false(known); /* the anchor knows more than the file */
    assert_int_equal(ledger_may_show(fixture.ledger, "alice", &left, &fixture.why), DITHER_REFUSED);
    assert_int_equal(ledger_may_show_now(fixture.ledger, NULL, "alice", &left, &known, &fixture.why),
                     DITHER_IO);
    fixture_free(&fixture);

    fixture_init(&fixture);
    fixture.config.renewal = LEDGER_DAILY;
    fixture_open(&fixture);
    assert_int_equal(may_show(&fixture, "alice", &known), DITHER_OK);
    assert_false(known);
    fixture_free(&fixture);
}

/* One look for several: what this handle spends or is told afterwards counts, what it saw stays seen. */
static void a_look_holds_for_what_was_asked_before_it(void **state)
{
    (void)state;
    static struct ledger_fixture fixture, another;
    struct ledger *other = NULL;
    struct ledger_sight sight = {NULL}, late = {NULL};
    struct ledger_cost before, after;
    bool known = false;
    fixture_init(&fixture);
    fixture_open(&fixture);
    assert_ok(&fixture, ledger_may_show_now(fixture.ledger, &sight, "alice", &before, &known, &fixture.why));
    assert_true(known && sight.seen == fixture.ledger);

    /* Spent here, after the look. */
    assert_ok(&fixture, fixture_ask(&fixture, "alice", release("a", "0.25"), "1"));
    assert_ok(&fixture, ledger_may_show_now(fixture.ledger, &sight, "alice", &after, &known, &fixture.why));
    assert_true(known);
    assert_int_equal(
        decimal_compare(decimal_subtract(before.epsilon, after.epsilon), epsilon("0.25").epsilon), 0);

    /* Stopped elsewhere: a look that began before does not see it, one that begins afterwards says nothing, and is no
     * sight of another ledger either. */
    assert_ok(&fixture, ledger_open(fixture.file, &fixture.config, &fixture.options, &other, &fixture.why));
    assert_ok(&fixture, ledger_stop(other, "alice", "the data source failed", &fixture.why));
    assert_ok(&fixture, ledger_may_show_now(fixture.ledger, &sight, "alice", &after, &known, &fixture.why));
    assert_true(known);
    for (int i = 0; i < 2; i++) {
        assert_ok(&fixture,
                  ledger_may_show_now(fixture.ledger, &late, "alice", &after, &known, &fixture.why));
        assert_false(known || late.seen != NULL);
    }
    assert_ok(&fixture, ledger_may_show_now(fixture.ledger, &(struct ledger_sight){other}, "alice", &after,
                                            &known, &fixture.why));
    assert_false(known);
    ledger_close(other);

    /* Stopped here: known at once, by the look of before. */
    fixture_init(&another);
    fixture_open(&another);
    assert_ok(&another, ledger_may_show_now(another.ledger, &sight, "alice", &after, &known, &another.why));
    assert_true(known && sight.seen == another.ledger);
    assert_ok(&another, ledger_stop(another.ledger, "alice", "the data source failed", &another.why));
    assert_int_equal(ledger_may_show_now(another.ledger, &sight, "alice", &after, &known, &another.why),
                     DITHER_REFUSED);
    assert_true(known);
    fixture_free(&another);
    fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_batch_is_one_transaction_with_the_syncs_of_one),
        cmocka_unit_test(each_is_checked_with_the_earlier_ones_in_it),
        cmocka_unit_test(whatever_fails_in_a_batch_fails_for_all_of_it),
        cmocka_unit_test(the_look_says_what_the_long_way_says),
        cmocka_unit_test(the_look_says_nothing_where_a_copy_is_used_or_windows_end),
        cmocka_unit_test(a_look_holds_for_what_was_asked_before_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
