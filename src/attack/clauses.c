#include "attack/clauses.h"

#include <assert.h>
#include <ccadical.h>
#include <stdbool.h>

enum { MOST_DIGITS = 16 };

void clauses_init(struct clauses *clauses, struct CCaDiCaL *solver)
{
    *clauses = (struct clauses){.solver = solver};
    clauses->truth = clauses_variable(clauses);
    clauses_add(clauses, (const int[]){clauses->truth, 0});
}

int clauses_variable(struct clauses *clauses)
{
    return ++clauses->variables;
}

void clauses_add(struct clauses *clauses, const int *literals)
{
    for (; *literals != 0; literals++)
        ccadical_add(clauses->solver, *literals);
    ccadical_add(clauses->solver, 0);
    clauses->count++;
}

int clauses_and(struct clauses *clauses, int one, int other)
{
    int both = clauses_variable(clauses);
    clauses_add(clauses, (const int[]){-both, one, 0});
    clauses_add(clauses, (const int[]){-both, other, 0});
    clauses_add(clauses, (const int[]){both, -one, -other, 0});
    return both;
}

int clauses_parity(struct clauses *clauses, int one, int other, int third)
{
    int odd = clauses_variable(clauses);
    for (int values = 0; values < 8; values++) { /* each of the eight cases fixes the result */
        int a = values & 1 ? one : -one, b = values & 2 ? other : -other, c = values & 4 ? third : -third;
        bool is_odd = __builtin_popcount((unsigned)values) % 2 == 1;
        clauses_add(clauses, (const int[]){-a, -b, -c, is_odd ? odd : -odd, 0});
    }
    return odd;
}

int clauses_majority(struct clauses *clauses, int one, int other, int third)
{
    int most = clauses_variable(clauses);
    const int pairs[3][2] = {{one, other}, {one, third}, {other, third}};
    for (int i = 0; i < 3; i++) {
        clauses_add(clauses, (const int[]){-pairs[i][0], -pairs[i][1], most, 0});
        clauses_add(clauses, (const int[]){pairs[i][0], pairs[i][1], -most, 0});
    }
    return most;
}

/* At least: wherever the bound has a one, the number has one too, or is already larger by a higher digit. At most: the same
 * with ones and zeros exchanged. */
static void compare(struct clauses *clauses, const int *digits, size_t count, unsigned bound, bool at_least)
{
    assert(count <= MOST_DIGITS);
    for (size_t i = 0; i < count; i++) {
        int literals[MOST_DIGITS + 1];
        size_t used = 0;
        if ((bound >> i & 1) != at_least)
            continue;
        literals[used++] = at_least ? digits[i] : -digits[i];
        for (size_t higher = i + 1; higher < count; higher++)
            if ((bound >> higher & 1) != at_least)
                literals[used++] = at_least ? digits[higher] : -digits[higher];
        literals[used] = 0;
        clauses_add(clauses, literals);
    }
}

void clauses_at_least(struct clauses *clauses, const int *digits, size_t count, unsigned bound)
{
    compare(clauses, digits, count, bound, true);
}

void clauses_at_most(struct clauses *clauses, const int *digits, size_t count, unsigned bound)
{
    compare(clauses, digits, count, bound, false);
}

void clauses_increase(struct clauses *clauses, int *sum, size_t count, const int *addend, size_t addend_count)
{
    int carry = -clauses->truth;
    for (size_t i = 0; i < count; i++) {
        int added = i < addend_count ? addend[i] : -clauses->truth;
        int digit = clauses_parity(clauses, sum[i], added, carry);
        carry = clauses_majority(clauses, sum[i], added, carry);
        sum[i] = digit;
    }
    clauses_add(clauses, (const int[]){-carry, 0});
}
