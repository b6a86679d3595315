/* law_common.h - what the laws that treat every number by itself have in common. */
#ifndef MECHANISM_LAW_COMMON_H
#define MECHANISM_LAW_COMMON_H

#include "mechanism/law.h"

/* One outcome, and one independent block, per number of the statistic. */
size_t law_one_each(const struct law *law, size_t n);

/* The number of [lower, upper] that is nearest to the value. */
int64_t law_clamp(int64_t value, int64_t lower, int64_t upper);

/* The single cell of two statistics that cannot be told apart. */
void law_visit_same(law_visit visit, void *context);

#endif
