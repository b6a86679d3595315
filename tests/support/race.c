#include "tests/support/race.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/test.h"

enum { MOST_CLIENTS = 128, MOST_WON = 100, BROKEN = 101 };

/* Nobody starts before the starting pistol: the other end of the pipe is closed. */
static void wait_for_start(int descriptor)
{
    char byte;
    if (read(descriptor, &byte, 1) != 0)
        _exit(BROKEN);
}

static int ask_one(struct ledger_fixture *fixture, struct ledger *ledger, int client, int number,
                   const char *cost)
{
    char key[40];
    snprintf(key, sizeof key, "client %d question %d", client, number);
    struct ledger_release one = release(key, cost);
    struct ledger_question question = {.analyst = "carol", .text = key, .releases = &one, .release_count = 1};
    struct ledger_reservation *reservation = NULL;
    status result = ledger_reserve(ledger, &question, &reservation, &fixture->why);
    if (result == DITHER_REFUSED && strstr(fixture->why.message, "the dataset's total is reached") != NULL)
        return 0;
    struct ledger_bytes answer = {key, strlen(key)};
    if (result == DITHER_OK)
        result = ledger_settle(ledger, reservation, &answer, answer, &fixture->why);
    if (result != DITHER_OK) {
        fprintf(stderr, "client %d: %s\n", client, fixture->why.message);
        _exit(BROKEN);
    }
    ledger_reservation_free(reservation);
    return 1;
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
    int won = 0;
    while (won < race->questions && ask_one(fixture, ledger, client, won, race->cost) == 1)
        won++;
    ledger_close(ledger);
    _exit(won);
}

int race_run(struct ledger_fixture *fixture, const struct race *race)
{
    int pistol[2], outcome, won = 0;
    pid_t clients[MOST_CLIENTS];
    assert_true(race->clients <= MOST_CLIENTS && race->questions <= MOST_WON);
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
