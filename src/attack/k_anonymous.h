/* k_anonymous.h - a small k-anonymiser, to be attacked: Mondrian (LeFevre, DeWitt, Ramakrishnan 2006).
 *
 * People are divided at the median of the column that is widest among them, again and again, as long as both halves
 * have at least k. A released row then shows only the ranges of its class. */
#ifndef ATTACK_K_ANONYMOUS_H
#define ATTACK_K_ANONYMOUS_H

#include <stddef.h>
#include <stdint.h>

enum { K_ANONYMOUS_COLUMNS = 2 };

/* Values from 0 to 99 in each column. */
struct quasi_identifier {
    int values[K_ANONYMOUS_COLUMNS];
};

/* Writes the class of each of the people whose indices stand in `order`, which is rearranged; classes are numbered from 0.
 * Returns how many there are. k at least 1. */
size_t k_anonymous_classes(const struct quasi_identifier *people, uint32_t *order, size_t count, size_t k,
                           uint32_t *class_of);

#endif
