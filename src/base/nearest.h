/* nearest.h - did you mean ...? The name with the fewest letters changed, added, left out or swapped with
 * their neighbour. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>

/* The name that is nearest to what was typed, or NULL when none is near. `name` gives the names one by one,
 * and NULL after the last. */
const char *nearest_name(const char *typed, const char *(*name)(size_t index, const void *context),
                         const void *context);

#endif
