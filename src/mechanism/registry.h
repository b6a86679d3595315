/* registry.h - one line per mechanism; defined in the file of the same name. */
#ifndef MECHANISM_REGISTRY_H
#define MECHANISM_REGISTRY_H

#include "mechanism/mechanism.h"

/* Numbers with noise. */
extern const struct mechanism_kind mechanism_laplace;
extern const struct mechanism_kind mechanism_geometric;
extern const struct mechanism_kind mechanism_truncated_geometric;
extern const struct mechanism_kind mechanism_truncated_laplace;
extern const struct mechanism_kind mechanism_bounded_laplace;
extern const struct mechanism_kind mechanism_approximate_laplace;
extern const struct mechanism_kind mechanism_gaussian;
extern const struct mechanism_kind mechanism_discrete_gaussian;

/* Statistics of people's values. */
extern const struct mechanism_kind mechanism_sum;
extern const struct mechanism_kind mechanism_mean;
extern const struct mechanism_kind mechanism_truncated_mean;
extern const struct mechanism_kind mechanism_histogram;
extern const struct mechanism_kind mechanism_histogram_mean;
extern const struct mechanism_kind mechanism_variance;
extern const struct mechanism_kind mechanism_cdf;
extern const struct mechanism_kind mechanism_cdf_tree;
extern const struct mechanism_kind mechanism_marginals;
extern const struct mechanism_kind mechanism_point;
extern const struct mechanism_kind mechanism_linear;

#endif
