#include "attack/k_anonymous.h"

#include <assert.h>
#include <stdlib.h>

struct division {
    const struct quasi_identifier *people;
    uint32_t *class_of;
    size_t k, classes;
};

static int value_of(const struct division *division, uint32_t person, int column)
{
    return division->people[person].values[column];
}

static int width(const struct division *division, const uint32_t *order, size_t count, int column)
{
    int lower = value_of(division, order[0], column), upper = lower;
    for (size_t i = 1; i < count; i++) {
        int value = value_of(division, order[i], column);
        lower = value < lower ? value : lower;
        upper = value > upper ? value : upper;
    }
    return upper - lower;
}

struct sorting {
    const struct division *division;
    int column;
};

static int compare(const void *left, const void *right, void *context)
{
    const struct sorting *sorting = context;
    uint32_t one = *(const uint32_t *)left, other = *(const uint32_t *)right;
    int difference = value_of(sorting->division, one, sorting->column) -
                     value_of(sorting->division, other, sorting->column);
    return difference != 0 ? difference : (one > other) - (one < other);
}

/* Where to cut: the place nearest to the middle between two different values, with k on both sides; 0 for none. */
static size_t cut(const struct division *division, uint32_t *order, size_t count, int column)
{
    struct sorting sorting = {division, column};
    qsort_r(order, count, sizeof *order, compare, &sorting);
    for (size_t off = 0; off <= count / 2; off++)
        for (int side = 0; side < 2; side++) {
            size_t place = side == 0 ? count / 2 - off : count / 2 + off;
            if (place >= division->k && place + division->k <= count &&
                value_of(division, order[place - 1], column) != value_of(division, order[place], column))
                return place;
        }
    return 0;
}

static void divide(struct division *division, uint32_t *order, size_t count)
{
    int widest = width(division, order, count, 1) > width(division, order, count, 0);
    size_t place = cut(division, order, count, widest);
    if (place == 0)
        place = cut(division, order, count, !widest);
    if (place > 0) {
        divide(division, order, place);
        divide(division, order + place, count - place);
        return;
    }
    for (size_t i = 0; i < count; i++)
        division->class_of[order[i]] = (uint32_t)division->classes;
    division->classes++;
}

size_t k_anonymous_classes(const struct quasi_identifier *people, uint32_t *order, size_t count, size_t k,
                           uint32_t *class_of)
{
    assert(k >= 1);
    struct division division = {people, class_of, k, 0};
    if (count > 0)
        divide(&division, order, count);
    return division.classes;
}
