/* ledger.h - a ledger to try things on: a folder of its own, a small policy, short ways to ask. */
#ifndef TESTS_SUPPORT_LEDGER_H
#define TESTS_SUPPORT_LEDGER_H

#include "ledger/ledger.h"

/* A clock that a test turns by hand. */
struct hand_clock {
    struct ledger_clock clock; /* its state is the instant */
    struct instant instant;
};

struct ledger_fixture {
    char folder[64]; /* made under /tmp, removed with the fixture */
    char file[160];  /* folder/hospital.ledger, or "postgres:..." */
    char state[80];  /* folder/state, of the anchor */
    struct hand_clock clock;
    struct ledger_options options;
    struct ledger_config config;       /* change it before opening */
    struct ledger_analyst analysts[3]; /* alice and carol without a group, bob in the interns */
    struct ledger_group groups[1];     /* interns */
    const char *blocks[3];             /* north, south, east; rest is 3 */
    struct ledger *ledger;
    error why;
};

enum { NORTH, SOUTH, EAST, REST };

/* Pure epsilon 10; alice 3, bob 3, carol as much as she likes; interns 1; at most 5 for a question. */
void fixture_init(struct ledger_fixture *fixture);

/* The same in memory, where there is such a place: for tests that sync a hundred thousand times. */
void fixture_init_in_memory(struct ledger_fixture *fixture);
void fixture_free(struct ledger_fixture *fixture);

/* Removes the ledger and its anchor, as if neither had ever been. */
void fixture_clear(struct ledger_fixture *fixture);

/* Opens the ledger (again). fixture_open fails the test when it does not work; the other says what happened.
 */
void fixture_open(struct ledger_fixture *fixture);
status fixture_try_open(struct ledger_fixture *fixture) MUST_CHECK;
void fixture_close(struct ledger_fixture *fixture);

struct decimal decimal(const char *text);
struct ledger_cost epsilon(const char *text);

/* One release named `key`, not confined to blocks. */
struct ledger_release release(const char *key, const char *epsilon_text);

/* A question with the one release, by `analyst`; the result goes to `out`, or is freed when that is NULL. */
status fixture_reserve(struct ledger_fixture *fixture, const char *analyst, struct ledger_release release,
                       struct ledger_reservation **out) MUST_CHECK;

/* Reserve and settle with the given result as the answer. */
status fixture_ask(struct ledger_fixture *fixture, const char *analyst, struct ledger_release release,
                   const char *result) MUST_CHECK;

/* What is left for the analyst on all blocks, or on one, as text: "epsilon 9.9". */
const char *fixture_left(struct ledger_fixture *fixture, const char *analyst);
const char *fixture_left_on(struct ledger_fixture *fixture, const char *analyst, size_t block);

/* Turns the clock: both wall and run. */
void fixture_pass(struct ledger_fixture *fixture, uint64_t seconds);

/* Runs SQL on the ledger's file behind its back. */
void fixture_tamper(struct ledger_fixture *fixture, const char *sql);

/* What a shell command is good for: copying and deleting files. "%s" is the fixture's folder, as often as it
 * stands. */
void fixture_shell(struct ledger_fixture *fixture, const char *command);

#define assert_ok(fixture, expression)                                                                       \
    do {                                                                                                     \
        status assert_status = (expression);                                                                 \
        if (assert_status != DITHER_OK)                                                                      \
            fail_msg("%s: %s", #expression, (fixture)->why.message);                                         \
    } while (0)

/* The call must be refused with a message that contains `words`. */
#define assert_refused(fixture, expression, words)                                                           \
    do {                                                                                                     \
        assert_int_equal(expression, DITHER_REFUSED);                                                        \
        if (strstr((fixture)->why.message, words) == NULL)                                                   \
            fail_msg("\"%s\" is not in \"%s\"", words, (fixture)->why.message);                              \
    } while (0)

#endif
