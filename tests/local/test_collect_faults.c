/* The collector when things go wrong: killed (SIGKILL) at any moment, several at once, the n-th write, sync, open or allocation
 * failing, a file that may not grow. Whatever was acknowledged is counted, nothing is counted twice when it is sent again, and what
 * was acknowledged was synced before. The value of a report follows from its id, so the counters tell which reports they hold. */
#include "tests/ledger/faults.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "tests/support/collected.h"
#include "tests/support/torture.h"

enum { BATCH = 40, KILLS = 25, WORKERS = 3, SHARED = 2000, STEPS = 60 };

/* Ids are spread, so that neighbours in time are none in the tree. */
static uint64_t id_of(uint64_t number)
{
    return number * UINT64_C(0x9e3779b97f4a7c15);
}

static void add_numbers(struct collector *collector, const struct collected *fixture, uint64_t first,
                        uint64_t count, struct collect_counts *counts)
{
    for (uint64_t i = first; i < first + count; i++)
        collected_add(collector, fixture, 0, id_of(i), (uint32_t)i % 4, counts);
}

static void holds_exactly(const struct collected *fixture, uint64_t count)
{
    uint64_t cells[4];
    assert_int_equal(collected_people(fixture, 0, cells), count);
    for (uint64_t value = 0; value < 4; value++)
        assert_int_equal(cells[value], count / 4 + (value < count % 4));
}

/* Sends batch after batch from `first` on, and says through the pipe up to where it was acknowledged. */
static void work(const struct collected *fixture, uint64_t first, int pipe_end)
{
    struct collector *collector = NULL;
    struct collect_counts counts = {0};
    error why;
    if (collect_open(fixture->survey, &collector, &why) != DITHER_OK)
        _exit(3);
    for (uint64_t at = first;; at += BATCH) {
        add_numbers(collector, fixture, at, BATCH, &counts);
        if (collect_commit(collector, COLLECTED_NOON, &why) != DITHER_OK)
            _exit(4);
        uint64_t acknowledged = at + BATCH;
        if (write(pipe_end, &acknowledged, sizeof acknowledged) != sizeof acknowledged)
            _exit(5);
        if (at / BATCH % 8 == 7 && collect_fold(collector, 0, &why) != DITHER_OK)
            _exit(6);
    }
}

/* Runs a worker for some milliseconds; returns up to where it was acknowledged. */
static uint64_t run_and_kill(const struct collected *fixture, uint64_t first, int milliseconds)
{
    int ends[2], how = 0;
    uint64_t acknowledged = first, last = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(ends[0]);
        work(fixture, first, ends[1]);
    }
    close(ends[1]);
    const struct timespec nap = {0, milliseconds * 1000000L};
    nanosleep(&nap, NULL);
    assert_int_equal(kill(child, SIGKILL), 0);
    while (read(ends[0], &last, sizeof last) == sizeof last)
        acknowledged = last;
    close(ends[0]);
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how)); /* it met no error of its own */
    return acknowledged;
}

static void whoever_dies_when_nothing_acknowledged_is_lost_or_counted_twice(void **state)
{
    (void)state;
    struct collected fixture;
    struct collect_counts counts = {0};
    struct collector *collector = NULL;
    error why;
    collected_init(&fixture, "");
    uint64_t acknowledged = 0, pace = 7;
    for (int kills = 0; kills < torture_count(KILLS); kills++) {
        pace = pace * 6364136223846793005u + 1442695040888963407u;
        acknowledged = run_and_kill(&fixture, acknowledged, 10 + (int)(pace >> 58));
    }
    /* The last batch may have been taken without a word; sent again, everything is there once. */
    assert_int_equal(collect_open(fixture.survey, &collector, &why), DITHER_OK);
    add_numbers(collector, &fixture, 0, acknowledged + BATCH, &counts);
    assert_int_equal(collect_commit(collector, COLLECTED_NOON, &why), DITHER_OK);
    assert_true(counts.of[COLLECT_REPLAYED] >= acknowledged);
    assert_true(counts.of[COLLECT_COUNTED] <= BATCH);
    assert_int_equal(collect_fold(collector, 0, &why), DITHER_OK);
    collect_close(collector);
    holds_exactly(&fixture, acknowledged + BATCH);
    assert_true(acknowledged > 0);
    collected_free(&fixture);
}

/* All send the same reports, each from another place, with estimates in between. */
static void share(const struct collected *fixture, uint64_t from)
{
    struct collector *collector = NULL;
    struct collect_counts counts = {0};
    error why;
    if (collect_open(fixture->survey, &collector, &why) != DITHER_OK)
        _exit(3);
    for (uint64_t at = 0; at < SHARED; at += BATCH) {
        add_numbers(collector, fixture, (from + at) % SHARED, BATCH, &counts);
        if (collect_commit(collector, COLLECTED_NOON, &why) != DITHER_OK ||
            collect_fold(collector, 1000, &why) != DITHER_OK)
            _exit(4);
        uint64_t cells[4];
        if (collected_people(fixture, 0, cells) < counts.of[COLLECT_COUNTED])
            _exit(5);
    }
    _exit(counts.of[COLLECT_COUNTED] + counts.of[COLLECT_REPLAYED] == SHARED ? 0 : 6);
}

static void several_at_once_count_every_report_once(void **state)
{
    (void)state;
    struct collected fixture;
    collected_init(&fixture, "");
    for (uint64_t i = 0; i < WORKERS; i++) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            share(&fixture, i * BATCH * 17);
    }
    for (int i = 0; i < WORKERS; i++) {
        int how = 0;
        assert_true(wait(&how) > 0);
        assert_int_equal(how, 0);
    }
    holds_exactly(&fixture, SHARED);
    collected_free(&fixture);
}

/* One round with the n-th call of the kind failing: open, two batches, fold. Whatever was acknowledged is synced. Returns whether the
 * fault was met. */
static bool round_with_fault(const struct collected *fixture, enum fault_kind kind, unsigned long n,
                             uint64_t first, uint64_t *acknowledged)
{
    struct collector *collector = NULL;
    struct collect_counts counts = {0};
    error why;
    faults_arm(kind, n, false);
    if (collect_open(fixture->survey, &collector, &why) == DITHER_OK) {
        for (int batch = 0; batch < 2; batch++) {
            add_numbers(collector, fixture, first + (uint64_t)batch * 4, 4, &counts);
            if (collect_commit(collector, COLLECTED_NOON, &why) != DITHER_OK)
                break;
            if (faults_unsynced() != 0)
                fail_msg("acknowledged before it was synced");
            *acknowledged = first + (uint64_t)batch * 4 + 4;
        }
        (void)!collect_fold(collector, 0, &why);
    }
    collect_close(collector);
    return faults_disarm();
}

/* After every failure all is sent again, so that the counters must hold exactly what was ever acknowledged. */
static void whatever_fails_what_was_acknowledged_is_there_once(void **state)
{
    (void)state;
    static const enum fault_kind kinds[] = {FAULT_WRITE, FAULT_SYNC, FAULT_OPEN, FAULT_ALLOCATION};
    struct collected fixture;
    collected_init(&fixture, "");
    uint64_t acknowledged = 0;
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++)
        for (unsigned long n = 1;; n += kinds[kind] == FAULT_ALLOCATION ? 37 : 3) {
            bool met = round_with_fault(&fixture, kinds[kind], n, acknowledged, &acknowledged);
            struct collect_counts counts = {0};
            struct collector *collector = NULL;
            error why;
            assert_int_equal(collect_open(fixture.survey, &collector, &why), DITHER_OK);
            add_numbers(collector, &fixture, 0, acknowledged + 8, &counts);
            assert_int_equal(collect_commit(collector, COLLECTED_NOON, &why), DITHER_OK);
            assert_true(counts.of[COLLECT_REPLAYED] >= acknowledged);
            acknowledged += 8;
            collect_close(collector);
            holds_exactly(&fixture, acknowledged);
            if (!met)
                break;
        }
    collected_free(&fixture);
}

/* A file that may not grow beyond a limit, as on a full disk: the batch is refused as a whole; with room again it is taken. */
static void a_full_disk_loses_nothing(void **state)
{
    (void)state;
    struct collected fixture;
    struct collector *collector = NULL;
    struct collect_counts counts = {0};
    struct rlimit usual, small;
    error why;
    collected_init(&fixture, "");
    assert_int_equal(collect_open(fixture.survey, &collector, &why), DITHER_OK);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &usual), 0);
    small = usual;
    small.rlim_cur = 200000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    uint64_t taken = 0;
    status result = DITHER_OK;
    for (int step = 0; step < STEPS && result == DITHER_OK; step++) {
        add_numbers(collector, &fixture, taken, 1000, &counts);
        result = collect_commit(collector, COLLECTED_NOON, &why);
        taken += result == DITHER_OK ? 1000 : 0;
    }
    assert_int_equal(result, DITHER_IO);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &usual), 0);
    holds_exactly(&fixture, taken);
    add_numbers(collector, &fixture, 0, taken + 1000, &counts);
    assert_int_equal(collect_commit(collector, COLLECTED_NOON, &why), DITHER_OK);
    assert_int_equal(collect_fold(collector, 0, &why), DITHER_OK);
    collect_close(collector);
    holds_exactly(&fixture, taken + 1000);
    collected_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whoever_dies_when_nothing_acknowledged_is_lost_or_counted_twice),
        cmocka_unit_test(several_at_once_count_every_report_once),
        cmocka_unit_test(whatever_fails_what_was_acknowledged_is_there_once),
        cmocka_unit_test(a_full_disk_loses_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
