/* The groups of a census block, and what is published about them. */
#include <math.h>
#include <stdlib.h>

#include "attack/census.h"

enum { FEWEST = 3 }; /* groups of fewer are suppressed */

struct census_group census_group_at(int index)
{
    return (struct census_group){(enum census_trait)(index % 3), (enum census_trait)(index / 3 % 3),
                                 (enum census_trait)(index / 9)};
}

static bool fits(bool has, enum census_trait wanted)
{
    return wanted == CENSUS_ANY || has == (wanted == CENSUS_YES);
}

bool census_belongs(const struct census_person *person, struct census_group group)
{
    return fits(person->female, group.female) && fits(person->black, group.black) &&
           fits(person->married, group.married);
}

static int compare_people(const void *left, const void *right)
{
    const struct census_person *one = left, *other = right;
    if (one->age != other->age)
        return one->age < other->age ? -1 : 1;
    int code = one->female * 4 + one->black * 2 + one->married;
    return code - (other->female * 4 + other->black * 2 + other->married);
}

void census_sort(struct census_block *block)
{
    qsort(block->people, CENSUS_PEOPLE, sizeof block->people[0], compare_people);
}

struct census_statistic census_printed(struct census_group group, int count, double median, double mean)
{
    return (struct census_statistic){
        .group = group,
        .count_lower = count,
        .count_upper = count,
        .sum_lower = (int)ceil(count * (mean - 0.05) - 1e-9),
        .sum_upper = (int)floor(count * (mean + 0.05) + 1e-9),
        .twice_median = (int)lround(2 * median),
    };
}

bool census_publish(const struct census_block *block, struct census_group group,
                    struct census_statistic *statistic)
{
    int ages[CENSUS_PEOPLE], count = 0, sum = 0;
    for (size_t i = 0; i < CENSUS_PEOPLE; i++)
        if (census_belongs(&block->people[i], group)) {
            sum += block->people[i].age;
            ages[count++] = block->people[i].age;
        }
    if (count < FEWEST)
        return false;
    double median = (ages[(count - 1) / 2] + ages[count / 2]) / 2.0;
    *statistic = census_printed(group, count, median, round(10.0 * sum / count) / 10);
    return true;
}
