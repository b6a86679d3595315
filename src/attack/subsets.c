#include "attack/subsets.h"

#include <assert.h>
#include <math.h>

int subsets_sum(uint32_t data, uint32_t subset)
{
    return __builtin_popcount(data & subset);
}

int subsets_distance(uint32_t one, uint32_t other)
{
    return __builtin_popcount(one ^ other);
}

static bool is_consistent(const double *sums, uint32_t all, double reach, uint32_t data)
{
    for (uint32_t subset = all;; subset--) { /* large subsets first: they exclude most */
        if (!(fabs(sums[subset] - subsets_sum(data, subset)) <= reach))
            return false;
        if (subset == 0)
            return true;
    }
}

size_t subsets_consistent(const double *sums, unsigned people, double reach, uint32_t truth, uint32_t *first,
                          int *farthest)
{
    assert(people >= 1 && people <= SUBSETS_MOST);
    uint32_t all = (1u << people) - 1;
    size_t count = 0;
    *farthest = 0;
    for (uint32_t data = 0; data <= all; data++) {
        if (!is_consistent(sums, all, reach, data))
            continue;
        if (count++ == 0)
            *first = data;
        int distance = subsets_distance(data, truth);
        *farthest = distance > *farthest ? distance : *farthest;
    }
    return count;
}

uint32_t subsets_nearest(const double *sums, unsigned people)
{
    assert(people >= 1 && people <= SUBSETS_MOST);
    uint32_t all = (1u << people) - 1, nearest = 0;
    double least = INFINITY;
    for (uint32_t data = 0; data <= all; data++) {
        double distance = 0;
        for (uint32_t subset = 1; subset <= all; subset++)
            distance += fabs(sums[subset] - subsets_sum(data, subset));
        if (distance < least) {
            least = distance;
            nearest = data;
        }
    }
    return nearest;
}
