/* plot_svg.h - line plots as SVG text.
 *
 * Panels stand side by side in one picture, each with its own axes, linear or logarithmic, and a few named
 * lines. Points that are not finite, or not positive on a logarithmic axis, are left out. The text is
 * complete in itself: no script, no font or style from elsewhere. Names are escaped. */
#ifndef BASE_PLOT_SVG_H
#define BASE_PLOT_SVG_H

#include "base/buffer.h"

enum { PLOT_LINES = 10 };

struct plot_line {
    const char *name;
    const double *x, *y;
    size_t count;
};

struct plot_panel {
    const char *title, *x_name, *y_name;
    bool log_x, log_y;
    struct plot_line lines[PLOT_LINES];
    size_t line_count;
};

void plot_svg(struct buffer *out, const struct plot_panel *panels, size_t count);

#endif
