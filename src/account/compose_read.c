/* compose_read.c - reading epsilon and delta off a composed tail.
 *
 * With P_j the mass at loss l_j: delta(l_i) = sum over j > i of P_j (1 - e^(l_i - l_j)). Going down one step,
 * delta(l_i) = delta(l_{i+1}) + (1 - e^-step) B_{i+1} with B_i = P_i + e^-step B_{i+1}: sums of positive
 * terms. */
#include "account/compose.h"

#include <float.h>
#include <math.h>

/* The curve at one point of the grid: delta without the penalty, and B. */
struct reading {
    double delta, below;
};

static struct reading one_down(const struct loss_tail *tail, struct reading above, size_t index)
{
    double decay = exp(-tail->step), whole = -expm1(-tail->step);
    return (struct reading){above.delta + whole * above.below, tail->mass[index] + decay * above.below};
}

static double penalty_at(const struct loss_tail *tail, size_t index)
{
    return tail->penalty ? tail->penalty[index] : 0;
}

static double loss_at(const struct loss_tail *tail, size_t index)
{
    return (double)(tail->first + (int64_t)index) * tail->step;
}

double loss_tail_epsilon(const struct loss_tail *tail, double delta)
{
    bool upper = tail->bound == LOSS_UPPER;
    if (upper && !(tail->constant <= delta))
        return INFINITY;
    double decay = exp(-tail->step), whole = -expm1(-tail->step);
    struct reading above = {tail->constant, tail->mass[tail->count - 1]};
    for (size_t i = tail->count - 1; i > 0; i--) {
        struct reading here = {above.delta + whole * above.below, tail->mass[i - 1] + decay * above.below};
        double penalty = penalty_at(tail, i - 1);
        if (!(here.delta - penalty <= delta)) { /* no number counts as too much */
            /* Between l_{i-1} and l_i: delta = above.delta + above.below (1 - e^(epsilon - l_i)). */
            double missing = fmax(0, delta + penalty - above.delta) / above.below;
            double epsilon = loss_at(tail, i) + log1p(-fmin(missing, whole));
            double slack = 1e-14 * (1 + fabs(loss_at(tail, i)));
            return upper ? epsilon + slack : epsilon - slack;
        }
        above = here;
    }
    return upper ? loss_at(tail, 0) : -INFINITY;
}

double loss_tail_delta(const struct loss_tail *tail, double epsilon)
{
    bool upper = tail->bound == LOSS_UPPER;
    size_t last = tail->count - 1;
    struct reading reading = {tail->constant, tail->mass[last]};
    if (epsilon >= loss_at(tail, last))
        return tail->constant;
    if (epsilon < loss_at(tail, 0))
        return upper ? 1 : 0;
    for (size_t i = last; i > 0; i--) {
        double distance = loss_at(tail, i) - epsilon;
        if (loss_at(tail, i - 1) <= epsilon) {
            double delta = reading.delta + reading.below * -expm1(-distance);
            double slack = 1e-14 * (1 + fabs(epsilon)) * (reading.below + delta);
            return upper ? fmin(1, delta + slack) : fmax(0, delta - slack - penalty_at(tail, i - 1));
        }
        reading = one_down(tail, reading, i - 1);
    }
    return upper ? 1 : 0;
}
