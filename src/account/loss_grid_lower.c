/* loss_grid_lower.c - a measure on the grid whose hockey-stick curve lies below the truth ("optimistic").
 *
 * First the pieces within each half of a cell are taken together, which only hides things: their curve is a
 * polygon below f. On the polygon the straight line between the values at a cell's two ends rises above it by
 * at most E, found at the corners. Lowering the value at each grid point by d = the larger E of its two cells
 * puts the lines of both cells below f; the masses change by the second differences of d. Where that makes a
 * mass negative the curve is not convex, and the point is taken out: its (negative) mass goes to its
 * neighbours so that P and Q are kept, which lowers the curve further. At both ends f is straight (0 above
 * the last loss, 1 - t below the first): there d must be 0, and the first and the last line have to touch the
 * polygon.
 *
 * In cell i everything is measured from its lower end a: r = e^(loss - a) - 1, up to rho = e^step - 1, and
 * Q in units of e^-a. A mass Q at r lifts the line at s by Q min(r, s) (rho - max(r, s)) / rho. */
#include "account/loss_grid.h"

#include <float.h>
#include <math.h>

#include "account/loss_grid_room.h"
#include "base/memory.h"

#define ROUNDOFF (DBL_EPSILON / 2)

/* Losses so little above a grid point (in steps) are put onto it. */
#define SNAP 1e-9

struct half {
    double mass; /* P */
    double rise; /* P - Q, positive */
    double count;
};

struct cell {
    double at_point; /* mass exactly at the cell's lower end */
    struct half left, right;
    double lift;    /* E of this cell */
    double lowered; /* d at the lower end */
};

struct lower {
    struct cell *cells; /* one per grid point; the last one's halves are empty */
    size_t count;
    int64_t first;
    double step, rho, whole; /* whole = 1 - e^-step */
    double *mass, *error;    /* the result, and what rounding may have added to it */
};

static void sort_in(struct lower *lower, const struct piece *piece)
{
    double loss = piece->loss_lower - 2 * DBL_EPSILON * fabs(piece->loss_lower);
    double point = floor(loss / lower->step);
    double inside = loss - point * lower->step;
    if (inside < 0) {
        point--;
        inside += lower->step;
    }
    struct cell *cell = &lower->cells[(int64_t)point - lower->first];
    double mass = piece->mass_lower;
    if (inside <= SNAP * lower->step) {
        cell->at_point += mass;
        return;
    }
    struct half *half = inside < lower->step / 2 ? &cell->left : &cell->right;
    half->mass += mass;
    half->rise += mass * -expm1(-inside);
    half->count++;
}

static void round_down(struct half *half)
{
    half->mass *= 1 - (half->count + 4) * DBL_EPSILON;
    half->rise *= 1 - (2 * half->count + 16) * DBL_EPSILON;
}

/* Where the polygon has its corner, as r, and the mass Q there. */
struct corner {
    double r, q;
};

static struct corner corner_of(const struct half *half)
{
    double q = half->mass - half->rise;
    return q > 0 ? (struct corner){half->rise / q, q} : (struct corner){0, 0};
}

static double lift_at(const struct lower *lower, struct corner corner, double s)
{
    return corner.q * fmin(corner.r, s) * fmax(0, lower->rho - fmax(corner.r, s)) / lower->rho;
}

/* How far the line between the cell's ends rises above the polygon at its two corners. */
struct lifts {
    struct corner left, right;
    double at_left, at_right;
};

static struct lifts cell_lifts(const struct lower *lower, const struct cell *cell)
{
    struct corner left = corner_of(&cell->left), right = corner_of(&cell->right);
    return (struct lifts){left, right, lift_at(lower, left, left.r) + lift_at(lower, right, left.r),
                          lift_at(lower, left, right.r) + lift_at(lower, right, right.r)};
}

#define A_LITTLE_MORE (1 + 1e-9)

/* E */
static double cell_lift(const struct lower *lower, const struct cell *cell)
{
    struct lifts lifts = cell_lifts(lower, cell);
    return fmax(lifts.at_left, lifts.at_right) * A_LITTLE_MORE;
}

/* What the lower end must give way when the upper end gives nothing. */
static double lower_end_alone(const struct lower *lower, const struct cell *cell)
{
    struct lifts lifts = cell_lifts(lower, cell);
    double left = lifts.left.q > 0 ? lifts.at_left * lower->rho / (lower->rho - lifts.left.r) : 0;
    double right = lifts.right.q > 0 ? lifts.at_right * lower->rho / (lower->rho - lifts.right.r) : 0;
    return fmax(left, right) * A_LITTLE_MORE;
}

/* What the upper end must give way when the lower end gives d. */
static double upper_end_needs(const struct lower *lower, const struct cell *cell, double d)
{
    struct lifts lifts = cell_lifts(lower, cell);
    double rho = lower->rho, left_r = lifts.left.r, right_r = lifts.right.r;
    double left = left_r > 0 ? (lifts.at_left * rho * A_LITTLE_MORE - d * (rho - left_r)) / left_r : 0;
    double right = right_r > 0 ? (lifts.at_right * rho * A_LITTLE_MORE - d * (rho - right_r)) / right_r : 0;
    return fmax(0, fmax(left, right)) * A_LITTLE_MORE;
}

static double cell_mass(const struct cell *cell)
{
    return cell->left.mass + cell->right.mass;
}

/* What the cell sends to its upper end. */
static double sent_up(const struct lower *lower, const struct cell *cell)
{
    return (cell->left.rise + cell->right.rise) / lower->whole;
}

/* Gives up the uppermost point: its mass, and that of the cell below, go to the cell's lower end. */
static void drop_top(struct lower *lower, size_t top)
{
    struct cell *below = &lower->cells[top - 1];
    below->at_point += (cell_mass(below) + lower->cells[top].at_point) * (1 - 4 * DBL_EPSILON);
    below->left = below->right = (struct half){0};
    below->lift = 0;
    lower->cells[top].at_point = 0;
}

/* The mass that the straight lines give to a point, before anything is lowered. */
static double line_mass(const struct lower *lower, size_t i)
{
    const struct cell *cell = &lower->cells[i];
    double from_below = i > 0 ? sent_up(lower, cell - 1) : 0;
    return cell->at_point + cell_mass(cell) - sent_up(lower, cell) + from_below;
}

/* The largest d at the next point that leaves this one a mass. */
static double largest_next(const struct lower *lower, size_t i)
{
    double d = lower->cells[i].lowered, before = i > 0 ? lower->cells[i - 1].lowered : 0;
    return d + lower->rho * (line_mass(lower, i) * (1 - 1e-9) + (d - before) / lower->whole);
}

/* Sets d everywhere below `top`, from the bottom upward: 0 at the lowest point; then no less than either
 * neighbouring cell's E, unless that would cost the point before its mass, and no less than the cell below
 * needs. */
static void lower_points(struct lower *lower, size_t top)
{
    size_t bottom = 0;
    while (bottom < top && lower->cells[bottom].at_point == 0 && cell_mass(&lower->cells[bottom]) == 0)
        lower->cells[bottom++].lowered = 0;
    lower->cells[bottom].lowered = 0;
    for (size_t i = bottom + 1; i < top; i++) {
        const struct cell *before = &lower->cells[i - 1];
        double usual = fmin(fmax(before->lift, lower->cells[i].lift), largest_next(lower, i - 1));
        lower->cells[i].lowered = fmax(usual, upper_end_needs(lower, before, before->lowered));
    }
}

/* Finds the uppermost point that keeps a mass when the line to it touches the polygon, and sets d. */
static size_t settle(struct lower *lower)
{
    size_t top = lower->count - 1;
    while (top > 0 && lower->cells[top].at_point == 0 && cell_mass(&lower->cells[top - 1]) == 0)
        top--;
    lower_points(lower, top);
    for (; top > 0; top--) {
        struct cell *below = &lower->cells[top - 1];
        double needed = fmax(below->lowered, lower_end_alone(lower, below));
        double mass = lower->cells[top].at_point + sent_up(lower, below);
        if (mass > 0 && mass - needed / lower->whole > 1e-12 * mass) {
            below->lowered = needed;
            break;
        }
        drop_top(lower, top);
    }
    lower->cells[top].lowered = 0;
    return top;
}

/* The straight lines' masses, changed by the second differences of d. Below the first point the curve runs
 * straight to its value at t = 0. */
static void second_differences(struct lower *lower, size_t top)
{
    for (size_t i = 0; i <= top; i++) {
        const struct cell *cell = &lower->cells[i], *before = i > 0 ? cell - 1 : NULL;
        double d = cell->lowered, after_d = i < top ? cell[1].lowered : 0;
        double left_slope = before ? (d - before->lowered) / lower->whole : d;
        double right_slope = i < top ? (after_d - d) / lower->rho : 0;
        double own = i < top ? cell_mass(cell) - sent_up(lower, cell) : 0;
        double from_below = before ? sent_up(lower, before) : 0;
        lower->mass[i] = cell->at_point + own + from_below - (right_slope - left_slope);
        double sizes = cell->at_point + cell_mass(cell) + from_below + (d + after_d) / lower->rho +
                       (d + (before ? before->lowered : 0)) / (before ? lower->whole : 1);
        lower->error[i] = 32 * ROUNDOFF * sizes;
    }
}

/* Takes out a point whose mass is negative, between the kept points `before` (or t = 0: -1) and `after`. */
static void take_out(struct lower *lower, ptrdiff_t before, ptrdiff_t point, ptrdiff_t after)
{
    double mass = lower->mass[point] - lower->error[point];
    double to_before = 0, to_after = 1;
    if (before >= 0) {
        double x = (double)(point - before) * lower->step, y = (double)(after - point) * lower->step;
        to_after = expm1(-x) / expm1(-x - y);
        to_before = y > 30 ? exp(-x) : expm1(y) / expm1(x + y);
        lower->mass[before] += mass * to_before;
        lower->error[before] += 32 * ROUNDOFF * fabs(mass);
    }
    lower->mass[after] += mass * to_after;
    lower->error[after] += 32 * ROUNDOFF * fabs(mass);
    lower->mass[point] = lower->error[point] = 0;
}

/* The convex hull: afterwards no mass, less its error, is negative. False when the top itself would have to
 * go. */
static bool convex_hull(struct lower *lower, size_t top, ptrdiff_t *kept)
{
    ptrdiff_t last = -1; /* kept[0 .. last] */
    for (ptrdiff_t i = 0; i <= (ptrdiff_t)top; i++) {
        while (last >= 0 && lower->mass[kept[last]] - lower->error[kept[last]] < 0) {
            take_out(lower, last > 0 ? kept[last - 1] : -1, kept[last], i);
            last--;
        }
        kept[++last] = i;
    }
    return lower->mass[top] - lower->error[top] >= 0;
}

/* The plain lower bound: every piece at the grid point below it. */
static void round_to_points(struct lower *lower, const struct pieces *pieces)
{
    for (size_t i = 0; i < lower->count; i++)
        lower->mass[i] = lower->error[i] = 0;
    for (size_t i = 0; i < pieces->count; i++) {
        const struct piece *piece = &pieces->list[i];
        if (isinf(piece->loss_lower) || !(piece->mass_lower > 0))
            continue;
        double loss = piece->loss_lower - 4 * DBL_EPSILON * fabs(piece->loss_lower);
        lower->mass[(int64_t)floor(loss / lower->step) - lower->first] += piece->mass_lower;
    }
    for (size_t i = 0; i < lower->count; i++)
        lower->error[i] = lower->mass[i] * (double)pieces->count * DBL_EPSILON;
}

static struct loss_range lower_range(const struct pieces *pieces)
{
    struct loss_range range = {INFINITY, -INFINITY};
    for (size_t i = 0; i < pieces->count; i++) {
        double loss = pieces->list[i].loss_lower;
        if (isinf(loss) || !(pieces->list[i].mass_lower > 0))
            continue;
        range.lower = fmin(range.lower, loss);
        range.upper = fmax(range.upper, loss);
    }
    return range.lower <= range.upper ? range : (struct loss_range){0, 0};
}

static status build(struct lower *lower, const struct pieces *pieces, double *infinity, error *why)
{
    lower->cells = memory_allocate(lower->count * sizeof *lower->cells);
    lower->error = memory_allocate(lower->count * sizeof *lower->error);
    ptrdiff_t *kept = memory_allocate(lower->count * sizeof *kept);
    status result = DITHER_OK;
    if (!lower->cells || !lower->error || !kept) {
        result = fail(why, DITHER_NO_MEMORY, "no memory for a grid of losses");
        goto done;
    }
    for (size_t i = 0; i < pieces->count; i++) {
        const struct piece *piece = &pieces->list[i];
        if (piece->loss_lower == INFINITY)
            *infinity += piece->mass_lower;
        else if (isfinite(piece->loss_lower) && piece->mass_lower > 0)
            sort_in(lower, piece);
    }
    for (size_t i = 0; i < lower->count; i++) {
        struct cell *cell = &lower->cells[i];
        round_down(&cell->left);
        round_down(&cell->right);
        cell->lift = cell_lift(lower, cell);
    }
    size_t top = settle(lower);
    second_differences(lower, top);
    if (!convex_hull(lower, top, kept))
        round_to_points(lower, pieces);
    for (size_t i = 0; i < lower->count; i++)
        lower->mass[i] = fmax(0, lower->mass[i] - lower->error[i]);
done:
    memory_release(kept, 0);
    memory_release(lower->error, 0);
    memory_release(lower->cells, 0);
    return result;
}

status loss_grid_lower(struct loss_grid *grid, const struct pieces *pieces, double step, error *why)
{
    struct loss_range range = lower_range(pieces);
    range.lower -= step; /* rounding may put the lowest piece a cell lower */
    struct loss_grid made;
    TRY(loss_grid_room(&made, range, step, why));
    struct lower lower = {.count = made.count,
                          .first = made.first,
                          .step = step,
                          .rho = expm1(step),
                          .whole = -expm1(-step),
                          .mass = made.mass};
    status result = build(&lower, pieces, &made.infinity, why);
    if (result != DITHER_OK) {
        loss_grid_clear(&made);
        return result;
    }
    loss_grid_trim(&made);
    made.infinity *= 1 - 1e-12;
    *grid = made;
    return DITHER_OK;
}

void loss_grid_say_nothing(struct loss_grid *grid)
{
    grid->first = 0;
    grid->count = 1;
    grid->mass[0] = 1;
    grid->infinity = 0;
}
