/* bisect.h - the last number for which something is certain.
 *
 * Calibration asks for the least noise that surely keeps a promise. `surely` says yes only when it has proved
 * it, so whatever comes back is proved, even where the truth is not monotone or the proof gives up early. */
#ifndef MECHANISM_BISECT_H
#define MECHANISM_BISECT_H

#include <stdbool.h>

typedef bool (*bisect_surely)(const void *context, double x);

/* `good` >= 0 is known to hold. Returns a number between `good` and `bad` that holds, with a neighbour
 * towards `bad` that does not (or `good` itself). */
double bisect(bisect_surely surely, const void *context, double good, double bad);

#endif
