/* The law of a choice, written down here once more from the papers.
 *
 * Permute-and-flip (McKenna and Sheldon 2020) between two candidates takes the one whose score is d behind with probability
 * exp(-rate d) / 2. For a median the sensitivity of a score is half of a person's rows R, the rate is the group's epsilon over twice
 * that, and a person's epsilon is shared by his groups. R zeros alone put the 1 behind by d = R / 2: it is chosen with probability
 * exp(-epsilon / (2 groups)) / 2. With as many ones the two are equal. */
#include <math.h>

#include "attack/audit_board.h"

static double group_epsilon(const struct audit_board *board, const struct audit_look *look)
{
    double groups = (double)board->groups;
    return look->claimed_rho > 0 ? sqrt(2 * look->claimed_rho / groups) : look->claimed_epsilon / groups;
}

void audit_choices_fit(const struct audit_board *board, const struct audit_look *look, const char *question)
{
    uint64_t groups[2] = {0}, ones[2] = {0};
    for (uint64_t i = 0; i < look->people * look->repeats; i++) {
        bool present = look->present[i % look->people];
        groups[present] += board->groups;
        ones[present] += (uint64_t)look->scores[i];
    }
    audit_fit(board->run, AUDIT_SHAPE, question, "the median of zeros, which is 1 by the noise alone",
              audit_binomial_two_sided(groups[0], exp(-group_epsilon(board, look) / 2) / 2, ones[0]));
    audit_fit(board->run, AUDIT_SHAPE, question, "the median of as many zeros as ones",
              audit_binomial_two_sided(groups[1], 0.5, ones[1]));
}
