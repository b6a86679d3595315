/* The event that tells most about one person.
 *
 * Scores of the even people, present and absent, choose an event (above or below a line) and a direction; how often it happens
 * among the odd people who are there, and among those who are not, gives a lower bound on epsilon, by Clopper and Pearson. Every person
 * has the same law, so that answers of several repeats are counted together; that noise is independent between groups and
 * answers is what the shape check looks at. */
#include <math.h>
#include <stdlib.h>

#include "attack/audit_board.h"
#include "base/memory.h"

enum { LINES = 64 };

struct event {
    double line;
    bool below;   /* the event is a score below the line; else from it on */
    bool without; /* more likely without the person */
};

static struct audit_counts count_events(const struct audit_look *look, const struct event *event,
                                        uint64_t half)
{
    struct audit_counts counts = {0};
    for (uint64_t i = 0; i < look->people * look->repeats; i++) {
        uint64_t person = i % look->people;
        if (person % 2 != half)
            continue;
        bool with = look->present[person] != event->without;
        bool happened = (look->scores[i] < event->line) == event->below;
        *(with ? &counts.n_with : &counts.n_without) += 1;
        *(with ? &counts.with : &counts.without) += happened;
    }
    return counts;
}

static int compare_numbers(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static struct event choose(const struct audit_look *look, const double *sorted, uint64_t count, double risk)
{
    struct event best = {.line = sorted[count / 2]};
    double found = -1;
    for (uint64_t line = 1; line < LINES; line++)
        for (int kind = 0; kind < 4; kind++) {
            struct event event = {
                .line = sorted[count * line / LINES], .below = kind & 1, .without = kind & 2};
            double epsilon = audit_event_epsilon(count_events(look, &event, 0), look->claimed_delta, risk);
            if (epsilon > found) {
                found = epsilon;
                best = event;
            }
        }
    return best;
}

double audit_events_epsilon(const struct audit_look *look, double risk)
{
    uint64_t count = 0, all = look->people * look->repeats;
    double *sorted = memory_allocate((all + 1) * sizeof *sorted);
    if (sorted == NULL || all < 4)
        return 0;
    for (uint64_t i = 0; i < all; i++)
        if (i % look->people % 2 == 0)
            sorted[count++] = look->scores[i];
    qsort(sorted, count, sizeof *sorted, compare_numbers);
    struct event event = choose(look, sorted, count, risk);
    memory_release(sorted, (all + 1) * sizeof *sorted);
    return audit_event_epsilon(count_events(look, &event, 1), look->claimed_delta, risk);
}
