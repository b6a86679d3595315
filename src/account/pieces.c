/* pieces.c - cutting a loss law. Both directions are cut along the same edges: adding is removing seen in a
 * mirror. */
#include "account/pieces.h"

#include <float.h>
#include <math.h>

#include "base/memory.h"

#define ROUNDOFF (DBL_EPSILON / 2)

double sampled_loss(double loss, double sampling)
{
    return sampling == 1 ? loss : log1p(sampling * expm1(loss));
}

double unsampled_loss(double loss, double sampling)
{
    if (sampling == 1)
        return loss;
    double ratio = expm1(loss) / sampling;
    return ratio <= -1 ? -INFINITY : log1p(ratio);
}

void pieces_clear(struct pieces *pieces)
{
    memory_release(pieces->list, 0);
    *pieces = (struct pieces){0};
}

/* A loss for removing, known up to `error`; turned round for adding. */
static void append(struct pieces *pieces, struct pieces_wish wish, struct piece piece)
{
    if (!(piece.mass_upper > 0))
        return;
    if (wish.direction == LOSS_ADD) {
        double swap = piece.loss_lower;
        piece.loss_lower = -piece.loss_upper;
        piece.loss_upper = -swap;
    }
    pieces->list[pieces->count++] = piece;
}

/* How fast the sampled loss moves with the base loss: at most 1. */
static double sampled_slope(double base_loss, double loss, double sampling)
{
    return sampling == 1 ? 1 : fmin(1, sampling * exp(base_loss - loss));
}

static double first_side(struct pieces_wish wish, double with, double without)
{
    if (wish.direction == LOSS_ADD)
        return without;
    return wish.sampling == 1 ? with : (1 - wish.sampling) * without + wish.sampling * with;
}

static void append_atom(struct pieces *pieces, const struct loss_law *law, struct pieces_wish wish,
                        struct loss_atom atom)
{
    double mass = first_side(wish, atom.with, atom.without);
    double loss = sampled_loss(atom.loss, wish.sampling);
    double base_error = isinf(atom.loss) ? 0 : LOSS_VALUE_ERROR * fabs(atom.loss) + law->loss_error;
    double slack = base_error * sampled_slope(atom.loss, loss, wish.sampling) + LOSS_VALUE_ERROR * fabs(loss);
    append(pieces, wish,
           (struct piece){mass * (1 - LOSS_ATOM_ERROR), mass * (1 + LOSS_ATOM_ERROR), loss - slack,
                          loss + slack});
}

/* Outcomes of one side alone. With sampling, those that only `without` can produce keep a finite loss. */
static void append_one_sided(struct pieces *pieces, const struct loss_law *law, struct pieces_wish wish)
{
    double seen = wish.sampling * law->with_only;
    if (wish.direction == LOSS_REMOVE)
        append(pieces, wish, (struct piece){seen * (1 - LOSS_ATOM_ERROR), seen, INFINITY, INFINITY});
    else if (wish.sampling == 1) /* mirrored: infinite for adding */
        append(pieces, wish,
               (struct piece){law->without_only * (1 - LOSS_ATOM_ERROR), law->without_only, -INFINITY,
                              -INFINITY});
    if (wish.sampling < 1)
        append_atom(pieces, law, wish, (struct loss_atom){-INFINITY, 0, law->without_only});
}

static void append_interval(struct pieces *pieces, struct pieces_wish wish, struct loss_mass mass,
                            double bottom, double top)
{
    double with_upper = mass.with + mass.with_error, without_upper = mass.without + mass.without_error;
    double with_lower = fmax(0, mass.with - mass.with_error),
           without_lower = fmax(0, mass.without - mass.without_error);
    struct piece piece = {.mass_lower = first_side(wish, with_lower, without_lower) * (1 - 4 * DBL_EPSILON),
                          .mass_upper = first_side(wish, with_upper, without_upper) * (1 + 4 * DBL_EPSILON),
                          .loss_lower = bottom,
                          .loss_upper = top};
    if (with_lower > 0 && without_lower > 0 && isfinite(bottom) && isfinite(top)) {
        double ratio = mass.with / mass.without, rate = wish.sampling;
        double loss = rate == 1 ? log(ratio) : log1p(rate * (ratio - 1));
        double slope =
            rate == 1 ? 1 : fmin(1, rate * ratio / (1 - rate + rate * ratio)); /* as sampled_slope */
        double ratio_error = mass.with_error / with_lower + mass.without_error / without_lower + 8 * ROUNDOFF;
        double slack = ratio_error * slope + ROUNDOFF * (4 * rate + 32 * fabs(loss));
        piece.loss_lower = fmax(bottom, loss - slack);
        piece.loss_upper = fmin(top, loss + slack);
    }
    append(pieces, wish, piece);
}

struct edges {
    double *final, *base; /* of the sampled loss and of the loss below it */
    struct loss_mass *masses;
    size_t count;
};

/* Half steps from `lower` to `upper`, and infinity at both ends. */
static status edges_make(struct edges *edges, struct loss_range range, struct pieces_wish wish, error *why)
{
    double half = wish.step / 2;
    double first = floor(sampled_loss(range.lower, wish.sampling) / wish.step) * 2;
    double last = ceil(sampled_loss(range.upper, wish.sampling) / wish.step) * 2;
    if (!(last - first <= 2 * PIECES_MOST_CELLS))
        return fail(why, DITHER_REFUSED, "the losses range too widely for this grid");
    size_t count = (size_t)(last - first) + 3;
    edges->final = memory_allocate(count * sizeof(double));
    edges->base = memory_allocate(count * sizeof(double));
    edges->masses = memory_allocate(count * sizeof(struct loss_mass));
    if (!edges->final || !edges->base || !edges->masses)
        return fail(why, DITHER_NO_MEMORY, "no memory for a grid of losses");
    edges->count = count;
    for (size_t i = 0; i < count; i++) {
        bool outer = i == 0 || i + 1 == count;
        edges->final[i] = outer ? (i == 0 ? -INFINITY : INFINITY) : (first + (double)(i - 1)) * half;
        edges->base[i] = outer ? edges->final[i] : unsampled_loss(edges->final[i], wish.sampling);
    }
    return DITHER_OK;
}

static void edges_clear(struct edges *edges)
{
    memory_release(edges->final, 0);
    memory_release(edges->base, 0);
    memory_release(edges->masses, 0);
}

static status cut_density(struct pieces *pieces, const struct loss_law *law, struct pieces_wish wish,
                          error *why)
{
    struct edges edges = {0};
    status result = edges_make(&edges, loss_law_range(law, wish.tail), wish, why);
    if (result != DITHER_OK)
        goto done;
    size_t atoms = pieces->count * sizeof *pieces->list;
    struct piece *list = memory_grow(pieces->list, atoms, atoms + edges.count * sizeof *list);
    if (!list) {
        result = fail(why, DITHER_NO_MEMORY, "no memory for a grid of losses");
        goto done;
    }
    pieces->list = list;
    loss_law_masses(law, edges.base, edges.count, edges.masses);
    for (size_t i = 0; i + 1 < edges.count; i++)
        append_interval(pieces, wish, edges.masses[i], edges.final[i], edges.final[i + 1]);
done:
    edges_clear(&edges);
    return result;
}

status pieces_cut(struct pieces *pieces, const struct loss_law *law, struct pieces_wish wish, error *why)
{
    struct pieces made = {.list = memory_allocate((law->atom_count + 4) * sizeof *made.list)};
    if (!made.list)
        return fail(why, DITHER_NO_MEMORY, "no memory for a grid of losses");
    for (size_t i = 0; i < law->atom_count; i++)
        append_atom(&made, law, wish, law->atoms[i]);
    append_one_sided(&made, law, wish);
    double top = wish.direction == LOSS_REMOVE ? law->beyond_right : law->beyond_left;
    double bottom = wish.direction == LOSS_REMOVE ? law->beyond_left : law->beyond_right;
    if (top + bottom > 0) /* both as if their loss were infinite: tails are tiny */
        made.list[made.count++] = (struct piece){0, top + bottom, -INFINITY, INFINITY};
    if (law->density != RELEASE_PURE) {
        status result = cut_density(&made, law, wish, why);
        if (result != DITHER_OK) {
            pieces_clear(&made);
            return result;
        }
    }
    *pieces = made;
    return DITHER_OK;
}
