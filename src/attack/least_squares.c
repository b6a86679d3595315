#include "attack/least_squares.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

enum { MOST_STEPS = 500 };

static const double close_enough = 1e-6;

status subset_matrix_make(struct subset_matrix *matrix, size_t rows, size_t columns, struct dice *dice,
                          struct arena *arena, error *why)
{
    size_t words = (columns + 63) / 64;
    uint64_t last = columns % 64 == 0 ? UINT64_MAX : ((uint64_t)1 << columns % 64) - 1;
    *matrix = (struct subset_matrix){rows, columns, words, NULL};
    TRY(arena_take(arena, rows * words * sizeof *matrix->bits, (void **)&matrix->bits, why));
    for (size_t i = 0; i < rows * words; i++)
        matrix->bits[i] = dice_word(dice) & (i % words == words - 1 ? last : UINT64_MAX);
    return DITHER_OK;
}

bool subset_matrix_has(const struct subset_matrix *matrix, size_t row, size_t column)
{
    return matrix->bits[row * matrix->words + column / 64] >> column % 64 & 1;
}

void subset_matrix_sums(const struct subset_matrix *matrix, const double *in, double *out)
{
    for (size_t row = 0; row < matrix->rows; row++) {
        const uint64_t *bits = matrix->bits + row * matrix->words;
        double sum = 0;
        for (size_t word = 0; word < matrix->words; word++)
            for (uint64_t left = bits[word]; left != 0; left &= left - 1)
                sum += in[word * 64 + (size_t)__builtin_ctzll(left)];
        out[row] = sum;
    }
}

/* out = transpose * in: for each person, the sum over the subsets that hold him. */
static void transposed_sums(const struct subset_matrix *matrix, const double *in, double *out)
{
    memset(out, 0, matrix->columns * sizeof *out);
    for (size_t row = 0; row < matrix->rows; row++) {
        const uint64_t *bits = matrix->bits + row * matrix->words;
        for (size_t word = 0; word < matrix->words; word++)
            for (uint64_t left = bits[word]; left != 0; left &= left - 1)
                out[word * 64 + (size_t)__builtin_ctzll(left)] += in[row];
    }
}

static double product(const double *one, const double *other, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += one[i] * other[i];
    return sum;
}

/* to = scale * to + factor * from */
static void add(double *to, double scale, double factor, const double *from, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = scale * to[i] + factor * from[i];
}

/* Hestenes and Stiefel 1952 on the normal equations (CGLS): `rest` is answers - matrix * x throughout. */
static void iterate(const struct subset_matrix *matrix, double *x, double *rest, double *gradient,
                    double *direction, double *image)
{
    size_t n = matrix->columns, m = matrix->rows;
    transposed_sums(matrix, rest, gradient);
    memcpy(direction, gradient, n * sizeof *direction);
    double size = product(gradient, gradient, n), enough = size * close_enough * close_enough;
    for (int step = 0; step < MOST_STEPS && size > enough; step++) {
        subset_matrix_sums(matrix, direction, image);
        double length = size / product(image, image, m);
        add(x, 1, length, direction, n);
        add(rest, 1, -length, image, m);
        transposed_sums(matrix, rest, gradient);
        double next = product(gradient, gradient, n);
        add(direction, next / size, 1, gradient, n);
        size = next;
    }
}

status least_squares(const struct subset_matrix *matrix, const double *answers, double *x, error *why)
{
    size_t n = matrix->columns, m = matrix->rows, size = (2 * n + 2 * m) * sizeof(double);
    double *room = memory_allocate(size);
    if (room == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory for least squares");
    double *gradient = room, *direction = room + n, *rest = room + 2 * n, *image = rest + m;
    memset(x, 0, n * sizeof *x);
    memcpy(rest, answers, m * sizeof *rest);
    iterate(matrix, x, rest, gradient, direction, image);
    memory_release(room, size);
    return DITHER_OK;
}
