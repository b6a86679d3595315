/* compose.c - where to tilt, and where to look. */
#include "account/compose.h"

#include <float.h>
#include <math.h>

struct cumulant composition_cumulant(const struct composition *composition, double order)
{
    struct cumulant sum = {0};
    for (size_t i = 0; i < composition->parts; i++) {
        struct cumulant part = loss_grid_cumulant(&composition->grids[i], order);
        double count = (double)composition->counts[i];
        sum.value += count * part.value;
        sum.mean += count * part.mean;
        sum.variance += count * part.variance;
    }
    return sum;
}

/* The whole measure less its finite part. The masses of one release need not add up to 1. */
double composition_infinity(const struct composition *composition)
{
    double log_whole = 0, log_finite_share = 0;
    for (size_t i = 0; i < composition->parts; i++) {
        double infinity = composition->grids[i].infinity, count = (double)composition->counts[i];
        double finite = exp(loss_grid_cumulant(&composition->grids[i], 0).value);
        log_whole += count * log(finite + infinity);
        log_finite_share += count * log1p(-infinity / (finite + infinity));
    }
    double probability = -expm1(log_finite_share) * exp(log_whole);
    return composition->bound == LOSS_UPPER ? probability * (1 + 1e-9) : probability * (1 - 1e-9);
}

/* Tilting further than this changes nothing that doubles could show. */
static double largest_order(const struct composition *composition)
{
    struct cumulant plain = composition_cumulant(composition, 0);
    double spread = sqrt(plain.variance);
    return spread > 0 ? fmin(60 / spread, 1e9) : 0;
}

double composition_order_for_epsilon(const struct composition *composition, double epsilon)
{
    double lower = 0, upper = largest_order(composition);
    if (composition_cumulant(composition, 0).mean >= epsilon)
        return 0;
    for (int i = 0; i < 40 && upper - lower > 1e-3 * upper; i++) {
        double middle = (lower + upper) / 2;
        if (composition_cumulant(composition, middle).mean < epsilon)
            lower = middle;
        else
            upper = middle;
    }
    return lower;
}

/* Chernoff: log delta <= K(s) - s K'(s) at epsilon = K'(s); a saddle point says by how much it is too large.
 */
double composition_order_for_delta(const struct composition *composition, double delta)
{
    double largest = largest_order(composition), order = 0, goal = log(delta);
    for (int round = 0; round < 3; round++) {
        double lower = 0, upper = largest;
        struct cumulant at = {0};
        for (int i = 0; i < 40 && upper - lower > 1e-2 * upper; i++) {
            order = (lower + upper) / 2;
            at = composition_cumulant(composition, order);
            if (at.value - order * at.mean > goal)
                lower = order;
            else
                upper = order;
        }
        double correction = order * (1 + order) * sqrt(2 * M_PI * at.variance);
        goal = fmin(log(delta) + log(fmax(1, correction)), -0.1);
    }
    return order;
}

/* The bounds of Chernoff, for a few orders around the best one for a normal sum. */
static const double deviations[] = {1, 2, 3, 4, 5, 6, 8, 12};
enum { DEVIATIONS = sizeof deviations / sizeof *deviations };

struct composition_window composition_window(const struct composition *composition, double order,
                                             double epsilon, double delta)
{
    struct cumulant at = composition_cumulant(composition, order);
    double spread = sqrt(at.variance) + 1e-300;
    /* Masses in the tilted sum count e^(K - order * epsilon) times: they shall stay below 1e-7 delta. */
    double small = log(delta) - 16, tilted_small = fmin(-16, small - (at.value - order * epsilon));
    struct composition_window window = {order, -INFINITY, epsilon - spread, INFINITY, INFINITY};
    for (size_t i = 0; i < DEVIATIONS; i++) {
        double extra = deviations[i] / spread;
        double above = composition_cumulant(composition, order + extra).value;
        double below = composition_cumulant(composition, order - extra).value;
        window.highest = fmin(window.highest, (above - small) / (order + extra));
        window.right = fmin(window.right, (above - at.value - tilted_small) / extra);
        window.left = fmax(window.left, (tilted_small + at.value - below) / extra);
    }
    double top = 0, bottom = 0;
    for (size_t i = 0; i < composition->parts; i++) {
        const struct loss_grid *grid = &composition->grids[i];
        double count = (double)composition->counts[i];
        top += count * (double)(grid->first + (int64_t)grid->count - 1) * grid->step;
        bottom += count * (double)grid->first * grid->step;
    }
    double step = composition->parts ? composition->grids[0].step : 1;
    window.highest = fmin(window.highest, top) + step;
    window.right = fmin(window.right, top) + step;
    window.left = fmax(window.left, bottom) - step;
    window.lowest = fmax(0, fmin(window.lowest, window.highest - 2 * step));
    if (window.highest < window.lowest)
        window.highest = window.lowest + 2 * step;
    return window;
}

size_t composition_size(struct composition_window window, double step)
{
    /* Nothing below `left` may come round to `highest`, nothing above `right` to `lowest`. */
    double length = fmax(window.highest - window.left, window.right - window.lowest);
    double points = ceil(fmax(length, window.highest - window.lowest) / step) + 4;
    size_t size = 16;
    while ((double)size < points && size < FFT_LARGEST_SIZE)
        size *= 2;
    return size;
}
