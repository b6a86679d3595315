/* The Fourier transform is the one of the definition, and no further from it than fft_error says.
 *
 * Small sizes are compared with the defining sum in long double; large ones with sequences whose transform is
 * known, and there and back. */
#include "tests/support/test.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/fft.h"

static double next_value(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53 - 0.5;
}

static struct fft_spectrum spectrum_of(size_t size)
{
    return (struct fft_spectrum){test_calloc(size / 2 + 1, sizeof(double)),
                                 test_calloc(size / 2 + 1, sizeof(double))};
}

static void spectrum_free(struct fft_spectrum spectrum)
{
    test_free(spectrum.real);
    test_free(spectrum.imaginary);
}

static void it_is_the_defining_sum(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (size_t size = 4; size <= 512; size *= 2) {
        double values[512];
        for (size_t n = 0; n < size; n++)
            values[n] = next_value(&seed);
        struct fft *fft = fft_new(size);
        struct fft_spectrum spectrum = spectrum_of(size);
        fft_forward(fft, values, spectrum);
        long double error = 0, norm = 0;
        for (size_t j = 0; j <= size / 2; j++) {
            long double real = 0, imaginary = 0;
            for (size_t n = 0; n < size; n++) {
                long double angle = -2 * acosl(-1) * (long double)(j * n % size) / (long double)size;
                real += values[n] * cosl(angle);
                imaginary += values[n] * sinl(angle);
            }
            long double dr = real - spectrum.real[j], di = imaginary - spectrum.imaginary[j];
            error += dr * dr + di * di;
            norm += real * real + imaginary * imaginary;
        }
        assert_true(sqrtl(error) <= fft_error(size) * sqrtl(norm));
        fft_free(fft);
        spectrum_free(spectrum);
    }
}

static void it_comes_back_to_where_it_started(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (size_t size = 4; size <= (1 << 15); size *= 2) {
        double *values = test_calloc(size, sizeof(double)), *back = test_calloc(size, sizeof(double));
        double norm = 0, error = 0;
        for (size_t n = 0; n < size; n++) {
            values[n] = next_value(&seed);
            norm += values[n] * values[n];
        }
        struct fft *fft = fft_new(size);
        struct fft_spectrum spectrum = spectrum_of(size);
        fft_forward(fft, values, spectrum);
        fft_inverse(fft, spectrum, back);
        for (size_t n = 0; n < size; n++)
            error += (back[n] - values[n]) * (back[n] - values[n]);
        assert_true(sqrt(error) <= 2 * fft_error(size) * sqrt(norm));
        assert_int_equal(fft_size(fft), size);
        fft_free(fft);
        spectrum_free(spectrum);
        test_free(values);
        test_free(back);
    }
}

static void a_shifted_impulse_is_a_turning_arrow_at_every_size(void **state)
{
    (void)state;
    for (size_t size = 4; size <= (1 << 17); size *= 2) {
        double *values = test_calloc(size, sizeof(double));
        values[3] = 1;
        struct fft *fft = fft_new(size);
        struct fft_spectrum spectrum = spectrum_of(size);
        fft_forward(fft, values, spectrum);
        for (size_t j = 0; j <= size / 2; j++) {
            long double angle = -2 * acosl(-1) * (long double)(3 * j % size) / (long double)size;
            assert_true(fabsl(spectrum.real[j] - cosl(angle)) < 1e-15L * 16);
            assert_true(fabsl(spectrum.imaginary[j] - sinl(angle)) < 1e-15L * 16);
        }
        fft_free(fft);
        spectrum_free(spectrum);
        test_free(values);
    }
}

static void a_product_of_spectra_is_a_cyclic_convolution(void **state)
{
    (void)state;
    enum { SIZE = 64 };
    uint64_t seed = 3;
    double x[SIZE], y[SIZE], z[SIZE];
    for (size_t n = 0; n < SIZE; n++) {
        x[n] = next_value(&seed);
        y[n] = next_value(&seed);
    }
    struct fft *fft = fft_new(SIZE);
    struct fft_spectrum fx = spectrum_of(SIZE), fy = spectrum_of(SIZE);
    fft_forward(fft, x, fx);
    fft_forward(fft, y, fy);
    for (size_t j = 0; j <= SIZE / 2; j++) {
        double real = fx.real[j] * fy.real[j] - fx.imaginary[j] * fy.imaginary[j];
        fx.imaginary[j] = fx.real[j] * fy.imaginary[j] + fx.imaginary[j] * fy.real[j];
        fx.real[j] = real;
    }
    fft_inverse(fft, fx, z);
    for (size_t n = 0; n < SIZE; n++) {
        double sum = 0;
        for (size_t m = 0; m < SIZE; m++)
            sum += x[m] * y[(n + SIZE - m) % SIZE];
        assert_true(fabs(sum - z[n]) < 1e-14);
    }
    fft_free(fft);
    spectrum_free(fx);
    spectrum_free(fy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_defining_sum),
        cmocka_unit_test(it_comes_back_to_where_it_started),
        cmocka_unit_test(a_shifted_impulse_is_a_turning_arrow_at_every_size),
        cmocka_unit_test(a_product_of_spectra_is_a_cyclic_convolution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
