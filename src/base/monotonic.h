/* monotonic.h - a clock that only goes forward, whatever happens to the calendar. */
#ifndef BASE_MONOTONIC_H
#define BASE_MONOTONIC_H

#include <stdint.h>

int64_t monotonic_milliseconds(void);
/* The same, finer. */
double monotonic_seconds(void);

#endif
