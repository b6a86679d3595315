#include "attack/dice.h"

#include <assert.h>
#include <math.h>

void dice_init(struct dice *dice, uint64_t seed, const char *purpose)
{
    dice->state = seed;
    for (const char *letter = purpose; *letter != '\0'; letter++)
        dice->state = dice_word(dice) ^ (unsigned char)*letter;
}

uint64_t dice_word(struct dice *dice)
{
    uint64_t word = dice->state += 0x9e3779b97f4a7c15u;
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9u;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebu;
    return word ^ (word >> 31);
}

/* The product's upper half: its bias is below sides / 2^32, which nobody sees in made-up data. */
uint32_t dice_below(struct dice *dice, uint32_t sides)
{
    assert(sides > 0);
    return (uint32_t)(((dice_word(dice) >> 32) * sides) >> 32);
}

double dice_uniform(struct dice *dice)
{
    return ldexp((double)(dice_word(dice) >> 11), -53);
}

double dice_positive(struct dice *dice)
{
    return ldexp((double)((dice_word(dice) >> 11) + 1), -53);
}

bool dice_chance(struct dice *dice, double probability)
{
    return dice_uniform(dice) < probability;
}

double dice_normal(struct dice *dice)
{
    double radius = sqrt(-2 * log(dice_positive(dice)));
    return radius * cos(2 * acos(-1) * dice_uniform(dice));
}

double dice_laplace(struct dice *dice, double scale)
{
    double size = -scale * log(dice_positive(dice));
    return dice_word(dice) >> 63 ? size : -size;
}

size_t dice_weighted(struct dice *dice, const double *sums, size_t count)
{
    assert(count > 0);
    double wanted = dice_uniform(dice) * sums[count - 1];
    size_t low = 0, high = count - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sums[middle] > wanted)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

void dice_shuffle(struct dice *dice, uint32_t *numbers, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        size_t j = dice_below(dice, (uint32_t)i);
        uint32_t kept = numbers[i - 1];
        numbers[i - 1] = numbers[j];
        numbers[j] = kept;
    }
}
