/* torture.h - how long a fault test goes on: a little in the suite, longer under `make torture`. */
#ifndef TESTS_SUPPORT_TORTURE_H
#define TESTS_SUPPORT_TORTURE_H

#include <stdlib.h>

/* `short_count` times the factor in DITHER_TORTURE, which is 1 when it is not set. */
static inline int torture_count(int short_count)
{
    const char *factor = getenv("DITHER_TORTURE");
    int times = factor != NULL ? atoi(factor) : 1;
    return times > 1 ? short_count * times : short_count;
}

#endif
