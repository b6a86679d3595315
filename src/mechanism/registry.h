/* registry.h - all mechanisms that exist, one line each.
 *
 * The program's list, `dither verify --all`, `make lint` and the public interface take theirs from here. Line
 * `name` stands for `const struct mechanism_kind mechanism_name`, defined in a file of that name, with a page
 * docs/mechanisms/. */
#ifndef MECHANISM_REGISTRY_H
#define MECHANISM_REGISTRY_H

#include "mechanism/mechanism.h"

/* clang-format off */
#define MECHANISMS(mechanism)                                                                                \
    /* numbers with noise */                                                                                 \
    mechanism(laplace)                                                                                       \
    mechanism(geometric)                                                                                     \
    mechanism(truncated_geometric)                                                                           \
    mechanism(truncated_laplace)                                                                             \
    mechanism(bounded_laplace)                                                                               \
    mechanism(approximate_laplace)                                                                           \
    mechanism(gaussian)                                                                                      \
    mechanism(discrete_gaussian)                                                                             \
    /* statistics of people's values */                                                                      \
    mechanism(sum)                                                                                           \
    mechanism(mean)                                                                                          \
    mechanism(truncated_mean)                                                                                \
    mechanism(histogram)                                                                                     \
    mechanism(histogram_mean)                                                                                \
    mechanism(variance)                                                                                      \
    mechanism(quantile)                                                                                      \
    mechanism(cdf)                                                                                           \
    mechanism(cdf_tree)                                                                                      \
    mechanism(marginals)                                                                                     \
    mechanism(point)                                                                                         \
    mechanism(linear)                                                                                        \
    /* choices and keys */                                                                                   \
    mechanism(exponential)                                                                                   \
    mechanism(permute_and_flip)                                                                              \
    mechanism(noisy_max)                                                                                     \
    mechanism(above_threshold)                                                                               \
    mechanism(partition_selection)                                                                           \
    mechanism(threshold_histogram)
/* clang-format on */

#define DECLARE_MECHANISM(name) extern const struct mechanism_kind mechanism_##name;
MECHANISMS(DECLARE_MECHANISM)
#undef DECLARE_MECHANISM

#endif
