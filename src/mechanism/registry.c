/* All mechanisms that exist. The program's list, `dither verify --all`, `make lint` and the public interface
 * take theirs from here; each has a page docs/mechanisms/NAME.md. */
#include "mechanism/registry.h"

const struct mechanism_kind *const mechanism_kinds[] = {
    /* numbers with noise */
    /* statistics of people's values */
    /* choices and keys */
    &mechanism_exponential,         &mechanism_permute_and_flip, &mechanism_noisy_max,
    &mechanism_above_threshold,     &mechanism_quantile,         &mechanism_partition_selection,
    &mechanism_threshold_histogram,
};

const size_t mechanism_kind_count = sizeof mechanism_kinds / sizeof mechanism_kinds[0];
