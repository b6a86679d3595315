/* plan_step.c - choosing a grid's step so that atoms of the losses fall onto it.
 *
 * An atom between two grid points costs the lower bound dearly, since nothing near it can be merged with it.
 * A step that divides the atoms' losses makes both bounds exact there; plan_grids_make sees to the last
 * digit. */
#include "account/plan_parts.h"

#include <math.h>

double plan_lattice(const struct account_plan *plan)
{
    double smallest = INFINITY;
    for (size_t i = 0; i < plan->part_count; i++) {
        const struct plan_part *part = &plan->parts[i];
        if (part->law.lattice == 0 || part->sampling < 1 || part->law.density != RELEASE_PURE)
            return 0;
        smallest = fmin(smallest, part->law.lattice);
    }
    for (size_t i = 0; i < plan->part_count; i++) {
        double ratio = plan->parts[i].law.lattice / smallest;
        if (fabs(ratio - round(ratio)) > 1e-13 * ratio)
            return 0;
    }
    return smallest;
}

double plan_widest_loss(const struct account_plan *plan, double tail)
{
    double widest = 0;
    for (size_t i = 0; i < plan->part_count; i++) {
        const struct plan_part *part = &plan->parts[i];
        struct loss_range range = loss_law_range(&part->law, tail);
        double lower = sampled_loss(range.lower, part->sampling),
               upper = sampled_loss(range.upper, part->sampling);
        widest = fmax(widest, fmax(fabs(lower), fabs(upper)));
        if (part->sampling < 1 && part->law.without_only > 0) /* kept finite by those who were not sampled */
            widest = fmax(widest, -log1p(-part->sampling));
    }
    return widest;
}

/* The losses of a plan's few heavy atoms, each with how often it comes. */
struct marks {
    double loss[32], weight[32];
    size_t count;
    double least; /* smaller ones are none */
};

static void add_mark(struct marks *marks, double loss, double weight)
{
    if (fabs(loss) >= marks->least && isfinite(loss) &&
        marks->count < sizeof marks->loss / sizeof *marks->loss) {
        marks->loss[marks->count] = fabs(loss);
        marks->weight[marks->count++] = weight;
    }
}

static struct marks heavy_atoms(const struct account_plan *plan, double smallest_step, double largest_step)
{
    struct marks marks = {.least = smallest_step};
    for (size_t i = 0; i < plan->part_count; i++) {
        const struct plan_part *part = &plan->parts[i];
        double weight = (double)part->count;
        if (part->sampling == 1 && part->law.lattice >= largest_step)
            add_mark(&marks, part->law.lattice, weight);
        else if (part->law.atom_count <= 8)
            for (size_t a = 0; a < part->law.atom_count; a++)
                add_mark(&marks, sampled_loss(part->law.atoms[a].loss, part->sampling), weight);
        if (part->sampling < 1)
            add_mark(&marks, log1p(-part->sampling), weight / 4);
    }
    return marks;
}

/* How far the marks are from points of the grid, in squares of steps. */
static double misfit(const struct marks *marks, double step)
{
    double sum = 0;
    for (size_t i = 0; i < marks->count; i++) {
        double ratio = marks->loss[i] / step, off = ratio - round(ratio);
        sum += marks->weight[i] * off * off * step * step;
    }
    return sum;
}

static size_t heaviest(const struct marks *marks)
{
    size_t best = 0;
    for (size_t i = 1; i < marks->count; i++)
        if (marks->weight[i] * marks->loss[i] > marks->weight[best] * marks->loss[best])
            best = i;
    return best;
}

double plan_aligned_step(const struct account_plan *plan, double smallest, double largest)
{
    struct marks marks = heavy_atoms(plan, smallest, largest);
    if (marks.count == 0)
        return smallest;
    double loss = marks.loss[heaviest(&marks)];
    double fewest = fmax(1, ceil(loss / largest)), most = fmax(fewest, floor(loss / smallest));
    double stride = fmax(1, floor((most - fewest) / 4096)), best = loss / most,
           least = misfit(&marks, best) * 0.999;
    for (double cells = fewest; cells < most; cells += stride) {
        double off = misfit(&marks, loss / cells);
        if (off < least) {
            least = off;
            best = loss / cells;
        }
    }
    return best;
}
