/* steps.h - multiples of a power of two in decimal, in full.
 *
 * k * 2^-j is a decimal with at most j places, so noise on a grid can be printed without rounding. */
#ifndef CLI_STEPS_H
#define CLI_STEPS_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum {
    STEPS_TEXT = 64 /* room for one number and one more byte */
};

/* Writes count * 2^exponent and returns its length; there is no NUL. For exponents below -38 or above 0 the
 * nearest double, which reads back exactly. */
size_t steps_print(int64_t count, int exponent, char text[STEPS_TEXT]);

/* Reads a grid: "0.125" or "2^-3", into a double. For `struct cli_option`. */
status steps_read_grid(const char *text, void *place, error *why);

#endif
