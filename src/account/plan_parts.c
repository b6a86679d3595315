/* plan_parts.c - making a plan, and putting it on a grid. */
#include "account/plan_parts.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/* Atoms of discrete noise beyond this probability are given up: earlier where the noise is wide, to save
 * memory. */
static double atom_tail(const struct release *release)
{
    return release->scale < 1e4 ? 1e-280 : 1e-40;
}

static bool same_release(const struct release *a, const struct release *b)
{
    return a->kind == b->kind && a->scale == b->scale && a->sensitivity == b->sensitivity &&
           a->epsilon == b->epsilon && a->delta == b->delta && a->choices == b->choices &&
           a->sampling == b->sampling && a->with == b->with && a->without == b->without &&
           a->outcomes == b->outcomes;
}

static bool joins_gaussians(const struct release *release)
{
    return release->kind == RELEASE_GAUSSIAN && release->sampling == 1;
}

/* The part that already stands for such a release, or NULL. `of` remembers which release a part came from. */
static struct plan_part *part_for(struct account_plan *plan, const struct release *release, const size_t *of)
{
    for (size_t i = 0; i < plan->part_count; i++) {
        const struct release *other = &plan->releases[of[i]];
        if (same_release(other, release) || (joins_gaussians(other) && joins_gaussians(release)))
            return &plan->parts[i];
    }
    return NULL;
}

static status add_part(struct account_plan *plan, size_t index, size_t *of, error *why)
{
    const struct release *release = &plan->releases[index];
    struct plan_part *part = part_for(plan, release, of);
    if (joins_gaussians(release)) {
        double shift = release->sensitivity / release->scale * (1 + 1e-15);
        double square =
            (double)release->count * shift * shift + (part ? part->law.shift * part->law.shift : 0);
        if (!part) {
            of[plan->part_count] = index;
            part = &plan->parts[plan->part_count++];
        }
        *part = (struct plan_part){.sampling = 1, .count = 1};
        loss_law_gaussian(&part->law, sqrt(square) * (1 + 1e-15));
        return DITHER_OK;
    }
    if (part) {
        part->count += release->count;
        return DITHER_OK;
    }
    part = &plan->parts[plan->part_count];
    TRY(loss_law_init(&part->law, release, atom_tail(release), why));
    part->sampling = release->sampling;
    part->count = release->count;
    of[plan->part_count++] = index;
    return DITHER_OK;
}

static status add_parts(struct account_plan *plan, error *why)
{
    size_t *of = memory_allocate(plan->release_count * sizeof *of);
    if (!of)
        return fail(why, DITHER_NO_MEMORY, "no memory for a plan");
    status result = DITHER_OK;
    plan->symmetric = plan->known = true;
    for (size_t i = 0; i < plan->release_count && result == DITHER_OK; i++) {
        if (plan->releases[i].kind == RELEASE_CONCENTRATED) {
            plan->known = false;
            continue;
        }
        plan->symmetric = plan->symmetric && release_is_symmetric(&plan->releases[i]);
        result = add_part(plan, i, of, why);
    }
    plan->gaussian_only = plan->known && plan->part_count == 1 && joins_gaussians(&plan->releases[of[0]]);
    memory_release(of, 0);
    return result;
}

/* Explicit pairs are copied: the caller's arrays are borrowed only during the call. */
static status copy_pair(struct release *release, error *why)
{
    size_t size = release->outcomes * sizeof(double);
    double *both = memory_allocate(2 * size);
    if (!both)
        return fail(why, DITHER_NO_MEMORY, "no memory for a plan");
    memcpy(both, release->with, size);
    memcpy(both + release->outcomes, release->without, size);
    release->with = both;
    release->without = both + release->outcomes;
    return DITHER_OK;
}

static status copy_releases(struct account_plan *plan, const struct release *releases, size_t count,
                            error *why)
{
    double total = 0;
    for (size_t i = 0; i < count; i++) {
        struct release release = releases[i];
        TRY(release_check(&release, why));
        total += (double)release.count;
        if (total > (double)RELEASE_LARGEST_COUNT)
            return fail(why, DITHER_INVALID, "a plan holds at most 2^40 releases");
        if (release.kind == RELEASE_PAIR)
            TRY(copy_pair(&release, why));
        plan->releases[plan->release_count++] = release;
    }
    return DITHER_OK;
}

status account_plan_new(struct account_plan **plan, const struct release *releases, size_t count, error *why)
{
    if (count == 0)
        return fail(why, DITHER_INVALID, "a plan needs at least one release");
    struct account_plan *made = memory_allocate(sizeof *made);
    if (!made)
        return fail(why, DITHER_NO_MEMORY, "no memory for a plan");
    status result = DITHER_NO_MEMORY;
    made->releases = memory_allocate(count * sizeof *made->releases);
    made->parts = memory_allocate(count * sizeof *made->parts);
    if (!made->releases || !made->parts)
        result = fail(why, DITHER_NO_MEMORY, "no memory for a plan");
    else
        result = copy_releases(made, releases, count, why);
    if (result == DITHER_OK)
        result = add_parts(made, why);
    if (result != DITHER_OK) {
        account_plan_free(made);
        return result;
    }
    *plan = made;
    return DITHER_OK;
}

void account_plan_free(struct account_plan *plan)
{
    if (!plan)
        return;
    for (size_t i = 0; i < plan->part_count; i++)
        loss_law_clear(&plan->parts[i].law);
    for (size_t i = 0; i < plan->release_count; i++)
        if (plan->releases[i].kind == RELEASE_PAIR)
            memory_release((void *)(uintptr_t)plan->releases[i].with, 0);
    memory_release(plan->parts, 0);
    memory_release(plan->releases, 0);
    memory_release(plan, 0);
}

const struct release *account_plan_releases(const struct account_plan *plan, size_t *count)
{
    *count = plan->release_count;
    return plan->releases;
}

double account_plan_count(const struct account_plan *plan)
{
    double total = 0;
    for (size_t i = 0; i < plan->release_count; i++)
        total += (double)plan->releases[i].count;
    return total;
}

/* ---- On a grid ---- */

static bool has_atoms(const struct account_plan *plan)
{
    for (size_t i = 0; i < plan->part_count; i++)
        if (plan->parts[i].law.atom_count > 0)
            return true;
    return false;
}

static status make_part(struct plan_grids *grids, const struct plan_part *part, struct plan_grids_wish wish,
                        error *why)
{
    struct pieces pieces;
    struct pieces_wish cut = {part->sampling, wish.direction, wish.upper_step, wish.tail};
    TRY(pieces_cut(&pieces, &part->law, cut, why));
    status result = loss_grid_upper(&grids->upper[grids->count], &pieces, wish.upper_step, why);
    if (result == DITHER_OK && wish.want_lower && wish.lower_step != wish.upper_step) {
        pieces_clear(&pieces);
        cut.step = wish.lower_step;
        result = pieces_cut(&pieces, &part->law, cut, why);
    }
    if (result == DITHER_OK && wish.want_lower)
        result = loss_grid_lower(&grids->lower[grids->count], &pieces, wish.lower_step, why);
    pieces_clear(&pieces);
    /* Moments of true losses are at least 1. Where the step is too coarse for a bound, nothing is the better
     * one. */
    struct loss_grid *lower = &grids->lower[grids->count];
    if (result == DITHER_OK && wish.want_lower && lower->infinity == 0 &&
        loss_grid_cumulant(lower, wish.order).value < -1e-9) /* not by rounding alone */
        loss_grid_say_nothing(lower);
    grids->counts[grids->count++] = part->count;
    return result;
}

struct plan_grids_wish plan_grids_wish(const struct account_plan *plan, double step)
{
    double little = has_atoms(plan) ? 1e-14 : 0;
    return (struct plan_grids_wish){.upper_step = step * (1 + little), .lower_step = step * (1 - little)};
}

status plan_grids_make(struct plan_grids *grids, const struct account_plan *plan, struct plan_grids_wish wish,
                       error *why)
{
    struct plan_grids made = {.upper = memory_allocate(plan->part_count * sizeof *made.upper),
                              .lower = memory_allocate(plan->part_count * sizeof *made.lower),
                              .counts = memory_allocate(plan->part_count * sizeof *made.counts)};
    status result = DITHER_OK;
    if (!made.upper || !made.lower || !made.counts)
        result = fail(why, DITHER_NO_MEMORY, "no memory for a grid of losses");
    for (size_t i = 0; i < plan->part_count && result == DITHER_OK; i++)
        result = make_part(&made, &plan->parts[i], wish, why);
    if (result != DITHER_OK) {
        plan_grids_clear(&made);
        return result;
    }
    *grids = made;
    return DITHER_OK;
}

void plan_grids_clear(struct plan_grids *grids)
{
    for (size_t i = 0; i < grids->count; i++) {
        loss_grid_clear(&grids->upper[i]);
        loss_grid_clear(&grids->lower[i]);
    }
    memory_release(grids->upper, 0);
    memory_release(grids->lower, 0);
    memory_release(grids->counts, 0);
    *grids = (struct plan_grids){0};
}

struct composition plan_grids_composition(const struct plan_grids *grids, enum loss_bound bound)
{
    return (struct composition){bound == LOSS_UPPER ? grids->upper : grids->lower, grids->counts,
                                grids->count, bound};
}
