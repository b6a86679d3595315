/* A private mean in twenty lines:  cc private_mean.c $(pkg-config --cflags --libs dither) */
#include <stdio.h>

#include <dither.h>

int main(void)
{
    const double salaries[] = {1000, 2000, 3000, 2000, 1000, 6000, 2000, 10000, 2000, 4000};
    const dither_data data = {salaries, 10};
    const dither_options options = {
        .epsilon = 1, .range = {1000, 100000}, .output = {2000, 4000}, .min_size = 5};
    double answer;
    dither_error why;
    dither_random *random = dither_random_new(&why);
    dither_mechanism *mean = dither_mechanism_new("truncated-mean", &options, &why);
    if (random == NULL || mean == NULL ||
        dither_release(mean, random, &data, &answer, 1, &why) != DITHER_OK) {
        fprintf(stderr, "%s\n", why.message);
        return 1;
    }
    printf("the mean salary is about %.0f; the noise had scale %g\n", answer, dither_mechanism_scale(mean));
    dither_mechanism_free(mean);
    dither_random_free(random);
    return 0;
}
