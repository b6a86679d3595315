/* plan_parts.h - the inside of a plan: its releases as loss laws, and those laws on a grid.
 *
 * Gaussian releases without sampling are put together into one, which is exact: their losses add up to the
 * loss of one Gaussian release with the root of the sum of squares as its shift. Equal releases become one
 * with a larger count. */
#ifndef ACCOUNT_PLAN_PARTS_H
#define ACCOUNT_PLAN_PARTS_H

#include "account/account_plan.h"
#include "account/compose.h"

struct plan_part {
    struct loss_law law;
    double sampling;
    uint64_t count;
};

struct account_plan {
    struct release *releases;
    size_t release_count;
    struct plan_part *parts;
    size_t part_count;
    bool symmetric;     /* one direction is enough */
    bool gaussian_only; /* one part, with a closed form */
    bool known;         /* false when some release has no loss law */
};

/* Both bounds of all parts on one grid, in one direction. */
struct plan_grids {
    struct loss_grid *upper, *lower;
    uint64_t *counts;
    size_t count;
};

/* Where atoms are to fall onto the grid, roundoff decides on which side of a point. So the upper grid is
 * wider by one part in 10^14, and the lower one narrower: an atom above 0 then lies just below a point of the
 * former, to which nearly all of it goes, and just above one of the latter, onto which it is put. */
struct plan_grids_wish {
    enum loss_direction direction;
    double upper_step, lower_step, tail;
    double order; /* at which the composition will be tilted */
    bool want_lower;
};

/* The steps of a wish, the rest to be filled in. */
struct plan_grids_wish plan_grids_wish(const struct account_plan *plan, double step);

status plan_grids_make(struct plan_grids *grids, const struct account_plan *plan, struct plan_grids_wish wish,
                       error *why) MUST_CHECK;
void plan_grids_clear(struct plan_grids *grids);
struct composition plan_grids_composition(const struct plan_grids *grids, enum loss_bound bound);

/* A step on which all atoms of all parts lie, 0 when there is none. */
double plan_lattice(const struct account_plan *plan);

/* The largest size of a single loss, but for what the tail leaves out. */
double plan_widest_loss(const struct account_plan *plan, double tail);

/* A step in [smallest, largest] on which the plan's atoms lie as nearly as possible. */
double plan_aligned_step(const struct account_plan *plan, double smallest, double largest);

#endif
