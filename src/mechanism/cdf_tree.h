/* cdf_tree.h - the tree of dyadic intervals, for whoever has counted the leaves already (the curator's engine). */
#ifndef MECHANISM_CDF_TREE_H
#define MECHANISM_CDF_TREE_H

#include "mechanism/mechanism.h"

/* In how many nodes a leaf is at most. */
uint64_t cdf_tree_levels(size_t leaves);

/* The statistic of mechanism_cdf_tree from the counts of its leaves; saturated at MECHANISM_LIMIT. */
void cdf_tree_nodes(const int64_t *counts, size_t leaves, int64_t *nodes);

#endif
