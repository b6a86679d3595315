#include "tests/support/kill.h"

#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ledger/history.h"
#include "tests/support/test.h"

enum { WORKERS = 4, KEYS = 1000, MOST_THREADS = 10 }; /* KEYS: of one worker, whom they outlast */

/* What a worker says: key 0 means that the budget is used up. */
struct word {
    uint64_t key;
    bool answered; /* settled: the client saw it. Otherwise: granted. */
};

static void say(int pipe_end, uint64_t key, bool answered)
{
    struct word word;
    memset(&word, 0, sizeof word);
    word.key = key;
    word.answered = answered;
    if (write(pipe_end, &word, sizeof word) != (ssize_t)sizeof word)
        _exit(3);
}

struct asker {
    struct ledger *ledger;
    uint64_t first_key;
    int pipe_end;
};

/* Asks questions with keys of its own until it is killed or the budget is used up. */
static void *ask_on(void *context)
{
    const struct asker *asker = context;
    char key[32], answer[32];
    error why;
    for (uint64_t number = asker->first_key;; number++) {
        snprintf(key, sizeof key, "%" PRIu64, number);
        snprintf(answer, sizeof answer, "answer %" PRIu64, number);
        struct ledger_release one = release(key, "0.1");
        struct ledger_question question = {
            .analyst = "carol", .request = key, .text = key, .releases = &one, .release_count = 1};
        struct ledger_reservation *reservation = NULL;
        status result = ledger_reserve(asker->ledger, &question, &reservation, &why);
        bool used_up = result == DITHER_REFUSED && strstr(why.message, "total is reached") != NULL;
        if (used_up)
            say(asker->pipe_end, 0, false);
        if (used_up)
            return NULL;
        if (result != DITHER_OK)
            _exit(5);
        say(asker->pipe_end, number, false);
        struct ledger_bytes bytes = {answer, strlen(answer)};
        if (ledger_settle(asker->ledger, reservation, &bytes, bytes, &why) != DITHER_OK)
            _exit(6);
        say(asker->pipe_end, number, true);
        ledger_reservation_free(reservation);
    }
}

static void work(struct ledger_fixture *fixture, uint64_t first_key, int threads, int pipe_end)
{
    struct asker askers[MOST_THREADS];
    pthread_t others[MOST_THREADS];
    struct ledger *ledger = NULL;
    if (ledger_open(fixture->file, &fixture->config, &fixture->options, &ledger, &fixture->why) != DITHER_OK)
        _exit(4);
    for (int i = 0; i < threads; i++) {
        askers[i] = (struct asker){ledger, first_key + (uint64_t)(i * (KEYS / MOST_THREADS)), pipe_end};
        if (i > 0 && pthread_create(&others[i], NULL, ask_on, &askers[i]) != 0)
            _exit(7);
    }
    (void)ask_on(&askers[0]);
    for (int i = 1; i < threads; i++)
        pthread_join(others[i], NULL);
    _exit(0);
}

struct run {
    struct ledger_fixture *fixture;
    int threads;
    int pipe[2];
    pid_t workers[WORKERS];
    uint64_t started, granted, answered;
    bool *seen; /* answers, by key */
    uint64_t seen_capacity;
    bool used_up;
};

static void start(struct run *run, int slot)
{
    uint64_t first_key = 1 + run->started++ * KEYS;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(run->pipe[0]);
        work(run->fixture, first_key, run->threads, run->pipe[1]);
    }
    run->workers[slot] = child;
}

static void listen_to_workers(struct run *run)
{
    struct pollfd end = {.fd = run->pipe[0], .events = POLLIN};
    struct word word;
    while (poll(&end, 1, 0) == 1) {
        assert_int_equal(read(run->pipe[0], &word, sizeof word), sizeof word);
        run->used_up = run->used_up || word.key == 0;
        if (word.key == 0)
            continue;
        assert_true(word.key < run->seen_capacity);
        run->granted += !word.answered;
        run->answered += word.answered;
        run->seen[word.key] = run->seen[word.key] || word.answered;
    }
}

static void pause_microseconds(long microseconds)
{
    nanosleep(&(struct timespec){0, microseconds * 1000}, NULL);
}

static void kill_one(struct run *run, int slot)
{
    int outcome;
    kill(run->workers[slot], SIGKILL);
    assert_int_equal(waitpid(run->workers[slot], &outcome, 0), run->workers[slot]);
    assert_true(WIFSIGNALED(outcome) || WEXITSTATUS(outcome) == 0); /* no worker met an error of the ledger */
}

/* Every answer that was seen is settled in the ledger, and returns the same bytes to a retry. */
static void check_answers(struct run *run)
{
    struct ledger_fixture *fixture = run->fixture;
    char key[32], expected[32];
    for (uint64_t number = 1; number < run->seen_capacity; number++) {
        if (!run->seen[number])
            continue;
        snprintf(key, sizeof key, "%" PRIu64, number);
        snprintf(expected, sizeof expected, "answer %" PRIu64, number);
        struct ledger_release one = release(key, "0.1");
        struct ledger_question question = {
            .analyst = "carol", .request = key, .text = key, .releases = &one, .release_count = 1};
        struct ledger_reservation *reservation = NULL;
        struct ledger_bytes answer;
        assert_ok(fixture, ledger_reserve(fixture->ledger, &question, &reservation, &fixture->why));
        assert_true(ledger_reservation_answer(reservation, &answer));
        assert_int_equal(answer.size, strlen(expected));
        assert_memory_equal(answer.data, expected, answer.size);
        ledger_reservation_free(reservation);
    }
}

static void check_ledger(struct run *run)
{
    struct ledger_fixture *fixture = run->fixture;
    struct history_verdict verdict;
    struct history *history;
    assert_ok(fixture, history_verify(fixture->file, "hospital", fixture->state, &verdict, &fixture->why));
    if (!verdict.sound)
        fail_msg("entry %" PRIu64 ": %s", verdict.broken, verdict.reason);
    assert_ok(fixture, history_open(fixture->file, "hospital", fixture->state, &history, &fixture->why));
    const struct state *state = history_state(history);
    uint64_t settled = 0;
    for (size_t i = 0; i < state->reservation_count; i++)
        settled += state->reservations[i].settled;
    struct decimal spent = decimal_zero();
    for (size_t i = 0; i < state->reservation_count; i++)
        assert_true(decimal_add(spent, decimal("0.1"), &spent));
    struct history_sum sum = history_sum(history, HOLDER_DATASET_PLACE);
    assert_int_equal(decimal_compare(sum.lifetime.epsilon, spent), 0);
    assert_true(decimal_compare(spent, fixture->config.total.epsilon) <= 0);
    assert_true(settled >= run->answered);
    assert_true(state->reservation_count >= run->granted);
    print_message("%" PRIu64 " processes, %zu reservations, %" PRIu64 " settled, %" PRIu64 " answers seen\n",
                  run->started, state->reservation_count, settled, run->answered);
    history_close(history);
}

/* On a slow machine workers would die before they have asked anything: let them get on with it. */
static void wait_for_work(struct run *run, int kills)
{
    for (int i = 0; i < 1000 && !run->used_up && run->answered < (uint64_t)kills / 2; i++) {
        pause_microseconds(10000);
        listen_to_workers(run);
    }
}

void kill_workers(struct ledger_fixture *fixture, int kills, int threads)
{
    char total[16];
    fixture->options.clock = NULL;
    snprintf(total, sizeof total, "%d",
             kills / 5); /* two questions for each kill: it may or may not be used up */
    fixture->config.total = epsilon(total);
    fixture_open(fixture);
    fixture_close(fixture);
    assert_true(threads <= MOST_THREADS);
    struct run run = {
        .fixture = fixture, .threads = threads, .seen_capacity = (uint64_t)(kills + WORKERS + 1) * KEYS};
    run.seen = calloc(run.seen_capacity, sizeof *run.seen);
    assert_non_null(run.seen);
    assert_int_equal(pipe(run.pipe), 0);
    srandom(20261115);
    for (int slot = 0; slot < WORKERS; slot++)
        start(&run, slot);
    for (int i = 0; i < kills; i++) {
        pause_microseconds(random() % 60000);
        listen_to_workers(&run);
        wait_for_work(&run, i);
        int slot = (int)(random() % WORKERS);
        kill_one(&run, slot);
        start(&run, slot);
    }
    for (int slot = 0; slot < WORKERS; slot++)
        kill_one(&run, slot);
    listen_to_workers(&run);
    check_ledger(&run);
    fixture_open(fixture);
    check_answers(&run);
    fixture_close(fixture);
    assert_true(run.answered >= (uint64_t)kills / 4); /* work was done between the kills */
    close(run.pipe[0]);
    close(run.pipe[1]);
    free(run.seen);
}
