/* plot_bars.h - named numbers as horizontal bars with whiskers, as SVG text: a row each, charts one below the other.
 *
 * Complete in itself, as plot_svg's pictures are. Names are escaped, and cut where they are too long for their column. */
#ifndef BASE_PLOT_BARS_H
#define BASE_PLOT_BARS_H

#include "base/buffer.h"

enum { PLOT_BARS = 60 }; /* more are no longer a picture: draw lines */

struct plot_bar {
    const char *name;
    double value, lower, upper; /* finite */
};

struct plot_chart {
    const char *title, *unit;
    const struct plot_bar *bars;
    size_t count;
};

void plot_bars(struct buffer *out, const struct plot_chart *charts, size_t count);

#endif
