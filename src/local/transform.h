/* transform.h - the Walsh-Hadamard transform: out[i] = sum over j of in[j] (-1)^popcount(i & j), in place. */
#ifndef LOCAL_TRANSFORM_H
#define LOCAL_TRANSFORM_H

#include <stddef.h>

/* `count` is a power of two. Whole numbers stay exact while their sum of magnitudes is below 2^53. */
void walsh_hadamard(double *numbers, size_t count);

#endif
