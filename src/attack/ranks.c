#include "attack/ranks.h"

#include <math.h>

double ranks_area(const double *above, size_t above_count, const double *below, size_t below_count)
{
    double won = 0;
    for (size_t i = 0; i < above_count; i++)
        for (size_t j = 0; j < below_count; j++)
            won += above[i] > below[j] ? 1 : above[i] == below[j] ? 0.5 : 0;
    return won / ((double)above_count * (double)below_count);
}

/* The mean of the places that equal numbers share, counted from 1: those below, and half of those equal. */
static void rank(const double *numbers, size_t count, double *ranks)
{
    for (size_t i = 0; i < count; i++) {
        ranks[i] = 0.5;
        for (size_t j = 0; j < count; j++)
            ranks[i] += numbers[j] < numbers[i] ? 1 : numbers[j] == numbers[i] ? 0.5 : 0;
    }
}

double ranks_correlation(const double *one, const double *other, size_t count, double *room)
{
    double *first = room, *second = room + count, middle = ((double)count + 1) / 2;
    double products = 0, first_squares = 0, second_squares = 0;
    rank(one, count, first);
    rank(other, count, second);
    for (size_t i = 0; i < count; i++) {
        products += (first[i] - middle) * (second[i] - middle);
        first_squares += (first[i] - middle) * (first[i] - middle);
        second_squares += (second[i] - middle) * (second[i] - middle);
    }
    double size = sqrt(first_squares * second_squares);
    return size > 0 ? products / size : 0;
}
