/* fft.h - the discrete Fourier transform of a real sequence.
 *
 *     X_j = sum over n of x_n exp(-2 pi i j n / size),   j = 0 .. size/2
 *
 * The other half of the spectrum is its mirror image. Sizes are powers of two from 4 to 2^26. A plan holds
 * the roots of unity and scratch memory: make one per size and use it for as many transforms as there are;
 * one thread at a time.
 *
 * Rounding. The computed spectrum differs from the exact one, in Euclidean norm, by at most fft_error(size)
 * times the norm of the exact one, and so does the computed inverse from the exact inverse (Higham, Accuracy
 * and Stability of Numerical Algorithms, 2nd ed., Theorem 24.2, with roots of unity correct to 2 units of
 * roundoff). This is a bound for the worst case, which accounting adds to its answers; what is seen is some
 * hundred times smaller. */
#ifndef BASE_FFT_H
#define BASE_FFT_H

#include <stdbool.h>
#include <stddef.h>

#define FFT_LARGEST_SIZE ((size_t)1 << 26)

struct fft;

/* NULL when there is no memory. `size` must be a power of two from 4 to FFT_LARGEST_SIZE. */
struct fft *fft_new(size_t size);
void fft_free(struct fft *fft);
size_t fft_size(const struct fft *fft);

/* A complex sequence in two arrays of size/2 + 1 numbers. */
struct fft_spectrum {
    double *real, *imaginary;
};

/* Reads `size` numbers, writes the spectrum. The arrays must not overlap. */
void fft_forward(struct fft *fft, const double *values, struct fft_spectrum spectrum);

/* The exact inverse of the above: divides by the size. The imaginary parts at 0 and size/2 are ignored. */
void fft_inverse(struct fft *fft, struct fft_spectrum spectrum, double *values);

/* The bound on the relative error described above. */
double fft_error(size_t size);

#endif
