/* A private count in twenty lines:  cc private_count.c $(pkg-config --cflags --libs dither) */
#include <stdio.h>

#include <dither.h>

int main(void)
{
    const double truth = 55; /* students born in 1995 who code with Notepad */
    double answer;
    dither_error why;
    dither_random *random = dither_random_new(&why);
    dither_mechanism *count = dither_mechanism_new("geometric", &(dither_options){.epsilon = 1}, &why);
    const dither_data data = {&truth, 1};
    if (random == NULL || count == NULL ||
        dither_release(count, random, &data, &answer, 1, &why) != DITHER_OK) {
        fprintf(stderr, "%s\n", why.message);
        return 1;
    }
    printf("%.0f students, give or take %.0f (95%%); this cost an epsilon of %g\n", answer,
           dither_half_width(count, &data, 0.95), dither_mechanism_cost(count).epsilon);
    dither_mechanism_free(count);
    dither_random_free(random);
    return 0;
}
