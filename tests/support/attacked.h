/* attacked.h - an attack that was run quickly, and what it found by name. */
#ifndef TESTS_SUPPORT_ATTACKED_H
#define TESTS_SUPPORT_ATTACKED_H

#include "attack/attack.h"
#include "tests/support/near.h"

/* Runs the attack with few trials, seed 1 and this budget; the test fails when it cannot be run. */
struct attack_result attacked(const struct attack *attack, const char *epsilon);

/* The fact of this name, which must be there. */
double attacked_fact(const struct attack_result *result, const char *name);

/* The baseline falls: success at least `baseline`. Dither does not: no success beyond what the budget allows (or
 * guessing, where that is said instead), by five standard errors of that many trials. */
void assert_attack_fails_on_dither(const struct attack_result *result, double baseline);

#endif
