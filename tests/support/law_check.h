/* law_check.h - what every law has to satisfy, asserted with cmocka. */
#ifndef TESTS_SUPPORT_LAW_CHECK_H
#define TESTS_SUPPORT_LAW_CHECK_H

#include "mechanism/law.h"

/* The cells of every block add up to 1 on both sides, within the intervals, and these are narrower than
 * `width`. */
void law_check_total(const struct law *law, const int64_t *left, const int64_t *right, size_t n,
                     double width);

/* The largest ratio of probabilities, as an upper bound: the worst over the cells of one block of left /
 * right. */
double law_check_ratio(const struct law *law, const int64_t *left, const int64_t *right, size_t n,
                       size_t block);

/* `draws` samples with a fixed seed: outcome[index], which takes the values 0 to values - 1 (and, as a last
 * cell, LAW_HIDDEN or anything else), fits the law's own probabilities by chi-square. */
void law_check_fit(const struct law *law, const int64_t *statistic, size_t n, size_t index, size_t values,
                   uint64_t draws, uint64_t seed);

/* The law's probability of the outcome contains `expected`, and is no wider than `width`. */
void law_check_probability(const struct law *law, const int64_t *statistic, size_t n, size_t index,
                           int64_t value, double expected, double width);

#endif
