/* public_ledger.h - a ledger to try things on, seen through dither.h alone: a folder of its own, a small policy,
 * short ways to ask. */
#ifndef TESTS_SUPPORT_PUBLIC_LEDGER_H
#define TESTS_SUPPORT_PUBLIC_LEDGER_H

#include <string.h>

#include "tests/support/test.h"

#include "dither.h"

enum { NORTH, SOUTH, REST };

/* Epsilon 10 and delta 1e-6 for all; alice 3, bob 3 in the interns, who have 1 together; 5 for one question. */
struct house {
    char folder[40], file[80];
    const char *blocks[2];
    size_t interns;
    dither_group group;
    dither_analyst analysts[2];
    dither_ledger_config config;
    dither_ledger_options options;
    dither_ledger *ledger;
    dither_error why;
};

extern struct house house;

#define assert_ok(expression)                                                                                \
    do {                                                                                                     \
        if ((expression) != DITHER_OK)                                                                       \
            fail_msg("%s: %s", #expression, house.why.message);                                              \
    } while (0)

/* The call must fail in this way, with a message that contains `words`. */
#define assert_fails(expression, expected, words)                                                            \
    do {                                                                                                     \
        assert_int_equal(expression, expected);                                                              \
        if (strstr(house.why.message, words) == NULL)                                                        \
            fail_msg("\"%s\" is not in \"%s\"", words, house.why.message);                                   \
    } while (0)

/* Opens the ledger (again) with the configuration as it is now. */
dither_status public_open(void) DITHER_CHECK;

/* For each test: a new folder with an open ledger; and its end. */
int public_ledger_setup(void **state);
int public_ledger_teardown(void **state);

/* Not confined to blocks. */
dither_question_release public_release(const char *key, const char *epsilon);

/* A question with the one release. */
dither_status public_reserve(const char *analyst, const char *request, dither_question_release one,
                             dither_reservation **out) DITHER_CHECK;

/* Reserve and settle, `result` being the answer too. */
dither_status public_ask(const char *analyst, const char *request, dither_question_release one,
                         const char *result) DITHER_CHECK;

/* The epsilon that is left for the analyst on one block, or (NULL) on all. */
const char *public_left(const char *analyst, const size_t *block);

#endif
