/* numeric_kinds.h - the mechanisms for numbers that there are, and what their files share. */
#ifndef LOCAL_NUMERIC_KINDS_H
#define LOCAL_NUMERIC_KINDS_H

#include "local/numeric.h"

extern const struct local_numeric_kind numeric_duchi;     /* numeric_kinds.c: one bit */
extern const struct local_numeric_kind numeric_piecewise; /* a window for the mean */
extern const struct local_numeric_kind numeric_hybrid;    /* either, by a coin */
extern const struct local_numeric_kind numeric_wave;      /* a window for the distribution */

/* What an output stands for, in steps from the middle of the range. */
double numeric_centred(const struct local_numeric *numeric, uint32_t output);

#endif
