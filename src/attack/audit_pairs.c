/* Pairs of draws. Noise is symmetric around 0, so that two numbers that are not 0 have the same sign with probability 1/2; both or
 * neither are larger than a constant with probability p^2 + (1-p)^2; and they are equal with a probability that the law gives. Pairs
 * that share no number are independent trials, and their counts are binomial, exactly. */
#include <math.h>
#include <stdio.h>

#include "attack/audit_parts.h"

enum { LEAST_PAIRS = 50 };

struct audit_pairs audit_pairs_of(const char *mechanism, double scale)
{
    double bound = floor(scale * 0.7);
    double above = 1 - audit_law_cumulative(mechanism, scale, bound) +
                   audit_law_cumulative(mechanism, scale, -bound - 1);
    return (struct audit_pairs){.bound = bound,
                                .size_probability = above * above + (1 - above) * (1 - above),
                                .equal_probability = audit_law_collision(mechanism, scale)};
}

void audit_pairs_add(struct audit_pairs *pairs, double a, double b)
{
    pairs->sizes++;
    pairs->same_size += (fabs(a) > pairs->bound) == (fabs(b) > pairs->bound);
    pairs->equal += a == b;
    if (a != 0 && b != 0) {
        pairs->signs++;
        pairs->same_sign += (a > 0) == (b > 0);
    }
}

void audit_pairs_judge(struct audit_run *run, const char *question, const char *what,
                       const struct audit_pairs *pairs)
{
    char text[160];
    if (pairs->sizes < LEAST_PAIRS)
        return;
    snprintf(text, sizeof text, "signs of noise %s", what);
    audit_fit(run, AUDIT_SHAPE, question, text,
              audit_binomial_two_sided(pairs->signs, 0.5, pairs->same_sign));
    snprintf(text, sizeof text, "sizes of noise %s", what);
    audit_fit(run, AUDIT_SHAPE, question, text,
              audit_binomial_two_sided(pairs->sizes, pairs->size_probability, pairs->same_size));
    snprintf(text, sizeof text, "equal noise %s", what);
    audit_fit(run, AUDIT_SHAPE, question, text,
              audit_binomial_at_least(pairs->sizes, pairs->equal_probability, pairs->equal));
}
