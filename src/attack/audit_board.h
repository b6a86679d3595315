/* audit_board.h - many people in one answer.
 *
 * A board is a table whose groups are shared out: person i, and nobody else but perhaps a quiet companion, stands in the groups of
 * his own, with more rows than count and all values at one end. Whether he is in the data was decided by a fair coin. One answer by
 * group is then one noisy look at each of them. */
#ifndef ATTACK_AUDIT_BOARD_H
#define ATTACK_AUDIT_BOARD_H

#include "attack/audit_parts.h"

enum { BOARD_KEYS = 4 };

struct audit_board {
    struct audit_run *run;
    const struct policy_table *table;
    const struct policy_column *keys[BOARD_KEYS];
    size_t key_count;
    uint64_t cells;  /* groups of the answer, without NULL */
    uint64_t groups; /* of one person: as many as count */
    uint64_t rows;   /* of one person that count in a group */
    uint64_t people;
    bool *present;      /* by coin */
    const char **names; /* of the cells, as answers show them, sorted */
    uint64_t *cell_of;  /* the cell of each name */
    bool companions;    /* in each person's groups there is somebody with as many rows at the other end */
    struct audit_world world;
};

/* DITHER_REFUSED where the table has too few public keys. */
status audit_board_open(struct audit_run *run, const struct policy_table *table, bool companions,
                        struct audit_board *out, error *why) MUST_CHECK;
void audit_board_close(struct audit_board *board);

/* What answers told about each person, repeated. */
struct audit_look {
    double *scores;  /* repeat by repeat, one for each person: the larger, the more he seems to be there */
    uint64_t people; /* of one repeat */
    uint64_t repeats;
    const bool *present; /* of each person */
    double claimed_epsilon, claimed_delta;
    double claimed_rho; /* where that is the currency; else 0 */
};

/* Asks the measure by group, `repeats` times, each time anew. *answered is false where Dither does not answer it. */
status audit_board_look(struct audit_board *board, const char *measure, uint64_t amount, uint64_t repeats,
                        struct arena *arena, struct audit_look *out, bool *answered, error *why) MUST_CHECK;

/* audit_canaries.c: a lower bound on epsilon from the guesses that one answer allows. Of the people with an even number it learns
 * how to guess, of the others it guesses: their coins are nothing it has seen. */
double audit_canaries_epsilon(const struct audit_look *look, double risk);

/* audit_events.c: a lower bound on epsilon from the event, chosen on the even people, that tells most about the odd ones. */
double audit_events_epsilon(const struct audit_look *look, double risk);

/* audit_choices.c: whether the median of zeros (a companion's) and perhaps ones (the person's) is chosen as often as its law says. The
 * look is at a board with companions, and its scores are how many of a person's groups have the median 1. */
void audit_choices_fit(const struct audit_board *board, const struct audit_look *look, const char *question);

/* The measure and the keys as a question, for the report. */
void audit_board_question(const struct audit_board *board, const char *measure, struct buffer *out);

#endif
