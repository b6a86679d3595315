/* Guessing who is there, from one answer.
 *
 * Privacy auditing with one (1) training run, Steinke, Nasr and Jagielski 2023, put to questions: the mechanism is the answer, the
 * canaries are people with groups of their own. A guess may depend on the answer, and on the coins of the people that are not
 * guessed (condition on them: what remains is private towards the rest), so the even half teaches where to draw the lines and the
 * odd half is guessed. No independence of noise is assumed: the theorem holds for every private answer. */
#include <math.h>
#include <stdlib.h>

#include "attack/audit_board.h"
#include "base/memory.h"

enum { LINES = 40 };

/* Present from `high` on, absent up to `low`; nothing is said between. Or the other way round. */
struct rule {
    double low, high;
    bool turned;
};

static struct audit_guesses count_right(const struct audit_look *look, const struct rule *rule,
                                        uint64_t first)
{
    struct audit_guesses guesses = {0};
    for (uint64_t i = first; i < look->people; i += 2) {
        guesses.people++;
        bool present = look->scores[i] >= rule->high, absent = !present && look->scores[i] <= rule->low;
        if (!present && !absent)
            continue;
        guesses.guessed++;
        guesses.right += (present != rule->turned) == look->present[i];
    }
    return guesses;
}

static int compare_numbers(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double epsilon_of(const struct audit_look *look, const struct rule *rule, uint64_t first, double risk)
{
    return audit_guesses_epsilon(count_right(look, rule, first), look->claimed_delta, risk);
}

/* Lines at quantiles of the scores: all guessed at one line, or only the outer parts. */
static struct rule learn(const struct audit_look *look, const double *sorted, uint64_t count, double risk)
{
    struct rule best = {.low = sorted[count / 2], .high = sorted[count / 2]};
    double found = -1;
    for (int low = 1; low < LINES; low++)
        for (int high = low; high < LINES; high += 1 + (high - low) / 4)
            for (int turned = 0; turned <= 1; turned++) {
                struct rule rule = {.low = sorted[count * (uint64_t)low / LINES],
                                    .high = sorted[count * (uint64_t)high / LINES],
                                    .turned = turned};
                double epsilon = epsilon_of(look, &rule, 0, risk);
                if (epsilon > found) {
                    found = epsilon;
                    best = rule;
                }
            }
    return best;
}

double audit_canaries_epsilon(const struct audit_look *look, double risk)
{
    uint64_t count = 0;
    double *sorted = memory_allocate((look->people + 1) * sizeof *sorted);
    if (sorted == NULL || look->people < 4)
        return 0;
    for (uint64_t i = 0; i < look->people; i += 2)
        sorted[count++] = look->scores[i];
    qsort(sorted, count, sizeof *sorted, compare_numbers);
    /* Learning with the same risk: a rule that guesses few people, and was lucky with them, is not worth more than it proves. */
    struct rule rule = learn(look, sorted, count, risk);
    memory_release(sorted, (look->people + 1) * sizeof *sorted);
    return epsilon_of(look, &rule, 1, risk);
}
