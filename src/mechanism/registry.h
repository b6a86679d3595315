/* registry.h - one line per mechanism; defined in the file of the same name. */
#ifndef MECHANISM_REGISTRY_H
#define MECHANISM_REGISTRY_H

#include "mechanism/mechanism.h"

/* choices and keys */
extern const struct mechanism_kind mechanism_exponential;
extern const struct mechanism_kind mechanism_permute_and_flip;
extern const struct mechanism_kind mechanism_noisy_max;
extern const struct mechanism_kind mechanism_above_threshold;
extern const struct mechanism_kind mechanism_quantile;
extern const struct mechanism_kind mechanism_partition_selection;
extern const struct mechanism_kind mechanism_threshold_histogram;

#endif
