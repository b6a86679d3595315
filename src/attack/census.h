/* census.h - a census block of seven people, the statistics that are published about it, and everybody who could live
 * there.
 *
 * Garfinkel, Abowd, Martindale (ACM Queue 2018): counts, medians and means of a few groups of seven people leave only
 * one possible block. The statistics become clauses, and CaDiCaL finds the blocks that satisfy them. */
#ifndef ATTACK_CENSUS_H
#define ATTACK_CENSUS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

enum {
    CENSUS_PEOPLE = 7,
    CENSUS_OLDEST = 125,
    CENSUS_MARRIED_FROM = 15, /* nobody younger is married */
    CENSUS_MOST_SUM = CENSUS_PEOPLE * CENSUS_OLDEST,
    CENSUS_GROUPS = 27,
};

struct census_person {
    int age;
    bool female, black, married;
};

/* In order of age, and of the other columns where ages are equal. */
struct census_block {
    struct census_person people[CENSUS_PEOPLE];
};

/* A trait that the members of a group have, have not, or may have. */
enum census_trait {
    CENSUS_ANY,
    CENSUS_YES,
    CENSUS_NO,
};

struct census_group {
    enum census_trait female, black, married;
};

/* What is known of a group; `twice_median` is -1 where the median is not. The sum of ages is count times mean. */
struct census_statistic {
    struct census_group group;
    int count_lower, count_upper;
    int sum_lower, sum_upper;
    int twice_median;
};

/* All groups there are, from "everybody" on: index 0 to CENSUS_GROUPS - 1. */
struct census_group census_group_at(int index);

bool census_belongs(const struct census_person *person, struct census_group group);

void census_sort(struct census_block *block);

/* Published statistics of a group: the mean to one decimal. False where fewer than three belong: suppressed. */
bool census_publish(const struct census_block *block, struct census_group group,
                    struct census_statistic *statistic);

/* As printed: a count, a median and a mean that was rounded to one decimal. */
struct census_statistic census_printed(struct census_group group, int count, double median, double mean);

/* Finds up to `capacity` blocks that satisfy all statistics; `count` says how many. */
status census_solve(const struct census_statistic *statistics, size_t statistic_count,
                    struct census_block *blocks, size_t capacity, size_t *count, error *why) MUST_CHECK;

#endif
