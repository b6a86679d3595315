/* linear.h - the parts of the polynomial adversary that tests look at one by one. */
#ifndef ATTACK_LINEAR_H
#define ATTACK_LINEAR_H

#include "attack/lab.h"
#include "attack/least_squares.h"

/* n people with random bits; m = n * questions_each random subsets, answered with normal noise of deviation
 * level * sqrt(n); a solver. */
struct linear_game {
    size_t people, questions_each;
    double level;
    status (*solve)(const struct subset_matrix *matrix, const double *answers, double *x, error *why);
};

/* Plays it once: the share of bits that are right after rounding. */
status linear_trial(const struct linear_game *game, struct dice *dice, struct arena *arena, double *right,
                    error *why) MUST_CHECK;

/* What least squares should reach: Phi(sqrt(m/n - 1) / (4 * level)). */
double linear_law(double questions_each, double level);

/* The share of guesses that lie on the same side of one half as the bits. */
double linear_right(const double *bits, const double *guess, size_t count);

/* Towns of people behind Dither, all asked about by the same subsets at once. */
struct linear_towns {
    size_t count, people;
    struct subset_matrix subsets;
    double *bits;    /* town by town */
    double *answers; /* town by town */
};

status linear_towns_make(struct linear_towns *towns, size_t questions_each, struct dice *dice,
                         struct arena *arena, error *why) MUST_CHECK;

/* Asks one question after the other, as many as there are subsets and one more, which must be refused; rebuilds each town
 * by least squares. `answered`: how many were. */
status linear_towns_attack(struct linear_towns *towns, const char *epsilon, double *right, size_t *answered,
                           error *why) MUST_CHECK;

#endif
