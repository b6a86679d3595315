#include "local/transform.h"

#include <assert.h>

/* Blocks that fit next to the processor are transformed whole before the long strides begin. */
enum { BLOCK = 2048 };

#define WIDE_VECTORS __attribute__((target_clones("avx2", "default")))

WIDE_VECTORS
static void butterflies(double *restrict low, double *restrict high, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double a = low[i], b = high[i];
        low[i] = a + b;
        high[i] = a - b;
    }
}

/* Two strides at once: half as many passes over the memory. */
WIDE_VECTORS
static void double_butterflies(double *restrict a, double *restrict b, double *restrict c, double *restrict d,
                               size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double ab = a[i] + b[i], a_b = a[i] - b[i], cd = c[i] + d[i], c_d = c[i] - d[i];
        a[i] = ab + cd;
        b[i] = a_b + c_d;
        c[i] = ab - cd;
        d[i] = a_b - c_d;
    }
}

static void strides(double *numbers, size_t count, size_t stride)
{
    for (; stride * 2 < count; stride *= 4)
        for (size_t at = 0; at < count; at += 4 * stride)
            double_butterflies(numbers + at, numbers + at + stride, numbers + at + 2 * stride,
                               numbers + at + 3 * stride, stride);
    if (stride < count)
        for (size_t at = 0; at < count; at += 2 * stride)
            butterflies(numbers + at, numbers + at + stride, stride);
}

void walsh_hadamard(double *numbers, size_t count)
{
    assert(count > 0 && (count & (count - 1)) == 0);
    size_t block = count < BLOCK ? count : BLOCK;
    for (size_t at = 0; at < count; at += block)
        strides(numbers + at, block, 1);
    if (block < count)
        strides(numbers, count, block);
}
