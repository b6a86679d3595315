#include "tests/support/race.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/test.h"

enum { MOST_CLIENTS = 128, MOST_THREADS = 32, MOST_WON = 100, BROKEN = 101 };

/* Nobody starts before the starting pistol: the other end of the pipe is closed. */
static void wait_for_start(int descriptor)
{
    char byte;
    if (read(descriptor, &byte, 1) != 0)
        _exit(BROKEN);
}

static int ask_one(struct ledger *ledger, int client, int number, const char *cost)
{
    char key[40];
    error why;
    snprintf(key, sizeof key, "client %d question %d", client, number);
    struct ledger_release one = release(key, cost);
    struct ledger_question question = {.analyst = "carol", .text = key, .releases = &one, .release_count = 1};
    struct ledger_reservation *reservation = NULL;
    status result = ledger_reserve(ledger, &question, &reservation, &why);
    if (result == DITHER_REFUSED && strstr(why.message, "the dataset's total is reached") != NULL)
        return 0;
    struct ledger_bytes answer = {key, strlen(key)};
    if (result == DITHER_OK)
        result = ledger_settle(ledger, reservation, &answer, answer, &why);
    if (result != DITHER_OK) {
        fprintf(stderr, "client %d: %s\n", client, why.message);
        _exit(BROKEN);
    }
    ledger_reservation_free(reservation);
    return 1;
}

struct racer {
    const struct race *race;
    struct ledger *ledger;
    int number, won;
};

static void *ask_all(void *context)
{
    struct racer *racer = context;
    while (racer->won < racer->race->questions &&
           ask_one(racer->ledger, racer->number, racer->won, racer->race->cost) == 1)
        racer->won++;
    return NULL;
}

static int race_threads(struct ledger *ledger, const struct race *race, int client)
{
    pthread_t threads[MOST_THREADS];
    struct racer racers[MOST_THREADS];
    int won = 0;
    for (int i = 0; i < race->threads; i++) {
        racers[i] = (struct racer){race, ledger, client * MOST_THREADS + i, 0};
        if (pthread_create(&threads[i], NULL, ask_all, &racers[i]) != 0)
            _exit(BROKEN);
    }
    for (int i = 0; i < race->threads; i++) {
        pthread_join(threads[i], NULL);
        won += racers[i].won;
    }
    return won;
}

static void run_client(struct ledger_fixture *fixture, const struct race *race, int client, int descriptor)
{
    struct ledger *ledger = NULL;
    if (!race->all_at_once)
        wait_for_start(descriptor);
    if (ledger_open(fixture->file, &fixture->config, &fixture->options, &ledger, &fixture->why) !=
        DITHER_OK) {
        fprintf(stderr, "client %d: %s\n", client, fixture->why.message);
        _exit(BROKEN);
    }
    if (race->all_at_once)
        wait_for_start(descriptor);
    struct racer alone = {race, ledger, client * MOST_THREADS, 0};
    if (race->threads > 0)
        alone.won = race_threads(ledger, race, client);
    else
        (void)ask_all(&alone);
    ledger_close(ledger);
    _exit(alone.won);
}

int race_run(struct ledger_fixture *fixture, const struct race *race)
{
    int pistol[2], outcome, won = 0;
    pid_t clients[MOST_CLIENTS];
    assert_true(race->clients <= MOST_CLIENTS && race->threads <= MOST_THREADS);
    assert_true(race->questions * (race->threads > 0 ? race->threads : 1) <= MOST_WON);
    assert_int_equal(pipe(pistol), 0);
    for (int i = 0; i < race->clients; i++) {
        clients[i] = fork();
        assert_true(clients[i] >= 0);
        if (clients[i] == 0) {
            close(pistol[1]);
            run_client(fixture, race, i, pistol[0]);
        }
    }
    if (race->all_at_once)
        sleep(1); /* most have opened it by then; who has not starts late, which is a race too */
    close(pistol[1]);
    for (int i = 0; i < race->clients; i++) {
        assert_int_equal(waitpid(clients[i], &outcome, 0), clients[i]);
        assert_true(WIFEXITED(outcome));
        assert_int_not_equal(WEXITSTATUS(outcome), BROKEN);
        won += WEXITSTATUS(outcome);
    }
    close(pistol[0]);
    return won;
}
