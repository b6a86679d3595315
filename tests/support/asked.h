/* asked.h - a small hospital to ask questions of: a folder of its own, CSV files, a policy, a curator.
 *
 * people: id, age 0..99, region (north, south, east, west), salary 0..1000, disease (not public); person i of n has age
 * i % 100, region i % 4, salary i % 1000 (NULL for every tenth), disease "flu", "cold" or, the last one alone,
 * "rare". visits: person i has i % 4 visits, to clinic (i + k) % 3, at cost 100 k. clinics is public. */
#ifndef TESTS_SUPPORT_ASKED_H
#define TESTS_SUPPORT_ASKED_H

#include "curator/curator.h"

struct asked {
    char folder[64]; /* removed with the fixture */
    char policy[128], state[128];
    size_t people;
    const char *budget; /* the policy's lines below `budget:`, each indented by two */
    const char *more;   /* further lines at the end, or "" */
    struct random *random;
    struct curator *curator;
    struct curator_answer *answer;
    error why;
};

#define ASKED_NOISELESS "  epsilon: 1e12\n  delta: 0.5\n  per_question: 1e7\n  delta_per_question: 0.1\n"
#define ASKED_ORDINARY                                                                                       \
    "  epsilon: 10\n  delta: 1e-6\n  per_question: 0.5\n  delta_per_question: 1e-9\n  max_per_question: 2\n" \
    "  block: people.region\n"

/* Files, policy, proofs and a curator with a fixed source of random bits. */
void asked_open(struct asked *asked, size_t people, const char *budget, const char *more);
/* The curator again, on the same ledger. */
void asked_reopen(struct asked *asked);
void asked_close(struct asked *asked);

/* Asks; the answer is the fixture's until the next question. */
status asked_try(struct asked *asked, const struct curator_question *question) MUST_CHECK;
/* The same for the owner and a plain text, which must succeed. */
const struct curator_answer *asked_question(struct asked *asked, const char *text);

/* A cell as the CSV has it: "north", "12", "" for NULL. Lives until the next call but three. */
const char *asked_cell(const struct asked *asked, size_t row, size_t column);
/* All rows: cells separated by commas, rows by semicolons. */
const char *asked_rows(const struct asked *asked);
/* What is left for the analyst: "epsilon 9.5, delta 0.000001". */
const char *asked_left(struct asked *asked, const char *analyst);

/* The same for an analyst, which must succeed; what it must have cost, and what must be left to him. */
void asked_as(struct asked *asked, const char *analyst, const char *text);
void asked_expect_cost(const struct asked *asked, const char *epsilon);
void asked_expect_left(struct asked *asked, const char *analyst, const char *left);

#endif
