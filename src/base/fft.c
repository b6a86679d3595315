/* fft.c - a real transform of size N as a complex one of size N/2, computed by Stockham's radix-4 algorithm.
 *
 * Stockham's form needs no bit reversal and reads and writes whole stretches of memory, so that the compiler
 * can use vector instructions (van Loan, Computational Frameworks for the Fast Fourier Transform, 1992,
 * section 1.7). Real and imaginary parts live in separate arrays for the same reason. */
#include "base/fft.h"

#include <assert.h>
#include <float.h>
#include <math.h>

#include "base/memory.h"

/* The inner loops are worth more than the house's -O2: they are what the accountant waits for. */
#pragma GCC optimize("O3")

struct fft {
    size_t size, half;        /* of the real sequence; of the complex one */
    double *cosine, *sine;    /* exp(-2 pi i k / size) for k = 0 .. size - 1 */
    struct fft_spectrum a, b; /* between which the stages go to and fro */
    double memory[];
};

/* One eighth of the circle is computed, the rest mirrored: each root is then correct to less than two
 * roundoffs. */
static void fill_roots(struct fft *fft)
{
    size_t size = fft->size, eighth = size / 8;
    for (size_t k = 0; k <= eighth; k++) {
        double angle = 2 * M_PI * (double)k / (double)size;
        double c = k == 0 ? 1 : cos(angle), s = k == 0 ? 0 : sin(angle);
        size_t quarter = size / 4;
        const struct {
            size_t at;
            double cosine, sine;
        } mirrored[] = {{k, c, s},
                        {quarter - k, s, c},
                        {quarter + k, -s, c},
                        {2 * quarter - k, -c, s},
                        {2 * quarter + k, -c, -s},
                        {3 * quarter - k, -s, -c},
                        {3 * quarter + k, s, -c},
                        {(4 * quarter - k) % size, c, -s}};
        for (size_t m = 0; m < 8; m++) {
            fft->cosine[mirrored[m].at] = mirrored[m].cosine;
            fft->sine[mirrored[m].at] = -mirrored[m].sine;
        }
    }
}

struct fft *fft_new(size_t size)
{
    assert(size >= 4 && size <= FFT_LARGEST_SIZE && (size & (size - 1)) == 0);
    size_t half = size / 2;
    struct fft *fft = memory_allocate(sizeof *fft + (2 * size + 4 * half) * sizeof(double));
    if (!fft)
        return NULL;
    double *memory = fft->memory;
    fft->size = size;
    fft->half = half;
    fft->cosine = memory;
    fft->sine = memory + size;
    fft->a = (struct fft_spectrum){memory + 2 * size, memory + 2 * size + half};
    fft->b = (struct fft_spectrum){memory + 2 * size + 2 * half, memory + 2 * size + 3 * half};
    fill_roots(fft);
    return fft;
}

void fft_free(struct fft *fft)
{
    memory_release(fft, 0);
}

size_t fft_size(const struct fft *fft)
{
    return fft->size;
}

struct root {
    double c, s;
};

static inline struct root root_at(const struct fft *fft, size_t k)
{
    return (struct root){fft->cosine[k], fft->sine[k]};
}

/* One column of butterflies: `count` complex numbers from each quarter of the input, which are `apart` apart,
 * go to four neighbouring stretches of the output. */
static inline void butterflies(const double *restrict xr, const double *restrict xi, size_t apart,
                               double *restrict yr, double *restrict yi, size_t count, struct root w1,
                               struct root w2, struct root w3)
{
    for (size_t q = 0; q < count; q++) {
        double ar = xr[q], ai = xi[q];
        double br = xr[q + apart], bi = xi[q + apart];
        double cr = xr[q + 2 * apart], ci = xi[q + 2 * apart];
        double dr = xr[q + 3 * apart], di = xi[q + 3 * apart];
        double sum_r = ar + cr, sum_i = ai + ci, other_r = br + dr, other_i = bi + di;
        double gap_r = ar - cr, gap_i = ai - ci, turn_r = bi - di, turn_i = dr - br; /* -i (b - d) */
        double er = gap_r + turn_r, ei = gap_i + turn_i;
        double fr = sum_r - other_r, fi = sum_i - other_i;
        double gr = gap_r - turn_r, gi = gap_i - turn_i;
        yr[q] = sum_r + other_r;
        yi[q] = sum_i + other_i;
        yr[q + count] = er * w1.c - ei * w1.s;
        yi[q + count] = er * w1.s + ei * w1.c;
        yr[q + 2 * count] = fr * w2.c - fi * w2.s;
        yi[q + 2 * count] = fr * w2.s + fi * w2.c;
        yr[q + 3 * count] = gr * w3.c - gi * w3.s;
        yi[q + 3 * count] = gr * w3.s + gi * w3.c;
    }
}

/* One stage: transforms of length `length`, `stride` of them interleaved. */
static void radix4_stage(const struct fft *fft, struct fft_spectrum x, struct fft_spectrum y, size_t length,
                         size_t stride)
{
    size_t quarter = length / 4, step = fft->size / length, apart = stride * quarter;
    for (size_t p = 0; p < quarter; p++) {
        struct root w1 = root_at(fft, p * step), w2 = root_at(fft, 2 * p * step),
                    w3 = root_at(fft, 3 * p * step);
        const double *xr = x.real + stride * p, *xi = x.imaginary + stride * p;
        double *yr = y.real + 4 * stride * p, *yi = y.imaginary + 4 * stride * p;
        if (stride == 1)
            butterflies(xr, xi, apart, yr, yi, 1, w1, w2, w3);
        else if (stride == 4)
            butterflies(xr, xi, apart, yr, yi, 4, w1, w2, w3);
        else
            butterflies(xr, xi, apart, yr, yi, stride, w1, w2, w3);
    }
}

static void radix2_stage(struct fft_spectrum x, struct fft_spectrum y, size_t half)
{
    size_t quarter = half / 2;
    for (size_t q = 0; q < quarter; q++) {
        double ar = x.real[q], ai = x.imaginary[q], br = x.real[q + quarter], bi = x.imaginary[q + quarter];
        y.real[q] = ar + br;
        y.imaginary[q] = ai + bi;
        y.real[q + quarter] = ar - br;
        y.imaginary[q + quarter] = ai - bi;
    }
}

/* The complex transform of what lies in fft->a; returns where the result lies. */
static struct fft_spectrum complex_transform(struct fft *fft)
{
    struct fft_spectrum from = fft->a, to = fft->b;
    size_t length = fft->half, stride = 1;
    for (; length >= 4; length /= 4, stride *= 4) {
        radix4_stage(fft, from, to, length, stride);
        struct fft_spectrum swap = from;
        from = to;
        to = swap;
    }
    if (length == 1)
        return from;
    radix2_stage(from, to, fft->half);
    return to;
}

void fft_forward(struct fft *fft, const double *values, struct fft_spectrum spectrum)
{
    size_t half = fft->half;
    for (size_t n = 0; n < half; n++) {
        fft->a.real[n] = values[2 * n];
        fft->a.imaginary[n] = values[2 * n + 1];
    }
    struct fft_spectrum z = complex_transform(fft);
    spectrum.real[0] = z.real[0] + z.imaginary[0];
    spectrum.real[half] = z.real[0] - z.imaginary[0];
    spectrum.imaginary[0] = spectrum.imaginary[half] = 0;
    for (size_t k = 1; k < half; k++) {
        /* Even samples' transform is (z_k + conj z_-k) / 2, odd ones' (z_k - conj z_-k) / 2i, turned by a
         * root. */
        double even_r = (z.real[k] + z.real[half - k]) / 2,
               even_i = (z.imaginary[k] - z.imaginary[half - k]) / 2;
        double odd_r = (z.imaginary[k] + z.imaginary[half - k]) / 2,
               odd_i = (z.real[half - k] - z.real[k]) / 2;
        struct root w = root_at(fft, k);
        spectrum.real[k] = even_r + odd_r * w.c - odd_i * w.s;
        spectrum.imaginary[k] = even_i + odd_r * w.s + odd_i * w.c;
    }
}

void fft_inverse(struct fft *fft, struct fft_spectrum spectrum, double *values)
{
    size_t half = fft->half;
    double scale = 1 / (double)fft->size;
    /* Swapping real and imaginary parts before and after turns the forward transform into the inverse one. */
    fft->a.imaginary[0] = (spectrum.real[0] + spectrum.real[half]) * scale;
    fft->a.real[0] = (spectrum.real[0] - spectrum.real[half]) * scale;
    for (size_t k = 1; k < half; k++) {
        double even_r = spectrum.real[k] + spectrum.real[half - k];
        double even_i = spectrum.imaginary[k] - spectrum.imaginary[half - k];
        double gap_r = spectrum.real[k] - spectrum.real[half - k];
        double gap_i = spectrum.imaginary[k] + spectrum.imaginary[half - k];
        struct root w = root_at(fft, k);
        double odd_r = gap_r * w.c + gap_i * w.s, odd_i = gap_i * w.c - gap_r * w.s;
        fft->a.imaginary[k] = (even_r - odd_i) * scale;
        fft->a.real[k] = (even_i + odd_r) * scale;
    }
    struct fft_spectrum z = complex_transform(fft);
    for (size_t n = 0; n < half; n++) {
        values[2 * n] = z.imaginary[n];
        values[2 * n + 1] = z.real[n];
    }
}

double fft_error(size_t size)
{
    /* Per level: roots within 2u, a product and a sum within sqrt(2) gamma_4; three levels more for the step
     * between complex and real. With u = DBL_EPSILON / 2 that is below 9 u a level. */
    double levels = log2((double)size) + 3;
    return levels * 9 * (DBL_EPSILON / 2);
}
