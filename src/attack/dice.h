/* dice.h - predictable chance: for made-up people, for the adversary's choices, and for the noise of baselines
 * that are meant to fall. Never for anything that protects somebody: that is random/.
 *
 * SplitMix64 (Steele, Lea, Flood 2014): one word of state, the same numbers on every machine. */
#ifndef ATTACK_DICE_H
#define ATTACK_DICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dice {
    uint64_t state;
};

/* A stream of its own for each pair of seed and purpose. */
void dice_init(struct dice *dice, uint64_t seed, const char *purpose);

uint64_t dice_word(struct dice *dice);

/* 0 to sides - 1; sides at least 1, below 2^32. */
uint32_t dice_below(struct dice *dice, uint32_t sides);

/* A multiple of 2^-53, from 0 to below 1; and from above 0 to 1. */
double dice_uniform(struct dice *dice);
double dice_positive(struct dice *dice);

bool dice_chance(struct dice *dice, double probability);

/* Mean 0 and variance 1. */
double dice_normal(struct dice *dice);

/* The Laplace distribution as textbooks draw it: the logarithm of a uniform double, times the scale, with a
 * sign. Continuous on paper; here its low-order bits tell (floating_point.c). */
double dice_laplace(struct dice *dice, double scale);

/* An index with probability in proportion to its weight, from sums of the weights so far. */
size_t dice_weighted(struct dice *dice, const double *sums, size_t count);

/* Puts the numbers into random order. */
void dice_shuffle(struct dice *dice, uint32_t *numbers, size_t count);

#endif
