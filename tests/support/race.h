/* race.h - many client processes, each with one thread or several, at one ledger at the same moment. */
#ifndef TESTS_SUPPORT_RACE_H
#define TESTS_SUPPORT_RACE_H

#include "tests/support/ledger.h"

struct race {
    int clients;
    int threads;      /* of each client, with one handle for all; 0: the client itself */
    int questions;    /* each asks so many, or fewer when it is refused */
    const char *cost; /* of a question */
    bool all_at_once; /* the ledger is opened before the start; otherwise after it, by all at once */
};

/* How many questions were granted and settled. Fails the test when a client meets anything but success or a
 * refusal. */
int race_run(struct ledger_fixture *fixture, const struct race *race);

#endif
