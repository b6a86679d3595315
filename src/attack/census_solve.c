/* A census block as a formula.
 *
 * Seven people in order of age. An age is written down twice: in unary, "at least v" for every v, where medians are
 * literals, and in binary, where sums are adders. A group's members are counted from the youngest, so that the j-th
 * member is known and with it the median. */
#include <assert.h>
#include <ccadical.h>

#include "attack/census.h"
#include "attack/clauses.h"

enum {
    AGE_DIGITS = 7,
    SUM_DIGITS = 10,
    TRAITS = 3, /* female, black, married */
    SATISFIABLE = 10,
};

struct formula {
    struct clauses clauses;
    int at_least[CENSUS_PEOPLE][CENSUS_OLDEST + 2]; /* age >= v, for v up to one more than anybody has */
    int is[CENSUS_PEOPLE][CENSUS_OLDEST + 1];       /* age = v */
    int digits[CENSUS_PEOPLE][AGE_DIGITS];
    int traits[CENSUS_PEOPLE][TRAITS];
};

#define CLAUSE(formula, ...) clauses_add(&(formula)->clauses, (const int[]){__VA_ARGS__, 0})

/* ---- People ---- */

static void write_age(struct formula *formula, size_t i)
{
    struct clauses *clauses = &formula->clauses;
    formula->at_least[i][0] = clauses->truth;
    formula->at_least[i][CENSUS_OLDEST + 1] = -clauses->truth;
    for (int v = 1; v <= CENSUS_OLDEST; v++) {
        formula->at_least[i][v] = clauses_variable(clauses);
        CLAUSE(formula, -formula->at_least[i][v], formula->at_least[i][v - 1]);
    }
    for (int digit = 0; digit < AGE_DIGITS; digit++)
        formula->digits[i][digit] = clauses_variable(clauses);
    for (int v = 0; v <= CENSUS_OLDEST; v++) {
        formula->is[i][v] = clauses_and(clauses, formula->at_least[i][v], -formula->at_least[i][v + 1]);
        for (int digit = 0; digit < AGE_DIGITS; digit++)
            CLAUSE(formula, -formula->is[i][v],
                   v >> digit & 1 ? formula->digits[i][digit] : -formula->digits[i][digit]);
    }
}

/* Everybody is as old as the one before, and of two of the same age the one with the smaller traits comes first: a block has
 * one way to be written down. */
static void write_order(struct formula *formula, size_t i)
{
    int same = clauses_variable(&formula->clauses);
    for (int v = 1; v <= CENSUS_OLDEST; v++)
        CLAUSE(formula, -formula->at_least[i][v], formula->at_least[i + 1][v]);
    for (int v = 0; v <= CENSUS_OLDEST; v++)
        CLAUSE(formula, -formula->is[i][v], -formula->is[i + 1][v], same);
    for (unsigned code = 0; code < 8; code++)
        for (unsigned next = 0; next < code; next++) {
            int literals[2 + 2 * TRAITS] = {-same};
            for (unsigned trait = 0; trait < TRAITS; trait++) {
                int bit = formula->traits[i][trait], next_bit = formula->traits[i + 1][trait];
                literals[1 + trait] = code >> (TRAITS - 1 - trait) & 1 ? -bit : bit;
                literals[1 + TRAITS + trait] = next >> (TRAITS - 1 - trait) & 1 ? -next_bit : next_bit;
            }
            clauses_add(&formula->clauses, literals);
        }
}

static void write_people(struct formula *formula)
{
    for (size_t i = 0; i < CENSUS_PEOPLE; i++) {
        write_age(formula, i);
        for (size_t trait = 0; trait < TRAITS; trait++)
            formula->traits[i][trait] = clauses_variable(&formula->clauses);
        CLAUSE(formula, -formula->traits[i][2], formula->at_least[i][CENSUS_MARRIED_FROM]);
    }
    for (size_t i = 0; i + 1 < CENSUS_PEOPLE; i++)
        write_order(formula, i);
}

/* ---- Statistics ---- */

static int with_trait(struct formula *formula, int so_far, int trait, enum census_trait wanted)
{
    if (wanted == CENSUS_ANY)
        return so_far;
    return clauses_and(&formula->clauses, so_far, wanted == CENSUS_YES ? trait : -trait);
}

static int membership(struct formula *formula, size_t i, struct census_group group)
{
    const int *traits = formula->traits[i];
    int belongs = with_trait(formula, formula->clauses.truth, traits[0], group.female);
    belongs = with_trait(formula, belongs, traits[1], group.black);
    return with_trait(formula, belongs, traits[2], group.married);
}

/* Of one statistic: who belongs, and how many of the first i + 1 people do. */
struct members {
    int belongs[CENSUS_PEOPLE];
    int counted[CENSUS_PEOPLE][CENSUS_PEOPLE + 1];
};

static void write_members(struct formula *formula, const struct census_statistic *statistic,
                          struct members *members)
{
    int truth = formula->clauses.truth;
    for (size_t i = 0; i < CENSUS_PEOPLE; i++) {
        int belongs = members->belongs[i] = membership(formula, i, statistic->group);
        for (size_t j = 0; j <= CENSUS_PEOPLE; j++)
            members->counted[i][j] = j <= i + 1 ? clauses_variable(&formula->clauses) : -truth;
        for (size_t j = 0; j <= i; j++) {
            int before = i > 0 ? members->counted[i - 1][j] : truth;
            CLAUSE(formula, -before, -belongs, members->counted[i][j + 1]);
            CLAUSE(formula, -before, belongs, members->counted[i][j]);
        }
        for (size_t j = 0; j <= i + 1; j++) /* one count, and no other */
            for (size_t k = 0; k < j; k++)
                CLAUSE(formula, -members->counted[i][j], -members->counted[i][k]);
    }
    for (int j = 0; j <= CENSUS_PEOPLE; j++)
        if (j < statistic->count_lower || j > statistic->count_upper)
            CLAUSE(formula, -members->counted[CENSUS_PEOPLE - 1][j]);
}

/* If the group has `count` members, an odd number, the middle one has the median age. */
static void write_odd_median(struct formula *formula, const struct members *members, int count,
                             int twice_median)
{
    int if_so = -members->counted[CENSUS_PEOPLE - 1][count];
    bool possible = twice_median % 2 == 0 && twice_median / 2 <= CENSUS_OLDEST;
    for (size_t i = 0; i < CENSUS_PEOPLE; i++) {
        int age = possible ? formula->is[i][twice_median / 2] : -formula->clauses.truth;
        CLAUSE(formula, if_so, -members->belongs[i], -members->counted[i][(count + 1) / 2], age);
    }
}

/* If it has an even number, the ages of the middle two add up to twice the median. */
static void write_even_median(struct formula *formula, const struct members *members, int count,
                              int twice_median)
{
    int if_so = -members->counted[CENSUS_PEOPLE - 1][count], half = count / 2;
    for (size_t i = 0; i < CENSUS_PEOPLE; i++)
        for (size_t k = i + 1; k < CENSUS_PEOPLE; k++)
            for (int v = 0; v <= CENSUS_OLDEST; v++) {
                int other = twice_median - v;
                int age =
                    other >= 0 && other <= CENSUS_OLDEST ? formula->is[k][other] : -formula->clauses.truth;
                CLAUSE(formula, if_so, -members->belongs[i], -members->counted[i][half], -members->belongs[k],
                       -members->counted[k][half + 1], -formula->is[i][v], age);
            }
}

static void write_sum(struct formula *formula, const struct members *members, int lower, int upper)
{
    int sum[SUM_DIGITS];
    for (size_t digit = 0; digit < SUM_DIGITS; digit++)
        sum[digit] = -formula->clauses.truth;
    for (size_t i = 0; i < CENSUS_PEOPLE; i++) {
        int addend[AGE_DIGITS];
        for (size_t digit = 0; digit < AGE_DIGITS; digit++)
            addend[digit] = clauses_and(&formula->clauses, members->belongs[i], formula->digits[i][digit]);
        clauses_increase(&formula->clauses, sum, SUM_DIGITS, addend, AGE_DIGITS);
    }
    clauses_at_least(&formula->clauses, sum, SUM_DIGITS, (unsigned)lower);
    clauses_at_most(&formula->clauses, sum, SUM_DIGITS, (unsigned)upper);
}

static void write_statistic(struct formula *formula, const struct census_statistic *statistic)
{
    struct members members;
    if (statistic->sum_lower > CENSUS_MOST_SUM || statistic->sum_upper < 0 ||
        statistic->sum_lower > statistic->sum_upper) { /* nobody could live there */
        CLAUSE(formula, -formula->clauses.truth);
        return;
    }
    write_members(formula, statistic, &members);
    write_sum(formula, &members, statistic->sum_lower > 0 ? statistic->sum_lower : 0,
              statistic->sum_upper < CENSUS_MOST_SUM ? statistic->sum_upper : CENSUS_MOST_SUM);
    if (statistic->twice_median < 0)
        return;
    for (int count = 1; count <= CENSUS_PEOPLE; count++)
        if (count % 2 == 1)
            write_odd_median(formula, &members, count, statistic->twice_median);
        else
            write_even_median(formula, &members, count, statistic->twice_median);
}

/* ---- Solutions ---- */

static bool holds(const struct formula *formula, int literal)
{
    return ccadical_val(formula->clauses.solver, literal) > 0;
}

static void read_block(const struct formula *formula, struct census_block *block)
{
    for (size_t i = 0; i < CENSUS_PEOPLE; i++) {
        struct census_person *person = &block->people[i];
        person->age = 0;
        while (holds(formula, formula->at_least[i][person->age + 1]))
            person->age++;
        person->female = holds(formula, formula->traits[i][0]);
        person->black = holds(formula, formula->traits[i][1]);
        person->married = holds(formula, formula->traits[i][2]);
    }
}

/* Any block but this one. */
static void exclude(struct formula *formula, const struct census_block *block)
{
    int literals[CENSUS_PEOPLE * (1 + TRAITS) + 1] = {0};
    size_t used = 0;
    for (size_t i = 0; i < CENSUS_PEOPLE; i++) {
        const struct census_person *person = &block->people[i];
        const bool traits[TRAITS] = {person->female, person->black, person->married};
        literals[used++] = -formula->is[i][person->age];
        for (size_t trait = 0; trait < TRAITS; trait++)
            literals[used++] = traits[trait] ? -formula->traits[i][trait] : formula->traits[i][trait];
    }
    clauses_add(&formula->clauses, literals);
}

status census_solve(const struct census_statistic *statistics, size_t statistic_count,
                    struct census_block *blocks, size_t capacity, size_t *count, error *why)
{
    struct formula formula;
    struct CCaDiCaL *solver = ccadical_init();
    if (solver == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory for a solver");
    ccadical_set_option(solver, "quiet", 1);
    clauses_init(&formula.clauses, solver);
    write_people(&formula);
    for (size_t i = 0; i < statistic_count; i++)
        write_statistic(&formula, &statistics[i]);
    *count = 0;
    while (*count < capacity && ccadical_solve(solver) == SATISFIABLE) {
        read_block(&formula, &blocks[*count]);
        exclude(&formula, &blocks[(*count)++]);
    }
    ccadical_release(solver);
    return DITHER_OK;
}
