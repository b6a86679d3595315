/* All mechanisms that exist. The program's list, `dither verify --all`, `make lint` and the public interface
 * take theirs from here; each has a page docs/mechanisms/NAME.md. */
#include "mechanism/registry.h"

const struct mechanism_kind *const mechanism_kinds[] = {
    /* numbers with noise */
    &mechanism_laplace, &mechanism_geometric, &mechanism_truncated_geometric, &mechanism_truncated_laplace,
    &mechanism_bounded_laplace, &mechanism_approximate_laplace, &mechanism_gaussian,
    &mechanism_discrete_gaussian,
    /* statistics of people's values */
    &mechanism_sum, &mechanism_mean, &mechanism_truncated_mean, &mechanism_histogram,
    &mechanism_histogram_mean, &mechanism_variance, &mechanism_cdf, &mechanism_cdf_tree, &mechanism_marginals,
    &mechanism_point, &mechanism_linear,
    /* choices and keys */
};

const size_t mechanism_kind_count = sizeof mechanism_kinds / sizeof mechanism_kinds[0];
