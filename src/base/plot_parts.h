/* plot_parts.h - what the pictures share: escaped text, and marks at round numbers. */
#ifndef BASE_PLOT_PARTS_H
#define BASE_PLOT_PARTS_H

#include "base/buffer.h"

struct plot_range {
    double lower, upper; /* lower < upper */
};

void plot_escape(struct buffer *out, const char *text);

/* 1, 2 or 5 times a power of ten, so that there are some five marks. */
double plot_step(const struct plot_range *range);

#endif
