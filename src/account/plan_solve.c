/* plan_solve.c - epsilon and delta of a plan.
 *
 * A coarse grid tells roughly where the answer lies and how wide the sum of losses is. From that follow the
 * tilt, the step that makes the two bounds meet closely enough, and the length of the transform. If they do
 * not meet, the step is made smaller, until the transform would be too long. Whatever was found on the way is
 * true: the best is kept. */
#include "account/plan_parts.h"

#include <math.h>

#include "mechanism/gaussian_calibration.h"

/* The two bounds should be this close, relative to epsilon. */
#define GOAL 4e-5

/* Longer transforms than this are not worth waiting for. */
#define LARGEST_SIZE ((size_t)1 << 19)

/* A finer grid may show the losses to range wider than the coarse one did. A transform that would become
 * longer than this is not begun: the grid is made coarser instead. */
#define LONGEST_ATTEMPT ((size_t)1 << 21)

/* What is asked: the epsilon for `delta`, or (solve_for_delta) the delta at `epsilon`. */
struct question {
    bool solve_for_delta;
    double epsilon, delta;
};

struct solver {
    const struct account_plan *plan;
    struct question question;
    enum loss_direction direction;
    double lattice;
    double tail;           /* what densities leave out */
    double order, epsilon; /* the tilt; where the answer is expected */
    double delta;          /* its delta, for the size of errors that can be borne */
    struct fft *fft;
    struct account_bounds answer; /* so far */
};

static double plan_releases_on_density(const struct account_plan *plan)
{
    double count = 0;
    for (size_t i = 0; i < plan->part_count; i++)
        count += (double)plan->parts[i].count;
    return count;
}

/* ---- Where is the answer? ---- */

static void locate(struct solver *solver, const struct composition *composition)
{
    double infinity = composition_infinity(composition);
    if (solver->question.solve_for_delta) {
        solver->epsilon = solver->question.epsilon;
        solver->order = composition_order_for_epsilon(composition, solver->epsilon);
        struct cumulant at = composition_cumulant(composition, solver->order);
        double spread = sqrt(2 * M_PI * at.variance), shrink = solver->order * (1 + solver->order) * spread;
        double log_delta = at.value - solver->order * solver->epsilon - log(fmax(2, shrink));
        solver->delta = fmin(1, fmax(1e-300, exp(log_delta) + infinity));
        return;
    }
    solver->delta = fmax(1e-300, fmax(solver->question.delta - infinity, solver->question.delta * 1e-3));
    solver->order = composition_order_for_delta(composition, solver->delta);
    solver->epsilon = fmax(0, composition_cumulant(composition, solver->order).mean);
}

/* A first grid, coarse, but finer than the losses spread. */
static status locate_coarsely(struct solver *solver, struct composition_window *window, error *why)
{
    double step = solver->lattice > 0 ? solver->lattice : plan_widest_loss(solver->plan, solver->tail) / 100;
    for (int round = 0;; round++) {
        struct plan_grids grids;
        struct plan_grids_wish wish = plan_grids_wish(solver->plan, step);
        wish.direction = solver->direction;
        wish.tail = solver->tail;
        TRY(plan_grids_make(&grids, solver->plan, wish, why));
        struct composition composition = plan_grids_composition(&grids, LOSS_UPPER);
        double spread = composition_cumulant(&composition, 0).variance;
        bool fine = solver->lattice > 0 || round == 5 ||
                    plan_releases_on_density(solver->plan) * step * step < 0.1 * spread;
        if (fine) {
            locate(solver, &composition);
            *window = composition_window(&composition, solver->order, solver->epsilon, solver->delta);
        }
        plan_grids_clear(&grids);
        if (fine)
            return DITHER_OK;
        step /= 4;
    }
}

/* ---- How fine must the grid be? ---- */

/* The bounds' variances differ by step^2 / 4 for each release; a variance v more in the sum moves epsilon by
 * (1 + order) v / 2, and the logarithm of delta by `order` times that. */
static double step_for_goal(const struct solver *solver, double goal)
{
    double releases = plan_releases_on_density(solver->plan);
    double allowed = goal * fmax(solver->epsilon, 1e-3);
    if (solver->question.solve_for_delta)
        allowed = 10 * goal / fmax(solver->order, 1e-3);
    return sqrt(8 * allowed / ((1 + solver->order) * releases));
}

static double choose_step(const struct solver *solver, struct composition_window window, double wanted)
{
    if (solver->lattice > 0)
        return solver->lattice;
    double length = fmax(window.highest - window.left, window.right - window.lowest);
    double widest =
        2 * plan_widest_loss(solver->plan, solver->tail); /* a single release's grid has a limit too */
    double finest = fmax(length, widest) / (double)LARGEST_SIZE * 1.01;
    wanted = fmax(wanted, finest);
    size_t size = composition_size(window, wanted);
    double fits = fmax(length / ((double)size - 8) * 1.001, finest); /* as fine as this size allows */
    return plan_aligned_step(solver->plan, fmin(fits, wanted), wanted);
}

/* ---- One attempt ---- */

static status want_fft(struct solver *solver, size_t size, error *why)
{
    if (solver->fft && fft_size(solver->fft) == size)
        return DITHER_OK;
    fft_free(solver->fft);
    solver->fft = fft_new(size);
    return solver->fft ? DITHER_OK : fail(why, DITHER_NO_MEMORY, "no memory to compose %zu losses", size);
}

/* One bound's answer; for the upper one, false in `inside` when it lies below the window. */
static status read_bound(struct solver *solver, const struct plan_grids *grids, enum loss_bound bound,
                         struct composition_window window, double *answer, bool *inside, error *why)
{
    struct composition composition = plan_grids_composition(grids, bound);
    struct loss_tail tail;
    TRY(composition_tail(&tail, &composition, window, solver->fft, why));
    if (solver->question.solve_for_delta) {
        *answer = loss_tail_delta(&tail, solver->question.epsilon);
        *inside = true;
    } else {
        *answer = loss_tail_epsilon(&tail, solver->question.delta);
        *inside = window.lowest == 0 || *answer > window.lowest + tail.step;
    }
    loss_tail_clear(&tail);
    return DITHER_OK;
}

static void keep_best(struct solver *solver, struct account_bounds found)
{
    solver->answer.upper = fmin(solver->answer.upper, fmax(0, found.upper));
    solver->answer.lower = fmax(solver->answer.lower, found.lower);
}

/* False in `fits` when the transform would be too long; nothing was learnt then. */
static status attempt_on(struct solver *solver, const struct plan_grids *grids, bool want_lower, bool *fits,
                         error *why)
{
    struct composition upper = plan_grids_composition(grids, LOSS_UPPER);
    locate(solver, &upper);
    struct account_bounds found = {0, INFINITY};
    bool inside = false;
    for (int round = 0; round < 6 && !inside; round++) {
        struct composition_window window =
            composition_window(&upper, solver->order, solver->epsilon, solver->delta);
        size_t size = composition_size(window, grids->upper[0].step);
        *fits = size <= LONGEST_ATTEMPT;
        if (!*fits)
            return DITHER_OK;
        TRY(want_fft(solver, size, why));
        TRY(read_bound(solver, grids, LOSS_UPPER, window, &found.upper, &inside, why));
        if (!inside) { /* lower than expected: look there */
            solver->epsilon = window.lowest;
            solver->order = composition_order_for_epsilon(&upper, window.lowest);
            keep_best(solver, found);
            continue;
        }
        bool unused;
        if (want_lower)
            TRY(read_bound(solver, grids, LOSS_LOWER, window, &found.lower, &unused, why));
    }
    keep_best(solver, found);
    return DITHER_OK;
}

static status attempt_at(struct solver *solver, double step, bool want_lower, bool *fits, error *why)
{
    struct plan_grids grids;
    struct plan_grids_wish wish = plan_grids_wish(solver->plan, step);
    wish.direction = solver->direction;
    wish.tail = solver->tail;
    wish.want_lower = want_lower;
    wish.order = solver->order;
    TRY(plan_grids_make(&grids, solver->plan, wish, why));
    status result = attempt_on(solver, &grids, want_lower, fits, why);
    plan_grids_clear(&grids);
    return result;
}

/* At this step, or at the first coarser one that can be afforded. A lattice is left for it: a grid that is not
 * the losses' own is less tight, and as true. */
static status attempt(struct solver *solver, double step, bool want_lower, error *why)
{
    bool fits = false;
    for (int round = 0; round < 24 && !fits; round++, step *= 4) {
        TRY(attempt_at(solver, step, want_lower, &fits, why));
        if (!fits)
            solver->lattice = 0;
    }
    return DITHER_OK;
}

static double gap_of(const struct solver *solver)
{
    double upper = solver->answer.upper, lower = fmax(0, solver->answer.lower);
    if (!isfinite(upper) || upper == 0)
        return 0;
    return (upper - lower) / upper / (solver->question.solve_for_delta ? 20 : 1);
}

/* One direction. One that surely stays below `other_lower`, which the other direction reaches, is not
 * refined. */
static status solve_direction(struct solver *solver, double other_lower, error *why)
{
    solver->answer = (struct account_bounds){0, solver->question.solve_for_delta ? 1 : INFINITY};
    struct composition_window window;
    TRY(locate_coarsely(solver, &window, why));
    if (other_lower > 0 && solver->lattice == 0) {
        TRY(attempt(solver, choose_step(solver, window, step_for_goal(solver, 64 * GOAL)), false, why));
        if (solver->answer.upper <= other_lower)
            return DITHER_OK;
    }
    double wanted = step_for_goal(solver, GOAL), last_step = INFINITY;
    for (int round = 0; round < 3; round++) {
        double step = choose_step(solver, window, wanted);
        if (step >= last_step)
            break;
        TRY(attempt(solver, step, true, why));
        double gap = gap_of(solver);
        if (gap < 2 * GOAL || solver->lattice > 0 || !solver->fft ||
            fft_size(solver->fft) >= LARGEST_SIZE / 2)
            break;
        last_step = step;
        wanted = step * fmax(0.2, fmin(0.7, sqrt(GOAL / gap)));
    }
    return DITHER_OK;
}

/* ---- The whole ---- */

/* delta is above the goal at `bad`, and not above it at `good`; so are the ends of the result. */
static struct account_bounds bisect_gaussian(double sigma, double delta, double bad, double good)
{
    while (good - bad > 1e-13 * good) {
        double middle = (good + bad) / 2;
        *(gaussian_delta(sigma, middle) <= delta ? &good : &bad) = middle;
    }
    return (struct account_bounds){bad, good};
}

/* Only Gaussian noise: the closed form, whose last digits are the only gap. */
static struct account_bounds solve_gaussian(const struct account_plan *plan, struct question question)
{
    double sigma = 1 / plan->parts[0].law.shift * (1 - 1e-15);
    if (question.solve_for_delta) {
        double delta = gaussian_delta(sigma, question.epsilon);
        return (struct account_bounds){delta * (1 - 1e-9), delta};
    }
    if (gaussian_delta(sigma, 0) <= question.delta)
        return (struct account_bounds){0, 0};
    double bad = 0, good = 1 / sigma;
    while (gaussian_delta(sigma, good) > question.delta)
        good *= 2;
    double above = bisect_gaussian(sigma, question.delta, bad, good).upper;
    /* delta is known to a part in 10^9: near 1, where the curve is flat, that is much of epsilon. */
    double surely = question.delta / (1 - 1e-9);
    if (!(surely < gaussian_delta(sigma, 0)))
        return (struct account_bounds){0, above};
    double below = bisect_gaussian(sigma, surely, bad, above).lower;
    return (struct account_bounds){below * (1 - 1e-10), above};
}

static status solve(const struct account_plan *plan, struct question question, struct account_bounds *answer,
                    error *why)
{
    if (!plan->known)
        return fail(why, DITHER_REFUSED,
                    "a plan with a release known only by its rho has no loss distribution");
    if (plan->gaussian_only) {
        *answer = solve_gaussian(plan, question);
        return DITHER_OK;
    }
    double releases = plan_releases_on_density(plan);
    double least = question.solve_for_delta ? 1e-30 : question.delta;
    struct solver solver = {.plan = plan,
                            .question = question,
                            .lattice = plan_lattice(plan),
                            .tail = fmax(1e-280, 1e-7 * least / releases)};
    struct account_bounds worst = {0, 0};
    status result = DITHER_OK;
    for (int direction = 0; direction < (plan->symmetric ? 1 : 2) && result == DITHER_OK; direction++) {
        solver.direction = direction == 0 ? LOSS_REMOVE : LOSS_ADD;
        result = solve_direction(&solver, worst.lower, why);
        worst.upper = fmax(worst.upper, solver.answer.upper);
        worst.lower = fmax(worst.lower, solver.answer.lower);
    }
    fft_free(solver.fft);
    if (result == DITHER_OK)
        *answer = worst;
    return result;
}

/* Descriptions are doubles already rounded once on the way in: a lower bound gives that much away. */
static void publish(struct account_bounds found, struct account_bounds *out)
{
    out->upper = found.upper * (1 + 1e-12);
    out->lower = fmin(fmax(0, found.lower * (1 - 1e-12)), out->upper);
}

status account_plan_epsilon(const struct account_plan *plan, double delta, struct account_bounds *epsilon,
                            error *why)
{
    if (!(delta > 0 && delta < 1))
        return fail(why, DITHER_INVALID, "delta must lie strictly between 0 and 1");
    if (delta < 1e-250)
        return fail(why, DITHER_REFUSED,
                    "a delta below 1e-250 is no different from 0: ask for the pure epsilon");
    struct account_bounds found;
    TRY(solve(plan, (struct question){false, 0, delta}, &found, why));
    publish(found, epsilon);
    return DITHER_OK;
}

status account_plan_delta(const struct account_plan *plan, double epsilon, struct account_bounds *delta,
                          error *why)
{
    if (!(epsilon >= 0 && isfinite(epsilon)))
        return fail(why, DITHER_INVALID, "epsilon must be a number that is not negative");
    struct account_bounds found;
    TRY(solve(plan, (struct question){true, epsilon, 0}, &found, why));
    publish(found, delta);
    delta->upper = fmin(1, delta->upper);
    return DITHER_OK;
}
