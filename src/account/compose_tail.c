/* compose_tail.c - the transforms: tilt, transform, raise to powers, transform back, tilt back. */
#include "account/compose.h"

#include <assert.h>
#include <float.h>
#include <math.h>

#include "base/memory.h"

/* The inner loops are worth more than the house's -O2: they are what the accountant waits for. */
#pragma GCC optimize("O3")

#define ROUNDOFF (DBL_EPSILON / 2)

struct scratch {
    struct fft_spectrum factor, product;
    double *values;    /* one period */
    double *magnitude; /* bound on |product|, for each frequency */
    double *wobble;    /* sum of count * error / bound over the factors */
    size_t size, half;
    double slack; /* relative error of the tilted masses, all releases together */
    double releases;
};

static status scratch_make(struct scratch *scratch, size_t size, error *why)
{
    size_t half = size / 2 + 1;
    *scratch = (struct scratch){.size = size, .half = half};
    double *memory = memory_allocate((6 * half + size) * sizeof(double));
    if (!memory)
        return fail(why, DITHER_NO_MEMORY, "no memory to compose %zu losses", size);
    scratch->values = memory;
    scratch->factor = (struct fft_spectrum){memory + size, memory + size + half};
    scratch->product = (struct fft_spectrum){memory + size + 2 * half, memory + size + 3 * half};
    scratch->magnitude = memory + size + 4 * half;
    scratch->wobble = memory + size + 5 * half;
    for (size_t j = 0; j < half; j++) {
        scratch->product.real[j] = scratch->magnitude[j] = 1;
        scratch->product.imaginary[j] = scratch->wobble[j] = 0;
    }
    return DITHER_OK;
}

/* Fills one period with the tilted, normalised masses of a grid; returns their Euclidean norm. */
static double tilt(struct scratch *scratch, const struct loss_grid *grid, double order, double cumulant)
{
    for (size_t n = 0; n < scratch->size; n++)
        scratch->values[n] = 0;
    double squares = 0, ratio = exp(-order * grid->step), factor = 0;
    size_t mask = scratch->size - 1;
    for (size_t i = 0; i < grid->count;
         i++) { /* downward: factors decrease, and only what is negligible underflows */
        int64_t point = grid->first + (int64_t)(grid->count - 1 - i);
        factor = i % 64 == 0 ? exp(order * (double)point * grid->step - cumulant) : factor * ratio;
        double mass = grid->mass[grid->count - 1 - i] * factor;
        scratch->values[(size_t)point & mask] += mass;
        squares += mass * mass;
    }
    return sqrt(squares) * (1 + 1e-9);
}

enum { BLOCK = 64 };

struct block {
    double real[BLOCK], imaginary[BLOCK], magnitude[BLOCK];
};

static void block_multiply(struct block *a, const struct block *b)
{
    for (size_t i = 0; i < BLOCK; i++) {
        double real = a->real[i] * b->real[i] - a->imaginary[i] * b->imaginary[i];
        a->imaginary[i] = a->real[i] * b->imaginary[i] + a->imaginary[i] * b->real[i];
        a->real[i] = real;
        a->magnitude[i] *= b->magnitude[i];
    }
}

/* product *= factor ^ count, by squaring; and the same for the bounds, to which `error_bound` is added first.
 */
static void multiply_power(struct scratch *scratch, uint64_t count, double error_bound)
{
    for (size_t start = 0; start < scratch->half; start += BLOCK) {
        size_t length = scratch->half - start < BLOCK ? scratch->half - start : BLOCK;
        struct block base = {0}, result = {0};
        for (size_t i = 0; i < length; i++) {
            double real = scratch->factor.real[start + i], imaginary = scratch->factor.imaginary[start + i];
            base.real[i] = real;
            base.imaginary[i] = imaginary;
            base.magnitude[i] =
                (sqrt(real * real + imaginary * imaginary) + error_bound) * (1 + 4 * DBL_EPSILON);
            result.real[i] = scratch->product.real[start + i];
            result.imaginary[i] = scratch->product.imaginary[start + i];
            result.magnitude[i] = scratch->magnitude[start + i];
            scratch->wobble[start + i] += (double)count * error_bound / base.magnitude[i];
        }
        for (uint64_t left = count; left > 0; left >>= 1) {
            if (left & 1)
                block_multiply(&result, &base);
            if (left > 1) {
                const struct block copy = base;
                block_multiply(&base, &copy);
            }
        }
        for (size_t i = 0; i < length; i++) {
            scratch->product.real[start + i] = result.real[i];
            scratch->product.imaginary[start + i] = result.imaginary[i];
            scratch->magnitude[start + i] = result.magnitude[i];
        }
    }
}

/* Puts the tilted composition into scratch->values; returns a bound on the error of each value. */
static double transform(struct scratch *scratch, const struct composition *composition, double order,
                        struct fft *fft)
{
    double relative = fft_error(scratch->size), length = sqrt((double)scratch->size);
    for (size_t i = 0; i < composition->parts; i++) {
        const struct loss_grid *grid = &composition->grids[i];
        double count = (double)composition->counts[i];
        double cumulant = loss_grid_cumulant(grid, order).value;
        double norm = tilt(scratch, grid, order, cumulant);
        double farthest =
            fmax(fabs((double)grid->first), fabs((double)grid->first + (double)grid->count)) * grid->step;
        fft_forward(fft, scratch->values, scratch->factor);
        multiply_power(scratch, composition->counts[i], relative * length * norm);
        scratch->slack += count * ROUNDOFF * (256 + 8 * (order * farthest + fabs(cumulant)));
        scratch->releases += count;
    }
    double moved = 0, squares = 0;
    for (size_t j = 0; j < scratch->half; j++) {
        double twice = j == 0 || j + 1 == scratch->half ? 1 : 2;
        moved +=
            twice * scratch->magnitude[j] * (scratch->wobble[j] + 8 * ROUNDOFF * (scratch->releases + 1));
        squares += twice * scratch->magnitude[j] * scratch->magnitude[j];
    }
    fft_inverse(fft, scratch->product, scratch->values);
    /* Underflows lose less than the last term. */
    return (moved / (double)scratch->size + relative * sqrt(squares) / length) * (1 + 1e-6) + 1e-280;
}

/* A bound on log P(tilted sum beyond `loss`), on the given side (+1, -1). */
static double log_beyond(const struct composition *composition, struct composition_window window, double loss,
                         int side)
{
    struct cumulant at = composition_cumulant(composition, window.order);
    double spread = sqrt(at.variance) + 1e-300, best = 0;
    for (double deviations = 0.5; deviations < 32; deviations *= 1.5) {
        double extra = side * deviations / spread;
        best = fmin(best,
                    composition_cumulant(composition, window.order + extra).value - at.value - extra * loss);
    }
    double rounding = 1e-9; /* of sums over all points, once per release */
    for (size_t i = 0; i < composition->parts; i++)
        rounding +=
            (double)composition->counts[i] * ((double)composition->grids[i].count + 64) * 2 * DBL_EPSILON;
    return fmin(0, best + rounding);
}

/* The points between which all finite sums lie. */
static struct loss_range support(const struct composition *composition)
{
    struct loss_range range = {0, 0};
    for (size_t i = 0; i < composition->parts; i++) {
        const struct loss_grid *grid = &composition->grids[i];
        double count = (double)composition->counts[i];
        range.lower += count * (double)grid->first;
        range.upper += count * ((double)grid->first + (double)grid->count - 1);
    }
    return range;
}

static status tail_room(struct loss_tail *tail, size_t count, error *why)
{
    tail->count = count;
    tail->mass = memory_allocate(count * sizeof *tail->mass);
    tail->penalty = tail->bound == LOSS_LOWER ? memory_allocate(count * sizeof *tail->penalty) : NULL;
    if (tail->mass && (tail->penalty || tail->bound == LOSS_UPPER))
        return DITHER_OK;
    loss_tail_clear(tail);
    return fail(why, DITHER_NO_MEMORY, "no memory to compose %zu losses", count);
}

/* What the periodic sum may have added to all points of the tail together, in the tilted measure. */
static double came_round(const struct composition *composition, struct composition_window window,
                         const struct loss_tail *tail, size_t size)
{
    struct loss_range ends = support(composition);
    double first = (double)tail->first, last = first + (double)tail->count - 1, period = (double)size;
    double mass = 0;
    if (last - period >= ends.lower)
        mass += exp(log_beyond(composition, window, (last - period) * tail->step, -1));
    if (first + period <= ends.upper)
        mass += exp(log_beyond(composition, window, (first + period) * tail->step, 1));
    return mass;
}

status composition_tail(struct loss_tail *tail, const struct composition *composition,
                        struct composition_window window, struct fft *fft, error *why)
{
    assert(composition->parts > 0);
    struct loss_tail made = {.bound = composition->bound, .step = composition->grids[0].step};
    made.first = (int64_t)floor(window.lowest / made.step);
    int64_t last = (int64_t)ceil(window.highest / made.step);
    struct scratch scratch;
    size_t size = fft_size(fft);
    assert((size_t)(last - made.first) < size);
    TRY(tail_room(&made, (size_t)(last - made.first) + 1, why));
    status result = scratch_make(&scratch, size, why);
    if (result != DITHER_OK) {
        loss_tail_clear(&made);
        return result;
    }
    double rounding = transform(&scratch, composition, window.order, fft);
    double cumulant = composition_cumulant(composition, window.order).value;
    bool upper = made.bound == LOSS_UPPER;
    double slack = scratch.slack + (double)made.count * 8 * DBL_EPSILON +
                   16 * DBL_EPSILON * (fabs(cumulant) + window.order * fabs(window.highest));
    double stretch = upper ? exp(slack) : exp(-slack), round = upper ? rounding : -rounding;
    double highest = support(composition).upper;
    double strayed = upper ? 0 : came_round(composition, window, &made, size) * exp(slack);
    for (size_t i = 0; i < made.count; i++) {
        int64_t point = made.first + (int64_t)i;
        double scale = exp(cumulant - window.order * (double)point * made.step);
        double mass =
            (double)point > highest ? 0 : fmax(0, scratch.values[(size_t)point & (size - 1)] + round);
        made.mass[i] = mass * scale * stretch;
        if (!upper)
            made.penalty[i] = strayed * scale;
    }
    memory_release(scratch.values, 0);
    made.constant = composition_infinity(composition);
    if (upper && (double)last < highest)
        made.constant += exp(log_beyond(composition, window, (double)last * made.step, 1) + cumulant -
                             window.order * (double)last * made.step + slack);
    *tail = made;
    return DITHER_OK;
}

void loss_tail_clear(struct loss_tail *tail)
{
    memory_release(tail->mass, 0);
    memory_release(tail->penalty, 0);
    *tail = (struct loss_tail){0};
}
