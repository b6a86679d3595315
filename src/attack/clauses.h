/* clauses.h - a formula in the making: variables by number, clauses straight to CaDiCaL, and the few gates that
 * arithmetic on bits is made of. A literal is a variable or its negative. */
#ifndef ATTACK_CLAUSES_H
#define ATTACK_CLAUSES_H

#include <stddef.h>

struct CCaDiCaL;

struct clauses {
    struct CCaDiCaL *solver;
    int variables;
    size_t count; /* of the clauses */
    int truth;    /* a literal that is always true */
};

/* The solver is the caller's. */
void clauses_init(struct clauses *clauses, struct CCaDiCaL *solver);

int clauses_variable(struct clauses *clauses);

/* Literals up to a 0, which ends the clause. */
void clauses_add(struct clauses *clauses, const int *literals);

/* A literal that is true exactly when both are, when an odd number of the three are, when at least two of the three are. */
int clauses_and(struct clauses *clauses, int one, int other);
int clauses_parity(struct clauses *clauses, int one, int other, int third);
int clauses_majority(struct clauses *clauses, int one, int other, int third);

/* The number whose binary digits are these literals, lowest first, is at least, or at most, the bound. */
void clauses_at_least(struct clauses *clauses, const int *digits, size_t count, unsigned bound);
void clauses_at_most(struct clauses *clauses, const int *digits, size_t count, unsigned bound);

/* sum += addend, on `count` digits, of which the addend has fewer; what overflows must be 0. */
void clauses_increase(struct clauses *clauses, int *sum, size_t count, const int *addend,
                      size_t addend_count);

#endif
